//! Reader of particles or boxes: one frame, or the frames of a trajectory.

use super::paths::{extension, is_empty_text, is_text};
use super::{centers, content, refused};
use std::fmt::Display;
use std::path::Path;
use tangere::geometry::Aabb;
use tangere::pairs::Shapes;
use tangere_io::{DumpBox, Error, Fault, NpyFile, Particles, Place, Result};

/// Returns an empty list of boxes if `boxes`, else of spheres.
fn empty<const D: usize>(boxes: bool) -> Shapes<D> {
    match boxes {
        true => of_rows(&[]),
        false => Shapes::Spheres {
            centers: Vec::new(),
            radii: Vec::new(),
        },
    }
}

/// Returns boxes from a table: each row has the lower, then the upper corner of a box.
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

/// Reads the boxes or spheres of one step from an NPY array, column by column.
fn of_npy<const D: usize>(
    file: &NpyFile,
    step: usize,
    (boxes, radius): (bool, Option<f64>),
) -> Result<Shapes<D>> {
    if let Some(radius) = radius {
        let centers: Vec<[f64; D]> = file.columns(step, 0)?;
        let radii = vec![radius; centers.len()];
        return Ok(Shapes::Spheres { centers, radii });
    }
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
    // Points of the plane get z = 0.
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
    /// Particles or boxes in the plane.
    Plane(Shapes<2>),
    /// Particles or boxes in space.
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
    /// Returns a frame without particles or boxes.
    pub fn empty(dimension: usize, boxes: bool) -> Self {
        match dimension {
            2 => Frame::Plane(empty(boxes)),
            _ => Frame::Space(empty(boxes)),
        }
    }

    /// Returns the dimension of the frame: 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            Frame::Plane(_) => 2,
            Frame::Space(_) => 3,
        }
    }

    /// Returns the number of particles or boxes.
    pub fn len(&self) -> usize {
        match self {
            Frame::Plane(shapes) => shapes.items().len(),
            Frame::Space(shapes) => shapes.items().len(),
        }
    }

    /// Whether the frame has no particles and no boxes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks all particles or boxes; the error names the first invalid one.
    ///
    /// # Errors
    /// As [`tangere::pairs::Items::check`].
    pub fn check(&self) -> tangere::Result<()> {
        match self {
            Frame::Plane(shapes) => shapes.items().check(),
            Frame::Space(shapes) => shapes.items().check(),
        }
    }

    /// Returns the centre of each particle or box; in the plane its z is 0.
    pub fn middles(&self) -> Vec<[f64; 3]> {
        match self {
            Frame::Plane(shapes) => middles(shapes),
            Frame::Space(shapes) => middles(shapes),
        }
    }

    /// Returns the radii of particles; `None` for boxes.
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
    /// The frame of each step: its particles or boxes.
    pub frames: Vec<Frame>,
    /// The dimension of all frames: 2 or 3.
    pub dimension: usize,
    /// Whether the items of the frames are boxes; otherwise they are particles.
    pub boxes: bool,
    /// Whether the file is a trajectory: an array with an axis of steps, even of one step, or a
    /// dump of several steps.
    pub moving: bool,
    /// The radius of all particles, if the file has centres alone.
    radius: Option<f64>,
    /// What each step of a LAMMPS dump has besides its particles. Empty if the file is not a dump.
    pub dump: Vec<DumpHead>,
}

/// What a frame of a LAMMPS dump has besides its particles.
#[derive(Clone, Debug)]
pub struct DumpHead {
    /// The number of the time step in the dump.
    pub step: i64,
    /// The time of the time step; `None` if the dump has none.
    pub time: Option<f64>,
    /// The simulation box; `None` if the dump has none.
    pub cell: Option<DumpBox>,
    /// The line number of the simulation box in the dump, counted from 1; 0 if there is no box.
    pub cell_line: usize,
    /// The id of each atom, in ascending order; `None` if the dump has no column `id`.
    pub ids: Option<Vec<u64>>,
}

/// Maximum number of steps of an array whose steps have no rows: they take no space in the file,
/// but each takes memory.
const EMPTY_STEPS: usize = 1 << 16;

impl Steps {
    /// Returns a trajectory of a single frame.
    fn still(frame: Frame, boxes: bool) -> Self {
        Steps {
            dimension: frame.dimension(),
            frames: vec![frame],
            boxes,
            moving: false,
            radius: None,
            dump: Vec::new(),
        }
    }

    /// Reads particles or boxes from a text, an NPY array or a LAMMPS dump; particles also from
    /// points of VTK files.
    ///
    /// A row is a particle (its centre, then its radius) or a box (its lower, then its upper
    /// corner). The first of three axes of an array is that of the steps. An empty text is a frame
    /// in space without items.
    ///
    /// # Errors
    /// When the file cannot be read or has other columns. Invalid items are refused where the error
    /// can name their line; else by the finder.
    pub fn read(path: &Path, boxes: bool) -> Result<Self> {
        Self::read_any(path, boxes, None)
    }

    /// Reads the centres of particles as [`Steps::read`] does, without a column of radii: all have
    /// the given radius. Named columns besides x, y and z are ignored, radii too.
    ///
    /// # Errors
    /// As [`Steps::read`].
    pub fn read_centers(path: &Path, radius: f64) -> Result<Self> {
        Self::read_any(path, false, Some(radius))
    }

    fn read_any(path: &Path, boxes: bool, radius: Option<f64>) -> Result<Self> {
        let is_hinted = !boxes && radius.is_none();
        let steps = Self::read_file(path, boxes, radius);
        let steps = steps.map_err(|error| match is_hinted {
            true => centers::hinted(error),
            false => error,
        });
        Ok(Self { radius, ..steps? })
    }

    fn read_file(path: &Path, boxes: bool, radius: Option<f64>) -> Result<Self> {
        let extension = extension(path);
        if extension == "npy" {
            return Self::of_npy(path, boxes, radius);
        }
        if is_empty_text(path) {
            return Ok(Self::still(Frame::empty(3, boxes), boxes));
        }
        if boxes {
            return Self::of_text(path, extension);
        }
        if tangere_io::is_dump(path) {
            return Self::of_dump(path, radius);
        }
        let frame = match radius {
            Some(radius) => centers::read(path, radius)?,
            None => tangere_io::read_particles(path)?.into(),
        };
        Ok(Self::still(frame, false))
    }

    /// Reads the items of `--against`, which are particles (with the same radius, if one is given) or
    /// boxes like those of `self`, with one step or as many steps as `self`.
    ///
    /// # Errors
    /// As [`Steps::read`]; also when the dimension or the number of steps differs, or an item is
    /// invalid.
    pub fn read_others(&self, path: &Path) -> Result<Self> {
        let mut others = Self::read_any(path, self.boxes, self.radius)?;
        if others.dimension != self.dimension {
            if !is_empty_text(path) {
                let expected = format!("{}, as the items have", self.dimension);
                return Err(refused(path, "dimensions", others.dimension, expected));
            }
            // An empty table has no dimension of its own.
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

    /// Returns a message. If the file is a trajectory, the message begins with the index of the
    /// step.
    pub fn message(&self, step: usize, message: impl Display) -> String {
        match self.moving {
            true => format!("step {step}: {message}"),
            false => message.to_string(),
        }
    }

    /// Returns the error for a step of a file. If the file is a trajectory, the error names the
    /// step.
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

    /// Reads a trajectory from an NPY array: a row for each item, with an optional first axis for
    /// steps.
    fn of_npy(path: &Path, boxes: bool, radius: Option<f64>) -> Result<Self> {
        let file = NpyFile::open(path)?;
        let (steps, columns) = match *file.shape() {
            // An empty list has no number of columns.
            [0] => return Ok(Self::still(Frame::empty(3, boxes), boxes)),
            [_, columns] => (None, columns),
            // Such steps take no bytes in the file, but each needs a frame.
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
        let dimension = match radius {
            Some(_) => centers::dimension(path, columns)?,
            None => dimension(path, columns, boxes)?,
        };
        let items = (boxes, radius);
        let frame = |step| match dimension {
            2 => of_npy(&file, step, items).map(Frame::Plane),
            _ => of_npy(&file, step, items).map(Frame::Space),
        };
        Ok(Steps {
            frames: (0..steps.unwrap_or(1)).map(frame).collect::<Result<_>>()?,
            dimension,
            boxes,
            moving: steps.is_some(),
            radius,
            dump: Vec::new(),
        })
    }

    /// Reads boxes from a text table; an error names the line of an invalid box.
    fn of_text(path: &Path, extension: String) -> Result<Self> {
        if !is_text(&extension) {
            return Err(Error::Format {
                path: path.to_owned(),
                found: extension,
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

    /// Reads all steps of a LAMMPS dump; either all are in the plane or all in space. Particles are
    /// in ascending order of the ids of their atoms, if the dump has ids.
    fn of_dump(path: &Path, radius: Option<f64>) -> Result<Self> {
        let (mut heads, mut frames) = (Vec::new(), Vec::<Frame>::new());
        for frame in tangere_io::read_dump(path)? {
            let frame = frame?;
            let particles = match radius {
                Some(radius) => frame.particles_of_radius(radius),
                None => frame.particles(),
            };
            let particles = particles.map_err(|fault| content(path, fault))?;
            let next = Frame::from(particles);
            if let Some(first) = frames.first()
                && first.dimension() != next.dimension()
            {
                let place = Place::Item("frame", frames.len());
                let found = format!("{} dimensions", next.dimension());
                let expected = format!("{}, as the first frame has", first.dimension());
                return Err(content(path, Fault::new(place, found, expected)));
            }
            frames.push(next);
            heads.push(DumpHead {
                step: frame.step,
                time: frame.time,
                cell: frame.cell,
                cell_line: frame.cell_line(),
                // The reader refuses negative ids.
                ids: (frame.ids()).map(|ids| ids.iter().map(|&id| id as u64).collect()),
            });
        }
        Ok(Steps {
            dimension: frames.first().map_or(2, Frame::dimension),
            moving: frames.len() > 1,
            frames,
            boxes: false,
            radius,
            dump: heads,
        })
    }

    /// Returns the ids of the atoms of a step of a LAMMPS dump; `None` if the file is not a dump, or
    /// has no ids.
    pub fn ids(&self, step: usize) -> Option<&[u64]> {
        self.dump.get(step)?.ids.as_deref()
    }

    /// Returns the number of a step: that of the LAMMPS dump, otherwise its index.
    pub fn number(&self, step: usize) -> i64 {
        self.dump.get(step).map_or(step as i64, |head| head.step)
    }

    /// Returns the time of each step: that of the LAMMPS dump if all of its steps have one,
    /// otherwise the number of the step.
    pub fn times(&self) -> Vec<f64> {
        let times: Option<Vec<f64>> = self.dump.iter().map(|head| head.time).collect();
        match times {
            Some(times) if times.len() == self.frames.len() => times,
            _ => (0..self.frames.len())
                .map(|step| self.number(step) as f64)
                .collect(),
        }
    }
}

/// Returns the dimension of particles or boxes by the number of columns of their table.
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
