//! Demo of closest point projection on surfaces, and of intersecting surfaces.

use super::scene::front;
use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Map, Value, json};
use std::time::Instant;
use tangere::closest::{
    FaceSurface, MeshSurface, Projection, SurfaceStatus, TriangleTree, surface_distances,
};
use tangere::generate;
use tangere::geometry::{IntersectionKind, Pose, Similarity};
use tangere::inside::Grid;
use tangere::shape::{FaceKind, FaceMesh, TriMesh};
use tangere_front::text::{self, Table};
use tangere_render::picture::{Color, Picture, Scene, View};

/// Number of points that are projected onto a surface.
const POINTS: usize = 100_000;
/// Number of projected points that the picture shows.
const SHOWN: usize = 90;
/// Numbers of triangles of the knots that are intersected with a copy of themselves.
const KNOTS: [usize; 2] = [20_000, 200_000];
/// Pose of the copy of a knot: a translation, then a quaternion `w, x, y, z` that is yet to be
/// normalised.
const POSE: [f64; 7] = [0.1, 0.05, -0.05, 0.955, 0.079, 0.158, 0.239];

/// Number of cells of the signed distance field along each axis, and in the slice that is drawn.
const FIELD: [usize; 2] = [64, 160];
/// Distance between two level lines of the signed distance field.
const LEVEL: f64 = 0.25;

/// Number of poses of the ball that moves past a knot.
const POSES: usize = 100;
/// Radius of this ball.
const BALL: f64 = 0.4;

/// Number of parts into which an edge of a curved face is divided for drawing.
const CUTS: usize = 8;

const CURVED: Color = Color([94, 120, 168]);
const EDGE: Color = Color([200, 208, 220]);
const NEAR: Color = Color([240, 188, 64]);
const FAR: Color = Color([196, 96, 54]);
const FIRST: Color = Color([120, 140, 170]);
const SECOND: Color = Color([186, 170, 148]);
const MET: Color = Color([214, 70, 40]);
/// Points of the distance field deep inside the body.
const INNERMOST: Color = Color([110, 20, 20]);

/// Returns the section of surfaces: projects points onto surfaces and finds intersecting triangles.
pub fn section(width: usize) -> Result<Section, Error> {
    let mut rows = Vec::new();
    let mut objects = Map::new();
    let mut figures = vec![curved(width, &mut rows, &mut objects)?];
    nearest(&mut rows, &mut objects)?;
    figures.push(field(width, &mut rows, &mut objects)?);
    for triangles in KNOTS {
        let figure = knots(triangles, width, &mut rows, &mut objects)?;
        if triangles == KNOTS[0] {
            figures.push(figure);
        }
    }
    figures.push(clearance(width, &mut rows, &mut objects)?);
    Ok(Section {
        name: "surfaces",
        title: "Closest points and intersections of surfaces",
        explanation:
            "Points are projected onto a sphere of 24 quadratic faces, each with a proof that the \
             projection is the global minimum on its face, and onto a knot of triangles. A signed \
             distance field of the knot is negative inside. Then a knot intersects its rotated copy: all pairs of triangles with a common point, decided \
             by exact predicates, at any pose without a new set-up. Last, a ball moves past the \
             knot and through it: the clearance at each pose, and whether surfaces intersect."
                .into(),
        figures,
        table: Table {
            head: vec!["query", "faces", "points or poses", "found", "time"],
            rows,
        },
        json: Value::Object(objects),
        cell_data: Vec::new(),
    })
}

/// Returns `count` points evenly spread over all directions from the origin, and over the distances
/// from `inner` to `outer`.
fn shell(count: usize, [inner, outer]: [f64; 2]) -> Vec<[f64; 3]> {
    // Consecutive points are rotated by the golden angle.
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let point = |i: usize| {
        let z = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
        let (sin, cos) = (golden * i as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        let height = inner + (outer - inner) * (0.618_034 * i as f64).fract();
        [r * cos, r * sin, z].map(|x| height * x)
    };
    (0..count).map(point).collect()
}

/// Approximates a mesh of curved faces by fine triangles, for drawing.
fn drawn(mesh: &FaceMesh) -> tangere::Result<TriMesh> {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for f in 0..mesh.len() {
        let face = mesh.face(f);
        let first = vertices.len() as u32;
        for j in 0..=CUTS {
            for i in 0..=CUTS {
                let xi = [i, j].map(|k| 2.0 * k as f64 / CUTS as f64 - 1.0);
                vertices.push(face.point(xi));
            }
        }
        let row = CUTS as u32 + 1;
        for j in 0..CUTS as u32 {
            for i in 0..CUTS as u32 {
                let at = first + j * row + i;
                faces.push([at, at + 1, at + row + 1]);
                faces.push([at, at + row + 1, at + row]);
            }
        }
    }
    TriMesh::new(vertices, faces)
}

fn curved(
    width: usize,
    rows: &mut Vec<Vec<String>>,
    objects: &mut Map<String, Value>,
) -> Result<Figure, Error> {
    let mesh = generate::face_sphere(FaceKind::Quad8, 1)?;
    let surface = FaceSurface::new(&mesh);
    let mut found = Vec::new();
    let points = shell(POINTS, [0.5, 1.7]);
    let start = Instant::now();
    surface.project_all(&points, &mut found)?;
    let seconds = start.elapsed().as_secs_f64();
    let inside = found.iter().filter(|x: &&Projection| x.gap < 0.0).count();
    let iterations = found.iter().map(|x| f64::from(x.iterations)).sum::<f64>();
    rows.push(vec![
        "projection, curved faces".into(),
        text::count(mesh.len() as u64),
        text::count(POINTS as u64),
        format!("{} inside", text::count(inside as u64)),
        format!("{:.2} us each", 1e6 * seconds / POINTS as f64),
    ]);
    objects.insert(
        "curved".into(),
        json!({
            "faces": mesh.len(),
            "points": POINTS,
            "inside": inside,
            "iterations": iterations / POINTS as f64,
            "seconds": seconds,
        }),
    );
    let shown = shell(SHOWN, [1.1, 1.6]);
    surface.project_all(&shown, &mut found)?;
    let mut scene = Scene::default();
    scene.add_mesh(&drawn(&mesh)?, |p| p, |_| CURVED);
    for f in 0..mesh.len() {
        let face = mesh.face(f);
        for edge in 0..face.kind().corners() {
            // The lines are drawn slightly above the face, which would otherwise hide them.
            let place = |k: usize| {
                let xi = face.kind().on_edge(edge, k as f64 / CUTS as f64);
                face.point(xi).map(|x| 1.003 * x)
            };
            for k in 0..CUTS {
                scene.add_line([place(k), place(k + 1)], EDGE);
            }
        }
    }
    for (point, nearest) in shown.iter().zip(&found) {
        let color = NEAR.mix(FAR, (nearest.gap / 0.6) as f32);
        scene.add_ball(*point, 0.03, color);
        scene.add_line([*point, nearest.point], color);
    }
    Ok(Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 9 / 20])),
        caption: format!(
            "{SHOWN} points and their projections on a sphere of {} curved faces; the farther, the \
             darker",
            mesh.len()
        ),
    })
}

/// Projects points around a knot onto its surface. Adds the results to `rows`, the table of the
/// section, and to `objects`, a map from names to JSON objects.
fn nearest(rows: &mut Vec<Vec<String>>, objects: &mut Map<String, Value>) -> Result<(), Error> {
    let knot = generate::knot(KNOTS[1])?;
    let start = Instant::now();
    let surface = MeshSurface::new(&knot);
    let setup = start.elapsed().as_secs_f64();
    let points = shell(POINTS, [0.0, 4.0]);
    let mut found = Vec::new();
    let start = Instant::now();
    surface.closest_all(&points, &mut found)?;
    let seconds = start.elapsed().as_secs_f64();
    let inside = found.iter().filter(|x| x.gap < 0.0).count();
    rows.push(vec![
        "projection, triangles".into(),
        text::count(knot.faces().len() as u64),
        text::count(POINTS as u64),
        format!("{} inside", text::count(inside as u64)),
        format!("{:.2} us each", 1e6 * seconds / POINTS as f64),
    ]);
    objects.insert(
        "triangles".into(),
        json!({
            "faces": knot.faces().len(),
            "points": POINTS,
            "inside": inside,
            "seconds": { "setup": setup, "query": seconds },
        }),
    );
    Ok(())
}

/// Computes the signed distance field of a knot, and draws a slice of it. Adds the results to `rows`,
/// the table of the section, and to `objects`, a map from names to JSON objects.
fn field(
    width: usize,
    rows: &mut Vec<Vec<String>>,
    objects: &mut Map<String, Value>,
) -> Result<Figure, Error> {
    let knot = generate::knot(KNOTS[0])?;
    let bounds = knot.bounds();
    let surface = MeshSurface::new(&knot);
    let grid = Grid::around(&bounds, FIELD[0])?;
    let mut distances = Vec::new();
    let start = Instant::now();
    surface.signed_distance_grid(&grid, &mut distances)?;
    let seconds = start.elapsed().as_secs_f64();
    let inside = distances.iter().filter(|&&x| x < 0.0).count();
    rows.push(vec![
        "signed distance field".into(),
        text::count(knot.faces().len() as u64),
        text::count(distances.len() as u64),
        format!("{} inside", text::count(inside as u64)),
        format!("{:.2} us each", 1e6 * seconds / distances.len() as f64),
    ]);
    objects.insert(
        "field".into(),
        json!({
            "faces": knot.faces().len(),
            "points": distances.len(),
            "inside": inside,
            "seconds": seconds,
        }),
    );
    let [x, y, _] = Grid::around(&bounds, FIELD[1])?.axes().clone();
    let slice = Grid::new([x, y, vec![bounds.center()[2]]])?;
    surface.signed_distance_grid(&slice, &mut distances)?;
    let color = |cell: usize| {
        let distance = distances[cell];
        let (color, deepest, far) = match distance < 0.0 {
            true => (MET, INNERMOST, -distance / 0.5),
            false => (NEAR, CURVED, distance / 2.5),
        };
        // Every other band between level lines is darker.
        let band = (distance / LEVEL).floor() as i64 & 1;
        color
            .mix(deepest, far as f32)
            .mix(FIRST, 0.35 * band as f32)
    };
    let mut scene = Scene::default();
    let half = 0.5 * (slice.axes()[0][1] - slice.axes()[0][0]);
    for cell in 0..slice.len() {
        // The slice lies in the plane of x and y; it is drawn upright.
        let [x, y, _] = slice.point(cell);
        let corner = |a: f64, b: f64| [x + a * half, 0.0, y + b * half];
        let vertices = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let vertices = vertices.map(|(a, b)| corner(a, b)).to_vec();
        let tile = TriMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]])?;
        scene.add_mesh(&tile, |p| p, |_| color(cell));
    }
    Ok(Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 9 / 20])),
        caption: format!(
            "A slice of the signed distance field of a knot: red inside, from yellow to blue with the \
             distance outside; bands are {LEVEL} wide"
        ),
    })
}

/// Finds the intersecting triangles of a knot and its copy, and draws them. Adds their number to
/// `rows`, the table of the section, and to `objects`, a map from names to JSON objects.
fn knots(
    triangles: usize,
    width: usize,
    rows: &mut Vec<Vec<String>>,
    objects: &mut Map<String, Value>,
) -> Result<Figure, Error> {
    let knot = generate::knot(triangles)?;
    let start = Instant::now();
    let tree = TriangleTree::new(&knot);
    let setup = start.elapsed().as_secs_f64();
    let [x, y, z, q @ ..] = POSE;
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, i, j, k] = q.map(|x| x / length);
    let pose = Pose::from_numbers(&[x, y, z, w, i, j, k])?;
    let mut pairs = Vec::new();
    tree.intersections(&tree, &pose, &mut pairs)?;
    let start = Instant::now();
    tree.intersections(&tree, &pose, &mut pairs)?;
    let seconds = start.elapsed().as_secs_f64();
    let crossing = pairs
        .iter()
        .filter(|pair| pair.kind == IntersectionKind::Crossing)
        .count();
    rows.push(vec![
        "intersections, two knots".into(),
        text::count(triangles as u64),
        "1".into(),
        format!("{} pairs", text::count(pairs.len() as u64)),
        text::seconds(seconds),
    ]);
    objects.insert(
        format!("knots of {triangles}"),
        json!({
            "pairs": pairs.len(),
            "crossing": crossing,
            "seconds": { "setup": setup, "query": seconds },
        }),
    );
    let mut met = [vec![false; triangles], vec![false; triangles]];
    for pair in &pairs {
        met[0][pair.a as usize] = true;
        met[1][pair.b as usize] = true;
    }
    let mut scene = Scene::default();
    let color = |met: bool, color: Color| if met { MET } else { color };
    scene.add_mesh(&knot, |p| p, |f| color(met[0][f], FIRST));
    scene.add_mesh(&knot, |p| pose.apply(p), |f| color(met[1][f], SECOND));
    Ok(Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 9 / 20])),
        caption: format!(
            "A knot of {} triangles and its rotated copy: {} pairs of triangles intersect (red), \
             found in {}",
            text::count(triangles as u64),
            text::count(pairs.len() as u64),
            text::seconds(seconds),
        ),
    })
}

/// Finds the distance of a knot and a ball that moves past it and through it, and draws the ball at
/// some poses. Adds the results to `rows`, the table of the section, and to `objects`, a map from
/// names to JSON objects.
fn clearance(
    width: usize,
    rows: &mut Vec<Vec<String>>,
    objects: &mut Map<String, Value>,
) -> Result<Figure, Error> {
    let knot = generate::knot(KNOTS[0])?;
    let ball = Similarity::new(BALL, Pose::identity())?;
    let ball = generate::sphere(5)?.transformed(&ball)?;
    let start = Instant::now();
    let (tree, ball_tree) = (TriangleTree::new(&knot), TriangleTree::new(&ball));
    let setup = start.elapsed().as_secs_f64();
    let pose = |i: usize| {
        let s = i as f64 / (POSES - 1) as f64;
        Pose::from_translation([8.0 * s - 4.0, -2.6 + 1.2 * s, 2.0 - 2.0 * s])
    };
    let poses = (0..POSES)
        .map(pose)
        .collect::<tangere::Result<Vec<Pose>>>()?;
    let mut found = Vec::new();
    surface_distances(&tree, &ball_tree, &poses[..1], &mut found)?;
    let start = Instant::now();
    surface_distances(&tree, &ball_tree, &poses, &mut found)?;
    let seconds = start.elapsed().as_secs_f64();
    let met = found.iter().filter(|x| x.intersecting).count();
    let gaps = found.iter().map(|x| x.gap);
    let least = gaps
        .clone()
        .filter(|&gap| gap > 0.0)
        .fold(f64::INFINITY, f64::min);
    rows.push(vec![
        "clearance, a knot and a ball".into(),
        text::count((knot.faces().len() + ball.faces().len()) as u64),
        text::count(POSES as u64),
        format!("{met} poses intersect"),
        text::seconds(seconds),
    ]);
    objects.insert(
        "clearance".into(),
        json!({
            "poses": POSES,
            "intersecting": met,
            "least_gap_apart": least,
            "gaps": gaps.collect::<Vec<f64>>(),
            "seconds": { "setup": setup, "query": seconds },
        }),
    );
    let mut scene = Scene::default();
    scene.add_mesh(&knot, |p| p, |_| FIRST);
    for (pose, found) in poses.iter().zip(&found).step_by(9) {
        let color = match found.status {
            SurfaceStatus::Separated => NEAR.mix(FAR, (found.gap / 2.0) as f32),
            _ => MET,
        };
        scene.add_mesh(&ball, |p| pose.apply(p), |_| color);
        scene.add_line([found.point_a, found.point_b], color);
    }
    Ok(Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 9 / 20])),
        caption: format!(
            "A ball at every ninth of {POSES} poses, with the shortest way to the knot; red where \
             they intersect. All distances took {}",
            text::seconds(seconds),
        ),
    })
}

fn view(size: [usize; 2]) -> View {
    front(size, 0.06, false)
}
