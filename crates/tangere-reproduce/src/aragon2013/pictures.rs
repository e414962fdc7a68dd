//! Pictures of bodies, their hierarchies and their motion.

use std::f64::consts::TAU;
use tangere::geometry::Ball;
use tangere::impact::hierarchy::Node;
use tangere::shape::TriMesh;
use tangere_render::picture::{Background, Color, Picture, Scene, View};

pub const BODY: Color = Color([94, 120, 168]);
pub const OTHER: Color = Color([186, 170, 148]);
pub const NEXT: Color = Color([206, 48, 36]);
const SMALL: Color = Color([244, 208, 120]);
const LARGE: Color = Color([188, 84, 52]);

/// The direction from the bodies, which point along x, to the viewer: front right, slightly above.
const TOWARD: [f64; 3] = [0.55, -1.0, 0.45];

/// Renders a scene, `width` pixels wide.
pub fn picture(scene: &Scene, width: usize, toward: [f64; 3]) -> Picture {
    let view = View {
        toward,
        size: [width, width * 3 / 4],
        margin: 0.05,
        ground: false,
        background: Background::Transparent,
    };
    Picture::of(scene, &view)
}

/// Renders a body.
pub fn mesh(mesh: &TriMesh, width: usize) -> Picture {
    let mut scene = Scene::default();
    scene.add_mesh(mesh, |p| p, |_| BODY);
    picture(&scene, width, TOWARD)
}

/// Returns the colour of a size: on a logarithmic scale, from light for `least` to dark for `most`.
fn color(size: f64, [least, most]: [f64; 2]) -> Color {
    let share = (size / least).ln() / (most / least).ln();
    SMALL.mix(LARGE, if share.is_finite() { share as f32 } else { 0.5 })
}

fn range(sizes: impl Iterator<Item = f64>) -> [f64; 2] {
    sizes.fold([f64::INFINITY, 0.0], |[least, most], x| {
        [least.min(x), most.max(x)]
    })
}

/// Renders the bounding spheres of nodes.
pub fn balls<'a>(nodes: impl Iterator<Item = &'a Node>, width: usize) -> Picture {
    let balls: Vec<Ball<3>> = nodes.map(|node| node.ball).collect();
    let sizes = range(balls.iter().map(|ball| ball.radius));
    let mut scene = Scene::default();
    for ball in &balls {
        scene.add_ball(ball.center, ball.radius, color(ball.radius, sizes));
    }
    picture(&scene, width, TOWARD)
}

/// Renders the bounding boxes of nodes.
pub fn boxes<'a>(nodes: impl Iterator<Item = &'a Node>, width: usize) -> tangere::Result<Picture> {
    /// The two triangles of each side of a box, as indices of its corners. Bit `k` of the index of
    /// a corner is 1 if the corner is at the upper end of axis `k`.
    const SIDES: [[u32; 3]; 12] = [
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
    ];
    let (mut vertices, mut faces, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for node in nodes {
        let (min, max) = (node.bounds.min, node.bounds.max);
        let base = vertices.len() as u32;
        let corner =
            |c: usize| std::array::from_fn(|k| if c >> k & 1 == 0 { min[k] } else { max[k] });
        vertices.extend((0..8).map(corner));
        faces.extend(SIDES.map(|side| side.map(|v| v + base)));
        let extent = node.bounds.extent();
        sizes.push(extent.iter().map(|x| x * x).sum::<f64>().sqrt());
    }
    let all = range(sizes.iter().copied());
    let mut scene = Scene::default();
    let mesh = TriMesh::new(vertices, faces)?;
    scene.add_mesh(&mesh, |p| p, |face| color(sizes[face / SIDES.len()], all));
    Ok(picture(&scene, width, TOWARD))
}

/// Adds a sphere as five great circles, so that its content stays visible.
pub fn add_circles(scene: &mut Scene, ball: &Ball<3>, color: Color) {
    const PARTS: usize = 72;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let planes = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[half, half, 0.0], [0.0, 0.0, 1.0]],
        [[half, -half, 0.0], [0.0, 0.0, 1.0]],
    ];
    for [u, v] in planes {
        let at = |i: usize| {
            let (sin, cos) = (TAU * i as f64 / PARTS as f64).sin_cos();
            std::array::from_fn(|k| ball.center[k] + ball.radius * (cos * u[k] + sin * v[k]))
        };
        for i in 0..PARTS {
            scene.add_line([at(i), at(i + 1)], color);
        }
    }
}
