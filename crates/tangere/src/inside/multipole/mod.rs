//! Fast multipole method (FMM) for the winding number (double layer potential): the set-up is about
//! linear in the number of triangles, a point then costs its logarithm.
//!
//! `muth2006`, section 2.1: clusters of triangles far from a point contribute through the moments
//! of their potential, near clusters triangle by triangle. Results have an error bound, summed over
//! all clusters at their actual distances ([`error_bound`]), from which the degree of every
//! expansion is chosen.
//!
//! | file | what it holds |
//! |---|---|
//! | `harmonics` | solid harmonics R and S, eqs. (14) and (15) |
//! | `clusters`, `corner_indices` | the tree of clusters, and the vertices of each |
//! | `moments`, `gauss_rule` | moments of clusters, eqs. (22) and (23), and their quadrature |
//! | `translations` | translations of expansions (23), (24) and (25) |
//! | `error_bound` | truncation errors, and the degree for a given error |
//! | `adaptive_tree` | the adaptive evaluation tree over known points |
//! | `level_tree`, `tree_depth` | the evaluation tree of the paper, before points are known |
//! | `panel_clustering` | Taylor expansions of clusters, without a tree of points |
//! | `coefficients` | the moments of any triangles, exactly or by quadrature |
//! | `work` | counts of the operations of table 1 |
//! | `near_field`, `expansion_values`, `direct_sums` | triangles and expansions at points |
//! | `unit_scale` | the scale of coordinates |
//! | `point_classes` | points that share a winding number |
//! | `morton_order`, `sorted_points` | points in Morton order and their results |
//! | `winding_value`, `recheck` | the value of a point, and points to be evaluated again |
//! | `hole_closing` | triangles that close an open surface |
//! | `exact_winding` | exact crossings, for points too close to the surface for floats |
//!
//! All lengths are in the body's own frame: a moving body keeps its expansions, and points must be
//! transformed into that frame.
//!
//! *Deviates:* the trees are adaptive by default ([`MultipoleTrees`]), degrees vary, and eight
//! expansions or points are processed at once. For a closed surface winding numbers are integers,
//! so an error below 1/2 is enough: values are rounded and then exact; points on the surface are
//! evaluated again to the required accuracy. A surface with a short boundary is closed first, and
//! the part of the added triangles is subtracted ([`hole_closing`]).

mod adaptive_tree;
mod clusters;
mod coefficients;
mod corner_indices;
mod direct_sums;
mod error_bound;
mod exact_winding;
mod expansion_values;
mod gauss_rule;
mod harmonics;
mod hole_closing;
mod level_tree;
mod moments;
mod morton_order;
mod near_field;
mod panel_clustering;
mod point_classes;
mod recheck;
mod sorted_points;
mod translations;
mod tree_depth;
mod unit_scale;
mod winding_value;
mod work;

#[cfg(test)]
mod tests;

pub use coefficients::{CoefficientRule, MultipoleCoefficients};
pub use work::MultipoleWork;

use super::leaks::Leaks;
use super::min_max::larger;
use super::winding_classifier::WindingClassifier;
use super::{Grid, InsideRule, InsideSettings, InsideTest, Method, Side, no_surface};
use crate::error::{Argument, Error, Result, number};
use crate::geometry::vector::{cross, dot, minus};
use crate::geometry::{Aabb, check_points};
use crate::memory;
use crate::settings::builders;
use crate::shape::TriMesh;
use crate::stop::Current;
use clusters::{Clusters, FIRST_PART};
use direct_sums::Mark;
use exact_winding::exact_winding;
use hole_closing::{Cap, closing};
use level_tree::LevelTree;
use moments::Moments;
use morton_order::{Cube, LEVELS};
use panel_clustering::Panels;
use recheck::Recheck;
use sorted_points::{Points, SurfaceExpansion};
use tree_depth::{Surface, pre_chosen, well_chosen};
use unit_scale::unit_of;
use winding_value::{Value, fraction};

/// The error budget if winding numbers are integers, which are found by rounding. It may exceed
/// 1/2: clusters that are summed triangle by triangle have almost no error and leave their shares
/// of the budget unused, so that only about half of the budget is spent. Points whose error bound
/// still exceeds 1/2 are evaluated again, by exact ray crossings.
const ROUNDED: f64 = 0.7;

/// The highest degree of multipole moments if winding numbers are integers, for which a low
/// accuracy is enough.
const LOW_DEGREE: usize = 6;

/// The error budget of the first evaluation if only the sides of points are required. Points whose
/// winding number then still leaves the side open are evaluated again, to the required accuracy.
const COARSE: f64 = 0.02;

/// The two trees of the multipole method: that of clusters of triangles, and that of cells of
/// points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MultipoleTrees {
    /// Adaptive trees: clusters and cells are as small as needed, and the degrees of expansions
    /// follow from the error budget.
    #[default]
    Adaptive,
    /// The trees of `muth2006`, with a depth that balances the costs of set-up and evaluation. It
    /// is chosen from the number and area of the triangles and the number of points.
    WellChosen {
        /// The number of points to evaluate, for which the depth is chosen.
        points: usize,
    },
    /// The trees of `muth2006` with a depth chosen from the triangles alone: clusters have about
    /// log^2 N triangles if the surface has N.
    PreChosen,
    /// The trees of `muth2006` with a given number of levels below the root.
    Depth(u32),
    /// Clusters of triangles alone: panel clustering, by Taylor expansions at each point.
    Panels,
}

/// Settings of the multipole method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultipoleSettings {
    /// The trees of the multipole method to build: of clusters of triangles, and of cells of
    /// points.
    pub trees: MultipoleTrees,
    /// The highest degree of multipole and local expansions; chosen automatically if `None`.
    pub degree: Option<usize>,
    /// The maximum number of triangles of a leaf cluster; chosen automatically if `None`.
    pub leaf: Option<usize>,
    /// The number `d` of eq. (16) of `muth2006`, for the trees of that paper: a cluster and a cell
    /// are far from each other if the distance of their centres exceeds `d + 1` times the larger
    /// radius.
    pub separation: f64,
    /// The box of the points, for the trees of `muth2006`; the box of the surface if `None`. Points
    /// outside the cube around the box are evaluated with the adaptive tree.
    pub domain: Option<Aabb<3>>,
}

impl Default for MultipoleSettings {
    fn default() -> Self {
        MultipoleSettings {
            trees: MultipoleTrees::Adaptive,
            degree: None,
            leaf: None,
            separation: 1.5,
            domain: None,
        }
    }
}

builders! {
    MultipoleSettings {
        /// The trees of the multipole method to build: of clusters of triangles, and of cells of
        /// points.
        with_trees(trees: MultipoleTrees),
        /// The highest degree of multipole and local expansions; chosen automatically if `None`.
        with_degree(degree: impl Into<Option<usize>>),
        /// The maximum number of triangles of a leaf cluster; chosen automatically if `None`.
        with_leaf(leaf: impl Into<Option<usize>>),
        /// The number `d` of eq. (16) of `muth2006`, for the trees of that paper: a cluster and a
        /// cell are far from each other if the distance of their centres exceeds `d + 1` times the
        /// larger radius.
        with_separation(separation: f64),
        /// The box of the points, for the trees of `muth2006`; the box of the surface if `None`.
        with_domain(domain: impl Into<Option<Aabb<3>>>),
    }
}

impl MultipoleSettings {
    /// The largest degree of expansions: beyond it irregular harmonics, which grow as factorials,
    /// overflow.
    pub const DEGREE_MAX: usize = harmonics::MOST;

    /// Returns the settings of the multipole method if they are valid.
    fn checked(self) -> Result<Self> {
        let (most, why) = match self.trees {
            MultipoleTrees::Panels => (panel_clustering::MOST, "Taylor terms cancel"),
            _ => (Self::DEGREE_MAX, "factorials overflow"),
        };
        if let Some(degree) = self.degree
            && !(1..=most).contains(&degree)
        {
            return Err(Error::argument(
                Argument::ExpansionDegree,
                degree,
                format!("1 to {most}, above which {why}"),
            ));
        }
        if self.leaf == Some(0) {
            return Err(Error::argument(Argument::ClusterTriangles, 0, "at least 1"));
        }
        if !(self.separation > 1.0 && self.separation.is_finite()) {
            return Err(Error::argument(
                Argument::ClusterSeparation,
                number(self.separation),
                "a number above 1",
            ));
        }
        if let MultipoleTrees::Depth(depth) = self.trees
            && depth > LEVELS
        {
            return Err(Error::argument(
                Argument::MultipoleDepth,
                depth,
                format!("at most {LEVELS}, and fewer if cells near the surface exceed the memory"),
            ));
        }
        Ok(self)
    }
}

/// Winding numbers by the fast multipole method.
///
/// ```
/// use tangere::generate;
/// use tangere::inside::{InsideSettings, InsideTest, Multipole, Side};
///
/// let mut test = Multipole::new(InsideSettings::default())?;
/// test.update(&generate::sphere(4)?)?;
/// let mut sides = Vec::new();
/// test.classify(&[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.9, 0.9, 0.0]], &mut sides)?;
/// assert_eq!(sides, [Side::Inside, Side::OnSurface, Side::Outside]);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Multipole {
    settings: InsideSettings,
    choices: MultipoleSettings,
    body: Option<Body>,
    points: Points,
    few: Recheck,
    values: Vec<Value>,
    open: Vec<u32>,
    bound: f64,
    confidence: f64,
}

/// A surface prepared for the multipole method: its clusters, moments and trees.
#[derive(Clone, Debug)]
struct Body {
    clusters: Clusters,
    moments: Moments,
    /// The evaluation tree of `muth2006` and its depth; `None` if adaptive trees are selected.
    levels: Option<(LevelTree, u32)>,
    /// The Taylor moments of panel clustering; `None` if another evaluation is selected.
    panels: Option<Panels>,
    /// The triangles that close the holes of the body's surface, if it has a short boundary.
    /// `clusters` also has them, as its second part; here they have clusters and moments of their
    /// own.
    cap: Option<Cap>,
    classifier: WindingClassifier,
    /// Whether the winding numbers of the body are integers at all points off its surface.
    is_whole: bool,
    /// Whether ray parity decides the side of points although the winding numbers of the body are
    /// not integers.
    is_even: bool,
}

impl Body {
    /// The multipole expansion of the body's surface, without the triangles that close its holes.
    fn surface(&self) -> SurfaceExpansion<'_> {
        SurfaceExpansion {
            clusters: &self.clusters,
            moments: &self.moments,
            root: if self.cap.is_some() { FIRST_PART } else { 0 },
            is_whole: self.is_whole && self.is_adaptive(),
        }
    }

    /// Whether points are evaluated by adaptive trees, not as published.
    fn is_adaptive(&self) -> bool {
        self.levels.is_none() && self.panels.is_none()
    }
}

impl Multipole {
    /// The multipole method, without a surface yet: with adaptive trees, as published if
    /// [`InsideSettings::multipole`] is set, or panel clustering if the settings name it.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1, the settings name another method, or those of the
    /// published method are invalid.
    pub fn new(settings: InsideSettings) -> Result<Self> {
        let choices = match (settings.method, settings.multipole) {
            (Method::PanelClustering, _) => settings.panels.unwrap_or_default().settings(),
            (_, None) => MultipoleSettings::default(),
            (_, Some(published)) => published.settings(settings.points)?,
        };
        Self::with(settings, choices)
    }

    /// The multipole method with the settings `choices`, without a surface yet.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1, the settings name another method, the degree is 0
    /// or above [`MultipoleSettings::DEGREE_MAX`], a leaf cluster is to have no triangle, the
    /// separation is not above 1, or the depth is above 21.
    pub fn with(settings: InsideSettings, choices: MultipoleSettings) -> Result<Self> {
        let own = match choices.trees {
            MultipoleTrees::Panels => Method::PanelClustering,
            _ => Method::Multipole,
        };
        Ok(Multipole {
            settings: settings.checked_for(own)?,
            choices: choices.checked()?,
            body: None,
            points: Points::default(),
            few: Recheck::default(),
            values: Vec::new(),
            open: Vec::new(),
            bound: 0.0,
            confidence: 0.0,
        })
    }

    /// The depth of the trees of `muth2006` in the multipole method; `None` if they were not built.
    pub fn depth(&self) -> Option<u32> {
        let levels = self.body.as_ref()?.levels.as_ref()?;
        Some(levels.1)
    }

    /// The highest degree of the multipole method's expansions; `None` if there is no surface yet.
    pub fn degree(&self) -> Option<usize> {
        let body = self.body.as_ref()?;
        let taylor = body.panels.as_ref().map(|panels| panels.degree);
        Some(taylor.unwrap_or(body.moments.degree))
    }

    /// The operations of the multipole method with the trees of `muth2006`: of the set-up, and of the
    /// last call with points. `None` if these trees were not built.
    pub fn work(&self) -> Option<MultipoleWork> {
        let body = self.body.as_ref()?;
        let (levels, _) = body.levels.as_ref()?;
        Some(levels.work(&body.clusters, body.moments.degree))
    }

    /// Fills `values` with the winding numbers of points by the multipole method, with an error of
    /// at most `budget` besides rounding.
    fn evaluate(&mut self, points: &[[f64; 3]], budget: f64) -> Result<()> {
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        check_points(Argument::Point, points)?;
        let stop = Current::new();
        self.values.clear();
        memory::reserve(&mut self.values, points.len(), Argument::Points)?;
        self.values.resize(points.len(), Value::default());
        let surface = body.surface();
        if let Some(panels) = &body.panels {
            panels.answer(&body.clusters, points, &mut self.values);
            self.evaluate_inaccurate(points, budget)?;
            return stop.checked();
        }
        match (&body.levels, &body.cap) {
            (None, None) => self
                .points
                .answer(surface, budget, points, &mut self.values),
            (None, Some(cap)) => {
                let closed = SurfaceExpansion {
                    root: 0,
                    is_whole: true,
                    ..surface
                };
                self.points
                    .answer(closed, ROUNDED, points, &mut self.values);
                let added = SurfaceExpansion {
                    clusters: &cap.clusters,
                    moments: &cap.moments,
                    root: 0,
                    is_whole: false,
                };
                self.few.clear();
                let (values, few) = (&mut self.values, &mut self.few);
                self.points
                    .again(added, budget, |i, added| match values[i].rounded() {
                        Some(whole) if added.mark == Mark::Off => {
                            values[i].winding = whole - added.winding;
                            values[i].error = added.error;
                        }
                        _ => few.push(i, points[i]),
                    });
                few.answer(surface, budget, values);
            }
            (Some(_), _) => {
                let body = self.body.as_mut().ok_or_else(no_surface)?;
                let Body {
                    clusters,
                    moments,
                    levels: Some((levels, _)),
                    ..
                } = body
                else {
                    return Err(no_surface());
                };
                let surface = SurfaceExpansion {
                    clusters,
                    moments,
                    root: 0,
                    is_whole: false,
                };
                self.few.clear();
                let few = &mut self.few;
                levels.answer(surface, points, &mut self.values, |i| {
                    few.push(i, points[i]);
                });
                few.answer(surface, budget, &mut self.values);
                self.evaluate_inaccurate(points, budget)?;
            }
        }
        stop.checked()
    }

    /// Evaluates the points again, by adaptive trees, whose winding numbers in `values` by a published
    /// method have an error bound above `budget`.
    fn evaluate_inaccurate(&mut self, points: &[[f64; 3]], budget: f64) -> Result<()> {
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        self.few.clear();
        for (i, (value, &p)) in self.values.iter().zip(points).enumerate() {
            if value.error > budget {
                self.few.push(i, p);
            }
        }
        self.few.answer(body.surface(), budget, &mut self.values);
        Ok(())
    }

    /// Rounds the winding numbers in `values`, which the multipole method has computed, to
    /// integers, as they are integers off the surface. Where the error bound is too large for that,
    /// exact ray crossings decide. Points on the surface are evaluated again to the required
    /// accuracy.
    fn round(&mut self, points: &[[f64; 3]]) -> Result<()> {
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        self.few.clear();
        for (i, (value, &p)) in self.values.iter_mut().zip(points).enumerate() {
            if let Some(whole) = value.rounded() {
                (value.winding, value.error) = (whole, 0.0);
                continue;
            }
            if value.mark != Mark::On {
                match exact_winding(&body.clusters, p, &mut self.open) {
                    Some(winding) => {
                        (value.winding, value.error) = (winding as f64, 0.0);
                        continue;
                    }
                    None => value.mark = Mark::On,
                }
            }
            if value.error > self.settings.accuracy {
                self.few.push(i, p);
            }
        }
        let surface = SurfaceExpansion {
            is_whole: false,
            ..body.surface()
        };
        self.few
            .answer(surface, self.settings.accuracy, &mut self.values);
        Ok(())
    }

    /// Fills `values` with winding numbers by the multipole method that are accurate enough to
    /// decide the sides of points.
    fn evaluate_for_sides(&mut self, points: &[[f64; 3]]) -> Result<()> {
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        if body.is_whole {
            self.evaluate(points, ROUNDED)?;
            return self.round(points);
        }
        let accuracy = self.settings.accuracy;
        self.evaluate(points, COARSE.max(accuracy))?;
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        self.few.clear();
        for (i, (value, &p)) in self.values.iter().zip(points).enumerate() {
            let is_open = value.mark != Mark::On && value.error > accuracy;
            if is_open && !body.classifier.is_clear(fraction(value)) {
                self.few.push(i, p);
            }
        }
        self.few.answer(body.surface(), accuracy, &mut self.values);
        Ok(())
    }

    /// Prepares a surface for the multipole method: chooses degrees and depth, builds clusters,
    /// moments and trees.
    fn build(&mut self, mesh: &TriMesh) -> Result<Body> {
        let classifier = WindingClassifier::new(mesh, self.settings.rule)?;
        let is_sound = classifier.is_sound();
        let is_whole = match self.settings.rule {
            InsideRule::Nonzero => is_sound,
            InsideRule::Parity => Leaks::of(mesh, InsideRule::Nonzero).is_none(),
        };
        let faces = mesh.faces().len();
        let log = libm::log(faces as f64).max(1.0);
        let is_adaptive = self.choices.trees == MultipoleTrees::Adaptive;
        let is_panels = self.choices.trees == MultipoleTrees::Panels;
        let cap = match is_adaptive && !is_sound {
            true => closing(mesh),
            false => None,
        };
        let accurate = 1.0 - libm::log(self.settings.accuracy);
        let degree = self.choices.degree.unwrap_or_else(|| {
            let wanted = match (is_adaptive, is_whole || cap.is_some()) {
                (true, true) => LOW_DEGREE as f64,
                (true, false) => accurate,
                // p ~ log N
                (false, _) => log.round(),
            };
            wanted.clamp(3.0, 20.0) as usize
        });
        let adapted = |degree: usize| ((degree + 1) * (degree + 1) / 2).max(12);
        let leaf = self.choices.leaf.unwrap_or(match is_adaptive {
            true => adapted(degree),
            false => (log * log) as usize,
        });
        let depth = match self.choices.trees {
            MultipoleTrees::Adaptive | MultipoleTrees::Panels => LEVELS,
            MultipoleTrees::Depth(depth) => depth,
            MultipoleTrees::PreChosen => pre_chosen(Surface::new(mesh), leaf),
            MultipoleTrees::WellChosen { points } => {
                well_chosen(Surface::new(mesh), points, degree, self.choices.separation)
            }
        };
        let mut clusters = Clusters::default();
        let leaf = match is_adaptive || is_panels {
            true => leaf,
            false => self.choices.leaf.unwrap_or(1),
        };
        let (vertices, unit) = (mesh.vertices(), unit_of(mesh));
        let closed = [mesh.faces(), cap.as_deref().unwrap_or_default()];
        clusters.build_parts(vertices, closed, leaf, depth, unit);
        let mut moments = Moments::default();
        // Panel clustering has moments of its own; these are for points that are evaluated again.
        moments.build(&clusters, if is_panels { LOW_DEGREE } else { degree })?;
        let panels = is_panels.then(|| Panels::new(&clusters, degree, self.choices.separation));
        let cap = cap.map(|faces| -> Result<Cap> {
            let degree = self
                .choices
                .degree
                .unwrap_or(accurate.clamp(3.0, 20.0) as usize);
            let leaf = self.choices.leaf.unwrap_or(adapted(degree));
            let mut cap = Cap::default();
            cap.clusters
                .build_parts(vertices, [&faces, &[]], leaf, depth, unit);
            cap.moments.build(&cap.clusters, degree)?;
            Ok(cap)
        });
        let cap = cap.transpose()?;
        let levels = match is_adaptive || is_panels {
            true => None,
            false => {
                let bounds = self.choices.domain.unwrap_or_else(|| mesh.bounds());
                let scaled = |p: [f64; 3]| p.map(|x| x * clusters.unit);
                let cube = Cube::around(scaled(bounds.min), scaled(bounds.max));
                let mut levels = LevelTree::default();
                let separation = self.choices.separation;
                let area = largest_area(mesh) * clusters.unit * clusters.unit;
                levels.build(&clusters, &moments, cube, depth, separation, area)?;
                Some((levels, depth))
            }
        };
        Ok(Body {
            clusters,
            moments,
            levels,
            panels,
            cap,
            is_whole,
            is_even: is_sound && !is_whole,
            classifier,
        })
    }
}

/// Returns the area of the largest triangle.
fn largest_area(mesh: &TriMesh) -> f64 {
    let area = |i: usize| {
        let [a, b, c] = mesh.triangle(i);
        let normal = cross(minus(b, a), minus(c, a));
        0.5 * dot(normal, normal).sqrt()
    };
    (0..mesh.faces().len()).map(area).fold(0.0, f64::max)
}

impl InsideTest for Multipole {
    fn update(&mut self, mesh: &TriMesh) -> Result<()> {
        self.body = None;
        self.body = Some(self.build(mesh)?);
        Ok(())
    }

    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()> {
        out.clear();
        self.evaluate_for_sides(points)?;
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        let rule = self.settings.rule;
        self.confidence = 1.0;
        self.bound = 0.0;
        memory::reserve(out, points.len(), Argument::Points)?;
        let stop = Current::new();
        for (value, &p) in self.values.iter().zip(points) {
            // Votes test many triangles.
            stop.checked().inspect_err(|_| out.clear())?;
            self.bound = larger(self.bound, value.error);
            if value.mark == Mark::On {
                out.push(Side::OnSurface);
            } else if body.is_whole {
                out.push(rule.side(value.winding as i64));
            } else if body.is_even {
                let winding = exact_winding(&body.clusters, p, &mut self.open);
                out.push(winding.map_or(Side::OnSurface, |w| rule.side(w)));
            } else {
                let verdict = body.classifier.verdict(p, fraction(value));
                self.confidence = self.confidence.min(verdict.confidence);
                out.push(verdict.side);
            }
        }
        Ok(())
    }

    fn classify_grid(&mut self, grid: &Grid, out: &mut Vec<Side>) -> Result<()> {
        [self.bound, self.confidence] = grid.classified_by(self, out)?;
        Ok(())
    }

    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        if body.is_whole && body.is_adaptive() {
            self.evaluate(points, ROUNDED)?;
            self.round(points)?;
        } else {
            self.evaluate(points, self.settings.accuracy)?;
        }
        self.bound = 0.0;
        for value in &self.values {
            self.bound = larger(self.bound, value.error);
        }
        memory::reserve(out, points.len(), Argument::Points)?;
        out.extend(self.values.iter().map(|value| value.winding));
        Ok(())
    }

    fn confidences(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        self.evaluate_for_sides(points)?;
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        memory::reserve(out, points.len(), Argument::Points)?;
        let is_sure = |value: &Value| body.is_whole || body.is_even || value.mark == Mark::On;
        out.extend(
            self.values
                .iter()
                .zip(points)
                .map(|(value, &p)| match is_sure(value) {
                    true => 1.0,
                    false => body.classifier.verdict(p, fraction(value)).confidence,
                }),
        );
        Ok(())
    }

    fn bound(&self) -> f64 {
        self.bound
    }

    fn confidence(&self) -> f64 {
        self.confidence
    }

    fn method(&self) -> &'static str {
        match self.choices.trees {
            MultipoleTrees::Panels => Method::PanelClustering.name(),
            _ => Method::Multipole.name(),
        }
    }

    fn reason(&self) -> String {
        let Some(body) = &self.body else {
            return "fast multipoles".into();
        };
        let degree = body.moments.degree;
        let mut reason = match (&body.levels, &body.panels) {
            (_, Some(panels)) => format!(
                "panel clustering by Taylor expansions of degree {}, {} terms, {} clusters",
                panels.degree,
                panels.terms(),
                body.clusters.nodes.len()
            ),
            (None, None) => format!("adaptive fast multipoles of degrees up to {degree}"),
            (Some((levels, depth)), None) => {
                let (cells, near) = levels.sizes(&body.clusters);
                format!(
                    "fast multipoles of degree {degree} on {depth} levels: {cells} cells, \
                     {near:.0} triangles near each"
                )
            }
        };
        if body.is_whole {
            reason += "; the surface has no boundary, so values are rounded";
        } else if let Some(cap) = &body.cap {
            // For the sum only: their part is subtracted again.
            reason += &format!(", holes closed by {} triangles", cap.clusters.faces.len());
        }
        body.classifier.reason(reason)
    }
}
