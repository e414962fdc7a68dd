//! The two methods of `leszczynski2004` as printed, plain and with their phases timed: algorithm 1
//! (section 2.2) and linked cells with a header and a list (section 2.1). The library's own versions
//! are `Shells` and `LinkedCells`; these serve to check the paper's cost models.

use crate::timing::cpu_seconds;
use std::hint::black_box;
use tangere::shape::Spheres;

/// The seconds of the phases of a search, and its counts.
#[derive(Clone, Copy, Default)]
pub struct Phases {
    /// To compute all distances, or to group all particles into cells.
    pub prepare: f64,
    /// To sort; 0 for linked cells.
    pub sort: f64,
    /// To test pairs.
    pub search: f64,
    pub tests: usize,
    pub contacts: usize,
    /// The numbers kept in memory, beside the particles.
    pub stored: usize,
}

impl Phases {
    /// Returns the least times of two runs.
    pub fn least(self, other: Self) -> Self {
        Self {
            prepare: self.prepare.min(other.prepare),
            sort: self.sort.min(other.sort),
            search: self.search.min(other.search),
            ..other
        }
    }
}

fn squared<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    (0..D).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum()
}

/// Whether two particles touch, eq. (1).
fn touch<const D: usize>(spheres: &Spheres<D>, i: usize, j: usize) -> bool {
    let (x, r) = (spheres.centers(), spheres.radii());
    r[i] + r[j] - squared(&x[i], &x[j]).sqrt() >= 0.0
}

/// Algorithm 1: particles sorted by the distance of their surfaces from a corner of the box, which
/// is the origin.
pub fn list<const D: usize>(spheres: &Spheres<D>) -> Phases {
    let (x, r) = (spheres.centers(), spheres.radii());
    let start = cpu_seconds();
    let l: Vec<f64> = x
        .iter()
        .zip(r)
        .map(|(x, r)| squared(x, &[0.0; D]).sqrt() - r)
        .collect();
    let prepare = cpu_seconds() - start;
    let start = cpu_seconds();
    let mut nl: Vec<u32> = (0..x.len() as u32).collect();
    nl.sort_unstable_by(|&i, &j| l[i as usize].total_cmp(&l[j as usize]));
    let sort = cpu_seconds() - start;
    let start = cpu_seconds();
    let (mut tests, mut contacts) = (0, 0);
    for (k, &i) in nl.iter().enumerate() {
        let i = i as usize;
        for &j in &nl[k + 1..] {
            let j = j as usize;
            if 2.0 * r[i] < l[j] - l[i] {
                break;
            }
            tests += 1;
            contacts += usize::from(touch(spheres, i, j));
        }
    }
    black_box(contacts);
    Phases {
        prepare,
        sort,
        search: cpu_seconds() - start,
        tests,
        contacts,
        stored: l.len() + nl.len(),
    }
}

/// Linked cells with `occupancy` particles each on average, but cells no smaller than the largest
/// particle, in a box from the origin to `edge` along each axis.
pub fn linked<const D: usize>(spheres: &Spheres<D>, edge: f64, occupancy: f64) -> Phases {
    const NONE: u32 = u32::MAX;
    let (x, r) = (spheres.centers(), spheres.radii());
    let largest = 2.0 * r.iter().copied().fold(0.0, f64::max);
    let wanted = (x.len() as f64 / occupancy).powf(1.0 / D as f64).floor();
    let m = wanted.min((edge / largest).floor()).max(1.0) as usize;
    let start = cpu_seconds();
    let mut header = vec![NONE; m.pow(D as u32)];
    let mut next = vec![NONE; x.len()];
    let along = |x: f64| ((x / edge * m as f64) as usize).min(m - 1);
    for (i, x) in x.iter().enumerate() {
        let cell = x.iter().rev().fold(0, |cell, &x| cell * m + along(x));
        next[i] = header[cell];
        header[cell] = i as u32;
    }
    let prepare = cpu_seconds() - start;
    let start = cpu_seconds();
    let (mut tests, mut contacts) = (0, 0);
    let mut test = |i: usize, mut j: u32| {
        while j != NONE {
            tests += 1;
            contacts += usize::from(touch(spheres, i, j as usize));
            j = next[j as usize];
        }
    };
    // A cell is compared with itself and with the neighbours that follow it.
    let offsets: Vec<[isize; D]> = (0..3_usize.pow(D as u32))
        .map(|code| std::array::from_fn(|k| (code / 3_usize.pow(k as u32) % 3) as isize - 1))
        .filter(|offset: &[isize; D]| {
            offset
                .iter()
                .rev()
                .find(|o| **o != 0)
                .is_some_and(|o| *o > 0)
        })
        .collect();
    for cell in 0..header.len() {
        let place: [usize; D] = std::array::from_fn(|k| cell / m.pow(k as u32) % m);
        let near: Vec<usize> = offsets
            .iter()
            .filter_map(|offset| {
                let mut other = 0;
                for k in (0..D).rev() {
                    let p = place[k].checked_add_signed(offset[k]).filter(|p| *p < m)?;
                    other = other * m + p;
                }
                Some(other)
            })
            .collect();
        let mut i = header[cell];
        while i != NONE {
            test(i as usize, next[i as usize]);
            for &other in &near {
                test(i as usize, header[other]);
            }
            i = next[i as usize];
        }
    }
    black_box(contacts);
    Phases {
        prepare,
        sort: 0.0,
        search: cpu_seconds() - start,
        tests,
        contacts,
        stored: header.len() + next.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangere::generate::{ParticleBox, particles};

    fn agree<const D: usize>() {
        for seed in 0..3 {
            let settings = ParticleBox::test_a(D, 300, seed);
            let spheres = particles::<D>(&settings).unwrap();
            let count = spheres.centers().len();
            let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
            let expected = pairs.filter(|&(i, j)| touch(&spheres, i, j)).count();
            assert_eq!(list(&spheres).contacts, expected);
            for occupancy in [1.0, 5.0, 300.0] {
                let found = linked(&spheres, settings.edge(D), occupancy);
                assert_eq!(found.contacts, expected, "{D}D, {occupancy}");
            }
        }
    }

    #[test]
    fn both_find_all_contacts() {
        agree::<2>();
        agree::<3>();
    }
}
