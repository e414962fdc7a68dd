//! GJK: a separating axis of the convex hulls of the control points of two patches.
//!
//! The axis is accurate to a few per cent only, which suffices: any axis gives a valid bound
//! (`hull_bound`).

use super::bezier_patch::{Form, Net, Patch};
use super::face_pair::FacePair;
use crate::geometry::triangle::closest_on_triangle;
use crate::geometry::vector::{cross, dot, minus};

/// Maximum number of iterations of GJK for two patches; few pairs take more than six.
const STEPS: u32 = 16;

/// GJK ends when the gap of the two hulls along the current axis is at least this fraction of the
/// current distance of their nearest points.
const ENOUGH: f64 = 0.98;

/// The control points of a patch in world directions, relative to the centre of body `a`.
pub(super) type World = [[f64; 3]; 9];

/// Result of GJK for two hulls that do not overlap: a separating axis and the nearest points.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeparatedHulls {
    /// The separating axis of the two hulls, as unit vector from hull `a` to hull `b`.
    pub(super) normal: [f64; 3],
    /// The nearest point of each hull, as parameters `(u, v)` in the domain of its patch.
    pub(super) uvs: [[f64; 2]; 2],
}

/// A vertex of the Minkowski difference of two hulls, from its support function.
#[derive(Clone, Copy, Debug)]
struct Corner {
    of: [usize; 2],
    point: [f64; 3],
}

/// The support function of GJK on the Minkowski difference of two hulls of control points: the
/// vertex of least projection on `n`.
fn corner(hulls: [&World; 2], n: [f64; 3]) -> Corner {
    let [a, b] = hulls;
    let mut of = [0, 0];
    let (mut high, mut low) = (dot(n, a[0]), dot(n, b[0]));
    for i in 1..9 {
        let (x, y) = (dot(n, a[i]), dot(n, b[i]));
        if x > high {
            (high, of[0]) = (x, i);
        }
        if y < low {
            (low, of[1]) = (y, i);
        }
    }
    Corner {
        of,
        point: minus(b[of[1]], a[of[0]]),
    }
}

/// A separating axis of the convex hulls of the control points of two patches, by GJK from an
/// initial axis; `None` if the hulls overlap or nearly do.
pub(super) fn hulls_apart(
    pair: &FacePair,
    patches: [&Patch; 2],
    nets: &[Net; 2],
    from: [f64; 3],
) -> Option<SeparatedHulls> {
    let world = |of: usize| std::array::from_fn(|i| pair.control(of, &nets[of], i));
    let forms = [patches[0].form, patches[1].form];
    separating_axis([&world(0), &world(1)], forms, from)
}

/// The separating axis of two hulls of control points, by GJK from the initial axis `from`; `None`
/// if the hulls overlap or nearly do.
fn separating_axis(hulls: [&World; 2], forms: [Form; 2], from: [f64; 3]) -> Option<SeparatedHulls> {
    let mut corners = [corner(hulls, from); 4];
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut count = 1;
    let mut nearest = corners[0].point;
    let mut last = f64::INFINITY;
    for _ in 0..STEPS {
        let square = dot(nearest, nearest);
        // A step that does not come nearer ends the search: only rounding is left.
        if square.is_nan() || square <= 0.0 || square >= last {
            break;
        }
        last = square;
        let next = corner(hulls, nearest);
        if dot(nearest, next.point) >= ENOUGH * square {
            let distance = square.sqrt();
            let mut uvs = [[0.0; 2]; 2];
            for i in 0..count {
                for (side, uv) in uvs.iter_mut().enumerate() {
                    let at = middle(forms[side], corners[i].of[side]);
                    for k in 0..2 {
                        uv[k] += weights[i] * at[k];
                    }
                }
            }
            return Some(SeparatedHulls {
                normal: nearest.map(|x| x / distance),
                uvs,
            });
        }
        corners[count] = next;
        count += 1;
        let reduced = reduce(&corners, count)?;
        (corners, weights, count, nearest) = reduced;
    }
    None
}

/// Reduces the simplex of GJK on two hulls of control points to its smallest face that contains its
/// point nearest to the origin. Returns the corners of that face, the barycentric weights of the
/// nearest point, the number of corners, and the nearest point. `None` if the origin is inside the
/// simplex.
#[allow(clippy::type_complexity)]
fn reduce(corners: &[Corner; 4], count: usize) -> Option<([Corner; 4], [f64; 4], usize, [f64; 3])> {
    let mut best: Option<(f64, [usize; 3], [f64; 3], [f64; 3])> = None;
    let mut offer = |of: [usize; 3]| {
        let found = closest_on_triangle([0.0; 3], of.map(|i| corners[i].point));
        if best.is_none_or(|(square, ..)| found.distance_squared < square) {
            best = Some((found.distance_squared, of, found.barycentric, found.point));
        }
    };
    match count {
        2 => offer([0, 1, 1]),
        3 => offer([0, 1, 2]),
        _ => {
            let [a, b, c, d] = corners.map(|corner| corner.point);
            let volume = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| dot(p, cross(q, r));
            let whole = volume(minus(b, a), minus(c, a), minus(d, a));
            let parts = [
                volume(b, c, d),
                -volume(a, c, d),
                volume(a, b, d),
                -volume(a, b, c),
            ];
            if parts.iter().all(|part| part * whole > 0.0) {
                return None;
            }
            // The newest corner is on the side of the origin.
            [[0, 1, 3], [0, 2, 3], [1, 2, 3]]
                .into_iter()
                .for_each(offer);
        }
    }
    let (_, of, weights, point) = best?;
    let mut kept = *corners;
    let mut out = [0.0; 4];
    let mut count = 0;
    for (i, weight) in of.into_iter().zip(weights) {
        if weight > 0.0 {
            kept[count] = corners[i];
            out[count] = weight;
            count += 1;
        }
    }
    Some((kept, out, count, point))
}

/// The parameters of control point `i` of a patch: its Greville abscissa. From these GJK computes
/// the parameters of the nearest points of two hulls.
fn middle(form: Form, i: usize) -> [f64; 2] {
    const TRIANGLE: [[f64; 2]; 6] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [0.0, 1.0],
        [0.5, 0.0],
        [0.5, 0.5],
        [0.0, 0.5],
    ];
    const SQUARE: [[f64; 2]; 9] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, 1.0],
        [0.0, 1.0],
        [0.5, 0.0],
        [1.0, 0.5],
        [0.5, 1.0],
        [0.0, 0.5],
        [0.5, 0.5],
    ];
    match form {
        Form::Point => [0.0; 2],
        Form::Triangle => TRIANGLE[i % 6],
        Form::Quadrilateral => SQUARE[i],
    }
}
