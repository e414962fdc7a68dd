//! Benchmark of many bodies: tumbling boxes at constant density.

use crate::timing::timed;
use crate::{Options, Outcome};
use tangere::generate;
use tangere::impact::{Body, BodyShape, Certificate, EngineSettings, ImpactEngine, RigidMotion};
use test_support::Random;

/// The distance of the centres of neighbouring boxes, whose diagonal is 1.47.
const SPACING: f64 = 3.0;

/// The time up to which first contacts are searched.
const FOLLOWED: f64 = 0.25;

const TURNS: usize = 3;

pub fn run(options: &Options) -> Outcome {
    let counts: &[usize] = match options.quick {
        true => &[100, 1000],
        false => &[100, 1000, 10_000],
    };
    let title = "tumbling boxes, each of 12 faces";
    if !options.selects(title) {
        return Ok(());
    }
    println!("\n{title}");
    println!(
        "  {:>7} {:>16} {:>12} {:>22} {:>10} {:>14} {:>12}",
        "bodies",
        "first contact at",
        "us a body",
        "contacts until 0.25",
        "us a body",
        "meetings",
        "us each"
    );
    for &count in counts {
        let bodies = tumbling(count)?;
        let (mut first, mut all) = (f64::INFINITY, f64::INFINITY);
        let (mut time, mut contacts, mut meetings) = (f64::NAN, 0, 0);
        for _ in 0..TURNS {
            let mut engine = ImpactEngine::with_bodies(bodies.clone(), &EngineSettings::default())?;
            let mut found = Ok(None);
            first = first.min(timed(|| found = engine.next_contact(f64::MAX)));
            time = found?.map_or(f64::INFINITY, |impact| impact.early);
            let mut engine = ImpactEngine::with_bodies(bodies.clone(), &EngineSettings::default())?;
            let mut followed = Ok(0);
            all = all.min(timed(|| followed = follow(&mut engine)));
            contacts = followed?;
            meetings = engine.counts().trajectory;
        }
        println!(
            "  {count:>7} {time:>16.6} {:>12.3} {contacts:>22} {:>10.3} {meetings:>14} {:>12.3}",
            1e6 * first / count as f64,
            1e6 * all / count as f64,
            1e6 * all / contacts.max(1) as f64,
        );
    }
    Ok(())
}

/// Finds the first contact of each pair of bodies up to the time [`FOLLOWED`], and returns their
/// number. After its contact a pair is ignored: the bodies pass through each other.
fn follow(engine: &mut ImpactEngine) -> tangere::Result<usize> {
    let mut count = 0;
    while let Some(impact) = engine.next_contact(FOLLOWED)? {
        if impact.certificate == Certificate::Unresolved {
            break;
        }
        for contact in &impact.contacts {
            engine.ignore(contact.a as usize, contact.b as usize)?;
        }
        count += impact.contacts.len();
    }
    Ok(count)
}

fn tumbling(count: usize) -> tangere::Result<Vec<Body>> {
    let shape = BodyShape::of_mesh(generate::box_mesh([1.0, 0.8, 0.7], [1; 3])?)?;
    let row = (count as f64).cbrt().ceil() as usize;
    let mut random = Random::new(count as u64);
    let body = |i: usize| {
        let jitter = random.vector(0.5);
        let cell = [i % row, i / row % row, i / row / row];
        let place = std::array::from_fn(|k| SPACING * cell[k] as f64 + jitter[k]);
        let pose = random.pose(place);
        let motion = RigidMotion::new(pose, random.vector(3.0), random.vector(4.0), [0.0; 3])?;
        Ok(Body::new(shape.clone(), motion))
    };
    (0..count).map(body).collect()
}
