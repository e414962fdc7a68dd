//! Containers for sphere packing that are given by a signed distance function.

use super::container::{Container, Wall};
use crate::error::{Argument, Error, Result};
use crate::geometry::{Aabb, flushed, is_valid_coordinate};
use crate::stop::Current;
use rayon::prelude::*;

/// The number of points in a chunk of parallel work.
const CHUNK: usize = 256;

/// The step of finite differences, as a share of the distance: differences keep more than half of
/// the digits of an f64.
const STRIDE: f64 = 1e-6;

/// A container for sphere packing given by a signed distance function.
///
/// ```
/// use tangere::overlap::pack::{FunctionContainer, PackSettings, pack};
/// use tangere::geometry::Aabb;
///
/// // A torus with radii 2 and 1.
/// let inside = |[x, y, z]: [f64; 3]| 1.0 - (x.hypot(y) - 2.0).hypot(z);
/// let bounds = Aabb::new([-3.0, -3.0, -1.0], [3.0, 3.0, 1.0])?;
/// let volume = 4.0 * std::f64::consts::PI.powi(2);
/// let mut torus = FunctionContainer::new(bounds, volume, inside)?;
/// let packing = pack(&mut torus, &PackSettings::spheres(100))?;
/// assert!((packing.radii()[0] - 1.0).abs() < 1e-3);
/// assert!(packing.filling() > 0.6);
/// # Ok::<(), tangere::Error>(())
/// ```
pub struct FunctionContainer<F> {
    bounds: Aabb<3>,
    volume: f64,
    distance: F,
}

impl<F: Fn([f64; 3]) -> f64 + Sync> FunctionContainer<F> {
    /// Returns the container of a body within a box, of a known volume, given by a distance
    /// function. `distance` returns the distance from a point to the surface, or less; negative
    /// outside.
    ///
    /// # Errors
    /// When the box or the volume is invalid.
    pub fn new(bounds: Aabb<3>, volume: f64, distance: F) -> Result<Self> {
        let bounds = Aabb::new(bounds.min, bounds.max)?;
        if bounds.min == bounds.max {
            let found = format!("a single point, {:?}", bounds.min);
            return Err(Error::argument(
                Argument::Box,
                found,
                "one that has an extent",
            ));
        }
        if !(volume > 0.0 && is_valid_coordinate(volume.cbrt())) {
            let found = format!("{volume:?}");
            return Err(Error::argument(Argument::Volume, found, "a number above 0"));
        }
        Ok(Self {
            bounds,
            volume,
            distance,
        })
    }

    /// Returns the clearance of a point by the container's distance function, and the nearest point
    /// of the surface by finite differences.
    fn wall(&self, p: [f64; 3]) -> Wall {
        let clearance = (self.distance)(p);
        let stride = STRIDE * clearance.abs();
        let slope: [f64; 3] = std::array::from_fn(|k| {
            let at = |x: f64| {
                let mut q = p;
                q[k] = x;
                ((self.distance)(flushed(q)), x)
            };
            let ((before, x0), (after, x1)) = (at(p[k] - stride), at(p[k] + stride));
            let slope = (after - before) / (x1 - x0);
            // The step may vanish when it is added to a large coordinate.
            if slope.is_finite() { slope } else { 0.0 }
        });
        Wall {
            clearance,
            point: std::array::from_fn(|k| p[k] - clearance * slope[k]),
        }
    }
}

/// Rejects distances of a container's distance function that are not finite.
fn checked<T>(
    stop: &Current,
    points: &[[f64; 3]],
    found: &[T],
    distance: impl Fn(&T) -> f64,
) -> Result<()> {
    stop.checked()?;
    match found.iter().position(|one| !distance(one).is_finite()) {
        None => Ok(()),
        Some(i) => Err(Error::argument(
            Argument::Distance,
            format!("{:?} at {:?}", distance(&found[i]), points[i]),
            "a finite number",
        )),
    }
}

impl<F: Fn([f64; 3]) -> f64 + Sync> Container for FunctionContainer<F> {
    fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    fn clearances(&mut self, points: &[[f64; 3]], found: &mut Vec<f64>) -> Result<()> {
        let stop = Current::new();
        let query = |&p: &[f64; 3]| match stop.is_requested() {
            true => 0.0,
            false => (self.distance)(p),
        };
        let points_in_chunks = points.par_iter().with_min_len(CHUNK);
        points_in_chunks.map(query).collect_into_vec(found);
        checked(&stop, points, found, |&distance| distance)
    }

    fn walls(&mut self, points: &[[f64; 3]], found: &mut Vec<Wall>) -> Result<()> {
        let stop = Current::new();
        let query = |&p: &[f64; 3]| match stop.is_requested() {
            true => Wall::default(),
            false => self.wall(p),
        };
        let points_in_chunks = points.par_iter().with_min_len(CHUNK);
        points_in_chunks.map(query).collect_into_vec(found);
        checked(&stop, points, found, |wall| wall.clearance)
    }
}
