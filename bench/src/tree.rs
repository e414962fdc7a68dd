//! Benchmark of the bounding volume hierarchy against parry and obvhs: build, refit, traversal.
//!
//! The code that tests the primitives at the leaves is the same for all libraries.

use crate::timing::{contestant, race};
use obvhs::{BvhBuildParams, aabb::Aabb as ObvhsAabb, bvh2::builder::build_bvh2};
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::math::{Pose as ParryPose, Vector};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d_f64::query::{PointQuery, Ray as ParryRay};
use std::time::Duration;
use tangere::generate;
use tangere::geometry::triangle::closest_on_triangle;
use tangere::geometry::{Aabb, Pose};
use tangere::shape::TriMesh;
use tangere::tree::{Ray, Tree};

fn parry_box(b: &Aabb<3>) -> ParryAabb {
    ParryAabb::new(b.min.into(), b.max.into())
}

fn parry_tree(boxes: &[ParryAabb], strategy: BvhBuildStrategy) -> Bvh {
    Bvh::from_iter(strategy, boxes.iter().copied().enumerate())
}

fn face_boxes(mesh: &TriMesh) -> Vec<Aabb<3>> {
    (0..mesh.faces().len())
        .map(|f| Aabb::of_points(mesh.triangle(f)))
        .collect()
}

/// Returns the ray parameter of the intersection with a triangle (Möller and Trumbore 1997); none
/// if the ray misses it.
fn ray_triangle(origin: [f64; 3], direction: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> Option<f64> {
    let [o, d, a, b, c] = [origin, direction, a, b, c].map(Vector::from);
    let (ab, ac) = (b - a, c - a);
    let p = d.cross(ac);
    let determinant = ab.dot(p);
    let s = o - a;
    let u = s.dot(p) / determinant;
    let q = s.cross(ab);
    let v = d.dot(q) / determinant;
    let t = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
}

/// Returns point `i` of a low-discrepancy sequence in the unit cube (Roberts' additive recurrence).
fn spread(i: usize) -> [f64; 3] {
    [0.819_172_513_4, 0.671_043_606_7, 0.549_700_477_9].map(|g| (0.5 + g * i as f64).fract())
}

pub fn run(quick: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mesh = generate::knot(if quick { 100_000 } else { 1_400_000 })?;
    let boxes = face_boxes(&mesh);
    let n = boxes.len();
    let parry_boxes: Vec<ParryAabb> = boxes.iter().map(parry_box).collect();
    let obvhs_boxes: Vec<ObvhsAabb> = boxes
        .iter()
        .map(|b| {
            ObvhsAabb::new(
                b.min.map(|x| x as f32).into(),
                b.max.map(|x| x as f32).into(),
            )
        })
        .collect();
    race(
        &format!("build, {n} triangles of a knot"),
        5,
        n,
        &mut [
            contestant("tangere", || Tree::of_mesh(&mesh).len()),
            contestant("parry, binned", || {
                parry_tree(&parry_boxes, BvhBuildStrategy::Binned).leaf_count() as usize
            }),
            contestant("parry, ploc", || {
                parry_tree(&parry_boxes, BvhBuildStrategy::Ploc).leaf_count() as usize
            }),
            contestant("obvhs, fast, f32", || {
                let mut time = Duration::ZERO;
                build_bvh2(&obvhs_boxes, BvhBuildParams::fast_build(), &mut time);
                n
            }),
            contestant("obvhs, medium, f32", || {
                let mut time = Duration::ZERO;
                build_bvh2(&obvhs_boxes, BvhBuildParams::medium_build(), &mut time);
                n
            }),
        ],
    );

    let tree = Tree::of_mesh(&mesh);
    let parry = parry_tree(&parry_boxes, BvhBuildStrategy::Binned);
    println!(
        "  tangere: {} nodes in {} levels, {:.1} bytes per item, cost {:.1}",
        tree.nodes(),
        tree.height(),
        tree.bytes() as f64 / n as f64,
        tree.cost()
    );
    println!(
        "  parry: {:.1} bytes per item",
        parry.total_memory_size() as f64 / n as f64
    );

    let queries: Vec<Aabb<3>> = boxes.iter().step_by(16).copied().collect();
    race(
        "items that meet a box, the boxes of every 16th triangle",
        5,
        queries.len(),
        &mut [
            contestant("tangere", || {
                let mut count = 0;
                for q in &queries {
                    tree.overlapping(q, |i| count += usize::from(boxes[i as usize].overlaps(q)));
                }
                count
            }),
            contestant("parry", || {
                let mut count = 0;
                for q in &queries {
                    let query = parry_box(q);
                    let found = parry.intersect_aabb(&query);
                    count += found.filter(|&i| boxes[i as usize].overlaps(q)).count();
                }
                count
            }),
        ],
    );

    let bounds = mesh.bounds();
    let place = |i: usize| -> [f64; 3] {
        let u = spread(i);
        std::array::from_fn(|k| bounds.min[k] + u[k] * bounds.extent()[k])
    };
    let rays: Vec<([f64; 3], [f64; 3])> = (0..50_000)
        .map(|i| (place(2 * i), spread(2 * i + 1).map(|x| x - 0.5)))
        .collect();
    race(
        "first hit of a ray from a random place",
        5,
        rays.len(),
        &mut [
            contestant("tangere", || {
                let mut hits = 0;
                for &(origin, direction) in &rays {
                    let ray = Ray {
                        origin,
                        direction,
                        t_max: f64::INFINITY,
                    };
                    let mut hit = false;
                    tree.along_ray(&ray, |i, t_max| {
                        let t = ray_triangle(origin, direction, mesh.triangle(i as usize));
                        if let Some(t) = t.filter(|t| t <= t_max) {
                            *t_max = t;
                            hit = true;
                        }
                    });
                    hits += usize::from(hit);
                }
                hits
            }),
            contestant("parry", || {
                let hit = |&(origin, direction): &([f64; 3], [f64; 3])| {
                    let ray = ParryRay::new(origin.into(), direction.into());
                    parry
                        .cast_ray(&ray, f64::MAX, |i, best| {
                            ray_triangle(origin, direction, mesh.triangle(i as usize))
                                .filter(|t| *t <= best)
                        })
                        .is_some()
                };
                rays.iter().filter(|ray| hit(ray)).count()
            }),
        ],
    );

    let points: Vec<[f64; 3]> = (0..50_000).map(place).collect();
    race(
        "nearest triangle of a random point",
        5,
        points.len(),
        &mut [
            contestant("tangere", || {
                let mut sum = 0.0;
                for &p in &points {
                    let mut least = f64::INFINITY;
                    tree.approaching(p, least, |i, bound| {
                        let closest = closest_on_triangle(p, mesh.triangle(i as usize));
                        least = least.min(closest.distance_squared);
                        *bound = least;
                    });
                    sum += least.sqrt();
                }
                (sum * 1e3) as usize
            }),
            contestant("parry", || {
                let distance = |&p: &[f64; 3]| {
                    let best = parry.find_best(
                        f64::MAX,
                        |node, _| node.aabb().distance_to_local_point(p.into(), true),
                        |i, _| {
                            let t = closest_on_triangle(p, mesh.triangle(i as usize));
                            Some((t.distance_squared.sqrt(), ()))
                        },
                    );
                    best.map_or(0.0, |(_, (distance, ()))| distance)
                };
                (points.iter().map(distance).sum::<f64>() * 1e3) as usize
            }),
        ],
    );

    let mut workspace = BvhWorkspace::default();
    race(
        "pairs of items that meet",
        5,
        n,
        &mut [
            contestant("tangere", || {
                let mut count = 0;
                tree.self_pairs(|a, b| {
                    count += usize::from(boxes[a as usize].overlaps(&boxes[b as usize]));
                });
                count
            }),
            contestant("parry", || {
                let mut count = 0;
                parry.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
                    count += usize::from(boxes[a as usize].overlaps(&boxes[b as usize]));
                });
                count
            }),
        ],
    );

    let pose: Pose = "0.02,0.01,0.03,0.5,0.5,0.5,0.5".parse()?;
    let corners = |b: &Aabb<3>| b.transformed(&pose);
    let parry_pose = ParryPose::from_parts(
        Vector::from(pose.translation()),
        parry3d_f64::math::Rotation::from_xyzw(0.5, 0.5, 0.5, 0.5),
    );
    race(
        "items that meet those of a turned copy",
        5,
        n,
        &mut [
            contestant("tangere", || {
                let mut count = 0;
                tree.overlapping_pairs(&tree, &pose, |a, b| {
                    let moved = corners(&boxes[b as usize]);
                    count += usize::from(boxes[a as usize].overlaps(&moved));
                });
                count
            }),
            contestant("parry", || {
                let meet = parry.leaf_pairs(&parry, |a, b| {
                    a.aabb()
                        .aligned_intersections(&parry_pose, &b.aabb())
                        .is_some()
                });
                let moved = |b: u32| corners(&boxes[b as usize]);
                meet.filter(|&(a, b)| boxes[a as usize].overlaps(&moved(b)))
                    .count()
            }),
        ],
    );

    let mut moving = tree.clone();
    let mut parry_moving = parry.clone();
    race(
        "refit",
        5,
        n,
        &mut [
            contestant("tangere", || {
                moving.refit(&boxes).expect("the same boxes as before");
                n
            }),
            contestant("parry", || {
                for (i, b) in parry_boxes.iter().enumerate() {
                    parry_moving.insert_or_update_partially(*b, i as u32, 0.0);
                }
                parry_moving.refit(&mut workspace);
                n
            }),
        ],
    );
    Ok(())
}
