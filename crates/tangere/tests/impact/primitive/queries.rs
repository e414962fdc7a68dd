//! Test queries of primitives: random pairs, and many that are degenerate on purpose.

use super::oracle::Pair;
use test_support::Random;

pub type Points<const K: usize> = [[f64; 3]; K];

/// Random corners in the unit cube, at the start and at the end of the step.
pub fn random<const K: usize>(numbers: &mut Random) -> (Points<K>, Points<K>) {
    (
        [(); K].map(|()| numbers.point()),
        [(); K].map(|()| numbers.point()),
    )
}

/// A pair made by one of several random methods.
pub fn pair<const K: usize>(way: u64, numbers: &mut Random) -> (Points<K>, Points<K>) {
    match way % 11 {
        0 => random(numbers),
        // Small lattices: planes, lines, points in common, no area, no motion.
        1..=3 => lattice(numbers, [3, 5, 9][way as usize % 11 - 1]),
        // The same scaled, and moved.
        4 => {
            let (start, end) = lattice::<K>(numbers, 5);
            let scale = [0.1, 1e-60, 1e60, 1.0 / 3.0][numbers.below(4)];
            let shift = [0.0, 1e9, -3.7, 0.1][numbers.below(4)];
            let moved = |p: Points<K>| p.map(|p| p.map(|x| (x + shift) * scale));
            (moved(start), moved(end))
        }
        // In one plane.
        5 => {
            let (mut start, mut end) = lattice::<K>(numbers, 7);
            let k = numbers.below(3);
            let slope = numbers.below(2) as f64;
            for p in start.iter_mut().chain(&mut end) {
                p[k] = slope * p[(k + 1) % 3];
            }
            (start, end)
        }
        // Random, with few corners that move.
        6 => {
            let (start, mut end) = random::<K>(numbers);
            for i in 0..K {
                if numbers.below(2) == 0 {
                    end[i] = start[i];
                }
            }
            (start, end)
        }
        // Corners that meet at half time, in a lattice or next to it.
        7 => {
            let (mut start, mut end) = lattice::<K>(numbers, 5);
            let middle = lattice::<K>(numbers, 4).0;
            for i in 0..K {
                end[i] = [0, 1, 2].map(|k| 2.0 * middle[i][k] - start[i][k]);
            }
            nudge(numbers, &mut start);
            nudge(numbers, &mut end);
            (start, end)
        }
        // A face or an edge at rest, the other goes along it or through it.
        8 => {
            let (mut start, mut end) = lattice::<K>(numbers, 5);
            end[K / 2..].copy_from_slice(&start[K / 2..]);
            if numbers.below(2) == 0 {
                nudge(numbers, &mut start);
                nudge(numbers, &mut end);
            }
            (start, end)
        }
        // A corner that meets a point of the line of two others, up to rounding.
        9 => {
            let (start, mut end) = random::<K>(numbers);
            let (i, j, k) = if K == 4 { (0, 2, 3) } else { (K - 1, 0, K / 2) };
            let t = 0.125 + 0.75 * numbers.unit();
            let s = [0.0, 0.5, 1.0, 1e-15, numbers.unit()][numbers.below(5)];
            for axis in 0..3 {
                let at = |c: usize| (1.0 - t) * start[c][axis] + t * end[c][axis];
                let target = (1.0 - s) * at(j) + s * at(k);
                end[i][axis] = (target - (1.0 - t) * start[i][axis]) / t;
            }
            (start, end)
        }
        // Far from the origin, near each other.
        _ => {
            let shift = [1e9, 1e5, 1.0][numbers.below(3)];
            let (start, end) = random::<K>(numbers);
            let moved = |p: Points<K>| p.map(|p| p.map(|x| x * 1e-6 + shift));
            (moved(start), moved(end))
        }
    }
}

fn lattice<const K: usize>(numbers: &mut Random, size: usize) -> (Points<K>, Points<K>) {
    let half = (size / 2) as f64;
    let mut points = || [(); K].map(|()| numbers.lattice(size).map(|x| x - half));
    (points(), points())
}

/// Moves some coordinates to an adjacent float.
fn nudge<const K: usize>(numbers: &mut Random, points: &mut Points<K>) {
    for x in points.as_flattened_mut() {
        match numbers.below(24) {
            0 => *x = x.next_up(),
            1 => *x = x.next_down(),
            2 => *x += 1e-9,
            _ => {}
        }
    }
    // Neighbours of 0 are too far from the other magnitudes to be of interest here.
    for x in points.as_flattened_mut() {
        if x.abs() < 1e-100 {
            *x = if *x == 0.0 {
                0.0
            } else {
                1e-18_f64.copysign(*x)
            };
        }
    }
}

/// Queries with known results from a folder beside the project: pair, corners at the start and the
/// end, and whether they touch.
pub fn shared() -> Option<Vec<(Pair, Points<4>, Points<4>, bool)>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/ccd");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "csv"));
    files.sort();
    let mut queries = Vec::new();
    for path in files {
        let name = path.file_name()?.to_str()?.to_owned();
        let pair = if name.contains("edge-edge") {
            Pair::EdgeEdge
        } else {
            Pair::VertexFace
        };
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let rows: Vec<([f64; 3], bool)> = text
            .lines()
            .map(|line| {
                let fields: Vec<&str> = line.split(',').collect();
                let number = |i: usize| {
                    fields[i].parse::<f64>().expect("a number")
                        / fields[i + 1].parse::<f64>().expect("a number")
                };
                ([number(0), number(2), number(4)], fields[6] == "1")
            })
            .collect();
        for rows in rows.chunks_exact(8) {
            let points = |from: usize| [0, 1, 2, 3].map(|i| rows[from + i].0);
            queries.push((pair, points(0), points(4), rows[0].1));
        }
    }
    (!queries.is_empty()).then_some(queries)
}
