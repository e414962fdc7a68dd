//! Sphere packing of a body that a Python distance function defines.

use std::sync::Mutex;

use pyo3::prelude::*;
use tangere::geometry::{Aabb, flushed};
use tangere::overlap::pack::{Container, Wall};

use crate::arrays::{from_points, numbers};
use crate::errors::refused;

/// Step of the central differences that give the gradient of the distance function, as a fraction
/// of the distance at the point. About half of the digits of the gradient are preserved.
const STRIDE: f64 = 1e-6;

/// Container to pack with spheres: a body in a box, of known volume, given by a Python function.
/// The function takes an array of points, shape (N, 3), and returns the distance of each from the
/// surface, or a lower bound; negative outside.
pub struct CallableContainer {
    pub bounds: Aabb<3>,
    pub volume: f64,
    pub distance: Py<PyAny>,
    /// The exception that the function raised, or the error about its result; the library only
    /// receives `Error::Stopped`.
    pub raised: Mutex<Option<PyErr>>,
}

impl CallableContainer {
    fn call_function(&self, points: &[[f64; 3]]) -> PyResult<Vec<f64>> {
        Python::attach(|py| {
            let array = from_points(py, points.to_vec())?;
            let answer = self.distance.bind(py).call1((array,))?;
            let found = numbers(&answer, "distances")?;
            if found.len() != points.len() {
                return Err(refused(
                    "distances",
                    format_args!("{} numbers", found.len()),
                    format_args!("{}, one for each point", points.len()),
                ));
            }
            match found.iter().position(|x| !x.is_finite()) {
                None => Ok(found),
                Some(i) => Err(refused(
                    &format!("distances[{i}]"),
                    format_args!("{:?} at {:?}", found[i], points[i]),
                    "a finite number",
                )),
            }
        })
    }

    fn distances(&self, points: &[[f64; 3]]) -> tangere::Result<Vec<f64>> {
        if tangere::stop::is_requested() {
            return Err(tangere::Error::Stopped);
        }
        self.call_function(points).map_err(|raised| {
            let mut place = self.raised.lock().unwrap_or_else(|e| e.into_inner());
            *place = Some(raised);
            tangere::Error::Stopped
        })
    }
}

impl Container for CallableContainer {
    fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    fn clearances(&mut self, points: &[[f64; 3]], found: &mut Vec<f64>) -> tangere::Result<()> {
        *found = self.distances(points)?;
        Ok(())
    }

    fn walls(&mut self, points: &[[f64; 3]], found: &mut Vec<Wall>) -> tangere::Result<()> {
        let clearances = self.distances(points)?;
        // Central differences along each axis, all in one call.
        let beside: Vec<[f64; 3]> = points
            .iter()
            .zip(&clearances)
            .flat_map(|(&p, clearance)| {
                let stride = STRIDE * clearance.abs();
                (0..6).map(move |i| {
                    let mut q = p;
                    q[i / 2] += if i % 2 == 0 { -stride } else { stride };
                    flushed(q)
                })
            })
            .collect();
        let distances = self.distances(&beside)?;
        let (beside, _) = beside.as_chunks::<6>();
        let (distances, _) = distances.as_chunks::<6>();
        found.clear();
        for (i, (&p, &clearance)) in points.iter().zip(&clearances).enumerate() {
            let slope = |k: usize| {
                let rise = distances[i][2 * k + 1] - distances[i][2 * k];
                let slope = rise / (beside[i][2 * k + 1][k] - beside[i][2 * k][k]);
                // The step may vanish relative to a large coordinate.
                if slope.is_finite() { slope } else { 0.0 }
            };
            found.push(Wall {
                clearance,
                point: std::array::from_fn(|k| p[k] - clearance * slope(k)),
            });
        }
        Ok(())
    }
}
