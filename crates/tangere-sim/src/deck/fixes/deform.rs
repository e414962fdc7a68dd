//! `fix deform`: how the cell changes.

use super::super::args::Args;
use super::super::error::Problem;
use super::super::now::Now;
use crate::setup::{Cell, Change, Deform, Remap};

/// A change of the cell as it was written. Ends that are given become rates once the length of the run is
/// known.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct DeformPlan {
    from: Cell,
    start: f64,
    every: u64,
    sizes: [Option<Plan>; 3],
    tilts: [Option<Plan>; 3],
    remap: Remap,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Plan {
    /// Both ends, or the tilt, are moved by this until the end of the run.
    Until([f64; 2]),
    Change(Change),
}

impl DeformPlan {
    pub fn parse(args: &mut Args, now: &Now) -> Result<Self, Problem> {
        now.book.needs_cell()?;
        let every = args.count("a number of steps")?;
        if every == 0 {
            return Err(Problem::new("0", "a number of steps above 0"));
        }
        let cell = now.setup.cell;
        let mut plan = Self {
            from: cell,
            start: now.clock.time,
            every,
            sizes: [None; 3],
            tilts: [None; 3],
            remap: Remap::Positions,
        };
        let is_box = args
            .rest()
            .windows(2)
            .any(|pair| pair[0] == "units" && pair[1] == "box");
        let units = match is_box {
            true => [1.0; 3],
            false => now.book.lattice.spacing,
        };
        while let Some(word) = args.next() {
            match word {
                "x" | "y" | "z" => {
                    let k = usize::from(word.as_bytes()[0] - b'x');
                    let (low, size) = (cell.origin[k], cell.edges[k][k]);
                    plan.sizes[k] = Some(size_plan(args, low, size, units[k])?);
                }
                "xy" | "xz" | "yz" => {
                    if !now.book.is_triclinic {
                        return Err(Problem::new(word, "a triclinic box"));
                    }
                    let (tilt, edge, axis) = match word {
                        "xy" => (0, 1, 0),
                        "xz" => (1, 2, 0),
                        _ => (2, 2, 1),
                    };
                    let (own, height) = (cell.edges[edge][axis], cell.edges[edge][edge]);
                    plan.tilts[tilt] = Some(tilt_plan(args, own, height, units[axis])?);
                }
                "remap" => {
                    plan.remap = match args.word("x, v or none")? {
                        "x" => Remap::Positions,
                        "v" => Remap::Velocities,
                        "none" => Remap::None,
                        other => return Err(Problem::new(other, "x, v or none")),
                    }
                }
                "units" => match args.word("box or lattice")? {
                    "box" | "lattice" => {}
                    other => return Err(Problem::new(other, "box or lattice")),
                },
                "flip" => {
                    args.yes_no("flip")?;
                }
                other => {
                    let known = ["x", "y", "z", "xy", "xz", "yz", "remap", "units", "flip"];
                    return Err(Problem::unknown(other, "a keyword of fix deform", &known));
                }
            }
        }
        if plan.sizes == [None; 3] && plan.tilts == [None; 3] {
            return Err(Problem::missing("x, y, z, xy, xz or yz"));
        }
        Ok(plan)
    }

    /// The change of the cell in the run under way.
    pub fn deform(&self, now: &Now) -> Deform {
        let [first, last] = now.book.span;
        let duration = last.saturating_sub(first) as f64 * now.setup.step;
        let change = |plan: Option<Plan>| match plan? {
            Plan::Change(change) => Some(change),
            Plan::Until(_) if duration == 0.0 => None,
            Plan::Until(ends) => Some(Change::Linear(ends.map(|x| x / duration))),
        };
        Deform {
            from: self.from,
            start: self.start,
            every: self.every,
            sizes: self.sizes.map(change),
            tilts: self.tilts.map(change),
            remap: self.remap,
        }
    }
}

/// The style of a change along an axis.
fn size_plan(args: &mut Args, low: f64, size: f64, unit: f64) -> Result<Plan, Problem> {
    let style = args.word("a style of change")?;
    Ok(match style {
        "final" => {
            let [first, last] = [
                unit * args.number("the lower end")?,
                unit * args.number("the upper end")?,
            ];
            if first >= last {
                let found = format!("{first} to {last}");
                return Err(Problem::new(found, "a lower end below the upper"));
            }
            Plan::Until([first - low, last - low - size])
        }
        "delta" => Plan::Until([
            unit * args.number("the change of the lower end")?,
            unit * args.number("the change of the upper end")?,
        ]),
        "scale" => {
            let more = 0.5 * size * (args.number("a factor")? - 1.0);
            Plan::Until([0.0 - more, more])
        }
        "vel" => {
            let half = 0.5 * unit * args.number("a speed")?;
            Plan::Change(Change::Linear([0.0 - half, half]))
        }
        "erate" => {
            let half = 0.5 * size * args.number("a strain rate")?;
            Plan::Change(Change::Linear([0.0 - half, half]))
        }
        "trate" => Plan::Change(Change::Exponential(args.number("a strain rate")?)),
        "wiggle" => wiggle(args, unit)?,
        other => return Err(Problem::unknown(other, "a style of change", &STYLES)),
    })
}

/// The style of a change of a tilt.
fn tilt_plan(args: &mut Args, own: f64, height: f64, unit: f64) -> Result<Plan, Problem> {
    let style = args.word("a style of change")?;
    let linear = |rate: f64| Plan::Change(Change::Linear([0.0, rate]));
    Ok(match style {
        "final" => Plan::Until([0.0, unit * args.number("a tilt")? - own]),
        "delta" => Plan::Until([0.0, unit * args.number("a change")?]),
        "vel" => linear(unit * args.number("a speed")?),
        "erate" => linear(height * args.number("a strain rate")?),
        "trate" => Plan::Change(Change::Exponential(args.number("a strain rate")?)),
        "wiggle" => wiggle(args, unit)?,
        other => return Err(Problem::unknown(other, "a style of change", &STYLES)),
    })
}

fn wiggle(args: &mut Args, unit: f64) -> Result<Plan, Problem> {
    Ok(Plan::Change(Change::Wiggle {
        amplitude: unit * args.number("an amplitude")?,
        period: super::period(args)?,
    }))
}

const STYLES: [&str; 7] = ["final", "delta", "scale", "vel", "erate", "trate", "wiggle"];
