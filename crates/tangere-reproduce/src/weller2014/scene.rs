//! Packed bodies for `weller2014`, and the poses of a copy of a body that rotates beside it.

use crate::Effort;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::shape::{Packing, TriMesh};

/// A body with packings of increasing numbers of spheres.
pub struct Scene {
    pub name: &'static str,
    pub triangles: usize,
    pub packings: Vec<Packing>,
}

/// The names of the two knots, which differ in the number of triangles alone.
pub const KNOTS: [&str; 2] = ["knot", "fine knot"];

/// Returns the test bodies (two knots, a sponge and a convex polyhedron around an
/// ellipsoid), each packed with the
/// given numbers of spheres. The finer knot has as many triangles as the paper's largest scene, or
/// fewer in a quick run. None of them is filled by one sphere.
pub fn scenes(counts: &[usize], effort: &Effort) -> tangere::Result<Vec<Scene>> {
    let many = match effort.is_quick() {
        true if effort.is_least() => 40_000,
        true => 200_000,
        false => 1_400_000,
    };
    let bodies: [(&str, TriMesh); 4] = [
        (KNOTS[0], generate::knot(20_000)?),
        (KNOTS[1], generate::knot(many)?),
        ("sponge", generate::sponge(2)?),
        ("ellipsoid", generate::hull(10_000, 1)?),
    ];
    let mut scenes = Vec::new();
    for (name, mesh) in bodies {
        let packings = counts
            .iter()
            .map(|&count| pack_mesh(&mesh, &PackSettings::spheres(count)))
            .collect::<tangere::Result<Vec<Packing>>>()?;
        scenes.push(Scene {
            name,
            triangles: mesh.faces().len(),
            packings,
        });
    }
    Ok(scenes)
}

/// Returns poses of a copy of a body that rotates beside it, as in weller2014: shifted by half of
/// the bounding box along its longest side, and rotated by a full turn about a diagonal through the
/// centre of the body.
pub fn rotating_copy(packing: &Packing, count: usize) -> tangere::Result<Vec<Pose>> {
    let bounds = packing.bounds();
    let extent: [f64; 3] = std::array::from_fn(|k| bounds.max[k] - bounds.min[k]);
    let middle = bounds.center();
    let longest = (0..3).fold(0, |m, k| if extent[k] > extent[m] { k } else { m });
    (0..count)
        .map(|i| {
            let angle = std::f64::consts::TAU * i as f64 / count as f64;
            let (sin, cos) = (0.5 * angle).sin_cos();
            let along = sin / 3f64.sqrt();
            let turn = Pose::from_numbers(&[0.0, 0.0, 0.0, cos, along, along, along])?;
            let turned = turn.rotate(middle);
            let mut t: [f64; 3] = std::array::from_fn(|k| middle[k] - turned[k]);
            t[longest] += 0.5 * extent[longest];
            Pose::new(turn.rotation(), t)
        })
        .collect()
}
