//! Benchmark of point containment, against parry and obvhs.
//!
//! Peers are not exact: parry's containment uses the normal at the closest point,
//! the others count crossings of a ray (in f64 over parry's tree, in f32 over that of
//! obvhs). The number of their wrong answers is printed with their times.

use crate::timing::{Contestant, contestant, cpu_seconds, race, standings};
use crate::{Options, Outcome};
use obvhs::{
    BvhBuildParams, bvh2::Bvh2, bvh2::builder::build_bvh2_from_tris, ray::Ray, triangle::Triangle,
};
use parry3d_f64::query::{PointQuery, Ray as ParryRay, RayCast};
use parry3d_f64::shape::{TriMesh as ParryMesh, TriMeshFlags, Triangle as ParryTriangle};
use std::cell::RefCell;
use std::time::{Duration, Instant};
use tangere::generate;
use tangere::geometry::{Pose, Similarity, flushed};
use tangere::inside::{Cells, Grid, InsideSettings, InsideTest, Layer, Multipole, RayTree, Side};
use tangere::shape::TriMesh;
use test_support::Random;
use test_support::allocations::peak_of;

/// The number of query points along an edge of the grid: 512,000 points in all.
const GRID: usize = 80;

/// The number of turns of each contestant.
const TURNS: usize = 9;

/// The direction of rays, chosen such that they meet no edge.
const DIRECTION: [f64; 3] = [0.834_2, 0.417_3, 0.360_7];

pub fn run(options: &Options) -> Outcome {
    let (level, triangles) = if options.quick {
        (5, 30_000)
    } else {
        (7, 494_000)
    };
    let sphere = generate::sphere(level)?;
    points(
        options,
        "sphere",
        &sphere,
        &Grid::around(&sphere.bounds(), GRID)?,
    )?;
    let foam = generate::foam(triangles, 1)?;
    points(options, "foam", &foam, &Grid::around(&foam.bounds(), GRID)?)?;
    degenerate(options)?;
    let levels = if options.quick { [5, 6] } else { [7, 9] };
    for level in levels {
        set_up(options, &generate::sphere(level)?)?;
    }
    multipole(options, &sphere)?;
    threads(options, &sphere)
}

fn cells_of(mesh: &TriMesh) -> tangere::Result<Cells> {
    let mut cells = Cells::new(InsideSettings::default())?;
    cells.update(mesh)?;
    Ok(cells)
}

/// Returns the points in random order.
fn shuffled(points: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut points = points.to_vec();
    Random::new(1).shuffle(&mut points);
    points
}

/// The sides that a contestant found, kept for comparison with the right ones.
type Sides = RefCell<Vec<Side>>;

fn count(sides: &[Side]) -> usize {
    sides.iter().filter(|&&side| side == Side::Inside).count()
}

fn side(inside: bool) -> Side {
    if inside { Side::Inside } else { Side::Outside }
}

/// The point containment test of another library.
type Way = fn(&Peers, [f64; 3]) -> bool;

/// The data structures of the other libraries.
struct Peers {
    mesh: ParryMesh,
    triangles: Vec<ParryTriangle>,
    bvh: Bvh2,
    flat: Vec<Triangle>,
}

impl Peers {
    fn new(mesh: &TriMesh) -> Result<Self, Box<dyn std::error::Error>> {
        let (flat, bvh) = flat_tree(mesh);
        let triangles = (0..mesh.faces().len())
            .map(|face| {
                let [a, b, c] = mesh.triangle(face);
                ParryTriangle::new(a.into(), b.into(), c.into())
            })
            .collect();
        Ok(Peers {
            mesh: oriented(mesh)?,
            triangles,
            bvh,
            flat,
        })
    }

    /// Returns whether a point is inside, by the normal at the closest point (parry).
    fn by_normals(&self, p: [f64; 3]) -> bool {
        self.mesh.contains_local_point(p.into())
    }

    /// Returns whether a point is inside, by counting ray crossings in f64 over parry's tree.
    fn by_ray(&self, p: [f64; 3]) -> bool {
        let ray = ParryRay::new(p.into(), DIRECTION.into());
        let leaves = self
            .mesh
            .bvh()
            .leaves(|node| node.cast_ray(&ray, f64::MAX) < f64::MAX);
        let crossed = leaves.filter(|&face| {
            let triangle = &self.triangles[face as usize];
            triangle.cast_local_ray(&ray, f64::MAX, false).is_some()
        });
        crossed.count() % 2 == 1
    }

    /// Returns whether a point is inside, by counting ray crossings in f32 over the tree of obvhs.
    fn by_flat_ray(&self, p: [f64; 3]) -> bool {
        let ray = Ray::new_inf(
            p.map(|x| x as f32).into(),
            DIRECTION.map(|x| x as f32).into(),
        );
        let mut crossings = 0;
        self.bvh.ray_traverse_anyhit(ray, |ray, id| {
            let face = self.bvh.primitive_indices[id] as usize;
            crossings += usize::from(self.flat[face].intersect(ray) < f32::INFINITY);
        });
        crossings % 2 == 1
    }
}

/// Returns the triangles of a mesh and the tree of obvhs over them, in f32.
fn flat_tree(mesh: &TriMesh) -> (Vec<Triangle>, Bvh2) {
    let flat: Vec<Triangle> = (0..mesh.faces().len())
        .map(|face| {
            let [v0, v1, v2] = mesh.triangle(face).map(|p| p.map(|x| x as f32).into());
            Triangle { v0, v1, v2 }
        })
        .collect();
    let mut time = Duration::ZERO;
    let bvh = build_bvh2_from_tris(&flat, BvhBuildParams::medium_build(), &mut time);
    (flat, bvh)
}

fn oriented(mesh: &TriMesh) -> Result<ParryMesh, Box<dyn std::error::Error>> {
    let vertices = mesh.vertices().iter().map(|&v| v.into()).collect();
    let faces = mesh.faces().to_vec();
    ParryMesh::with_flags(vertices, faces, TriMeshFlags::ORIENTED)
        .map_err(|error| format!("{error:?}").into())
}

/// Times all methods and other libraries on the points of a grid, in grid order and in random
/// order.
fn points(options: &Options, name: &str, mesh: &TriMesh, grid: &Grid) -> Outcome {
    let n = mesh.faces().len();
    let orders = [
        ("grid order", grid.points()),
        ("random order", shuffled(&grid.points())),
    ];
    let mut peers = None;
    for (order, points) in orders {
        let title = format!(
            "{} points in {order}, {name} of {n} triangles",
            points.len()
        );
        if !options.selects(&title) {
            continue;
        }
        let (mut cells, mut columns) = (cells_of(mesh)?, cells_of(mesh)?);
        let mut tree = RayTree::new(InsideSettings::default())?;
        tree.update(mesh)?;
        let (exact, found, whole) = (Sides::default(), Sides::default(), Sides::default());
        let wrong: [Sides; 3] = Default::default();
        let mut contestants: Vec<Contestant<'_>> = vec![
            contestant("cells", || {
                let mut sides = exact.borrow_mut();
                cells
                    .classify(&points, &mut sides)
                    .map_or(0, |()| count(&sides))
            }),
            contestant("ray over the tree", || {
                let mut sides = found.borrow_mut();
                tree.classify(&points, &mut sides)
                    .map_or(0, |()| count(&sides))
            }),
        ];
        if order == "grid order" {
            contestants.push(contestant("columns, no set-up", || {
                let mut sides = whole.borrow_mut();
                columns
                    .classify_grid(grid, &mut sides)
                    .map_or(0, |()| count(&sides))
            }));
        }
        if options.peers {
            let peers: &Peers = match &mut peers {
                Some(peers) => peers,
                empty => empty.insert(Peers::new(mesh)?),
            };
            let ways: [(&'static str, Way); 3] = [
                ("parry, normals, f64", Peers::by_normals),
                ("parry, ray, f64", Peers::by_ray),
                ("obvhs, ray, f32", Peers::by_flat_ray),
            ];
            for ((name, way), sides) in ways.into_iter().zip(&wrong) {
                let points = &points;
                contestants.push(contestant(name, move || {
                    let mut sides = sides.borrow_mut();
                    sides.clear();
                    sides.extend(points.iter().map(|&p| side(way(peers, p))));
                    count(&sides)
                }));
            }
        }
        race(&title, TURNS, points.len(), &mut contestants);
        drop(contestants);
        let exact = exact.borrow();
        let differ = |sides: &Sides| {
            let sides = sides.borrow();
            exact
                .iter()
                .zip(sides.iter())
                .filter(|(a, b)| a != b)
                .count()
        };
        if differ(&found) + differ(&whole) > 0 {
            return Err(format!("{title}: exact methods differ").into());
        }
        if options.peers {
            let [normals, ray, flat] = wrong.each_ref().map(differ);
            println!("  wrong: {normals} by normals, {ray} by ray in f64, {flat} in f32");
        }
    }
    Ok(())
}

/// Returns a cone of long thin triangles over a circle of many corners.
fn slivers(sides: u32) -> tangere::Result<TriMesh> {
    let mut vertices = vec![[0.0, 0.0, -1e-3], [0.3, 0.2, 1.0]];
    for i in 0..sides {
        let angle = f64::from(i) * std::f64::consts::TAU / f64::from(sides);
        vertices.push(flushed([0.5 * angle.cos(), 0.5 * angle.sin(), 0.0]));
    }
    let next = |i: u32| 2 + (i + 1) % sides;
    let faces = (0..sides).flat_map(|i| [[2 + i, next(i), 1], [next(i), 2 + i, 0]]);
    TriMesh::new(vertices, faces.collect())
}

/// Returns a point on each triangle of a mesh, with the given barycentric coordinates.
fn on_triangles(mesh: &TriMesh, parts: [f64; 3]) -> Vec<[f64; 3]> {
    let point = |face: usize| {
        let [a, b, c] = mesh.triangle(face);
        flushed([0, 1, 2].map(|k| parts[0] * a[k] + parts[1] * b[k] + parts[2] * c[k]))
    };
    (0..mesh.faces().len()).map(point).collect()
}

/// Compares degenerate input with clean input: bodies with many degeneracies with a sphere, and
/// points on a surface with the same points moved off it.
fn degenerate(options: &Options) -> Outcome {
    let level = if options.quick { 2 } else { 3 };
    let sponge = generate::sponge(level)?;
    let turn: Pose = "0.1,0.2,0.3,0.8,0.1,0.5,0.31622776601683794".parse()?;
    let turned = sponge.transformed(&Similarity::from(turn))?;
    // Vertices, midpoints of edges and faces, and centres: every point but the last is
    // on the surface up to rounding.
    let steps = 2 * 3usize.pow(level);
    let axis: Vec<f64> = (0..=steps).map(|i| 0.5 * i as f64).collect();
    let lattice = Grid::new([axis.clone(), axis.clone(), axis])?.points();
    let moved: Vec<[f64; 3]> = lattice.iter().map(|&p| flushed(turn.apply(p))).collect();
    let slivers = slivers(if options.quick { 500 } else { 5000 })?;
    let chazelle = generate::chazelle(if options.quick { 20 } else { 200 })?;
    let sphere = generate::sphere(if options.quick { 5 } else { 7 })?;
    let in_grid = |mesh: &TriMesh| Grid::around(&mesh.bounds(), GRID).map(|grid| grid.points());
    let sets = |mesh: &TriMesh| {
        [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]].map(|parts| on_triangles(mesh, parts))
    };
    let [vertices, edges, faces] = sets(&sponge);
    let [turned_vertices, turned_edges, turned_faces] = sets(&turned);
    let on_slivers = on_triangles(&slivers, [0.25, 0.25, 0.5]);
    let beside_sphere = [
        ("sponge, grid", &sponge, in_grid(&sponge)?),
        ("turned sponge, grid", &turned, in_grid(&turned)?),
        ("cone of slivers, grid", &slivers, in_grid(&slivers)?),
        ("chazelle, grid", &chazelle, in_grid(&chazelle)?),
    ];
    let beside_moved = [
        ("sponge, lattice of halves", &sponge, lattice),
        ("sponge, vertices", &sponge, vertices),
        ("sponge, edges", &sponge, edges),
        ("sponge, faces", &sponge, faces),
        ("turned sponge, turned lattice of halves", &turned, moved),
        ("turned sponge, vertices", &turned, turned_vertices),
        ("turned sponge, edges", &turned, turned_edges),
        ("turned sponge, faces", &turned, turned_faces),
        ("cone of slivers, faces", &slivers, on_slivers),
    ];
    let clean = in_grid(&sphere)?;
    for (name, mesh, points) in beside_sphere {
        doubtful(options, name, (mesh, points), (&sphere, clean.clone()))?;
    }
    for (name, mesh, points) in beside_moved {
        // Far from the surface compared with the bodies' details and gaps.
        let step = mesh.bounds().extent()[0] * 1e-3;
        let off = |p: &[f64; 3]| [p[0] + step, p[1] - 0.7 * step, p[2] + 0.4 * step];
        let clean = points.iter().map(off).collect();
        doubtful(options, name, (mesh, points), (mesh, clean))?;
    }
    Ok(())
}

/// Times a set of degenerate points beside a set of clean points, in the given and in random order.
fn doubtful(
    options: &Options,
    name: &str,
    (mesh, points): (&TriMesh, Vec<[f64; 3]>),
    (clean_mesh, clean): (&TriMesh, Vec<[f64; 3]>),
) -> Outcome {
    let title = format!(
        "degenerate: {name}, {} triangles, {} points",
        mesh.faces().len(),
        points.len()
    );
    if !options.selects(&title) {
        return Ok(());
    }
    let (mut cells, mut shuffled_cells) = (cells_of(mesh)?, cells_of(mesh)?);
    let (mut clean_cells, mut clean_shuffled_cells) =
        (cells_of(clean_mesh)?, cells_of(clean_mesh)?);
    let mut tree = RayTree::new(InsideSettings::default())?;
    tree.update(mesh)?;
    let (random, clean_random) = (shuffled(&points), shuffled(&clean));
    let [mut sides, mut found, mut others, mut a, mut b] = [const { Vec::new() }; 5];
    let mut contestants = [
        contestant("cells", || {
            let result = cells.classify(&points, &mut sides);
            result.map_or(0, |()| count(&sides))
        }),
        contestant("cells, random order", || {
            let result = shuffled_cells.classify(&random, &mut others);
            result.map_or(0, |()| count(&others))
        }),
        contestant("clean", || {
            let result = clean_cells.classify(&clean, &mut a);
            result.map_or(0, |()| count(&a))
        }),
        contestant("clean, random order", || {
            let result = clean_shuffled_cells.classify(&clean_random, &mut b);
            result.map_or(0, |()| count(&b))
        }),
        contestant("ray over the tree", || {
            let result = tree.classify(&points, &mut found);
            result.map_or(0, |()| count(&found))
        }),
    ];
    println!("\n{title}");
    let standings = standings(TURNS, &mut contestants);
    drop(contestants);
    if sides != found {
        return Err(format!("{title}: exact methods differ").into());
    }
    let each = |n: usize, count: usize| standings[n].best.seconds * 1e9 / count as f64;
    let times = [
        each(0, points.len()),
        each(1, points.len()),
        each(2, clean.len()),
        each(3, clean.len()),
        each(4, points.len()),
    ];
    for (standing, time) in standings.iter().zip(times) {
        println!("  {:<26} {time:>9.1} ns each", standing.name);
    }
    println!(
        "  to clean: {:.2}x, in random order {:.2}x",
        times[0] / times[2],
        times[1] / times[3]
    );
    Ok(())
}

/// Prints the set-up time of our methods and of other libraries, and the memory of `cells`.
fn set_up(options: &Options, mesh: &TriMesh) -> Outcome {
    let n = mesh.faces().len();
    let title = format!("set-up, sphere of {n} triangles");
    if !options.selects(&title) {
        return Ok(());
    }
    let mut cells = Cells::new(InsideSettings::default())?;
    let mut tree = RayTree::new(InsideSettings::default())?;
    let mut contestants = vec![
        contestant("cells", || cells.update(mesh).map_or(0, |()| n)),
        contestant("ray over the tree", || tree.update(mesh).map_or(0, |()| n)),
    ];
    if options.peers {
        contestants.push(contestant("parry, normals", || {
            oriented(mesh).map_or(0, |_| n)
        }));
        contestants.push(contestant("obvhs, f32", || flat_tree(mesh).0.len()));
    }
    race(&title, 3, n, &mut contestants);
    drop(contestants);
    drop(cells);
    let mut kept = None;
    let [most, after] = peak_of(|| kept = cells_of(mesh).ok());
    println!(
        "  cells: {:.0} bytes per triangle, {:.0} during set-up; {}",
        after as f64 / n as f64,
        most as f64 / n as f64,
        kept.map_or(String::new(), |cells| cells.reason()),
    );
    Ok(())
}

/// Prints the time of winding numbers to 1e-3 by fast multipoles, set-up included, and their
/// errors.
fn multipole(options: &Options, mesh: &TriMesh) -> Outcome {
    const ACCURACY: f64 = 1e-3;
    /// One of this many points is compared with the exact winding number, the sum of all solid
    /// angles.
    const SAMPLED: usize = 1000;
    let points = Grid::around(&mesh.bounds(), GRID)?.points();
    let title = format!(
        "multipole to {ACCURACY:e} on one thread, {} points, sphere of {} triangles, \
         milliseconds by the clock (and CPU)",
        points.len(),
        mesh.faces().len()
    );
    if !options.selects(&title) {
        return Ok(());
    }
    println!("\n{title}");
    let settings = InsideSettings {
        accuracy: ACCURACY,
        ..InsideSettings::default()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    // Times of set-up, points, and both; the largest bound and error.
    let timed = pool.install(|| -> tangere::Result<([[f64; 2]; 3], f64, f64)> {
        let mut winding = Vec::new();
        let mut least = [[f64::INFINITY; 2]; 3];
        let mut bound: f64 = 0.0;
        for _ in 0..TURNS {
            let mut test = Multipole::new(settings)?;
            let (clock, cpu) = (Instant::now(), cpu_seconds());
            let elapsed = || [clock.elapsed().as_secs_f64(), cpu_seconds() - cpu];
            test.update(mesh)?;
            let set_up = elapsed();
            test.winding(&points, &mut winding)?;
            let both = elapsed();
            for k in 0..2 {
                let turn = [set_up[k], both[k] - set_up[k], both[k]];
                for (least, turn) in least.iter_mut().zip(turn) {
                    least[k] = least[k].min(turn * 1e3);
                }
            }
            bound = bound.max(test.bound());
        }
        let sample: Vec<[f64; 3]> = points.iter().copied().step_by(SAMPLED).collect();
        let (mut layer, mut exact) = (Layer::new(settings)?, Vec::new());
        layer.update(mesh)?;
        layer.winding(&sample, &mut exact)?;
        let found = winding.iter().step_by(SAMPLED);
        let error = exact
            .iter()
            .zip(found)
            .fold(0.0, |most: f64, (exact, found)| {
                most.max((exact - found).abs() - layer.bound())
            });
        Ok((least, bound, error))
    });
    let ([[up, up_cpu], [query, query_cpu], [both, both_cpu]], bound, error) = timed?;
    println!(
        "  set-up {up:.1} ({up_cpu:.1}), points {query:.1} ({query_cpu:.1}), \
         together {both:.1} ({both_cpu:.1})\n  \
         stated bound {bound:e}, largest error of one in {SAMPLED} points {error:.1e} \
         beyond the rounding of layer"
    );
    if bound > ACCURACY || error > bound {
        return Err(format!("{title}: {error:e} is above {bound:e}").into());
    }
    Ok(())
}

/// Prints the speed-up by a second thread, in wall time and CPU time.
fn threads(options: &Options, mesh: &TriMesh) -> Outcome {
    let title = "one and two threads, milliseconds of wall time (and CPU time of all threads)";
    if !options.selects(title) {
        return Ok(());
    }
    println!("\n{title}");
    let points = Grid::around(&mesh.bounds(), GRID)?.points();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let least = pool.install(|| -> tangere::Result<[[f64; 2]; 2]> {
            let mut cells = cells_of(mesh)?;
            let mut sides = Vec::new();
            let mut least = [[f64::INFINITY; 2]; 2];
            for _ in 0..TURNS {
                for (what, least) in least.iter_mut().enumerate() {
                    let (clock, cpu) = (Instant::now(), cpu_seconds());
                    match what {
                        0 => cells.update(mesh)?,
                        _ => cells.classify(&points, &mut sides)?,
                    }
                    least[0] = least[0].min(clock.elapsed().as_secs_f64() * 1e3);
                    least[1] = least[1].min((cpu_seconds() - cpu) * 1e3);
                }
            }
            Ok(least)
        })?;
        let [[up, up_cpu], [query, query_cpu]] = least;
        println!("  {threads}: set-up {up:.1} ({up_cpu:.1}), points {query:.2} ({query_cpu:.2})");
    }
    Ok(())
}
