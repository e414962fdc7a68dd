//! Continuous collision detection: a tumbling grain falls on a plate and bounces five times.
//!
//! `cargo run --release -p tangere --example impact`

use tangere::contact::Contact;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::impact::{Body, EngineSettings, ImpactEngine, RigidMotion};

fn main() -> Result<(), tangere::Error> {
    let gravity = [0.0, 0.0, -9.81];
    let start = Pose::from_translation([0.0, 0.0, 3.0])?;
    let falling = RigidMotion::new(start, [0.5, 0.0, 0.0], [1.0, 2.0, 0.0], gravity)?;
    let mut engine = ImpactEngine::new(EngineSettings::default())?;
    engine.update(vec![
        Body::rigid(generate::hull(100, 1)?, falling)?,
        Body::rigid(
            generate::plate([50.0, 50.0], [1, 1])?,
            RigidMotion::at_rest(Pose::identity()),
        )?,
    ])?;
    for _ in 0..5 {
        let Some(impact) = engine.next_contact(engine.time() + 10.0)? else {
            break;
        };
        // Nothing touches before `early`; by `late` the bodies have touched.
        let contact = Contact::from(impact.contacts[0]);
        println!(
            "t = {:.9}, bracket {:.0e}, {} on {} at {:.3?}",
            impact.early,
            impact.late - impact.early,
            contact.feature_a,
            contact.feature_b,
            contact.point_b
        );
        engine.advance(impact.early)?;
        // A response that takes 30% of the speed along z and turns the spin round.
        let motion = engine.motion(0)?;
        let [vx, vy, vz] = motion.velocity();
        let spin = motion.spin().map(|w| -w);
        let bounced = RigidMotion::new(motion.pose(), [vx, vy, 0.7 * vz.abs()], spin, gravity)?;
        engine.set_motion(0, bounced)?;
    }
    assert!(engine.time() > 0.0);
    Ok(())
}
