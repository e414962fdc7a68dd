//! A body filled with spheres that do not overlap.

use super::Spheres;
use crate::error::{Error, Result, number};
use crate::geometry::Aabb;
use crate::overlap::SphereTree;
use crate::pairs::{Auto, PairFinder, PairSettings};
use std::f64::consts::PI;
use std::sync::OnceLock;

/// Spheres that do not overlap, and what is known of the body that they fill.
///
/// Spheres keep the order in which they were given; those of `overlap::pack`
/// come largest first.
///
/// ```
/// use tangere::shape::Packing;
///
/// let two = Packing::new(vec![[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]], vec![1.0, 2.0])?;
/// assert_eq!(two.len(), 2);
/// // A packing of no known body stands for its spheres alone.
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
    body: Option<f64>,
    tree: OnceLock<SphereTree>,
}

impl Packing {
    /// A packing of spheres that may touch, but not overlap.
    ///
    /// # Errors
    /// When there are no spheres, one has no volume, a coordinate is not finite or two overlap; the
    /// first such pair is named.
    pub fn new(centers: Vec<[f64; 3]>, radii: Vec<f64>) -> Result<Self> {
        let spheres = Spheres::new(centers, radii)?;
        if spheres.is_empty() {
            return Err(Error::argument("spheres", 0, "at least one"));
        }
        if let Some(i) = spheres.radii().iter().position(|&r| r == 0.0) {
            return Err(Error::item("radius", i, number(0.0), "more than 0"));
        }
        if let Some([i, j]) = first_overlap(&spheres)? {
            let [p, q] = [i, j].map(|k| spheres.centers()[k]);
            let [r, s] = [i, j].map(|k| spheres.radii()[k]);
            let distance = distance(p, q);
            return Err(Error::item(
                "sphere",
                j,
                format!(
                    "a centre {} from that of sphere {i}, their radii add up to {}",
                    number(distance),
                    number(r + s)
                ),
                "spheres that do not overlap",
            ));
        }
        Ok(Self::of_disjoint(spheres, None))
    }

    /// A packing with what is known of its body, as [`Packing::record`] told it: what readers of
    /// files call.
    ///
    /// # Errors
    /// As [`Packing::new`], and when the record is none of these spheres.
    pub fn from_record(centers: Vec<[f64; 3]>, radii: Vec<f64>, record: &[f64]) -> Result<Self> {
        let packing = Self::new(centers, radii)?;
        let body = match record {
            [] => None,
            [volume] if *volume >= packing.filled * (1.0 - 1e-9) && volume.is_finite() => {
                Some(*volume)
            }
            [volume, ..] => {
                return Err(Error::argument(
                    "volume of the body",
                    number(*volume),
                    format!("at least that of the spheres, {}", number(packing.filled)),
                ));
            }
        };
        Ok(Self { body, ..packing })
    }

    /// What is known of the body, as numbers for a file; none if nothing is.
    pub fn record(&self) -> Vec<f64> {
        self.body.into_iter().collect()
    }

    /// A packing of spheres that are known not to overlap, in a body of a known volume.
    pub(crate) fn of_disjoint(spheres: Spheres<3>, body: Option<f64>) -> Self {
        let bounds = (0..spheres.len())
            .map(|i| spheres.bounds(i))
            .reduce(|a, b| a.union(&b))
            .unwrap_or(Aabb {
                min: [0.0; 3],
                max: [0.0; 3],
            });
        let filled =
            crate::parallel::sums(spheres.len(), |i| [sphere_volume(spheres.radii()[i])])[0];
        Self {
            spheres,
            bounds,
            filled,
            body,
            tree: OnceLock::new(),
        }
    }

    /// The tree over the spheres, made when it is first asked for.
    pub(crate) fn tree(&self) -> &SphereTree {
        self.tree
            .get_or_init(|| SphereTree::new(&self.spheres, &self.bounds))
    }

    /// The spheres.
    pub fn spheres(&self) -> &Spheres<3> {
        &self.spheres
    }

    /// Their centres.
    pub fn centers(&self) -> &[[f64; 3]] {
        self.spheres.centers()
    }

    /// Their radii.
    pub fn radii(&self) -> &[f64] {
        self.spheres.radii()
    }

    /// The number of spheres.
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Never: a packing has spheres.
    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty()
    }

    /// The box of all spheres.
    pub fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    /// The volume of all spheres.
    pub fn filled_volume(&self) -> f64 {
        self.filled
    }

    /// The volume of the body; that of the spheres where the body is not known.
    pub fn body_volume(&self) -> f64 {
        self.body.unwrap_or(self.filled)
    }

    /// The share of the body's volume that is filled.
    pub fn filling(&self) -> f64 {
        self.filled / self.body_volume()
    }
}

/// The volume of a sphere.
fn sphere_volume(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

/// The distance of two points.
fn distance(p: [f64; 3], q: [f64; 3]) -> f64 {
    let square = |k: usize| (p[k] - q[k]) * (p[k] - q[k]);
    (square(0) + square(1) + square(2)).sqrt()
}

/// The first pair of spheres that overlap by more than rounding: touching ones may seem to.
fn first_overlap(spheres: &Spheres<3>) -> Result<Option<[usize; 2]>> {
    /// What rounding of centres, radii and distances may cost, in units of the largest of them.
    const SLACK: f64 = 8.0 * f64::EPSILON;
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let mut finder = Auto::new(PairSettings::default())?;
    finder.update((centers, radii).into())?;
    let mut pairs = Vec::new();
    finder.pairs(&mut pairs)?;
    let size = |i: usize| centers[i].iter().fold(radii[i], |m, x| m.max(x.abs()));
    Ok(pairs
        .into_iter()
        .map(|[i, j]: [u32; 2]| [i as usize, j as usize])
        .filter(|&[i, j]| {
            let depth = radii[i] + radii[j] - distance(centers[i], centers[j]);
            depth > SLACK * size(i).max(size(j))
        })
        .min())
}
