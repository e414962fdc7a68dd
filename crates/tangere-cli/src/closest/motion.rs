//! The answers for two bodies of which one moves.

use super::output::{self, ContactFormat};
use super::told::described;
use super::{Bodies, Closest};
use crate::console::Console;
use crate::failure::Failure;
use crate::info::extend;
use crate::question::Times;
use serde_json::{Map, Value, json};
use tangere::closest::Counts;
use tangere::contact::{Contact, ContactStatus};
use tangere_front::text;

const STATUSES: [ContactStatus; 4] = [
    ContactStatus::Separated,
    ContactStatus::Touching,
    ContactStatus::Penetrating,
    ContactStatus::Bracketed,
];

/// Writes and prints what was found out.
pub fn tell(
    options: &Closest,
    bodies: &Bodies,
    contacts: &[Contact],
    counts: Counts,
    times: &Times,
    format: Option<ContactFormat>,
    console: &Console,
) -> Result<(), Failure> {
    let gaps = contacts.iter().map(|contact| contact.gap);
    let least = gaps.clone().fold(f64::INFINITY, f64::min);
    let most = gaps.fold(f64::NEG_INFINITY, f64::max);
    let of = |status: ContactStatus| contacts.iter().filter(|c| c.status == status).count();
    let statuses: Map<String, Value> = STATUSES
        .iter()
        .map(|&status| (status.name().to_owned(), json!(of(status))))
        .collect();
    let mut object = json!({
        "poses": contacts.len(),
        "gap": { "least": least, "most": most },
        "status": statuses,
        "steps": counts.steps,
        "restarts": counts.restarts,
        "seconds": times.json(),
    });
    if options.verify {
        extend(&mut object, json!({ "verified": true }));
    }
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let (written, _) = console.timed(&what, || {
            output::write_steps(path, format, contacts, &object)
        });
        written.map_err(Failure::writing)?;
    }
    if options.manner.json {
        return console.print_json(&object);
    }
    let mut rows = vec![
        ("a", described(&bodies.a)),
        ("b", described(&bodies.b)),
        ("poses", text::count(contacts.len() as u64)),
        (
            "gap",
            format!("{} to {}", text::number(least), text::number(most)),
        ),
    ];
    for status in STATUSES.into_iter().filter(|&status| of(status) > 0) {
        rows.push((status.name(), text::count(of(status) as u64)));
    }
    for (name, n) in ["in 1 step", "in 2 steps", "in 3 steps", "in more"]
        .into_iter()
        .zip(counts.steps)
    {
        rows.push((name, text::count(n)));
    }
    rows.push(("begun anew", text::count(counts.restarts)));
    rows.extend(times.rows());
    if options.verify {
        rows.push(("verified", "every answer is proven".into()));
    }
    let [a, b] = [&options.a, options.second()].map(|path| path.display());
    console.print(format!("{a} and {b}\n") + &text::two_columns(&rows))
}
