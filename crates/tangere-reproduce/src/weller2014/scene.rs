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

/// The polyhedron of figure 1, which is not among the paper's test scenes.
pub const CHAZELLE: &str = "Chazelle's polyhedron";

/// The names of the two knots, which differ in the number of triangles alone.
pub const KNOTS: [&str; 2] = ["knot", "fine knot"];

/// The number of triangles of the paper's largest scene.
const MILLIONS: usize = 1_400_000;

/// The directions of the limbs of a body, and how much longer than the trunk they are.
const LIMBS: [([f64; 3], f64); 6] = [
    ([0.45, 0.35, -0.82], 0.9),
    ([0.45, -0.35, -0.82], 0.9),
    ([-0.45, 0.35, -0.82], 0.9),
    ([-0.45, -0.35, -0.82], 0.9),
    ([0.92, 0.0, 0.39], 1.2),
    ([-0.97, 0.0, 0.24], 0.8),
];

/// Returns a smooth closed body with four legs, a head and a tail, as the animals of the paper have:
/// a sphere whose vertices are moved outward along the limbs.
fn animal(level: u32) -> tangere::Result<TriMesh> {
    let (vertices, faces) = generate::sphere(level)?.into_parts();
    let place = |p: [f64; 3]| {
        let limb = |(d, length): &([f64; 3], f64)| {
            let along: f64 = (0..3).map(|k| d[k] * p[k]).sum();
            let size: f64 = d.iter().map(|x| x * x).sum::<f64>().sqrt();
            length * (40.0 * (along / size - 1.0)).exp()
        };
        let reach = 0.6 + LIMBS.iter().map(limb).sum::<f64>();
        p.map(|x| reach * x)
    };
    TriMesh::new(vertices.into_iter().map(place).collect(), faces)
}

/// Returns the test bodies: a knot from few and from `many` triangles; a body with limbs; a sponge; and
/// the polyhedron of figure 1. No sphere fills any of them.
fn bodies(many: usize, level: u32) -> tangere::Result<[(&'static str, TriMesh); 5]> {
    Ok([
        (KNOTS[0], generate::knot(20_000)?),
        (KNOTS[1], generate::knot(many)?),
        ("animal", animal(level)?),
        ("sponge", generate::sponge(2)?),
        (CHAZELLE, generate::chazelle(10)?),
    ])
}

/// Returns the test bodies, each packed with the given numbers of spheres. The finer knot has as many
/// triangles as the paper's largest scene.
pub fn scenes(counts: &[usize], effort: &Effort) -> tangere::Result<Vec<Scene>> {
    let (many, level) = match effort.is_least() {
        true => (40_000, 3),
        false => (MILLIONS, 6),
    };
    let mut scenes = Vec::new();
    for (name, mesh) in bodies(many, level)? {
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

/// Returns the share of the volume of a body that the largest sphere of its packing fills.
pub fn largest_share(packing: &Packing) -> f64 {
    let cubes = packing.radii().iter().map(|r| r.powi(3));
    let largest = cubes.clone().fold(0.0, f64::max);
    packing.filling() * largest / cubes.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_closed_and_no_sphere_fills_any() {
        for (name, mesh) in bodies(40_000, 4).unwrap() {
            assert!(mesh.closure().closed, "{name}");
            let largest = pack_mesh(&mesh, &PackSettings::spheres(1)).unwrap();
            assert_eq!(largest.len(), 1);
            assert!(largest.filling() < 0.7, "{name}: {}", largest.filling());
            // The largest sphere of a packing is that of a packing of one.
            let many = pack_mesh(&mesh, &PackSettings::spheres(200)).unwrap();
            let share = largest_share(&many) / largest.filling();
            assert!((share - 1.0).abs() < 0.05, "{name}: {share}");
        }
    }
}
