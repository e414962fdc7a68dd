//! Open-cell foam: the body of the point containment tests of muth2006 (section 3.2).
//!
//! It is a closed surface of high genus with about a given number of triangles. Cost: linear in
//! that number.
//!
//! # Construction
//! Cells are the Voronoi cells of a body-centred cubic lattice whose sites are moved at random.
//! They resemble the cells of real foams: about 14 faces, three faces to an edge, four edges to a
//! corner. The foam is the set of points near the edges of the `n^3 + (n - 1)^3` cells in a cube
//! whose edge is `n` lattice constants long.
//!
//! Let `a <= b <= c` be the distances of a point from the nearest three sites; all are equal on an
//! edge. Let `f` be its distance from the nearest site of the foam: a site whose cell is in the
//! cube. The point belongs to the foam if
//!
//! ```text
//! (a - b)^2 + (b - c')^2 + (c' - a)^2 < 3 radius^2,   c' = max(c, f).
//! ```
//!
//! This condition is smooth along an edge, because it does not change when the three sites are
//! permuted. With `f` in it, the foam ends where its cells end, without cutting through struts, so
//! it is connected. The root of a third of the left side is the distance of `(a, b, c')` from the
//! line on which all three are equal. A distance changes by at most as much as the point moves, so
//! the root changes by at most `sqrt(3)` times that.
//!
//! The surface is extracted on a grid (`isosurface`) whose spacing is adjusted until the number of
//! triangles is right; usually the first guess is. Thin struts may break into splinters on a coarse
//! grid, which are dropped.
//!
//! *Deviates:* the paper has one foam in three resolutions, whose data are not public. Here the
//! number of cells grows with the number of triangles, so that struts are some triangles thick in
//! all of them.

use super::isosurface::{Field, Grid};
use super::random::Random;
use super::{TRIANGLES_MAX, reserved};
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{dot, minus};
use crate::shape::TriMesh;

/// The smallest number of triangles that can be requested for a foam.
const TRIANGLES_MIN: usize = 500;

/// The largest random displacement of a site (a lattice point, the centre of a Voronoi cell of the
/// foam) along each axis, in units of the lattice constant.
const JITTER: f64 = 0.18;

/// The radius of the struts of a foam, in units of the lattice constant, if there are at least
/// `SCARCE` triangles. With fewer triangles, struts are thicker.
const RADIUS: f64 = 0.085;

/// The number of triangles of a foam below which its struts become thicker.
const SCARCE: f64 = 3000.0;

/// The smallest number of triangles of a foam for each cube of its lattice. The grid on which the
/// surface is extracted is then so fine that struts are one to two grid cubes thick, with about ten
/// triangles around them.
const TRIANGLES_PER_CUBE: usize = 2700;

/// The largest relative difference between the requested number of triangles of a foam and its
/// actual number.
const TOLERANCE: f64 = 0.05;

/// Maximum number of grids on which the surface of a foam is extracted until it has about the
/// requested number of triangles. One or two are usual. More are needed if there are so few
/// triangles that single grid nodes matter.
const ATTEMPTS: usize = 24;

/// Maximum number of strut radii that are tried for a foam, each 10% above the one before. A new
/// radius is tried if no grid gives the requested number of triangles, which happens to one foam in
/// a thousand below 1500 triangles.
const THICKENINGS: usize = 4;

/// The number of layers of lattice cubes that are added around the cube of cells of a foam. The
/// sites of these layers bound the outer cells.
const MARGIN: usize = 3;

/// A distance within which every point has at least three sites (displaced lattice points) of a
/// foam, in units of the lattice constant. A tetrahedron of the lattice has edges of at most 1, and
/// sites are moved by at most `sqrt(3) JITTER`.
const THIRD: f64 = 1.0 + 1.8 * JITTER;

/// Returns an open-cell foam of about `triangles` triangles (within 5%), the same for the same
/// seed. It is connected, of high genus (about 100 at 29 000 triangles, 1400 at 494 000), and its
/// volume is some 14% of the cube of its cells.
///
/// The cube of its cells is `[-1/2, 1/2]^3`; struts reach a little beyond.
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
            Argument::FoamTriangles,
            triangles,
            format!("{TRIANGLES_MIN} to {TRIANGLES_MAX}"),
        ));
    }
    let mut foam = Foam::new(Cells::of(triangles), seed)?;
    for _ in 0..THICKENINGS {
        if let Some(mesh) = foam.with_triangles(triangles)? {
            return Ok(mesh);
        }
        // A strut broke when triangles were few enough: thicker struts hold on coarser grids.
        foam.cells.radius *= 1.1;
    }
    Err(Error::argument(
        Argument::FoamTriangles,
        triangles,
        format!("another number or seed: no grid gives this number for seed {seed}"),
    ))
}

/// The number of cells of a foam and the thickness of its struts.
#[derive(Clone, Copy)]
struct Cells {
    /// The edge length of the cube that the cells of the foam fill, in units of the lattice
    /// constant.
    n: usize,
    /// The radius of the struts, in units of the lattice constant. Let `a`, `b` and `c` be the
    /// distances of a point from the nearest three sites. The point is in a strut if `sqrt(((a -
    /// b)^2 + (b - c)^2 + (c - a)^2) / 3)` is less than this radius. Struts are about as thick in
    /// all directions.
    radius: f64,
}

impl Cells {
    /// Returns the largest number of cells whose struts a foam of this number of triangles resolves
    /// well, with the radius of the struts.
    fn of(triangles: usize) -> Self {
        let mut n = 1;
        while (n + 1) * (n + 1) * (n + 1) * TRIANGLES_PER_CUBE <= triangles {
            n += 1;
        }
        // With struts that become thicker like this, a single cell keeps its windows open and its
        // struts unbroken, down to the least number of triangles.
        let scarcity = (SCARCE / triangles as f64).max(1.0);
        let radius = RADIUS * scarcity.sqrt();
        Self { n, radius }
    }

    /// Returns the edge length, in units of the lattice constant, of the cubes of the grid on which
    /// the extracted surface of a foam has about this number of triangles. The formula was fitted:
    /// triangles of inner struts are proportional to `n^3`, those of outer struts to `n^2`.
    fn cube(self, triangles: f64) -> f64 {
        let n = self.n as f64;
        let area = (36.0 * n + 28.0) * n * n * self.radius / RADIUS;
        (area / triangles).sqrt()
    }

    /// Returns the lower and upper corner of a box around the foam, in coordinates of the lattice.
    /// On the boundary of the box the nearest site of the foam is at least 1.32 away (1.5 less
    /// `JITTER`), and some site is within 0.87, the covering radius of the lattice plus the largest
    /// motion of a site. These distances differ by 0.45, so the root that [`Foam::value`] compares
    /// with the radius of struts is at least 0.31. The radius is at most 0.28, thickenings
    /// included, so no point of the boundary is in the foam.
    fn bounds(self) -> [[f64; 3]; 2] {
        [[-1.0; 3], [self.n as f64 + 1.0; 3]]
    }

    /// Maps a point from coordinates of the lattice to those of the foam, whose cube of cells is
    /// `[-1/2, 1/2]^3`.
    fn centered(self, p: [f64; 3]) -> [f64; 3] {
        let n = self.n as f64;
        p.map(|x| x / n - 0.5)
    }
}

/// Returns the largest connected component of the surface of a foam, with only its own vertices.
/// The other components are splinters of struts.
fn largest_component(mesh: TriMesh) -> Result<TriMesh> {
    let (vertices, faces) = (mesh.vertices(), mesh.faces());
    let mut parent: Vec<u32> = reserved(vertices.len())?;
    parent.extend(0..vertices.len() as u32);
    /// Returns the root of the union-find tree of vertex `v` of the foam: the vertex that
    /// represents its connected component.
    fn root(parent: &mut [u32], mut v: u32) -> u32 {
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }
    for &[a, b, c] in faces {
        let a = root(&mut parent, a);
        for other in [b, c] {
            let other = root(&mut parent, other);
            parent[other as usize] = a;
        }
    }
    let mut size = vec![0u32; vertices.len()];
    for face in faces {
        size[root(&mut parent, face[0]) as usize] += 1;
    }
    let Some(largest) = (0..vertices.len()).max_by_key(|&v| (size[v], usize::MAX - v)) else {
        return Ok(mesh);
    };
    if size[largest] as usize == faces.len() {
        return Ok(mesh);
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
        .iter()
        .map(|face| face.map(|v| index[v as usize]))
        .filter(|face| face[0] != u32::MAX)
        .collect();
    TriMesh::new(kept, faces)
}

/// The scalar field whose isosurface is the surface of a foam. It is computed from the sites
/// (centres) of the cells of the foam and of the cells around them.
struct Foam {
    cells: Cells,
    /// The edge length of the cube that all sites fill, those of the foam and those around it, in
    /// units of the lattice constant.
    edge: usize,
    /// The two sites of each cube of the lattice: the displaced corner with the least coordinates,
    /// and the displaced centre. Cubes are in the order of `z`, then `y`, then `x`.
    sites: Vec<[Site; 2]>,
}

/// A site: a displaced lattice point, the centre of a Voronoi cell, and whether that cell is in the
/// foam.
#[derive(Clone, Copy)]
struct Site {
    place: [f64; 3],
    in_foam: bool,
}

impl Foam {
    /// Returns a foam: the sites of its cells and those around them. The seed determines their
    /// random displacements.
    fn new(cells: Cells, seed: u64) -> Result<Self> {
        let edge = cells.n + 2 * MARGIN;
        let mut random = Random::new(seed);
        let mut sites = reserved(edge * edge * edge)?;
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
        Ok(Self { cells, edge, sites })
    }

    /// Returns the surface of the foam with about `triangles` triangles. `None` if none of the
    /// grids that were tried gives that number.
    fn with_triangles(&self, triangles: usize) -> Result<Option<TriMesh>> {
        let wanted = triangles as f64;
        // The edges of cubes of the grid: too small ones make too many triangles.
        let (mut too_small, mut too_large) = (0.0, f64::MAX);
        let mut cube = self.cells.cube(wanted);
        for _ in 0..ATTEMPTS {
            let grid = Grid::new(self, self.cells.bounds(), cube)?;
            let mut excess = grid.triangles() as f64 / wanted;
            if (excess - 1.0).abs() < TOLERANCE {
                let mesh = largest_component(grid.surface(|p| self.cells.centered(p))?)?;
                excess = mesh.faces().len() as f64 / wanted;
                if (excess - 1.0).abs() < TOLERANCE {
                    return Ok(Some(mesh));
                }
            }
            if excess > 1.0 {
                too_small = cube;
            } else {
                too_large = cube;
            }
            // The number of triangles goes with `1 / cube^2`, except for noise: once the right size
            // is between two others, bisection finds where the number jumps from above to below.
            cube = if too_small > 0.0 && too_large < f64::MAX {
                0.5 * (too_small + too_large)
            } else {
                cube * excess.sqrt().clamp(0.7, 1.4)
            };
        }
        Ok(None)
    }
}

impl Field for Foam {
    type Part = Vec<Site>;

    /// Returns the sites that may be, for some point in the ball, one of the three nearest sites or
    /// the nearest site of the foam. Such a site is farther from the centre of the ball than the
    /// third nearest site, or the nearest site of the foam, by at most the diameter of the ball.
    fn part(&self, center: [f64; 3], radius: f64) -> Vec<Site> {
        let reach = THIRD + 2.0 * radius + JITTER;
        let range = center.map(|x| {
            let cube = |x: f64| ((x.floor() + MARGIN as f64).max(0.0) as usize).min(self.edge);
            cube(x - reach)..cube(x + reach + 1.0)
        });
        let mut near = Vec::new();
        for z in range[2].clone() {
            for y in range[1].clone() {
                let row = (z * self.edge + y) * self.edge;
                let cubes = row + range[0].start..row + range[0].end;
                near.extend(self.sites[cubes].iter().flatten());
            }
        }
        let at = nearest(&near, center);
        let limit = at.third + 2.0 * radius;
        let limit_foam = at.foam + 2.0 * radius;
        near.retain(|site| {
            let d = minus(site.place, center);
            let d = dot(d, d).sqrt();
            d <= limit || (site.in_foam && d <= limit_foam)
        });
        near
    }

    /// Returns the field whose isosurface at 0 is the surface of the foam: `sqrt(((a - b)^2 + (b -
    /// c')^2 + (c' - a)^2) / 3)`, minus the radius of struts. `a` and `b` are the distances of the
    /// point from the nearest two sites, and `c'` is the greater of its distances from the third
    /// nearest site and from the nearest site of the foam.
    fn value(&self, part: &Vec<Site>, point: [f64; 3]) -> f64 {
        let at = nearest(part, point);
        let d = [at.first, at.second, at.third.max(at.foam)];
        let squares = |i: usize, j: usize| (d[i] - d[j]) * (d[i] - d[j]);
        ((squares(0, 1) + squares(1, 2) + squares(2, 0)) / 3.0).sqrt() - self.cells.radius
    }
}

/// The distances of a point from the nearest three sites of cells, and from the nearest site whose
/// cell is in the foam.
struct Nearest {
    first: f64,
    second: f64,
    third: f64,
    foam: f64,
}

/// Returns the distances of a point from the nearest three of `sites`, and from the nearest of them
/// that is a site of the foam.
fn nearest(sites: &[Site], point: [f64; 3]) -> Nearest {
    let (mut first, mut second, mut third, mut foam) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
    for site in sites {
        let d = minus(site.place, point);
        let d = dot(d, d);
        third = third.min(second.max(d));
        second = second.min(first.max(d));
        first = first.min(d);
        if site.in_foam {
            foam = foam.min(d);
        }
    }
    Nearest {
        first: first.sqrt(),
        second: second.sqrt(),
        third: third.sqrt(),
        foam: foam.sqrt(),
    }
}
