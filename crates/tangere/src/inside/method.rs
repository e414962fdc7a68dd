//! Names of the methods of point containment, and the containment test by the method that its
//! settings name.

use super::{Auto, Cells, Grid, InsideSettings, InsideTest, Layer, Multipole, Ray, RayTree, Side};
use crate::error::Result;
use crate::geometry::Pose;
use crate::names::names;
use crate::shape::TriMesh;

/// A method of point containment, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The automatic choice of the fastest method for the surface and the points.
    #[default]
    Auto,
    /// Crossings of an axis-parallel ray, found with a BVH.
    Ray,
    /// The double layer potential, summed over all triangles.
    Layer,
    /// The double layer potential by the fast multipole method.
    Multipole,
    /// Labelled cells: a uniform grid whose uncrossed cells are inside or outside.
    Cells,
    /// Crossings of a segment with every triangle, as published; one of [`Method::PUBLISHED`].
    RayPlain,
    /// The double layer potential by Taylor expansions of clusters of triangles (panel clustering);
    /// one of [`Method::PUBLISHED`].
    PanelClustering,
}

names! {
    Method, Method {
        Auto = "auto",
        Ray = "ray",
        Layer = "layer",
        Multipole = "multipole",
        Cells = "cells",
        RayPlain = "ray-plain",
        PanelClustering = "panel-clustering",
    }
}

impl Method {
    /// The methods of the papers as published: the same sides as all others, to check a paper or to
    /// teach. [`Method::Auto`] never picks them.
    pub const PUBLISHED: [Method; 2] = [Method::RayPlain, Method::PanelClustering];
}

/// Point containment by the method of the settings, chosen at run time.
///
/// ```
/// use tangere::generate;
/// use tangere::inside::{Inside, InsideSettings, InsideTest, Method, Side};
///
/// let mut test = Inside::new(InsideSettings::default().with_method(Method::Ray))?;
/// let mut sides = Vec::new();
/// test.update(&generate::sphere(2)?)?;
/// test.classify(&[[0.0; 3], [2.0, 0.0, 0.0]], &mut sides)?;
/// assert_eq!(sides, [Side::Inside, Side::Outside]);
/// # Ok::<(), tangere::Error>(())
/// ```
pub struct Inside {
    test: Box<dyn InsideTest>,
}

impl std::fmt::Debug for Inside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inside")
            .field("method", &self.test.method())
            .finish_non_exhaustive()
    }
}

impl Inside {
    /// The containment test by the method that the settings name, without a surface yet.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1.
    pub fn new(settings: InsideSettings) -> Result<Self> {
        let test: Box<dyn InsideTest> = match settings.method {
            Method::Layer => Box::new(Layer::new(settings)?),
            Method::Multipole | Method::PanelClustering => Box::new(Multipole::new(settings)?),
            Method::Auto => Box::new(Auto::new(settings)?),
            Method::Cells => Box::new(Cells::new(settings)?),
            Method::Ray => Box::new(RayTree::new(settings)?),
            Method::RayPlain => Box::new(Ray::new(settings)?),
        };
        Ok(Inside { test })
    }
}

impl InsideTest for Inside {
    fn update(&mut self, mesh: &TriMesh) -> Result<()> {
        self.test.update(mesh)
    }

    fn classify(&mut self, points: &[[f64; 3]], out: &mut Vec<Side>) -> Result<()> {
        self.test.classify(points, out)
    }

    fn classify_grid(&mut self, grid: &Grid, out: &mut Vec<Side>) -> Result<()> {
        self.test.classify_grid(grid, out)
    }

    fn classify_posed(
        &mut self,
        pose: &Pose,
        points: &[[f64; 3]],
        frame: &mut Vec<[f64; 3]>,
        out: &mut Vec<Side>,
    ) -> Result<()> {
        self.test.classify_posed(pose, points, frame, out)
    }

    fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        self.test.winding(points, out)
    }

    fn bound(&self) -> f64 {
        self.test.bound()
    }

    fn confidence(&self) -> f64 {
        self.test.confidence()
    }

    fn confidences(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        self.test.confidences(points, out)
    }

    fn method(&self) -> &'static str {
        self.test.method()
    }

    fn reason(&self) -> String {
        self.test.reason()
    }
}
