//! Particles or boxes, at one time or at several.

use crate::failure::Failure;
use std::path::Path;
use tangere::geometry::Aabb;
use tangere::pairs::Items;
use tangere::shape::Spheres;
use tangere_io::{Array, DumpCell, DumpStep, Error, Fault, Particles, Place};

/// Steps in the plane or in space.
#[derive(Debug)]
pub enum Scene {
    Plane(Steps<2>),
    Space(Steps<3>),
}

/// What there is at each time.
#[derive(Debug)]
pub struct Steps<const D: usize> {
    pub frames: Vec<Frame<D>>,
    /// The file has steps, be it only one.
    pub moving: bool,
    /// The box of each step, if the file is a dump.
    pub cells: Vec<Option<DumpCell>>,
}

/// All items at one time.
#[derive(Debug)]
pub enum Frame<const D: usize> {
    Spheres {
        centers: Vec<[f64; D]>,
        radii: Vec<f64>,
    },
    Boxes {
        lower: Vec<[f64; D]>,
        upper: Vec<[f64; D]>,
    },
}

impl Scene {
    /// Refuses items that are none, by their number.
    fn check(&self) -> tangere::Result<()> {
        match self {
            Scene::Plane(steps) => steps.frames.iter().try_for_each(|f| f.items().check()),
            Scene::Space(steps) => steps.frames.iter().try_for_each(|f| f.items().check()),
        }
    }
}

impl<const D: usize> Steps<D> {
    /// A message with the step before it, where there are several.
    pub fn message(&self, step: usize, message: impl std::fmt::Display) -> String {
        match self.moving {
            true => format!("step {step}: {message}"),
            false => message.to_string(),
        }
    }
}

impl<const D: usize> Frame<D> {
    /// No items.
    pub fn empty(boxes: bool) -> Self {
        Self::of_rows(boxes, &[])
    }

    /// The items of this time.
    pub fn items(&self) -> Items<'_, D> {
        match self {
            Frame::Spheres { centers, radii } => Items::Spheres { centers, radii },
            Frame::Boxes { lower, upper } => Items::Boxes { lower, upper },
        }
    }

    /// The middle of each item.
    pub fn middles(&self) -> Vec<[f64; D]> {
        match self {
            Frame::Spheres { centers, .. } => centers.clone(),
            Frame::Boxes { lower, upper } => {
                let corners = lower.iter().zip(upper);
                corners
                    .map(|(&min, &max)| Aabb { min, max }.center())
                    .collect()
            }
        }
    }

    /// Items from as many numbers each as spheres or boxes have in this space.
    fn of_rows(boxes: bool, values: &[f64]) -> Self {
        let at = |row: &[f64], first: usize| std::array::from_fn(|k| row[first + k]);
        match boxes {
            true => Frame::Boxes {
                lower: values.chunks_exact(2 * D).map(|row| at(row, 0)).collect(),
                upper: values.chunks_exact(2 * D).map(|row| at(row, D)).collect(),
            },
            false => Frame::Spheres {
                centers: values.chunks_exact(D + 1).map(|row| at(row, 0)).collect(),
                radii: values.chunks_exact(D + 1).map(|row| row[D]).collect(),
            },
        }
    }
}

impl<const D: usize> From<Spheres<D>> for Frame<D> {
    fn from(spheres: Spheres<D>) -> Self {
        let (centers, radii) = spheres.into_parts();
        Frame::Spheres { centers, radii }
    }
}

/// Reads particles or boxes, in whatever format the name tells.
pub fn read(path: &Path, boxes: bool) -> Result<Scene, Failure> {
    let ending = super::output::ending(path);
    if ending == "npy" {
        let array = tangere_io::read_array(path).map_err(Failure::reading)?;
        return of_array(path, array, boxes);
    }
    let is_text = is_text(&ending);
    if is_empty_text(path) {
        return Ok(Scene::Space(still(Frame::empty(boxes))));
    }
    if boxes {
        if !is_text {
            return Err(Failure::reading(Error::Format {
                path: path.to_owned(),
                found: ending,
                expected: "csv, tsv, txt, dat or npy, which boxes can be read from".into(),
            }));
        }
        let table = tangere_io::read_table(path).map_err(Failure::reading)?;
        let array = Array {
            shape: vec![table.len(), table.columns],
            values: table.values.clone(),
        };
        let scene = of_array(path, array, boxes)?;
        return match scene.check() {
            // Whoever wrote a text finds a line more easily than an item.
            Err(tangere::Error::Item {
                what,
                index,
                found,
                expected,
            }) => {
                let line = tangere_io::line_of_row(path, &table, index);
                let place = Place::Line(line.map_err(Failure::reading)?);
                let found = format!("the {what} {found}");
                Err(Failure::reading(Error::Content {
                    path: path.to_owned(),
                    fault: Fault::new(place, found, expected),
                }))
            }
            _ => Ok(scene),
        };
    }
    if tangere_io::is_dump(path) {
        return Ok(of_dump(
            tangere_io::read_dump(path).map_err(Failure::reading)?,
        ));
    }
    let particles = tangere_io::read_particles(path).map_err(Failure::reading)?;
    Ok(match particles {
        Particles::Discs(discs) => Scene::Plane(still(discs.into())),
        Particles::Spheres(spheres) => Scene::Space(still(spheres.into())),
    })
}

fn is_text(ending: &str) -> bool {
    matches!(ending, "csv" | "tsv" | "txt" | "dat")
}

/// Whether this is a table without rows and names.
pub fn is_empty_text(path: &Path) -> bool {
    is_text(&super::output::ending(path))
        && std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0)
}

/// All steps of a dump, which are in the plane or in space alike.
fn of_dump(dump: Vec<DumpStep>) -> Scene {
    let (mut plane, mut space) = (Vec::new(), Vec::new());
    let mut cells = Vec::new();
    for step in dump {
        cells.push(step.cell);
        match step.particles {
            Particles::Discs(discs) => plane.push(discs.into()),
            Particles::Spheres(spheres) => space.push(spheres.into()),
        }
    }
    let moving = cells.len() > 1;
    match space.is_empty() {
        true => Scene::Plane(Steps {
            frames: plane,
            moving,
            cells,
        }),
        false => Scene::Space(Steps {
            frames: space,
            moving,
            cells,
        }),
    }
}

/// Items at one time.
pub fn still<const D: usize>(frame: Frame<D>) -> Steps<D> {
    Steps {
        frames: vec![frame],
        moving: false,
        cells: Vec::new(),
    }
}

/// The most steps of an array without rows.
const EMPTY_STEPS: usize = 1 << 16;

/// A row for each item, or an axis of steps before.
fn of_array(path: &Path, array: Array, boxes: bool) -> Result<Scene, Failure> {
    let (count, rows, columns) = match array.shape[..] {
        // An empty list has lost its columns.
        [0] => (None, 0, if boxes { 6 } else { 4 }),
        [rows, columns] => (None, rows, columns),
        // They cost nothing in the file, but a frame each.
        [steps, 0, _] if steps > EMPTY_STEPS => {
            let expected = format!("at most {EMPTY_STEPS} where there are no rows");
            return Err(refused(path, "steps", steps, &expected));
        }
        [steps, rows, columns] => (Some(steps), rows, columns),
        _ => {
            let found = format!("{:?}", array.shape);
            let expected = "2 axes (rows, columns) or 3 (steps, rows, columns)";
            return Err(refused(path, "shape", found, expected));
        }
    };
    match (boxes, columns) {
        (false, 3) | (true, 4) => Ok(Scene::Plane(steps(&array.values, count, rows, boxes))),
        (false, 4) | (true, 6) => Ok(Scene::Space(steps(&array.values, count, rows, boxes))),
        _ => {
            let expected = match boxes {
                true => "4 or 6, the lower and the upper corner",
                false => "3 (x, y, radius) or 4 (x, y, z, radius)",
            };
            Err(refused(path, "columns", columns, expected))
        }
    }
}

/// Why a file was refused.
pub fn refused(
    path: &Path,
    part: &'static str,
    found: impl std::fmt::Display,
    expected: &str,
) -> Failure {
    Failure::reading(Error::Content {
        path: path.to_owned(),
        fault: Fault::new(Place::Part(part), found, expected),
    })
}

fn steps<const D: usize>(
    values: &[f64],
    count: Option<usize>,
    rows: usize,
    boxes: bool,
) -> Steps<D> {
    let size = rows * if boxes { 2 * D } else { D + 1 };
    let frame = |step: usize| Frame::of_rows(boxes, &values[step * size..][..size]);
    Steps {
        frames: (0..count.unwrap_or(1)).map(frame).collect(),
        moving: count.is_some(),
        cells: Vec::new(),
    }
}
