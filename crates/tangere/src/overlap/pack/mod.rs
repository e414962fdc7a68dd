//! A body filled with spheres that do not overlap: which, and how large?
//!
//! Greedy: the largest sphere that fits, again and again. With `f(x)` the distance from a point to all
//! there is, the surface and the spheres so far, it is about the place where `f` is
//! largest. As `f` changes by no more than a point moves, a cell of an octree with centre `c` and half
//! diagonal `h` holds nothing beyond `f(c) + h`. Rounds want a radius that falls by 3%; in
//! each, cells that may hold as much are cut until they are small beside it, then climbed
//! from; the tops are packed, largest first. A sphere only ever lowers `f`: bounds remain bounds, and are
//! looked at again only when their round has come.
//!
//! So every sphere is among the largest that fitted when it came: what a climb can miss is a place in the
//! same cell that is higher than the top it found. Only the first spheres, an eighth at most, move once
//! more, together, where that fills more: in tubes and plates, in which the largest fits in many
//! places, gaps between them are closed. Only where a hundred thousand cells hold no place
//! of the round's radius, as those of a plate hundreds of times as wide as thick, the best place known is taken,
//! found by going down from some of the cells to parts whose centres are within the body; and where two million
//! hold none at all, nothing is looked for any more. So however wide and thin a body is, time and memory are
//! bounded by the number of spheres wanted.
//!
//! Spheres stay apart and within the body in exact arithmetic: radii are made smaller by more than
//! what distances are rounded by. Results are the same on any number of threads.
//!
//! Cost: 60 to 130 distances to the surface a sphere, the more the fewer there are.
//!
//! *Deviates* from weller2014, section 5 (ProtoSphere): prototypes there move along steps that
//! get smaller, from the points of a grid; here bounds tell where to begin, and
//! each step goes to the top of a linear model. So no large place is missed however
//! small it is beside the body, and a climb takes some three looks. Spheres there stay where they came.
//!
//! | file | what |
//! |---|---|
//! | `room`, `mesh`, `function` | what is filled |
//! | `settings` | when it is full |
//! | `stages`, `settling` | the first spheres, moved and resized together |
//! | `greedy` | rounds |
//! | `cells` | the octree |
//! | `climb`, `ascent` | the way up from a cell, one step of it |
//! | `index` | spheres near a point |

mod container;
mod first_spheres;
mod function;
mod greedy;
mod local_search;
mod max_min_step;
mod mesh;
mod octree;
mod relaxation;
mod settings;
mod sphere_index;

pub use container::{Container, Wall};
pub use function::FunctionContainer;
pub use mesh::MeshContainer;
pub use settings::PackSettings;

use crate::error::{Argument, Error, Result, number};
use crate::shape::{Packing, Spheres, TriMesh};
use first_spheres::first_spheres;
use greedy::Greedy;

/// The inside of a closed surface, packed with spheres, largest first.
///
/// # Errors
/// When the surface bounds no volume ([`MeshContainer::new`]), and those of [`pack`].
///
/// ```
/// use tangere::overlap::pack::{PackSettings, pack_mesh};
///
/// let packing = pack_mesh(&tangere::generate::knot(2000)?, &PackSettings::spheres(200))?;
/// assert_eq!(packing.len(), 200);
/// assert!(packing.filling() > 0.65);
/// assert!(packing.radii().is_sorted_by(|a, b| a >= b));
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn pack_mesh(mesh: &TriMesh, settings: &PackSettings) -> Result<Packing> {
    settings.check()?;
    pack(&mut MeshContainer::new(mesh)?, settings)
}

/// A body packed with spheres, largest first.
///
/// # Errors
/// When nothing tells the end, what does so cannot be reached, or the body is thinner than
/// the smallest sphere; when the room fails; when the work was asked to end.
pub fn pack(container: &mut impl Container, settings: &PackSettings) -> Result<Packing> {
    pack_with_progress(container, settings, &mut |_| ())
}

/// [`pack`] that tells now and then which share of the work is done, about.
///
/// # Errors
/// As [`pack`].
pub fn pack_with_progress(
    container: &mut impl Container,
    settings: &PackSettings,
    progress: &mut dyn FnMut(f64),
) -> Result<Packing> {
    settings.check()?;
    let smallest = settings.smallest.unwrap_or(0.0);
    let first = first_spheres(container, settings)?;
    let found = Greedy::new(container, smallest, &first).run(settings, progress)?;
    if found.is_empty() {
        let any = Greedy::new(container, 0.0, &[]);
        let least = any.smallest();
        let one = any.run(&PackSettings::spheres(1), &mut |_| ())?;
        return Err(match (settings.smallest, one.first()) {
            (Some(smallest), Some(largest)) => Error::argument(
                Argument::Smallest,
                number(smallest),
                format!(
                    "at most {}, the radius of the largest sphere within the body",
                    number(largest[3])
                ),
            ),
            _ => Error::argument(
                Argument::Body,
                format!(
                    "one without room for a sphere, thinner than {} everywhere",
                    number(2.0 * least)
                ),
                format!(
                    "room for a radius of {}: 1e-8 of the body's size, and more than coordinates are rounded by",
                    number(least)
                ),
            ),
        });
    }
    let bounds = container.bounds();
    let beyond = |&&[x, y, z, r]: &&[f64; 4]| {
        let center = [x, y, z];
        let margin = |k: usize| 1e-9 * (bounds.max[k] - bounds.min[k] + r);
        (0..3).any(|k| {
            center[k] - r < bounds.min[k] - margin(k) || center[k] + r > bounds.max[k] + margin(k)
        })
    };
    if let Some(&[x, y, z, r]) = found.iter().find(beyond) {
        return Err(Error::argument(
            Argument::Box,
            format!(
                "a sphere of radius {} about {:?} that leaves it",
                number(r),
                [x, y, z]
            ),
            "one around the body, and distances that are not more than those to its surface",
        ));
    }
    let centers = found.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
    let radii = found.iter().map(|sphere| sphere[3]).collect();
    Packing::of_disjoint(Spheres::new(centers, radii)?).in_container(container)
}
