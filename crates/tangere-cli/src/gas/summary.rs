//! Summary of a run of the gas: energy, momentum, pressure and counts.

use super::Gas;
use super::run_parts::Done;
use serde_json::Value;
use tangere::impact::gas::{End, Gas as HardSpheres};
use tangere_front::answer::{Summary, finite, object};
use tangere_front::answers::impact::GAS_COUNTS;
use tangere_front::text;

/// Returns the summary of a run. The names of its entries do not change between versions.
pub fn summary(
    options: &Gas,
    gas: &HardSpheres,
    dimensions: usize,
    (energy_before, momentum_before): (f64, [f64; 3]),
    done: &Done,
    seconds: f64,
) -> Summary {
    let (energy, momentum) = (gas.energy(), gas.momentum());
    let loses = options.restitution < 1.0 || options.wall_restitution < 1.0;
    let change = (energy - energy_before).abs();
    let energy_error = match energy_before {
        _ if loses => None,
        before if before != 0.0 => Some(change / before.abs()),
        _ => (change == 0.0).then_some(0.0),
    };
    let counts = gas.counts();
    let momentum = &momentum[..dimensions];
    let momentum_text: Vec<String> = momentum.iter().map(|&p| text::number(p)).collect();
    let pressure = gas.pressure();
    let mut summary = Summary::default();
    summary
        .count("spheres", gas.len())
        .member("dimension", dimensions)
        .both("events", done.events, "events", text::count(done.events))
        .line("of them with walls", text::count(counts.walls))
        .both("end", done.end.name(), "ended by", ended(done.end))
        .number("time", gas.time())
        .number("energy", energy);
    match energy_error {
        None => summary.member("energy_error", Value::Null),
        Some(0.0) => summary.both("energy_error", 0.0, "its change", "none"),
        Some(error) => summary.both("energy_error", error, "its change", format!("{error:.1e}")),
    };
    summary
        .both("momentum", momentum, "momentum", momentum_text.join(", "))
        .member("momentum_before", &momentum_before[..dimensions])
        .both(
            "pressure",
            pressure.map_or(Value::Null, finite),
            "pressure",
            pressure.map_or("none".into(), text::number),
        )
        .member("contact_time", gas.settings().contact_time)
        .member("counts", object(GAS_COUNTS, &counts))
        .member("seconds", seconds);
    if let Some(overlap) = done.overlap {
        let text = format!("{overlap:.1e} of a diameter");
        summary.both("overlap", overlap, "deepest overlap", text);
    }
    summary.line("took", took(done.events, seconds));
    summary
}

fn ended(end: End) -> &'static str {
    match end {
        End::Events => "the number of events",
        End::Until => "the time",
        End::Over => "rest: there will be no more collisions",
        End::Stalled => "a stall: time no longer advances",
    }
}

fn took(events: u64, seconds: f64) -> String {
    let all = text::seconds(seconds);
    match events {
        0 => all,
        n => format!("{all}, {:.2} us an event", 1e6 * seconds / n as f64),
    }
}
