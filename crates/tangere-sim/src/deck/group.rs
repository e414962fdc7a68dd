//! The command `group`.

use super::args::{Args, integer, range};
use super::book::{Book, State};
use super::error::Problem;
use super::now::Now;

/// The styles that are read.
pub(super) const STYLES: [&str; 9] = [
    "type",
    "id",
    "region",
    "union",
    "subtract",
    "intersect",
    "delete",
    "clear",
    "empty",
];

/// The command `group`.
pub(super) fn group(args: &mut Args, book: &mut Book, state: &mut State) -> Result<(), Problem> {
    book.needs_cell()?;
    let name = args.word("the name of the group")?;
    let style = args.word("a style of group")?;
    if name == "all" {
        return Err(Problem::new("all", "another group: all is all atoms"));
    }
    if style == "delete" {
        let bit = book.group(name)?;
        if let Some(fix) = book.fixes.iter().find(|fix| fix.group == bit) {
            let found = format!("group {name} of fix {}", fix.id);
            return Err(Problem::new(found, "a group that no fix uses"));
        }
        for group in &mut state.spheres.groups {
            *group &= !bit;
        }
        if let Some(own) = book.groups.get_mut(bit.trailing_zeros() as usize) {
            *own = None;
        }
        return args.end();
    }
    let count = state.spheres.ids.len();
    let mut is_in = vec![false; count];
    match style {
        "type" | "id" => {
            let conditions = conditions(args, style)?;
            for (i, is_in) in is_in.iter_mut().enumerate() {
                let own = match style {
                    "type" => i64::from(state.spheres.kinds[i]) + 1,
                    _ => state.spheres.ids[i] as i64,
                };
                *is_in = conditions.iter().any(|condition| condition(own));
            }
        }
        "region" => {
            let now = Now::new(book, &state.setup, &state.spheres, state.clock, None);
            let region = now.region(args.word("the ID of a region")?)?;
            for (is_in, place) in is_in.iter_mut().zip(&state.spheres.positions) {
                *is_in = region.contains(*place);
            }
        }
        "union" | "subtract" | "intersect" => {
            let mut bits = Vec::new();
            while let Some(word) = args.next() {
                bits.push(book.group(word)?);
            }
            let Some((first, rest)) = bits.split_first() else {
                return Err(Problem::missing("groups"));
            };
            for (is_in, own) in is_in.iter_mut().zip(&state.spheres.groups) {
                let has = |bit: &u32| own & bit != 0;
                *is_in = match style {
                    "union" => bits.iter().any(has),
                    "intersect" => bits.iter().all(has),
                    _ => has(first) && !rest.iter().any(has),
                };
            }
        }
        "clear" => {
            let bit = book.group(name)?;
            for group in &mut state.spheres.groups {
                *group &= !bit;
            }
        }
        "empty" => {}
        other => return Err(Problem::unknown(other, "a style of group", &STYLES)),
    }
    args.end()?;
    let bit = book.make_group(name)?;
    for (group, is_in) in state.spheres.groups.iter_mut().zip(is_in) {
        if is_in {
            *group |= bit;
        }
    }
    Ok(())
}

type Condition = Box<dyn Fn(i64) -> bool>;

/// `1 3 5:10:2`, `<= 10`, `<> 2 5`.
fn conditions(args: &mut Args, what: &str) -> Result<Vec<Condition>, Problem> {
    let compares = ["<", ">", "<=", ">=", "==", "!=", "<>"];
    if let Some(sign) = args.peek().filter(|word| compares.contains(word)) {
        args.next();
        let bound = args.integer(what)?;
        let condition: Condition = match sign {
            "<" => Box::new(move |own| own < bound),
            ">" => Box::new(move |own| own > bound),
            "<=" => Box::new(move |own| own <= bound),
            ">=" => Box::new(move |own| own >= bound),
            "==" => Box::new(move |own| own == bound),
            "!=" => Box::new(move |own| own != bound),
            _ => {
                let last = args.integer(what)?;
                Box::new(move |own| bound <= own && own <= last)
            }
        };
        return Ok(vec![condition]);
    }
    let mut found: Vec<Condition> = Vec::new();
    while let Some(word) = args.next() {
        let parts: Vec<&str> = word.split(':').collect();
        let (first, last, by) = match parts.as_slice() {
            [only] if only.contains('*') => {
                let (low, high) = range(only, what, 1, i64::MAX)?;
                (low, high, 1)
            }
            [only] => {
                let only = integer(only, what)?;
                (only, only, 1)
            }
            [first, last] => (integer(first, what)?, integer(last, what)?, 1),
            [first, last, by] => (
                integer(first, what)?,
                integer(last, what)?,
                integer(by, what)?,
            ),
            _ => return Err(Problem::new(word, "a number, first:last or first:last:by")),
        };
        if by < 1 {
            return Err(Problem::new(word, "a stride above 0"));
        }
        found.push(Box::new(move |own| {
            first <= own && own <= last && (own - first) % by == 0
        }));
    }
    match found.is_empty() {
        true => Err(Problem::missing(format!("{what} numbers"))),
        false => Ok(found),
    }
}
