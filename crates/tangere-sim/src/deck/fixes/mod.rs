//! Fixes: what acts on spheres in each step, and what is written while a simulation runs.
//!
//! Values that are variables become numbers before each evaluation of forces: [`Fix::effect`].

mod average;
mod deform;
mod wall;

pub(super) use average::Average;
pub(super) use wall::check as check_wall;

use super::args::Args;
use super::book::Book;
use super::computes::Value;
use super::engine::{Changes, Clock};
use super::error::Problem;
use super::now::Now;
use crate::laws::Law;
use crate::setup::{Effect, Motion, Wall};
use crate::vector::{length, times};
use deform::DeformPlan;

/// A fix.
#[derive(Debug)]
pub(super) struct Fix {
    pub id: String,
    pub group: u32,
    pub kind: Kind,
    /// The time since which it acts.
    pub since: f64,
    /// The last step at which it read or wrote values.
    pub last: Option<u64>,
}

/// What a fix does.
#[derive(Debug)]
pub(super) enum Kind {
    /// Acts as given.
    Constant(Effect),
    Gravity {
        size: Term,
        direction: Direction,
    },
    AddForce([Term; 3]),
    SetForce([Option<Term>; 3]),
    RegionWall {
        region: String,
        law: Law,
    },
    Deform(DeformPlan),
    /// `ave/time`.
    Average(Average),
    /// `print`.
    Print {
        every: u64,
        text: String,
        file: Option<super::files::Output>,
        is_on_screen: bool,
    },
}

/// A number or the name of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Number(f64),
    Variable(String),
}

/// The direction of gravity.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Direction {
    Chute(Term),
    Vector([Term; 3]),
    Spherical([Term; 2]),
}

/// The styles that are read.
pub(super) const STYLES: [&str; 13] = [
    "nve/sphere",
    "enforce2d",
    "gravity",
    "freeze",
    "wall/gran",
    "wall/gran/region",
    "viscous",
    "addforce",
    "setforce",
    "move",
    "deform",
    "ave/time",
    "print",
];

impl Term {
    pub fn parse(args: &mut Args, what: &str) -> Result<Self, Problem> {
        let word = args.word(what)?;
        match word.strip_prefix("v_") {
            Some(name) => Ok(Self::Variable(name.to_string())),
            None => super::args::number(word, what).map(Self::Number),
        }
    }

    fn value(&self, now: &Now) -> Result<f64, Problem> {
        match self {
            Self::Number(x) => Ok(*x),
            Self::Variable(name) => now.number_of(name),
        }
    }

    fn changes(&self, book: &Book) -> Changes {
        match self {
            Self::Number(_) => Changes::Never,
            // Even a constant is computed once, before the first forces.
            Self::Variable(name) => book.changes_of(name, 0).max(Changes::ByClock),
        }
    }
}

impl Fix {
    /// The arguments of the command `fix`.
    pub fn parse(args: &mut Args, now: &Now) -> Result<Self, Problem> {
        let book = now.book;
        let id = args.word("the ID of the fix")?.to_string();
        let group = book.group(args.word("the group of the fix")?)?;
        let style = args.word("the style of the fix")?;
        let what = "a value";
        let kind = match style {
            "nve/sphere" => {
                let mut inertia = 0.4;
                while let Some(word) = args.next() {
                    match word {
                        "disc" if book.is_flat => inertia = 0.5,
                        "disc" => return Err(Problem::new("disc", "dimension 2 before it")),
                        other => {
                            return Err(Problem::unknown(
                                other,
                                "a keyword of fix nve/sphere",
                                &["disc"],
                            ));
                        }
                    }
                }
                Kind::Constant(Effect::Integrate { inertia })
            }
            "enforce2d" if book.is_flat => Kind::Constant(Effect::Flat),
            "enforce2d" => return Err(Problem::new("enforce2d", "dimension 2 before it")),
            "freeze" => Kind::Constant(Effect::Freeze),
            "gravity" => gravity(args)?,
            "viscous" => Kind::Constant(viscous(args, book)?),
            "addforce" => Kind::AddForce([
                Term::parse(args, what)?,
                Term::parse(args, what)?,
                Term::parse(args, what)?,
            ]),
            "setforce" => {
                let mut terms = [None, None, None];
                for term in &mut terms {
                    *term = match args.peek() {
                        Some("NULL") => {
                            args.next();
                            None
                        }
                        _ => Some(Term::parse(args, what)?),
                    };
                }
                Kind::SetForce(terms)
            }
            "move" => Kind::Constant(Effect::Move(motion(args, now)?)),
            "wall/gran" => Kind::Constant(wall::planes(args, now)?),
            "wall/gran/region" => wall::region(args, now)?,
            "deform" => Kind::Deform(DeformPlan::parse(args, now)?),
            "ave/time" => Kind::Average(Average::parse(args, &id, now)?),
            "print" => print(args, &id, book)?,
            other => return Err(Problem::unknown(other, "a fix", &STYLES)),
        };
        args.end()?;
        Ok(Self {
            id,
            group,
            kind,
            since: now.clock.time,
            last: None,
        })
    }

    /// What acts on spheres at a moment; none if it only writes.
    pub fn effect(&self, now: &Now) -> Result<Option<Effect>, Problem> {
        Ok(Some(match &self.kind {
            Kind::Constant(effect) => effect.clone(),
            Kind::Gravity { size, direction } => {
                let size = size.value(now)?;
                Effect::Gravity(times(direction.unit(now)?, size))
            }
            Kind::AddForce(terms) => {
                let [x, y, z] = terms;
                Effect::AddForce([x.value(now)?, y.value(now)?, z.value(now)?])
            }
            Kind::SetForce(terms) => {
                let mut force = [None; 3];
                for (force, term) in force.iter_mut().zip(terms) {
                    *force = match term {
                        Some(term) => Some(term.value(now)?),
                        None => None,
                    };
                }
                Effect::SetForce(force)
            }
            Kind::RegionWall { region, law } => Effect::Wall(Box::new(Wall {
                surface: now.region(region)?,
                law: *law,
                motion: None,
            })),
            Kind::Deform(plan) => Effect::Deform(Box::new(plan.deform(now))),
            Kind::Average(_) | Kind::Print { .. } => return Ok(None),
        }))
    }

    /// What its effect depends on while a simulation runs.
    pub fn changes(&self, book: &Book) -> Changes {
        let most = |terms: &mut dyn Iterator<Item = &Term>| {
            let changes = terms.map(|term| term.changes(book));
            changes.max().unwrap_or(Changes::Never)
        };
        match &self.kind {
            Kind::Gravity { size, direction } => {
                let own = match direction {
                    Direction::Chute(angle) => std::slice::from_ref(angle),
                    Direction::Vector(terms) => terms.as_slice(),
                    Direction::Spherical(terms) => terms.as_slice(),
                };
                most(&mut own.iter().chain([size]))
            }
            Kind::AddForce(terms) => most(&mut terms.iter()),
            Kind::SetForce(terms) => most(&mut terms.iter().flatten()),
            Kind::RegionWall { region, .. } => match book.region_entry(region) {
                Ok(entry) => entry.changes(book),
                Err(_) => Changes::Never,
            },
            _ => Changes::Never,
        }
    }

    /// The value that formulas and output read as `f_ID`.
    pub fn value(&self, _: Clock) -> Result<Value, Problem> {
        match &self.kind {
            Kind::Average(average) => Ok(average.value()),
            _ => Err(Problem::new(
                format!("f_{}", self.id),
                "a fix with values: ave/time",
            )),
        }
    }
}

fn gravity(args: &mut Args) -> Result<Kind, Problem> {
    let size = Term::parse(args, "the magnitude of gravity")?;
    let direction = match args.word("chute, vector or spherical")? {
        "chute" => Direction::Chute(Term::parse(args, "an angle")?),
        "vector" => {
            let what = "a component of the direction";
            let terms = [
                Term::parse(args, what)?,
                Term::parse(args, what)?,
                Term::parse(args, what)?,
            ];
            if terms == [const { Term::Number(0.0) }; 3] {
                return Err(Problem::new("0 0 0", "a direction"));
            }
            Direction::Vector(terms)
        }
        "spherical" => Direction::Spherical([
            Term::parse(args, "an angle")?,
            Term::parse(args, "an angle")?,
        ]),
        other => {
            let known = ["chute", "vector", "spherical"];
            return Err(Problem::unknown(other, "a style of gravity", &known));
        }
    };
    Ok(Kind::Gravity { size, direction })
}

impl Direction {
    /// The unit vector.
    fn unit(&self, now: &Now) -> Result<[f64; 3], Problem> {
        let [phi, theta] = match self {
            Self::Vector([x, y, z]) => {
                let mut way = [x.value(now)?, y.value(now)?, z.value(now)?];
                if now.book.is_flat {
                    way[2] = 0.0;
                }
                let size = length(way);
                return Ok(way.map(|x| x / size));
            }
            Self::Chute(angle) => [0.0, 180.0 - angle.value(now)?],
            Self::Spherical([phi, theta]) => [phi.value(now)?, theta.value(now)?],
        };
        let [phi, theta] = [phi, theta].map(|x: f64| x * (std::f64::consts::PI / 180.0));
        let sine = libm::sin(theta);
        Ok(match now.book.is_flat {
            true => [sine, libm::cos(theta), 0.0],
            false => [
                sine * libm::cos(phi),
                sine * libm::sin(phi),
                libm::cos(theta),
            ],
        })
    }
}

fn viscous(args: &mut Args, book: &Book) -> Result<Effect, Problem> {
    book.needs_cell()?;
    let drag = args.number("the coefficient of drag")?;
    let mut drags = vec![drag; book.kinds];
    while let Some(word) = args.next() {
        match word {
            "scale" => {
                let kind = args.word("an atom type")?;
                let number = super::args::integer(kind, "an atom type")?;
                let kind = book.kind(number, kind)?;
                drags[kind as usize] = drag * args.number("a ratio")?;
            }
            other => {
                return Err(Problem::unknown(
                    other,
                    "a keyword of fix viscous",
                    &["scale"],
                ));
            }
        }
    }
    Ok(Effect::Viscous(drags))
}

fn motion(args: &mut Args, now: &Now) -> Result<Motion, Problem> {
    let units = |args: &mut Args| -> Result<[f64; 3], Problem> {
        match args.take("units") {
            false => Ok(now.book.lattice.spacing),
            true => match args.word("box or lattice")? {
                "box" => Ok([1.0; 3]),
                "lattice" => Ok(now.book.lattice.spacing),
                other => Err(Problem::new(other, "box or lattice")),
            },
        }
    };
    let style = args.word("linear, wiggle or rotate")?;
    match style {
        "linear" | "wiggle" => {
            let mut values = [None; 3];
            for value in &mut values {
                *value = args.number_or_null("a component or NULL")?;
            }
            let period = match style {
                "wiggle" => period(args)?,
                _ => 0.0,
            };
            let units = units(args)?;
            let values = std::array::from_fn(|k| values[k].map(|x: f64| units[k] * x));
            Ok(match style {
                "linear" => Motion::Linear(values),
                _ => Motion::Wiggle {
                    amplitude: values,
                    period,
                },
            })
        }
        "rotate" => {
            let point = args.vector("a point of the axis")?;
            let axis = args.vector("the direction of the axis")?;
            if length(axis) == 0.0 {
                return Err(Problem::new("0 0 0", "an axis with a direction"));
            }
            let period = period(args)?;
            let units = units(args)?;
            Ok(Motion::Rotate {
                point: std::array::from_fn(|k| units[k] * point[k]),
                axis,
                period,
            })
        }
        other => {
            let known = ["linear", "wiggle", "rotate"];
            Err(Problem::unknown(other, "a style of fix move", &known))
        }
    }
}

fn period(args: &mut Args) -> Result<f64, Problem> {
    let period = args.number("a period")?;
    match period > 0.0 {
        true => Ok(period),
        false => Err(Problem::new(period.to_string(), "a period above 0")),
    }
}

fn print(args: &mut Args, id: &str, book: &Book) -> Result<Kind, Problem> {
    let every = args.count("a number of steps")?;
    if every == 0 {
        return Err(Problem::new("0", "a number of steps above 0"));
    }
    let text = args.word("a text")?.to_string();
    let (mut file, mut is_on_screen, mut title) = (None, true, None);
    while let Some(word) = args.next() {
        match word {
            "file" | "append" => {
                let name = args.word("a file")?;
                file = Some(super::files::Output::new(book, name, word == "append")?);
            }
            "screen" => is_on_screen = args.yes_no("screen")?,
            "title" => title = Some(args.word("a title")?.to_string()),
            other => {
                let known = ["file", "append", "screen", "title"];
                return Err(Problem::unknown(other, "a keyword of fix print", &known));
            }
        }
    }
    if let Some(file) = &mut file {
        let title = title.unwrap_or_else(|| format!("# Fix print output for fix {id}"));
        if title != "none" {
            file.write(&format!("{title}\n"))?;
        }
    }
    Ok(Kind::Print {
        every,
        text,
        file,
        is_on_screen,
    })
}
