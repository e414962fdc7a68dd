//! The granular test cases of LAMMPS: positions, velocities, torques and angular velocities of every
//! segment, to ten digits, and the closed forms that the files name. Skipped where they are absent.

use super::reference::{Reference, Vector};
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::path::{Path, PathBuf};
use tangere::simd::One;
use tangere_sim::deck::{Deck, Engine, Options, Runner};
use tangere_sim::laws::{Clock, Damping, History, Law, Normal, Tangential, Touch};
use tangere_sim::setup::Spheres;

/// The relative tolerance between machines that the files state.
const TOLERANCE: f64 = 1e-10;

/// The values of a file by their keys: the rest of the line, and the indented lines that follow.
fn sections(text: &str) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut key = String::new();
    for line in text.lines() {
        match line.split_once(':') {
            Some((name, rest)) if !line.starts_with([' ', '-']) => {
                key = name.to_string();
                let rest = rest.trim();
                let is_block = rest.starts_with('|') || rest == "\"\"";
                found.insert(key.clone(), if is_block { "" } else { rest }.to_string());
            }
            _ => {
                let value = found.entry(key.clone()).or_default();
                value.push_str(line);
                value.push('\n');
            }
        }
    }
    found
}

/// The largest difference of listed and found vectors, relative to the largest of their kind in the
/// file.
fn worst(listed: &str, segment: usize, found: impl Fn(usize) -> Vector) -> f64 {
    let rows: Vec<Vec<f64>> = listed
        .lines()
        .map(|line| {
            let words = line.split_whitespace();
            words.map_while(|x| x.parse().ok()).collect()
        })
        .filter(|row: &Vec<f64>| row.len() == 5)
        .collect();
    let size = rows.iter().flat_map(|row| &row[2..]);
    let size = size.fold(0.0, |size: f64, x| size.max(x.abs()));
    let mut most: f64 = 0.0;
    for row in rows.iter().filter(|row| row[0] == segment as f64) {
        let own = found(row[1] as usize - 1);
        for k in 0..3 {
            let error = (own[k] - row[2 + k]).abs();
            most = most.max(if error == 0.0 { 0.0 } else { error / size });
        }
    }
    most
}

/// The deck of a case: its variables, commands and laws, without `run`. Where a minus stands before a
/// variable of a negative number, both are left out.
fn composed(parts: &BTreeMap<String, String>) -> String {
    let part = |key: &str| parts.get(key).map_or("", String::as_str);
    let mut commands = String::from(part("pre_commands"));
    commands += &format!("pair_style {}\n", part("pair_style"));
    for line in part("pair_coeff")
        .lines()
        .filter(|line| !line.trim().is_empty())
    {
        commands += &format!("pair_coeff {line}\n");
    }
    commands += part("post_commands");
    let mut deck = String::new();
    for line in part("variables").lines() {
        if let Some((name, value)) = line.trim().split_once(' ') {
            let value = value.trim();
            deck += &format!("variable {name} index {value}\n");
            if let Some(positive) = value.strip_prefix('-') {
                commands = commands.replace(&format!("-${{{name}}}"), positive);
            }
        }
    }
    deck + &commands
}

/// A case after its segments.
struct Outcome {
    /// The worst difference of each kind over all segments.
    errors: [f64; 4],
    /// The spheres before the first segment, and after each, by ids.
    states: Vec<Spheres>,
}

/// Runs a case on an engine.
fn run(path: &Path, parts: &BTreeMap<String, String>, engine: &mut dyn Engine) -> Outcome {
    let part = |key: &str| parts.get(key).map_or("", String::as_str);
    let mut deck = composed(parts);
    for steps in part("run_segments").split_whitespace() {
        deck += &format!("\nrun {steps}");
    }
    let name = path.display().to_string();
    let deck = Deck::from_text(&name, &deck, Path::new(""), Options::default());
    let mut deck = deck.unwrap_or_else(|error| panic!("{error}"));
    let mut log = Vec::new();
    let mut outcome = Outcome {
        errors: [0.0; 4],
        states: Vec::new(),
    };
    let mut segment = 0;
    while let Some(steps) = deck
        .next_run(&mut log)
        .unwrap_or_else(|error| panic!("{error}"))
    {
        if segment == 0 {
            outcome.states.push(deck.spheres().clone());
        }
        deck.run_steps(engine, steps, &mut log)
            .unwrap_or_else(|error| panic!("{error}"));
        let spheres = deck.spheres();
        let row = |i: usize| {
            let row = spheres.ids.iter().position(|id| *id == i as u64 + 1);
            row.unwrap()
        };
        let errors = [
            worst(part("run_pos"), segment, |i| spheres.positions[row(i)]),
            worst(part("run_vel"), segment, |i| spheres.velocities[row(i)]),
            worst(part("run_torque"), segment, |i| spheres.torques[row(i)]),
            worst(part("run_omega"), segment, |i| spheres.spins[row(i)]),
        ];
        for (most, error) in outcome.errors.iter_mut().zip(errors) {
            *most = if error.is_nan() {
                error
            } else {
                most.max(error)
            };
        }
        outcome.states.push(spheres.clone());
        segment += 1;
    }
    outcome
}

/// What a closed form says of a case: pairs of numbers found and expected.
fn closed_form(parts: &BTreeMap<String, String>, states: &[Spheres]) -> Vec<[f64; 2]> {
    let variables = parts.get("variables").map_or("", String::as_str);
    let number = |name: &str| -> f64 {
        let mut lines = variables.lines().map(|line| line.split_whitespace());
        let found = lines.find_map(|mut words| {
            let is_it = words.next() == Some(name);
            is_it.then(|| words.next().unwrap().parse().unwrap())
        });
        found.unwrap_or_else(|| panic!("no variable {name}"))
    };
    let segment: i64 = parts["analytic_segment"].parse().unwrap();
    let state = match usize::try_from(segment) {
        Ok(segment) => &states[segment + 1],
        Err(_) => &states[states.len() - 1],
    };
    let (x, v, w) = (state.positions[0], state.velocities[0], state.spins[0]);
    let (m, r) = (state.masses[0], state.radii[0]);
    let steps = parts["run_segments"].split_whitespace();
    let steps = steps.map(|steps| steps.parse::<u64>().unwrap());
    let until = match usize::try_from(segment) {
        Ok(segment) => segment + 1,
        Err(_) => states.len() - 1,
    };
    let steps: u64 = steps.take(until).sum();
    match parts["analytic_model"].as_str() {
        "collision_restitution" => vec![[v[0], 0.0 - number("en") * number("vin")]],
        "wall_restitution" => vec![[v[0], 0.0 - number("en") * number("vx_in")]],
        // Of the closest approach: m v^2 / 2 = 2/5 k sqrt(R) d^(5/2).
        "hertz_normal_impact" | "hertz_peak" => {
            let is_pair = state.ids.len() == 2;
            let stiffness = match variables.contains("emod") {
                true => 2.0 / 3.0 * number("emod") / (1.0 - number("poisson").powi(2)),
                false => number("kn"),
            };
            let effective = if is_pair { 0.5 * r } else { r };
            let overlap = match is_pair {
                true => 2.0 * (r - x[0].abs()),
                false => r - x[2],
            };
            let energy = 0.5 * number("mred_factor") * m * number("vrela").powi(2);
            let most = (2.5 * energy / (stiffness * effective.sqrt())).powf(0.4);
            vec![[overlap, most]]
        }
        // Gross slip: the impulse of friction is that of the normal force times its coefficient.
        "oblique_impact" => {
            let slowed = number("xmu") * (1.0 + number("en")) * number("vz_in");
            vec![
                [v[2], number("en") * number("vz_in")],
                [v[0], number("vx_in") - slowed],
                [w[1], 2.5 * slowed / r],
            ]
        }
        "oblique_impact_pair" => {
            let slowed = number("xmu") * (1.0 + number("en")) * number("vn_in");
            vec![
                [v[0], 0.0 - number("en") * number("vn_in")],
                [v[1], number("vt_in") - slowed],
                [w[2], 0.0 - 2.5 * slowed / r],
            ]
        }
        "spin_impact" => {
            let gained = number("xmu") * (1.0 + number("en")) * number("vin");
            vec![
                [v[2], number("en") * number("vin")],
                [v[0], gained],
                [w[1], number("omega0") - 2.5 * gained / r],
            ]
        }
        "slip_cessation" => {
            let rolling = 5.0 / 7.0 * number("u0");
            vec![[v[0], rolling], [w[1] * r, rolling]]
        }
        "rolling_decay" => {
            let time = steps as f64 * number("dt");
            let slowing = 2.5 * number("mur") * number("grav") / r;
            vec![[w[1], number("omega0") - slowing * time]]
        }
        "twist_decay" => {
            let time = steps as f64 * number("dt");
            let slowing = 2.5 * number("mut") * number("grav") / (r * r);
            vec![[w[2], number("omega0") - slowing * time]]
        }
        "incline_rolling" => {
            let pull = number("sin_t") - number("mur") * number("cos_t");
            let time = steps as f64 * number("dt");
            vec![[v[0], 5.0 / 7.0 * number("grav") * pull * time]]
        }
        "terminal_velocity_linear" => vec![[v[2], 0.0 - m * number("grav") / number("gamma")]],
        "stack_energy" => {
            let energy = |state: &Spheres| {
                let (y, v, m) = (&state.positions, &state.velocities, &state.masses);
                let (d, k) = (number("diam"), number("knorm"));
                let overlaps = [
                    0.5 * d - (y[0][1] - number("ylo")),
                    d - (y[1][1] - y[0][1]),
                    0.5 * d - (number("yhi") - y[1][1]),
                ];
                let springs = overlaps.map(|overlap| 0.5 * k * overlap.max(0.0).powi(2));
                let own =
                    |i: usize| 0.5 * m[i] * v[i][1] * v[i][1] + m[i] * number("grav") * y[i][1];
                springs.iter().sum::<f64>() + own(0) + own(1)
            };
            vec![[energy(state), energy(&states[0])]]
        }
        // Nothing gains energy.
        "energy_dissipation" => {
            let energy = |state: &Spheres| {
                let square = |v: Vector| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
                let rotation = 0.4 * r * r * square(state.spins[0]);
                0.5 * m * (square(state.velocities[0]) + rotation)
            };
            let most = energy(&states[0]);
            let all = states.iter().map(|state| [energy(state).max(most), most]);
            all.collect()
        }
        "pulloff_dmt" => {
            let pull = 4.0 * PI * number("coh") * number("reff");
            vec![[state.forces[0][0], pull], [state.forces[1][0], 0.0 - pull]]
        }
        "pulloff_jkr" => {
            let pull = 8.0 / 3.0 * PI * number("coh") * number("reff");
            vec![[state.forces[0][0], pull], [state.forces[1][0], 0.0 - pull]]
        }
        other => panic!("the closed form {other} is unknown"),
    }
}

/// The files of the cases; none where they are absent.
fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/dem/lammps-granular");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: no shared/dem/lammps-granular");
        return Vec::new();
    };
    let files = files.map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    files.sort();
    files
}

/// Runs all cases and returns what failed.
fn failures(make_engine: impl Fn() -> Box<dyn Engine>) -> String {
    let mut failed = String::new();
    for path in cases() {
        let parts = sections(&std::fs::read_to_string(&path).unwrap());
        let outcome = run(&path, &parts, &mut *make_engine());
        let name = path.file_stem().unwrap().display();
        let is_close = |error: &f64| *error <= TOLERANCE;
        if !outcome.errors.iter().all(is_close) {
            failed += &format!("{name}: {:?}\n", outcome.errors);
        }
        let tolerance: f64 = parts["analytic_tol"].parse().unwrap();
        for [found, expected] in closed_form(&parts, &outcome.states) {
            let is_close = (found / expected - 1.0).abs() <= tolerance;
            if !is_close {
                failed += &format!("{name}: {found}, closed form {expected}\n");
            }
        }
    }
    failed
}

#[test]
fn every_case_on_the_engine_to_ten_digits() {
    let failed = failures(|| Box::new(Runner::default()));
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn every_case_on_the_reference_to_ten_digits() {
    let failed = failures(|| Box::new(Reference::default()));
    assert!(failed.is_empty(), "{failed}");
}

/// The largest pull of a law, over all overlaps at which a contact lasts: of DMT `4 pi gamma R`, of JKR
/// `3 pi gamma R`, and `8/3 pi gamma R` at first touch. `gamma` is LAMMPS' surface energy.
#[test]
fn pull_off_forces() {
    let (energy, radius) = (0.1, 0.005);
    let scale = PI * energy * radius;
    for (normal, first, most) in [
        (Normal::dmt(4.8e10, 0.2, energy), 4.0, 4.0),
        (Normal::jkr(4.8e10, 0.2, energy), 8.0 / 3.0, 3.0),
    ] {
        let law = Law::new(normal, Damping::None, Tangential::None);
        let pull = |overlap: f64| {
            let zero = One(0.0);
            let touch = Touch {
                overlap: One(overlap),
                radius: One(radius),
                mass: One(1.0),
                inertia: One(1.0),
                normal: [One(1.0), zero, zero],
                half_normal: [One(1.0), zero, zero],
                velocity: [zero; 3],
                surface_spin: [zero; 3],
                relative_spin: [zero; 3],
            };
            let clock = Clock {
                step: 1e-8,
                advances: true,
                is_synchronized: false,
            };
            let reaction = law.react(&touch, &clock, &mut History::default());
            0.0 - reaction.force[0].0 / scale
        };
        assert!((pull(0.0) / first - 1.0).abs() < 1e-6, "{}", pull(0.0));
        let gap = normal.pull_off_gap(radius);
        let overlaps = (0..=1000).map(|i| gap * (f64::from(i) / 500.0 - 1.0));
        let largest = overlaps.map(pull).fold(0.0, f64::max);
        assert!((largest / most - 1.0).abs() < 1e-4, "{largest}");
        assert!((normal.pull_off_force(radius) / (most * scale) - 1.0).abs() < 1e-12);
    }
}
