//! Test of the TOML parser on randomly damaged texts, with the `toml` crate as oracle.

use super::toml::parse;
use super::value::{Table, Value};
use test_support::Random;
use toml::de::{DeTable, DeValue};

/// TOML texts that exercise every rule against redefinition; they are then damaged at random.
const SEEDS: &[&str] = &[
    "a = 1\nb = 2.5\nc = \"x\"\nd = [1, [2.0, true], { e = 'f', g.h = 1979-05-27 }]\n",
    "[a]\nx = 1\n[a.b]\ny = 2\n[[c]]\nz = 3\n[[c]]\nz.w = 4\n[c.d]\nv = 5\n[[c.e]]\n[[c.e]]\nu = 6\n",
    "[a.b.c]\nx = 1\n[a]\nb.d = 2\n[a.b.e]\n[[a.f]]\n[a.f.g]\n",
    "a.b.c = 1\na.b.d = 2\na.e = 3\n[f]\ng.h = 1\n[f.g.i]\nj = 1\n",
    "x = { a.b = 1, a.c = 2, d = { e = [] } }\n[[y]]\n[y.z]\n[[y]]\n[y.z]\nq = 0x1f\n",
    "s = \"\"\"\na\\\n  b\"\"\"\nt = '''c\n'd'''\nu = \"\\u00e9\\t\"\nv = 1_000\nw = -inf\n",
];

const PIECES: &[&str] = &[
    "\n",
    " ",
    ",",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "#",
    "\\",
    ".",
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "-",
    "+",
    "_",
    "0",
    "1",
    "e",
    "a",
    "b",
    "c",
    "a.b",
    "a.b.c = 1\n",
    "[a]\n",
    "[a.b]\n",
    "[[a]]\n",
    "[[a.b]]\n",
    "[c]\n",
    "[[c]]\n",
    "a = 1\n",
    "b = { c = 1 }\n",
    "b.c = 2\n",
    "nan",
    "true",
    "12:30:00",
    "\r\n",
    "\t",
    "\u{1}",
];

const LINES: &[&str] = &[
    "[a]\n",
    "[a.b]\n",
    "[a.b.c]\n",
    "[[a]]\n",
    "[[a.b]]\n",
    "[c]\n",
    "[[c]]\n",
    "[c.d]\n",
    "[[c.d]]\n",
    "[y]\n",
    "[y.z]\n",
    "[f.g]\n",
    "[a.e]\n",
    "a = 1\n",
    "b.c = 2\n",
    "a.b.c = 3\n",
    "b = { c = 1, d.e = 2 }\n",
    "c = []\n",
    "c = [{}]\n",
    "g.h.i = 4\n",
    "z = 5 # five\n",
    "\n",
];

fn is_same_table(own: &Table, other: &DeTable<'_>) -> bool {
    own.entries.len() == other.len()
        && own.entries.iter().all(|entry| {
            let found = other.get(entry.key.as_str());
            found.is_some_and(|value| is_same(&entry.value, value.get_ref()))
        })
}

fn is_same(own: &Value, other: &DeValue<'_>) -> bool {
    match (own, other) {
        (Value::Text(a), DeValue::String(b)) => a == b,
        (Value::Integer(a), DeValue::Integer(b)) => {
            i128::from_str_radix(b.as_str(), b.radix()) == Ok(*a)
        }
        (Value::Number(a), DeValue::Float(b)) => {
            let b = b.as_str().parse::<f64>();
            b.is_ok_and(|b| a.total_cmp(&b).is_eq() || a.is_nan() && b.is_nan())
        }
        (Value::Flag(a), DeValue::Boolean(b)) => a == b,
        (Value::List(a), DeValue::Array(b)) => {
            let mut pairs = a.iter().zip(b.iter());
            a.len() == b.len() && pairs.all(|(a, b)| is_same(a, b.get_ref()))
        }
        (Value::Table(a), DeValue::Table(b)) => is_same_table(a, b),
        (Value::Other(_), DeValue::Datetime(_)) => true,
        // Both readers defer invalid digits until the number is used.
        (Value::Other(_), DeValue::Integer(b)) => {
            i128::from_str_radix(b.as_str(), b.radix()).is_err()
        }
        (Value::Other(_), DeValue::Float(b)) => b.as_str().parse::<f64>().is_err(),
        _ => false,
    }
}

fn is_of_date(message: &str) -> bool {
    let kinds = ["invalid date", "invalid time", "invalid offset"];
    kinds.iter().any(|kind| message.starts_with(kind))
}

#[test]
fn trees_are_those_of_another_reader() {
    let mut random = Random::new(7);
    let mut accepted = 0;
    for round in 0..60_000 {
        let mut text = SEEDS[round % SEEDS.len()].to_owned();
        for _ in 0..=random.below(3) {
            // Inserted lines test redefinition rules, random edits the rest.
            if random.below(3) > 0 {
                let starts = text.match_indices('\n').map(|(i, _)| i + 1);
                let starts: Vec<usize> = starts.chain([0]).collect();
                let at = starts[random.below(starts.len())];
                text.insert_str(at, LINES[random.below(LINES.len())]);
                continue;
            }
            let at = random.below(text.len() + 1);
            let end = (at + random.below(10)).min(text.len());
            if !text.is_char_boundary(at) || !text.is_char_boundary(end) {
                continue;
            }
            let to = if random.below(2) == 0 { at } else { end };
            text.replace_range(at..to, PIECES[random.below(PIECES.len())]);
        }
        match (parse(text.as_bytes()), DeTable::parse(&text)) {
            (Ok(own), Ok(other)) => {
                assert!(is_same_table(&own, other.get_ref()), "{text}\n{own:?}");
                accepted += 1;
            }
            (Err(_), Err(_)) => {}
            // Dates are not validated, as scenes accept none.
            (Ok(_), Err(other)) if is_of_date(other.message()) => {}
            (own, other) => panic!("{text}\n{own:?}\n{other:?}"),
        }
    }
    assert!(accepted > 5_000 && accepted < 55_000, "{accepted}");
}
