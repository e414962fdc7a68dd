//! Benchmark of the time of impact in examples 5.1 and 5.2 of aragon2013, with prebuilt
//! hierarchies.
//!
//! *set-up and query* times the creation of an engine from shapes with prebuilt hierarchies and the
//! query of the first contact; *query* times the query alone. parry's trees are prebuilt as well;
//! its linear cast supports neither spin nor acceleration (equal accelerations do not matter), its
//! nonlinear cast tests all pairs of triangles.

use super::super::TURNS;
use super::{FACES, Pair, SPEED, SPIN, WALL, parry_of, wall};
use crate::timing::{Contestant, Turn, agreement, standings, timed};
use crate::{Options, Outcome};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{
    NonlinearRigidMotion, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear,
};
use parry3d_f64::shape::TriMesh as ParryMesh;
use std::hint::black_box;
use tangere::generate;
use tangere::impact::ImpactEngine;
use tangere::impact::hierarchy::Volume;

/// The number of queries in a turn.
const REPEATS: usize = 100;

/// The number of triangles of the knot with which parry's nonlinear cast is compared.
const FEW: usize = 100;

pub fn run(options: &Options) -> Outcome {
    let title = format!("example 5.2: a knot of {FACES} faces and a wall");
    if options.selects(&title) {
        against_wall(options, &title)?;
    }
    let levels = if options.quick { 3..=4 } else { 2..=6 };
    for level in levels {
        let title = format!("example 5.1: two spheres of level {level}");
        if !options.selects(&title) {
            continue;
        }
        let pair = Pair::projectiles(level, Volume::Box)?;
        let parry = parry_of(&generate::sphere(level)?)?;
        let velocity = |x: f64| Vector::new(x, 0.0, 0.0);
        let places = [0.0, 1500.0].map(|x| Pose::from_parts(velocity(x), Rotation::IDENTITY));
        let cast = || linear(&parry, places, velocity(100.0), &parry);
        race(options, &title, &pair, Some(&cast))?;
    }
    Ok(())
}

fn against_wall(options: &Options, title: &str) -> Outcome {
    let knot = generate::knot(FACES)?;
    let [parry, other] = [parry_of(&knot)?, parry_of(&wall()?)?];
    let [x, y, z, w, i, j, k] = WALL;
    let wall_at = Pose::from_parts(Vector::new(x, y, z), Rotation::from_xyzw(i, j, k, w));
    let places = [Pose::IDENTITY, wall_at];
    let velocity = Vector::new(SPEED, 0.0, 0.0);
    let cast = || linear(&parry, places, velocity, &other);
    // The paper's spheres take a thousand times as long: they are in the table of costs.
    let straight = Pair::against_wall(knot.clone(), [0.0; 3], Volume::Box)?;
    race(
        options,
        &format!("{title}, straight"),
        &straight,
        Some(&cast),
    )?;
    let turning = Pair::against_wall(knot.clone(), SPIN, Volume::Box)?;
    race(options, &format!("{title}, turning"), &turning, None)?;
    if !options.peers {
        return Ok(());
    }
    // The whole knot takes parry some twenty seconds.
    let few = generate::knot(FEW)?;
    let title = format!("the same with a knot of {FEW} faces, turning");
    race(
        options,
        &title,
        &Pair::against_wall(few.clone(), SPIN, Volume::Box)?,
        None,
    )?;
    let few = parry_of(&few)?;
    let [wx, wy, wz] = SPIN;
    let motion = NonlinearRigidMotion::new(
        Pose::IDENTITY,
        Vector::ZERO,
        velocity,
        Vector::new(wx, wy, wz),
    );
    let rest = NonlinearRigidMotion::new(wall_at, Vector::ZERO, Vector::ZERO, Vector::ZERO);
    let mut time = f64::NAN;
    let seconds = timed(|| {
        let hit = cast_shapes_nonlinear(&motion, &few, &rest, &other, 0.0, 4.0, true);
        if let Ok(Some(hit)) = hit {
            time = hit.time_of_impact;
        }
    });
    println!(
        "  {:<26} {:>11.3} us   contact at {time:.12} (run once)",
        "parry, nonlinear cast",
        1e6 * seconds
    );
    Ok(())
}

/// Returns the time of impact by parry's linear cast.
fn linear(a: &ParryMesh, places: [Pose; 2], velocity: Vector, b: &ParryMesh) -> f64 {
    let options = ShapeCastOptions::with_max_time_of_impact(20.0);
    let hit = cast_shapes(
        &places[0],
        velocity,
        a,
        &places[1],
        Vector::ZERO,
        b,
        options,
    );
    match hit {
        Ok(Some(hit)) => hit.time_of_impact,
        _ => f64::NAN,
    }
}

/// Returns the result of a turn from its CPU seconds and the times of impact that its queries
/// returned.
fn turn(seconds: f64, times: &[f64]) -> Turn {
    Turn {
        seconds,
        answers: times.len(),
        // In nanoseconds, on which all must agree.
        digest: times.iter().map(|t| (1e9 * t).round() as u64).sum(),
        by: None,
    }
}

/// Times Tangere with and without set-up, and parry if it supports the motion.
fn race(options: &Options, title: &str, pair: &Pair, parry: Option<&dyn Fn() -> f64>) -> Outcome {
    println!("\n{title}");
    let mut engine = pair.engine()?;
    let truth = pair.first_contact(&mut engine)?;
    let never = f64::INFINITY;
    let made = || {
        pair.engine()
            .and_then(|mut engine| pair.first_contact(&mut engine))
    };
    let mut contestants = vec![
        Contestant::own("set-up and query", || {
            let mut times = [never; REPEATS];
            let seconds = timed(|| {
                for time in &mut times {
                    *time = black_box(made()).unwrap_or(never);
                }
            });
            turn(seconds, &times)
        }),
        Contestant::own("query", || {
            let engines = (0..REPEATS).map(|_| pair.engine());
            let mut engines: Vec<ImpactEngine> = engines.flatten().collect();
            let mut times = [never; REPEATS];
            let seconds = timed(|| {
                for (time, engine) in times.iter_mut().zip(&mut engines) {
                    *time = black_box(pair.first_contact(engine)).unwrap_or(never);
                }
            });
            turn(seconds, &times)
        }),
    ];
    if let (true, Some(cast)) = (options.peers, parry) {
        contestants.push(Contestant::peer("parry, linear cast", || {
            let mut times = [never; REPEATS];
            let seconds = timed(|| times.iter_mut().for_each(|time| *time = black_box(cast())));
            turn(seconds, &times)
        }));
    }
    let standings = standings(TURNS, &mut contestants);
    for standing in &standings {
        println!(
            "  {:<26} {:>11.3} us {:>7.2}x",
            standing.name,
            1e6 * standing.best.seconds / REPEATS as f64,
            standing.best.seconds / standings[0].best.seconds,
        );
    }
    let counts = engine.counts();
    println!(
        "  contact at {truth:.13}; trajectories {}, updates {}, volumes {}, faces {}",
        counts.trajectory, counts.update, counts.volume, counts.primitive
    );
    if let Err(difference) = agreement(&standings) {
        println!("  answers differ by more than rounding: {difference}");
    }
    Ok(())
}
