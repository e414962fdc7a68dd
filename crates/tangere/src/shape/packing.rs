//! Sphere packing: a body filled with spheres that do not overlap.

use super::{Spheres, TriMesh};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::distance_squared;
use crate::geometry::{Aabb, is_valid_coordinate};
use crate::overlap::grid::{Grid, SelfOverlaps};
use crate::overlap::pack::{Container, MeshContainer};
use crate::overlap::published::{self, Tables};
use crate::overlap::unfilled::{UnfilledVolume, check_volume};
use crate::overlap::{Method, SphereTree, TableReport};
use crate::pairs::{Auto, PairFinder, PairSettings};
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// The tolerance for rounding in a packing, relative to the largest coordinate or radius. Spheres
/// that overlap each other or stick out of the body by less are accepted.
const SLACK: f64 = 8.0 * f64::EPSILON;

/// The number of spheres of a packing in one task of parallel work.
const CHUNK: usize = 4096;

/// A sphere packing: spheres that do not overlap, with data on the body that they fill, if known.
///
/// Spheres keep the given order; [`pack`](crate::overlap::pack) returns them largest first.
///
/// ```
/// use tangere::shape::Packing;
///
/// let two = Packing::new(vec![[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]], vec![1.0, 2.0])?;
/// assert_eq!(two.len(), 2);
/// // Without a body, a packing represents its spheres alone.
/// assert!((two.filling() - 1.0).abs() < 1e-15);
/// let error = Packing::new(vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], vec![1.0, 2.0]);
/// assert!(error.is_err());
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Packing {
    spheres: Spheres<3>,
    bounds: Aabb<3>,
    filled: f64,
    /// The unfilled volume: the part of the body that the spheres do not fill. Clones of the
    /// packing share it; none if the packing has no body.
    unfilled: Option<Arc<UnfilledVolume>>,
    tree: OnceLock<SphereTree>,
    grid: Grid,
    /// Whether the packing is rigid: [`Packing::update`] has never replaced its spheres.
    is_rigid: bool,
    /// The spheres of the packing before the last update. The next update reuses their memory.
    spare: Spheres<3>,
    /// The tables of the spheres of the packing that weller2014 publishes.
    tables: Tables,
}

impl Packing {
    /// Returns a packing of spheres that may touch, but not overlap.
    ///
    /// # Errors
    /// When there are no spheres, a radius is not positive, a coordinate is not valid, or two
    /// spheres overlap; the error names the first such pair.
    pub fn new(centers: Vec<[f64; 3]>, radii: Vec<f64>) -> Result<Self> {
        let spheres = solid(centers, radii)?;
        match first_overlap(&spheres)? {
            Some(pair) => Err(overlap_error(&spheres, pair)),
            None => Ok(Self::of_disjoint(spheres)),
        }
    }

    /// Returns a packing from its spheres and `record`: the data on its body that
    /// [`Packing::record`] returned and that was stored in a file, for instance. If the record is
    /// empty, the packing has no body.
    ///
    /// # Errors
    /// As [`Packing::new`], and when the record does not belong to these spheres.
    pub fn from_record(centers: Vec<[f64; 3]>, radii: Vec<f64>, record: &[f64]) -> Result<Self> {
        let mut packing = Self::new(centers, radii)?;
        if !record.is_empty() {
            packing.fill(UnfilledVolume::from_record(record, &packing)?)?;
        }
        Ok(packing)
    }

    /// Returns a packing of given spheres, such as those of another program, in the body that a
    /// closed surface bounds. Bounds of the penetration volume then hold for the body, not only for
    /// the spheres.
    ///
    /// # Errors
    /// As [`Packing::new`], and when the surface bounds no volume or a sphere sticks out of it.
    pub fn in_mesh(mesh: &TriMesh, centers: Vec<[f64; 3]>, radii: Vec<f64>) -> Result<Self> {
        Self::new(centers, radii)?.in_container(&mut MeshContainer::new(mesh)?)
    }

    /// Attaches a body (`container`) to the packing, with its unfilled volume: the part of the body
    /// that the spheres do not fill. An error names the first sphere that sticks out of the body.
    pub(crate) fn in_container(mut self, container: &mut impl Container) -> Result<Self> {
        let mut clearances = Vec::new();
        container.clearances(self.centers(), &mut clearances)?;
        let size = (0..3).fold(0.0, |m: f64, k| {
            m.max(self.bounds.min[k].abs())
                .max(self.bounds.max[k].abs())
        });
        for (i, (&clearance, &radius)) in clearances.iter().zip(self.radii()).enumerate() {
            if clearance < -SLACK * size {
                return Err(Error::item(
                    Argument::Sphere,
                    i,
                    format!(
                        "a centre {:?}, outside of the surface by {}",
                        self.centers()[i],
                        number(-clearance)
                    ),
                    "spheres within the surface",
                ));
            }
            if radius - clearance > SLACK * size {
                return Err(Error::item(
                    Argument::Sphere,
                    i,
                    format!("a radius of {}", number(radius)),
                    format!(
                        "at most {}, its distance to the surface",
                        number(clearance.max(0.0))
                    ),
                ));
            }
        }
        self.fill(UnfilledVolume::new(container, &self)?)?;
        Ok(self)
    }

    /// Returns the data on the body of the packing as a list of numbers, to be stored in a file;
    /// empty if the packing has no body.
    pub fn record(&self) -> Vec<f64> {
        self.unfilled
            .as_ref()
            .map_or_else(Vec::new, |unfilled| unfilled.record(self))
    }

    /// Attaches the unfilled volume of its body to the packing: the part of the body that the
    /// spheres do not fill. An error if the volume of the body is smaller than that of the spheres.
    fn fill(&mut self, unfilled: UnfilledVolume) -> Result<()> {
        check_volume(unfilled.volume(), self)?;
        self.unfilled = Some(Arc::new(unfilled));
        self.rebuild();
        Ok(())
    }

    /// Returns a packing of spheres that are known not to overlap.
    pub(crate) fn of_disjoint(spheres: Spheres<3>) -> Self {
        let mut packing = Self {
            spheres,
            bounds: Aabb {
                min: [0.0; 3],
                max: [0.0; 3],
            },
            filled: 0.0,
            unfilled: None,
            tree: OnceLock::new(),
            grid: Grid::default(),
            is_rigid: true,
            spare: Spheres::default(),
            tables: Tables::default(),
        };
        packing.rebuild();
        packing
    }

    /// Computes the AABB, the filled volume and the grid of the packing from its spheres.
    fn rebuild(&mut self) {
        self.rebuild_in(bounds(&self.spheres));
    }

    /// Computes the filled volume and the grid of the packing from its spheres, whose AABB is
    /// `bounds`. Drops the sphere tree and the hash tables, which are those of the old spheres.
    fn rebuild_in(&mut self, bounds: Aabb<3>) {
        let (centers, radii) = (self.spheres.centers(), self.spheres.radii());
        self.bounds = bounds;
        let weights = self
            .unfilled
            .as_ref()
            .map_or(&[][..], |unfilled| unfilled.weights());
        self.grid.rebuild(centers, radii, weights, &self.bounds);
        self.filled = self.grid.finer_volume(0);
        self.tree = OnceLock::new();
        self.tables = Tables::default();
    }

    /// Replaces the spheres of the packing, for instance after its body has deformed; the number of
    /// spheres may change. The packing then has no data on its body. Memory is reused: an update
    /// with as many spheres as before allocates nothing.
    ///
    /// Spheres may overlap after a deformation. The volume that two spheres of the packing share
    /// then counts twice, and [`Packing::first_overlap`] reports such a pair.
    ///
    /// ```
    /// use tangere::shape::Packing;
    ///
    /// let mut two = Packing::new(vec![[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]], vec![1.0, 2.0])?;
    /// two.update(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]], &[2.0, 2.0])?;
    /// assert_eq!(two.first_overlap(), None);
    /// two.update(&[[0.0, 0.0, 0.0], [3.5, 0.0, 0.0]], &[2.0, 2.0])?;
    /// assert_eq!(two.first_overlap(), Some([0, 1]));
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Packing::new`], except for overlaps; the packing is then unchanged.
    pub fn update(&mut self, centers: &[[f64; 3]], radii: &[f64]) -> Result<()> {
        if centers.len() != radii.len() || radii.is_empty() {
            solid(centers.to_vec(), radii.to_vec())?;
        }
        let (mut to_centers, mut to_radii) = std::mem::take(&mut self.spare).into_parts();
        to_centers.resize(centers.len(), [0.0; 3]);
        to_radii.resize(radii.len(), 0.0);
        let to = to_centers
            .par_chunks_mut(CHUNK)
            .zip(to_radii.par_chunks_mut(CHUNK));
        let from = centers.par_chunks(CHUNK).zip(radii.par_chunks(CHUNK));
        let (are_valid, bounds) = to
            .zip(from)
            .map(|((to_centers, to_radii), (centers, radii))| {
                to_centers.copy_from_slice(centers);
                to_radii.copy_from_slice(radii);
                let valid = |valid: bool, &x: &f64| valid & is_valid_coordinate(x);
                let positive = radii.iter().fold(true, |all, &r| all & (r > 0.0));
                let numbers = centers.as_flattened().iter().fold(positive, valid);
                (radii.iter().fold(numbers, valid), of_chunk(centers, radii))
            })
            .reduce(
                || (true, Aabb::EMPTY),
                |(valid, a), (other, b)| (valid & other, a.union(&b)),
            );
        if !are_valid {
            // The call returns the error that names the sphere.
            solid(to_centers, to_radii)?;
            return Ok(());
        }
        let new = Spheres::of_valid(to_centers, to_radii);
        self.spare = std::mem::replace(&mut self.spheres, new);
        self.unfilled = None;
        self.is_rigid = false;
        self.rebuild_in(outward(bounds));
        Ok(())
    }

    /// Returns the indices of the first pair of spheres of the packing that overlap by more than
    /// rounding; none if no spheres do. Only [`Packing::update`] can make spheres overlap.
    pub fn first_overlap(&self) -> Option<[usize; 2]> {
        let overlaps = |pair| has_overlap(&self.spheres, pair);
        SelfOverlaps::default().first(&self.grid, overlaps)
    }

    /// Returns the inner sphere tree of the packing, built at first use.
    pub(crate) fn tree(&self) -> &SphereTree {
        self.tree.get_or_init(|| SphereTree::new(self))
    }

    /// Returns the weight of a sphere of the packing: the volume of the body for which a unit of
    /// the sphere's volume stands. For instance, if the spheres fill half of the body around this
    /// one, the weight is about 2. It is 1 if the packing has no body.
    pub(crate) fn weight(&self, sphere: usize) -> f64 {
        self.unfilled
            .as_ref()
            .map_or(1.0, |unfilled| unfilled.weights()[sphere])
    }

    /// Returns the unfilled volume of the packing: the part of its body that the spheres do not
    /// fill. None if the packing has no body.
    pub(crate) fn unfilled(&self) -> Option<&UnfilledVolume> {
        self.unfilled.as_deref()
    }

    /// The spheres of the packing.
    pub fn spheres(&self) -> &Spheres<3> {
        &self.spheres
    }

    /// The centres of the spheres of the packing.
    pub fn centers(&self) -> &[[f64; 3]] {
        self.spheres.centers()
    }

    /// The radii of the spheres of the packing.
    pub fn radii(&self) -> &[f64] {
        self.spheres.radii()
    }

    /// The number of spheres of the packing.
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Whether the packing has no spheres; never true.
    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty()
    }

    /// Returns the hierarchical grid of the spheres of the packing.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns whether the packing is rigid: no update has replaced its spheres. Then a sphere tree
    /// is worth its construction.
    pub(crate) fn is_rigid(&self) -> bool {
        self.is_rigid
    }

    /// Returns the tables of the spheres of the packing that weller2014 publishes.
    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Occupancy and memory of the table of one of the methods
    /// [`Method::PUBLISHED`](crate::overlap::Method::PUBLISHED), which is built if there was no
    /// query with it yet; `None` for other methods.
    pub fn table_report(&self, method: Method) -> Option<TableReport> {
        published::table_report(self, method)
    }

    /// The AABB of all spheres of the packing.
    pub fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    /// The volume of all spheres of the packing.
    pub fn filled_volume(&self) -> f64 {
        self.filled
    }

    /// The volume of the body of the packing; if it has no body, the volume of all spheres.
    pub fn body_volume(&self) -> f64 {
        self.unfilled
            .as_ref()
            .map_or(self.filled, |unfilled| unfilled.volume())
    }

    /// The filling of the packing: the volume of its spheres as a share of the volume of its body.
    pub fn filling(&self) -> f64 {
        self.filled / self.body_volume()
    }
}

/// Returns the spheres of a packing. An error if there are none, if a radius is not positive, or if
/// a coordinate is not valid.
fn solid(centers: Vec<[f64; 3]>, radii: Vec<f64>) -> Result<Spheres<3>> {
    if centers.len() == radii.len() && radii.is_empty() {
        return Err(Error::argument(Argument::Spheres, 0, "at least one"));
    }
    let is_solid = |&r: &f64| r > 0.0 && is_valid_coordinate(r);
    match radii.iter().position(|r| !is_solid(r)) {
        Some(i) if centers.len() == radii.len() => Err(Error::item(
            Argument::Radius,
            i,
            number(radii[i]),
            "more than 0, from 4.9e-91 to 1.6e60",
        )),
        _ => Spheres::new(centers, radii),
    }
}

/// Returns the AABB of all spheres of a packing, rounded outward.
fn bounds(spheres: &Spheres<3>) -> Aabb<3> {
    let chunks = spheres.centers().par_chunks(CHUNK);
    let all = chunks
        .zip(spheres.radii().par_chunks(CHUNK))
        .map(|(centers, radii)| of_chunk(centers, radii))
        .reduce(|| Aabb::EMPTY, |a, b| a.union(&b));
    outward(all)
}

/// Returns the AABB of a chunk of the spheres of a packing, not yet rounded outward.
fn of_chunk(centers: &[[f64; 3]], radii: &[f64]) -> Aabb<3> {
    let Aabb { mut min, mut max } = Aabb::<3>::EMPTY;
    for (center, radius) in centers.iter().zip(radii) {
        for k in 0..3 {
            let (low, high) = (center[k] - radius, center[k] + radius);
            min[k] = if low < min[k] { low } else { min[k] };
            max[k] = if high > max[k] { high } else { max[k] };
        }
    }
    Aabb { min, max }
}

/// Returns the AABB of a packing, each coordinate moved outward to the next floating-point number.
/// `bounds` is computed from rounded ends of spheres, `center - radius` and `center + radius`.
/// Rounding is monotone, so the one step at the end covers the rounding of all spheres.
fn outward(bounds: Aabb<3>) -> Aabb<3> {
    Aabb {
        min: bounds.min.map(f64::next_down),
        max: bounds.max.map(f64::next_up),
    }
}

/// Returns whether spheres `i` and `j` of a packing overlap by more than rounding.
#[inline]
fn has_overlap(spheres: &Spheres<3>, [i, j]: [usize; 2]) -> bool {
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let size = |i: usize| centers[i].iter().fold(radii[i], |m, x| m.max(x.abs()));
    let depth = radii[i] + radii[j] - distance_squared(centers[i], centers[j]).sqrt();
    depth > SLACK * size(i).max(size(j))
}

/// Returns the indices of the first pair of spheres of a packing that overlap by more than
/// rounding; none if no spheres do.
fn first_overlap(spheres: &Spheres<3>) -> Result<Option<[usize; 2]>> {
    let mut finder = Auto::new(PairSettings::default())?;
    finder.update((spheres.centers(), spheres.radii()).into())?;
    let mut pairs = Vec::new();
    finder.pairs(&mut pairs)?;
    Ok(pairs
        .into_iter()
        .map(|[i, j]: [u32; 2]| [i as usize, j as usize])
        .filter(|&pair| has_overlap(spheres, pair))
        .min())
}

/// Returns the error for spheres `i` and `j` of a packing, which overlap.
fn overlap_error(spheres: &Spheres<3>, [i, j]: [usize; 2]) -> Error {
    let [p, q] = [i, j].map(|k| spheres.centers()[k]);
    let [r, s] = [i, j].map(|k| spheres.radii()[k]);
    Error::item(
        Argument::Sphere,
        j,
        format!(
            "a centre {} from that of sphere {i}, their radii add up to {}",
            number(distance_squared(p, q).sqrt()),
            number(r + s)
        ),
        "spheres that do not overlap",
    )
}
