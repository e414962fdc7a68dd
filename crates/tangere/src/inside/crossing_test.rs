//! Crossing test: the code that the ray crossing methods share, the test of every triangle
//! (`ray_column`, and `published/ray_plain`) and that with a BVH (`ray_tree`). It checks the points,
//! applies the containment rule, runs in parallel, and computes winding numbers of points on the
//! surface by solid angles.

use super::grid_columns::Columns;
use super::min_max::larger;
use super::solid_angle::total_angle;
use super::{Grid, InsideSettings, InsideTest, Method, Side, leaks, no_surface};
use crate::error::{Argument, Result};
use crate::geometry::check_points;
use crate::memory;
use crate::shape::TriMesh;
use crate::stop::Current;
use rayon::prelude::*;

/// The corners of a triangle.
pub(super) type Corners = [[f64; 3]; 3];

/// The minimum number of points that one thread tests at a time.
const CHUNK: usize = 64;

/// An exact method of counting the crossings of a ray.
pub trait Crossings: Send + Sync + Sized {
    /// Sets up this method of counting ray crossings for a surface.
    fn new(triangles: &[[[f64; 3]; 3]]) -> Result<Self>;

    /// The winding number of a point from the crossings of a ray; `None` if the point lies on the
    /// surface.
    fn winding(&self, triangles: &[[[f64; 3]; 3]], p: [f64; 3]) -> Option<i64>;

    /// A description of this method of counting ray crossings, in one sentence.
    fn reason() -> &'static str;

    /// The method of point containment that counts ray crossings in this way.
    fn method() -> Method {
        Method::Ray
    }

    /// Whether the points of a grid share rays: one for each column of points, along which its
    /// crossings are sorted. Otherwise each point of a grid has its own ray.
    fn sorts_grids() -> bool {
        true
    }
}

/// Point containment by counting ray crossings; exact.
#[derive(Clone, Debug)]
pub struct CrossingTest<C> {
    settings: InsideSettings,
    body: Option<Body<C>>,
    columns: Columns,
    bound: f64,
}

/// A surface and the data that its crossing test needs.
#[derive(Clone, Debug)]
struct Body<C> {
    triangles: Vec<Corners>,
    crossings: C,
    confidence: f64,
    /// Whether the signed crossings of a ray with the surface add up to the winding number. `false`
    /// only under the parity rule, if triangles are oriented inconsistently.
    winds: bool,
}

impl<C> Body<C> {
    /// Bound on the error of the crossing test's winding numbers off the surface: 0, or infinite
    /// for a surface with leaks.
    fn promised(&self) -> f64 {
        leaks::exact_bound(self.confidence)
    }
}

impl<C: Crossings> CrossingTest<C> {
    /// The crossing test, without a surface yet.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1, or the settings name another method.
    pub fn new(settings: InsideSettings) -> Result<Self> {
        // All of them are a ray test.
        let own = match settings.method {
            Method::Ray => Method::Ray,
            _ => C::method(),
        };
        Ok(CrossingTest {
            settings: settings.checked_for(own)?,
            body: None,
            columns: Columns::default(),
            bound: 0.0,
        })
    }

    /// The surface of the crossing test; an error if there is none yet or a point is invalid.
    fn body(&self, points: &[[f64; 3]]) -> Result<&Body<C>> {
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        check_points(Argument::Point, points)?;
        Ok(body)
    }
}

impl<C: Crossings> InsideTest for CrossingTest<C> {
    fn update(&mut self, mesh: &TriMesh) -> Result<()> {
        self.body = None;
        let confidence = leaks::exact_confidence(mesh, &self.settings)?;
        let triangles: Vec<Corners> = (0..mesh.faces().len())
            .into_par_iter()
            .map(|f| mesh.triangle(f))
            .collect();
        self.body = Some(Body {
            crossings: C::new(&triangles)?,
            triangles,
            confidence,
            winds: leaks::crossings_wind(mesh, self.settings.rule),
        });
        Ok(())
    }

    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()> {
        out.clear();
        let body = self.body(points)?;
        let rule = self.settings.rule;
        let stop = Current::new();
        memory::reserve(out, points.len(), Argument::Points)?;
        out.resize(points.len(), Side::Outside);
        out.par_iter_mut()
            .with_min_len(CHUNK)
            .zip(points)
            .filter(|_| !stop.is_requested())
            .for_each(|(side, &p)| {
                let winding = body.crossings.winding(&body.triangles, p);
                *side = winding.map_or(Side::OnSurface, |w| rule.side(w));
            });
        self.bound = body.promised();
        stop.checked().inspect_err(|_| out.clear())
    }

    fn classify_grid(&mut self, grid: &Grid, out: &mut Vec<Side>) -> Result<()> {
        if !C::sorts_grids() {
            grid.classified_by(self, out)?;
            return Ok(());
        }
        out.clear();
        let body = self.body.as_ref().ok_or_else(no_surface)?;
        let triangle = |face: usize| body.triangles[face];
        self.columns.classify(
            grid,
            self.settings.rule,
            body.triangles.len(),
            triangle,
            out,
        )?;
        self.bound = body.promised();
        Ok(())
    }

    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        let body = self.body(points)?;
        let stop = Current::new();
        memory::reserve(out, points.len(), Argument::Points)?;
        out.resize(points.len(), 0.0);
        let bound = out
            .par_iter_mut()
            .with_min_len(CHUNK)
            .zip(points)
            .filter(|_| !stop.is_requested())
            .map(
                |(out, &p)| match body.crossings.winding(&body.triangles, p) {
                    Some(winding) if body.winds => {
                        *out = winding as f64;
                        0.0
                    }
                    _ => {
                        let angle = total_angle(p, &body.triangles);
                        *out = angle.value;
                        angle.error
                    }
                },
            )
            .reduce(|| 0.0, larger);
        self.bound = larger(bound, body.promised());
        stop.checked().inspect_err(|_| out.clear())
    }

    fn bound(&self) -> f64 {
        self.bound
    }

    fn confidence(&self) -> f64 {
        self.body.as_ref().map_or(0.0, |body| body.confidence)
    }

    fn method(&self) -> &'static str {
        C::method().name()
    }

    fn reason(&self) -> String {
        C::reason().into()
    }
}
