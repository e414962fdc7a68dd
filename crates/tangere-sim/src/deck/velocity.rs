//! The command `velocity`.

use super::args::Args;
use super::book::{Book, State, unwrapped};
use super::computes::temperature;
use super::error::Problem;
use super::fixes::Term;
use super::now::Now;
use super::random::Random;
use super::variables::{Operand, solved};
use crate::vector::{Vector, cross, dot, minus};

/// The styles that are read.
pub(super) const STYLES: [&str; 5] = ["create", "set", "scale", "ramp", "zero"];

struct Options {
    is_normal: bool,
    adds: bool,
    keeps_momentum: bool,
    keeps_rotation: bool,
    units: Vector,
}

/// The command `velocity`.
pub(super) fn velocity(args: &mut Args, book: &Book, state: &mut State) -> Result<(), Problem> {
    book.needs_cell()?;
    let group = book.group(args.word("a group")?)?;
    let style = args.word("a style of velocity")?;
    let rows: Vec<usize> = (0..state.spheres.ids.len())
        .filter(|&i| state.spheres.groups[i] & group != 0)
        .collect();
    match style {
        "create" => {
            let wanted = args.number("a temperature")?;
            let random = Random::new(args.integer("a seed")?)?;
            let options = options(args, book)?;
            create(book, state, group, &rows, wanted, random, &options)
        }
        "scale" => {
            let wanted = args.number("a temperature")?;
            options(args, book)?;
            scale(book, state, group, &rows, wanted)
        }
        "set" => {
            let mut terms = [None, None, None];
            for term in &mut terms {
                *term = match args.peek() {
                    Some("NULL") => {
                        args.next();
                        None
                    }
                    _ => Some(Term::parse(args, "a component of the velocity or NULL")?),
                };
            }
            let options = options(args, book)?;
            for (k, term) in terms.iter().enumerate() {
                let values = match term {
                    None => continue,
                    Some(Term::Number(x)) => Operand::Number(*x * options.units[k]),
                    Some(Term::Variable(name)) => {
                        let now = Now::new(book, &state.setup, &state.spheres, state.clock, None);
                        now.variable(name)?.map(|x| x * options.units[k])
                    }
                };
                for &i in &rows {
                    let value = match &values {
                        Operand::Number(x) => *x,
                        Operand::Column(x) => x[i],
                    };
                    let own = &mut state.spheres.velocities[i][k];
                    *own = if options.adds { *own + value } else { value };
                }
            }
            Ok(())
        }
        "ramp" => ramp(args, book, state, &rows),
        "zero" => {
            let what = args.word("linear or angular")?;
            options(args, book)?;
            match what {
                "linear" => stop_momentum(state, &rows),
                "angular" => stop_rotation(state, &rows),
                other => return Err(Problem::new(other, "linear or angular")),
            }
            Ok(())
        }
        other => Err(Problem::unknown(other, "a style of velocity", &STYLES)),
    }
}

fn options(args: &mut Args, book: &Book) -> Result<Options, Problem> {
    let mut options = Options {
        is_normal: false,
        adds: false,
        keeps_momentum: false,
        keeps_rotation: true,
        units: book.lattice.spacing,
    };
    while let Some(word) = args.next() {
        match word {
            "dist" => {
                options.is_normal = match args.word("uniform or gaussian")? {
                    "uniform" => false,
                    "gaussian" => true,
                    other => return Err(Problem::new(other, "uniform or gaussian")),
                }
            }
            "sum" => options.adds = args.yes_no("sum")?,
            "mom" => options.keeps_momentum = !args.yes_no("mom")?,
            "rot" => options.keeps_rotation = !args.yes_no("rot")?,
            "units" => match args.word("box or lattice")? {
                "box" => options.units = [1.0; 3],
                "lattice" => {}
                other => return Err(Problem::new(other, "box or lattice")),
            },
            "loop" => match args.word("all")? {
                "all" => {}
                other => {
                    let expected = "all: velocities do not depend on the storage of atoms";
                    return Err(Problem::new(other, expected));
                }
            },
            other => {
                let known = ["dist", "sum", "mom", "rot", "units", "loop"];
                return Err(Problem::unknown(other, "a keyword of velocity", &known));
            }
        }
    }
    Ok(options)
}

/// Random velocities: numbers are drawn for all ids in order, so that a group gets what it gets within
/// all, as with LAMMPS' `loop all`.
fn create(
    book: &Book,
    state: &mut State,
    group: u32,
    rows: &[usize],
    wanted: f64,
    mut random: Random,
    options: &Options,
) -> Result<(), Problem> {
    let old = state.spheres.velocities.clone();
    let mut order: Vec<usize> = (0..state.spheres.ids.len()).collect();
    order.sort_by_key(|&i| state.spheres.ids[i]);
    for i in order {
        let mut draw = || match options.is_normal {
            true => random.normal(),
            false => random.uniform() - 0.5,
        };
        let mut v = [draw(), draw(), draw()];
        if state.spheres.groups[i] & group == 0 {
            continue;
        }
        let factor = 1.0 / state.spheres.masses[i].sqrt();
        v = v.map(|x| x * factor);
        if book.is_flat {
            v[2] = 0.0;
        }
        state.spheres.velocities[i] = v;
    }
    if !options.keeps_momentum {
        stop_momentum(state, rows);
    }
    if !options.keeps_rotation {
        stop_rotation(state, rows);
    }
    scale(book, state, group, rows, wanted)?;
    if options.adds {
        for &i in rows {
            for k in 0..3 {
                state.spheres.velocities[i][k] += old[i][k];
            }
        }
    }
    Ok(())
}

fn scale(
    book: &Book,
    state: &mut State,
    group: u32,
    rows: &[usize],
    wanted: f64,
) -> Result<(), Problem> {
    let now = Now::new(book, &state.setup, &state.spheres, state.clock, None);
    let own = temperature(&now, group);
    if own <= 0.0 || wanted < 0.0 {
        let found = format!("temperature {own} of the group, {wanted} wanted");
        return Err(Problem::new(found, "two atoms or more that move"));
    }
    let factor = (wanted / own).sqrt();
    for &i in rows {
        state.spheres.velocities[i] = state.spheres.velocities[i].map(|v| v * factor);
    }
    Ok(())
}

fn ramp(args: &mut Args, book: &Book, state: &mut State, rows: &[usize]) -> Result<(), Problem> {
    let axis = |word: &str, names: [&str; 3]| {
        let found = names.iter().position(|own| *own == word);
        found.ok_or_else(|| Problem::unknown(word, "an axis", &names))
    };
    let of = axis(args.word("vx, vy or vz")?, ["vx", "vy", "vz"])?;
    let speeds = [args.number("a velocity")?, args.number("a velocity")?];
    let along = axis(args.word("x, y or z")?, ["x", "y", "z"])?;
    let ends = [args.number("a coordinate")?, args.number("a coordinate")?];
    let options = options(args, book)?;
    let speeds = speeds.map(|v| v * options.units[of]);
    let ends = ends.map(|x| x * options.units[along]);
    if ends[0] == ends[1] {
        return Err(Problem::new(
            ends[0].to_string(),
            "two different coordinates",
        ));
    }
    for &i in rows {
        let part = (state.spheres.positions[i][along] - ends[0]) / (ends[1] - ends[0]);
        let value = speeds[0] + part.clamp(0.0, 1.0) * (speeds[1] - speeds[0]);
        let own = &mut state.spheres.velocities[i][of];
        *own = if options.adds { *own + value } else { value };
    }
    Ok(())
}

/// Takes the mean velocity from all.
fn stop_momentum(state: &mut State, rows: &[usize]) {
    let spheres = &mut state.spheres;
    let mass: f64 = rows.iter().map(|&i| spheres.masses[i]).sum();
    if mass == 0.0 {
        return;
    }
    let mut mean = [0.0; 3];
    for &i in rows {
        for k in 0..3 {
            mean[k] += spheres.masses[i] * spheres.velocities[i][k];
        }
    }
    let mean = mean.map(|x| x / mass);
    for &i in rows {
        spheres.velocities[i] = minus(spheres.velocities[i], mean);
    }
}

/// Takes the common rotation about the centre of mass from all.
fn stop_rotation(state: &mut State, rows: &[usize]) {
    let cell = state.setup.cell;
    let spheres = &mut state.spheres;
    let places: Vec<Vector> = rows
        .iter()
        .map(|&i| unwrapped(&cell, spheres.positions[i], spheres.images[i]))
        .collect();
    let mass: f64 = rows.iter().map(|&i| spheres.masses[i]).sum();
    if mass == 0.0 {
        return;
    }
    let mut center = [0.0; 3];
    for (&i, place) in rows.iter().zip(&places) {
        for k in 0..3 {
            center[k] += spheres.masses[i] * place[k] / mass;
        }
    }
    let (mut momentum, mut inertia) = ([0.0; 3], [[0.0; 3]; 3]);
    for (&i, place) in rows.iter().zip(&places) {
        let (from, m) = (minus(*place, center), spheres.masses[i]);
        let own = cross(from, spheres.velocities[i]);
        for j in 0..3 {
            momentum[j] += m * own[j];
            inertia[j][j] += m * dot(from, from);
            for k in 0..3 {
                inertia[j][k] -= m * from[j] * from[k];
            }
        }
    }
    let spin = solved(inertia, momentum);
    for (&i, place) in rows.iter().zip(&places) {
        let turning = cross(spin, minus(*place, center));
        spheres.velocities[i] = minus(spheres.velocities[i], turning);
    }
}
