//! Copies of a body: a row or a grid of them, or bodies at random in a box.
//!
//! What is random of a copy is a function of the seed and the number of the copy, so that it does not
//! depend on how many there are; only copies that are kept apart depend on those before them. Rotations
//! are uniform: the quaternion of Marsaglia (1972), from two points in the unit disc, needs no
//! elementary function but the square root.

use super::fields::{Field, Fields, SIZE_MAX, SIZE_MIN};
use super::value::Value;
use crate::error::Fault;
use tangere::generate::Random;
use tangere::geometry::{COORDINATE_MAX, Pose};

/// The largest number of bodies of a scene. Their descriptions take about 400 MB.
pub(super) const BODIES_MAX: u64 = 1 << 20;

/// How often a copy that is kept apart is placed anew before there is no room.
const ATTEMPTS: u32 = 5000;

/// Copies of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Copies {
    layout: Layout,
    seed: u64,
    /// The largest random displacement along each axis.
    jitter: f64,
    /// The largest random velocity along each axis, beside that of the body.
    spread: f64,
    /// The range of random sizes, relative to the shape.
    scale: [f64; 2],
    /// Whether copies overlap no ball before them.
    pub apart: bool,
}

/// Where copies are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    /// The body alone.
    One,
    /// A row of bodies, each `step` beyond the one before.
    Row { count: u64, step: [f64; 3] },
    /// A grid of bodies, `step` apart along each axis; x is counted first.
    Grid { counts: [u64; 3], step: [f64; 3] },
    /// Bodies at random places in a box, in random orientations.
    Random {
        count: u64,
        lower: [f64; 3],
        upper: [f64; 3],
    },
}

/// A copy of a body.
pub(super) struct Copy {
    pub pose: Pose,
    /// The velocity beside that of the body.
    pub velocity: [f64; 3],
    /// The size, relative to the shape.
    pub scale: f64,
}

const FILL: [&str; 6] = ["box", "count", "seed", "apart", "spread", "scale"];
const REPEAT: [&str; 6] = ["count", "step", "seed", "jitter", "spread", "scale"];

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
        let fields = Fields::new(table, "`fill`", "fill.", &FILL, place)?;
        let bounds = fields.required("box", "the lower and the upper corner")?;
        let [x0, y0, z0, x1, y1, z1] = bounds.vector()?;
        let (lower, upper) = ([x0, y0, z0], [x1, y1, z1]);
        let is_valid = |k: usize| lower[k] <= upper[k] && upper[k].abs() <= COORDINATE_MAX;
        if !(0..3).all(|k| is_valid(k) && lower[k].abs() <= COORDINATE_MAX) {
            return Err(bounds.fault("a lower corner, then one nowhere below it"));
        }
        let count = count(&fields)?;
        return random_parts(
            &fields,
            Layout::Random {
                count,
                lower,
                upper,
            },
        );
    }
    let Some(field) = body.field("repeat") else {
        return Ok(Copies {
            layout: Layout::One,
            seed: 0,
            jitter: 0.0,
            spread: 0.0,
            scale: [1.0; 2],
            apart: false,
        });
    };
    let Value::Table(table) = field.raw() else {
        return Err(field.fault("repeat = { count = N, step = [x, y, z] }"));
    };
    let fields = Fields::new(table, "`repeat`", "repeat.", &REPEAT, place)?;
    let step = fields.required("step", "the way from one to the next")?;
    let vector = step.vector::<3>()?;
    let layout = match fields.field("count").map(|count| count.raw()) {
        Some(Value::List(_)) => {
            let field = fields.required("count", "how many there are")?;
            let counts = field.wholes::<3>(1..=BODIES_MAX)?.map(u64::from);
            if counts.iter().fold(1, |a: u64, &b| a.saturating_mul(b)) > BODIES_MAX {
                return Err(field.fault(format!("at most {BODIES_MAX} bodies")));
            }
            Layout::Grid {
                counts,
                step: vector,
            }
        }
        _ => Layout::Row {
            count: count(&fields)?,
            step: vector,
        },
    };
    let reach = match layout {
        Layout::Grid { counts, .. } => counts.map(|count| (count - 1) as f64),
        _ => [(layout.count() - 1) as f64; 3],
    };
    if !(0..3).all(|k| (vector[k] * reach[k]).abs() <= COORDINATE_MAX) {
        return Err(step.fault("a row of a length up to 1.6e60"));
    }
    random_parts(&fields, layout)
}

/// Parses what is random of copies.
fn random_parts(fields: &Fields<'_>, layout: Layout) -> Result<Copies, Fault> {
    let seed = fields.value("seed", |field| field.whole(0..=u64::MAX))?;
    Ok(Copies {
        layout,
        seed: seed.unwrap_or(0),
        jitter: fields.value("jitter", not_negative)?.unwrap_or(0.0),
        spread: fields.value("spread", not_negative)?.unwrap_or(0.0),
        scale: fields.value("scale", scales)?.unwrap_or([1.0; 2]),
        apart: fields.value("apart", Field::flag)?.unwrap_or(false),
    })
}

fn not_negative(field: Field<'_>) -> Result<f64, Fault> {
    match field.number()? {
        x if (0.0..=COORDINATE_MAX).contains(&x) => Ok(x),
        _ => Err(field.fault("a number from 0 to 1.6e60")),
    }
}

fn scales(field: Field<'_>) -> Result<[f64; 2], Fault> {
    let [least, most] = field.vector()?;
    match least <= most && least >= SIZE_MIN && most <= SIZE_MAX {
        true => Ok([least, most]),
        false => Err(field.fault("the least and the largest size, above 0")),
    }
}

fn count(fields: &Fields<'_>) -> Result<u64, Fault> {
    let field = fields.required("count", "how many there are")?;
    field.whole(1..=BODIES_MAX)
}

impl Layout {
    fn count(&self) -> u64 {
        match self {
            Self::One => 1,
            Self::Row { count, .. } | Self::Random { count, .. } => *count,
            Self::Grid { counts, .. } => counts.iter().product(),
        }
    }
}

impl Copies {
    /// The number of bodies.
    pub fn count(&self) -> u64 {
        self.layout.count()
    }

    /// Whether there is the body alone.
    pub fn is_one(&self) -> bool {
        self.layout == Layout::One
    }

    /// Whether sizes differ.
    pub fn has_sizes(&self) -> bool {
        self.scale != [1.0; 2]
    }

    /// Returns copy number `k`, where `first` is the pose of the body itself. It is placed anew until
    /// `is_free` accepts its pose and size; `None` if there is no room.
    ///
    /// # Errors
    /// When it is too far from the origin.
    pub fn copy(
        &self,
        first: &Pose,
        k: u64,
        is_free: impl Fn(&Pose, f64) -> bool,
    ) -> tangere::Result<Option<Copy>> {
        let own = Random::new(self.seed).bits().wrapping_add(k);
        let mut random = Random::new(Random::new(own).bits());
        for _ in 0..ATTEMPTS {
            let mut pose = self.layout.pose(first, k, &mut random)?;
            if self.jitter > 0.0 {
                let mut numbers = pose.to_numbers();
                for x in &mut numbers[..3] {
                    *x += self.jitter * (2.0 * random.unit() - 1.0);
                }
                pose = Pose::from_numbers(&numbers)?;
            }
            let [least, most] = self.scale;
            let scale = match self.has_sizes() {
                true => least + (most - least) * random.unit(),
                false => 1.0,
            };
            let mut velocity = [0.0; 3];
            if self.spread > 0.0 {
                velocity = velocity.map(|_| self.spread * (2.0 * random.unit() - 1.0));
            }
            if !self.apart || is_free(&pose, scale) {
                return Ok(Some(Copy {
                    pose,
                    velocity,
                    scale,
                }));
            }
        }
        Ok(None)
    }
}

impl Layout {
    fn pose(&self, first: &Pose, k: u64, random: &mut Random) -> tangere::Result<Pose> {
        let moved = |way: [f64; 3]| {
            let from = first.translation();
            let mut numbers = first.to_numbers();
            for axis in 0..3 {
                numbers[axis] = from[axis] + way[axis];
            }
            Pose::from_numbers(&numbers)
        };
        match *self {
            Self::One => Ok(*first),
            Self::Row { step, .. } => moved(step.map(|x| k as f64 * x)),
            Self::Grid { counts, step } => {
                let [i, j] = [k % counts[0], k / counts[0] % counts[1]];
                let l = k / (counts[0] * counts[1]);
                moved([i as f64 * step[0], j as f64 * step[1], l as f64 * step[2]])
            }
            Self::Random { lower, upper, .. } => random_pose(lower, upper, random),
        }
    }
}

/// Returns a random pose.
fn random_pose(lower: [f64; 3], upper: [f64; 3], random: &mut Random) -> tangere::Result<Pose> {
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

    fn copies(layout: Layout) -> Copies {
        Copies {
            layout,
            seed: 7,
            jitter: 0.0,
            spread: 0.0,
            scale: [1.0; 2],
            apart: false,
        }
    }

    fn pose(copies: &Copies, first: &Pose, k: u64) -> Pose {
        copies.copy(first, k, |_, _| true).unwrap().unwrap().pose
    }

    #[test]
    fn random_poses_fill_the_box_and_all_directions() {
        let (lower, upper) = ([-1.0, 0.0, 2.0], [1.0, 0.0, 6.0]);
        let copies = copies(Layout::Random {
            count: 4000,
            lower,
            upper,
        });
        let (mut place, mut up) = ([0.0; 3], [0.0; 3]);
        for k in 0..copies.count() {
            let pose = pose(&copies, &Pose::identity(), k);
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
    fn rows_and_grids_are_exact() {
        let row = copies(Layout::Row {
            count: 3,
            step: [0.0, 0.5, -1.0],
        });
        let first = Pose::from_translation([1.0, 2.0, 3.0]).unwrap();
        assert_eq!(pose(&row, &first, 0), first);
        assert_eq!(pose(&row, &first, 2).translation(), [1.0, 3.0, 1.0]);
        let grid = copies(Layout::Grid {
            counts: [2, 3, 4],
            step: [1.0, 0.5, 0.25],
        });
        assert_eq!(grid.count(), 24);
        // 23 = 1 + 2 * 2 + 2 * 3 * 3.
        assert_eq!(pose(&grid, &first, 23).translation(), [2.0, 3.0, 3.75]);
    }
}
