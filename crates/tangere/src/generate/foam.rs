//! Open-cell foam, the body that muth2006 (section 3.2) tests points against.
//!
//! Question: which closed surface of high genus has about so many triangles?
//! Cost: linear in their number.
//!
//! # Construction
//! Cells are Voronoi cells of a body-centred cubic lattice whose sites are
//! moved at random, so they resemble the cells of real foams: about 14 faces,
//! four edges to a corner. The foam consists of what lies near the edges of the
//! `n^3 + (n - 1)^3` cells in a cube. With the distances `d1 <= d2 <= d3` of
//! the nearest three sites and the distance `d` of the nearest site of a cell
//! of the foam, a point belongs to it if
//!
//! ```text
//! max(d3, d) - d1 < THICKNESS.
//! ```
//!
//! On the edge of a cell, `d1 = d2 = d3`; the maximum with `d` ends the foam
//! where cells of the foam end, without cutting through struts, so that it is
//! connected. The surface is found on a grid ([`isosurface`](super::isosurface))
//! whose spacing is sought until the number of triangles is right. Splinters
//! that a grid too coarse for a thin place makes are left out.
//!
//! The paper has one foam in three resolutions; here, likewise, the number of
//! cells depends only on the order of magnitude of the number of triangles.

use super::isosurface::{Field, Grid};
use super::random::Random;
use super::{TRIANGLES_MAX, reserved};
use crate::error::{Error, Result};
use crate::shape::TriMesh;

/// The fewest triangles that show a foam.
const TRIANGLES_MIN: usize = 500;

/// How far a site is moved along each axis at most, in edges of the lattice.
const JITTER: f64 = 0.18;

/// The difference of distances that makes the struts, unless triangles are scarce.
const THICKNESS: f64 = 0.12;

/// Below this number of triangles struts become thicker.
const SCARCE: f64 = 3000.0;

/// The fewest triangles for each cube of the lattice: struts are then about one
/// and a half cubes of the grid thick, with some ten triangles around them.
const TRIANGLES_PER_CUBE: usize = 2700;

/// How far the number of triangles may be from the wanted one, as a part of it.
const TOLERANCE: f64 = 0.05;

/// Grids tried until the number is right; two are the rule, and 20 are needed
/// only if triangles are few and a single one of the grid's nodes matters.
const ATTEMPTS: usize = 60;

/// Layers of cubes of sites around those of the foam.
const MARGIN: usize = 3;

/// Every point between the sites has three of them within this distance: the
/// covering radius of the lattice, sqrt(5) / 4, and the way sites are moved.
const COVERED: f64 = 0.56 + 1.8 * JITTER;

/// A foam of about `triangles` triangles (within 10%), the same for the same
/// seed, centred at the origin in a cube with an edge of about 1.
///
/// # Errors
/// If `triangles` is below 500 or above 134217728.
///
/// ```
/// let foam = tangere::generate::foam(10_000, 1)?;
/// assert!((9_000..=11_000).contains(&foam.faces().len()));
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn foam(triangles: usize, seed: u64) -> Result<TriMesh> {
    if !(TRIANGLES_MIN..=TRIANGLES_MAX).contains(&triangles) {
        return Err(Error::argument(
            "triangles of the foam",
            triangles,
            format!("{TRIANGLES_MIN} to {TRIANGLES_MAX}"),
        ));
    }
    let foam = Foam::new(Cells::of(triangles), seed);
    let wanted = triangles as f64;
    // Cubes of the grid: too small ones make too many triangles.
    let (mut too_small, mut too_large) = (0.0, f64::MAX);
    let mut cube = foam.cells.cube(wanted);
    for _ in 0..ATTEMPTS {
        let grid = Grid::new(&foam, foam.cells.bounds(), cube)?;
        let mut excess = grid.triangles() as f64 / wanted;
        if (excess - 1.0).abs() < TOLERANCE {
            let (vertices, faces) = grid.surface(|p| foam.cells.centered(p))?;
            let (vertices, faces) = largest_component(vertices, faces)?;
            excess = faces.len() as f64 / wanted;
            if (excess - 1.0).abs() < TOLERANCE {
                return TriMesh::new(vertices, faces);
            }
        }
        if excess > 1.0 {
            too_small = cube;
        } else {
            too_large = cube;
        }
        // The number of triangles goes with 1 / cube^2, but for noise: once the
        // right size is between two others, bisection is sure to end.
        cube = if too_small > 0.0 && too_large < f64::MAX {
            0.5 * (too_small + too_large)
        } else {
            cube * excess.sqrt().clamp(0.7, 1.4)
        };
    }
    Err(Error::argument(
        "triangles of the foam",
        triangles,
        format!("another number or seed: no grid gives this number for seed {seed}"),
    ))
}

/// The cells of a foam and how thick its struts are.
#[derive(Clone, Copy)]
struct Cells {
    /// The edge of the cube of cells, in edges of the lattice.
    n: usize,
    /// The difference of distances that makes the struts.
    thickness: f64,
}

impl Cells {
    /// As many cells as can be shown well by so many triangles.
    fn of(triangles: usize) -> Self {
        let mut n = 1;
        while (n + 1) * (n + 1) * (n + 1) * TRIANGLES_PER_CUBE <= triangles {
            n += 1;
        }
        // A single cell keeps its windows open, and its struts whole, down to
        // the smallest number if struts become thicker like this.
        let scarcity = (SCARCE / triangles as f64).max(1.0);
        let thickness = THICKNESS * libm::pow(scarcity, 0.4);
        Self { n, thickness }
    }

    /// The edge of the cubes of the grid for a number of triangles, as found
    /// by experiment: inner struts go with n^3, those on the outside with n^2.
    fn cube(self, triangles: f64) -> f64 {
        let n = self.n as f64;
        let area = (42.0 * n + 24.0) * n * n * self.thickness / THICKNESS;
        (area / triangles).sqrt()
    }

    /// A box around the foam. On its boundary the next site of the foam is at
    /// least `1.5 - JITTER` away and some site is within `COVERED`, which
    /// differ by more than the thickness.
    fn bounds(self) -> [[f64; 3]; 2] {
        [[-1.0; 3], [self.n as f64 + 1.0; 3]]
    }

    /// A point of the lattice as a point of the foam, whose cube of cells is
    /// `[-1/2, 1/2]^3`.
    fn centered(self, p: [f64; 3]) -> [f64; 3] {
        let n = self.n as f64;
        p.map(|x| x / n - 0.5)
    }
}

/// The triangles connected to each other that are most, with their vertices.
fn largest_component(
    vertices: Vec<[f64; 3]>,
    faces: Vec<[u32; 3]>,
) -> Result<(Vec<[f64; 3]>, Vec<[u32; 3]>)> {
    let mut parent: Vec<u32> = reserved(vertices.len())?;
    parent.extend(0..vertices.len() as u32);
    fn root(parent: &mut [u32], mut v: u32) -> u32 {
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }
    for &[a, b, c] in &faces {
        let a = root(&mut parent, a);
        for other in [b, c] {
            let other = root(&mut parent, other);
            parent[other as usize] = a;
        }
    }
    let mut size = vec![0u32; vertices.len()];
    for face in &faces {
        size[root(&mut parent, face[0]) as usize] += 1;
    }
    let Some(largest) = (0..vertices.len()).max_by_key(|&v| (size[v], usize::MAX - v)) else {
        return Ok((vertices, faces));
    };
    if size[largest] as usize == faces.len() {
        return Ok((vertices, faces));
    }
    // Vertices keep their order.
    let mut index = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    for (v, place) in vertices.iter().enumerate() {
        if root(&mut parent, v as u32) as usize == largest {
            index[v] = kept.len() as u32;
            kept.push(*place);
        }
    }
    let faces = faces
        .into_iter()
        .map(|face| face.map(|v| index[v as usize]))
        .filter(|face| face[0] != u32::MAX)
        .collect();
    Ok((kept, faces))
}

/// The sites of a foam.
struct Foam {
    cells: Cells,
    /// The edge of the cube of sites, in edges of the lattice.
    edge: usize,
    /// Two sites for each cube of the lattice, its first corner and its centre,
    /// and whether their cells are in the foam.
    sites: Vec<[Site; 2]>,
}

#[derive(Clone, Copy)]
struct Site {
    place: [f64; 3],
    in_foam: bool,
}

impl Foam {
    fn new(cells: Cells, seed: u64) -> Self {
        let edge = cells.n + 2 * MARGIN;
        let mut random = Random::new(seed);
        let mut sites = Vec::with_capacity(edge * edge * edge);
        for index in 0..edge * edge * edge {
            let cube = [index % edge, index / edge % edge, index / (edge * edge)];
            sites.push([0, 1].map(|middle| {
                let inner = MARGIN + 1 - middle..MARGIN + cells.n;
                Site {
                    place: cube.map(|x| {
                        let lattice = x as f64 - MARGIN as f64 + 0.5 * middle as f64;
                        lattice + JITTER * (2.0 * random.unit() - 1.0)
                    }),
                    in_foam: cube.iter().all(|x| inner.contains(x)),
                }
            }));
        }
        Self { cells, edge, sites }
    }
}

impl Field for Foam {
    type Part = Vec<Site>;

    /// The sites that may be one of the nearest three, or the nearest of the
    /// foam, for a point in the ball: with the distances from its centre, those
    /// not farther than the third and than the first of the foam by more than
    /// the diameter of the ball.
    fn part(&self, center: [f64; 3], radius: f64) -> Vec<Site> {
        let reach = COVERED + 2.0 * radius + JITTER;
        let range = center.map(|x| {
            let from = (x - reach).floor() + MARGIN as f64;
            let to = (x + reach).ceil() + MARGIN as f64;
            (from.max(0.0) as usize)..(to.max(0.0) as usize).min(self.edge)
        });
        let mut near = Vec::new();
        for z in range[2].clone() {
            for y in range[1].clone() {
                let row = (z * self.edge + y) * self.edge;
                near.extend(
                    self.sites[row + range[0].start..row + range[0].end.max(range[0].start)]
                        .iter()
                        .flatten(),
                );
            }
        }
        let at = nearest(&near, center);
        let limit = at.third + 2.0 * radius;
        let limit_foam = at.foam + 2.0 * radius;
        near.retain(|site| {
            let d = squared_distance(site.place, center).sqrt();
            d <= limit || (site.in_foam && d <= limit_foam)
        });
        near
    }

    fn value(&self, part: &Vec<Site>, point: [f64; 3]) -> f64 {
        let at = nearest(part, point);
        at.third.max(at.foam) - at.first - self.cells.thickness
    }
}

/// Distances from a point.
struct Nearest {
    first: f64,
    third: f64,
    foam: f64,
}

fn nearest(sites: &[Site], point: [f64; 3]) -> Nearest {
    let (mut first, mut second, mut third, mut foam) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
    for site in sites {
        let d = squared_distance(site.place, point);
        third = third.min(second.max(d));
        second = second.min(first.max(d));
        first = first.min(d);
        if site.in_foam {
            foam = foam.min(d);
        }
    }
    Nearest {
        first: first.sqrt(),
        third: third.sqrt(),
        foam: foam.sqrt(),
    }
}

fn squared_distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let d = |k: usize| (a[k] - b[k]) * (a[k] - b[k]);
    d(0) + d(1) + d(2)
}
