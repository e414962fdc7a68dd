//! What is told of a gas.

use super::{Done, Gas, Start};
use crate::console::Console;
use crate::failure::Failure;
use crate::info::extend;
use serde_json::json;
use tangere::impact::gas::{End, Gas as HardSpheres};
use tangere_front::text;

/// Tells what was done.
pub fn tell(
    options: &Gas,
    gas: &HardSpheres,
    start: &Start,
    done: &Done,
    seconds: f64,
    console: &Console,
) -> Result<(), Failure> {
    if done.end == End::Stalled {
        console.note(format_args!(
            "no end is in sight: {} collisions up to time {}, where no more time passes or nothing meets; see --contact-time",
            text::count(done.events),
            text::number(gas.time())
        ));
    }
    let (energy, momentum) = (gas.energy(), gas.momentum());
    let loses = options.restitution < 1.0 || options.wall_restitution < 1.0;
    let change = (energy - start.energy).abs();
    let energy_error = match start.energy {
        _ if loses => None,
        before if before != 0.0 => Some(change / before.abs()),
        _ => (change == 0.0).then_some(0.0),
    };
    let counts = gas.counts();
    if options.json {
        let mut object = json!({
            "spheres": gas.len(),
            "dimension": start.dimensions,
            "events": done.events,
            "end": done.end.name(),
            "time": gas.time(),
            "energy": energy,
            "energy_error": energy_error,
            "momentum": momentum[..start.dimensions],
            "momentum_before": start.momentum[..start.dimensions],
            "pressure": gas.pressure(),
            "contact_time": gas.settings().contact_time,
            "counts": {
                "spheres": counts.spheres,
                "walls": counts.walls,
                "escapes": counts.escapes,
                "stale": counts.stale,
                "set_ups": counts.set_ups,
            },
            "seconds": seconds,
        });
        if let Some(overlap) = done.overlap {
            extend(&mut object, json!({ "overlap": overlap }));
        }
        return console.print_json(&object);
    }
    let told = |x: Option<f64>| x.map_or("none".into(), text::number);
    let momentum: Vec<String> = momentum[..start.dimensions]
        .iter()
        .map(|&p| text::number(p))
        .collect();
    let mut rows = vec![
        ("spheres", text::count(gas.len() as u64)),
        ("events", text::count(done.events)),
        ("of them with walls", text::count(counts.walls)),
        ("ended by", ended(done.end).into()),
        ("time", text::number(gas.time())),
        ("energy", text::number(energy)),
    ];
    if let Some(error) = energy_error {
        rows.push(("its change", format!("{error:.1e}")));
    }
    rows.extend([
        ("momentum", momentum.join(", ")),
        ("pressure", told(gas.pressure())),
    ]);
    if let Some(overlap) = done.overlap {
        rows.push(("deepest overlap", format!("{overlap:.1e} of a diameter")));
    }
    rows.push(("took", took(done.events, seconds)));
    let head = format!("{}\n", options.spheres.display());
    console.print(head + &text::two_columns(&rows))
}

fn ended(end: End) -> &'static str {
    match end {
        End::Events => "the number of events",
        End::Until => "the time",
        End::Over => "rest: there will be no more collisions",
        End::Stalled => "no end in sight",
    }
}

fn took(events: u64, seconds: f64) -> String {
    let all = text::seconds(seconds);
    match events {
        0 => all,
        n => format!("{all}, {:.2} us an event", 1e6 * seconds / n as f64),
    }
}
