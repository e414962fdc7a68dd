//! Test which lattice cells of one body may reach the other body, so that their unfilled volume
//! (what the spheres of a packing do not fill) is added to the upper bound of the penetration
//! volume. It uses the distance of cells from the other body, interpolated from distances that are
//! stored at the corners of that body's cells.

use super::cell_blocks::{Eight, LEVELS, Other, Share, radius};
use super::distance_spans::AROUND;
use super::lattice::Lattice;
use super::{HALF_DIAGONAL, Reach, UnfilledVolume};
use crate::geometry::Aabb;
use crate::simd::{LANES, RealKernel, Reals, load_all, run_reals, splat_all};

/// A linear transform of points: rotation, scaling and translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    pub(super) matrix: [[f64; 3]; 3],
    pub(super) offset: [f64; 3],
}

impl Transform {
    /// Returns a point moved to the frame of the other body, whose distance is tested.
    fn moved(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| {
            let [p, q, r] = self.matrix[i];
            p * x + q * y + r * z + self.offset[i]
        })
    }
}

/// The test of unfilled cells against another body, by the distances stored at the corners of that
/// body's cells.
pub(super) struct BodyDistance<'a> {
    unfilled: &'a UnfilledVolume,
    /// The transform from the frame of the unfilled cells to that of the other body's lattice, with
    /// the side of a cell of that lattice as the unit.
    transform: Transform,
    /// For each level of blocks of unfilled cells, the distance from the middle of a block to the
    /// middle of its farthest cell, in units of the side of a cell of the other body's lattice.
    radii: [f64; LEVELS],
}

impl<'a> BodyDistance<'a> {
    /// Returns the test of unfilled cells by their distance from the other body, whose distances
    /// are in `unfilled`. `side` is the side of the cells, and `transform` moves them to the frame
    /// of the other body.
    pub(super) fn new(unfilled: &'a UnfilledVolume, transform: &Transform, side: f64) -> Self {
        let Lattice {
            origin, side: unit, ..
        } = unfilled.lattice;
        Self {
            unfilled,
            transform: Transform {
                matrix: transform.matrix.map(|row| row.map(|x| x / unit)),
                offset: std::array::from_fn(|k| (transform.offset[k] - origin[k]) / unit),
            },
            // The factor is a margin for rounding.
            radii: std::array::from_fn(|level| radius(level) * side / unit * (1.0 + 1e-9)),
        }
    }

    /// Returns `reach`, two distances from the other body between which the added fraction of a
    /// cell's volume falls from 1 to 0, converted to units of the side of a cell of the other
    /// body's lattice.
    fn reach(&self, reach: Reach) -> Reach {
        let unit = self.unfilled.lattice.side;
        Reach {
            near: reach.near / unit,
            far: reach.far / unit,
        }
    }
}

impl Other for BodyDistance<'_> {
    #[inline(always)]
    fn share(&self, middle: [f64; 3], level: usize, reach: Reach) -> Share {
        let (lattice, around) = (&self.unfilled.lattice, self.radii[level]);
        let Reach { near, far } = self.reach(reach);
        let point = self.transform.moved(middle);
        let (mut beside, mut place) = (0.0, [0; 3]);
        for k in 0..3 {
            let distance = point[k].max(0.0).min(lattice.counts[k] as f64);
            beside += (point[k] - distance) * (point[k] - distance);
            place[k] = (distance as usize).min(lattice.counts[k] - 1);
        }
        // A point outside of the lattice is no nearer to the body than to the nearest cell.
        if beside >= (far + around) * (far + around) {
            return Share::None;
        }
        let Some(spans) = AROUND.iter().position(|&cells| around <= cells as f64) else {
            return Share::Mixed;
        };
        let [least, largest] = self.unfilled.spans[spans][lattice.cell(place)].map(f64::from);
        let close = near - around;
        if least >= far {
            Share::None
        } else if largest <= near && close >= 0.0 && beside <= close * close {
            Share::All
        } else {
            Share::Mixed
        }
    }

    fn add(&self, eights: &[Eight], gaps: &[[f64; LANES]], list: &[u32], reach: Reach) -> [f64; 2] {
        run_reals(Adding {
            distance: self,
            eights,
            gaps,
            list,
            reach: self.reach(reach),
        })
    }
}

/// The kernel that sums the unfilled volume and the volume of the body over blocks of eight cells.
/// Of each cell the fraction [`Reach::share`] is added, which depends on its distance from the
/// other body.
struct Adding<'a> {
    distance: &'a BodyDistance<'a>,
    eights: &'a [Eight],
    gaps: &'a [[f64; LANES]],
    list: &'a [u32],
    reach: Reach,
}

impl RealKernel for Adding<'_> {
    type Output = [f64; 2];

    #[inline(always)]
    fn run<V: Reals>(self) -> [f64; 2] {
        let BodyDistance {
            unfilled,
            transform,
            ..
        } = self.distance;
        let lattice = &unfilled.lattice;
        let zero = V::splat(0.0);
        let mut sums = [zero; 2];
        for &i in self.list {
            let (eight, gaps) = (&self.eights[i as usize], &self.gaps[i as usize]);
            let x = V::load(&eight.middles[0]);
            let y = V::load(&eight.middles[1]);
            let z = V::load(&eight.middles[2]);
            let mut beside = zero;
            let mut distance = [zero; 3];
            let mut points = [[0.0; LANES]; 3];
            for k in 0..3 {
                let [p, q, r] = splat_all::<V, 3>(transform.matrix[k]);
                let point = p * x + q * y + r * z + V::splat(transform.offset[k]);
                distance[k] = point.max(zero).min(V::splat(lattice.counts[k] as f64));
                let out = point - distance[k];
                beside = beside + out * out;
                distance[k].store(&mut points[k]);
            }
            // The distances at the corners of the cells around the points, and the positions within
            // the cells.
            let mut corners = [[0.0; LANES]; 8];
            let mut cells = [[0.0; LANES]; 3];
            for lane in 0..LANES {
                let mut place = [0; 3];
                for k in 0..3 {
                    place[k] = (points[k][lane] as usize).min(lattice.counts[k] - 1);
                    cells[k][lane] = place[k] as f64;
                }
                for corner in 0..4 {
                    let node = [place[0] + (corner >> 1), place[1] + (corner & 1), place[2]];
                    let first = lattice.node(node);
                    if let Some(&[a, b]) = unfilled.distances[first..].first_chunk::<2>() {
                        corners[2 * corner][lane] = a;
                        corners[2 * corner + 1][lane] = b;
                    }
                }
            }
            let part = [
                distance[0] - V::load(&cells[0]),
                distance[1] - V::load(&cells[1]),
                distance[2] - V::load(&cells[2]),
            ];
            let mut corners = load_all::<V, 8>(&corners);
            for i in 0..4 {
                corners[i] = between(corners[2 * i], corners[2 * i + 1], part[2]);
            }
            for i in 0..2 {
                corners[i] = between(corners[2 * i], corners[2 * i + 1], part[1]);
            }
            let inverse = V::splat(1.0 / lattice.side);
            let distance = between(corners[0], corners[1], part[0]) * inverse;
            let distance = (distance - V::splat(HALF_DIAGONAL)).max(beside.sqrt());
            let Reach { near, far } = self.reach;
            let share = (V::splat(far) - distance) * V::splat(1.0 / (far - near));
            let share = share.max(zero).min(V::splat(1.0));
            sums[0] = sums[0] + share * V::load(gaps);
            sums[1] = sums[1] + share * V::load(&eight.body);
        }
        [sums[0].sum(), sums[1].sum()]
    }
}

/// Interpolates linearly between `a` and `b`, which are distances from the body at two corners of a
/// cell; `part` is the position, from 0 to 1. A function, not a closure: see `simd::f64x8`.
#[inline(always)]
fn between<V: Reals>(a: V, b: V, part: V) -> V {
    a + part * (b - a)
}

/// The test of unfilled cells by their distance from the AABB of another body, for a body that has
/// no stored distances.
pub(super) struct BoxDistance {
    bounds: Aabb<3>,
    transform: Transform,
    radii: [f64; LEVELS],
}

impl BoxDistance {
    /// Returns the test of unfilled cells by their distance from the other body's box. `side` is
    /// the side of the cells, and `transform` moves them to the frame of the box.
    pub(super) fn new(bounds: Aabb<3>, transform: Transform, side: f64) -> Self {
        Self {
            bounds,
            transform,
            radii: std::array::from_fn(|level| radius(level) * side * (1.0 + 1e-9)),
        }
    }

    /// Returns the distance of a point, given in the frame of the unfilled cells, from the other
    /// body's box.
    fn distance(&self, point: [f64; 3]) -> f64 {
        let point = self.transform.moved(point);
        let squared: f64 = (0..3)
            .map(|k| {
                let out = (self.bounds.min[k] - point[k]).max(point[k] - self.bounds.max[k]);
                out.max(0.0).powi(2)
            })
            .sum();
        squared.sqrt()
    }
}

impl Other for BoxDistance {
    fn share(&self, middle: [f64; 3], level: usize, reach: Reach) -> Share {
        let distance = self.distance(middle);
        if distance - self.radii[level] >= reach.far {
            Share::None
        } else if distance + self.radii[level] <= reach.near {
            Share::All
        } else {
            Share::Mixed
        }
    }

    fn add(&self, eights: &[Eight], gaps: &[[f64; LANES]], list: &[u32], reach: Reach) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for &i in list {
            let (eight, gaps) = (&eights[i as usize], &gaps[i as usize]);
            for lane in 0..LANES {
                let middle = std::array::from_fn(|k| eight.middles[k][lane]);
                let share = reach.share(self.distance(middle));
                sums[0] += share * gaps[lane];
                sums[1] += share * eight.body[lane];
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlap::pack::MeshContainer;
    use crate::shape::Packing;

    /// Returns the fraction of the volume of a cell with the middle `point` that is added to the
    /// bounds. It depends on the distance of the middle from the body, which is interpolated
    /// between corners of the lattice.
    fn share(unfilled: &UnfilledVolume, point: [f64; 3], reach: Reach) -> f64 {
        let lattice = &unfilled.lattice;
        let x: [f64; 3] = std::array::from_fn(|k| (point[k] - lattice.origin[k]) / lattice.side);
        let distance: [f64; 3] = std::array::from_fn(|k| x[k].clamp(0.0, lattice.counts[k] as f64));
        let place: [usize; 3] =
            std::array::from_fn(|k| (distance[k] as usize).min(lattice.counts[k] - 1));
        let mut interpolated = 0.0;
        for corner in 0..8_usize {
            let up: [usize; 3] = std::array::from_fn(|k| corner >> k & 1);
            let weight: f64 = (0..3)
                .map(|k| {
                    let part = distance[k] - place[k] as f64;
                    if up[k] == 1 { part } else { 1.0 - part }
                })
                .product();
            let node = lattice.node(std::array::from_fn(|k| place[k] + up[k]));
            interpolated += weight * unfilled.distances[node];
        }
        let beside: f64 = (0..3).map(|k| (x[k] - distance[k]).powi(2)).sum();
        let distance = interpolated - HALF_DIAGONAL * lattice.side;
        reach.share(distance.max(beside.sqrt() * lattice.side))
    }

    #[test]
    fn blocks_equal_the_sum_over_cells() {
        let knot = crate::generate::knot(2000).unwrap();
        let ball = crate::generate::sphere(3).unwrap();
        let of = |mesh, count: usize| {
            let mut container = MeshContainer::new(mesh).unwrap();
            // There are many cells and tiny spheres, as the packing need not be realistic.
            let radii = vec![1e-9; count];
            let centers = (0..count).map(|i| [1e-6 * i as f64, 0.0, 0.0]).collect();
            UnfilledVolume::new(&mut container, &Packing::new(centers, radii).unwrap()).unwrap()
        };
        let (mut none, mut all) = (0, 0);
        for (a, b) in [
            (of(&knot, 3000), of(&ball, 500)),
            (of(&ball, 2000), of(&knot, 100)),
        ] {
            let reach = Reach {
                near: HALF_DIAGONAL * a.lattice.side,
                far: (HALF_DIAGONAL + super::super::FADE) * a.lattice.side,
            };
            for step in 0..12 {
                let (sin, cos) = (0.7 * f64::from(step)).sin_cos();
                let transform = Transform {
                    matrix: [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]],
                    offset: [0.4 * f64::from(step), 0.1, -0.2],
                };
                let distance = BodyDistance::new(&b, &transform, a.lattice.side);
                let [gaps, body] = a.blocks.near(0, &distance, &|| true);
                let body_cells = a.body_cells.iter().map(|body_cell| {
                    let middle = a.lattice.middle(body_cell.cell as usize);
                    body_cell.body * share(&b, transform.moved(middle), reach)
                });
                let expected: f64 = body_cells.sum();
                let slack = 1e-9 * a.volume();
                assert!(
                    (body - expected).abs() <= slack,
                    "{step}: {body} {expected}"
                );
                assert!(
                    (gaps - expected).abs() <= slack,
                    "{step}: {gaps} {expected}"
                );
                let [_, rough] = a.blocks.near(0, &distance, &|| false);
                assert!(rough >= body - slack && rough <= a.volume() + slack);
                none += usize::from(rough < 0.9 * a.volume());
                all += usize::from(body > 0.1 * a.volume());
            }
        }
        assert!(none > 3 && all > 3, "{none} {all}");
    }
}
