//! Crystal of equal discs or spheres that do not overlap, in the periodic unit box.
//!
//! It is the initial state of a hard-sphere gas. Random centres would overlap, so centres are
//! lattice sites that repeat with the box: face-centred cubic for spheres, square for discs. Where
//! there are more sites than spheres, vacancies are spread evenly. Cost: linear in the number of
//! spheres.

use super::reserved;
use crate::error::{Argument, Error, Result, number};
use crate::shape::Spheres;
use std::f64::consts::PI;

/// Returns a crystal of `count` equal discs (`D = 2`) or spheres (`D = 3`) that fill the share
/// `filled` of the unit box; none overlap, periodic images included.
///
/// # Errors
/// If the share is not above 0 or so large that they would overlap (at most 0.74 for spheres and
/// 0.785 for discs), or the count is 0 or above `u32::MAX`.
///
/// ```
/// use tangere::generate::crystal;
///
/// let spheres = crystal::<3>(500, 0.5)?;
/// assert_eq!(spheres.len(), 500);
/// assert!((spheres.radii()[0] - 0.062035).abs() < 1e-6);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn crystal<const D: usize>(count: usize, filled: f64) -> Result<Spheres<D>> {
    const { assert!(D == 2 || D == 3, "space has two or three dimensions") };
    if !(1..=u32::MAX as usize).contains(&count) {
        let expected = format!("1 to {}", u32::MAX);
        return Err(Error::argument(Argument::Count, count, expected));
    }
    // The sites in a cell of the lattice, in units of its edge.
    let places: &[[f64; 3]] = match D {
        2 => &[[0.5; 3]],
        _ => &[
            [0.25, 0.25, 0.25],
            [0.75, 0.75, 0.25],
            [0.75, 0.25, 0.75],
            [0.25, 0.75, 0.75],
        ],
    };
    let of = |cells: usize| places.len() * (0..D).map(|_| cells).product::<usize>();
    let mut cells = 1;
    while of(cells) < count {
        cells += 1;
    }
    // The volume of a sphere of diameter 1, and the distance of nearest sites.
    let (unit, distance) = match D {
        2 => (PI / 4.0, 1.0 / cells as f64),
        _ => (PI / 6.0, std::f64::consts::FRAC_1_SQRT_2 / cells as f64),
    };
    let volume = filled / (unit * count as f64);
    let diameter = match D {
        2 => volume.sqrt(),
        _ => libm::cbrt(volume),
    };
    if !(filled > 0.0 && diameter <= distance) {
        let most = unit * count as f64 * (0..D).map(|_| distance).product::<f64>();
        let expected = format!("a number above 0 and at most {most:.4}");
        return Err(Error::argument(Argument::Filled, number(filled), expected));
    }
    let mut centers = reserved(count)?;
    let all = of(cells) as u128;
    for i in 0..count as u128 {
        let place = (i * all / count as u128) as usize;
        let (mut cell, offset) = (place / places.len(), places[place % places.len()]);
        centers.push(std::array::from_fn(|k| {
            let index = cell % cells;
            cell /= cells;
            (index as f64 + offset[k]) / cells as f64
        }));
    }
    // Rounding must not make touching spheres overlap.
    let radius = 0.5 * diameter.min(distance * (1.0 - 1e-14));
    Spheres::new(centers, vec![radius; count])
}
