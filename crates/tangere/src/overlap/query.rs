//! The overlap query: chooses the method, keeps the budget, and returns results in the world frame.

use super::brute_force;
use super::grid::{PartialSums, SHORT, Scratch};
use super::pair_sums::Sums;
use super::published::djb2::Djb2Table;
use super::published::morton::MortonTable;
use super::published::perfect_hash::PerfectHash;
use super::published::search;
use super::relative_pose::RelativePose;
use super::result::{Budget, Method, Overlap};
use super::tree;
use super::unfilled::{self, Filled};
use crate::error::{Argument, Result};
use crate::geometry::{Pose, check_points};
use crate::settings::builders;
use crate::shape::Packing;
use crate::stop::Current;
use std::time::Instant;

/// The fraction of a query's time budget for finding pairs of spheres.
const SPHERES: f64 = 0.45;

/// The fractions of a query's time budget after which the unfilled cells of `a` and those of `b`
/// are refined no further.
const UNFILLED: [f64; 2] = [0.58, 0.7];

/// Settings of an overlap query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlapSettings {
    /// The method by which the query finds overlapping pairs of spheres.
    pub method: Method,
    /// The reference point of torques, in the world frame; the origin of the frame of `b` if
    /// `None`.
    pub about: Option<[f64; 3]>,
}

builders! {
    OverlapSettings {
        /// Sets the method by which the query finds overlapping pairs of spheres.
        with_method(method: Method),
        /// Sets the reference point of torques, in the world frame; the origin of the frame of `b`
        /// if `None`.
        with_about(about: impl Into<Option<[f64; 3]>>),
    }
}

/// Computes the penetration volume, force and torque of two packings. It reuses its memory, so
/// repeated queries allocate nothing.
///
/// ```
/// use tangere::geometry::Pose;
/// use tangere::overlap::{OverlapQuery, OverlapSettings};
/// use tangere::shape::Packing;
///
/// let ball = Packing::new(vec![[0.0; 3]], vec![1.0])?;
/// let mut query = OverlapQuery::new(OverlapSettings::default())?;
/// let there = Pose::from_translation([1.0, 0.0, 0.0])?;
/// let found = query.overlap(&ball, &Pose::identity(), &ball, &there);
/// assert!((found.lower - 5.0 / 12.0 * std::f64::consts::PI).abs() < 1e-15);
/// assert_eq!((found.normal, found.pairs), ([1.0, 0.0, 0.0], 1));
/// assert_eq!(found.centroid, [0.5, 0.0, 0.0]);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OverlapQuery {
    settings: OverlapSettings,
    tree: tree::Scratch,
    grid: Scratch,
    parts: Vec<Sums>,
}

impl OverlapQuery {
    /// Returns an overlap query with these settings.
    ///
    /// # Errors
    /// When a coordinate of [`OverlapSettings::about`] is not finite.
    pub fn new(settings: OverlapSettings) -> Result<Self> {
        check_points(Argument::About, settings.about.as_slice())?;
        Ok(Self {
            settings,
            tree: tree::Scratch::default(),
            grid: Scratch::default(),
            parts: Vec::new(),
        })
    }

    /// Answers an overlap query: returns the penetration of `a` and `b` at these poses.
    ///
    /// A [`Stop`](crate::stop::Stop) ends the query within about a millisecond. The result is then
    /// not complete, but its bounds hold, as when a budget runs out.
    pub fn overlap(&mut self, a: &Packing, pose_a: &Pose, b: &Packing, pose_b: &Pose) -> Overlap {
        self.answer_within([a, b], [pose_a, pose_b], None)
    }

    /// Answers an overlap query within a budget: pairs of large spheres are found first, then the
    /// bound on the unfilled volume near the overlap is refined from coarse to fine. The bounds of
    /// the result hold whenever the query ends. Only the grid keeps a budget; other methods ignore
    /// it.
    pub fn overlap_within(
        &mut self,
        a: &Packing,
        pose_a: &Pose,
        b: &Packing,
        pose_b: &Pose,
        budget: Budget,
    ) -> Overlap {
        self.answer_within([a, b], [pose_a, pose_b], Some(budget))
    }

    /// Replaces `found` by all overlapping pairs of a sphere of `a` and a sphere of `b`, in
    /// ascending order of indices, by the method of the overlap query; only by some of them if
    /// [stopped](crate::stop::Stop).
    pub fn pairs(
        &mut self,
        a: &Packing,
        pose_a: &Pose,
        b: &Packing,
        pose_b: &Pose,
        found: &mut Vec<[u32; 2]>,
    ) {
        found.clear();
        let relative_pose = RelativePose::new(a, pose_a, b, pose_b);
        let stop = &Current::new();
        match self.settings.method {
            Method::Brute => brute_force::pairs(a, b, &relative_pose, stop, found),
            Method::Djb2 => search::pairs::<Djb2Table>([a, b], &relative_pose, stop, found),
            Method::PerfectHash => {
                search::pairs::<PerfectHash>([a, b], &relative_pose, stop, found);
            }
            Method::Morton => search::pairs::<MortonTable>([a, b], &relative_pose, stop, found),
            Method::Tree => tree::pairs(a.tree(), b.tree(), &relative_pose, stop, found),
            Method::Auto | Method::Grid => {
                let grids = [a.grid(), b.grid()];
                if self.grid.pairs(grids, &relative_pose, stop, found).is_err() {
                    tree::pairs(a.tree(), b.tree(), &relative_pose, stop, found);
                }
            }
        }
        found.sort_unstable();
    }

    /// Computes the overlap by the query's method, within a budget if there is one.
    fn answer_within(
        &mut self,
        [a, b]: [&Packing; 2],
        poses: [&Pose; 2],
        budget: Option<Budget>,
    ) -> Overlap {
        let begin = Instant::now();
        let relative_pose = RelativePose::new(a, poses[0], b, poses[1]);
        let grids = [a.grid(), b.grid()];
        let stop = &Current::new();
        let method = self.settings.method;
        let is_grid = match method {
            Method::Auto => budget.is_some() || !(a.is_rigid() && b.is_rigid()),
            other => other == Method::Grid,
        };
        if is_grid && let Some(budget) = budget {
            let spheres = match budget {
                Budget::Time(time) => {
                    let time = time.mul_f64(SPHERES).saturating_sub(begin.elapsed());
                    Budget::Time(time)
                }
                other => other,
            };
            if let Ok(reached) = self.grid.sums(grids, &relative_pose, Some(spheres), stop) {
                let bodies = [0, 1].map(|i| Filled::new([a, b][i], reached.levels[i]));
                let near = match budget {
                    Budget::Time(time) if !reached.complete || time < SHORT => {
                        let ends = UNFILLED.map(|share| time.mul_f64(share));
                        unfilled::near_while(bodies, &relative_pose, |side| {
                            begin.elapsed() < ends[side]
                        })
                    }
                    _ => unfilled::near(bodies, &relative_pose),
                };
                return Overlap {
                    complete: reached.complete,
                    spheres: [0, 1].map(|i| grids[i].spheres(reached.levels[i])),
                    work: reached.work,
                    ..self.answer(
                        [a, b],
                        (bodies, reached.joined, near),
                        &reached.sums,
                        &relative_pose,
                        poses[1],
                        Method::Grid,
                    )
                };
            }
        }
        let bodies = [a, b].map(|packing| Filled::new(packing, usize::MAX));
        let near = || unfilled::near(bodies, &relative_pose);
        let sums = || {
            if is_grid && let Ok(reached) = self.grid.sums(grids, &relative_pose, None, stop) {
                return (reached, Method::Grid);
            }
            let (sums, method) = match method {
                Method::Brute => (brute_force::sums(a, b, &relative_pose, stop), method),
                Method::Djb2 | Method::PerfectHash | Method::Morton => {
                    let by = match method {
                        Method::Djb2 => search::sums::<Djb2Table>,
                        Method::PerfectHash => search::sums::<PerfectHash>,
                        _ => search::sums::<MortonTable>,
                    };
                    (by([a, b], &relative_pose, stop, &mut self.parts), method)
                }
                _ => {
                    let sums = self.tree.sums(a.tree(), b.tree(), &relative_pose, stop);
                    (sums, Method::Tree)
                }
            };
            // If the query was stopped, these are some of the pairs, of unknown levels.
            let reached = PartialSums {
                sums,
                complete: !stop.is_requested(),
                ..PartialSums::default()
            };
            (reached, method)
        };
        let ((reached, method), near) = rayon::join(sums, near);
        let PartialSums { sums, work, .. } = reached;
        if reached.complete {
            let all = (bodies, sums.lower(), near);
            return Overlap {
                work,
                ..self.answer([a, b], all, &sums, &relative_pose, poses[1], method)
            };
        }
        let bodies = [0, 1].map(|i| Filled::new([a, b][i], reached.levels[i]));
        let some = (
            bodies,
            reached.joined,
            unfilled::near(bodies, &relative_pose),
        );
        Overlap {
            complete: false,
            spheres: [0, 1].map(|i| grids[i].spheres(reached.levels[i])),
            work,
            ..self.answer([a, b], some, &sums, &relative_pose, poses[1], method)
        }
    }

    /// Returns the result of an overlap query in the world frame. `bodies` has for each packing a
    /// number of coarsest levels of spheres; all pairs of spheres of these levels were found, and
    /// `joined` is the volume that they share. `gaps` is an upper bound of the unfilled volume of
    /// each body in the other, summed over both. `most` is an upper bound of the penetration volume
    /// that does not depend on pairs of spheres: the volume of a body in those of its lattice cells
    /// that may reach the other body, whichever is less for the two bodies.
    fn answer(
        &self,
        packings: [&Packing; 2],
        (bodies, joined, [gaps, most]): ([Filled<'_>; 2], f64, [f64; 2]),
        sums: &Sums,
        relative_pose: &RelativePose,
        pose_b: &Pose,
        method: Method,
    ) -> Overlap {
        let middle = relative_pose.middles[1];
        let lower = sums.lower();
        let upper = (joined + gaps).min(most).max(lower);
        let stands = bodies.map(|body| body.all_for_levels());
        // Pairs of incomplete levels add only their own volume: the estimate extrapolates from the
        // complete levels alone.
        let whole = match joined < lower {
            true => sums.weighted() * (joined / lower) * (stands[0] * stands[1]),
            false => sums.weighted() * (stands[0] * stands[1]),
        };
        let force = pose_b.rotate(sums.force());
        let center: [f64; 3] = std::array::from_fn(|k| middle[k] + sums.moment()[k] / lower);
        // The torque is moved from the middle `m` of `b` to the reference point `p`:
        // `τ' = τ + (m - p) × F`.
        let from = match self.settings.about {
            None => pose_b.rotate(middle),
            Some(point) => {
                let at = pose_b.apply(middle);
                std::array::from_fn(|k| at[k] - point[k])
            }
        };
        let torque = pose_b.rotate(sums.torque());
        Overlap {
            volume: whole.max(sums.weighted()).clamp(lower, upper),
            lower,
            upper,
            force,
            torque: std::array::from_fn(|k| {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                torque[k] + (from[i] * force[j] - from[j] * force[i])
            }),
            centroid: pose_b.apply(center),
            normal: direction(force),
            pairs: sums.pairs,
            method,
            complete: true,
            spheres: packings.map(Packing::len),
            work: 0,
        }
    }
}

/// Returns the contact normal of an overlap query: the force as a unit vector; NaN if the force
/// vanishes. The force is divided by its largest coordinate first, because squares of the forces of
/// very small and very large bodies leave the range of f64.
fn direction(force: [f64; 3]) -> [f64; 3] {
    let largest = force.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let shares = force.map(|x| x / largest);
    let size = shares.iter().map(|x| x * x).sum::<f64>().sqrt();
    shares.map(|x| x / size)
}
