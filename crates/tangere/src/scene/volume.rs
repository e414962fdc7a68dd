//! Penetration volume of contacts in closed form: of two spheres, and of a sphere and a half-space.

use super::rounded::RoundedKind;
use super::shape::Element;
use super::{Scene, SceneContact};
use crate::overlap::lens;

impl Scene {
    /// The penetration volume of a contact: that of the intersection of two spheres, or of a sphere and
    /// a half-space; NaN for other pairs, whose volume [`overlap`](crate::overlap) computes.
    pub fn volume(&self, contact: &SceneContact) -> f64 {
        let element = |id: u64, part: u32| {
            let shape = self.shape(id).ok()?;
            Some(&shape.parts().get(part as usize)?.element)
        };
        let sphere = |element: Option<&Element>| match element {
            Some(Element::Rounded(x)) if x.kind() == RoundedKind::Sphere => Some(x.radius()),
            _ => None,
        };
        let elements = [
            element(contact.a, contact.parts[0]),
            element(contact.b, contact.parts[1]),
        ];
        let gap = contact.contact.gap;
        match (elements.map(sphere), elements) {
            ([Some(r), Some(s)], _) => lens(r + s + gap, [r, s]).volume,
            ([Some(r), _], [_, Some(Element::HalfSpace(_))])
            | ([_, Some(r)], [Some(Element::HalfSpace(_)), _]) => {
                // A cap of height h has the volume pi h^2 (r - h / 3).
                let height = (0.0 - gap).clamp(0.0, 2.0 * r);
                std::f64::consts::PI * height * height * (r - height / 3.0)
            }
            _ => f64::NAN,
        }
    }
}
