//! Shape functions of finite element faces, and their derivatives.
//!
//! There is one type for each kind, so that the number of nodes is a constant and nothing is
//! allocated. With `N` nodes a call costs a few `N` operations.
//!
//! In one dimension the quadratic functions of the nodes -1, 1, 0 are `x(x - 1)/2`, `x(x + 1)/2`,
//! `1 - x^2`; those of `Quad9` are products of two of these. With `t = 1 - r - s` the functions of
//! `Tri6` are `t(2t - 1)`, `r(2r - 1)`, `s(2s - 1)`, `4rt`, `4rs`, `4st`. Those of `Quad8` are,
//! with `x` and `y` each -1 or 1: `(1 + x xi_1)(1 + y xi_2)(x xi_1 + y xi_2 - 1)/4` for the corner
//! `(x, y)`, and for the midside nodes `(1 - xi_1^2)(1 + y xi_2)/2` at `(0, y)` and
//! `(1 + x xi_1)(1 - xi_2^2)/2` at `(x, 0)`.

use super::FaceKind;

/// The shape functions of a kind of face with `N` nodes.
///
/// For segments only the first coordinate of `xi` is used, and derivatives with respect to the
/// second are 0.
pub trait Basis<const N: usize> {
    /// The kind of face to which these shape functions belong.
    const KIND: FaceKind;

    /// Returns the values of the shape functions at `xi`, one for each node; their sum is 1 up to
    /// rounding.
    fn values(xi: [f64; 2]) -> [f64; N];

    /// Returns the gradients of the shape functions at `xi`, one for each node: the derivatives
    /// along both reference coordinates.
    fn gradients(xi: [f64; 2]) -> [[f64; 2]; N];

    /// Returns the second derivatives of the shape functions at `xi`, three for each node: twice
    /// along the first reference coordinate, once along each, and twice along the second.
    fn hessians(xi: [f64; 2]) -> [[f64; 3]; N];
}

/// The shape functions of [`FaceKind::Seg2`].
#[derive(Clone, Copy, Debug)]
pub struct Seg2;

/// The shape functions of [`FaceKind::Seg3`].
#[derive(Clone, Copy, Debug)]
pub struct Seg3;

/// The shape functions of [`FaceKind::Tri3`].
#[derive(Clone, Copy, Debug)]
pub struct Tri3;

/// The shape functions of [`FaceKind::Tri6`].
#[derive(Clone, Copy, Debug)]
pub struct Tri6;

/// The shape functions of [`FaceKind::Quad4`].
#[derive(Clone, Copy, Debug)]
pub struct Quad4;

/// The shape functions of [`FaceKind::Quad8`].
#[derive(Clone, Copy, Debug)]
pub struct Quad8;

/// The shape functions of [`FaceKind::Quad9`].
#[derive(Clone, Copy, Debug)]
pub struct Quad9;

/// Runs `$body` with `$basis` as the name of the type that has the shape functions of the kind of
/// face `$kind`.
macro_rules! with_basis {
    ($kind:expr, $basis:ident => $body:expr) => {
        match $kind {
            $crate::shape::face::FaceKind::Seg2 => {
                type $basis = $crate::shape::face::Seg2;
                $body
            }
            $crate::shape::face::FaceKind::Seg3 => {
                type $basis = $crate::shape::face::Seg3;
                $body
            }
            $crate::shape::face::FaceKind::Tri3 => {
                type $basis = $crate::shape::face::Tri3;
                $body
            }
            $crate::shape::face::FaceKind::Tri6 => {
                type $basis = $crate::shape::face::Tri6;
                $body
            }
            $crate::shape::face::FaceKind::Quad4 => {
                type $basis = $crate::shape::face::Quad4;
                $body
            }
            $crate::shape::face::FaceKind::Quad8 => {
                type $basis = $crate::shape::face::Quad8;
                $body
            }
            $crate::shape::face::FaceKind::Quad9 => {
                type $basis = $crate::shape::face::Quad9;
                $body
            }
        }
    };
}
pub(crate) use with_basis;

/// Returns the two linear shape functions of one reference coordinate at `x`, and their
/// derivatives.
#[inline]
fn linear(x: f64) -> ([f64; 2], [f64; 2]) {
    ([0.5 * (1.0 - x), 0.5 * (1.0 + x)], [-0.5, 0.5])
}

/// Returns the three quadratic shape functions of one reference coordinate at `x` (those of the two
/// ends, then that of the middle) and their derivatives. Their second derivatives are [`SECOND`].
#[inline]
fn quadratic(x: f64) -> ([f64; 3], [f64; 3]) {
    (
        [0.5 * x * (x - 1.0), 0.5 * x * (x + 1.0), 1.0 - x * x],
        [x - 0.5, x + 0.5, -2.0 * x],
    )
}

/// The second derivatives of the three quadratic shape functions of one reference coordinate: those
/// of the two ends, then that of the middle.
const SECOND: [f64; 3] = [1.0, 1.0, -2.0];

/// For each node of a quadrilateral, the indices `[i, j]` of two shape functions of one coordinate.
/// The shape function of the node is function `i` of the first reference coordinate times function
/// `j` of the second.
const PRODUCTS: [[usize; 2]; 9] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [2, 0],
    [1, 2],
    [2, 1],
    [0, 2],
    [2, 2],
];

impl Basis<2> for Seg2 {
    const KIND: FaceKind = FaceKind::Seg2;

    #[inline]
    fn values(xi: [f64; 2]) -> [f64; 2] {
        linear(xi[0]).0
    }

    #[inline]
    fn gradients(_: [f64; 2]) -> [[f64; 2]; 2] {
        [[-0.5, 0.0], [0.5, 0.0]]
    }

    #[inline]
    fn hessians(_: [f64; 2]) -> [[f64; 3]; 2] {
        [[0.0; 3]; 2]
    }
}

impl Basis<3> for Seg3 {
    const KIND: FaceKind = FaceKind::Seg3;

    #[inline]
    fn values(xi: [f64; 2]) -> [f64; 3] {
        quadratic(xi[0]).0
    }

    #[inline]
    fn gradients(xi: [f64; 2]) -> [[f64; 2]; 3] {
        quadratic(xi[0]).1.map(|slope| [slope, 0.0])
    }

    #[inline]
    fn hessians(_: [f64; 2]) -> [[f64; 3]; 3] {
        SECOND.map(|bent| [bent, 0.0, 0.0])
    }
}

impl Basis<3> for Tri3 {
    const KIND: FaceKind = FaceKind::Tri3;

    #[inline]
    fn values([r, s]: [f64; 2]) -> [f64; 3] {
        [1.0 - r - s, r, s]
    }

    #[inline]
    fn gradients(_: [f64; 2]) -> [[f64; 2]; 3] {
        [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]
    }

    #[inline]
    fn hessians(_: [f64; 2]) -> [[f64; 3]; 3] {
        [[0.0; 3]; 3]
    }
}

impl Basis<6> for Tri6 {
    const KIND: FaceKind = FaceKind::Tri6;

    #[inline]
    fn values([r, s]: [f64; 2]) -> [f64; 6] {
        let t = 1.0 - r - s;
        [
            t * (2.0 * t - 1.0),
            r * (2.0 * r - 1.0),
            s * (2.0 * s - 1.0),
            4.0 * r * t,
            4.0 * r * s,
            4.0 * s * t,
        ]
    }

    #[inline]
    fn gradients([r, s]: [f64; 2]) -> [[f64; 2]; 6] {
        let t = 1.0 - r - s;
        let fall = 1.0 - 4.0 * t;
        [
            [fall, fall],
            [4.0 * r - 1.0, 0.0],
            [0.0, 4.0 * s - 1.0],
            [4.0 * (t - r), -4.0 * r],
            [4.0 * s, 4.0 * r],
            [-4.0 * s, 4.0 * (t - s)],
        ]
    }

    #[inline]
    fn hessians(_: [f64; 2]) -> [[f64; 3]; 6] {
        [
            [4.0, 4.0, 4.0],
            [4.0, 0.0, 0.0],
            [0.0, 0.0, 4.0],
            [-8.0, -4.0, 0.0],
            [0.0, 4.0, 0.0],
            [0.0, -4.0, -8.0],
        ]
    }
}

impl Basis<4> for Quad4 {
    const KIND: FaceKind = FaceKind::Quad4;

    #[inline]
    fn values(xi: [f64; 2]) -> [f64; 4] {
        let ((u, _), (v, _)) = (linear(xi[0]), linear(xi[1]));
        std::array::from_fn(|k| u[PRODUCTS[k][0]] * v[PRODUCTS[k][1]])
    }

    #[inline]
    fn gradients(xi: [f64; 2]) -> [[f64; 2]; 4] {
        let ((u, du), (v, dv)) = (linear(xi[0]), linear(xi[1]));
        std::array::from_fn(|k| {
            let [i, j] = PRODUCTS[k];
            [du[i] * v[j], u[i] * dv[j]]
        })
    }

    #[inline]
    fn hessians(_: [f64; 2]) -> [[f64; 3]; 4] {
        [
            [0.0, 0.25, 0.0],
            [0.0, -0.25, 0.0],
            [0.0, 0.25, 0.0],
            [0.0, -0.25, 0.0],
        ]
    }
}

impl Basis<8> for Quad8 {
    const KIND: FaceKind = FaceKind::Quad8;

    #[inline]
    fn values([u, v]: [f64; 2]) -> [f64; 8] {
        let (round_u, round_v) = (0.5 * (1.0 - u * u), 0.5 * (1.0 - v * v));
        let corner = |x: f64, y: f64| {
            let (p, q) = (x * u, y * v);
            0.25 * (1.0 + p) * (1.0 + q) * (p + q - 1.0)
        };
        [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
            round_u * (1.0 - v),
            (1.0 + u) * round_v,
            round_u * (1.0 + v),
            (1.0 - u) * round_v,
        ]
    }

    #[inline]
    fn gradients([u, v]: [f64; 2]) -> [[f64; 2]; 8] {
        let (round_u, round_v) = (0.5 * (1.0 - u * u), 0.5 * (1.0 - v * v));
        let corner = |x: f64, y: f64| {
            let (p, q) = (x * u, y * v);
            [
                0.25 * x * (1.0 + q) * (2.0 * p + q),
                0.25 * y * (1.0 + p) * (p + 2.0 * q),
            ]
        };
        [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
            [-u * (1.0 - v), -round_u],
            [round_v, -v * (1.0 + u)],
            [-u * (1.0 + v), round_u],
            [-round_v, -v * (1.0 - u)],
        ]
    }

    #[inline]
    fn hessians([u, v]: [f64; 2]) -> [[f64; 3]; 8] {
        let corner = |x: f64, y: f64| {
            let (p, q) = (x * u, y * v);
            [
                0.5 * (1.0 + q),
                0.25 * x * y * (2.0 * p + 2.0 * q + 1.0),
                0.5 * (1.0 + p),
            ]
        };
        [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
            [-(1.0 - v), u, 0.0],
            [0.0, -v, -(1.0 + u)],
            [-(1.0 + v), -u, 0.0],
            [0.0, v, -(1.0 - u)],
        ]
    }
}

impl Basis<9> for Quad9 {
    const KIND: FaceKind = FaceKind::Quad9;

    #[inline]
    fn values(xi: [f64; 2]) -> [f64; 9] {
        let ((u, _), (v, _)) = (quadratic(xi[0]), quadratic(xi[1]));
        PRODUCTS.map(|[i, j]| u[i] * v[j])
    }

    #[inline]
    fn gradients(xi: [f64; 2]) -> [[f64; 2]; 9] {
        let ((u, du), (v, dv)) = (quadratic(xi[0]), quadratic(xi[1]));
        PRODUCTS.map(|[i, j]| [du[i] * v[j], u[i] * dv[j]])
    }

    #[inline]
    fn hessians(xi: [f64; 2]) -> [[f64; 3]; 9] {
        let ((u, du), (v, dv)) = (quadratic(xi[0]), quadratic(xi[1]));
        PRODUCTS.map(|[i, j]| [SECOND[i] * v[j], du[i] * dv[j], u[i] * SECOND[j]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns points of the reference domain with dyadic coordinates, at which shape functions are
    /// computed without rounding.
    fn places(kind: FaceKind) -> Vec<[f64; 2]> {
        let grid = (-8..=8).flat_map(|i| (-8..=8).map(move |j| [i, j].map(|k| f64::from(k) / 8.0)));
        let flat = kind.dimension() == 1;
        grid.filter(|&xi| kind.contains(xi) && (!flat || xi[1] == 0.0))
            .collect()
    }

    fn check<const N: usize, B: Basis<N>>() {
        let kind = B::KIND;
        assert_eq!(kind.nodes(), N);
        for (i, &node) in kind.node_coordinates().iter().enumerate() {
            let values = B::values(node);
            for (k, &value) in values.iter().enumerate() {
                assert_eq!(value, f64::from(u8::from(i == k)), "{kind} {i} {k}");
            }
        }
        const H: f64 = 1.0 / 1024.0;
        for xi in places(kind) {
            assert_eq!(B::values(xi).iter().sum::<f64>(), 1.0);
            let (gradients, hessians) = (B::gradients(xi), B::hessians(xi));
            let moved = |axis: usize, h: f64| {
                let mut moved = xi;
                moved[axis] += h;
                moved
            };
            for axis in 0..kind.dimension() {
                assert_eq!(gradients.iter().map(|g| g[axis]).sum::<f64>(), 0.0);
                // Central differences are exact for parabolas along one axis.
                let (above, below) = (moved(axis, H), moved(axis, -H));
                let (f, g) = (B::values(above), B::values(below));
                let (df, dg) = (B::gradients(above), B::gradients(below));
                for k in 0..N {
                    let slope = (f[k] - g[k]) / (2.0 * H);
                    assert!((gradients[k][axis] - slope).abs() < 1e-12, "{kind} {k}");
                    let own = (df[k][axis] - dg[k][axis]) / (2.0 * H);
                    assert!((hessians[k][2 * axis] - own).abs() < 1e-11, "{kind} {k}");
                    let mixed = (df[k][1 - axis] - dg[k][1 - axis]) / (2.0 * H);
                    assert!((hessians[k][1] - mixed).abs() < 1e-11, "{kind} {k}");
                }
            }
        }
    }

    #[test]
    fn functions_are_one_at_their_node_and_derivatives_are_differences() {
        check::<2, Seg2>();
        check::<3, Seg3>();
        check::<3, Tri3>();
        check::<6, Tri6>();
        check::<4, Quad4>();
        check::<8, Quad8>();
        check::<9, Quad9>();
    }
}
