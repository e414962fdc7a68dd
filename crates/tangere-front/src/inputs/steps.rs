//! Particles or boxes of a file: one frame, or the frames of a trajectory.

use super::{content, ending, is_empty_text, is_text, refused};
use std::fmt::Display;
use std::path::Path;
use tangere::geometry::Aabb;
use tangere::pairs::Shapes;
use tangere_io::{DumpCell, DumpStep, Error, Fault, NpyFile, Particles, Place, Result};

/// No spheres, or no boxes.
fn empty<const D: usize>(boxes: bool) -> Shapes<D> {
    match boxes {
        true => of_rows(&[]),
        false => Shapes::Spheres {
            centers: Vec::new(),
            radii: Vec::new(),
        },
    }
}

/// The boxes of rows of lower and upper corners.
fn of_rows<const D: usize>(values: &[f64]) -> Shapes<D> {
    let corners = |first: usize| {
        let rows = values.chunks_exact(2 * D);
        rows.map(|row| std::array::from_fn(|k| row[first + k]))
            .collect()
    };
    Shapes::Boxes {
        lower: corners(0),
        upper: corners(D),
    }
}

/// A step of an array, decoded from the file by columns.
fn of_npy<const D: usize>(file: &NpyFile, step: usize, boxes: bool) -> Result<Shapes<D>> {
    Ok(match boxes {
        true => Shapes::Boxes {
            lower: file.columns(step, 0)?,
            upper: file.columns(step, D)?,
        },
        false => Shapes::Spheres {
            centers: file.columns(step, 0)?,
            radii: file.columns::<1>(step, D)?.into_flattened(),
        },
    })
}

fn middles<const D: usize>(shapes: &Shapes<D>) -> Vec<[f64; 3]> {
    // In the plane z = 0.
    let in_space = |p: [f64; D]| std::array::from_fn(|k| p.get(k).copied().unwrap_or(0.0));
    match shapes {
        Shapes::Spheres { centers, .. } => centers.iter().copied().map(in_space).collect(),
        Shapes::Boxes { lower, upper } => {
            let boxes = lower.iter().zip(upper);
            let boxes = boxes.map(|(&min, &max)| Aabb { min, max });
            boxes.map(|bounds| in_space(bounds.center())).collect()
        }
    }
}

/// A frame: all particles or boxes at one time, in the plane or in space.
#[derive(Clone, Debug)]
pub enum Frame {
    /// In the plane.
    Plane(Shapes<2>),
    /// In space.
    Space(Shapes<3>),
}

impl From<Particles> for Frame {
    fn from(particles: Particles) -> Self {
        match particles {
            Particles::Discs(discs) => Frame::Plane(discs.into()),
            Particles::Spheres(spheres) => Frame::Space(spheres.into()),
        }
    }
}

impl Frame {
    /// No particles, or no boxes.
    pub fn empty(dimension: usize, boxes: bool) -> Self {
        match dimension {
            2 => Frame::Plane(empty(boxes)),
            _ => Frame::Space(empty(boxes)),
        }
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            Frame::Plane(_) => 2,
            Frame::Space(_) => 3,
        }
    }

    /// The number of particles or boxes.
    pub fn len(&self) -> usize {
        match self {
            Frame::Plane(shapes) => shapes.items().len(),
            Frame::Space(shapes) => shapes.items().len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Refuses the first that is invalid.
    ///
    /// # Errors
    /// As [`tangere::pairs::Items::check`].
    pub fn check(&self) -> tangere::Result<()> {
        match self {
            Frame::Plane(shapes) => shapes.items().check(),
            Frame::Space(shapes) => shapes.items().check(),
        }
    }

    /// The middle of each, in the plane with z = 0.
    pub fn middles(&self) -> Vec<[f64; 3]> {
        match self {
            Frame::Plane(shapes) => middles(shapes),
            Frame::Space(shapes) => middles(shapes),
        }
    }

    /// The radii; none of boxes.
    pub fn radii(&self) -> Option<&[f64]> {
        match self {
            Frame::Plane(Shapes::Spheres { radii, .. })
            | Frame::Space(Shapes::Spheres { radii, .. }) => Some(radii),
            _ => None,
        }
    }
}

/// The frames of a trajectory, all in the plane or all in space.
#[derive(Clone, Debug)]
pub struct Steps {
    /// A frame for each step.
    pub frames: Vec<Frame>,
    /// 2 or 3.
    pub dimension: usize,
    /// Whether they are boxes.
    pub boxes: bool,
    /// Whether the file has steps, be it only one.
    pub moving: bool,
    /// The box of each step, if the file is a dump.
    pub boxes_of_dump: Vec<Option<DumpCell>>,
}

/// The most steps of an array without rows.
const EMPTY_STEPS: usize = 1 << 16;

impl Steps {
    /// Items at one time.
    fn still(frame: Frame, boxes: bool) -> Self {
        Steps {
            dimension: frame.dimension(),
            frames: vec![frame],
            boxes,
            moving: false,
            boxes_of_dump: Vec::new(),
        }
    }

    /// Reads particles or boxes: a text, an array or a dump; particles also as points of VTK.
    ///
    /// A row is a particle (its centre, then its radius) or a box (its lower, then its upper
    /// corner); arrays of three axes have steps. An empty text has no items, in space.
    ///
    /// # Errors
    /// When the file cannot be read or has other columns. Invalid items are refused where the
    /// error can name their line; else by the finder.
    pub fn read(path: &Path, boxes: bool) -> Result<Self> {
        let ending = ending(path);
        if ending == "npy" {
            return Self::of_npy(path, boxes);
        }
        if is_empty_text(path) {
            return Ok(Self::still(Frame::empty(3, boxes), boxes));
        }
        if boxes {
            return Self::of_text(path, ending);
        }
        if tangere_io::is_dump(path) {
            return Ok(Self::of_dump(tangere_io::read_dump(path)?));
        }
        let particles = tangere_io::read_particles(path)?;
        Ok(Self::still(particles.into(), false))
    }

    /// Reads the items of `--against`: of the same kind, with one step or as many as these.
    ///
    /// # Errors
    /// As [`Steps::read`], when the dimension or the number of steps is another, or an item is
    /// invalid.
    pub fn read_others(&self, path: &Path) -> Result<Self> {
        let mut others = Self::read(path, self.boxes)?;
        if others.dimension != self.dimension {
            if !is_empty_text(path) {
                let expected = format!("{}, as the items have", self.dimension);
                return Err(refused(path, "dimensions", others.dimension, expected));
            }
            // An empty table could be either.
            others = Self::still(Frame::empty(self.dimension, self.boxes), self.boxes);
        }
        let (found, count) = (others.frames.len(), self.frames.len());
        if others.moving && found != count {
            let expected = format!("{count}, as the items have, or others that do not move");
            return Err(refused(path, "steps", found, expected));
        }
        for (step, frame) in others.frames.iter().enumerate() {
            let checked = frame.check();
            checked.map_err(|error| others.refused(path, step, error))?;
        }
        Ok(others)
    }

    /// A message with the step before it, where there are several.
    pub fn message(&self, step: usize, message: impl Display) -> String {
        match self.moving {
            true => format!("step {step}: {message}"),
            false => message.to_string(),
        }
    }

    /// Why a step of a file was refused.
    pub(super) fn refused(&self, path: &Path, step: usize, source: tangere::Error) -> Error {
        match self.moving {
            true => Error::Scene {
                path: Some(path.to_owned()),
                place: Place::Item("step", step),
                source: Box::new(source.into()),
            },
            false => Error::Shape {
                path: path.to_owned(),
                source,
            },
        }
    }

    /// A row for each item, or an axis of steps before.
    fn of_npy(path: &Path, boxes: bool) -> Result<Self> {
        let file = NpyFile::open(path)?;
        let (steps, columns) = match *file.shape() {
            // An empty list has no number of columns.
            [0] => return Ok(Self::still(Frame::empty(3, boxes), boxes)),
            [_, columns] => (None, columns),
            // Such steps take no bytes in the file, but a frame each.
            [steps, 0, _] if steps > EMPTY_STEPS => {
                let expected = format!("at most {EMPTY_STEPS} where there are no rows");
                return Err(refused(path, "steps", steps, expected));
            }
            [steps, _, columns] => (Some(steps), columns),
            ref shape => {
                let expected = "2 axes (rows, columns) or 3 (steps, rows, columns)";
                return Err(refused(path, "shape", format!("{shape:?}"), expected));
            }
        };
        let dimension = dimension(path, columns, boxes)?;
        let frame = |step| match dimension {
            2 => of_npy(&file, step, boxes).map(Frame::Plane),
            _ => of_npy(&file, step, boxes).map(Frame::Space),
        };
        Ok(Steps {
            frames: (0..steps.unwrap_or(1)).map(frame).collect::<Result<_>>()?,
            dimension,
            boxes,
            moving: steps.is_some(),
            boxes_of_dump: Vec::new(),
        })
    }

    /// Boxes of a text; invalid ones are named by line.
    fn of_text(path: &Path, ending: String) -> Result<Self> {
        if !is_text(&ending) {
            return Err(Error::Format {
                path: path.to_owned(),
                found: ending,
                expected: "csv, tsv, txt, dat or npy, which boxes can be read from".into(),
            });
        }
        let table = tangere_io::read_table(path)?;
        let frame = match dimension(path, table.columns, true)? {
            2 => Frame::Plane(of_rows(&table.values)),
            _ => Frame::Space(of_rows(&table.values)),
        };
        match frame.check() {
            // In a text file a line is easier to find than an item.
            Err(tangere::Error::Item {
                what,
                index,
                found,
                expected,
            }) => {
                let place = Place::Line(tangere_io::line_of_row(path, &table, index)?);
                let found = format!("the {what} {found}");
                Err(content(path, Fault::new(place, found, expected)))
            }
            _ => Ok(Self::still(frame, true)),
        }
    }

    /// All steps of a dump, which are in the plane or in space alike.
    fn of_dump(dump: Vec<DumpStep>) -> Self {
        let (cells, frames): (Vec<_>, Vec<Frame>) = (dump.into_iter())
            .map(|step| (step.cell, step.particles.into()))
            .unzip();
        Steps {
            dimension: frames.first().map_or(2, Frame::dimension),
            moving: frames.len() > 1,
            frames,
            boxes: false,
            boxes_of_dump: cells,
        }
    }
}

/// The dimension of rows of so many columns.
fn dimension(path: &Path, columns: usize, boxes: bool) -> Result<usize> {
    match (boxes, columns) {
        (false, 3) | (true, 4) => Ok(2),
        (false, 4) | (true, 6) => Ok(3),
        _ => {
            let expected = match boxes {
                true => "4 or 6, the lower and the upper corner",
                false => "3 (x, y, radius) or 4 (x, y, z, radius)",
            };
            Err(refused(path, "columns", columns, expected))
        }
    }
}
