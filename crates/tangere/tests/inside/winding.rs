//! Oracle of point containment: exact winding numbers. A ray with a direction of its own is tested
//! against triangles with integers of any size. It shares nothing with the library's predicates,
//! columns, cells or trees.
//!
//! [`Oracle::winding`] is fast: triangles are binned by their projection along the ray, and signs
//! that floats decide are not computed again. Bins and floats rely on error bounds;
//! [`Oracle::winding_by_all`] uses neither, along another direction, and checks these bounds.

use num_bigint::{BigInt, Sign};
use tangere::shape::TriMesh;
use test_support::exact::{Vector, cross, dot, minus};

type Corners = [[f64; 3]; 3];

/// Directions of rays. No edge of a mesh on a lattice lies in a plane with one of them and a
/// point of that lattice.
const DIRECTIONS: [[f64; 3]; 4] = [
    [1.0, 0.012_345_67, -0.008_765_432],
    [1.0, 0.011_223_344, 0.014_142_135],
    [1.0, -0.013_717_421, 0.009_876_543],
    [1.0, -0.017_320_508, -0.012_121_212],
];

/// A surface and the bins of its triangles.
pub struct Oracle {
    triangles: Vec<Corners>,
    bins: Bins,
}

impl Oracle {
    /// The oracle of a surface.
    pub fn new(mesh: &TriMesh) -> Self {
        let triangles = (0..mesh.faces().len()).map(|f| mesh.triangle(f));
        let triangles: Vec<Corners> = triangles.collect();
        let bins = Bins::new(&triangles, DIRECTIONS[0]);
        Oracle { triangles, bins }
    }

    /// The winding number of a point; `None` if the point lies on the surface.
    pub fn winding(&self, p: [f64; 3]) -> Option<i64> {
        if (0..3).any(|k| p[k] < self.bins.bounds[0][k] || p[k] > self.bins.bounds[1][k]) {
            return Some(0);
        }
        let seen = self.bins.near(p).iter();
        let seen = seen.map(|&f| &self.triangles[f as usize]);
        match along(seen, p, DIRECTIONS[0], quick_sign) {
            Ray::Counted(winding) => Some(winding),
            Ray::StartsOn => None,
            Ray::Degenerate => self.by_every_triangle(p, quick_sign),
        }
    }

    /// The winding number of a point, by a test of every triangle with integers alone.
    pub fn winding_by_all(&self, p: [f64; 3]) -> Option<i64> {
        self.by_every_triangle(p, exact_sign)
    }

    fn by_every_triangle(&self, p: [f64; 3], sign: Determinant) -> Option<i64> {
        for direction in &DIRECTIONS[1..] {
            match along(self.triangles.iter(), p, *direction, sign) {
                Ray::Counted(winding) => return Some(winding),
                Ray::StartsOn => return None,
                Ray::Degenerate => {}
            }
        }
        panic!("all rays from {p:?} meet edges")
    }
}

/// Bins of triangles: squares of a plane across the direction, with the triangles projected into
/// them.
struct Bins {
    direction: [f64; 3],
    bounds: [[f64; 3]; 2],
    least: [f64; 2],
    width: [f64; 2],
    edge: usize,
    first: Vec<u32>,
    triangles: Vec<u32>,
}

/// A projected box: its lower and its upper corner.
type Projected = [[f64; 2]; 2];

impl Bins {
    fn new(triangles: &[Corners], direction: [f64; 3]) -> Self {
        let corners = || triangles.iter().flatten();
        let extreme = |pick: fn(f64, f64) -> f64, start: f64| {
            [0, 1, 2].map(|k| corners().fold(start, |most, v| pick(most, v[k])))
        };
        let bounds = [
            extreme(f64::min, f64::INFINITY),
            extreme(f64::max, f64::NEG_INFINITY),
        ];
        // Twice the rounding of the projections of a corner and of a point in the box.
        let unsure = 4e-15 * bounds.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
        let mut bins = Bins {
            direction,
            bounds,
            least: [0.0; 2],
            width: [0.0; 2],
            edge: ((triangles.len() as f64).sqrt() as usize).clamp(1, 2000),
            first: Vec::new(),
            triangles: Vec::new(),
        };
        let seen: Vec<Projected> = triangles.iter().map(|t| bins.seen(t, unsure)).collect();
        for k in 0..2 {
            let least = seen.iter().fold(f64::INFINITY, |m, s| m.min(s[0][k]));
            let most = seen.iter().fold(f64::NEG_INFINITY, |m, s| m.max(s[1][k]));
            bins.least[k] = least;
            bins.width[k] = (most - least) / bins.edge as f64;
        }
        if bins.width[0].min(bins.width[1]) < 2.0 * unsure {
            bins.edge = 1;
        }
        let mut first = vec![0; bins.edge * bins.edge + 1];
        for seen in &seen {
            bins.cover(seen, |bin| first[bin + 1] += 1);
        }
        for bin in 1..first.len() {
            first[bin] += first[bin - 1];
        }
        let mut filled = vec![0; first[first.len() - 1] as usize];
        let mut next = first.clone();
        for (f, seen) in (0u32..).zip(&seen) {
            bins.cover(seen, |bin| {
                filled[next[bin] as usize] = f;
                next[bin] += 1;
            });
        }
        (bins.first, bins.triangles) = (first, filled);
        bins
    }

    /// The projection of a point along the direction onto the plane `x = 0`.
    fn projected(&self, p: [f64; 3]) -> [f64; 2] {
        [1, 2].map(|k| p[k] - self.direction[k] * p[0])
    }

    /// The projected box of a triangle, enlarged for rounding.
    fn seen(&self, triangle: &Corners, slack: f64) -> Projected {
        let projections = triangle.map(|v| self.projected(v));
        let least = |k: usize| projections.iter().fold(f64::INFINITY, |m, p| m.min(p[k]));
        let most = |k: usize| {
            projections
                .iter()
                .fold(f64::NEG_INFINITY, |m, p| m.max(p[k]))
        };
        [
            [0, 1].map(|k| least(k) - slack),
            [0, 1].map(|k| most(k) + slack),
        ]
    }

    /// The square of the bins that contains a projected point, or the nearest square.
    fn square(&self, projection: [f64; 2]) -> [usize; 2] {
        [0, 1].map(|k| {
            let at = (projection[k] - self.least[k]) / self.width[k];
            (at as usize).min(self.edge - 1)
        })
    }

    fn cover(&self, seen: &Projected, mut visit: impl FnMut(usize)) {
        let [from, to] = seen.map(|projection| self.square(projection));
        for j in from[1]..=to[1] {
            for i in from[0]..=to[0] {
                visit(j * self.edge + i);
            }
        }
    }

    /// The triangles that the ray from a point in the box of the surface may meet.
    fn near(&self, p: [f64; 3]) -> &[u32] {
        let [i, j] = self.square(self.projected(p));
        let bin = j * self.edge + i;
        &self.triangles[self.first[bin] as usize..self.first[bin + 1] as usize]
    }
}

enum Ray {
    Counted(i64),
    StartsOn,
    Degenerate,
}

/// The sign of the determinant of a direction and the vectors from a point to two others, or of the
/// vectors from a point to three others.
type Determinant = fn(First, [f64; 3], [f64; 3], [f64; 3]) -> i64;

#[derive(Clone, Copy)]
enum First {
    Direction([f64; 3]),
    Corner([f64; 3]),
}

/// The crossings of the ray from a point along a direction.
///
/// With the corners `a`, `b`, `c` relative to the point, the line along `d` meets the triangle if
/// `[d a b]`, `[d b c]` and `[d c a]` do not have different signs. It meets the plane at `t d` with
/// `t = [a b c] / ([d a b] + [d b c] + [d c a])`, along the normal if that sum is positive.
fn along<'a>(
    triangles: impl Iterator<Item = &'a Corners>,
    p: [f64; 3],
    d: [f64; 3],
    sign: Determinant,
) -> Ray {
    let mut winding = 0;
    let mut is_degenerate = false;
    for triangle in triangles {
        let [a, b, c] = *triangle;
        let turn = |u, v| sign(First::Direction(d), u, v, p);
        let turns = [turn(a, b), turn(b, c), turn(c, a)];
        if turns.contains(&1) && turns.contains(&-1) {
            continue;
        }
        let volume = sign(First::Corner(a), b, c, p);
        if volume == 0 && holds(triangle, p) {
            return Ray::StartsOn;
        }
        match turns {
            [0, 0, 0] => is_degenerate |= !has_no_area(triangle),
            _ if turns.contains(&0) => {
                let side: i64 = turns.iter().sum::<i64>().signum();
                is_degenerate |= volume == side;
            }
            _ if volume == turns[0] => winding += turns[0],
            _ => {}
        }
    }
    match is_degenerate {
        true => Ray::Degenerate,
        false => Ray::Counted(winding),
    }
}

/// The sign of a determinant, by floats if they are certain, otherwise by integers. Differences
/// have errors of half a last place, products of three add 5 halves and sums 2: 16 last places of
/// the sum of magnitudes are more than enough unless numbers underflow.
fn quick_sign(first: First, b: [f64; 3], c: [f64; 3], p: [f64; 3]) -> i64 {
    let from = |v: [f64; 3]| [v[0] - p[0], v[1] - p[1], v[2] - p[2]];
    let u = match first {
        First::Direction(d) => d,
        First::Corner(a) => from(a),
    };
    let (v, w) = (from(b), from(c));
    let (mut sum, mut size) = (0.0, 0.0);
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (plus, minus) = (v[i] * w[j], v[j] * w[i]);
        sum += u[k] * (plus - minus);
        size += u[k].abs() * (plus.abs() + minus.abs());
    }
    let bound = 16.0 * f64::EPSILON * size;
    if bound > 1e-250 && sum.abs() > bound {
        return if sum > 0.0 { 1 } else { -1 };
    }
    exact_sign(first, b, c, p)
}

fn exact_sign(first: First, b: [f64; 3], c: [f64; 3], p: [f64; 3]) -> i64 {
    let (u, v, w) = match first {
        First::Direction(d) => {
            let [b, c, p] = integers([b, c, p]);
            let [d] = integers([d]);
            (d, minus(&b, &p), minus(&c, &p))
        }
        First::Corner(a) => {
            let [a, b, c, p] = integers([a, b, c, p]);
            (minus(&a, &p), minus(&b, &p), minus(&c, &p))
        }
    };
    sign_of(&dot(&u, &cross(&v, &w)))
}

/// Whether a triangle, which may have no area, contains a point of its plane.
fn holds(&[a, b, c]: &Corners, p: [f64; 3]) -> bool {
    let [a, b, c, p] = integers([a, b, c, p]);
    let [a, b, c] = [a, b, c].map(|v| minus(&v, &p));
    let normal = cross(&minus(&b, &a), &minus(&c, &a));
    let edges = [(&a, &b), (&b, &c), (&c, &a)];
    if is_zero(&normal) {
        // On one of its edges: at an end or between opposite directions.
        let holds = |(u, v): &(&Vector, &Vector)| is_zero(&cross(u, v)) && sign_of(&dot(u, v)) <= 0;
        return edges.iter().any(holds);
    }
    let is_within = |(u, v): &(&Vector, &Vector)| sign_of(&dot(&cross(u, v), &normal)) >= 0;
    edges.iter().all(is_within)
}

fn has_no_area(&[a, b, c]: &Corners) -> bool {
    let [a, b, c] = integers([a, b, c]);
    is_zero(&cross(&minus(&b, &a), &minus(&c, &a)))
}

/// Floats as integers, all multiplied by the same power of two.
fn integers<const N: usize>(points: [[f64; 3]; N]) -> [Vector; N] {
    let exponent = |x: f64| ((x.to_bits() >> 52) & 0x7ff) as i64;
    let numbers = points.iter().flatten().filter(|x| **x != 0.0);
    let least = numbers.map(|&x| exponent(x)).min().unwrap_or(1);
    assert!(least > 0, "a subnormal number");
    points.map(|p| {
        p.map(|x| {
            if x == 0.0 {
                return BigInt::from(0);
            }
            let mantissa = BigInt::from((x.to_bits() & ((1 << 52) - 1)) | (1 << 52));
            let magnitude = mantissa << (exponent(x) - least);
            if x < 0.0 { -magnitude } else { magnitude }
        })
    })
}

fn sign_of(x: &BigInt) -> i64 {
    match x.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

fn is_zero(a: &Vector) -> bool {
    a.iter().all(|x| x.sign() == Sign::NoSign)
}
