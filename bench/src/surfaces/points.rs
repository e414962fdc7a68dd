//! Benchmark of the closest point on a surface.

use super::{TURNS, parry_of};
use crate::timing::{contestant, cpu_seconds, race};
use crate::{Options, Outcome};
use parry3d_f64::query::PointQuery;
use std::cell::RefCell;
use tangere::closest::{FaceSurface, MeshSurface, Projection, SurfacePoint};
use tangere::generate;
use tangere::geometry::Aabb;
use tangere::inside::Grid;
use tangere::parallel::Rows;
use tangere::shape::{FaceKind, TriMesh};
use test_support::Random;

/// The target in nanoseconds per point for a surface of 100,000 triangles.
const TARGET: f64 = 1500.0;

pub fn run(options: &Options) -> Outcome {
    let (triangles, level, count, cells) = match options.quick {
        true => (20_000, 5, 50_000, 40),
        false => (100_000, 7, 1_000_000, 100),
    };
    let knot = generate::knot(triangles)?;
    let box_of = knot.bounds();
    surface(
        options,
        "knot",
        "at random",
        &knot,
        &scattered(&box_of, count),
    )?;
    surface(
        options,
        "knot",
        "in a grid",
        &knot,
        &Grid::around(&box_of, cells)?.points(),
    )?;
    surface(
        options,
        "knot",
        "near the surface",
        &knot,
        &near(&knot, count),
    )?;
    let sphere = generate::sphere(level)?;
    surface(
        options,
        "sphere",
        "at random",
        &sphere,
        &scattered(&sphere.bounds(), count),
    )?;
    let foam = generate::foam(5 * triangles, 1)?;
    surface(
        options,
        "foam",
        "at random",
        &foam,
        &scattered(&foam.bounds(), count),
    )?;
    curved(options)
}

/// Returns random points in a box.
fn scattered(bounds: &Aabb<3>, count: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(5);
    let mut coordinate = |k: usize| bounds.min[k] + (bounds.max[k] - bounds.min[k]) * random.unit();
    (0..count).map(|_| [0, 1, 2].map(&mut coordinate)).collect()
}

/// Returns points close to a surface, within a hundredth of its size, face after face.
fn near(mesh: &TriMesh, count: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(6);
    let bounds = mesh.bounds();
    let off = 0.01 * (bounds.max[0] - bounds.min[0]);
    (0..count)
        .map(|i| {
            let [a, ..] = mesh.triangle(i * mesh.faces().len() / count);
            a.map(|x| x + off * (2.0 * random.unit() - 1.0))
        })
        .collect()
}

fn surface(
    options: &Options,
    name: &str,
    how: &str,
    mesh: &TriMesh,
    points: &[[f64; 3]],
) -> Outcome {
    let title = format!(
        "nearest faces: {name} of {} triangles, {} points {how}",
        mesh.faces().len(),
        points.len()
    );
    if !options.selects(&title) {
        return Ok(());
    }
    let start = cpu_seconds();
    let surface = MeshSurface::new(mesh);
    let set_up = cpu_seconds() - start;
    let parry = match options.peers {
        true => Some(parry_of(mesh)?),
        false => None,
    };
    let found: RefCell<Vec<SurfacePoint>> = RefCell::default();
    let distances: RefCell<Vec<f64>> = RefCell::default();
    let signed: RefCell<Vec<f64>> = RefCell::default();
    let mut contestants = vec![
        contestant("MeshSurface", || {
            let mut found = found.borrow_mut();
            match surface.closest_all(points, &mut found) {
                Ok(()) => found.len(),
                Err(_) => 0,
            }
        }),
        contestant("MeshSurface, signed distances", || {
            let mut signed = signed.borrow_mut();
            match surface.signed_distances(points, &mut signed) {
                Ok(()) => signed.len(),
                Err(_) => 0,
            }
        }),
    ];
    if let Some(parry) = &parry {
        contestants.push(contestant("parry", || {
            let mut distances = distances.borrow_mut();
            distances.clear();
            distances.extend(points.iter().map(|&p| {
                let q = parry.project_local_point(p.into(), false).point;
                let way: [f64; 3] = [q.x - p[0], q.y - p[1], q.z - p[2]];
                (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt()
            }));
            distances.len()
        }));
    }
    race(
        &title,
        if points.len() > 100_000 { 3 } else { TURNS },
        points.len(),
        &mut contestants,
    );
    drop(contestants);
    let (found, distances) = (found.borrow(), distances.borrow());
    let worst = found
        .iter()
        .zip(distances.iter())
        .map(|(x, &d)| (x.distance - d).abs())
        .fold(0.0, f64::max);
    println!(
        "  target {TARGET} ns; set-up {:.1} ms; distances differ by at most {worst:.1e}",
        set_up * 1e3
    );
    Ok(())
}

/// Benchmark of the closest point on a sphere of curved faces.
fn curved(options: &Options) -> Outcome {
    let level = if options.quick { 4 } else { 5 };
    for kind in [FaceKind::Tri6, FaceKind::Quad8] {
        let mesh = generate::face_sphere(kind, level)?;
        let points = scattered(&mesh.bounds(), if options.quick { 10_000 } else { 100_000 });
        let title = format!(
            "nearest faces: sphere of {} {} faces, {} points at random",
            mesh.len(),
            kind.name(),
            points.len()
        );
        if !options.selects(&title) {
            continue;
        }
        let surface = FaceSurface::new(&mesh);
        let found: RefCell<Vec<Projection>> = RefCell::default();
        let rows: RefCell<Rows<u32>> = RefCell::default();
        let mut contestants = vec![
            contestant("FaceSurface::project_all", || {
                let mut found = found.borrow_mut();
                match surface.project_all(&points, &mut found) {
                    Ok(()) => found.len(),
                    Err(_) => 0,
                }
            }),
            contestant("FaceSurface::within_all", || {
                let mut rows = rows.borrow_mut();
                match surface.within_all(&points, 0.05, &mut rows) {
                    Ok(()) => rows.len(),
                    Err(_) => 0,
                }
            }),
        ];
        race(&title, 3, points.len(), &mut contestants);
    }
    Ok(())
}
