//! Mass properties of a union of spheres, at one density.
//!
//! Of spheres that do not overlap they are sums in closed form. Groups of spheres that overlap are
//! integrated: exactly along lines parallel to their longest axis, over the lines by the midpoint rule,
//! to about 1e-5 of the whole as long as the group is less than 16 radii of its smallest sphere wide.

use crate::clump::{product, rotated};
use crate::vector::{Vector, dot, minus, plus, times};
use std::f64::consts::PI;

/// The lines of the integration across the radius of the smallest ball, and the range of their number along
/// each of two axes.
const FINE: f64 = 128.0;
const LINES: [f64; 2] = [512.0, 2048.0];

/// Mass properties of a union of spheres in the frame in which it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MassProperties {
    pub volume: f64,
    pub center: Vector,
    /// The principal moments of inertia at density 1.
    pub moments: Vector,
    /// The rotation from the principal axes to the given frame.
    pub axes: [f64; 4],
}

impl MassProperties {
    /// Those of the union scaled about the origin of its frame.
    pub fn scaled(&self, scale: f64) -> Self {
        let cube = scale * scale * scale;
        Self {
            volume: self.volume * cube,
            center: times(self.center, scale),
            moments: times(self.moments, cube * scale * scale),
            axes: self.axes,
        }
    }

    /// Those of the union at another pose: a rotation, then a translation.
    pub fn posed(&self, rotation: [f64; 4], translation: Vector) -> Self {
        Self {
            center: plus(rotated(rotation, self.center), translation),
            axes: product(rotation, self.axes),
            ..*self
        }
    }
}

/// Mass properties of a union of balls.
pub(crate) fn mass_properties(balls: &[(Vector, f64)]) -> MassProperties {
    let about = balls[0].0;
    let mut sum = Moments {
        about,
        ..Moments::default()
    };
    for group in groups(balls) {
        sum.add(&match group[..] {
            [ball] => of_ball(ball),
            _ => integrated(&group),
        });
    }
    sum.properties()
}

/// Balls that overlap, directly or through others, together.
fn groups(balls: &[(Vector, f64)]) -> Vec<Vec<(Vector, f64)>> {
    let overlaps = |&(c, r): &(Vector, f64), &(d, s): &(Vector, f64)| {
        let way = minus(c, d);
        dot(way, way) < (r + s) * (r + s)
    };
    let mut groups: Vec<Vec<(Vector, f64)>> = Vec::new();
    for ball in balls {
        let touches = |group: &Vec<(Vector, f64)>| group.iter().any(|own| overlaps(own, ball));
        let (met, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        groups = apart;
        let mut joined = met.concat();
        joined.push(*ball);
        groups.push(joined);
    }
    groups
}

/// Volume, first and second moments about a point.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    about: Vector,
    volume: f64,
    first: Vector,
    /// xx, yy, zz, xy, xz, yz.
    second: [f64; 6],
}

impl Moments {
    /// Adds the moments of another body, which are about another point.
    fn add(&mut self, other: &Self) {
        let [x, y, z] = minus(other.about, self.about);
        let [p, q, r] = other.first;
        let v = other.volume;
        let shifts = [
            2.0 * x * p + x * x * v,
            2.0 * y * q + y * y * v,
            2.0 * z * r + z * z * v,
            x * q + y * p + x * y * v,
            x * r + z * p + x * z * v,
            y * r + z * q + y * z * v,
        ];
        self.volume += v;
        self.first = plus(self.first, [p + x * v, q + y * v, r + z * v]);
        for k in 0..6 {
            self.second[k] += other.second[k] + shifts[k];
        }
    }

    /// The same body with the axes exchanged in turn, so that axis `k` becomes the last one.
    fn turned(self, last: usize) -> Self {
        // The old axis of each new one.
        let axes = [(last + 1) % 3, (last + 2) % 3, last];
        let mut new = self;
        let mixed = |i: usize, j: usize| match i.min(j) + i.max(j) {
            1 => 3,
            2 => 4,
            _ => 5,
        };
        for (from, &to) in axes.iter().enumerate() {
            new.about[to] = self.about[from];
            new.first[to] = self.first[from];
            new.second[to] = self.second[from];
        }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            new.second[mixed(axes[i], axes[j])] = self.second[mixed(i, j)];
        }
        new
    }

    fn properties(&self) -> MassProperties {
        let center = times(self.first, 1.0 / self.volume);
        let [x, y, z] = center;
        let shifts = [x * x, y * y, z * z, x * y, x * z, y * z];
        let s: [f64; 6] = std::array::from_fn(|k| self.second[k] - self.volume * shifts[k]);
        let tensor = [
            [s[1] + s[2], 0.0 - s[3], 0.0 - s[4]],
            [0.0 - s[3], s[0] + s[2], 0.0 - s[5]],
            [0.0 - s[4], 0.0 - s[5], s[0] + s[1]],
        ];
        let (moments, axes) = principal(tensor);
        MassProperties {
            volume: self.volume,
            center: plus(self.about, center),
            moments,
            axes,
        }
    }
}

/// The moments of a ball about its centre.
fn of_ball((center, radius): (Vector, f64)) -> Moments {
    let volume = 4.0 / 3.0 * PI * radius * radius * radius;
    let own = 0.2 * radius * radius * volume;
    Moments {
        about: center,
        volume,
        first: [0.0; 3],
        second: [own, own, own, 0.0, 0.0, 0.0],
    }
}

/// Integrals over a union of balls, along lines parallel to its longest axis.
fn integrated(given: &[(Vector, f64)]) -> Moments {
    let extent = |axis: usize| {
        let ends = given.iter().map(|&(c, r)| [c[axis] - r, c[axis] + r]);
        let [low, high] = ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], [a, b]| {
            [low.min(a), high.max(b)]
        });
        high - low
    };
    let last = (0..3)
        .max_by(|&i, &j| extent(i).total_cmp(&extent(j)))
        .unwrap_or(2);
    let axes = [(last + 1) % 3, (last + 2) % 3, last];
    let balls: Vec<(Vector, f64)> = given
        .iter()
        .map(|&(c, r)| (axes.map(|axis| c[axis]), r))
        .collect();
    along_z(&balls).turned(last)
}

/// Integrals over a union of balls, along lines parallel to z.
fn along_z(balls: &[(Vector, f64)]) -> Moments {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    let mut smallest = f64::INFINITY;
    for &(center, radius) in balls {
        smallest = smallest.min(radius);
        for k in 0..3 {
            low[k] = low[k].min(center[k] - radius);
            high[k] = high[k].max(center[k] + radius);
        }
    }
    let about = times(plus(low, high), 0.5);
    let counts: [f64; 2] = std::array::from_fn(|k| {
        let wanted = (high[k] - low[k]) / smallest * FINE;
        wanted.ceil().clamp(LINES[0], LINES[1])
    });
    let cell: [f64; 2] = std::array::from_fn(|k| (high[k] - low[k]) / counts[k]);
    let area = cell[0] * cell[1];
    let mut sum = Moments {
        about,
        ..Moments::default()
    };
    let [rows, columns] = counts.map(|count| count as usize);
    let mut spans: Vec<[f64; 2]> = Vec::new();
    for i in 0..rows {
        let x = low[0] + (i as f64 + 0.5) * cell[0];
        for j in 0..columns {
            let y = low[1] + (j as f64 + 0.5) * cell[1];
            spans.clear();
            for &([cx, cy, cz], radius) in balls {
                let square = radius * radius - (x - cx) * (x - cx) - (y - cy) * (y - cy);
                if square > 0.0 {
                    let half = square.sqrt();
                    spans.push([cz - half - about[2], cz + half - about[2]]);
                }
            }
            spans.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
            let (x, y) = (x - about[0], y - about[1]);
            let mut end = f64::NEG_INFINITY;
            for &[from, to] in &spans {
                let from = from.max(end);
                if to <= from {
                    continue;
                }
                end = to;
                let length = area * (to - from);
                let first = 0.5 * area * (to * to - from * from);
                sum.volume += length;
                sum.first = plus(sum.first, [x * length, y * length, first]);
                let third = area * (to * to * to - from * from * from) / 3.0;
                let second = [
                    x * x * length,
                    y * y * length,
                    third,
                    x * y * length,
                    x * first,
                    y * first,
                ];
                for k in 0..6 {
                    sum.second[k] += second[k];
                }
            }
        }
    }
    sum
}

/// Principal moments of a symmetric tensor, and the rotation from its principal axes: Jacobi's method.
fn principal(mut tensor: [Vector; 3]) -> (Vector, [f64; 4]) {
    let mut rotation = [1.0, 0.0, 0.0, 0.0];
    for _ in 0..50 {
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let off = |(i, j): &(usize, usize)| tensor[*i][*j].abs();
        let Some(&(i, j)) = pairs.iter().max_by(|a, b| off(a).total_cmp(&off(b))) else {
            break;
        };
        let scale = tensor[0][0].abs() + tensor[1][1].abs() + tensor[2][2].abs();
        if tensor[i][j].abs() <= 1e-17 * scale {
            break;
        }
        // The angle that makes the element vanish.
        let twice = (tensor[j][j] - tensor[i][i]) / (2.0 * tensor[i][j]);
        let sign = if twice < 0.0 { -1.0 } else { 1.0 };
        let tangent = sign / (twice.abs() + (twice * twice + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        let k = 3 - i - j;
        // About axis k; the sense of i, j, k.
        let sense = if (i, j) == (0, 2) { 1.0 } else { -1.0 };
        let half_cosine = (0.5 * (1.0 + cosine)).sqrt();
        let mut turn = [half_cosine, 0.0, 0.0, 0.0];
        turn[1 + k] = sense * 0.5 * sine / half_cosine;
        rotation = product(rotation, turn);
        let [a, b, c] = [tensor[i][i], tensor[j][j], tensor[i][j]];
        let [p, q] = [tensor[i][k], tensor[j][k]];
        tensor[i][i] = a - tangent * c;
        tensor[j][j] = b + tangent * c;
        (tensor[i][j], tensor[j][i]) = (0.0, 0.0);
        (tensor[i][k], tensor[j][k]) = (cosine * p - sine * q, sine * p + cosine * q);
        (tensor[k][i], tensor[k][j]) = (tensor[i][k], tensor[j][k]);
    }
    ([tensor[0][0], tensor[1][1], tensor[2][2]], rotation)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tensor that principal moments and axes make.
    fn tensor(moments: Vector, axes: [f64; 4]) -> [Vector; 3] {
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| rotated(axes, e));
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                (0..3)
                    .map(|k| moments[k] * columns[k][i] * columns[k][j])
                    .sum()
            })
        })
    }

    #[test]
    fn principal_axes_make_the_tensor_again() {
        for tensor_in in [
            [[3.0, 1.0, 0.5], [1.0, 4.0, -0.7], [0.5, -0.7, 5.0]],
            [[1.0, 0.0, 0.3], [0.0, 1.0, 0.0], [0.3, 0.0, 1.0]],
            [[2.0, -0.9, 0.0], [-0.9, 2.0, 0.0], [0.0, 0.0, 2.0]],
            [[1.0, 0.0, 0.0], [0.0, 2.0, 0.6], [0.0, 0.6, 2.0]],
        ] {
            let (moments, axes) = principal(tensor_in);
            let made = tensor(moments, axes);
            for i in 0..3 {
                for j in 0..3 {
                    assert!((made[i][j] - tensor_in[i][j]).abs() < 1e-14, "{made:?}");
                }
            }
        }
    }

    /// Pairs of overlapping balls far apart are as exact as near ones; so is a chain along any direction.
    #[test]
    fn wide_clumps_are_resolved() {
        let pair = |x: f64, y: f64| [([x, y, 0.0], 0.01), ([x + 0.01, y, 0.0], 0.01)];
        let one = mass_properties(&pair(0.0, 0.0));
        let two = [pair(0.0, 0.0), pair(10.0, 7.0)].concat();
        let found = mass_properties(&two);
        assert!(
            (found.volume / (2.0 * one.volume) - 1.0).abs() < 1e-12,
            "{found:?}"
        );
        let chain: Vec<(Vector, f64)> = (0..20)
            .map(|i| {
                let x = 0.7 * f64::from(i);
                ([x, 0.5 * x, 0.3 * x], 1.0)
            })
            .collect();
        let found = mass_properties(&chain);
        let step = 0.7 * f64::sqrt(1.0 + 0.25 + 0.09);
        let lens = PI * (4.0 + step) * (2.0 - step) * (2.0 - step) / 12.0;
        // Balls that are not neighbours overlap within their neighbour only.
        let volume = 20.0 * 4.0 / 3.0 * PI - 19.0 * lens;
        assert!(
            (found.volume / volume - 1.0).abs() < 1e-4,
            "{} {volume}",
            found.volume
        );
        for k in 0..3 {
            let middle = [6.65, 3.325, 1.995][k];
            assert!((found.center[k] - middle).abs() < 1e-3, "{found:?}");
        }
    }

    /// Two balls that overlap: volumes of caps in closed form.
    #[test]
    fn overlapping_balls_count_once() {
        let balls = [([0.0, 0.0, 0.0], 1.0), ([1.0, 0.0, 0.0], 1.0)];
        let found = mass_properties(&balls);
        let lens = PI * (4.0 + 1.0) * (2.0 - 1.0) * (2.0 - 1.0) / 12.0;
        let volume = 8.0 / 3.0 * PI - lens;
        assert!((found.volume / volume - 1.0).abs() < 2e-5, "{found:?}");
        assert!((found.center[0] - 0.5).abs() < 1e-9 && found.center[1].abs() < 1e-9);
    }

    #[test]
    fn balls_apart_are_summed() {
        // A dumbbell: I = 2 (2/5 m r^2 + m d^2) across, 4/5 m r^2 along.
        let found = mass_properties(&[([0.0, 0.0, -2.0], 1.0), ([0.0, 0.0, 2.0], 1.0)]);
        let mass = 4.0 / 3.0 * PI;
        assert!((found.volume - 2.0 * mass).abs() < 1e-12);
        let across = 2.0 * mass * (0.4 + 4.0);
        for (moment, expected) in found.moments.into_iter().zip([across, across, 0.8 * mass]) {
            assert!((moment - expected).abs() < 1e-12, "{found:?}");
        }
    }
}
