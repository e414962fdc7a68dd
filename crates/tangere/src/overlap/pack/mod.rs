//! Sphere packing: fills a body with spheres that do not overlap.
//!
//! The packing is greedy: it repeatedly adds the largest sphere that fits. With `f(x)` the distance
//! from a point to the surface and the spheres so far, the centre of that sphere is the maximum of
//! `f`. Since `f` is 1-Lipschitz, a cell of an octree with centre `c` and half diagonal `h` holds
//! no sphere larger than `f(c) + h` (branch and bound). Each round has a target radius, 3% below
//! that of the last. Cells that may hold such a sphere are subdivided until they are small compared
//! with it. Then a local search climbs from their centres to a local maximum of `f`, and the maxima
//! are packed, largest first. A new sphere only lowers `f`: bounds stay valid, and a cell is
//! visited again only in the round whose target radius its bound reaches.
//!
//! So every sphere is among the largest that fitted when it was added: a local search can miss only
//! a higher maximum in the same cell. There are two exceptions:
//! - The first spheres, an eighth at most, are relaxed together where that fills more. In tubes and
//!   plates the largest sphere fits in many positions, and the relaxation closes the gaps between
//!   them.
//! - Where a hundred thousand cells hold no sphere of the target radius, as in a plate hundreds of
//!   times as wide as thick, the best centre known is taken. It is found by descending from some of
//!   the cells to parts whose centres are inside the body. Where two million cells hold no sphere
//!   at all, the search ends. So time and memory are bounded by the number of spheres, however wide
//!   and thin a body is.
//!
//! Spheres are disjoint and inside the body in exact arithmetic: radii are reduced by more than the
//! rounding of distances. Results are deterministic for any number of threads.
//!
//! Cost: 60 to 130 distances to the surface for each sphere, the more the fewer spheres there are.
//!
//! *Deviates* from weller2014, section 5 (ProtoSphere). There, prototypes move by ever smaller
//! steps from the points of a grid; here, bounds choose the starting points, and each step goes to
//! the maximum of a linear model. So no large sphere is missed, however small it is compared with
//! the body, and a local search takes about three distances. There, spheres do not move once they
//! are packed.
//!
//! | file | what |
//! |---|---|
//! | `container`, `mesh_container`, `function_container` | bodies to pack: the trait, triangle meshes, signed distance functions |
//! | `settings` | limits of a packing |
//! | `first_spheres`, `relaxation` | the first spheres, moved and resized together |
//! | `greedy` | rounds of branch and bound |
//! | `octree` | cells with bounds |
//! | `local_search`, `max_min_step` | local maximum of the distance, and one step towards it |
//! | `sphere_index` | spheres near a point |

mod container;
mod first_spheres;
mod function_container;
mod greedy;
mod local_search;
mod max_min_step;
mod mesh_container;
mod octree;
mod relaxation;
mod settings;
mod sphere_index;

pub use container::{Container, Wall};
pub use function_container::FunctionContainer;
pub use mesh_container::MeshContainer;
pub use settings::PackSettings;

use crate::error::{Argument, Error, Result, number};
use crate::shape::{Packing, Spheres, TriMesh};
use first_spheres::first_spheres;
use greedy::Greedy;

/// Packs the inside of a closed surface with spheres; returns them largest first.
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

/// Packs a container with spheres; returns them largest first.
///
/// # Errors
/// When no setting limits the packing, a limit is invalid, or the body is thinner than the smallest
/// sphere; errors of the container; when the work was stopped.
pub fn pack(container: &mut impl Container, settings: &PackSettings) -> Result<Packing> {
    pack_with_progress(container, settings, &mut |_| ())
}

/// Packs a container as [`pack`] does, with a callback that receives the approximate share of work
/// done.
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
