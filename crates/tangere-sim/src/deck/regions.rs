//! The command `region`.
//!
//! Regions stay as they were written, because motions are variables: [`Now::region`] makes the region of a
//! moment.

use super::args::Args;
use super::book::Book;
use super::engine::{Changes, Clock};
use super::error::Problem;
use super::now::Now;
use crate::region::{Combined, Moved, Placement, Region, Shape, Solid};
use crate::vector::{Vector, length, times};

/// A region as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RegionEntry {
    source: Source,
    is_outside: bool,
    open: [bool; 6],
    /// Names of the variables of the displacement.
    shift: [Option<String>; 3],
    moves: bool,
    turn: Option<Turn>,
}

#[derive(Clone, Debug, PartialEq)]
enum Source {
    Shape(Shape),
    Parts {
        ids: Vec<String>,
        is_intersection: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
struct Turn {
    /// The name of the variable of the angle.
    angle: String,
    point: Vector,
    axis: Vector,
}

/// The styles that are read.
pub(super) const STYLES: [&str; 9] = [
    "block",
    "cylinder",
    "cone",
    "sphere",
    "plane",
    "prism",
    "union",
    "intersect",
    "delete",
];

/// LAMMPS' infinity of regions.
const FAR: f64 = 1e20;

/// What the numbers of a region mean.
struct Scale<'a> {
    book: &'a Book,
    units: Vector,
}

impl Scale<'_> {
    /// An end along an axis, which may be `INF` or `EDGE`.
    fn end(&self, word: &str, axis: usize, is_high: bool) -> Result<f64, Problem> {
        match word {
            "INF" if is_high => Ok(FAR),
            "INF" => Ok(0.0 - FAR),
            "EDGE" => {
                self.book.needs_cell()?;
                let cell = self.book.first_cell.ok_or_else(|| {
                    Problem::new("EDGE", "a simulation box before regions with EDGE")
                })?;
                let size = if is_high { cell.edges[axis][axis] } else { 0.0 };
                Ok(cell.origin[axis] + size)
            }
            word => Ok(self.units[axis] * super::args::number(word, "an end of the region")?),
        }
    }
}

impl RegionEntry {
    /// The arguments of `region` after ID and style.
    pub fn parse(style: &str, args: &mut Args, book: &Book) -> Result<Self, Problem> {
        // Options come last but change what the numbers mean.
        let options = args.rest();
        let is_box = options
            .windows(2)
            .any(|pair| pair[0] == "units" && pair[1] == "box");
        let units = match is_box {
            true => [1.0; 3],
            false => book.lattice.spacing,
        };
        let scale = Scale { book, units };
        let source = match style {
            "union" | "intersect" => {
                let count = args.count("the number of regions")?;
                if count < 2 {
                    return Err(Problem::new(count.to_string(), "two regions or more"));
                }
                let mut ids = Vec::new();
                for _ in 0..count {
                    let id = args.word("the ID of a region")?;
                    book.region_entry(id)?;
                    ids.push(id.to_string());
                }
                Source::Parts {
                    ids,
                    is_intersection: style == "intersect",
                }
            }
            _ => Source::Shape(shape(style, args, &scale)?),
        };
        let mut entry = Self {
            source,
            is_outside: false,
            open: [false; 6],
            shift: [None, None, None],
            moves: false,
            turn: None,
        };
        entry.read_options(style, args, &scale)?;
        Ok(entry)
    }

    fn read_options(&mut self, style: &str, args: &mut Args, scale: &Scale) -> Result<(), Problem> {
        let variable = |word: &str| match word.strip_prefix("v_") {
            Some(name) => Ok(name.to_string()),
            None => Err(Problem::new(word, "v_ and the name of a variable")),
        };
        while let Some(word) = args.next() {
            match word {
                "side" => {
                    self.is_outside = match args.word("in or out")? {
                        "in" => false,
                        "out" => true,
                        other => return Err(Problem::new(other, "in or out")),
                    }
                }
                "units" => match args.word("box or lattice")? {
                    "box" | "lattice" => {}
                    other => return Err(Problem::new(other, "box or lattice")),
                },
                "open" => {
                    let face = args.count("the number of a face")? as usize;
                    let count = match style {
                        "block" => 6,
                        "cylinder" | "cone" => 3,
                        _ => 0,
                    };
                    if face < 1 || face > count {
                        let expected = format!("a face of {style} from 1 to {count}");
                        return Err(Problem::new(face.to_string(), expected));
                    }
                    self.open[face - 1] = true;
                }
                "move" => {
                    for k in 0..3 {
                        self.shift[k] = match args.word("v_name or NULL")? {
                            "NULL" => None,
                            word => Some(variable(word)?),
                        };
                    }
                    self.moves = true;
                }
                "rotate" => {
                    let angle = variable(args.word("v_name")?)?;
                    let point = args.vector("a point of the axis")?;
                    let axis = args.vector("the direction of the axis")?;
                    if length(axis) == 0.0 {
                        return Err(Problem::new("0 0 0", "an axis with a direction"));
                    }
                    self.turn = Some(Turn {
                        angle,
                        point: std::array::from_fn(|k| scale.units[k] * point[k]),
                        axis,
                    });
                }
                other => {
                    let known = ["side", "units", "open", "move", "rotate"];
                    return Err(Problem::unknown(other, "a keyword of region", &known));
                }
            }
        }
        if matches!(self.source, Source::Parts { .. }) && (self.moves || self.turn.is_some()) {
            return Err(Problem::new(
                format!("a moving {style}"),
                "parts that move: LAMMPS does not move unions and intersections either",
            ));
        }
        Ok(())
    }

    /// What the region depends on.
    pub fn changes(&self, book: &Book) -> Changes {
        let mut most = Changes::Never;
        if let Source::Parts { ids, .. } = &self.source {
            for id in ids {
                if let Ok(part) = book.region_entry(id) {
                    most = most.max(part.changes(book));
                }
            }
        }
        if self.moves || self.turn.is_some() {
            most = most.max(Changes::ByClock);
        }
        let names = self.shift.iter().flatten();
        let names = names.chain(self.turn.iter().map(|turn| &turn.angle));
        names.fold(most, |most, name| most.max(book.changes_of(name, 0)))
    }
}

/// The shape of a region.
fn shape(style: &str, args: &mut Args, scale: &Scale) -> Result<Shape, Problem> {
    let axis_of = |word: &str| match word {
        "x" => Ok(0),
        "y" => Ok(1),
        "z" => Ok(2),
        _ => Err(Problem::new(word, "an axis: x, y or z")),
    };
    let units = scale.units;
    let radius_above = |x: f64, least: f64| match x >= least {
        true => Ok(x),
        false => Err(Problem::new(x.to_string(), "a radius that is not negative")),
    };
    match style {
        "block" => {
            let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
            for k in 0..3 {
                low[k] = scale.end(args.word("an end of the block")?, k, false)?;
                high[k] = scale.end(args.word("an end of the block")?, k, true)?;
                if low[k] > high[k] {
                    let found = format!("{} to {}", low[k], high[k]);
                    return Err(Problem::new(
                        found,
                        "a lower end that is not above the upper",
                    ));
                }
            }
            Ok(Shape::Block { low, high })
        }
        "cylinder" | "cone" => {
            let axis = axis_of(args.word("an axis")?)?;
            let [i, j] = match axis {
                0 => [1, 2],
                1 => [0, 2],
                _ => [0, 1],
            };
            let center = [
                units[i] * args.number("the centre")?,
                units[j] * args.number("the centre")?,
            ];
            let mut radius = || radius_above(units[i] * args.number("a radius")?, 0.0);
            let radii = match style {
                "cylinder" => [radius()?; 2],
                _ => [radius()?, radius()?],
            };
            let low = scale.end(args.word("the lower end")?, axis, false)?;
            let high = scale.end(args.word("the upper end")?, axis, true)?;
            if low >= high && style == "cone" || low > high || radii == [0.0; 2] {
                let found = format!("radii {radii:?} from {low} to {high}");
                return Err(Problem::new(found, "a radius above 0 and ends in order"));
            }
            let ends = [low, high];
            Ok(match style {
                "cylinder" => Shape::Cylinder {
                    axis,
                    center,
                    radius: radii[0],
                    ends,
                },
                _ => Shape::Cone {
                    axis,
                    center,
                    radii,
                    ends,
                },
            })
        }
        "sphere" => {
            let center = args.vector("the centre")?;
            let radius = radius_above(units[0] * args.number("a radius")?, 0.0)?;
            Ok(Shape::Sphere {
                center: std::array::from_fn(|k| units[k] * center[k]),
                radius,
            })
        }
        "plane" => {
            let point = args.vector("a point of the plane")?;
            let normal = args.vector("the normal of the plane")?;
            let normal: Vector = std::array::from_fn(|k| units[k] * normal[k]);
            let size = length(normal);
            if size == 0.0 {
                return Err(Problem::new("0 0 0", "a normal with a direction"));
            }
            Ok(Shape::Plane {
                point: std::array::from_fn(|k| units[k] * point[k]),
                normal: times(normal, 1.0 / size),
            })
        }
        other => Err(Problem::unknown(other, "a style of regions", &STYLES)),
    }
}

/// The numbers of `region ID prism`, for `create_box`: lower and upper ends and tilts xy, xz, yz.
pub(super) fn prism(args: &mut Args, book: &Book) -> Result<([[f64; 2]; 3], Vector), Problem> {
    let is_box = args
        .rest()
        .windows(2)
        .any(|pair| pair[0] == "units" && pair[1] == "box");
    let units = match is_box {
        true => [1.0; 3],
        false => book.lattice.spacing,
    };
    let mut ends = [[0.0; 2]; 3];
    for (k, ends) in ends.iter_mut().enumerate() {
        for end in ends.iter_mut() {
            *end = units[k] * args.number("an end of the prism")?;
        }
    }
    let tilts = args.vector("the tilts xy, xz, yz")?;
    while let Some(word) = args.next() {
        match word {
            "units" => {
                args.word("box or lattice")?;
            }
            other => {
                return Err(Problem::new(
                    other,
                    "the end of the command: a prism serves as a simulation box only",
                ));
            }
        }
    }
    Ok((
        ends,
        [
            tilts[0] * units[0],
            tilts[1] * units[0],
            tilts[2] * units[1],
        ],
    ))
}

impl Book {
    pub fn region_entry(&self, id: &str) -> Result<&RegionEntry, Problem> {
        self.regions.get(id).ok_or_else(|| {
            let known: Vec<&str> = self.regions.keys().map(String::as_str).collect();
            Problem::unknown(id, "the ID of a region", &known)
        })
    }
}

impl Now<'_> {
    /// A region at this moment.
    pub fn region(&self, id: &str) -> Result<Region, Problem> {
        self.deeper(id, || {
            let entry = self.book.region_entry(id)?;
            let region = match &entry.source {
                Source::Shape(shape) => Region::Solid(Solid {
                    shape: shape.clone(),
                    is_outside: entry.is_outside,
                    open: entry.open,
                }),
                Source::Parts {
                    ids,
                    is_intersection,
                } => {
                    let parts: Result<Vec<Region>, Problem> =
                        ids.iter().map(|id| self.region(id)).collect();
                    Region::Combined(Combined {
                        parts: parts?,
                        is_intersection: *is_intersection,
                        is_outside: entry.is_outside,
                    })
                }
            };
            if !entry.moves && entry.turn.is_none() {
                return Ok(region);
            }
            let placement = self.placement(entry)?;
            Ok(Region::Moved(Box::new(Moved { region, placement })))
        })
    }

    /// Where a moving region is. Its velocity is the difference to the step before, as in LAMMPS; at step
    /// 0 it is at rest.
    fn placement(&self, entry: &RegionEntry) -> Result<Placement, Problem> {
        let step = self.setup.step;
        let before = self.at(Clock {
            step: self.clock.step.saturating_sub(1),
            time: self.clock.time - step,
        });
        let is_first = self.clock.step == 0;
        let rate = |now: f64, then: f64| match is_first {
            true => 0.0,
            false => (now - then) / step,
        };
        let (mut shift, mut velocity) = ([0.0; 3], [0.0; 3]);
        for (k, name) in entry.shift.iter().enumerate() {
            if let Some(name) = name {
                shift[k] = self.number_of(name)?;
                velocity[k] = rate(shift[k], before.number_of(name)?);
            }
        }
        let placement = Placement::shifted(shift, velocity);
        match &entry.turn {
            None => Ok(placement),
            Some(turn) => {
                let angle = self.number_of(&turn.angle)?;
                let spin = rate(angle, before.number_of(&turn.angle)?);
                Ok(placement.turned(turn.point, turn.axis, angle, spin))
            }
        }
    }
}
