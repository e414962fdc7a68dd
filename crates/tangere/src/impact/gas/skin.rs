//! Skin of the neighbour lists: how far a sphere may move before its neighbours are searched again.
//!
//! Each sphere has a larger bounding sphere that stays fixed until the sphere leaves it. A large
//! bounding sphere has many neighbours, a small one is left often; the best radius is about 0.4 of
//! the distance to nearby spheres. This distance is estimated for each sphere separately, so dense
//! clusters in a large space cost no more than others. It is the median of the distances to the
//! next spheres in Morton order, which are mostly near in space.
//!
//! O(n log n) for `n` spheres.

use crate::geometry::morton::spaced;

/// Radius of a bounding sphere, as a fraction of the median distance of the sphere to its
/// neighbours in Morton order; tuned at packing fractions of 1% to 50%.
const BALL: f64 = 0.42;
/// Smallest skin of a sphere, as a fraction of the lesser of two lengths: its radius, and the
/// median over all spheres of the distance to neighbours. For a sphere of radius 0, as a fraction
/// of that median.
const LEAST: f64 = 0.2;
/// If the distance of a sphere to its neighbours differs by less than this factor from the median
/// over all spheres, the median is used for its skin instead.
const ALIKE: f64 = 3.0;
/// Number of spheres before a sphere in Morton order, and as many after it, that count as its
/// neighbours.
const WINDOW: usize = 4;

/// Computes the skin of each sphere of a gas, from the distance to its neighbours.
pub(super) fn skins(
    centers: &[[f64; 3]],
    radii: &[f64],
    shortest_period: f64,
    skins: &mut Vec<f64>,
) {
    skins.clear();
    distances(centers, skins);
    let mut sorted = skins.clone();
    let middle = sorted.len() / 2;
    let median = match sorted.is_empty() {
        true => 0.0,
        false => *sorted.select_nth_unstable_by(middle, f64::total_cmp).1,
    };
    // At least 1e-9 of the largest coordinate, so that rounding does not matter.
    let largest = centers
        .as_flattened()
        .iter()
        .fold(0.0, |m: f64, x| m.max(x.abs()));
    let largest = radii.iter().fold(largest, |m: f64, &r| m.max(r));
    let smallest = (1e-9 * largest).max(f64::MIN_POSITIVE);
    for (skin, &radius) in skins.iter_mut().zip(radii) {
        let distance = match (median / ALIKE..=median * ALIKE).contains(skin) {
            true => median,
            false => *skin,
        };
        let least = LEAST
            * if radius > 0.0 {
                radius.min(median)
            } else {
                median
            };
        // At most half a period, so that few images are neighbours.
        let most = 0.5 * shortest_period - radius;
        *skin = (BALL * distance - radius)
            .min(most)
            .max(least)
            .max(smallest);
    }
}

/// For each centre, the median of its distances to its neighbours in Morton order, from which the
/// skin of a sphere of the gas follows.
fn distances(points: &[[f64; 3]], out: &mut Vec<f64>) {
    let count = points.len();
    out.resize(count, f64::INFINITY);
    if count < 2 {
        return;
    }
    let mut order: Vec<(u128, u32)> = (0u32..).zip(points).map(|(i, _)| (0, i)).collect();
    let (mut lower, mut extent) = (points[0], 0.0f64);
    for k in 0..3 {
        let along = points.iter().map(|p| p[k]);
        lower[k] = along.clone().fold(f64::INFINITY, f64::min);
        extent = extent.max(along.fold(f64::NEG_INFINITY, f64::max) - lower[k]);
    }
    let unit = CELLS / extent.max(f64::MIN_POSITIVE);
    for (key, i) in &mut order {
        let p = points[*i as usize];
        *key = morton([0, 1, 2].map(|k| ((p[k] - lower[k]) * unit) as u64));
    }
    order.sort_unstable();
    let mut near = [0.0; 2 * WINDOW];
    for (rank, &(_, i)) in order.iter().enumerate() {
        let from = rank.saturating_sub(WINDOW);
        let to = (rank + WINDOW).min(count - 1);
        let mut found = 0;
        for &(_, j) in order[from..=to].iter().filter(|other| other.1 != i) {
            let (p, q) = (points[i as usize], points[j as usize]);
            let square: f64 = (0..3).map(|k| (q[k] - p[k]) * (q[k] - p[k])).sum();
            near[found] = square;
            found += 1;
        }
        let near = &mut near[..found];
        let middle = (found - 1) / 2;
        let square = *near.select_nth_unstable_by(middle, f64::total_cmp).1;
        out[i as usize] = square.sqrt();
    }
}

/// Number of cells along each axis of the grid whose cells have Morton codes: just below 2^42.
const CELLS: f64 = (1u64 << 42) as f64 * (1.0 - 1e-15);

/// The Morton code that orders spheres to estimate their skins: the interleaved bits of three cell
/// indices of 42 bits.
fn morton(cell: [u64; 3]) -> u128 {
    let half = |shift: u32| {
        let [x, y, z] = cell.map(|x| spaced((x >> shift) & 0x1f_ffff));
        u128::from(x << 2 | y << 1 | z)
    };
    half(21) << 63 | half(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn morton_codes_interleave_bits() {
        assert_eq!(morton([1, 0, 0]), 4);
        assert_eq!(morton([0, 3, 0]), 0b010_010);
        assert_eq!(morton([0, 0, 1 << 41]), 1 << 123);
        let all = (1 << 42) - 1;
        assert_eq!(morton([all; 3]), (1 << 126) - 1);
    }

    #[test]
    fn skins_follow_the_distances_around() {
        // A dense lattice, a wide one far away, and a stray sphere.
        let lattice = |step: f64, at: f64| {
            (0..1000).map(move |i| [i % 10, i / 10 % 10, i / 100].map(|n| at + step * n as f64))
        };
        let mut centers: Vec<[f64; 3]> = lattice(1.0, 0.0).chain(lattice(64.0, 1e6)).collect();
        centers.push([-1e9, 0.0, 0.0]);
        let radii = vec![0.1; centers.len()];
        let mut found = Vec::new();
        skins(&centers, &radii, f64::INFINITY, &mut found);
        assert!(found[..1000].iter().all(|s| (0.3..3.0).contains(s)));
        assert!(found[1000..2000].iter().all(|s| (20.0..200.0).contains(s)));
        assert!(found[2000] > 1e4);
        skins(&centers, &radii, 1.0, &mut found);
        assert!(found.iter().all(|&s| s <= 1.0));
        skins(&centers[..1], &radii[..1], f64::INFINITY, &mut found);
        assert_eq!(found, [f64::INFINITY]);
        skins(&[], &[], f64::INFINITY, &mut found);
        assert!(found.is_empty());
        // All points coincide.
        skins(&[[5.0; 3]; 20], &[0.0; 20], f64::INFINITY, &mut found);
        assert!(found.iter().all(|&s| s > 0.0 && s < 1e-6));
    }
}
