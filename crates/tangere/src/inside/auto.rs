//! Automatic choice of the method of point containment.
//!
//! A surface without leaks (closed and consistently oriented) is classified by an exact method. For
//! few points that is a ray from each point, tested against every triangle, which needs no set-up.
//! For more points it is [`Cells`], a grid whose cells are labelled inside or outside. If only
//! grids of points will be classified ([`InsideSettings::grids_only`]), then [`Cells`] builds no
//! labels: it classifies a grid column by column, that is, along lines parallel to x. A surface
//! with leaks is classified by generalised winding numbers, which are also defined for open
//! surfaces.

use super::crossing_test::CrossingTest;
use super::leaks::Leaks;
use super::ray_column::ColumnCrossings;
use super::{Cells, Grid, InsideSettings, InsideTest, Layer, Method, Multipole, Side, no_surface};
use crate::error::Result;
use crate::shape::TriMesh;

/// The maximum number of points for which rays are chosen, each tested against every triangle. For
/// more points labelled cells cost less: they take about 400 ns for each triangle to build, while a
/// ray-triangle test takes about 10 ns.
const FEW: usize = 40;

/// If there are at most this many points or at most this many triangles, then a winding number is
/// computed as the sum of the solid angles of all triangles, otherwise by multipole expansions. A
/// solid angle takes about 10 ns. Expansions take about 1 us for each triangle, to set them up, and
/// 1 us for each point.
const SUMMED: usize = 100;

/// Point containment by automatic choice: by the method predicted to be fastest for a surface.
pub struct Auto {
    settings: InsideSettings,
    chosen: Option<Box<dyn InsideTest>>,
    reason: String,
}

impl std::fmt::Debug for Auto {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auto")
            .field("settings", &self.settings)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

impl Auto {
    /// The automatic choice of a containment method, without a surface yet.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1, or the settings name another method.
    pub fn new(settings: InsideSettings) -> Result<Self> {
        Ok(Auto {
            settings: settings.checked_for(Method::Auto)?,
            chosen: None,
            reason: "no surface yet".into(),
        })
    }

    /// The method that the automatic choice has chosen; an error if there is no surface yet.
    fn chosen(&mut self) -> Result<&mut dyn InsideTest> {
        match &mut self.chosen {
            Some(chosen) => Ok(chosen.as_mut()),
            None => Err(no_surface()),
        }
    }

    /// The exact method that the automatic choice takes for the expected number of points, and the
    /// reason for it, as text.
    fn exact(&self) -> Result<(Box<dyn InsideTest>, &'static str)> {
        Ok(match self.settings.points {
            _ if self.settings.grids_only => (
                Box::new(Cells::new(self.settings)?),
                "the surface has no leaks, and grids need no further set-up",
            ),
            Some(points) if points <= FEW => (
                Box::new(CrossingTest::<ColumnCrossings>::new(self.settings)?),
                "the surface has no leaks, and for so few points cells do not pay off",
            ),
            _ => (
                Box::new(Cells::new(self.settings)?),
                "the surface has no leaks",
            ),
        })
    }

    /// The method that the automatic choice takes for a leaking surface of `triangles` triangles.
    /// Both candidates compute winding numbers: sums of solid angles and multipole expansions.
    fn float(&self, triangles: usize) -> Result<Box<dyn InsideTest>> {
        let few_points = self.settings.points.is_some_and(|points| points <= SUMMED);
        Ok(match few_points || triangles <= SUMMED {
            true => Box::new(Layer::new(self.settings)?),
            false => Box::new(Multipole::new(self.settings)?),
        })
    }
}

impl InsideTest for Auto {
    fn update(&mut self, mesh: &TriMesh) -> Result<()> {
        self.chosen = None;
        let (mut exact, why) = self.exact()?;
        let refused = match exact.update(mesh) {
            Ok(()) => {
                self.reason = match exact.confidence() > 0.0 {
                    true => why.into(),
                    false => {
                        let leaks = Leaks::of(mesh, self.settings.rule).counts();
                        format!("crossings were insisted on, though the surface has {leaks}")
                    }
                };
                self.chosen = Some(exact);
                return Ok(());
            }
            Err(refused) => refused,
        };
        let leaks = Leaks::of(mesh, self.settings.rule);
        if leaks.is_none() {
            return Err(refused);
        }
        let mut float = self.float(mesh.faces().len())?;
        float.update(mesh)?;
        self.chosen = Some(float);
        self.reason.clear();
        Ok(())
    }

    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()> {
        out.clear();
        self.chosen()?.classify(points, out)
    }

    fn classify_grid(&mut self, grid: &Grid, out: &mut Vec<Side>) -> Result<()> {
        grid.reserve(out)?;
        self.chosen()?.classify_grid(grid, out)
    }

    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        self.chosen()?.winding(points, out)
    }

    fn confidences(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        self.chosen()?.confidences(points, out)
    }

    fn bound(&self) -> f64 {
        self.chosen.as_ref().map_or(0.0, |chosen| chosen.bound())
    }

    fn confidence(&self) -> f64 {
        self.chosen
            .as_ref()
            .map_or(0.0, |chosen| chosen.confidence())
    }

    fn method(&self) -> &'static str {
        self.chosen
            .as_ref()
            .map_or("auto", |chosen| chosen.method())
    }

    fn reason(&self) -> String {
        match &self.chosen {
            None => self.reason.clone(),
            // Methods of winding numbers report the leaks themselves.
            Some(chosen) if self.reason.is_empty() => chosen.reason(),
            Some(chosen) => format!("{}; {}", chosen.reason(), self.reason),
        }
    }
}
