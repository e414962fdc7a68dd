//! Benchmark of the time of impact of two balls.

use super::TURNS;
use crate::timing::{contestant, race};
use crate::{Options, Outcome};
use tangere::impact::trajectory::{MovingBall, first_meetings};
use test_support::Random;

pub fn run(options: &Options) -> Outcome {
    let count: u32 = if options.quick { 40_000 } else { 200_000 };
    let title = format!("first meeting of {count} pairs of balls at random");
    if !options.selects(&title) {
        return Ok(());
    }
    let mut random = Random::new(2);
    let mut balls = |is_pulled_alike: bool| -> tangere::Result<Vec<MovingBall>> {
        let ball = |_| {
            let [center, velocity, pull] = [0; 3].map(|_| random.vector(1.0));
            let acceleration = if is_pulled_alike {
                [0.0, 0.0, -1.0]
            } else {
                pull
            };
            MovingBall::new(center, velocity, acceleration, 0.3 * random.unit())
        };
        (0..2 * count).map(ball).collect()
    };
    let (curved, straight) = (balls(false)?, balls(true)?);
    let pairs: Vec<[u32; 2]> = (0..count).map(|i| [2 * i, 2 * i + 1]).collect();
    let mut found = [Vec::new(), Vec::new()];
    let [first, second] = &mut found;
    race(
        &title,
        TURNS,
        pairs.len(),
        &mut [
            contestant("accelerations differ", || {
                let result = first_meetings(&curved, &pairs, first);
                result.map_or(0, |()| first.iter().filter(|m| m.is_contact()).count())
            }),
            contestant("accelerations agree", || {
                let result = first_meetings(&straight, &pairs, second);
                result.map_or(0, |()| second.iter().filter(|m| m.is_contact()).count())
            }),
        ],
    );
    Ok(())
}
