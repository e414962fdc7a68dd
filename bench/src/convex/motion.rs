//! Motions of the convex benchmark: two bodies and their precomputed poses.

use tangere::closest::Tracker;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

/// The rotation of a body from one call to the next, in radians.
pub const TURN: f64 = 0.002;

/// The number of steps of a full rotation.
pub const TURN_STEPS: usize = 3142;

/// A body that rotates about its own axis.
pub struct Spin {
    axis: [f64; 3],
    first: Pose,
}

impl Spin {
    pub fn new(random: &mut Random) -> tangere::Result<Self> {
        Ok(Spin {
            axis: random.direction(),
            first: random.pose([0.0; 3]),
        })
    }

    /// Returns the pose of the rotating body at a step, with its origin at `place`.
    pub fn pose(&self, step: usize, place: [f64; 3]) -> tangere::Result<Pose> {
        let (sin, cos) = (0.5 * TURN * step as f64).sin_cos();
        let [x, y, z] = self.axis.map(|x| sin * x);
        let turn = Pose::from_numbers(&[place[0], place[1], place[2], cos, x, y, z])?;
        Ok(turn.compose(&self.first))
    }
}

/// Two bodies and their consecutive poses.
pub struct Motion {
    pub a: ConvexPolyhedron,
    pub b: ConvexPolyhedron,
    /// The sum of the radii of both bodies.
    pub size: f64,
    pub poses: Vec<[Pose; 2]>,
}

impl Motion {
    /// Returns two convex hulls of `faces` faces each, without poses yet.
    fn of(faces: usize, seed: u64) -> tangere::Result<Self> {
        let body = |seed| ConvexPolyhedron::from_mesh(&generate::hull(faces, seed)?);
        let (a, b) = (body(2 * seed + 1)?, body(2 * seed + 2)?);
        Ok(Motion {
            size: a.radius() + b.radius(),
            a,
            b,
            poses: Vec::new(),
        })
    }

    /// Returns a motion at a constant gap: both bodies rotate, each about its own fixed axis by
    /// [`TURN`] per step. The second one is moved along the contact normal at every step so that
    /// the gap relative to the size is constant.
    pub fn held(faces: usize, gap: f64, steps: usize, seed: u64) -> tangere::Result<Self> {
        let mut motion = Self::of(faces, seed)?;
        let mut random = Random::new(seed);
        let spins = [Spin::new(&mut random)?, Spin::new(&mut random)?];
        let gap = gap * motion.size;
        let mut place = random.direction::<3>().map(|x| 1.5 * motion.size * x);
        let mut tracker = Tracker::new();
        for step in 0..steps {
            let pose_a = spins[0].pose(step, [0.0; 3])?;
            // Moving along the normal may change the features, so one correction is not enough.
            for _ in 0..if step == 0 { 20 } else { 3 } {
                let pose_b = spins[1].pose(step, place)?;
                let contact = tracker.contact(&motion.a, &pose_a, &motion.b, &pose_b);
                for (x, n) in place.iter_mut().zip(contact.normal) {
                    *x += (gap - contact.gap) * n;
                }
            }
            motion.poses.push([pose_a, spins[1].pose(step, place)?]);
        }
        Ok(motion)
    }

    /// Returns two motions of random poses: those in which the bodies are separated, and those in
    /// which they penetrate. Both bodies have random rotations; the second one is in a random
    /// direction at a distance of up to 1.2 sizes.
    pub fn scattered(faces: usize, count: usize, seed: u64) -> tangere::Result<[Self; 2]> {
        let mut motions = [Self::of(faces, seed)?, Self::of(faces, seed)?];
        let mut random = Random::new(seed);
        let mut tracker = Tracker::new();
        while motions.iter().any(|motion| motion.poses.len() < count) {
            let pose_a = random.pose([0.0; 3]);
            let away = 1.2 * motions[0].size * random.unit();
            let place = random.direction::<3>().map(|x| away * x);
            let pose_b = Pose::from_translation(place)?.compose(&random.pose([0.0; 3]));
            let contact = tracker.contact(&motions[0].a, &pose_a, &motions[0].b, &pose_b);
            let poses = &mut motions[usize::from(contact.gap < 0.0)].poses;
            if poses.len() < count {
                poses.push([pose_a, pose_b]);
            }
        }
        Ok(motions)
    }
}
