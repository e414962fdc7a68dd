//! Volume of a closed body in each cell of a lattice.
//!
//! Every triangle spans a prism down to the floor of the lattice, positive below an upward triangle
//! and negative below a downward one; the sum of all prisms is the body (divergence theorem for the
//! field `(0, 0, z)`). Triangles are clipped to cells. A clipped triangle adds the volume between
//! it and the floor of its cell to that cell, and its projected area times the height of a cell to
//! each cell below.
//!
//! For a body that is given by distances only, [`volume_bounds`] returns upper bounds.

use super::lattice::Lattice;
use crate::error::Result;
use crate::overlap::pack::Container;
use crate::shape::TriMesh;

/// The maximum number of corners of a triangle that is clipped by the six planes of a cell.
const CORNERS: usize = 9;

/// A convex planar polygon: a triangle that is clipped to a cell.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [[f64; 3]; CORNERS],
    len: usize,
}

impl Polygon {
    /// Returns the part of a polygon, for clipping to cells, in which the coordinate with index
    /// `axis` is from `low` to `high`.
    fn between(&self, axis: usize, low: f64, high: f64) -> Self {
        self.beyond(axis, low, 1.0).beyond(axis, high, -1.0)
    }

    /// Returns the part of a polygon, for clipping to cells, in which `sign (x - limit)` is not
    /// negative, where `x` is the coordinate with index `axis`.
    fn beyond(&self, axis: usize, limit: f64, sign: f64) -> Self {
        let mut cut = Polygon {
            corners: [[0.0; 3]; CORNERS],
            len: 0,
        };
        let mut push = |corner| {
            // Clipping adds at most one corner to a convex polygon.
            if cut.len < CORNERS {
                cut.corners[cut.len] = corner;
                cut.len += 1;
            }
        };
        for i in 0..self.len {
            let (p, q) = (self.corners[i], self.corners[(i + 1) % self.len]);
            let (s, t) = (sign * (p[axis] - limit), sign * (q[axis] - limit));
            if s >= 0.0 {
                push(p);
            }
            if (s < 0.0) != (t < 0.0) {
                let u = s / (s - t);
                let mut corner = std::array::from_fn(|k| p[k] + u * (q[k] - p[k]));
                corner[axis] = limit;
                push(corner);
            }
        }
        cut
    }

    /// Returns the signed area of the polygon, clipped to a cell, projected along z, and the
    /// integral of z over this projection. Both add to the volumes of cells.
    fn projected_area(&self) -> [f64; 2] {
        let mut sums = [0.0; 2];
        let a = self.corners[0];
        for i in 2..self.len {
            let (b, c) = (self.corners[i - 1], self.corners[i]);
            let area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
            sums[0] += area;
            sums[1] += area * ((a[2] + b[2] + c[2]) / 3.0);
        }
        sums
    }
}

/// The number of parts along each axis into which a cell at the surface is cut, if the body is
/// given by distances only.
const PARTS: usize = 4;

/// Returns upper bounds of the volume of a body in every cell of a lattice, for a body that is
/// given by distances only. A cell at the surface is cut into parts, and a part is added unless it
/// certainly lies outside of the body.
pub(super) fn volume_bounds(body: &mut impl Container, lattice: &Lattice) -> Result<Vec<f64>> {
    let h = lattice.side;
    let mut clearances = Vec::new();
    let centers: Vec<[f64; 3]> = (0..lattice.cells())
        .map(|cell| lattice.middle(cell))
        .collect();
    body.clearances(&centers, &mut clearances)?;
    let reach = super::HALF_DIAGONAL * h;
    let mut volumes: Vec<f64> = clearances
        .iter()
        .map(|&clearance| if clearance > -reach { h * h * h } else { 0.0 })
        .collect();
    let at_surface: Vec<usize> = (0..volumes.len())
        .filter(|&cell| clearances[cell].abs() < reach)
        .collect();
    let part = h / PARTS as f64;
    let corner = 0.5 - 0.5 * PARTS as f64;
    let parts: Vec<[f64; 3]> = at_surface
        .iter()
        .flat_map(|&cell| {
            let center = centers[cell];
            (0..PARTS.pow(3)).map(move |i| {
                let place = [i % PARTS, i / PARTS % PARTS, i / PARTS / PARTS];
                std::array::from_fn(|k| center[k] + (place[k] as f64 + corner) * part)
            })
        })
        .collect();
    body.clearances(&parts, &mut clearances)?;
    let reach = super::HALF_DIAGONAL * part;
    for (&cell, parts) in at_surface.iter().zip(clearances.chunks_exact(PARTS.pow(3))) {
        let reached = parts
            .iter()
            .filter(|&&clearance| clearance > -reach)
            .count();
        volumes[cell] = reached as f64 * (part * part * part);
    }
    Ok(volumes)
}

/// Returns the volume of a closed, oriented body in every cell of a lattice.
pub(super) fn volumes(mesh: &TriMesh, lattice: &Lattice) -> Vec<f64> {
    let mut volumes = vec![0.0; lattice.cells()];
    // The projected area that is added to a cell and all cells below it, summed from the top at the
    // end.
    let mut above = vec![0.0; lattice.cells()];
    let h = lattice.side;
    for face in 0..mesh.faces().len() {
        // Corners are in units of cells.
        let corners = mesh
            .triangle(face)
            .map(|p| std::array::from_fn(|k| (p[k] - lattice.origin[k]) / h));
        let whole = Polygon {
            corners: {
                let mut all = [[0.0; 3]; CORNERS];
                all[..3].copy_from_slice(&corners);
                all
            },
            len: 3,
        };
        for i in lattice.range(&corners, 0) {
            let slab = whole.between(0, i as f64, (i + 1) as f64);
            for j in lattice.range(&corners, 1) {
                let column = slab.between(1, j as f64, (j + 1) as f64);
                if column.len < 3 {
                    continue;
                }
                for k in lattice.range(&corners, 2) {
                    let part = column.between(2, k as f64, (k + 1) as f64);
                    if part.len < 3 {
                        continue;
                    }
                    let [area, height] = part.projected_area();
                    let cell = lattice.cell([i, j, k]);
                    volumes[cell] += height - area * k as f64;
                    if k > 0 {
                        above[lattice.cell([i, j, k - 1])] += area;
                    }
                }
            }
        }
    }
    for i in 0..lattice.counts[0] {
        for j in 0..lattice.counts[1] {
            let mut area = 0.0;
            for k in (0..lattice.counts[2]).rev() {
                let cell = lattice.cell([i, j, k]);
                area += above[cell];
                volumes[cell] = (volumes[cell] + area).clamp(0.0, 1.0) * (h * h * h);
            }
        }
    }
    volumes
}
