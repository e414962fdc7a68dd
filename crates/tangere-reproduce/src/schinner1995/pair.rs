//! Two tumbling polyhedra whose closest features Lin's walk and `Tracker` find call by call: counts of
//! their steps, their times, and checks of the contacts.

use crate::timing::cpu_seconds;
use std::hint::black_box;
use tangere::closest::{LinWalk, Tracker, certificate, exhaustive};
use tangere::generate;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;

/// The distance of the centres of the two bodies; each lies in a ball of radius 1 about its centre.
pub const APART: f64 = 2.1;

/// The number of calls of the tracker whose poses are computed in advance, in one chunk, which
/// stays in the cache.
const CHUNK: usize = 1000;

/// A tumbling body: it spins about an axis that itself rotates about a fixed perpendicular axis.
/// It rotates at a constant rate and does not return to an earlier pose.
struct Tumble {
    fixed: [f64; 3],
    spin: [f64; 3],
    /// The rotation rate about the fixed axis and about the spin axis, as fractions of the total
    /// rate; their squares add up to 1.
    parts: [f64; 2],
    first: Pose,
    place: [f64; 3],
}

impl Tumble {
    fn both() -> tangere::Result<[Self; 2]> {
        let parts = |angle: f64| angle.sin_cos().into();
        Ok([
            Tumble {
                fixed: [0.0, 0.0, 1.0],
                spin: [1.0, 0.0, 0.0],
                parts: parts(0.9),
                first: Pose::from_numbers(&[0.0, 0.0, 0.0, 0.8, 0.2, 0.4, 0.4])?,
                place: [0.0; 3],
            },
            Tumble {
                fixed: [0.6, 0.8, 0.0],
                spin: [0.0, 0.0, 1.0],
                parts: parts(0.6),
                first: Pose::from_numbers(&[0.0, 0.0, 0.0, 0.4, 0.8, 0.2, 0.4])?,
                place: [APART, 0.0, 0.0],
            },
        ])
    }

    /// Returns the pose after a total rotation by an angle in radians.
    fn pose(&self, angle: f64) -> tangere::Result<Pose> {
        let about = |axis: [f64; 3], angle: f64, [tx, ty, tz]: [f64; 3]| {
            let (sin, cos) = (0.5 * angle).sin_cos();
            let [x, y, z] = axis.map(|x| sin * x);
            Pose::from_numbers(&[tx, ty, tz, cos, x, y, z])
        };
        let [fixed, spin] = self.parts.map(|part| part * angle);
        let turned = about(self.spin, spin, [0.0; 3])?.compose(&self.first);
        Ok(about(self.fixed, fixed, self.place)?.compose(&turned))
    }
}

/// Counts of the calls of a tracker, each of which finds the closest features of a pair of bodies.
#[derive(Clone, Copy, Default)]
pub struct Counted {
    /// The numbers of calls that took 1, 2, 3, and 4 or more steps. A step is a test of one pair of
    /// features, or an iteration of GJK or EPA.
    pub steps: [u64; 4],
    /// The number of calls that found the same closest features as the call before.
    pub kept: u64,
}

impl Counted {
    pub fn calls(&self) -> f64 {
        self.steps.iter().sum::<u64>().max(1) as f64
    }

    /// Returns the share of calls that took one step.
    pub fn share(&self) -> f64 {
        self.steps[0] as f64 / self.calls()
    }

    /// Returns the share of calls that found the same closest features as the call before.
    pub fn kept_share(&self) -> f64 {
        self.kept as f64 / self.calls()
    }
}

/// Two tumbling bodies, and the cost of tracking them.
pub struct Pair {
    pub faces: usize,
    bodies: [ConvexPolyhedron; 2],
    tumbles: [Tumble; 2],
    pub counted: Counted,
    /// The numbers of calls that Lin's walk took in 1, 2, 3, and 4 or more iterations.
    pub walked: [u64; 4],
    /// CPU seconds per call of Lin's walk, of each run.
    pub walks: Vec<f64>,
    /// CPU seconds per call of the tracker, of each run.
    pub runs: Vec<f64>,
    /// The number of contacts that are proven correct by a certificate.
    pub proven: usize,
    /// The number of contacts compared with brute force over all pairs of features.
    pub compared: usize,
    /// The largest difference between the gap of a contact and that found by brute force, relative
    /// to the sum of the bounding radii of the bodies.
    pub error: f64,
}

impl Pair {
    pub fn new(faces: usize) -> tangere::Result<Self> {
        let body = |seed| ConvexPolyhedron::from_mesh(&generate::hull(faces, seed)?);
        Ok(Pair {
            faces,
            bodies: [body(1)?, body(2)?],
            tumbles: Tumble::both()?,
            counted: Counted::default(),
            walked: [0; 4],
            walks: Vec::new(),
            runs: Vec::new(),
            proven: 0,
            compared: 0,
            error: 0.0,
        })
    }

    /// Returns the CPU seconds per call of the tracker in the fastest run.
    pub fn seconds(&self) -> f64 {
        self.runs.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the CPU seconds per call of Lin's walk in the fastest run.
    pub fn walk_seconds(&self) -> f64 {
        self.walks.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the share of calls that Lin's walk took in one iteration.
    pub fn walked_share(&self) -> f64 {
        self.walked[0] as f64 / self.walked.iter().sum::<u64>().max(1) as f64
    }

    /// Returns the number of features of the first body: vertices, edges and faces.
    pub fn features(&self) -> usize {
        let [a, _] = &self.bodies;
        a.vertex_count() + a.edge_count() + a.face_count()
    }

    /// Calls `each` with consecutive chunks of the poses of both bodies, one pair of poses per call
    /// of the tracker, and with the number of calls before each chunk.
    fn poses(
        &self,
        calls: usize,
        rate: f64,
        mut each: impl FnMut(usize, &[[Pose; 2]]),
    ) -> tangere::Result<()> {
        let mut poses = Vec::with_capacity(CHUNK);
        for start in (0..calls).step_by(CHUNK) {
            poses.clear();
            for call in start..calls.min(start + CHUNK) {
                let [a, b] = &self.tumbles;
                let angle = rate * call as f64;
                poses.push([a.pose(angle)?, b.pose(angle)?]);
            }
            each(start, &poses);
        }
        Ok(())
    }

    /// Tracks the closest features of the pair over `calls` calls, at a rotation rate in radians
    /// per call. Returns counts of the calls.
    pub fn followed(&self, calls: usize, rate: f64) -> tangere::Result<Counted> {
        let [a, b] = &self.bodies;
        let mut tracker = Tracker::new();
        let (mut last, mut kept) = (None, 0);
        self.poses(calls, rate, |_, poses| {
            for [pose_a, pose_b] in poses {
                let contact = tracker.contact(a, pose_a, b, pose_b);
                let features = Some([contact.feature_a, contact.feature_b]);
                kept += u64::from(features == last);
                last = features;
            }
        })?;
        Ok(Counted {
            steps: tracker.counts().steps,
            kept,
        })
    }

    /// Tracks the closest features of the pair over `calls` calls, at a rotation rate in radians
    /// per call, and measures the time.
    pub fn timed(&mut self, calls: usize, rate: f64) -> tangere::Result<()> {
        let [a, b] = &self.bodies;
        let mut tracker = Tracker::new();
        let mut seconds = 0.0;
        self.poses(calls, rate, |_, poses| {
            let start = cpu_seconds();
            for [pose_a, pose_b] in poses {
                black_box(tracker.contact(a, pose_a, b, pose_b));
            }
            seconds += cpu_seconds() - start;
        })?;
        self.runs.push(seconds / calls as f64);
        Ok(())
    }

    /// Finds the closest features of the pair by Lin's walk over `calls` calls, at a rotation rate in
    /// radians per call: counts its iterations and measures the time.
    pub fn walked(&mut self, calls: usize, rate: f64) -> tangere::Result<()> {
        let [a, b] = &self.bodies;
        let mut walk = LinWalk::new();
        let mut seconds = 0.0;
        self.poses(calls, rate, |_, poses| {
            let start = cpu_seconds();
            for [pose_a, pose_b] in poses {
                black_box(walk.contact(a, pose_a, b, pose_b));
            }
            seconds += cpu_seconds() - start;
        })?;
        self.walked = walk.counts().iterations;
        self.walks.push(seconds / calls as f64);
        Ok(())
    }

    /// Finds the closest features of the pair by Lin's walk over `calls` calls, at a rotation rate in
    /// radians per call. Returns the numbers of calls that took 1, 2, 3, and 4 or more iterations.
    pub fn iterations(&self, calls: usize, rate: f64) -> tangere::Result<[u64; 4]> {
        let [a, b] = &self.bodies;
        let mut walk = LinWalk::new();
        self.poses(calls, rate, |_, poses| {
            for [pose_a, pose_b] in poses {
                black_box(walk.contact(a, pose_a, b, pose_b));
            }
        })?;
        Ok(walk.counts().iterations)
    }

    /// Tracks the closest features of the pair over `calls` calls, at a rotation rate in radians
    /// per call, and verifies the contacts.
    pub fn proven(&mut self, calls: usize, rate: f64) -> tangere::Result<()> {
        // Brute force runs as often as a budget of about 200 pairs of edges per call allows.
        let edges = self.bodies[0].edge_count() * self.bodies[1].edge_count();
        let every = (edges / 200).max(1);
        let [a, b] = &self.bodies;
        let mut tracker = Tracker::new();
        let (mut proven, mut compared, mut error) = (0, 0, 0f64);
        self.poses(calls, rate, |start, poses| {
            for (i, [pose_a, pose_b]) in poses.iter().enumerate() {
                let contact = tracker.contact(a, pose_a, b, pose_b);
                proven += usize::from(certificate(a, pose_a, b, pose_b, &contact).is_ok());
                // Nothing is compared if there are fewer calls than `every / 2`.
                if (start + i) % every == every / 2 {
                    let gap = exhaustive(a, pose_a, b, pose_b).gap;
                    compared += 1;
                    error = error.max((contact.gap - gap).abs());
                }
            }
        })?;
        (self.proven, self.compared) = (proven, compared);
        self.error = error / (a.radius() + b.radius());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_turn_by_the_rate() {
        for tumble in Tumble::both().unwrap() {
            let [before, after] = [5.0, 5.01].map(|angle| tumble.pose(angle).unwrap());
            let turn = after.compose(&before.inverse()).rotation().angle();
            assert!((turn - 0.01).abs() < 1e-6, "{turn}");
        }
    }

    #[test]
    fn steps_follow_the_motion() {
        // Counts do not depend on the machine.
        let pair = Pair::new(100).unwrap();
        let [slow, fast] = [0.0005, 0.005].map(|rate| pair.followed(4000, rate).unwrap());
        let [slow, fast] = [slow, fast].map(|counted| [counted.share(), counted.kept_share()]);
        assert!(slow[0] > 0.985 && slow[1] > 0.985, "{slow:?}");
        assert!(fast[1] < 0.97, "{fast:?}");
    }
}
