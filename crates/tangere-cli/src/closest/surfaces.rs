//! How far apart two surfaces are.

use super::Closest;
use super::output::ContactFormat;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::info::extend;
use crate::intersect::placed;
use crate::question::{Sample, Times};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;
use tangere::closest::{SurfaceDistance, TriangleTree, triangle_distance};
use tangere::geometry::{Ball, Pose};
use tangere::shape::TriMesh;
use tangere_front::text;
use tangere_io::vtk::{Cells, Field, PolyData};
use tangere_io::{Error, write_text};

/// What is expected in place of points.
const SURFACE: &str = "a surface; MESH --points POINTS tells how far points are from it, --convex \
                       takes the hull of points";

/// Reads, asks, and writes.
pub fn run(options: &Closest, b: &Path, console: &Console) -> Result<(), Failure> {
    if options.poses_b.is_some() {
        return Err(Failure::Input(
            "closest: found --poses-b without --convex, expected --pose-b: surfaces are not \
             followed through a motion"
                .into(),
        ));
    }
    let format = match &options.out {
        Some(path) => Some(ContactFormat::of_path(path, false)?),
        None => None,
    };
    if let Some(out) = &options.out {
        [&options.a, b]
            .into_iter()
            .try_for_each(|input: &Path| files::check_other(out, input))?;
    }
    let (mesh_a, read_a) = files::read_surface(&options.a, None, SURFACE, console)?;
    let (mesh_b, read_b) = files::read_surface(b, None, SURFACE, console)?;
    let mesh_a = placed(mesh_a, options.poses.pose_a.as_ref(), &options.a)?;
    let pose_b = options.poses.pose_b.unwrap_or_default();
    let ((tree_a, tree_b), setup) = console.timed("building trees", || {
        (TriangleTree::new(&mesh_a), TriangleTree::new(&mesh_b))
    });
    let mut times = Times {
        read: read_a + read_b,
        setup,
        query: f64::INFINITY,
    };
    let mut answer = None;
    for _ in 0..options.manner.repeat {
        let ((found, seconds), _) = console.timed("asking", || {
            let start = Instant::now();
            let found = tree_a.distance(&tree_b, &pose_b);
            (found, start.elapsed().as_secs_f64())
        });
        times.query = times.query.min(seconds);
        answer = Some(found);
    }
    let Some(answer) = answer else {
        return Ok(());
    };
    let mut verified = None;
    if options.verify {
        let (same, _) = console.timed("comparing", || verify(&mesh_a, &mesh_b, &pose_b, &answer));
        verified = Some(same?);
    }
    let object = told(&answer, &times, verified);
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let (written, _) = console.timed(&what, || write(path, format, &answer, &object));
        written.map_err(Failure::writing)?;
    }
    if options.manner.json {
        return console.print_json(&object);
    }
    let point = |p: [f64; 3]| p.map(text::number).join(", ");
    let mut rows = vec![
        ("distance", text::number(answer.distance)),
        (
            "intersecting",
            if answer.intersecting { "yes" } else { "no" }.into(),
        ),
        ("point of a", point(answer.point_a)),
        ("point of b", point(answer.point_b)),
        ("face of a", answer.face_a.to_string()),
        ("face of b", answer.face_b.to_string()),
    ];
    rows.extend(times.rows());
    if let Some(sample) = verified {
        let faces = sample.text("face", "faces");
        rows.push(("verified", format!("{faces} of A against every face of B")));
    }
    let head = format!("{} and {}\n", options.a.display(), b.display());
    console.print(head + &text::two_columns(&rows))
}

/// One object; names and order are a contract.
fn told(answer: &SurfaceDistance, times: &Times, verified: Option<Sample>) -> Value {
    let mut object = json!({
        "distance": answer.distance,
        "point_a": answer.point_a,
        "point_b": answer.point_b,
        "face_a": answer.face_a,
        "face_b": answer.face_b,
        "intersecting": answer.intersecting,
        "seconds": times.json(),
    });
    if let Some(sample) = verified {
        let told = json!({ "verified": true, "verified_faces": sample.len() });
        extend(&mut object, told);
    }
    object
}

/// Compares with the least distance of every pair of triangles, and the least pair that has it;
/// gives the faces of A that were looked at.
fn verify(
    a: &TriMesh,
    b: &TriMesh,
    pose_b: &Pose,
    found: &SurfaceDistance,
) -> Result<Sample, Failure> {
    type Nearest = (f64, u32, u32);
    fn nearer(x: Nearest, y: Nearest) -> Nearest {
        match y.0 < x.0 || y.0 == x.0 && (y.1, y.2) < (x.1, x.2) {
            true => y,
            false => x,
        }
    }
    const NONE: Nearest = (f64::INFINITY, 0, 0);
    let of_pair = |i: usize, j: usize| {
        let moved = b.triangle(j).map(|p| pose_b.apply(p));
        let distance = triangle_distance(a.triangle(i), moved).distance;
        (distance, i as u32, j as u32)
    };
    let balls: Vec<Ball<3>> = (0..b.faces().len())
        .map(|j| around(b.triangle(j).map(|p| pose_b.apply(p))))
        .collect();
    // Pairs whose balls are farther apart than what was told are not nearer.
    let of_face = |i: usize| {
        let own = around(a.triangle(i));
        let may_be_nearer = |ball: &Ball<3>| {
            let way: [f64; 3] = std::array::from_fn(|k| ball.center[k] - own.center[k]);
            let apart = way.iter().map(|x| x * x).sum::<f64>().sqrt();
            apart - own.radius - ball.radius <= found.distance * (1.0 + 1e-9) + 1e-9 * apart
        };
        (balls.iter().enumerate())
            .filter(|(_, ball)| may_be_nearer(ball))
            .map(|(j, _)| of_pair(i, j))
            .fold(NONE, nearer)
    };
    let sample = Sample::new(a.faces().len(), b.faces().len());
    let least = (sample.items().into_par_iter())
        .map(of_face)
        .reduce(|| NONE, nearer);
    // Whatever is looked at, the pair that was told is.
    let told = of_pair(found.face_a as usize, found.face_b as usize);
    let expected = nearer(least, told);
    match (found.distance, found.face_a, found.face_b) == expected {
        true => Ok(sample),
        false => Err(Failure::Work(format!(
            "internal error, please report it: distance {:?} of faces {} and {}, expected {:?} \
             of faces {} and {}",
            found.distance, found.face_a, found.face_b, expected.0, expected.1, expected.2
        ))),
    }
}

/// A ball that contains a triangle.
fn around(corners: [[f64; 3]; 3]) -> Ball<3> {
    let center = std::array::from_fn(|k| corners.iter().map(|p| p[k] / 3.0).sum());
    Ball::about(center, &corners)
}

fn write(
    path: &Path,
    format: ContactFormat,
    answer: &SurfaceDistance,
    object: &Value,
) -> Result<(), Error> {
    match format {
        ContactFormat::Vtp => {
            let drawn = PolyData {
                points: vec![answer.point_a, answer.point_b],
                verts: Cells::uniform(&[[0], [1]]),
                lines: Cells::uniform(&[[0, 1]]),
                ..PolyData::default()
            }
            .with_point_data(Field::scalar("body", vec![0, 1]))
            .with_point_data(Field::scalar("face", vec![answer.face_a, answer.face_b]))
            .with_cell_data(Field::scalar("distance", vec![answer.distance; 3]));
            files::write_vtp(path, &drawn)
        }
        ContactFormat::Csv | ContactFormat::Json => write_text(path, &format!("{object:#}\n")),
    }
}
