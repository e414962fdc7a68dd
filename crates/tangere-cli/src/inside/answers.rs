//! Answers of a method, in as little memory as they take.

use super::input::{Asked, PART};
use tangere::inside::{Grid, InsideTest, Side};
use tangere::shape::TriMesh;

/// What methods need at most for a point that they are asked about, in bytes.
const WORK: usize = 150;

/// What a point takes that is written or compared: itself, and what that makes of it.
const KEPT: usize = 64;

/// What was answered for all points, and how surely.
pub struct Answers {
    pub sides: Vec<Side>,
    pub windings: Vec<f64>,
    /// The largest of all parts; sides may be told by coarser winding numbers than those
    /// that are asked for, and have no say where these are.
    pub bound: f64,
    /// The least of all parts.
    pub confidence: f64,
}

impl Answers {
    /// Room for answers; refuses what there is no memory for before any work is done.
    pub fn with_room(asked: &Asked, winding: bool, kept: bool) -> Result<Self, String> {
        let count = asked.len();
        let mut each = size_of::<Side>();
        if winding {
            each += size_of::<f64>();
        }
        if kept {
            each += KEPT;
        }
        let bytes = count
            .saturating_mul(each)
            .saturating_add(count.min(PART).saturating_mul(WORK));
        let refusal = |_| {
            let gigabytes = bytes as f64 / 1e9;
            format!(
                "points: found {count}, which take about {gigabytes:.1} GB of memory, \
                 expected as many as there is memory for"
            )
        };
        // All at once, and given back: parts of it may be had where the whole may not.
        Vec::<u8>::new().try_reserve_exact(bytes).map_err(refusal)?;
        let (mut sides, mut windings) = (Vec::new(), Vec::new());
        sides.try_reserve_exact(count).map_err(refusal)?;
        if winding {
            windings.try_reserve_exact(count).map_err(refusal)?;
        }
        Ok(Answers {
            sides,
            windings,
            bound: 0.0,
            confidence: 1.0,
        })
    }

    /// Asks for sides.
    pub fn classify(
        &mut self,
        test: &mut dyn InsideTest,
        mesh: &TriMesh,
        asked: &Asked,
    ) -> tangere::Result<()> {
        let tells_bound = self.windings.is_empty();
        self.confidence = 1.0;
        self.sides.clear();
        // Who counts crossings goes by columns, and needs no points.
        let by_columns = !["layer", "multipole"].contains(&test.method());
        match asked {
            Asked::Points(points) => test.classify(points, &mut self.sides)?,
            Asked::Grid(n) if by_columns => {
                let grid = Grid::around(&mesh.bounds(), *n)?;
                test.classify_grid(&grid, &mut self.sides)?;
            }
            Asked::Grid(_) => {
                let mut part = Vec::new();
                let (mut bound, mut confidence) = (0.0f64, 1.0f64);
                asked.in_parts(mesh, |points| {
                    test.classify(points, &mut part)?;
                    self.sides.extend_from_slice(&part);
                    bound = bound.max(test.bound());
                    confidence = confidence.min(test.confidence());
                    Ok(())
                })?;
                if tells_bound {
                    self.bound = bound;
                }
                self.confidence = confidence;
                return Ok(());
            }
        }
        if tells_bound {
            self.bound = test.bound();
        }
        self.confidence = test.confidence();
        Ok(())
    }

    /// Asks for winding numbers.
    pub fn wind(
        &mut self,
        test: &mut dyn InsideTest,
        mesh: &TriMesh,
        asked: &Asked,
    ) -> tangere::Result<()> {
        self.windings.clear();
        self.bound = 0.0;
        if let Asked::Points(points) = asked {
            test.winding(points, &mut self.windings)?;
            self.bound = test.bound();
            return Ok(());
        }
        let mut part = Vec::new();
        asked.in_parts(mesh, |points| {
            test.winding(points, &mut part)?;
            self.windings.extend_from_slice(&part);
            self.bound = self.bound.max(test.bound());
            Ok(())
        })
    }
}
