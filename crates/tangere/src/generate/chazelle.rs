//! Chazelle's polyhedron: a box with notches from above and from below.
//!
//! It is the worst case of methods that work polygon by polygon: two of these bodies, one above the
//! other, intersect in `size^2` places (weller2014, figure 1), and a decomposition into convex
//! parts has at least the order of `size^2` parts. Cost: linear in `size`.
//!
//! # Construction
//! Let `w = size + 1`. The box is `[0, w]^2 x [-1, w + 1]`. The hyperbolic paraboloid `z = x y / w`
//! contains two families of lines. The apex of notch `j` from below is the line `y = j`,
//! `z = x j / w`; the apex of notch `i` from above is the line `x = i`, `z = i y / w + 1/8`.
//! Notches of both families run through the whole box, so their ends open into two opposite faces
//! of it. Their mouths are 1/2 wide and their pitch is 1, so plates between neighbouring notches
//! are 1/2 thick at their edge and 1 at their foot. All lines end at multiples of 1/8.
//!
//! # Why it does not intersect itself
//! A wall of a notch from above is bounded by the apex line and the edge of the mouth. These are
//! skew, so the wall is two triangles. One triangle has the apex line and the end of the mouth
//! above its higher end. At the horizontal distance `f / 4` from the apex line (`0 <= f <= 1`) it
//! satisfies
//!
//! ```text
//! z = i y / w + 1/8 + f (w + 1 - i - 1/8) >= (i + f / 4) y / w + 1/8
//! ```
//!
//! because `w + 1 - i - 1/8 >= 1/4 >= y / (4 w)`. The other triangle has the mouth and the lower
//! end of the apex line; it covers `y <= f w` and satisfies
//!
//! ```text
//! z = 1/8 + f (w + 7/8) >= f (i + f / 4) + 1/8 >= (i + f / 4) y / w + 1/8.
//! ```
//!
//! So a notch from above stays above `x y / w + 1/8`, and in the same way one from below stays
//! below `x y / w`: a slab 1/8 high, as in Chazelle's body, is left between them. The pitch keeps
//! notches of one family apart.
//!
//! *Deviates:* Chazelle's notches have plane walls, whose mouths are wedges with ends that need
//! more bits than `f32` has; here mouths are rectangles and walls are bent along a diagonal.

use super::reserved;
use crate::error::{Argument, Error, Result};
use crate::shape::TriMesh;

/// The largest number of notches of Chazelle's polyhedron on each side, top and bottom. All
/// coordinates are then multiples of 1/8 below 2^21, which `f32` represents.
const SIZE_MAX: u32 = (1 << 20) - 2;

/// The height of the slab that is left between the notches of Chazelle's polyhedron from above and
/// those from below: the vertical distance at which the apex line of a notch from above passes over
/// that of a notch from below.
const SLAB: f64 = 0.125;

/// Half the width of the mouth of a notch, where the distance of neighbouring notches is 1.
const HALF_MOUTH: f64 = 0.25;

/// Returns Chazelle's polyhedron with `size` notches from above and as many from below:
/// `12 size + 8` vertices, `24 size + 12` triangles, genus 0.
///
/// It fills most of the box `[0, size + 1]^2 x [-1, size + 2]`.
///
/// # Errors
/// If `size` is 0 or above 1048574.
///
/// ```
/// let polyhedron = tangere::generate::chazelle(10)?;
/// assert_eq!(polyhedron.faces().len(), 252);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn chazelle(size: u32) -> Result<TriMesh> {
    if !(1..=SIZE_MAX).contains(&size) {
        return Err(Error::argument(
            Argument::ChazelleSize,
            size,
            format!("1 to {SIZE_MAX} notches on each side"),
        ));
    }
    let notches = size as usize;
    let mut body = Body {
        size,
        vertices: reserved(12 * notches + 8)?,
        faces: reserved(24 * notches + 12)?,
    };
    body.place_vertices();
    body.triangulate(Side::Top);
    body.triangulate(Side::Bottom);
    TriMesh::new(body.vertices, body.faces)
}

/// The side of Chazelle's polyhedron, top or bottom, from which a family of notches is cut.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Top,
    Bottom,
}

/// The place of a vertex on its notch: on the apex line or on one of the two edges of the mouth.
#[derive(Clone, Copy)]
enum Part {
    /// On the edge of the mouth that is nearer to the notch with the next lower index.
    Before,
    Apex,
    /// On the edge of the mouth that is nearer to the notch with the next higher index.
    Behind,
}

/// Chazelle's polyhedron while it is built.
struct Body {
    size: u32,
    vertices: Vec<[f64; 3]>,
    faces: Vec<[u32; 3]>,
}

impl Body {
    /// Adds the vertices of Chazelle's polyhedron: first the 8 corners of the box, then 6 vertices
    /// for each notch of the top, then those of the bottom.
    fn place_vertices(&mut self) {
        let w = f64::from(self.size) + 1.0;
        for corner in 0..8u32 {
            let upper = |axis: u32| corner >> axis & 1 == 1;
            self.vertices.push([
                if upper(0) { w } else { 0.0 },
                if upper(1) { w } else { 0.0 },
                if upper(2) { w + 1.0 } else { -1.0 },
            ]);
        }
        for side in [Side::Top, Side::Bottom] {
            for notch in 1..=self.size {
                let at = f64::from(notch);
                for far in [false, true] {
                    let along = if far { w } else { 0.0 };
                    // The apex rises from 0 to `notch` over the width w.
                    let rise = if far { at } else { 0.0 };
                    for across in [at - HALF_MOUTH, at, at + HALF_MOUTH] {
                        let apex = across == at;
                        self.vertices.push(match side {
                            Side::Top if apex => [at, along, rise + SLAB],
                            Side::Top => [across, along, w + 1.0],
                            Side::Bottom if apex => [along, at, rise],
                            Side::Bottom => [along, across, -1.0],
                        });
                    }
                }
            }
        }
    }

    /// Returns the index of a corner of the box of Chazelle's polyhedron. The axes are those of the
    /// notches of a side: `across` is set at the upper end of the axis across them, `along` at the
    /// upper end of the axis along them, and `mouth` in the face with their mouths.
    fn corner(&self, side: Side, across: bool, along: bool, mouth: bool) -> u32 {
        let (x, y, z) = match side {
            Side::Top => (across, along, mouth),
            Side::Bottom => (along, across, !mouth),
        };
        u32::from(x) + 2 * u32::from(y) + 4 * u32::from(z)
    }

    /// Returns the index of a vertex of Chazelle's polyhedron: that of a part of notch `notch`,
    /// counted from 1, at the near or far end of the notch.
    fn vertex(&self, side: Side, notch: u32, part: Part, far: bool) -> u32 {
        let family = if side == Side::Top { 0 } else { self.size };
        8 + 6 * (family + notch - 1) + 3 * u32::from(far) + part as u32
    }

    /// Adds the walls of one family of notches of Chazelle's polyhedron, the rectangles between
    /// their mouths, and the two faces of the box into which their ends open.
    ///
    /// The code is written for the top. For the bottom, `x` and `y` are exchanged and `z` is
    /// reversed; these two reflections together keep the orientation of triangles.
    fn triangulate(&mut self, side: Side) {
        let n = self.size;
        // As seen from the side of the mouths, `across` is to the right, `along` up.
        for gap in 0..=n {
            let left = |far| match gap {
                0 => self.corner(side, false, far, true),
                _ => self.vertex(side, gap, Part::Behind, far),
            };
            let right = |far| match gap {
                _ if gap == n => self.corner(side, true, far, true),
                _ => self.vertex(side, gap + 1, Part::Before, far),
            };
            let edge = [left(false), right(false), right(true), left(true)];
            self.quad(edge);
        }
        for notch in 1..=n {
            let v = |part, far| self.vertex(side, notch, part, far);
            // The diagonal of a wall joins the end of the apex that is deeper as seen from the
            // mouth to the opposite end of the mouth.
            let deep = side == Side::Bottom;
            let (a, b) = (v(Part::Apex, deep), v(Part::Apex, !deep));
            let walls = [
                [v(Part::Before, deep), v(Part::Before, !deep)],
                [v(Part::Behind, deep), v(Part::Behind, !deep)],
            ];
            for (wall, mirrored) in walls.into_iter().zip([deep, !deep]) {
                let [c, d] = wall;
                self.triangle([a, b, d], mirrored);
                self.triangle([a, d, c], mirrored);
            }
        }
        for far in [false, true] {
            self.comb(side, far);
        }
    }

    /// Adds the face of the box of Chazelle's polyhedron into which the near or far ends of the
    /// notches open: a fan of triangles from a corner of the box to the apices, and the ends of the
    /// plates between the notches.
    fn comb(&mut self, side: Side, far: bool) {
        let n = self.size;
        let corner = |across, mouth| self.corner(side, across, far, mouth);
        let v = |notch, part| self.vertex(side, notch, part, far);
        let mut faces = Vec::with_capacity(3 * n as usize + 2);
        // As seen from the near end, `across` is to the right, the mouths are above.
        let foot = corner(false, false);
        faces.push([foot, v(1, Part::Apex), v(1, Part::Before)]);
        faces.push([foot, v(1, Part::Before), corner(false, true)]);
        for notch in 1..n {
            let (a, b) = (v(notch, Part::Apex), v(notch + 1, Part::Apex));
            faces.push([foot, b, a]);
            faces.push([a, b, v(notch + 1, Part::Before)]);
            faces.push([a, v(notch + 1, Part::Before), v(notch, Part::Behind)]);
        }
        let last = corner(true, false);
        faces.push([foot, last, v(n, Part::Apex)]);
        faces.push([v(n, Part::Apex), last, v(n, Part::Behind)]);
        faces.push([last, corner(true, true), v(n, Part::Behind)]);
        for face in faces {
            self.triangle(face, far);
        }
    }

    /// Adds a quadrangle of Chazelle's polyhedron as two triangles.
    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.faces.extend([[a, b, c], [a, c, d]]);
    }

    /// Adds a triangle of Chazelle's polyhedron, with its orientation reversed if `mirrored` is
    /// set.
    fn triangle(&mut self, [a, b, c]: [u32; 3], mirrored: bool) {
        self.faces
            .push(if mirrored { [a, c, b] } else { [a, b, c] });
    }
}
