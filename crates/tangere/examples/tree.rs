//! Five queries on one bounding volume hierarchy.
//!
//! `cargo run --release --example tree`

use tangere::generate;
use tangere::geometry::triangle::closest_on_triangle;
use tangere::geometry::{Aabb, Pose, SegmentTriangle, segment_triangle};
use tangere::tree::{Ray, Tree};

fn main() -> Result<(), tangere::Error> {
    let mesh = generate::sphere(6)?;
    let tree = Tree::of_mesh(&mesh);
    println!(
        "{} triangles in {} nodes, {} levels",
        tree.len(),
        tree.nodes(),
        tree.height()
    );

    // Triangles in a box: the BVH returns candidates, the caller decides.
    let query = Aabb {
        min: [0.5; 3],
        max: [0.6; 3],
    };
    let mut in_box = 0;
    tree.overlapping(&query, |face| {
        in_box += usize::from(Aabb::of_points(mesh.triangle(face as usize)).overlaps(&query));
    });

    // Ray cast: how often does a segment cross the surface?
    let (from, to) = ([0.1, 0.2, 0.3], [3.0, 0.25, 0.35]);
    let ray = Ray {
        origin: from,
        direction: std::array::from_fn(|k| to[k] - from[k]),
        t_max: 1.0,
    };
    let mut crossings = 0;
    tree.along_ray(&ray, |face, _| {
        let contact = segment_triangle([from, to], mesh.triangle(face as usize));
        crossings += usize::from(matches!(contact, SegmentTriangle::Crosses { .. }));
    });

    // Distance of a point.
    let point = [2.0, 0.0, 0.0];
    let mut square = f64::INFINITY;
    tree.approaching(point, square, |face, bound| {
        let closest = closest_on_triangle(point, mesh.triangle(face as usize));
        square = square.min(closest.distance_squared);
        *bound = square;
    });

    // Pairs of triangles with overlapping boxes, within the mesh and against a moved copy.
    let mut neighbours = 0;
    tree.self_pairs(|_, _| neighbours += 1);
    let pose: Pose = "1.9,0,0".parse()?;
    let mut near_copy = 0;
    tree.overlapping_pairs(&tree, &pose, |_, _| near_copy += 1);

    println!(
        "{in_box} triangles in the box, {crossings} crossing, distance {}",
        square.sqrt()
    );
    println!("{neighbours} pairs of boxes meet, {near_copy} with the copy's");
    assert_eq!((crossings, square.sqrt()), (1, 1.0));
    Ok(())
}
