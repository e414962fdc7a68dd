//! Copies of a body: a row of them, or bodies at random in a box.
//!
//! A random pose is a function of the seed and the number of the copy, so that it does not depend on
//! how many there are. Rotations are uniform: the quaternion of Marsaglia (1972), from two points in
//! the unit disc, needs no elementary function but the square root.

use super::fields::Fields;
use super::value::Value;
use crate::error::Fault;
use tangere::generate::Random;
use tangere::geometry::{COORDINATE_MAX, Pose};

/// The largest number of bodies of a scene. Their descriptions take about 400 MB.
pub(super) const BODIES_MAX: u64 = 1 << 20;

/// Copies of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Copies {
    /// The body alone.
    One,
    /// A row of bodies, each `step` beyond the one before.
    Row { count: u64, step: [f64; 3] },
    /// Bodies at random places in a box, in random orientations.
    Random {
        count: u64,
        lower: [f64; 3],
        upper: [f64; 3],
        seed: u64,
    },
}

/// Parses the keys `repeat` and `fill` of a body.
pub(super) fn copies(body: &Fields<'_>) -> Result<Copies, Fault> {
    let place = body.place();
    if let Some(field) = body.field("fill") {
        let beside = ["repeat", "position", "rotation"];
        if let Some(other) = beside.iter().find_map(|key| body.field(key)) {
            return Err(other.fault("no other pose beside `fill`"));
        }
        let Value::Table(table) = field.raw() else {
            let expected = "fill = { box = [x0, y0, z0, x1, y1, z1], count = N, seed = S }";
            return Err(field.fault(expected));
        };
        let fields = Fields::new(table, "`fill`", "fill.", &["box", "count", "seed"], place)?;
        let bounds = fields.required("box", "the lower and the upper corner")?;
        let [x0, y0, z0, x1, y1, z1] = bounds.vector()?;
        let (lower, upper) = ([x0, y0, z0], [x1, y1, z1]);
        let is_valid = |k: usize| lower[k] <= upper[k] && upper[k].abs() <= COORDINATE_MAX;
        if !(0..3).all(|k| is_valid(k) && lower[k].abs() <= COORDINATE_MAX) {
            return Err(bounds.fault("a lower corner, then one nowhere below it"));
        }
        let seed = fields.value("seed", |field| field.whole(0..=u64::MAX))?;
        return Ok(Copies::Random {
            count: count(&fields)?,
            lower,
            upper,
            seed: seed.unwrap_or(0),
        });
    }
    let Some(field) = body.field("repeat") else {
        return Ok(Copies::One);
    };
    let Value::Table(table) = field.raw() else {
        return Err(field.fault("repeat = { count = N, step = [x, y, z] }"));
    };
    let fields = Fields::new(table, "`repeat`", "repeat.", &["count", "step"], place)?;
    let step = fields.required("step", "the way from one to the next")?;
    let (count, vector) = (count(&fields)?, step.vector::<3>()?);
    let reach = (count - 1) as f64;
    if !vector.iter().all(|x| (x * reach).abs() <= COORDINATE_MAX) {
        return Err(step.fault("a row of a length up to 1.6e60"));
    }
    Ok(Copies::Row {
        count,
        step: vector,
    })
}

fn count(fields: &Fields<'_>) -> Result<u64, Fault> {
    let field = fields.required("count", "how many there are")?;
    field.whole(1..=BODIES_MAX)
}

impl Copies {
    /// The number of bodies.
    pub fn count(&self) -> u64 {
        match self {
            Copies::One => 1,
            Copies::Row { count, .. } | Copies::Random { count, .. } => *count,
        }
    }

    /// Returns the pose of body number `k`, where `first` is the pose of the body itself.
    ///
    /// # Errors
    /// When it is too far from the origin.
    pub fn pose(&self, first: &Pose, k: u64) -> tangere::Result<Pose> {
        match *self {
            Copies::One => Ok(*first),
            Copies::Row { step, .. } => {
                let from = first.translation();
                let mut numbers = first.to_numbers();
                for axis in 0..3 {
                    numbers[axis] = from[axis] + k as f64 * step[axis];
                }
                Pose::from_numbers(&numbers)
            }
            Copies::Random {
                lower, upper, seed, ..
            } => random_pose(lower, upper, seed, k),
        }
    }
}

/// Returns a random pose, a function of the seed and the number `k`.
fn random_pose(lower: [f64; 3], upper: [f64; 3], seed: u64, k: u64) -> tangere::Result<Pose> {
    let own = Random::new(seed).bits().wrapping_add(k);
    let mut random = Random::new(Random::new(own).bits());
    let place: [f64; 3] = std::array::from_fn(|axis| {
        let share = random.unit();
        (1.0 - share) * lower[axis] + share * upper[axis]
    });
    let mut disc = || loop {
        let (x, y) = (2.0 * random.unit() - 1.0, 2.0 * random.unit() - 1.0);
        let square = x * x + y * y;
        if square < 1.0 && square > 0.0 {
            return (x, y, square);
        }
    };
    let ((x, y, first), (z, w, second)) = (disc(), disc());
    let scale = ((1.0 - first) / second).sqrt();
    let [px, py, pz] = place;
    Pose::from_numbers(&[px, py, pz, x, y, z * scale, w * scale])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_poses_fill_the_box_and_all_directions() {
        let (lower, upper) = ([-1.0, 0.0, 2.0], [1.0, 0.0, 6.0]);
        let copies = Copies::Random {
            count: 4000,
            lower,
            upper,
            seed: 7,
        };
        let (mut place, mut up) = ([0.0; 3], [0.0; 3]);
        for k in 0..copies.count() {
            let pose = copies.pose(&Pose::identity(), k).unwrap();
            let (t, axis) = (pose.translation(), pose.rotate([0.0, 0.0, 1.0]));
            assert!(
                (0..3).all(|i| (lower[i]..=upper[i]).contains(&t[i])),
                "{t:?}"
            );
            for i in 0..3 {
                place[i] += t[i] / 4000.0;
                up[i] += axis[i] / 4000.0;
            }
        }
        // Standard deviations are 0.009 and 0.018 of the place, 0.009 of the direction.
        assert!(place[0].abs() < 0.05 && place[1] == 0.0 && (place[2] - 4.0).abs() < 0.1);
        assert!(up.iter().all(|x| x.abs() < 0.05), "{up:?}");
    }

    #[test]
    fn rows_are_exact() {
        let copies = Copies::Row {
            count: 3,
            step: [0.0, 0.5, -1.0],
        };
        let first = Pose::from_translation([1.0, 2.0, 3.0]).unwrap();
        assert_eq!(copies.pose(&first, 0).unwrap(), first);
        assert_eq!(
            copies.pose(&first, 2).unwrap().translation(),
            [1.0, 3.0, 1.0]
        );
    }
}
