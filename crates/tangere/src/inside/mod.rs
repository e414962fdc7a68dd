//! Is it inside? Many points against one closed surface, three ways.
//!
//! A point is [`Side::OnSurface`] if it lies on a triangle, exactly; otherwise
//! its winding number decides, the number of times that the surface goes round
//! it: what a ray from the point crosses, `+1` where it leaves through a
//! triangle (along its normal) and `-1` where it enters. For a closed surface
//! with normals outward that is 1 inside and 0 outside. What counts as inside
//! where shells are nested, overlap or are turned is the [`InsideRule`].
//!
//! | method | set-up | a point | answers |
//! |---|---|---|---|
//! | [`Ray`] | none | N | exact |
//! | [`RayTree`] | N log N | log N | exact |
//! | [`Cells`] | N | 1, a few triangles near the surface | exact; whole grids by columns |
//! | [`Layer`] | N | N | winding numbers with a bound; exact sides |
//! | [`Multipole`] | N | 1 | the same, with a bound that can be asked for |
//!
//! Answers are exact for the coordinates given: no tolerance, no preferred
//! direction, no dependence on threads. Exact methods need a surface without
//! boundary; see [`InsideSettings::insist`].
//!
//! ```
//! use tangere::generate;
//! use tangere::inside::{InsideSettings, InsideTest, RayTree, Side};
//!
//! let mut test = RayTree::new(InsideSettings::default())?;
//! test.update(&generate::sphere(4)?)?;
//! let mut sides = Vec::new();
//! test.classify(&[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.9, 0.9, 0.0]], &mut sides)?;
//! assert_eq!(sides, [Side::Inside, Side::OnSurface, Side::Outside]);
//! # Ok::<(), tangere::Error>(())
//! ```

mod auto;
mod bodies;
mod cells;
mod crossing_count;
mod double_layer;
pub mod exact;
mod grid;
mod grid_columns;
mod leaks;
mod method;
mod multipole;
mod ray;
mod ray_tree;
mod side_by_winding;
mod solid_angle;

pub use auto::Auto;
pub use bodies::{Bodies, Intrusion};
pub use cells::Cells;
pub use crossing_count::{CrossingTest, Crossings};
pub use double_layer::Layer;
pub use grid::Grid;
pub use method::{Method, inside_test};
pub use multipole::{Multipole, MultipoleSettings, MultipoleTrees};

use crate::error::{Argument, Error, Result, named};
use crate::geometry::{Pose, check_points};
use crate::memory;
use crate::settings::builders;
use crate::shape::TriMesh;
use std::fmt;
use std::str::FromStr;

/// Crossings of a ray, every triangle looked at.
pub type Ray = CrossingTest<ray::PlainCrossings>;
/// Crossings of a column, found over the tree.
pub type RayTree = CrossingTest<ray_tree::TreeCrossings>;

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Side {
    /// Outside of the body.
    Outside = -1,
    /// On a triangle of its surface.
    OnSurface = 0,
    /// Inside.
    Inside = 1,
}

impl Side {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Side::Outside => "outside",
            Side::OnSurface => "on the surface",
            Side::Inside => "inside",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which winding numbers count as inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InsideRule {
    /// All but 0: the union of overlapping shells, whichever way each is turned;
    /// a shell turned inward within another cuts a cavity.
    #[default]
    Nonzero,
    /// The odd ones: every shell turns inside into outside, so directions of
    /// triangles do not count. What two shells share is outside.
    Parity,
}

impl InsideRule {
    /// Both rules, in the order in which help lists them.
    pub const ALL: [InsideRule; 2] = [InsideRule::Nonzero, InsideRule::Parity];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            InsideRule::Nonzero => "nonzero",
            InsideRule::Parity => "parity",
        }
    }

    /// The side of a point off the surface by its winding number.
    #[inline]
    pub fn side(self, winding: i64) -> Side {
        let inside = match self {
            InsideRule::Nonzero => winding != 0,
            InsideRule::Parity => winding & 1 != 0,
        };
        if inside { Side::Inside } else { Side::Outside }
    }
}

impl fmt::Display for InsideRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for InsideRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        named(Argument::Rule, text, &InsideRule::ALL, InsideRule::name)
    }
}

/// What all methods are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InsideSettings {
    /// Which winding numbers count as inside.
    pub rule: InsideRule,
    /// The largest error of a winding number that is wanted, between 0 and 1.
    /// Methods without approximation do better whatever it is.
    pub accuracy: f64,
    /// Exact methods go on with surfaces for which they cannot promise anything:
    /// open ones, and ones whose triangles are turned inconsistently; their
    /// confidence is 0 then, and their bound infinite. They refuse them otherwise.
    pub insist: bool,
    /// How many points will be asked for altogether, if that is known: methods
    /// then spend no more on setting up than it is worth.
    pub points: Option<usize>,
    /// Only whole grids will be asked for ([`InsideTest::classify_grid`]): [`Cells`]
    /// and [`Auto`] answer those by columns, and set nothing else up. Other
    /// questions get the same answers, but slowly.
    pub grids_only: bool,
}

impl Default for InsideSettings {
    fn default() -> Self {
        InsideSettings {
            rule: InsideRule::Nonzero,
            accuracy: 1e-6,
            insist: false,
            points: None,
            grids_only: false,
        }
    }
}

builders! {
    InsideSettings {
        /// Which winding numbers count as inside.
        with_rule(rule: InsideRule),
        /// The largest error of a winding number that is wanted, between 0 and 1.
        with_accuracy(accuracy: f64),
        /// Whether exact methods go on with surfaces for which they cannot promise anything.
        with_insist(insist: bool),
        /// How many points will be asked for altogether, if that is known.
        with_points(points: impl Into<Option<usize>>),
        /// Whether only whole grids will be asked for.
        with_grids_only(grids_only: bool),
    }
}

impl InsideSettings {
    /// The settings, if they can be used.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1.
    pub fn checked(self) -> Result<Self> {
        if self.accuracy > 0.0 && self.accuracy < 1.0 {
            return Ok(self);
        }
        Err(Error::argument(
            Argument::Accuracy,
            crate::error::number(self.accuracy),
            "a number between 0 and 1, both excluded",
        ))
    }
}

/// A method that tells inside from outside.
///
/// `update` sees the surface alone; points come later, as often as wanted. The
/// threads are those of the current rayon pool; answers have the same bits on
/// any number of them. `out` is cleared first and then complete, one entry a
/// point; on an error it is empty. Calls with no more points than before
/// allocate nothing.
pub trait InsideTest: Send {
    /// Takes up a surface, instead of the one before.
    ///
    /// # Errors
    /// When the method cannot promise its answers for it; the surface before is
    /// then gone, and points are refused.
    fn update(&mut self, mesh: &TriMesh) -> Result<()>;

    /// The sides of points.
    ///
    /// # Errors
    /// When a coordinate is not valid ([`crate::geometry::is_valid_coordinate`];
    /// the error has the index of the point) or there is no surface yet.
    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()>;

    /// The sides of the points of a grid, x fastest. The same as
    /// [`InsideTest::classify`] of [`Grid::points`], perhaps faster.
    ///
    /// # Errors
    /// As [`InsideTest::classify`], and when there is no memory for the answers.
    fn classify_grid(&mut self, grid: &Grid, out: &mut Vec<Side>) -> Result<()> {
        grid.reserve(out)?;
        let points: Vec<[f64; 3]> = memory::reserved(grid.len(), Argument::Points)?;
        self.classify(&grid.listed(points), out)
    }

    /// The sides of points about a body that has been moved: a point `x` is asked
    /// for in the body's own frame, where it is `pose.inverse().apply(x)` with the
    /// arithmetic of [`Pose`]. Nothing is set up again. `frame` is room for the
    /// points in that frame, to be kept by the caller.
    ///
    /// # Errors
    /// As [`InsideTest::classify`].
    fn classify_posed(
        &mut self,
        pose: &Pose,
        points: &[[f64; 3]],
        frame: &mut Vec<[f64; 3]>,
        out: &mut Vec<Side>,
    ) -> Result<()> {
        out.clear();
        check_points(Argument::Point, points)?;
        let to_frame = pose.inverse();
        frame.clear();
        memory::reserve(frame, points.len(), Argument::Points)?;
        frame.extend(points.iter().map(|&p| to_frame.apply(p)));
        self.classify(frame, out)
    }

    /// The winding numbers of points. On a triangle it is the mean over all
    /// directions: 1/2 on the faces of a body, on edges and vertices the part of
    /// a small sphere around the point that is inside.
    ///
    /// # Errors
    /// As [`InsideTest::classify`].
    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()>;

    /// By how much winding numbers of the last call may be off: rounding and, of
    /// methods that approximate, truncation. Of methods that are exact off the
    /// surface, 0 unless the last call had points on it; infinite where these go on
    /// with a surface that leaks ([`InsideSettings::insist`]): what a ray counts then
    /// depends on where it goes.
    fn bound(&self) -> f64;

    /// How sure the sides of the last call are: the least over its points, 1
    /// where they are exact, 0 where nothing is promised.
    fn confidence(&self) -> f64;

    /// How sure the side of each point is. Of a surface with leaks it is the
    /// distance of the winding number from where the side changes (1/2), less its
    /// bound, over 1/2.
    ///
    /// # Errors
    /// As [`InsideTest::classify`].
    fn confidences(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        check_points(Argument::Point, points)?;
        memory::reserve(out, points.len(), Argument::Points)?;
        out.resize(points.len(), self.confidence());
        Ok(())
    }

    /// The name of the method at work; of `auto`, the one that it chose.
    fn method(&self) -> &'static str;

    /// Why this method and in which form, in a sentence.
    fn reason(&self) -> String;
}

/// The larger of two errors; one that is no number is larger than any.
#[inline]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    match a.is_nan() || b.is_nan() {
        true => f64::INFINITY,
        false => a.max(b),
    }
}

/// What asking before the first successful `update` gets.
pub(crate) fn no_surface() -> Error {
    Error::argument(
        Argument::Mesh,
        "none",
        "a surface that `update` has accepted",
    )
}
