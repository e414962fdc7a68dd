//! The tree beside those of parry, bvh and obvhs: building and the traversals.

use crate::timing::{contestant, race};
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::math::Vector as ParryVector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use tangere::generate;
use tangere::geometry::Aabb;
use tangere::shape::TriMesh;
use tangere::tree::Tree;

fn parry_box(b: &Aabb<3>) -> ParryAabb {
    ParryAabb::new(b.min.into(), b.max.into())
}

fn face_boxes(mesh: &TriMesh) -> Vec<Aabb<3>> {
    (0..mesh.faces().len())
        .map(|f| Aabb::of_points(mesh.triangle(f)))
        .collect()
}

pub fn run(quick: bool) -> tangere::Result<()> {
    let mesh = generate::knot(if quick { 100_000 } else { 1_400_000 })?;
    let boxes = face_boxes(&mesh);
    let n = boxes.len();
    let parry_boxes: Vec<ParryAabb> = boxes.iter().map(parry_box).collect();
    race(
        &format!("build, {n} triangles"),
        5,
        n,
        &mut [
            contestant("tangere", || Tree::of_mesh(&mesh).len()),
            contestant("parry binned", || {
                let items = parry_boxes.iter().copied().enumerate();
                Bvh::from_iter(BvhBuildStrategy::Binned, items).leaf_count() as usize
            }),
        ],
    );
    let tree = Tree::of_mesh(&mesh);
    println!(
        "{} nodes, {} items a node",
        tree.nodes(),
        n as f64 / tree.nodes() as f64
    );
    let parry = Bvh::from_iter(
        BvhBuildStrategy::Binned,
        parry_boxes.iter().copied().enumerate(),
    );
    let queries: Vec<Aabb<3>> = boxes.iter().step_by(16).copied().collect();
    race(
        "boxes that meet a box",
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
    let _ = ParryVector::ZERO;
    Ok(())
}
