//! Side of a point and the confidence in it, from the point's generalised winding number, for
//! surfaces that may have leaks.
//!
//! The winding number is far from 1/2 at points far from holes, so its distance from 1/2 is a
//! measure of confidence. Not so near inverted triangles: just beneath one, the value is close to 0
//! where it should be 1. There ray parity is the better test: inverted triangles do not change it,
//! and holes change it only along the rays that pass through them. So six rays along the axes vote
//! for or against the side, and a small majority lowers the confidence.

use super::crossing_test::{Corners, Crossings};
use super::exact::Column;
use super::leaks::Leaks;
use super::ray_tree::TreeCrossings;
use super::solid_angle::Fraction;
use super::{InsideRule, Side};
use crate::error::Result;
use crate::shape::TriMesh;

/// The magnitude of the winding number of a point from which on rays do not vote on its side, under
/// the nonzero rule. A larger value means that several layers of the surface enclose the point, and
/// then the parity of crossings does not determine the side.
const ONE_LAYER: f64 = 1.25;

/// The side of a point off the surface, with the confidence in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) side: Side,
    /// The confidence in the side, from 0 (nothing is certain) to 1 (certain).
    pub(crate) confidence: f64,
}

/// The classifier of a surface, which turns winding numbers into sides.
#[derive(Clone, Debug)]
pub(crate) struct WindingClassifier {
    rule: InsideRule,
    leaks: Leaks,
    votes: Option<Votes>,
}

/// The triangles of a surface and their BVH, with which six axis-parallel rays from a point vote
/// for or against its side by the parity of their crossings.
#[derive(Clone, Debug)]
struct Votes {
    triangles: Vec<Corners>,
    crossings: TreeCrossings,
}

impl WindingClassifier {
    /// The classifier of points by their winding numbers about a surface. If the surface has
    /// [leaks](Leaks), then a BVH is built for the rays that vote.
    pub(crate) fn new(mesh: &TriMesh, rule: InsideRule) -> Result<Self> {
        let leaks = Leaks::of(mesh, rule);
        let votes = match leaks.is_none() {
            true => None,
            false => Some(Votes::new(mesh)?),
        };
        Ok(WindingClassifier { rule, leaks, votes })
    }

    /// Whether the surface of the winding classifier has no leaks under its containment rule.
    pub(crate) fn is_sound(&self) -> bool {
        self.leaks.is_none()
    }

    /// The description `what` of a method, followed, for a surface with leaks, by the reason why
    /// winding numbers decide.
    pub(crate) fn reason(&self, what: String) -> String {
        match self.is_sound() {
            true => what,
            false => format!(
                "{what}; the surface has {}, so winding numbers decide",
                self.leaks.counts()
            ),
        }
    }

    /// The classifier's verdict on the point `p`, which is off the surface: its side, from its
    /// winding number, and the confidence in the side.
    ///
    /// A point is inside if the magnitude of its winding number exceeds 1/2 or, under the parity
    /// rule, if the nearest integer is odd. For a surface without leaks, the confidence is 1 if all
    /// values within the error of the winding number have the same nearest integer, and 0
    /// otherwise. For a surface with leaks, the confidence is twice the [margin](Self::margin),
    /// between 0 and 1, and at most the majority of the votes.
    pub(crate) fn verdict(&self, p: [f64; 3], winding: Fraction) -> Verdict {
        let Fraction { value, error } = winding;
        // The comparisons below would take NaN for a clear case.
        if !(value.is_finite() && error.is_finite()) {
            return Verdict {
                side: Side::Outside,
                confidence: 0.0,
            };
        }
        let nearest = value.round();
        let inside = match self.rule {
            InsideRule::Nonzero => value.abs() > 0.5,
            // Remainders of floats are exact.
            InsideRule::Parity => nearest % 2.0 != 0.0,
        };
        let side = if inside { Side::Inside } else { Side::Outside };
        let margin = self.margin(winding);
        let Some(votes) = &self.votes else {
            let confidence = if margin > 0.0 { 1.0 } else { 0.0 };
            return Verdict { side, confidence };
        };
        let mut confidence = (2.0 * margin).clamp(0.0, 1.0);
        if confidence > 0.0 && (self.rule == InsideRule::Parity || value.abs() < ONE_LAYER) {
            confidence = confidence.min(votes.majority(p, inside));
        }
        Verdict { side, confidence }
    }

    /// Whether the winding number decides the side of the point: all values within its error give
    /// the same side, so that the classifier's verdict cannot change if the error is made smaller.
    pub(crate) fn is_clear(&self, winding: Fraction) -> bool {
        self.margin(winding) > 0.0
    }

    /// The distance of a winding number from the classifier's nearest threshold, at which the side
    /// changes, less the error of the winding number. For the nonzero rule and a surface with
    /// leaks, thresholds are 1/2 and -1/2, and the distance is at most 1/2. Otherwise thresholds
    /// are halfway between integers.
    fn margin(&self, Fraction { value, error }: Fraction) -> f64 {
        let distance = match self.rule {
            InsideRule::Nonzero if self.votes.is_some() => (value.abs() - 0.5).abs().min(0.5),
            _ => 0.5 - (value - value.round()).abs(),
        };
        distance - error
    }
}

impl Votes {
    /// Builds the BVH of a surface for the six rays that vote on the winding classifier's verdict.
    fn new(mesh: &TriMesh) -> Result<Self> {
        let faces = 0..mesh.faces().len();
        let triangles: Vec<Corners> = faces.map(|f| mesh.triangle(f)).collect();
        Ok(Votes {
            crossings: TreeCrossings::new(&triangles)?,
            triangles,
        })
    }

    /// The majority by which the winding classifier's six rays agree with the side of the point
    /// `p`: the number of agreeing rays less that of disagreeing rays, over six; 0 if most
    /// disagree. `inside` is whether the side is inside.
    fn majority(&self, p: [f64; 3], inside: bool) -> f64 {
        let columns = [0, 1, 2].map(|axis| [Column::up(axis), Column::down(axis)]);
        let agrees = |column: &Column| {
            let winding = self.crossings.along(&self.triangles, p, *column);
            winding.is_some_and(|w| (w & 1 != 0) == inside)
        };
        let agreeing = columns.as_flattened().iter().filter(|c| agrees(c)).count();
        (agreeing as f64 / 3.0 - 1.0).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// A winding number that is NaN has confidence 0.
    #[test]
    fn nan_has_no_confidence() {
        let sphere = generate::sphere(1).unwrap();
        let faces = sphere.faces().to_vec();
        let open = TriMesh::new(sphere.vertices().to_vec(), faces[1..].to_vec()).unwrap();
        for mesh in [&sphere, &open] {
            for rule in InsideRule::ALL {
                let classifier = WindingClassifier::new(mesh, rule).unwrap();
                let confidence = |value: f64, error: f64| {
                    let verdict = classifier.verdict([0.0; 3], Fraction { value, error });
                    verdict.confidence
                };
                assert!(confidence(1.0, 0.0) > 0.0);
                for (value, error) in [(f64::NAN, 0.0), (f64::INFINITY, 0.0), (1.0, f64::NAN)] {
                    assert_eq!(confidence(value, error), 0.0, "{rule}: {value} {error}");
                }
            }
        }
    }
}
