//! The first spheres of a sphere packing. They are packed in stages, each of which ends with a
//! relaxation.
//!
//! Where a body is equally thick over some length (tubes, rods, plates), the largest sphere fits in
//! many positions, and arbitrary choices leave gaps of any length. Therefore the first spheres are
//! packed in stages: each stage adds the largest spheres that fit and then closes gaps by a
//! [relaxation](super::relaxation). When a relaxation no longer gains volume, all other spheres are
//! packed greedily, and no sphere moves any more.
//!
//! The requested number of spheres decides only how many stages there are.

use super::PackSettings;
use super::container::Container;
use super::greedy::{Greedy, filled, slack};
use super::octree::Octree;
use super::relaxation::relaxed;
use super::sphere_index::{Sphere, SphereIndex};
use crate::error::Result;

/// The number of spheres that the first stage packs.
const FIRST: usize = 16;

/// Stages end before they would pack more than the requested number of spheres divided by this.
const SHARE: usize = 8;

/// The maximum number of spheres that are packed in stages.
const MOST: usize = 1 << 13;

/// The smallest worthwhile gain of volume by the relaxation of a stage, as a fraction of the
/// unfilled volume.
const GAIN: f64 = 4e-3;

/// The number of successive stages with a gain below [`GAIN`] after which there are no more stages.
const PATIENCE: usize = 2;

/// A stage does not count for [`PATIENCE`] if its smallest sphere has more than this fraction of
/// the radius of its largest: more spheres of that size may fit.
const SMALL: f64 = 0.6;

/// The fraction of relaxed spheres that are kept for the next stage, as numerator and denominator.
/// The smallest fifth is dropped and packed anew.
const KEPT: (usize, usize) = (4, 5);

/// Returns the first spheres of a packing, fewer than the settings request; none if no relaxation
/// gains enough volume ([`GAIN`]).
pub(super) fn first_spheres(
    container: &mut impl Container,
    settings: &PackSettings,
) -> Result<Vec<Sphere>> {
    let most = settings.spheres.map_or(MOST, |all| (all / SHARE).min(MOST));
    let smallest = settings.smallest.unwrap_or(0.0);
    let full = settings.filling.unwrap_or(1.0) * container.volume();
    let bounds = container.bounds();
    let slack = slack(&bounds);
    let octree = Octree::around(&bounds, slack);
    let index = || SphereIndex::new(octree.low, octree.edge);
    let (mut kept, mut wanted, mut patience) = (Vec::new(), FIRST, PATIENCE);
    while wanted <= most && patience > 0 {
        let stage = PackSettings {
            spheres: Some(wanted),
            ..*settings
        };
        let packed = Greedy::new(container, smallest, &kept).run(&stage, &mut |_| ())?;
        if packed.len() < wanted {
            break;
        }
        let mut spheres = relaxed(container, &packed, index, slack)?;
        spheres.retain(|sphere| sphere[3] >= smallest);
        let (before, after) = (filled(&packed), filled(&spheres));
        let gain = (after - before) / (container.volume() - before);
        if after >= full {
            break;
        }
        if gain >= GAIN {
            spheres.truncate(spheres.len() * KEPT.0 / KEPT.1);
            kept = spheres;
            patience = PATIENCE;
        } else if packed[wanted - 1][3] < SMALL * packed[0][3] {
            patience -= 1;
        }
        wanted += wanted / 2;
    }
    Ok(kept)
}
