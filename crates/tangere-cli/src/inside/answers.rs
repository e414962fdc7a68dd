//! Answers of point containment for all query points: sides (inside, on the surface or outside),
//! winding numbers and confidences. Memory is allocated only for what is requested.

use crate::query_points::{PART, QueryPoints};
use tangere::inside::{InsideTest, Side};
use tangere::{Argument, memory};
use tangere_front::answers::inside::PointSide;

/// Upper bound of the working memory of a method of point containment, in bytes for each query
/// point. Used to refuse a query that needs more memory than there is.
const WORK: usize = 150;

/// Memory that each query point takes if points are written to a file or compared with brute force,
/// in bytes, with intermediate values. Used to refuse a query that needs more memory than there is.
const KEPT: usize = 64;

/// What is requested besides the side of each query point: inside, on the surface or outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub windings: bool,
    pub confidences: bool,
    /// Whether the query points themselves are needed, to be written or compared with brute force.
    pub points: bool,
    /// Whether the answers are written as fields of a VTK file, which holds a second copy of them
    /// in memory.
    pub fields: bool,
}

/// The answers for all query points, with the error bound of winding numbers and the minimum
/// confidence.
pub struct Answers {
    wanted: Wanted,
    pub sides: Vec<Side>,
    pub windings: Vec<f64>,
    pub confidences: Vec<f64>,
    /// The error bound of winding numbers. If they are requested, it is the largest bound over all
    /// parts in which the points are queried. Otherwise it is the bound that the method reports
    /// after it has classified the points.
    pub bound: f64,
    /// The minimum confidence over all points.
    pub confidence: f64,
}

impl Answers {
    /// Allocates the memory of all answers; running out of memory is an error before any work.
    pub fn with_capacity(queries: &QueryPoints, wanted: Wanted) -> tangere::Result<Self> {
        let count = queries.len();
        let numbers = usize::from(wanted.windings) + usize::from(wanted.confidences);
        let kept = if wanted.points { KEPT } else { 0 };
        let times = if wanted.fields { 2 } else { 1 };
        let each = times * (size_of::<Side>() + numbers * size_of::<f64>()) + kept;
        let bytes = count
            .saturating_mul(each)
            .saturating_add(count.min(PART).saturating_mul(WORK));
        memory::check(Argument::Points, count, bytes)?;
        let mut sides = Vec::new();
        match queries {
            QueryPoints::Points(_) => memory::reserve_exact(&mut sides, count, Argument::Points)?,
            QueryPoints::Grid(placed) => placed.grid.reserve(&mut sides)?,
        }
        let reserve = |is_wanted: bool| {
            let count = if is_wanted { count } else { 0 };
            memory::reserved(count, Argument::Points)
        };
        Ok(Answers {
            wanted,
            sides,
            windings: reserve(wanted.windings)?,
            confidences: reserve(wanted.confidences)?,
            bound: 0.0,
            confidence: 1.0,
        })
    }

    /// Returns the answer for point `i`: its side (inside, on the surface or outside), winding
    /// number and confidence. A winding number or confidence that was not requested is 0.
    pub fn row(&self, i: usize) -> PointSide {
        let number = |numbers: &[f64]| numbers.get(i).copied().unwrap_or(0.0);
        PointSide {
            side: self.sides[i],
            winding: number(&self.windings),
            confidence: number(&self.confidences),
        }
    }

    /// Computes the winding numbers of the query points if they are requested. Otherwise computes
    /// only whether each point is inside, on the surface or outside. This is the part of the work
    /// that is timed.
    pub fn query(
        &mut self,
        test: &mut dyn InsideTest,
        queries: &QueryPoints,
    ) -> tangere::Result<()> {
        if !self.wanted.windings {
            self.classify(test, queries)?;
            self.bound = test.bound();
            return Ok(());
        }
        self.windings.clear();
        self.bound = 0.0;
        let mut part = Vec::new();
        queries.in_parts(|points| {
            test.winding(points, &mut part)?;
            self.windings.extend_from_slice(&part);
            self.bound = self.bound.max(test.bound());
            Ok(())
        })
    }

    /// Computes whether each query point is inside, on the surface or outside, if
    /// [`Answers::query`] computed winding numbers instead. Computes the confidences if they are
    /// requested.
    pub fn complete(
        &mut self,
        test: &mut dyn InsideTest,
        queries: &QueryPoints,
    ) -> tangere::Result<()> {
        if self.wanted.windings {
            self.classify(test, queries)?;
        }
        if self.wanted.confidences {
            let mut part = Vec::new();
            queries.in_parts(|points| {
                test.confidences(points, &mut part)?;
                self.confidences.extend_from_slice(&part);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn classify(
        &mut self,
        test: &mut dyn InsideTest,
        queries: &QueryPoints,
    ) -> tangere::Result<()> {
        match queries {
            QueryPoints::Points(points) => test.classify(points, &mut self.sides)?,
            QueryPoints::Grid(placed) => test.classify_grid(&placed.grid, &mut self.sides)?,
        }
        self.confidence = test.confidence();
        Ok(())
    }
}
