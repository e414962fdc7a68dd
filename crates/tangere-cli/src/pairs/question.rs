//! What is asked of a finder at each step.

use super::Pairs;
use super::cells::Cells;
use super::input::{self, Frame, Scene, Steps, refused};
use super::rules::Rules;
use crate::failure::Failure;
use std::path::Path;
use tangere::Argument;
use tangere::pairs::PairFinder;

/// Items, the cells they are in, what is left out, and whom they are held against.
pub struct Question<'a, const D: usize> {
    options: &'a Pairs,
    pub steps: &'a Steps<D>,
    pub others: Option<Steps<D>>,
    cells: Cells<D>,
    pub rules: Rules,
}

/// A dimension whose steps can be told from those of the other.
pub trait Dimension<const D: usize> {
    /// The steps of a scene of this dimension, or the dimension that it has.
    fn steps(scene: Scene) -> Result<Steps<D>, usize>;
}

/// The plane, or space.
pub struct Of<const D: usize>;

impl Dimension<2> for Of<2> {
    fn steps(scene: Scene) -> Result<Steps<2>, usize> {
        match scene {
            Scene::Plane(steps) => Ok(steps),
            Scene::Space(_) => Err(3),
        }
    }
}

impl Dimension<3> for Of<3> {
    fn steps(scene: Scene) -> Result<Steps<3>, usize> {
        match scene {
            Scene::Space(steps) => Ok(steps),
            Scene::Plane(_) => Err(2),
        }
    }
}

impl<'a, const D: usize> Question<'a, D>
where
    Of<D>: Dimension<D>,
{
    /// Reads what options name beside the items.
    pub fn new(options: &'a Pairs, steps: &'a Steps<D>) -> Result<Self, Failure> {
        let others = options.against.as_deref();
        Ok(Question {
            options,
            steps,
            others: others
                .map(|path| read_others(path, options.boxes, steps))
                .transpose()?,
            cells: Cells::read(options, steps)?,
            rules: Rules::read(options.groups.as_ref(), options.masks.as_ref(), steps)?,
        })
    }
}

impl<const D: usize> Question<'_, D> {
    /// Hands the items of a step to a finder.
    pub fn update(&self, finder: &mut dyn PairFinder<D>, step: usize) -> tangere::Result<()> {
        finder.set_cell(self.cells.at(step));
        finder.update(self.steps.frames[step].items())
    }

    /// The pairs of the items of a step, which the finder has.
    pub fn pairs(
        &self,
        finder: &mut dyn PairFinder<D>,
        step: usize,
        pairs: &mut Vec<[u32; 2]>,
    ) -> tangere::Result<()> {
        match self.others(step) {
            None => finder.pairs(pairs),
            Some(others) => finder.query(others.items(), pairs),
        }
    }

    /// Those whom items are held against.
    pub fn others(&self, step: usize) -> Option<&Frame<D>> {
        let frames = &self.others.as_ref()?.frames;
        frames.get(step).or(frames.last())
    }

    /// Why items were refused.
    pub fn refused_items(&self, step: usize, error: &tangere::Error) -> Failure {
        self.failure(&self.options.particles, step, error)
    }

    /// Why there are no pairs.
    pub fn refused_pairs(&self, step: usize, error: &tangere::Error) -> Failure {
        let path = match (error, &self.options.against) {
            (tangere::Error::Item { .. }, Some(others)) => others,
            _ => &self.options.particles,
        };
        self.failure(path, step, error)
    }

    fn failure(&self, path: &Path, step: usize, error: &tangere::Error) -> Failure {
        let option = match error {
            tangere::Error::Argument {
                what: Argument::PeriodicCell,
                ..
            } => " (--every-image)",
            tangere::Error::Memory { .. } => "; limit with --max-pairs",
            _ => "",
        };
        let message = self.steps.message(step, format!("{error}{option}"));
        let message = format!("{}: {message}", path.display());
        match error {
            tangere::Error::Memory { .. } => Failure::Work(message),
            _ => Failure::Input(message),
        }
    }

    /// A finding about the pairs of a step.
    pub fn finding(&self, step: usize, message: String) -> Failure {
        let message = self.steps.message(step, message);
        let file = self.options.particles.display();
        Failure::Work(format!("{file}: {message}"))
    }
}

/// The others: at one time, or at each step.
fn read_others<const D: usize>(
    path: &Path,
    boxes: bool,
    steps: &Steps<D>,
) -> Result<Steps<D>, Failure>
where
    Of<D>: Dimension<D>,
{
    let scene = input::read(path, boxes)?;
    let others = match Of::<D>::steps(scene) {
        Ok(others) => others,
        // An empty table could be either.
        Err(_) if input::is_empty_text(path) => input::still(Frame::empty(boxes)),
        Err(found) => {
            let expected = format!("{D}, as PARTICLES have");
            return Err(refused(path, "dimensions", found, &expected));
        }
    };
    let (found, count) = (others.frames.len(), steps.frames.len());
    if others.moving && found != count {
        let expected = format!("{count}, as PARTICLES have, or others that do not move");
        return Err(refused(path, "steps", found, &expected));
    }
    for (step, frame) in others.frames.iter().enumerate() {
        if let Err(error) = frame.items().check() {
            let message = others.message(step, error);
            return Err(Failure::Input(format!("{}: {message}", path.display())));
        }
    }
    Ok(others)
}
