//! Checks of one contact of convex bodies: certificate, oracle, symmetry and history.

use tangere::closest::{Claim, Tracker, certificate, exhaustive};
use tangere::contact::Contact;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;

/// Two convex bodies and their poses.
#[derive(Clone, Copy)]
pub struct Pair<'s> {
    pub a: &'s ConvexPolyhedron,
    pub pose_a: &'s Pose,
    pub b: &'s ConvexPolyhedron,
    pub pose_b: &'s Pose,
}

/// All numbers of a contact as bits, except for `steps`, which depends on earlier queries.
pub fn bits(contact: &Contact) -> Vec<u64> {
    let mut out: Vec<u64> = [contact.gap, contact.lower, contact.upper]
        .iter()
        .chain(&contact.point_a)
        .chain(&contact.point_b)
        .chain(&contact.normal)
        .map(|x| x.to_bits())
        .collect();
    for feature in [contact.feature_a, contact.feature_b] {
        out.extend([feature.kind as u64, u64::from(feature.index)]);
    }
    out.push(contact.status as u64);
    out
}

impl Pair<'_> {
    /// The error of the contact that a tracker finds, in words; `None` if it passes all checks.
    pub fn fault(&self, tracker: &mut Tracker, with_oracle: bool) -> Option<String> {
        let Pair {
            a,
            pose_a,
            b,
            pose_b,
        } = *self;
        let contact = tracker.contact(a, pose_a, b, pose_b);
        if let Err(violation) = certificate(a, pose_a, b, pose_b, &contact) {
            return Some(format!("{violation}: {contact:?}"));
        }
        let fresh = Tracker::new().contact(a, pose_a, b, pose_b);
        if bits(&fresh) != bits(&contact) {
            return Some(format!("fresh {fresh:?} is not {contact:?}"));
        }
        // One body with the same pose twice has no order.
        if (a, pose_a) != (b, pose_b) {
            let mirrored = tracker.contact(b, pose_b, a, pose_a).mirrored();
            if bits(&mirrored) != bits(&contact) {
                return Some(format!("mirrored {mirrored:?} is not {contact:?}"));
            }
        }
        if with_oracle {
            let truth = exhaustive(a, pose_a, b, pose_b);
            let size = a.radius() + b.radius();
            let reach = [pose_a.rotate(a.center()), pose_b.rotate(b.center())]
                .iter()
                .flatten()
                .chain(&[0, 1, 2].map(|k| pose_b.translation()[k] - pose_a.translation()[k]))
                .map(|x| x.abs())
                .sum::<f64>();
            let error = (truth.gap - contact.gap).abs();
            if error > 1e-12 * size + 64.0 * f64::EPSILON * reach {
                return Some(format!("gap off by {error:e} from {truth:?}: {contact:?}"));
            }
            if let Err(violation) = certificate(a, pose_a, b, pose_b, &truth) {
                // Where edges are nearly parallel the oracle's points are less accurate than its
                // gap.
                let is_place = [Claim::PointA, Claim::PointB, Claim::Between];
                if !is_place.contains(&violation.claim) || violation.error > 1e-9 * size {
                    return Some(format!("of the oracle: {violation}: {truth:?}"));
                }
            }
        }
        None
    }
}

/// The number of wrong contacts, with the texts of the first few.
#[derive(Default)]
pub struct Faults {
    pub answers: usize,
    pub count: usize,
    pub texts: Vec<String>,
}

impl Faults {
    /// Adds the outcome of one check; `place` describes the case.
    pub fn add(&mut self, place: impl FnOnce() -> String, fault: Option<String>) {
        self.answers += 1;
        if let Some(fault) = fault {
            self.count += 1;
            if self.texts.len() < 10 {
                self.texts.push(format!("{}: {fault}", place()));
            }
        }
    }

    /// Adds the outcomes of another run, with at most two of its texts.
    pub fn join(&mut self, other: Self) {
        self.answers += other.answers;
        self.count += other.count;
        self.texts.extend(other.texts.into_iter().take(2));
        self.texts.truncate(60);
    }

    /// Panics with the texts if there are faults.
    pub fn expect_none(&self) {
        assert!(self.answers > 0);
        assert!(
            self.count == 0,
            "{} of {} answers are wrong\n{}",
            self.count,
            self.answers,
            self.texts.join("\n")
        );
    }
}
