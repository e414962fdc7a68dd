//! How far apart two surfaces are.

use super::Closest;
use super::output::ContactFormat;
use super::told::Times;
use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::info::extend;
use crate::intersect::{placed, read_surface};
use crate::table;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;
use tangere::closest::{SurfaceDistance, TriangleTree, triangle_distance};
use tangere::geometry::Pose;
use tangere::shape::TriMesh;
use tangere_io::vtk::{Cells, Field, PolyData};
use tangere_io::{Error, write_text};

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
    let (mesh_a, read_a) = read_surface(&options.a, console)?;
    let (mesh_b, read_b) = read_surface(b, console)?;
    let mesh_a = placed(mesh_a, options.pose_a.as_ref(), &options.a)?;
    let pose_b = options.pose_b.unwrap_or_default();
    let ((tree_a, tree_b), setup) = console.timed("building trees", || {
        (TriangleTree::new(&mesh_a), TriangleTree::new(&mesh_b))
    });
    let mut times = Times {
        read: read_a + read_b,
        setup,
        query: f64::INFINITY,
    };
    let mut answer = None;
    for _ in 0..options.repeat {
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
    if options.verify {
        let (same, _) = console.timed("comparing", || verify(&mesh_a, &mesh_b, &pose_b, &answer));
        same?;
    }
    let object = told(&answer, &times, options.verify);
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let (written, _) = console.timed(&what, || write(path, format, &answer, &object));
        written.map_err(Failure::writing)?;
    }
    if options.json {
        return console.print_json(&object);
    }
    let point = |p: [f64; 3]| p.map(table::number).join(", ");
    let mut rows = vec![
        ("distance", table::number(answer.distance)),
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
    if options.verify {
        rows.push(("verified", "as every pair of triangles tells".into()));
    }
    let head = format!("{} and {}\n", options.a.display(), b.display());
    console.print(head + &table::two_columns(&rows))
}

/// One object; names and order are a contract.
fn told(answer: &SurfaceDistance, times: &Times, verified: bool) -> Value {
    let mut object = json!({
        "distance": answer.distance,
        "point_a": answer.point_a,
        "point_b": answer.point_b,
        "face_a": answer.face_a,
        "face_b": answer.face_b,
        "intersecting": answer.intersecting,
        "seconds": times.json(),
    });
    if verified {
        extend(&mut object, json!({ "verified": true }));
    }
    object
}

/// The least distance of every pair of triangles, and the least pair that has it.
fn verify(a: &TriMesh, b: &TriMesh, pose_b: &Pose, found: &SurfaceDistance) -> Result<(), Failure> {
    let of_face = |i: usize| {
        let t = a.triangle(i);
        (0..b.faces().len())
            .map(|j| {
                let moved = b.triangle(j).map(|p| pose_b.apply(p));
                (triangle_distance(t, moved).distance, i as u32, j as u32)
            })
            .fold((f64::INFINITY, 0, 0), nearer)
    };
    fn nearer(x: (f64, u32, u32), y: (f64, u32, u32)) -> (f64, u32, u32) {
        match y.0 < x.0 || y.0 == x.0 && (y.1, y.2) < (x.1, x.2) {
            true => y,
            false => x,
        }
    }
    let expected = (0..a.faces().len())
        .into_par_iter()
        .map(of_face)
        .reduce(|| (f64::INFINITY, 0, 0), nearer);
    match (found.distance, found.face_a, found.face_b) == expected {
        true => Ok(()),
        false => Err(Failure::Work(format!(
            "internal error, please report it: distance {:?} of faces {} and {}, expected {:?} \
             of faces {} and {}",
            found.distance, found.face_a, found.face_b, expected.0, expected.1, expected.2
        ))),
    }
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
