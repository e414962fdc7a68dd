//! Polynomials in lanes: values and derivatives of the polynomial of one finite element face, or of
//! eight faces at once.

use super::face_row::{Row, coefficient};
use super::lane_vectors::{Point, plus, zero};
use super::polynomial::Domain;
use crate::simd::Reals;

// No closures here: they may not be inlined, and then are not compiled for the wide registers.

/// A point of a face `x(u, v)` and the Taylor coefficients there: derivatives along the letters of
/// their name, divided by 2 for each repeated letter. So `u` and `v` are first derivatives, and
/// `uu` and `vv` are halves of second derivatives.
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

/// The form of the polynomials of some kinds of faces: their reference domain, their monomials, and
/// how their jet, value and derivatives, is computed.
pub(super) trait Form {
    /// The reference domain of the faces whose polynomials have this form.
    const DOMAIN: Domain;
    /// The monomials `u^i v^j` of the form as `[i, j]`, in the order of their coefficients in a
    /// face row.
    const POWERS: &'static [[usize; 2]];
    /// Whether polynomials of this form have squares of `u` or `v`, so that `uu` or `vv` is not 0.
    const HAS_SQUARES: bool;
    /// Whether polynomials of this form have third derivatives that are not 0.
    const HAS_CUBES: bool;
    /// The jet in lanes, value and derivatives, of face polynomials at the reference coordinates
    /// `xi`. `row` has the face row of each lane.
    fn jet<V: Reals>(row: &Row<V>, xi: [V; 2]) -> Jet<V>;
}

/// The form of the polynomials of segments of two or three nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment;
/// The form of the polynomials of triangles of six nodes; for those of three nodes see
/// `flat_triangle`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle;
/// The form of the polynomials of quadrilaterals of four nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bilinear;
/// The form of the polynomials of quadrilaterals of eight nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Serendipity;
/// The form of the polynomials of quadrilaterals of nine nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Biquadratic;

/// Evaluates the expression `$body`, in which the type `$form` is the polynomial form of the faces
/// of a kind.
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

impl Form for Segment {
    const DOMAIN: Domain = Domain::Segment;
    const POWERS: &'static [[usize; 2]] = &[[0, 0], [1, 0], [2, 0]];
    const HAS_SQUARES: bool = true;
    const HAS_CUBES: bool = false;

    /// The jet in lanes of the polynomials of segments.
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

/// The jet whose values and derivatives are 0 in all lanes.
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

    /// The jet in lanes of the polynomials of triangles of six nodes.
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

    /// The jet in lanes of the polynomials of quadrilaterals of four nodes.
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

    /// The jet in lanes of the polynomials of quadrilaterals of eight nodes.
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

    /// The jet in lanes of the polynomials of quadrilaterals of nine nodes.
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

/// The jet in lanes, value and derivatives, of face polynomials on the square with eight
/// coefficients. The Taylor coefficients `uu` and `uuv`, the derivative of `uu` along `v`, are
/// given.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closest::point_to_face::face_row::row;
    use crate::generate::Random;
    use crate::shape::{Face, FaceKind};
    use crate::simd::One;

    /// The points and derivatives of jets are those of the face itself.
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
