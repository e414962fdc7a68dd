//! `create_atoms` and `delete_atoms`.

use super::args::{Args, integer};
use super::book::{Book, State, fractions, wrap};
use super::error::Problem;
use super::now::Now;
use super::random::Random;
use super::spheres::{add, retain};
use crate::region::{Region, Shape};
use crate::setup::Cell;
use crate::vector::{Vector, dot, minus};

/// Distance from upper periodic ends below which lattice points belong to the lower end.
const MARGIN: f64 = 2e-6;

/// The largest number of spheres that one command makes.
pub(super) const MOST: f64 = 2e8;

/// The command `create_atoms`. Returns how many were created.
pub(super) fn create(
    args: &mut Args,
    book: &mut Book,
    state: &mut State,
) -> Result<usize, Problem> {
    book.needs_cell()?;
    let word = args.word("an atom type")?;
    let kind = book.kind(integer(word, "an atom type")?, word)?;
    let style = args.word("single, random, box or region")?;
    let now = Now::new(book, &state.setup, &state.spheres, state.clock, None);
    let mut seed = None;
    let mut place = None;
    let mut region = None;
    match style {
        "single" => place = Some(args.vector("a coordinate")?),
        "random" => {
            let count = args.count("the number of atoms")?;
            if count as f64 > MOST {
                return Err(Problem::new(count.to_string(), "at most 2e8 atoms"));
            }
            seed = Some((count, Random::new(args.integer("a seed")?)?));
            match args.word("the ID of a region or NULL")? {
                "NULL" => {}
                id => region = Some(now.region(id)?),
            }
        }
        "region" => region = Some(now.region(args.word("the ID of a region")?)?),
        "box" => {}
        other => {
            let known = ["single", "random", "box", "region"];
            return Err(Problem::unknown(other, "a style of create_atoms", &known));
        }
    }
    let mut options = Options {
        units: book.lattice.spacing,
        remaps: false,
        overlap: None,
        tries: 1000,
        basis: vec![kind; book.lattice.basis.len()],
    };
    options.read(args, book)?;
    let points = match (place, seed) {
        (Some(place), _) => {
            let mut place: Vector = std::array::from_fn(|k| options.units[k] * place[k]);
            if options.remaps {
                wrap(&state.setup.cell, &mut place, &mut [0; 3]);
            }
            vec![(place, kind)]
        }
        (_, Some((count, random))) => {
            let points = scattered(&now, count, random, region.as_ref(), &options);
            points.into_iter().map(|place| (place, kind)).collect()
        }
        _ => lattice_points(&now, region.as_ref(), &options)?,
    };
    let mut id = state.spheres.ids.iter().copied().max().unwrap_or(0);
    let mut count = 0;
    let is_scattered = style == "random";
    for (place, kind) in points {
        let at = fractions(&state.setup.cell, place);
        if !is_scattered && at.iter().any(|x| !(0.0..1.0).contains(x)) {
            continue;
        }
        id += 1;
        count += 1;
        add(&mut state.spheres, id, kind, place, [0; 3]);
    }
    Ok(count)
}

struct Options {
    units: Vector,
    remaps: bool,
    overlap: Option<f64>,
    tries: u64,
    /// The kind of each point of the basis.
    basis: Vec<u32>,
}

impl Options {
    fn read(&mut self, args: &mut Args, book: &Book) -> Result<(), Problem> {
        while let Some(word) = args.next() {
            match word {
                "units" => match args.word("box or lattice")? {
                    "box" => self.units = [1.0; 3],
                    "lattice" => {}
                    other => return Err(Problem::new(other, "box or lattice")),
                },
                "remap" => self.remaps = args.yes_no("remap")?,
                "overlap" => self.overlap = Some(args.number("a distance")?),
                "maxtry" => self.tries = args.count("a number of tries")?.max(1),
                "basis" => {
                    let number = args.count("a point of the basis")? as usize;
                    let word = args.word("an atom type")?;
                    let kind = book.kind(integer(word, "an atom type")?, word)?;
                    match number.checked_sub(1).and_then(|i| self.basis.get_mut(i)) {
                        Some(own) => *own = kind,
                        None => {
                            let expected = format!("a point from 1 to {}", self.basis.len());
                            return Err(Problem::new(number.to_string(), expected));
                        }
                    }
                }
                other => {
                    let known = ["units", "remap", "overlap", "maxtry", "basis"];
                    return Err(Problem::unknown(other, "a keyword of create_atoms", &known));
                }
            }
        }
        Ok(())
    }
}

/// Random places, in the order of LAMMPS' generator.
fn scattered(
    now: &Now,
    count: u64,
    mut random: Random,
    region: Option<&Region>,
    options: &Options,
) -> Vec<Vector> {
    let cell = &now.setup.cell;
    let mut bounds = corners(cell);
    if let Some(own) = region.and_then(extent) {
        for k in 0..3 {
            bounds[k] = [bounds[k][0].max(own[k][0]), bounds[k][1].min(own[k][1])];
        }
    }
    for _ in 0..30 {
        random.uniform();
    }
    let mut found: Vec<Vector> = Vec::new();
    for _ in 0..count {
        for _ in 0..options.tries {
            let mut place = bounds.map(|[low, high]| low + random.uniform() * (high - low));
            if now.book.is_flat {
                place[2] = cell.origin[2] + 0.5 * cell.edges[2][2];
            }
            let at = fractions(cell, place);
            let is_in = at.iter().all(|x| (0.0..1.0).contains(x));
            if !is_in || region.is_some_and(|region| !region.contains(place)) {
                continue;
            }
            if let Some(gap) = options.overlap {
                let gap = gap * options.units[0];
                let mut others = now.spheres.positions.iter().chain(&found);
                let is_near = |other: &Vector| {
                    let way = nearest_image(cell, minus(place, *other));
                    dot(way, way) < gap * gap
                };
                if others.any(is_near) {
                    continue;
                }
            }
            found.push(place);
            break;
        }
    }
    found
}

/// All points of the lattice in the cell, z slowest.
fn lattice_points(
    now: &Now,
    region: Option<&Region>,
    options: &Options,
) -> Result<Vec<(Vector, u32)>, Problem> {
    let (lattice, cell) = (&now.book.lattice, &now.setup.cell);
    if lattice.basis.is_empty() {
        return Err(Problem::new(
            "no lattice",
            "a lattice with points before it",
        ));
    }
    // The corners of the cell in units of the edges of the lattice.
    let bounds = corners(cell);
    let columns: [Vector; 3] = std::array::from_fn(|k| {
        [
            lattice.edges[0][k],
            lattice.edges[1][k],
            lattice.edges[2][k],
        ]
    });
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for corner in 0..8 {
        let place: Vector = std::array::from_fn(|k| bounds[k][corner >> k & 1]);
        let at = super::variables::solved(columns, place);
        for k in 0..3 {
            low[k] = low[k].min(at[k] - lattice.origin[k]);
            high[k] = high[k].max(at[k] - lattice.origin[k]);
        }
    }
    let first = low.map(|x| x.floor() as i64 - 1);
    let last = high.map(|x| x.ceil() as i64 + 1);
    let cells: f64 = (0..3).map(|k| (last[k] - first[k] + 1) as f64).product();
    if cells * lattice.basis.len() as f64 > MOST {
        let found = format!("a lattice of {cells:e} cells in the box");
        return Err(Problem::new(found, "at most 2e8 points"));
    }
    let mut found = Vec::new();
    for k in first[2]..=last[2] {
        for j in first[1]..=last[1] {
            for i in first[0]..=last[0] {
                for (point, kind) in lattice.basis.iter().zip(&options.basis) {
                    let at = [
                        i as f64 + point[0],
                        j as f64 + point[1],
                        k as f64 + point[2],
                    ];
                    let place = lattice.place(at);
                    let own = fractions(cell, place);
                    let is_in = (0..3).all(|k| {
                        let margin = match cell.periodic[k] {
                            true => {
                                MARGIN
                                    / if now.book.is_triclinic {
                                        1.0
                                    } else {
                                        cell.edges[k][k]
                                    }
                            }
                            false => 0.0,
                        };
                        own[k] >= 0.0 && own[k] < 1.0 - margin
                    });
                    if is_in && region.is_none_or(|region| region.contains(place)) {
                        found.push((place, *kind));
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The bounds of a cell.
fn corners(cell: &Cell) -> [[f64; 2]; 3] {
    std::array::from_fn(|k| {
        let (mut low, mut high) = (cell.origin[k], cell.origin[k]);
        for edge in cell.edges {
            low += edge[k].min(0.0);
            high += edge[k].max(0.0);
        }
        [low, high]
    })
}

/// The bounds of a region, if it has some.
fn extent(region: &Region) -> Option<[[f64; 2]; 3]> {
    match region {
        Region::Solid(solid) if !solid.is_outside => match &solid.shape {
            Shape::Block { low, high } => Some(std::array::from_fn(|k| [low[k], high[k]])),
            Shape::Sphere { center, radius } => Some(center.map(|x| [x - radius, x + radius])),
            Shape::Cylinder {
                axis,
                center,
                radius,
                ends,
            } => Some(around(*axis, *center, *radius, *ends)),
            Shape::Cone {
                axis,
                center,
                radii,
                ends,
            } => Some(around(*axis, *center, radii[0].max(radii[1]), *ends)),
            Shape::Plane { .. } => None,
        },
        Region::Combined(combined) if !combined.is_outside => {
            let parts: Vec<_> = combined.parts.iter().map(extent).collect();
            if !combined.is_intersection && parts.contains(&None) {
                return None;
            }
            parts.into_iter().flatten().reduce(|a, b| {
                std::array::from_fn(|k| match combined.is_intersection {
                    true => [a[k][0].max(b[k][0]), a[k][1].min(b[k][1])],
                    false => [a[k][0].min(b[k][0]), a[k][1].max(b[k][1])],
                })
            })
        }
        _ => None,
    }
}

fn around(axis: usize, center: [f64; 2], radius: f64, ends: [f64; 2]) -> [[f64; 2]; 3] {
    let mut own = center.into_iter();
    std::array::from_fn(|k| match k == axis {
        true => ends,
        false => {
            let x = own.next().unwrap_or_default();
            [x - radius, x + radius]
        }
    })
}

/// The shortest of a way and its images.
fn nearest_image(cell: &Cell, way: Vector) -> Vector {
    let mut way = way;
    for k in [2, 1, 0] {
        if cell.periodic[k] {
            let cells = (way[k] / cell.edges[k][k]).round();
            for j in 0..3 {
                way[j] -= cells * cell.edges[k][j];
            }
        }
    }
    way
}

/// The command `delete_atoms`. Returns how many were deleted. Ids stay as they are.
pub(super) fn delete(args: &mut Args, book: &Book, state: &mut State) -> Result<usize, Problem> {
    book.needs_cell()?;
    let style = args.word("group, region or overlap")?;
    let spheres = &state.spheres;
    let keeps: Vec<bool> = match style {
        "group" => {
            let group = book.group(args.word("a group")?)?;
            spheres.groups.iter().map(|own| own & group == 0).collect()
        }
        "region" => {
            let now = Now::new(book, &state.setup, spheres, state.clock, None);
            let region = now.region(args.word("the ID of a region")?)?;
            let places = spheres.positions.iter();
            places.map(|place| !region.contains(*place)).collect()
        }
        "overlap" => {
            let gap = args.number("a distance")?;
            let groups = [
                book.group(args.word("a group")?)?,
                book.group(args.word("a group")?)?,
            ];
            overlapping(state, gap, groups)
        }
        other => {
            let known = ["group", "region", "overlap"];
            return Err(Problem::unknown(other, "a style of delete_atoms", &known));
        }
    };
    while let Some(word) = args.next() {
        match word {
            "compress" | "bond" | "mol" | "condense" => {
                args.yes_no(word)?;
            }
            other => {
                let known = ["compress", "bond", "mol"];
                return Err(Problem::unknown(other, "a keyword of delete_atoms", &known));
            }
        }
    }
    let count = keeps.iter().filter(|keeps| !**keeps).count();
    retain(&mut state.spheres, &keeps);
    Ok(count)
}

/// Which spheres stay if of each pair of centres closer than a distance one is deleted: of two that are in
/// both groups, the one with the higher id. Spheres are swept along x.
fn overlapping(state: &State, gap: f64, groups: [u32; 2]) -> Vec<bool> {
    let (spheres, cell) = (&state.spheres, &state.setup.cell);
    let count = spheres.ids.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&i, &j| {
        let x = |i: usize| fractions(cell, spheres.positions[i])[0];
        x(i).total_cmp(&x(j))
    });
    let width = cell.edges[0][0];
    let mut pairs = Vec::new();
    for (at, &i) in order.iter().enumerate() {
        let x = fractions(cell, spheres.positions[i])[0];
        for step in 1..count {
            let next = at + step;
            if next >= count && !cell.periodic[0] {
                break;
            }
            let j = order[next % count];
            let turns = if next >= count { 1.0 } else { 0.0 };
            if (fractions(cell, spheres.positions[j])[0] + turns - x) * width >= gap {
                break;
            }
            let way = nearest_image(cell, minus(spheres.positions[i], spheres.positions[j]));
            if dot(way, way) < gap * gap {
                let (first, second) = match spheres.ids[i] < spheres.ids[j] {
                    true => (i, j),
                    false => (j, i),
                };
                pairs.push((spheres.ids[first], spheres.ids[second], first, second));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut keeps = vec![true; count];
    for (_, _, first, second) in pairs {
        if !keeps[first] || !keeps[second] {
            continue;
        }
        let fits = |i: usize, j: usize| {
            spheres.groups[i] & groups[0] != 0 && spheres.groups[j] & groups[1] != 0
        };
        if fits(second, first) {
            keeps[second] = false;
        } else if fits(first, second) {
            keeps[first] = false;
        }
    }
    keeps
}
