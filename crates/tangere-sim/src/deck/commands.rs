//! Commands that define or change something, by their names.

use super::args::{self, Args};
use super::book::{Book, State};
use super::error::Problem;
use super::now::Now;
use super::{
    cells, computes, data, dumps, fixes, group, lattice, pairs, regions, set, thermo, velocity,
};
use crate::setup::{Exclusion, Setup};

/// Executes a command that defines or changes something.
pub(super) fn define(
    command: &str,
    args: &mut Args,
    book: &mut Book,
    state: &mut State,
) -> Result<(), Problem> {
    match command {
        "units" => cells::units(args, book, state)?,
        "dimension" => cells::dimension(args, book)?,
        "boundary" => cells::boundary(args, book)?,
        "lattice" => book.lattice = lattice::Lattice::parse(args, book)?,
        "create_box" => cells::create_box(args, book, state)?,
        "change_box" => cells::change_box(args, book, state)?,
        "replicate" => cells::replicate(args, book, state)?,
        "timestep" => cells::timestep(args, state)?,
        "region" => define_region(args, book)?,
        "group" => group::group(args, book, state)?,
        "set" => set::set(args, book, state)?,
        "mass" => set::mass(args, book, state)?,
        "velocity" => velocity::velocity(args, book, state)?,
        "write_data" => data::write_data(args, book, state)?,
        "pair_style" => book.pairs = pairs::Pairs::parse(args)?,
        "pair_coeff" => {
            book.needs_cell()?;
            let kinds = book.kinds;
            book.pairs.set(args, kinds)?;
        }
        "fix" => {
            let now = Now::new(book, &state.setup, &state.spheres, state.clock, None);
            let fix = fixes::Fix::parse(args, &now)?;
            match book.fixes.iter().position(|own| own.id == fix.id) {
                Some(at) => book.fixes[at] = fix,
                None => book.fixes.push(fix),
            }
        }
        "unfix" => {
            let id = args.word("the ID of a fix")?;
            args.end()?;
            book.fix(id)?;
            book.fixes.retain(|fix| fix.id != id);
        }
        "compute" => {
            let compute = computes::Compute::parse(args, book)?;
            if book.compute(&compute.id).is_ok() {
                let found = format!("compute {} twice", compute.id);
                return Err(Problem::new(found, "another ID, or uncompute before it"));
            }
            book.computes.push(compute);
        }
        "uncompute" => {
            let id = args.word("the ID of a compute")?;
            args.end()?;
            book.compute(id)?;
            book.computes.retain(|compute| compute.id != id);
        }
        "thermo" => {
            book.thermo.every = args.count("a number of steps")?;
            args.end()?;
        }
        "thermo_style" => thermo::Thermo::set_style(book, args)?,
        "thermo_modify" => thermo::Thermo::modify(book, args)?,
        "dump" => {
            let dump = dumps::Dump::parse(args, book, false)?;
            if book.dumps.iter().any(|own| own.id == dump.id) {
                let found = format!("dump {} twice", dump.id);
                return Err(Problem::new(found, "another ID, or undump before it"));
            }
            book.dumps.push(dump);
        }
        "dump_modify" | "undump" => {
            let id = args.word("the ID of a dump")?;
            let known: Vec<&str> = book.dumps.iter().map(|dump| dump.id.as_str()).collect();
            let problem = Problem::unknown(id, "the ID of a dump", &known);
            let at = book.dumps.iter().position(|dump| dump.id == id);
            let at = at.ok_or(problem)?;
            match command {
                "undump" => {
                    args.end()?;
                    book.dumps.remove(at);
                }
                _ => book.dumps[at].modify(args)?,
            }
        }
        "neighbor" => {
            let skin = args.number("the skin")?;
            if skin < 0.0 {
                return Err(Problem::new(
                    skin.to_string(),
                    "a skin that is not negative",
                ));
            }
            match args.word("bin, nsq or multi")? {
                "bin" | "nsq" | "multi" | "multi/old" => state.setup.skin = skin,
                other => {
                    let known = ["bin", "nsq", "multi", "multi/old"];
                    return Err(Problem::unknown(
                        other,
                        "a style of neighbour lists",
                        &known,
                    ));
                }
            }
            args.end()?;
        }
        "neigh_modify" => neigh_modify(args, book, &mut state.setup)?,
        "reset_timestep" => {
            state.clock.step = args.count("a step")?;
            if args.take("time") {
                state.clock.time = args.number("a time")?;
            } else if state.clock.step == 0 {
                state.clock.time = 0.0;
            }
            args.end()?;
        }
        "atom_style" => {
            args.word("sphere")?;
            if args.next().is_some_and(|word| word != "0") {
                return Err(Problem::new("1", "0: radii do not change"));
            }
            args.end()?;
        }
        // Of the storage and the parallel machine of LAMMPS: nothing to do.
        "atom_modify" | "newton" | "processors" | "comm_modify" | "comm_style" | "echo"
        | "run_style" => {}
        other => return Err(Problem::new(other, "a command that is read")),
    }
    Ok(())
}

/// The command `region`.
fn define_region(args: &mut Args, book: &mut Book) -> Result<(), Problem> {
    let id = args.word("the ID of the region")?;
    let style = args.word("a style of regions")?;
    match style {
        "delete" => {
            book.region_entry(id)?;
            book.regions.remove(id);
            return args.end();
        }
        _ if book.regions.contains_key(id) || book.prisms.contains_key(id) => {
            let found = format!("region {id} twice");
            return Err(Problem::new(
                found,
                "another ID, or region delete before it",
            ));
        }
        "prism" => {
            let prism = regions::prism(args, book)?;
            book.prisms.insert(id.to_string(), prism);
        }
        style => {
            let entry = regions::RegionEntry::parse(style, args, book)?;
            book.regions.insert(id.to_string(), entry);
        }
    }
    Ok(())
}

/// The command `neigh_modify`.
fn neigh_modify(args: &mut Args, book: &Book, setup: &mut Setup) -> Result<(), Problem> {
    while let Some(word) = args.next() {
        match word {
            "every" | "delay" | "page" | "one" => {
                args.count(word)?;
            }
            "binsize" => {
                args.number("a size")?;
            }
            "check" | "once" | "cluster" => {
                args.yes_no(word)?;
            }
            "collection/type" | "collection/interval" => {
                let count = args.count("a number of collections")?;
                for _ in 0..count {
                    args.word("a collection")?;
                }
            }
            "exclude" => match args.word("type, group or none")? {
                "none" => setup.excluded.clear(),
                "type" => {
                    let mut kinds = [0; 2];
                    for kind in &mut kinds {
                        let word = args.word("an atom type")?;
                        *kind = book.kind(args::integer(word, "an atom type")?, word)?;
                    }
                    setup.excluded.push(Exclusion::Kinds(kinds[0], kinds[1]));
                }
                "group" => {
                    let first = book.group(args.word("a group")?)?;
                    let second = book.group(args.word("a group")?)?;
                    setup.excluded.push(Exclusion::Groups(first, second));
                }
                other => {
                    let known = ["type", "group", "none"];
                    return Err(Problem::unknown(other, "what is excluded", &known));
                }
            },
            other => {
                let known = [
                    "every",
                    "delay",
                    "page",
                    "one",
                    "binsize",
                    "check",
                    "once",
                    "cluster",
                    "exclude",
                    "collection/type",
                    "collection/interval",
                ];
                return Err(Problem::unknown(other, "a keyword of neigh_modify", &known));
            }
        }
    }
    Ok(())
}
