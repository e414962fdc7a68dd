//! The answers for two bodies of which one moves.

use super::output::{self, OverlapFormat};
use super::told::{Times, described};
use super::{Bodies, OverlapOptions};
use crate::console::Console;
use crate::failure::Failure;
use crate::info::extend;
use crate::table;
use serde_json::json;
use tangere::overlap::Overlap;

/// Writes and prints what was found out.
pub fn tell(
    options: &OverlapOptions,
    bodies: &Bodies,
    found: &[Overlap],
    times: &Times,
    verified: Option<usize>,
    format: Option<OverlapFormat>,
    console: &Console,
) -> Result<(), Failure> {
    let volumes = found.iter().map(|answer| answer.volume);
    let least = volumes.clone().fold(f64::INFINITY, f64::min);
    let most = volumes.fold(f64::NEG_INFINITY, f64::max);
    let overlapping = found.iter().filter(|answer| answer.pairs > 0).count();
    let pairs: usize = found.iter().map(|answer| answer.pairs).sum();
    // Auto may change its mind along the way.
    let mut methods: Vec<&str> = Vec::new();
    for answer in found {
        if !methods.contains(&answer.method.name()) {
            methods.push(answer.method.name());
        }
    }
    let methods = methods.join(", ");
    let mut object = json!({
        "poses": found.len(),
        "overlapping": overlapping,
        "volume": { "least": least, "most": most },
        "pairs": pairs,
        "method": methods,
        "seconds": times.json(),
    });
    if let Some(compared) = verified {
        extend(
            &mut object,
            json!({ "verified": true, "verified_poses": compared }),
        );
    }
    if let (Some(path), Some(format)) = (&options.out, format) {
        let what = format!("writing {}", path.display());
        let (written, _) = console.timed(&what, || {
            output::write_path(path, format, bodies, found, &object)
        });
        written.map_err(Failure::writing)?;
    }
    if options.json {
        return console.print_json(&object);
    }
    let mut rows = vec![
        ("a", described(&bodies.a)),
        ("b", described(&bodies.b)),
        ("poses", table::count(found.len() as u64)),
        ("overlapping", table::count(overlapping as u64)),
        (
            "volume",
            format!("{} to {}", table::number(least), table::number(most)),
        ),
        ("pairs", table::count(pairs as u64)),
        ("method", methods),
    ];
    rows.extend(times.rows());
    rows.push((
        "query, each",
        table::seconds(times.query / found.len() as f64),
    ));
    if let Some(compared) = verified {
        let poses = table::counted(compared, "pose", "poses");
        rows.push((
            "verified",
            format!("as every pair of spheres tells, at {poses}"),
        ));
    }
    let [a, b] = [&options.a, &options.b].map(|path| path.display());
    console.print(format!("{a} and {b}\n") + &table::two_columns(&rows))
}
