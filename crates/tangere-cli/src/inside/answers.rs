//! Answers of a method, in as little memory as they take.

use super::input::{PART, QueryPoints};
use tangere::inside::{InsideTest, Side};
use tangere::{Argument, memory};
use tangere_front::answers::inside::PointSide;

/// What methods need at most for a point that they are asked about, in bytes.
const WORK: usize = 150;

/// What a point takes that is written or compared: itself, and what that makes of it.
const KEPT: usize = 64;

/// What is wanted beside the sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub windings: bool,
    pub confidences: bool,
    /// All points, to be written or compared.
    pub points: bool,
    /// Fields of VTK files, which are made of all answers at once.
    pub fields: bool,
}

/// What was answered for all points, and how surely.
pub struct Answers {
    wanted: Wanted,
    pub sides: Vec<Side>,
    pub windings: Vec<f64>,
    pub confidences: Vec<f64>,
    /// The largest of all parts; sides may be told by coarser winding numbers than those
    /// that are asked for, and have no say where these are.
    pub bound: f64,
    /// The least of all parts.
    pub confidence: f64,
}

impl Answers {
    /// Room for answers; refuses what there is no memory for before any work is done.
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
            QueryPoints::Grid(grid) => grid.reserve(&mut sides)?,
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

    /// The answer for a point.
    pub fn row(&self, i: usize) -> PointSide {
        let number = |numbers: &[f64]| numbers.get(i).copied().unwrap_or(0.0);
        PointSide {
            side: self.sides[i],
            winding: number(&self.windings),
            confidence: number(&self.confidences),
        }
    }

    /// Asks for winding numbers if these are wanted, else for sides.
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

    /// Asks for what else is wanted.
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
            QueryPoints::Grid(grid) => test.classify_grid(grid, &mut self.sides)?,
        }
        self.confidence = test.confidence();
        Ok(())
    }
}
