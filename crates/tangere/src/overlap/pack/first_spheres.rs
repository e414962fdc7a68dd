//! Few large spheres, settled; then more.
//!
//! Where a body is as thick over a length, tubes, rods and plates, the largest sphere fits in many places, and
//! spheres that take any of them leave gaps of any length. So the first spheres are packed in
//! stages: as many as the stage wants, the largest that fit; then they [settle](super::relaxation), which closes gaps, and what
//! was small beside them makes room. Where this no longer pays, all others follow, and nothing moves any more.
//!
//! Stages do not depend on how many spheres are wanted, but for when they end.

use super::PackSettings;
use super::container::Container;
use super::greedy::{Greedy, filled, slack};
use super::octree::Octree;
use super::relaxation::relaxed;
use super::sphere_index::{Sphere, SphereIndex};
use crate::error::Result;

/// The spheres of the first stage.
const FIRST: usize = 16;

/// Stages have no more than a share of all spheres: one out of so many.
const SHARE: usize = 8;

/// The most spheres of a stage.
const MOST: usize = 1 << 13;

/// What a stage has to gain, as a share of what is left unfilled.
const GAIN: f64 = 4e-3;

/// So many stages that do not gain as much are the last.
const PATIENCE: usize = 2;

/// A stage without a sphere below this share of the largest tells nothing: there may be room for more as large.
const SMALL: f64 = 0.6;

/// Of five spheres that settled the smallest goes: what is left of its place is filled anew.
const KEPT: (usize, usize) = (4, 5);

/// The first spheres of a packing, fewer than it wants; none where settling gains nothing.
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
