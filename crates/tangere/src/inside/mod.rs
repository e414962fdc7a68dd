//! Point containment: which of many points are inside a closed surface. By ray crossings (winding
//! number or parity), solid angles or labelled cells.
//!
//! A point is [`Side::OnSurface`] if it lies on a triangle, exactly. Otherwise its winding number
//! decides, the number of times that the surface goes round the point: the signed sum over the
//! crossings of a ray from the point, `+1` if the ray leaves through a triangle (along its normal)
//! and `-1` if it enters. For a closed surface with outward normals the winding number is 1 inside
//! and 0 outside. The [`InsideRule`] decides which points are inside if shells are nested, overlap
//! or are inverted.
//!
//! | method | set-up of `N` triangles | a point | answers |
//! |---|---|---|---|
//! | [`Ray`] (all triangles, as published) | none | N | exact |
//! | [`RayTree`] (BVH) | N log N | log N | exact |
//! | [`Cells`] (labelled grid) | N | 1, a few triangles near the surface | exact |
//! | [`Layer`] (solid angles) | N | N | winding numbers with a bound; exact sides |
//! | [`Multipole`] (FMM) | N | log N | winding numbers to any required accuracy; exact sides |
//! | [`Multipole`] (panel clustering, as published) | N | log N | the same |
//!
//! Answers are exact for the coordinates given: no tolerance, no preferred direction,
//! deterministic for any number of threads. Exact methods need a surface without boundary; see
//! [`InsideSettings::insist`].
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
mod column_events;
mod crossing_test;
mod double_layer;
pub mod exact;
mod grid;
mod grid_columns;
mod leaks;
mod method;
mod min_max;
mod multipole;
mod published;
mod ray_column;
mod ray_tree;
mod solid_angle;
mod sorted_axis;
mod winding_classifier;

pub use auto::Auto;
pub use bodies::{Bodies, Intrusion};
pub use cells::Cells;
pub use crossing_test::{CrossingTest, Crossings};
pub use double_layer::Layer;
pub use grid::Grid;
pub use method::{Inside, Method};
pub use multipole::{
    CoefficientRule, Multipole, MultipoleCoefficients, MultipoleSettings, MultipoleTrees,
    MultipoleWork,
};
pub use published::multipole::{PublishedDepth, PublishedMultipole};
pub use published::panel_clustering::PublishedPanels;
pub use published::ray_plain::PlainCrossings;
pub use ray_tree::TreeCrossings;
pub(crate) use ray_tree::ray_winding;

use crate::error::{Argument, Error, Result};
use crate::geometry::{Pose, check_points};
use crate::memory;
use crate::names::names;
use crate::settings::builders;
use crate::shape::TriMesh;
use std::fmt;

/// Point containment by the crossings of a segment with every triangle, as published in `muth2006`:
/// [`RayTree`] is faster.
pub type Ray = CrossingTest<PlainCrossings>;
/// Point containment by the crossings of an axis-parallel ray, found with a BVH.
pub type RayTree = CrossingTest<TreeCrossings>;

/// The side of the surface on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Side {
    /// The point is outside of the body.
    Outside = -1,
    /// The point is on a triangle of the body's surface.
    OnSurface = 0,
    /// The point is inside the body.
    Inside = 1,
}

impl Side {
    /// The name of the side on which a point lies.
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

/// The containment rule: decides from the winding number of a point whether it is inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InsideRule {
    /// Points are inside if their winding number is not 0: the union of overlapping shells,
    /// whatever their orientation; an inverted shell within another cuts a cavity.
    #[default]
    Nonzero,
    /// Points are inside if their winding number is odd (ray parity): every shell turns inside into
    /// outside, so the orientation of triangles does not matter. The overlap of two shells is
    /// outside.
    Parity,
}

names! {
    InsideRule, Rule {
        Nonzero = "nonzero",
        Parity = "parity",
    }
}

impl InsideRule {
    /// The side of a point off the surface by its winding number, under the inside rule.
    #[inline]
    pub fn side(self, winding: i64) -> Side {
        let inside = match self {
            InsideRule::Nonzero => winding != 0,
            InsideRule::Parity => winding & 1 != 0,
        };
        if inside { Side::Inside } else { Side::Outside }
    }
}

/// Settings of all methods of point containment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InsideSettings {
    /// The containment rule: decides from the winding number of a point whether it is inside.
    pub rule: InsideRule,
    /// The largest allowed error of a winding number, between 0 and 1. Only [`Multipole`]
    /// approximates; the errors of other methods are rounding errors.
    pub accuracy: f64,
    /// Whether exact methods accept surfaces that are open or inconsistently oriented, for which
    /// they guarantee nothing. Their confidence is then 0 and the bound on the error of their
    /// winding numbers is infinite. If `false`, then such a surface is an error.
    pub insist: bool,
    /// The total number of points that will be classified, if known. Methods then choose a set-up
    /// that pays off for that many points.
    pub points: Option<usize>,
    /// Whether only grids will be classified ([`InsideTest::classify_grid`]). [`Cells`] and
    /// [`Auto`] then classify column by column and set up nothing else. Other calls return the same
    /// answers, but slowly.
    pub grids_only: bool,
    /// The method that [`Inside`] and [`Bodies`] use. A type that has one method of its own accepts
    /// only [`Method::Auto`] and that method.
    pub method: Method,
    /// The multipole method as published, with its degree, separation and depth; adaptive trees if
    /// `None`. Other methods than [`Method::Multipole`] accept only `None`.
    pub multipole: Option<PublishedMultipole>,
    /// Degree and separation of panel clustering; the defaults if `None`. Other methods than
    /// [`Method::PanelClustering`] accept only `None`.
    pub panels: Option<PublishedPanels>,
}

impl Default for InsideSettings {
    fn default() -> Self {
        InsideSettings {
            rule: InsideRule::Nonzero,
            accuracy: 1e-6,
            insist: false,
            points: None,
            grids_only: false,
            method: Method::Auto,
            multipole: None,
            panels: None,
        }
    }
}

builders! {
    InsideSettings {
        /// The containment rule: decides from the winding number of a point whether it is inside.
        with_rule(rule: InsideRule),
        /// The largest allowed error of a winding number, between 0 and 1.
        with_accuracy(accuracy: f64),
        /// Whether exact methods accept open or inconsistently oriented surfaces, for which they
        /// guarantee nothing.
        with_insist(insist: bool),
        /// The total number of points to classify, if known.
        with_points(points: impl Into<Option<usize>>),
        /// Whether only grids will be classified.
        with_grids_only(grids_only: bool),
        /// The method that [`Inside`] and [`Bodies`] use.
        with_method(method: Method),
        /// The multipole method as published, for [`Method::Multipole`].
        with_multipole(multipole: impl Into<Option<PublishedMultipole>>),
        /// Degree and separation of panel clustering, for [`Method::PanelClustering`].
        with_panels(panels: impl Into<Option<PublishedPanels>>),
    }
}

impl InsideSettings {
    /// Returns the settings of point containment if they are valid.
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

    /// Returns the settings for a containment type that has only the method `own`, if they are
    /// valid and name `own` or `Auto`.
    fn checked_for(self, own: Method) -> Result<Self> {
        if self.method != Method::Auto && self.method != own {
            let expected = format!("{own} or auto for this type; Inside has every method");
            return Err(Error::argument(Argument::Method, self.method, expected));
        }
        let given = [
            (self.multipole.is_some(), Method::Multipole),
            (self.panels.is_some(), Method::PanelClustering),
        ];
        for (is_given, method) in given {
            if is_given && own != method {
                let expected = format!("{method}, whose settings are given");
                return Err(Error::argument(Argument::Method, own, expected));
            }
        }
        self.checked()
    }
}

/// A method of point containment.
///
/// `update` takes the surface; points come later, in any number of calls. The threads are those of
/// the current rayon pool; answers have the same bits on any number of threads. `out` is cleared
/// first and then has one entry for each point; on an error it is empty. Calls with no more points
/// than before allocate nothing.
pub trait InsideTest: Send {
    /// Replaces the surface of the containment test and sets the method up for it.
    ///
    /// # Errors
    /// When the method cannot guarantee its answers for the surface. There is then no surface, and
    /// calls with points fail.
    fn update(&mut self, mesh: &TriMesh) -> Result<()>;

    /// Writes the side of each point, as the containment test finds it, to `out`.
    ///
    /// # Errors
    /// When a coordinate is not valid ([`crate::geometry::is_valid_coordinate`];
    /// the error has the index of the point) or there is no surface yet.
    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()>;

    /// Writes the sides of the points of a grid, by the containment test, to `out`, x fastest. The
    /// result is that of [`InsideTest::classify`] for [`Grid::points`]; some methods are faster for
    /// grids.
    ///
    /// # Errors
    /// As [`InsideTest::classify`], and when there is no memory for the answers.
    fn classify_grid(&mut self, grid: &Grid, out: &mut Vec<Side>) -> Result<()> {
        grid.reserve(out)?;
        let points: Vec<[f64; 3]> = memory::reserved(grid.len(), Argument::Points)?;
        self.classify(&grid.listed(points), out)
    }

    /// Writes the sides of points relative to a moved body to `out`: a point `x` is classified in
    /// the body's own frame, at `pose.inverse().apply(x)` with the arithmetic of [`Pose`], so that
    /// the set-up is reused. `frame` is scratch memory for the points in that frame, kept by the
    /// caller.
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

    /// Writes the winding number of each point, by the containment test, to `out`. On the surface
    /// it is the mean over all directions: 1/2 on faces, and on edges and vertices the fraction of
    /// a small sphere around the point that is inside.
    ///
    /// # Errors
    /// As [`InsideTest::classify`].
    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()>;

    /// Bound on the error of the winding numbers that the last call of the containment test
    /// computed, by rounding and, for methods that approximate, by truncation. For methods that are
    /// exact off the surface it is 0, unless the last call had points on the surface. It is
    /// infinite if they accept a surface with leaks ([`InsideSettings::insist`]), as the crossings
    /// then depend on the direction of the ray.
    fn bound(&self) -> f64;

    /// The confidence of the containment test in the sides of the last call: the least over its
    /// points, 1 if they are exact, 0 if nothing is guaranteed.
    fn confidence(&self) -> f64;

    /// Writes the confidence of the containment test in the side of each point to `out`, from 0
    /// (nothing is guaranteed) to 1 (certain). For a surface with leaks, [`Layer`] and
    /// [`Multipole`] take the distance of the winding number from the nearest value at which the
    /// side changes (1/2 for a single shell), less its error bound, and multiply it by 2. The
    /// confidence is lower if some of six axis-parallel rays contradict the side.
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

    /// The name of the method that the containment test uses; for `auto`, the one that it chose.
    fn method(&self) -> &'static str;

    /// Why the containment test uses this method and in which variant, in one sentence.
    fn reason(&self) -> String;
}

/// The error of a containment test that is called before its first successful `update`.
pub(crate) fn no_surface() -> Error {
    Error::argument(
        Argument::Mesh,
        "none",
        "a surface that `update` has accepted",
    )
}
