//! First meetings of a batch of pairs of balls, on all threads of the current pool.
//!
//! Results are in the order of pairs, and each depends only on its own pair. Nothing is allocated
//! but the results.

use super::{
    Meeting, MovingBall, check_horizon, first_meeting, first_meeting_within, next_collision,
};
use crate::error::{Argument, Error, Result};
use crate::impact::rigid_motion::shown;
use crate::memory;
use crate::stop::Current;
use rayon::prelude::*;

/// Number of pairs of balls in a chunk of parallel work.
const CHUNK: usize = 512;

/// Computes [`first_meeting`] for each pair of balls of a batch; `found` is replaced by one result
/// for each pair.
///
/// ```
/// use tangere::impact::trajectory::{MovingBall, first_meetings};
///
/// let ball = |x, v| MovingBall::new([x, 0.0, 0.0], [v, 0.0, 0.0], [0.0; 3], 1.0);
/// let balls = [ball(0.0, 1.0)?, ball(10.0, -1.0)?, ball(20.0, 1.0)?];
/// let mut found = Vec::new();
/// first_meetings(&balls, &[[0, 1], [1, 2]], &mut found)?;
/// assert!((found[0].early - 4.0).abs() < 1e-12 && !found[1].is_contact());
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn first_meetings(
    balls: &[MovingBall],
    pairs: &[[u32; 2]],
    found: &mut Vec<Meeting>,
) -> Result<()> {
    in_parallel(balls, pairs, found, first_meeting)
}

/// Computes [`first_meeting_within`] for each pair of balls of a batch; `found` is replaced by one
/// result for each pair.
pub fn first_meetings_within(
    balls: &[MovingBall],
    pairs: &[[u32; 2]],
    horizon: f64,
    found: &mut Vec<Meeting>,
) -> Result<()> {
    check_horizon(horizon).inspect_err(|_| found.clear())?;
    in_parallel(balls, pairs, found, |a, b| {
        first_meeting_within(a, b, horizon).unwrap_or(Meeting::UNKNOWN)
    })
}

/// Computes [`next_collision`] for each pair of spheres of a batch; `found` is replaced by one
/// result for each pair.
///
/// ```
/// use tangere::impact::trajectory::{Meeting, MovingBall, next_collisions};
///
/// let sphere = |x, v| MovingBall::new([x, 0.0, 0.0], [v, 0.0, 0.0], [0.0; 3], 0.5);
/// // The first two spheres touch and separate.
/// let spheres = [sphere(0.0, -1.0)?, sphere(1.0, 1.0)?, sphere(3.0, 0.0)?];
/// let mut found = Vec::new();
/// next_collisions(&spheres, &[[0, 1], [1, 2]], &mut found)?;
/// assert_eq!(found[0], Meeting::NEVER);
/// assert!(found[1].early <= 1.0 && 1.0 <= found[1].late);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn next_collisions(
    spheres: &[MovingBall],
    pairs: &[[u32; 2]],
    found: &mut Vec<Meeting>,
) -> Result<()> {
    let acceleration = |i: u32| spheres.get(i as usize).map(MovingBall::acceleration);
    let is_unequal = |pair: &[u32; 2]| {
        let [a, b] = pair.map(acceleration);
        a.is_some() && b.is_some() && a != b
    };
    if let Some(i) = crate::parallel::first(pairs.len(), |i| is_unequal(&pairs[i])) {
        found.clear();
        let accelerations = pairs[i].map(|k| shown(acceleration(k).unwrap_or_default()));
        let found = format!("accelerations {}", accelerations.join(" and "));
        return Err(Error::item(Argument::Pair, i, found, "equal ones"));
    }
    in_parallel(spheres, pairs, found, |a, b| {
        next_collision(a, b).unwrap_or(Meeting::UNKNOWN)
    })
}

/// Checks a batch of pairs of balls and computes all meetings of their trajectories in parallel.
fn in_parallel(
    balls: &[MovingBall],
    pairs: &[[u32; 2]],
    found: &mut Vec<Meeting>,
    answer: impl Fn(&MovingBall, &MovingBall) -> Meeting + Sync,
) -> Result<()> {
    found.clear();
    let is_missing = |pair: &[u32; 2]| pair.iter().any(|&i| i as usize >= balls.len());
    if let Some(i) = crate::parallel::first(pairs.len(), |i| is_missing(&pairs[i])) {
        let expected = format!("indices below the number of balls, {}", balls.len());
        return Err(Error::item(
            Argument::Pair,
            i,
            format!("{:?}", pairs[i]),
            expected,
        ));
    }
    let stop = Current::new();
    memory::reserve(found, pairs.len(), Argument::Pairs)?;
    found.resize(pairs.len(), Meeting::NEVER);
    let work = |(found, pairs): (&mut [Meeting], &[[u32; 2]])| {
        if !stop.is_requested() {
            for (found, &[a, b]) in found.iter_mut().zip(pairs) {
                *found = answer(&balls[a as usize], &balls[b as usize]);
            }
        }
    };
    found
        .par_chunks_mut(CHUNK)
        .zip(pairs.par_chunks(CHUNK))
        .for_each(work);
    stop.checked().inspect_err(|_| found.clear())
}
