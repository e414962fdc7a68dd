//! Contact of two spheres in closed form: `gap = |c_b - c_a| - (r_a + r_b)`.

use super::{ANY_NORMAL, ROUNDING, status};
use crate::contact::{Contact, Feature};
use crate::geometry::vector::{length, minus};

/// The contact of two spheres. A sphere has one feature, vertex 0: the centre that is its core.
#[inline(always)]
pub(in super::super) fn contact([a, b]: [[f64; 3]; 2], [radius_a, radius_b]: [f64; 2]) -> Contact {
    let between = minus(b, a);
    let distance = length(between);
    let normal = match distance > 0.0 {
        true => between.map(|x| x / distance),
        false => ANY_NORMAL,
    };
    let gap = distance - (radius_a + radius_b);
    let error = ROUNDING * (distance + radius_a + radius_b);
    let bounds = [gap - error, gap + error];
    Contact {
        gap,
        lower: bounds[0],
        upper: bounds[1],
        point_a: std::array::from_fn(|k| a[k] + radius_a * normal[k]),
        point_b: std::array::from_fn(|k| b[k] - radius_b * normal[k]),
        normal,
        feature_a: Feature::vertex(0),
        feature_b: Feature::vertex(0),
        status: status(bounds),
        steps: 0,
    }
}
