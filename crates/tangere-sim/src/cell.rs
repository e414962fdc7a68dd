//! The cell in which spheres are, and its periodic images.

use crate::error::{Error, Result};
use crate::setup::{Border, Cell};
use crate::vector::{Vector, plus, times};
use tangere::pairs::Periodic;

impl Cell {
    /// A box with right angles, open on all sides.
    pub fn open(lower: Vector, upper: Vector) -> Self {
        let mut edges = [[0.0; 3]; 3];
        for k in 0..3 {
            edges[k][k] = upper[k] - lower[k];
        }
        Self {
            origin: lower,
            edges,
            periodic: [false; 3],
            border: [Border::Open; 3],
        }
    }

    /// Whether an edge is not at right angles to the others.
    pub fn is_tilted(&self) -> bool {
        let [_, b, c] = self.edges;
        [b[0], c[0], c[1]] != [0.0; 3]
    }

    /// Whether space repeats along an edge.
    pub fn is_periodic(&self) -> bool {
        self.periodic.contains(&true)
    }

    /// The shift of an image.
    #[inline]
    pub(crate) fn shift(&self, image: [i32; 3]) -> Vector {
        let [a, b, c] = self.edges;
        let [i, j, k] = image.map(f64::from);
        plus(plus(times(a, i), times(b, j)), times(c, k))
    }

    /// A position in parts of the edges.
    pub(crate) fn fractions(&self, position: Vector) -> Vector {
        let mut rest: Vector = std::array::from_fn(|k| position[k] - self.origin[k]);
        let mut parts = [0.0; 3];
        for k in [2, 1, 0] {
            parts[k] = rest[k] / self.edges[k][k];
            rest = std::array::from_fn(|i| rest[i] - parts[k] * self.edges[k][i]);
        }
        parts
    }

    /// The position at these parts of the edges.
    pub(crate) fn at(&self, [i, j, k]: Vector) -> Vector {
        let [a, b, c] = self.edges;
        let way = plus(plus(times(a, i), times(b, j)), times(c, k));
        plus(self.origin, way)
    }

    /// The number of cells by which a position has left the cell along its periodic edges.
    #[inline(always)]
    pub(crate) fn image_of(&self, position: Vector) -> [i32; 3] {
        let is_inside = |k: usize| {
            let at = position[k] - self.origin[k];
            !self.periodic[k] || (0.0 <= at && at < self.edges[k][k])
        };
        match !self.is_tilted() && is_inside(0) && is_inside(1) && is_inside(2) {
            true => [0; 3],
            false => self.far_image_of(position),
        }
    }

    #[inline(never)]
    fn far_image_of(&self, position: Vector) -> [i32; 3] {
        let mut rest: Vector = std::array::from_fn(|k| position[k] - self.origin[k]);
        let mut image = [0; 3];
        // The third edge alone has a z, the second and third alone a y.
        for k in [2, 1, 0] {
            let part = rest[k] / self.edges[k][k];
            if self.periodic[k] {
                image[k] = part.floor() as i32;
            }
            rest = std::array::from_fn(|i| rest[i] - part * self.edges[k][i]);
        }
        image
    }

    /// Whether a position is inside along edges with a border.
    pub(crate) fn holds(&self, position: Vector) -> bool {
        (0..3).all(|k| {
            let is_bounded = !self.periodic[k] && self.border[k] != Border::Open;
            let at = position[k] - self.origin[k];
            // Not a number is outside.
            at.is_finite() && (!is_bounded || (0.0..=self.edges[k][k]).contains(&at))
        })
    }

    /// The cell in which pairs are found: a flat system does not repeat along z, however thin it is.
    pub(crate) fn of_pairs(self, is_flat: bool) -> Self {
        let [x, y, z] = self.periodic;
        Self {
            periodic: [x, y, z && !is_flat],
            ..self
        }
    }

    /// The periodic cell of the broad phase; none in open space.
    pub(crate) fn for_pairs(&self) -> Result<Option<Periodic<3>>> {
        if !self.is_periodic() {
            return Ok(None);
        }
        let lengths = std::array::from_fn(|k| match self.periodic[k] {
            true => self.edges[k][k],
            false => 0.0,
        });
        let [_, b, c] = self.edges;
        // An edge along which nothing repeats has no tilt.
        let tilt = |edge: usize, tilt: f64| if self.periodic[edge] { tilt } else { 0.0 };
        let tilts = [tilt(1, b[0]), tilt(2, c[0]), tilt(2, c[1])];
        let cell = match self.is_tilted() {
            true => Periodic::tilted(lengths, &tilts)?,
            false => Periodic::new(lengths)?,
        };
        Ok(Some(cell))
    }

    /// # Errors
    /// When an edge is not finite or has no length.
    pub(crate) fn check(&self) -> Result<()> {
        for k in 0..3 {
            let length = self.edges[k][k];
            if !(length > 0.0 && length.is_finite() && self.origin[k].is_finite()) {
                let what = format!("edge {k} of the cell");
                return Err(Error::invalid(what, length, "a length above 0"));
            }
        }
        let tilts = [self.edges[1][0], self.edges[2][0], self.edges[2][1]];
        if tilts.iter().any(|tilt| !tilt.is_finite()) {
            return Err(Error::invalid(
                "tilts of the cell",
                format!("{tilts:?}"),
                "finite numbers",
            ));
        }
        Ok(())
    }
}
