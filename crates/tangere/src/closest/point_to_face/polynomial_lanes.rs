//! Values and derivatives of face polynomials in lanes: of one face, or of eight at once.
//!
//! A face is a row of numbers: its origin, the power of two that brings its size to about 1, and
//! the coefficients of its polynomial relative to that origin in that unit. In it no product
//! overflows or vanishes, whatever the size of the face.

use super::polynomial::{Domain, Polynomial};
use crate::shape::{Face, FaceKind};
use crate::simd::{LANES, Reals};

/// Numbers of the longest row.
pub(super) const ROW: usize = 32;

/// The index of the first coefficient in a row.
const COEFFICIENTS: usize = 4;

/// Eight numbers of a row.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Block(pub [f64; LANES]);

/// Rows in lanes.
pub(super) type Row<V> = [V; ROW];

/// Points in lanes.
pub(super) type Point<V> = [V; 3];

// No closures here: they may not be inlined, and then are not compiled for the wide registers.

/// A point of a face, and its Taylor coefficients: half of second derivatives, and so on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet<V> {
    pub x: Point<V>,
    pub u: Point<V>,
    pub v: Point<V>,
    pub uu: Point<V>,
    pub uv: Point<V>,
    pub vv: Point<V>,
    pub uuv: Point<V>,
    pub uvv: Point<V>,
    pub uuvv: Point<V>,
}

/// A kind of face polynomial.
pub(super) trait Form {
    const DOMAIN: Domain;
    /// The monomials `u^i v^j` that it has, in the order of its row.
    const POWERS: &'static [[usize; 2]];
    /// Whether it is quadratic along lines of constant `u` or `v`.
    const HAS_SQUARES: bool;
    /// Whether there are third derivatives.
    const HAS_CUBES: bool;
    fn jet<V: Reals>(row: &Row<V>, xi: [V; 2]) -> Jet<V>;
}

/// Both kinds of segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment;
/// Triangles of six nodes; flat ones are in `flat_triangle`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle;
/// Quadrilaterals of four nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bilinear;
/// Quadrilaterals of eight nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Serendipity;
/// Quadrilaterals of nine nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Biquadratic;

/// Runs `$body` with `$form` bound to the form of a kind of face.
macro_rules! with_form {
    ($kind:expr, $form:ident => $body:expr) => {{
        use $crate::closest::point_to_face::polynomial_lanes;
        use $crate::shape::FaceKind;
        match $kind {
            FaceKind::Seg2 | FaceKind::Seg3 => {
                type $form = polynomial_lanes::Segment;
                $body
            }
            FaceKind::Tri3 | FaceKind::Tri6 => {
                type $form = polynomial_lanes::Triangle;
                $body
            }
            FaceKind::Quad4 => {
                type $form = polynomial_lanes::Bilinear;
                $body
            }
            FaceKind::Quad8 => {
                type $form = polynomial_lanes::Serendipity;
                $body
            }
            FaceKind::Quad9 => {
                type $form = polynomial_lanes::Biquadratic;
                $body
            }
        }
    }};
}
pub(super) use with_form;

/// All lanes.
#[inline(always)]
pub(super) fn all<V: Reals>() -> V::Mask {
    V::splat(0.0).below(V::splat(1.0))
}

/// No lane.
#[inline(always)]
pub(super) fn none<V: Reals>() -> V::Mask {
    V::splat(1.0).below(V::splat(0.0))
}

/// Whether a mask is set in all lanes.
#[inline(always)]
pub(super) fn is_all<V: Reals>(mask: V::Mask) -> bool {
    V::bits(mask) == V::bits(all::<V>())
}

#[inline(always)]
pub(super) fn is_any<V: Reals>(mask: V::Mask) -> bool {
    V::bits(mask) != 0
}

/// Mask of lanes where `x <= bound`, or either is NaN.
#[inline(always)]
pub(super) fn at_most<V: Reals>(x: V, bound: V) -> V::Mask {
    V::and_not(all::<V>(), bound.below(x))
}

/// Selects by mask: `yes` where it is set, else `no`.
#[inline(always)]
pub(super) fn selected<V: Reals>(mask: V::Mask, yes: [V; 2], no: [V; 2]) -> [V; 2] {
    [
        V::select(mask, yes[0], no[0]),
        V::select(mask, yes[1], no[1]),
    ]
}

#[inline(always)]
pub(super) fn clamped<V: Reals>(x: V, low: f64, high: f64) -> V {
    x.max(V::splat(low)).min(V::splat(high))
}

#[inline(always)]
pub(super) fn dot<V: Reals>(a: Point<V>, b: Point<V>) -> V {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}

#[inline(always)]
pub(super) fn minus<V: Reals>(a: Point<V>, b: Point<V>) -> Point<V> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn times<V: Reals>(a: Point<V>, t: V) -> Point<V> {
    [a[0] * t, a[1] * t, a[2] * t]
}

/// `a + t b`.
#[inline(always)]
pub(super) fn plus<V: Reals>(a: Point<V>, t: V, b: Point<V>) -> Point<V> {
    [
        b[0].mul_add(t, a[0]),
        b[1].mul_add(t, a[1]),
        b[2].mul_add(t, a[2]),
    ]
}

#[inline(always)]
pub(super) fn zero<V: Reals>() -> Point<V> {
    [V::splat(0.0); 3]
}

#[inline(always)]
fn coefficient<V: Reals>(row: &Row<V>, i: usize) -> Point<V> {
    let at = COEFFICIENTS + 3 * i;
    [row[at], row[at + 1], row[at + 2]]
}

impl Form for Segment {
    const DOMAIN: Domain = Domain::Segment;
    const POWERS: &'static [[usize; 2]] = &[[0, 0], [1, 0], [2, 0]];
    const HAS_SQUARES: bool = true;
    const HAS_CUBES: bool = false;

    #[inline(always)]
    fn jet<V: Reals>(row: &Row<V>, xi: [V; 2]) -> Jet<V> {
        let (a, b, c) = (
            coefficient(row, 0),
            coefficient(row, 1),
            coefficient(row, 2),
        );
        let u = xi[0];
        Jet {
            x: plus(a, u, plus(b, u, c)),
            u: plus(b, u + u, c),
            uu: c,
            ..nothing()
        }
    }
}

#[inline(always)]
fn nothing<V: Reals>() -> Jet<V> {
    Jet {
        x: zero(),
        u: zero(),
        v: zero(),
        uu: zero(),
        uv: zero(),
        vv: zero(),
        uuv: zero(),
        uvv: zero(),
        uuvv: zero(),
    }
}

impl Form for Triangle {
    const DOMAIN: Domain = Domain::Triangle;
    const POWERS: &'static [[usize; 2]] = &[[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]];
    const HAS_SQUARES: bool = true;
    const HAS_CUBES: bool = false;

    #[inline(always)]
    fn jet<V: Reals>(row: &Row<V>, [u, v]: [V; 2]) -> Jet<V> {
        let (uu, uv, vv) = (
            coefficient(row, 3),
            coefficient(row, 4),
            coefficient(row, 5),
        );
        // x = c0 + u (c1 + u uu + v uv) + v (c2 + v vv)
        let along_u = plus(coefficient(row, 1), v, uv);
        let along_v = plus(coefficient(row, 2), v, vv);
        Jet {
            x: plus(
                plus(coefficient(row, 0), v, along_v),
                u,
                plus(along_u, u, uu),
            ),
            u: plus(along_u, u + u, uu),
            v: plus(plus(along_v, v, vv), u, uv),
            uu,
            uv,
            vv,
            ..nothing()
        }
    }
}

impl Form for Bilinear {
    const DOMAIN: Domain = Domain::Square;
    const POWERS: &'static [[usize; 2]] = &[[0, 0], [1, 0], [0, 1], [1, 1]];
    const HAS_SQUARES: bool = false;
    const HAS_CUBES: bool = false;

    #[inline(always)]
    fn jet<V: Reals>(row: &Row<V>, [u, v]: [V; 2]) -> Jet<V> {
        let along_u = plus(coefficient(row, 1), v, coefficient(row, 3));
        Jet {
            x: plus(
                plus(coefficient(row, 0), v, coefficient(row, 2)),
                u,
                along_u,
            ),
            u: along_u,
            v: plus(coefficient(row, 2), u, coefficient(row, 3)),
            uv: coefficient(row, 3),
            ..nothing()
        }
    }
}

impl Form for Serendipity {
    const DOMAIN: Domain = Domain::Square;
    const POWERS: &'static [[usize; 2]] = Biquadratic::POWERS.split_at(8).0;
    const HAS_SQUARES: bool = true;
    const HAS_CUBES: bool = true;

    #[inline(always)]
    fn jet<V: Reals>(row: &Row<V>, [u, v]: [V; 2]) -> Jet<V> {
        let uuv = coefficient(row, 6);
        jet_on_square(row, [u, v], plus(coefficient(row, 3), v, uuv), uuv)
    }
}

impl Form for Biquadratic {
    const DOMAIN: Domain = Domain::Square;
    const POWERS: &'static [[usize; 2]] = &[
        [0, 0],
        [1, 0],
        [0, 1],
        [2, 0],
        [1, 1],
        [0, 2],
        [2, 1],
        [1, 2],
        [2, 2],
    ];
    const HAS_SQUARES: bool = true;
    const HAS_CUBES: bool = true;

    #[inline(always)]
    fn jet<V: Reals>(row: &Row<V>, [u, v]: [V; 2]) -> Jet<V> {
        let (c21, c12, c22) = (
            coefficient(row, 6),
            coefficient(row, 7),
            coefficient(row, 8),
        );
        let uu = plus(coefficient(row, 3), v, plus(c21, v, c22));
        Jet {
            vv: plus(coefficient(row, 5), u, plus(c12, u, c22)),
            uvv: plus(c12, u + u, c22),
            uuvv: c22,
            ..jet_on_square(row, [u, v], uu, plus(c21, v + v, c22))
        }
    }
}

/// The jet of a face of eight coefficients, with its second derivative along `u` and the derivative of that along `v`.
#[inline(always)]
fn jet_on_square<V: Reals>(row: &Row<V>, [u, v]: [V; 2], uu: Point<V>, uuv: Point<V>) -> Jet<V> {
    let c12 = coefficient(row, 7);
    let twice = v + v;
    let r0 = plus(
        coefficient(row, 0),
        v,
        plus(coefficient(row, 2), v, coefficient(row, 5)),
    );
    let r1 = plus(coefficient(row, 1), v, plus(coefficient(row, 4), v, c12));
    let s0 = plus(coefficient(row, 2), twice, coefficient(row, 5));
    let s1 = plus(coefficient(row, 4), twice, c12);
    Jet {
        x: plus(r0, u, plus(r1, u, uu)),
        u: plus(r1, u + u, uu),
        v: plus(s0, u, plus(s1, u, uuv)),
        uu,
        uv: plus(s1, u + u, uuv),
        vv: plus(coefficient(row, 5), u, c12),
        uuv,
        uvv: c12,
        uuvv: zero(),
    }
}

/// The number of blocks of the row of a face.
pub(super) fn blocks(kind: FaceKind) -> usize {
    match kind {
        FaceKind::Tri3 => 2,
        _ => {
            let powers = with_form!(kind, F => <F as Form>::POWERS.len());
            (COEFFICIENTS + 3 * powers).div_ceil(LANES)
        }
    }
}

/// The inverse of the greatest power of two that is not above `x`; 1 if there is none.
pub(super) fn inverse_power(x: f64) -> f64 {
    if x.is_normal() {
        crate::simd::One(x).inverse_power().0
    } else {
        1.0
    }
}

/// The row of a face that is not a flat triangle.
pub(super) fn row(face: &Face) -> [Block; ROW / LANES] {
    let kind = face.kind();
    // Relative to its own center no digits are lost far from the origin.
    let origin = face.point(kind.center());
    let polynomial = Polynomial::new(face, origin);
    let scale = inverse_power(polynomial.extent());
    let mut row = [0.0; ROW];
    row[..3].copy_from_slice(&origin);
    row[3] = scale;
    let c = polynomial.coefficients();
    let powers = with_form!(kind, F => <F as Form>::POWERS);
    for (place, &[i, j]) in row[COEFFICIENTS..].chunks_exact_mut(3).zip(powers) {
        place.copy_from_slice(&c[i][j].map(|x| x * scale));
    }
    blocked(&row)
}

/// A row as blocks of eight.
pub(super) fn blocked(row: &[f64; ROW]) -> [Block; ROW / LANES] {
    let mut blocks = [Block::default(); ROW / LANES];
    for (block, numbers) in blocks.iter_mut().zip(row.chunks_exact(LANES)) {
        block.0.copy_from_slice(numbers);
    }
    blocks
}

/// The polynomial of a row.
pub(super) fn polynomial<F: Form>(row: &Row<crate::simd::One>) -> Polynomial {
    let mut c = [[[0.0; 3]; 3]; 3];
    for (n, &[i, j]) in F::POWERS.iter().enumerate() {
        let [x, y, z] = coefficient(row, n);
        c[i][j] = [x.0, y.0, z.0];
    }
    Polynomial::from_coefficients(F::DOMAIN, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::simd::One;

    /// Points and derivatives are those of the face itself.
    #[test]
    fn jets_agree_with_faces() {
        let mut random = Random::new(9);
        for kind in FaceKind::ALL {
            if kind == FaceKind::Tri3 {
                continue;
            }
            for _ in 0..50 {
                let mut number = || 2.0 * random.unit() - 1.0;
                let nodes: Vec<[f64; 3]> = (0..kind.nodes())
                    .map(|_| [(); 3].map(|()| number()))
                    .collect();
                let face = Face::new(kind, &nodes).unwrap();
                let blocks = row(&face);
                let numbers: Vec<f64> = blocks.iter().flat_map(|block| block.0).collect();
                let row: Row<One> = std::array::from_fn(|i| One(numbers[i]));
                let scale = row[3].0;
                let xi = [0.4 + 0.3 * number(), 0.3 + 0.2 * number()];
                let xi = if kind.dimension() == 1 {
                    [xi[0], 0.0]
                } else {
                    xi
                };
                let jet = with_form!(kind, F => F::jet(&row, xi.map(One)));
                let [uu, uv, vv] = face.second_derivatives(xi);
                let half = |x: [f64; 3]| x.map(|x| 0.5 * x);
                let origin = face.point(kind.center());
                let point = face.point(xi);
                let about = std::array::from_fn(|k| point[k] - origin[k]);
                let tangents = face.tangents(xi);
                let mut pairs = vec![(jet.x, about), (jet.u, tangents[0]), (jet.uu, half(uu))];
                if kind.dimension() == 2 {
                    pairs.extend([(jet.v, tangents[1]), (jet.uv, uv), (jet.vv, half(vv))]);
                }
                for (n, (found, expected)) in pairs.into_iter().enumerate() {
                    for k in 0..3 {
                        let error = (found[k].0 / scale - expected[k]).abs();
                        assert!(error < 1e-13, "{kind} {n}: {found:?} {expected:?}");
                    }
                }
            }
        }
    }
}
