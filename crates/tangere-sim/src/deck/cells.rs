//! The simulation box: `units`, `dimension`, `boundary`, `create_box`, `change_box`, `replicate`.

use super::args::{Args, number};
use super::book::{Book, End, Lost, State, UNITS, wrap};
use super::error::Problem;
use super::spheres::copy;
use crate::region::{Region, Shape, Solid};
use crate::setup::Cell;
use crate::vector::Vector;

/// The command `units`.
pub(super) fn units(args: &mut Args, book: &mut Book, state: &mut State) -> Result<(), Problem> {
    before_cell(book, "units")?;
    let name = args.word("a system of units")?;
    let known = UNITS.map(|units| units.name);
    let units = UNITS.into_iter().find(|units| units.name == name);
    book.units = units.ok_or_else(|| Problem::unknown(name, "a system of units", &known))?;
    (state.setup.step, state.setup.skin) = (book.units.step, book.units.skin);
    args.end()
}

/// The command `dimension`.
pub(super) fn dimension(args: &mut Args, book: &mut Book) -> Result<(), Problem> {
    before_cell(book, "dimension")?;
    book.is_flat = match args.word("2 or 3")? {
        "2" => true,
        "3" => false,
        other => return Err(Problem::new(other, "2 or 3")),
    };
    args.end()
}

fn before_cell(book: &Book, command: &str) -> Result<(), Problem> {
    match book.first_cell {
        None => Ok(()),
        Some(_) => Err(Problem::new(
            format!("{command} after the simulation box"),
            "it before create_box and read_data",
        )),
    }
}

/// The letters of `boundary` for one axis.
fn ends(word: &str) -> Result<[End; 2], Problem> {
    let end = |letter: char| match letter {
        'p' => Ok(End::Periodic),
        'f' => Ok(End::Fixed),
        's' => Ok(End::Shrinks),
        'm' => Ok(End::ShrinksToMinimum),
        _ => Err(Problem::new(word, "p, f, s or m, one or two of them")),
    };
    let letters: Vec<char> = word.chars().collect();
    let ends = match letters.as_slice() {
        [both] => [end(*both)?; 2],
        [low, high] => [end(*low)?, end(*high)?],
        _ => return Err(Problem::new(word, "p, f, s or m, one or two of them")),
    };
    match (ends[0] == End::Periodic) == (ends[1] == End::Periodic) {
        true => Ok(ends),
        false => Err(Problem::new(word, "both ends periodic or none")),
    }
}

/// The command `boundary`.
pub(super) fn boundary(args: &mut Args, book: &mut Book) -> Result<(), Problem> {
    before_cell(book, "boundary")?;
    for k in 0..3 {
        book.boundary[k] = ends(args.word("p, f, s or m")?)?;
    }
    args.end()
}

/// Makes the simulation box.
pub(super) fn make(
    book: &mut Book,
    state: &mut State,
    bounds: [[f64; 2]; 3],
    tilts: Option<Vector>,
    kinds: usize,
) -> Result<(), Problem> {
    for ([low, high], axis) in bounds.iter().zip(["x", "y", "z"]) {
        if low >= high || high - low > 1e19 {
            let found = format!("{axis} from {low} to {high}");
            return Err(Problem::new(found, "a box with a finite size above 0"));
        }
    }
    if kinds == 0 {
        return Err(Problem::new("0 atom types", "one or more"));
    }
    if book.is_flat && book.boundary[2] != [End::Periodic; 2] {
        return Err(Problem::new(
            "dimension 2",
            "a boundary that is periodic along z",
        ));
    }
    let sizes = bounds.map(|[low, high]| high - low);
    let [xy, xz, yz] = tilts.unwrap_or_default();
    book.is_triclinic = tilts.is_some();
    book.kinds = kinds;
    state.setup.is_flat = book.is_flat;
    state.setup.cell = Cell {
        origin: bounds.map(|[low, _]| low),
        edges: [
            [sizes[0], 0.0, 0.0],
            [xy, sizes[1], 0.0],
            [xz, yz, sizes[2]],
        ],
        ..state.setup.cell
    };
    refresh(book, state);
    book.first_cell = Some(state.setup.cell);
    Ok(())
}

/// Brings what the ends of the cell do into the setup.
pub(super) fn refresh(book: &Book, state: &mut State) {
    (state.setup.cell.periodic, state.setup.cell.border) = book.borders();
}

/// The command `create_box`.
pub(super) fn create_box(
    args: &mut Args,
    book: &mut Book,
    state: &mut State,
) -> Result<(), Problem> {
    before_cell(book, "create_box")?;
    let kinds = args.count("the number of atom types")? as usize;
    let id = args.word("the ID of a region")?;
    args.end()?;
    if let Some((bounds, tilts)) = book.prisms.get(id).copied() {
        return make(book, state, bounds, Some(tilts), kinds);
    }
    let region = super::now::Now::new(book, &state.setup, &state.spheres, state.clock, None);
    match region.region(id)? {
        Region::Solid(Solid {
            shape: Shape::Block { low, high },
            is_outside: false,
            ..
        }) => {
            let bounds = std::array::from_fn(|k| [low[k], high[k]]);
            make(book, state, bounds, None, kinds)
        }
        _ => Err(Problem::new(
            id,
            "a region of style block or prism, side in",
        )),
    }
}

/// The command `change_box`.
pub(super) fn change_box(
    args: &mut Args,
    book: &mut Book,
    state: &mut State,
) -> Result<(), Problem> {
    book.needs_cell()?;
    let group = book.group(args.word("a group")?)?;
    let words = args.rest();
    let is_box = words
        .windows(2)
        .any(|pair| pair[0] == "units" && pair[1] == "box");
    let units = match is_box {
        true => [1.0; 3],
        false => book.lattice.spacing,
    };
    // `remap` moves the spheres from the cell of the last `set`, or of the start, into the present one.
    let mut from = state.setup.cell;
    let mut is_changed = false;
    if args.is_empty() {
        return Err(Problem::missing("a parameter of change_box"));
    }
    while let Some(word) = args.next() {
        let cell = &mut state.setup.cell;
        match word {
            "x" | "y" | "z" => {
                let k = usize::from(word.as_bytes()[0] - b'x');
                let (low, size) = (cell.origin[k], cell.edges[k][k]);
                let [low, high] = match args.word("final, delta or scale")? {
                    "final" => [
                        units[k] * args.number("the lower end")?,
                        units[k] * args.number("the upper end")?,
                    ],
                    "delta" => [
                        low + units[k] * args.number("a change")?,
                        low + size + units[k] * args.number("a change")?,
                    ],
                    "scale" => {
                        let (middle, factor) = (low + 0.5 * size, args.number("a factor")?);
                        [-0.5, 0.5].map(|side| middle + side * factor * size)
                    }
                    other => {
                        let known = ["final", "delta", "scale"];
                        return Err(Problem::unknown(other, "a style of change", &known));
                    }
                };
                if low >= high {
                    let found = format!("{low} to {high}");
                    return Err(Problem::new(found, "a lower end below the upper"));
                }
                cell.origin[k] = low;
                cell.edges[k][k] = high - low;
                is_changed = true;
            }
            "xy" | "xz" | "yz" => {
                if !book.is_triclinic {
                    return Err(Problem::new(word, "change_box triclinic before it"));
                }
                let (edge, axis) = match word {
                    "xy" => (1, 0),
                    "xz" => (2, 0),
                    _ => (2, 1),
                };
                let tilt = &mut cell.edges[edge][axis];
                *tilt = match args.word("final or delta")? {
                    "final" => units[axis] * args.number("a tilt")?,
                    "delta" => *tilt + units[axis] * args.number("a change")?,
                    other => return Err(Problem::new(other, "final or delta")),
                };
                is_changed = true;
            }
            "boundary" => {
                for k in 0..3 {
                    book.boundary[k] = ends(args.word("p, f, s or m")?)?;
                }
                refresh(book, state);
            }
            "triclinic" => book.is_triclinic = true,
            "ortho" => {
                let [_, b, c] = cell.edges;
                if b[0] != 0.0 || c[0] != 0.0 || c[1] != 0.0 {
                    return Err(Problem::new("ortho", "a box with tilts of 0"));
                }
                book.is_triclinic = false;
            }
            "set" => from = *cell,
            "remap" => {
                let to = *cell;
                for i in 0..state.spheres.ids.len() {
                    if state.spheres.groups[i] & group != 0 {
                        let place = super::book::fractions(&from, state.spheres.positions[i]);
                        state.spheres.positions[i] = std::array::from_fn(|k| {
                            let edges = place.iter().zip(to.edges).map(|(x, edge)| x * edge[k]);
                            to.origin[k] + edges.sum::<f64>()
                        });
                    }
                }
                from = to;
            }
            "units" => match args.word("box or lattice")? {
                "box" | "lattice" => {}
                other => return Err(Problem::new(other, "box or lattice")),
            },
            other => {
                let known = [
                    "x",
                    "y",
                    "z",
                    "xy",
                    "xz",
                    "yz",
                    "boundary",
                    "ortho",
                    "triclinic",
                    "set",
                    "remap",
                    "units",
                ];
                return Err(Problem::unknown(other, "a parameter of change_box", &known));
            }
        }
    }
    if is_changed {
        book.first_cell = Some(state.setup.cell);
    }
    let cell = state.setup.cell;
    let spheres = &mut state.spheres;
    for (position, image) in spheres.positions.iter_mut().zip(&mut spheres.images) {
        wrap(&cell, position, image);
    }
    Ok(())
}

/// The command `replicate`.
pub(super) fn replicate(
    args: &mut Args,
    book: &mut Book,
    state: &mut State,
) -> Result<(), Problem> {
    book.needs_cell()?;
    let mut counts = [1; 3];
    for count in &mut counts {
        *count = args.count("a number of copies")?;
        if *count == 0 || *count > 100_000 {
            return Err(Problem::new(
                count.to_string(),
                "a number of copies above 0",
            ));
        }
    }
    args.end()?;
    if book.is_flat && counts[2] != 1 {
        return Err(Problem::new(counts[2].to_string(), "1 copy along z in 2D"));
    }
    let copies: f64 = counts.iter().map(|&count| count as f64).product();
    if copies * state.spheres.ids.len() as f64 > super::create::MOST {
        let found = format!("{copies} copies of {} atoms", state.spheres.ids.len());
        return Err(Problem::new(found, "at most 2e8 atoms"));
    }
    let cell = state.setup.cell;
    let old = std::mem::take(&mut state.spheres);
    let highest = old.ids.iter().copied().max().unwrap_or(0);
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            for k in 0..counts[2] {
                let number = (k * counts[1] + j) * counts[0] + i;
                for row in 0..old.ids.len() {
                    copy(&old, row, &mut state.spheres);
                    let last = state.spheres.ids.len() - 1;
                    state.spheres.ids[last] = old.ids[row] + number * highest;
                    state.spheres.images[last] = [0; 3];
                    for (times, edge) in [i, j, k].into_iter().zip(cell.edges) {
                        for axis in 0..3 {
                            state.spheres.positions[last][axis] += times as f64 * edge[axis];
                        }
                    }
                }
            }
        }
    }
    for k in 0..3 {
        for axis in 0..3 {
            state.setup.cell.edges[k][axis] *= counts[k] as f64;
        }
    }
    book.first_cell = Some(state.setup.cell);
    Ok(())
}

/// An error if spheres are outside of the cell along ends that are fixed.
pub(super) fn check_inside(book: &Book, state: &State) -> Result<(), Problem> {
    let cell = &state.setup.cell;
    for (id, position) in state.spheres.ids.iter().zip(&state.spheres.positions) {
        let place = super::book::fractions(cell, *position);
        for k in 0..3 {
            let is_out = [place[k] < 0.0, place[k] > 1.0];
            for (side, is_out) in is_out.into_iter().enumerate() {
                if is_out && book.boundary[k][side] == End::Fixed && book.lost == Lost::Error {
                    return Err(Problem::new(
                        format!("atom {id} at {position:?}, outside of the box"),
                        "all atoms inside ends that are fixed (boundary f)",
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The argument of `timestep`.
pub(super) fn timestep(args: &mut Args, state: &mut State) -> Result<(), Problem> {
    let word = args.word("a time step")?;
    let step = number(word, "a time step")?;
    if step <= 0.0 {
        return Err(Problem::new(word, "a time step above 0"));
    }
    state.setup.step = step;
    args.end()
}
