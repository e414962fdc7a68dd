//! Multipole.
mod bound;
mod clusters;
mod evaluation;
mod field;
mod harmonics;
mod moments;
mod near;
mod order;
mod translations;

use super::{InsideSettings, InsideTest, Side, no_surface};
use crate::error::Result;
use crate::geometry::check_points;
use crate::shape::TriMesh;
use clusters::Clusters;
use evaluation::{Answers, Cell, Scene, Walker};
use moments::Moments;
use order::{Cube, Keyed};

/// The double layer potential by fast multipoles.
#[derive(Clone, Debug, Default)]
pub struct Multipole {
    settings: InsideSettings,
    clusters: Clusters,
    moments: Moments,
    keys: Vec<Keyed>,
    scratch: Vec<Keyed>,
    places: [Vec<f64>; 3],
    walker: Walker,
    sorted: Vec<f64>,
    on_surface: Vec<bool>,
    error: f64,
    leaf: usize,
    degree: usize,
}

impl Multipole {
    /// New.
    pub fn new(settings: InsideSettings, leaf: usize, degree: usize) -> Result<Self> {
        Ok(Multipole {
            settings: settings.checked()?,
            leaf,
            degree,
            ..Multipole::default()
        })
    }
    /// x
    pub fn update(&mut self, mesh: &TriMesh) -> Result<()> {
        let t = std::time::Instant::now();
        self.clusters.build(mesh, self.leaf, 21);
        eprintln!("clusters {:?} {}", t.elapsed(), self.clusters.nodes.len());
        self.moments.build(&self.clusters, self.degree);
        eprintln!("moments {:?}", t.elapsed());
        Ok(())
    }
    /// x
    pub fn bound(&self) -> f64 {
        self.error
    }
    /// x
    pub fn winding(&mut self, points: &[[f64; 3]], out: &mut Vec<f64>) -> Result<()> {
        out.clear();
        if self.clusters.nodes.is_empty() {
            return Err(no_surface());
        }
        check_points("point", points)?;
        if points.is_empty() {
            return Ok(());
        }
        let t = std::time::Instant::now();
        let unit = self.clusters.unit;
        let scaled = |p: [f64; 3]| p.map(|x| x * unit);
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for &p in points {
            let p = scaled(p);
            for k in 0..3 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(p[k]);
            }
        }
        let cube = Cube::around(low, high);
        self.keys.clear();
        self.keys
            .extend((0u32..).zip(points).map(|(i, &p)| (cube.key(scaled(p)), i)));
        order::sort(&mut self.keys, &mut self.scratch);
        for k in 0..3 {
            self.places[k].clear();
            self.places[k].extend(self.keys.iter().map(|&(_, i)| points[i as usize][k] * unit));
        }
        eprintln!("sort {:?}", t.elapsed());
        self.sorted.clear();
        self.sorted.resize(points.len(), 0.0);
        self.on_surface.clear();
        self.on_surface.resize(points.len(), false);
        let scene = Scene {
            clusters: &self.clusters,
            moments: &self.moments,
            keys: &self.keys,
            places: self.places.each_ref().map(|places| &places[..]),
        };
        let root = Cell::new(&scene, 0..points.len(), 0);
        let mut answers = Answers {
            first: 0,
            winding: &mut self.sorted,
            on_surface: &mut self.on_surface,
        };
        self.walker.walk(
            &scene,
            root,
            &[(0, self.settings.accuracy)],
            &[],
            &mut (),
            &mut answers,
        );
        self.error = self.walker.error;
        for (name, s) in [
            "m2l",
            "m2l batches",
            "m2p per leaf",
            "near clusters, faces",
            "leaves, points",
            "tests m2l - direct",
        ]
        .iter()
        .zip(&self.walker.stats)
        {
            eprintln!("{name} {s:?}");
        }
        self.walker.stats = Default::default();
        out.resize(points.len(), 0.0);
        for (value, &(_, i)) in self.sorted.iter().zip(&self.keys) {
            out[i as usize] = *value;
        }
        eprintln!("walk {:?}", t.elapsed());
        Ok(())
    }
}
