//! Exact time of impact of balls under constant velocity and acceleration.

use pyo3::prelude::*;
use tangere::impact::trajectory::{
    Meeting, MovingBall, first_meetings as meetings, first_meetings_within, next_collisions as next,
};
use tangere_front::answer::Table;
use tangere_front::answers::impact::{BallMeeting, MEETING};

use crate::arguments::{Argument, number};
use crate::arrays::{any_points, numbers, pairs, reserved, shape_of, wrong_shape};
use crate::errors::{What, named, of_arrays, refused};
use crate::record::structured;
use crate::run::run;

/// Reads a vector for each of `count` balls, or one for all.
fn vectors(value: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<[f64; 3]>> {
    let shape = shape_of(value, name)?;
    if shape == [3] && count != 0 {
        let one: [f64; 3] = numbers(value, name)?.try_into().unwrap_or_default();
        return Ok(vec![one; count]);
    }
    let rows = any_points(value, name)?;
    match rows.len() == count {
        true => Ok(rows),
        false => Err(wrong_shape(name, &shape, format!("({count}, 3) or (3,)"))),
    }
}

/// Reads a radius for each of `count` balls, or one for all.
fn radii_of(value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<f64>> {
    let shape = shape_of(value, "radii")?;
    if shape.is_empty() {
        return Ok(vec![number(value, "radii")?; count]);
    }
    match shape == [count] {
        true => numbers(value, "radii"),
        false => Err(wrong_shape(
            "radii",
            &shape,
            format!("({count},) or a number"),
        )),
    }
}

/// Reads balls from arrays; missing velocities and accelerations are 0.
fn balls<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    velocities: Argument<'_, 'py>,
    accelerations: Argument<'_, 'py>,
) -> PyResult<Vec<MovingBall>> {
    let centers = any_points::<3>(centers, "centers")?;
    let count = centers.len();
    let radii = radii_of(radii, count)?;
    let moved = |value: Argument<'_, 'py>, name: &str| match value {
        Some(value) => vectors(value, name, count),
        None => Ok(vec![[0.0; 3]; count]),
    };
    let velocities = moved(velocities, "velocities")?;
    let accelerations = moved(accelerations, "accelerations")?;
    let mut balls = reserved(count)?;
    for i in 0..count {
        let ball = MovingBall::new(centers[i], velocities[i], accelerations[i], radii[i]);
        balls.push(ball.map_err(|error| {
            named(error, |what, _| {
                let array = match what {
                    What::CenterPoint => "centers",
                    What::Velocity => "velocities",
                    What::Acceleration => "accelerations",
                    _ => "radii",
                };
                format!("{array}[{i}]")
            })
        })?);
    }
    Ok(balls)
}

/// Reads the pairs of balls from an argument; all pairs, in the order of `np.triu_indices(N, 1)`,
/// if it is missing.
fn pairs_or_all(value: Argument<'_, '_>, count: usize) -> PyResult<Vec<[u32; 2]>> {
    if let Some(value) = value {
        return pairs(value, "pairs");
    }
    let all = count.checked_mul(count.saturating_sub(1)).map(|n| n / 2);
    let Some(all) = all.filter(|_| u32::try_from(count).is_ok()) else {
        let expected = "fewer, or the argument pairs";
        return Err(refused("centers", format_args!("{count} rows"), expected));
    };
    // The memory is enough for the pairs, their times and the rows.
    drop(reserved::<[u64; 8]>(all)?);
    let mut pairs = reserved(all)?;
    let count = count as u32;
    pairs.extend((0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])));
    Ok(pairs)
}

/// Calls `answer`, which runs one of the two queries (`first_meetings` or `next_collisions`), for
/// the given pairs of balls; for all pairs if the argument `pairs` is missing.
fn run_query<'py>(
    py: Python<'py>,
    balls: Vec<MovingBall>,
    pairs: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
    answer: impl FnOnce(&[MovingBall], &[[u32; 2]], &mut Vec<Meeting>) -> tangere::Result<()>
    + Send
    + 'static,
) -> PyResult<Bound<'py, PyAny>> {
    let pairs = pairs_or_all(pairs, balls.len())?;
    let rows = run(py, threads, move || {
        let mut found = Vec::new();
        answer(&balls, &pairs, &mut found)?;
        let met = |i: usize| BallMeeting {
            pair: pairs[i],
            meeting: found[i],
        };
        Table::made(MEETING, found.len(), &met).packed()
    })?;
    let rows = rows.map_err(|error| of_arrays(error, &[(What::Pair, "pairs")]))?;
    structured(py, rows)
}

/// Time of impact of balls that move with constant velocity and acceleration.
///
/// Time runs from 0, now, to infinity. Balls that overlap now touch at 0.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 3)
///     The current centres of the balls.
/// radii : array_like, shape (N,), or float
///     Their radii, 0 or more.
/// velocities : array_like, shape (N, 3) or (3,), optional
///     Their current velocities, or one for all; 0 if None.
/// accelerations : array_like, shape (N, 3) or (3,), optional
///     Their accelerations, or one for all; 0 if None.
/// pairs : array_like of int, shape (M, 2), optional
///     The pairs to test; all, in the order of `np.triu_indices(N, 1)`, if None.
/// horizon : float, optional
///     Later impacts do not count; no limit if None.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// structured ndarray, shape (M,)
///     `a` and `b`: the pair; `early`: lower bound of the time of impact, infinite if there is
///     none; `late`: upper bound, within 1e-12 of `early`; `status`: a `Status`, `FREE` or
///     `CONTACT`. The result is exact for the given numbers, as if nothing was rounded.
///
/// Raises
/// ------
/// ValueError
///     If shapes do not fit, a number is not finite, a radius or the horizon is negative, or
///     a pair names a ball that is not there.
///
/// Examples
/// --------
/// Thrown against each other under gravity, 1500 apart:
///
/// >>> from tangere import trajectory
/// >>> found = trajectory.first_meetings(
/// ...     [[0, 0, 0], [1500, 0, 0]], 1.0,
/// ...     [[50, 0, 86.6], [-50, 0, 86.6]], [0, 0, -9.81],
/// ... )
/// >>> found["early"].round(9).tolist(), trajectory.Status(found["status"][0]).name
/// ([14.98], 'CONTACT')
#[pyfunction]
#[pyo3(signature = (centers, radii, velocities=None, accelerations=None, *, pairs=None, horizon=None, threads=None))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn first_meetings<'py>(
    py: Python<'py>,
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    velocities: Argument<'_, 'py>,
    accelerations: Argument<'_, 'py>,
    pairs: Argument<'_, 'py>,
    horizon: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let balls = balls(centers, radii, velocities, accelerations)?;
    match horizon {
        None => run_query(py, balls, pairs, threads, meetings),
        Some(horizon) => {
            let horizon = number(horizon, "horizon")?;
            run_query(py, balls, pairs, threads, move |balls, pairs, found| {
                first_meetings_within(balls, pairs, horizon, found)
            })
        }
    }
}

/// Time of the next collision of hard spheres.
///
/// As `first_meetings`, except for spheres that touch or overlap now, as spheres that have just
/// collided do up to rounding: they collide at once if they approach each other, else never. An
/// acceleration common to all spheres does not change the times.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 3)
///     The current centres of the spheres.
/// radii : array_like, shape (N,), or float
///     Their radii, 0 or more.
/// velocities : array_like, shape (N, 3) or (3,)
///     Their current velocities.
/// pairs : array_like of int, shape (M, 2), optional
///     The pairs to test; all, in the order of `np.triu_indices(N, 1)`, if None.
#[doc = include_str!("threads.txt")]
/// Returns
/// -------
/// structured ndarray, shape (M,)
///     As for `first_meetings`.
///
/// Raises
/// ------
/// ValueError
///     If shapes do not fit, a number is not finite, a radius is negative, or a pair names a
///     sphere that is not there.
///
/// Examples
/// --------
/// The first two touch and separate, the second hits the third:
///
/// >>> from tangere import trajectory
/// >>> found = trajectory.next_collisions(
/// ...     [[0, 0, 0], [1, 0, 0], [3, 0, 0]], 0.5, [[-1, 0, 0], [1, 0, 0], [0, 0, 0]]
/// ... )
/// >>> found["early"].round(12).tolist()
/// [inf, inf, 1.0]
#[pyfunction]
#[pyo3(signature = (centers, radii, velocities, *, pairs=None, threads=None))]
pub fn next_collisions<'py>(
    py: Python<'py>,
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    velocities: &Bound<'py, PyAny>,
    pairs: Argument<'_, 'py>,
    threads: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let spheres = balls(centers, radii, Some(velocities), None)?;
    run_query(py, spheres, pairs, threads, next)
}
