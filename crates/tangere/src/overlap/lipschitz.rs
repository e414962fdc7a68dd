//! Lipschitz constants: how fast the penetration volume can change with the pose.
//!
//! Let the spheres of packing `a` move, each by no more than `δ`. The volume that they share with a
//! fixed set changes by what flows through the surfaces of the spheres. A sphere of radius `r` that
//! moves by `δ` sweeps over `π r² δ` at its front and leaves as much at its back; the volume gained
//! and the volume lost have opposite signs. So the shared volume changes by at most `δ Σ π r²`,
//! summed over the spheres of `a`. The same holds for the sum over the spheres of packing `b`; the
//! lesser sum is the bound. Weights multiply the terms.
//!
//! The upper bound of the penetration volume adds the unfilled volume near the other body, summed
//! over the cells of a lattice (`unfilled`). The fraction of a cell's unfilled volume that is added
//! falls from 1 to 0 over a length `f` as the distance of the cell from that body grows. Distances
//! are interpolated between the corners of cells, and the distances of two corners differ by no
//! more than the corners are apart. So a motion by `δ` changes an interpolated distance by at most
//! `√3 δ`, and what a cell adds by at most `√3 δ / f` of its volume in the sum.

use crate::shape::Packing;
use std::f64::consts::PI;

/// Lipschitz constants of the penetration volume: the largest change of a volume per unit of
/// motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lipschitz {
    /// The Lipschitz constant of the lower bound of the penetration volume, which is the volume
    /// that the spheres share.
    pub lower: f64,
    /// The Lipschitz constant of the estimate of the penetration volume, and of the lower and upper
    /// bounds between which the estimate is clamped.
    pub volume: f64,
}

/// Returns the Lipschitz constants of the penetration volume of two bodies. At any pose, a motion
/// that moves no point of either body farther than `δ` relative to the other changes volumes by at
/// most `δ` times these constants.
///
/// ```
/// use tangere::overlap::lipschitz;
/// use tangere::shape::Packing;
///
/// let ball = Packing::new(vec![[0.0; 3]], vec![2.0])?;
/// assert!((lipschitz(&ball, &ball).lower - 4.0 * std::f64::consts::PI).abs() < 1e-14);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn lipschitz(a: &Packing, b: &Packing) -> Lipschitz {
    let [of_a, of_b] = [a, b].map(CrossSections::new);
    let lower = of_a.sum.min(of_b.sum);
    let estimate = (of_a.weighted * of_b.weight).min(of_b.weighted * of_a.weight);
    let mut upper = lower;
    let mut body: f64 = 0.0;
    for unfilled in [a.unfilled(), b.unfilled()].into_iter().flatten() {
        let [of_unfilled, of_body] = unfilled.changes();
        upper += of_unfilled;
        body = body.max(of_body);
    }
    Lipschitz {
        lower,
        volume: estimate.max(upper).max(body),
    }
}

/// The sums of the cross sections `π r²` of the spheres of a packing, plain and weighted.
struct CrossSections {
    sum: f64,
    weighted: f64,
    /// The largest weight of a sphere of the packing.
    weight: f64,
}

impl CrossSections {
    /// Sums the cross sections of a packing's spheres, which bound the Lipschitz constants.
    fn new(packing: &Packing) -> Self {
        let mut fronts = Self {
            sum: 0.0,
            weighted: 0.0,
            weight: 0.0,
        };
        for (i, r) in packing.radii().iter().enumerate() {
            let (area, weight) = (PI * r * r, packing.weight(i));
            fronts.sum += area;
            fronts.weighted += weight * area;
            fronts.weight = fronts.weight.max(weight);
        }
        fronts
    }
}
