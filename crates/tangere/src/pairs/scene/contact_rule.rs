//! The contact rule of the broad phase: whether two spheres or two boxes touch, their gap and
//! normal.

use super::Shapes;

impl<const D: usize> Shapes<D> {
    /// The gap and the normal of the contact rule: those of item `a` and of item `b` after it is
    /// shifted by `shift`. The gap is negative if the items overlap. The normal is the unit vector
    /// from `a` to `b`. Boxes have their normal along the axis of the largest gap or the smallest
    /// overlap. If the centres of spheres coincide, the normal lies along the first axis.
    pub(in super::super) fn separation(
        &self,
        a: usize,
        b: usize,
        shift: [f64; D],
    ) -> (f64, [f64; D]) {
        let mut axis = [0.0; D];
        axis[0] = 1.0;
        match self {
            Shapes::Spheres { centers, radii } => {
                let offset: [f64; D] =
                    std::array::from_fn(|k| (centers[b][k] - centers[a][k]) + shift[k]);
                let distance = crate::geometry::Vector::from(offset).norm();
                let normal = match distance > 0.0 {
                    true => offset.map(|x| x / distance),
                    false => axis,
                };
                (distance - (radii[a] + radii[b]), normal)
            }
            Shapes::Boxes { lower, upper } => {
                let mut widest = (f64::NEG_INFINITY, axis);
                for k in 0..D {
                    let after = (lower[b][k] - upper[a][k]) + shift[k];
                    let before = (lower[a][k] - upper[b][k]) - shift[k];
                    for (gap, side) in [(after, 1.0), (before, -1.0)] {
                        if gap > widest.0 {
                            let mut normal = [0.0; D];
                            normal[k] = side;
                            widest = (gap, normal);
                        }
                    }
                }
                widest
            }
        }
    }

    /// The contact rule: whether the gap between item `a` and item `b`, shifted by `shift`, is at
    /// most `margin`.
    #[inline]
    pub(in super::super) fn touch(&self, a: usize, b: usize, shift: [f64; D], margin: f64) -> bool {
        match self {
            Shapes::Spheres { centers, radii } => {
                let offset: [f64; D] =
                    std::array::from_fn(|k| (centers[b][k] - centers[a][k]) + shift[k]);
                spheres_touch(offset, radii[a] + radii[b] + margin)
            }
            Shapes::Boxes { lower, upper } => boxes_touch(
                (&lower[a], &upper[a]),
                (&lower[b], &upper[b]),
                shift,
                margin,
            ),
        }
    }
}

/// The contact rule of spheres: whether they touch if their centres differ by `offset` and `reach`
/// is the sum of their radii and the margin. Evaluated in this order and without fused
/// multiply-add, so that ties are decided alike everywhere.
#[inline(always)]
pub(in super::super) fn spheres_touch<const D: usize>(offset: [f64; D], reach: f64) -> bool {
    let mut square = offset[0] * offset[0];
    for k in 1..D {
        square += offset[k] * offset[k];
    }
    square <= reach * reach
}

/// The contact rule of boxes: whether box `b`, shifted by `shift`, is within `margin` of box `a`
/// along every axis. Branch-free, for candidate lists.
#[inline(always)]
pub(in super::super) fn boxes_touch<const D: usize>(
    a: (&[f64; D], &[f64; D]),
    b: (&[f64; D], &[f64; D]),
    shift: [f64; D],
    margin: f64,
) -> bool {
    (0..D).fold(true, |touch, k| {
        let after = (b.0[k] - a.1[k]) + shift[k];
        let before = (a.0[k] - b.1[k]) - shift[k];
        touch & (after <= margin) & (before <= margin)
    })
}
