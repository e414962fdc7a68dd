//! Overlaps as VTK drawings: overlapping spheres, and the path of a moving body.

use super::Bodies;
use tangere::geometry::Pose;
use tangere::overlap::{Overlap, OverlapQuery, lens};
use tangere::shape::Packing;
use tangere_front::answer::Table;
use tangere_io::vtk::{Cells, Field, PolyData};

/// Values of the cell field `what`: an overlapping sphere, or the line of a pair of spheres.
const SPHERE: u8 = 0;
const PAIR: u8 = 1;

/// Draws the overlapping spheres in world coordinates, and a line for each pair. The field `volume`
/// of a sphere is the sum of the volumes that it shares with the spheres of the other body.
pub fn pose(bodies: &Bodies, query: &mut OverlapQuery) -> PolyData {
    let mut pairs = Vec::new();
    let poses = [bodies.pose_a, bodies.poses_b[0]];
    query.pairs(&bodies.a, &poses[0], &bodies.b, &poses[1], &mut pairs);
    let packings = [&bodies.a, &bodies.b];
    // The numbers of the overlapping spheres of each body.
    let parts: [Vec<u32>; 2] = std::array::from_fn(|k| {
        let mut part: Vec<u32> = pairs.iter().map(|pair| pair[k]).collect();
        part.sort_unstable();
        part.dedup();
        part
    });
    let placed = |k: usize| {
        let (packing, pose): (&Packing, Pose) = (packings[k], poses[k]);
        parts[k]
            .iter()
            .map(move |&i| pose.apply(packing.centers()[i as usize]))
    };
    let points: Vec<[f64; 3]> = placed(0).chain(placed(1)).collect();
    let of_parts = |value: &dyn Fn(usize, u32) -> f64| -> Vec<f64> {
        let of = |k: usize| parts[k].iter().map(move |&i| value(k, i));
        of(0).chain(of(1)).collect()
    };
    let radii = of_parts(&|k, i| packings[k].radii()[i as usize]);
    let indices: Vec<u32> = parts.concat();
    let is_b = |i: usize| u8::from(i >= parts[0].len());
    let body: Vec<u8> = (0..points.len()).map(is_b).collect();

    let mut volumes = vec![0.0; points.len()];
    let mut lines: Vec<[u32; 2]> = Vec::with_capacity(pairs.len());
    let mut lenses: Vec<f64> = Vec::with_capacity(pairs.len());
    for &[i, j] in &pairs {
        let p = parts[0].partition_point(|&other| other < i);
        let q = parts[0].len() + parts[1].partition_point(|&other| other < j);
        let apart = (0..3).map(|k| (points[p][k] - points[q][k]).powi(2));
        let volume = lens(apart.sum::<f64>().sqrt(), [radii[p], radii[q]]).volume;
        volumes[p] += volume;
        volumes[q] += volume;
        lines.push([p as u32, q as u32]);
        lenses.push(volume);
    }
    let whats = [vec![SPHERE; points.len()], vec![PAIR; lines.len()]].concat();
    let of_cells = [&volumes[..], &lenses[..]].concat();
    let mut data = PolyData::from_points(points);
    data.lines = Cells::uniform(&lines);
    data.with_point_data(Field::scalar("radius", radii))
        .with_point_data(Field::scalar("volume", volumes))
        .with_point_data(Field::scalar("body", body))
        .with_point_data(Field::scalar("index", indices))
        .with_cell_data(Field::scalar("volume", of_cells))
        .with_cell_data(Field::scalar("what", whats))
}

/// Draws the path of the origin of B's frame, with the columns of the answer at each point.
pub fn path(bodies: &Bodies, table: &Table<Overlap>) -> PolyData {
    let way = bodies.poses_b.iter().map(Pose::translation).collect();
    let mut data = PolyData::from_points(way);
    let count = data.points.len();
    if count > 1 {
        data.lines = Cells {
            indices: (0..count as u32).collect(),
            ends: vec![count],
        };
    }
    data.point_data = table.fields();
    data
}
