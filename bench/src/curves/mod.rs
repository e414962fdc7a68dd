//! Cost per particle of each broad phase method, against the number of particles,
//! their density and their sizes.
//!
//! Prints a table for each curve; all numbers go to `pairs-curves.csv`, a plot of
//! them to `pairs-curves.svg`, both in cargo's target folder.

mod plot;

use crate::pairs::cases::{count_name, sized};
use crate::pairs::method;
use crate::timing::{Standing, agreement, standings};
use crate::{Options, Outcome};
use std::fmt::Write;
use std::path::PathBuf;
use tangere::generate::{ParticleBox, Sizes, particles};
use tangere::pairs::Method;
use tangere::pairs::{Dimension, Space};
use tangere::shape::Spheres;

/// The methods, in the order of the columns of the tables and of the colours in the plot; those of
/// the papers as published are left out.
const METHODS: [Method; 7] = [
    Method::Auto,
    Method::Brute,
    Method::Shells,
    Method::Cells,
    Method::Sweep,
    Method::Grid,
    Method::Tree,
];

/// The names of the files that are written.
const CSV: &str = "pairs-curves.csv";
const SVG: &str = "pairs-curves.svg";

/// Times of all methods at one point of a curve.
struct Point {
    /// The abscissa: the value of the parameter of the curve.
    x: f64,
    particles: usize,
    pairs: usize,
    /// The seconds of each method; none if it was left out as too slow.
    seconds: [Option<f64>; METHODS.len()],
    /// The name of the method that `auto` picked.
    picked: &'static str,
}

impl Point {
    fn nanoseconds(&self, method: usize) -> Option<f64> {
        self.seconds[method].map(|seconds| seconds * 1e9 / self.particles as f64)
    }

    /// Returns the index of the fastest method other than `auto`.
    fn winner(&self) -> Option<usize> {
        (1..METHODS.len())
            .filter(|&i| self.seconds[i].is_some())
            .min_by(|&a, &b| {
                let seconds = |i: usize| self.seconds[i].unwrap_or(f64::INFINITY);
                seconds(a).total_cmp(&seconds(b))
            })
    }
}

/// A curve: the cost of all methods against one parameter.
struct Curve {
    title: String,
    /// The name of the parameter of the curve.
    along: &'static str,
    points: Vec<Point>,
}

/// Time limits of the measurement of a point.
struct Patience {
    /// The largest predicted seconds of a turn; a slower method is left out.
    turn: f64,
    /// The seconds up to which fast methods are repeated.
    repeat: f64,
}

/// The estimated seconds of brute force per pair of particles, for the first point of a curve.
const BRUTE: f64 = 3e-9;

/// Returns the predicted seconds of a method for the next point of a curve, with `n` particles:
/// extrapolated from the last two points, or quadratically from one. Infinite if the method was
/// left out at the last point.
fn predicted(points: &[Point], method: usize, n: usize) -> f64 {
    let n = n as f64;
    let Some(last) = points.last() else {
        let pairs = 0.5 * n * n;
        return if METHODS[method] == Method::Brute {
            BRUTE * pairs
        } else {
            0.0
        };
    };
    let Some(seconds) = last.seconds[method] else {
        return f64::INFINITY;
    };
    let before = points.len().checked_sub(2);
    match before.and_then(|i| points[i].seconds[method]) {
        Some(before) => seconds * (seconds / before).max(1.0),
        None => seconds * (n / last.particles as f64).powi(2),
    }
}

impl Curve {
    fn new(title: impl Into<String>, along: &'static str) -> Self {
        let title = title.into();
        println!("\n{title}: nanoseconds per particle");
        print!("  {:>9} {:>9} {:>9}", along, "particles", "pairs");
        for method in METHODS {
            print!(" {:>9}", method.name());
        }
        println!("  {:<7} auto", "winner");
        Curve {
            title,
            along,
            points: Vec::new(),
        }
    }

    /// Measures all methods at the next point of the curve, parameter `x`, and prints a line of the
    /// table.
    fn measure<const D: usize>(
        &mut self,
        x: f64,
        spheres: &Spheres<D>,
        patience: &Patience,
    ) -> Outcome
    where
        Space: Dimension<D>,
    {
        let takes_part = |i: usize| predicted(&self.points, i, spheres.len()) <= patience.turn;
        let present: Vec<usize> = (0..METHODS.len()).filter(|&i| takes_part(i)).collect();
        let mut contestants = Vec::new();
        for &i in &present {
            contestants.push(method(METHODS[i], spheres)?);
        }
        let mut best: Vec<Standing> = standings(1, &mut contestants);
        agreement(&best)?;
        // Fast methods are repeated; slow ones run once.
        let brief = |i: usize| best[i].best.seconds <= 4.0 * patience.repeat;
        let again: Vec<usize> = (0..best.len()).filter(|&i| brief(i)).collect();
        let mut index = 0;
        contestants.retain(|_| {
            index += 1;
            brief(index - 1)
        });
        let seconds = again.iter().map(|&i| best[i].best.seconds);
        let slowest = seconds.fold(1e-6, f64::max);
        let turns = (patience.repeat / slowest).clamp(1.0, 20.0) as usize;
        for (&i, new) in again.iter().zip(standings(turns, &mut contestants)) {
            if new.best.seconds < best[i].best.seconds || !new.steady {
                best[i] = new;
            }
        }
        agreement(&best)?;
        let mut point = Point {
            x,
            particles: spheres.len(),
            pairs: best.first().map_or(0, |one| one.best.answers),
            seconds: [None; METHODS.len()],
            picked: best.first().and_then(|one| one.best.by).unwrap_or("-"),
        };
        for (&i, standing) in present.iter().zip(&best) {
            point.seconds[i] = Some(standing.best.seconds);
        }
        print!(
            "  {:>9} {:>9} {:>9}",
            x,
            count_name(point.particles),
            point.pairs
        );
        for i in 0..METHODS.len() {
            match point.nanoseconds(i) {
                Some(nanoseconds) => print!(" {nanoseconds:>9.1}"),
                None => print!(" {:>9}", "-"),
            }
        }
        let winner = point.winner();
        let ratio = match (point.seconds[0], winner.and_then(|i| point.seconds[i])) {
            (Some(auto), Some(best)) => format!("{:.2}x best", auto / best),
            _ => String::new(),
        };
        let winner = winner.map_or("-", |i| METHODS[i].name());
        println!("  {winner:<7} {} {ratio}", point.picked);
        for i in 0..METHODS.len() {
            let before = self.points.last();
            if point.seconds[i].is_none() && before.is_none_or(|last| last.seconds[i].is_some()) {
                println!(
                    "  {}: left out from here on, it would take more than {} s",
                    METHODS[i], patience.turn
                );
            }
        }
        self.points.push(point);
        Ok(())
    }
}

/// Returns numbers spaced evenly in the logarithm, `steps` to a decade, rounded to three digits.
fn decades(from: f64, to: f64, steps: i32) -> Vec<f64> {
    let mut all = Vec::new();
    for i in 0.. {
        let exact = from * 10f64.powf(f64::from(i) / f64::from(steps));
        if exact > to * 1.001 {
            return all;
        }
        let digit = 10f64.powf(exact.log10().floor() - 2.0);
        let rounded = (exact / digit).round() * digit;
        // Rounds again, because decimal fractions are not exact in binary.
        all.push((rounded * 1e6).round() / 1e6);
    }
    all
}

pub fn run(options: &Options) -> Outcome {
    let quick = options.quick;
    let patience = Patience {
        turn: if quick { 0.25 } else { 12.0 },
        repeat: if quick { 0.1 } else { 0.5 },
    };
    let most = if quick { 1e5 } else { 1e7 };
    let count = if quick { 10_000 } else { 100_000 };
    let steps = if quick { 1 } else { 2 };
    let mut curves = Vec::new();
    for dimension in [3, 2] {
        let title = format!("{dimension}D test A, number of particles");
        if options.selects(&title) {
            let mut curve = Curve::new(title, "particles");
            for n in decades(1e3, most, steps) {
                let settings = ParticleBox::test_a(dimension, n as usize, 0);
                measure(&mut curve, n, &settings, dimension, &patience)?;
            }
            curves.push(curve);
            write(&curves)?;
        }
        let title = format!(
            "{dimension}D sizes of test A, {}, density",
            count_name(count)
        );
        if options.selects(&title) {
            let mut curve = Curve::new(title, "contacts");
            for contacts in decades(0.1, 31.7, steps) {
                let settings = ParticleBox::test_a(dimension, count, 0);
                let settings = settings.with_contacts(dimension, contacts)?;
                measure(&mut curve, contacts, &settings, dimension, &patience)?;
            }
            curves.push(curve);
            write(&curves)?;
        }
    }
    for (name, sizes) in [
        ("log-uniform", Sizes::Log),
        ("volume-weighted", Sizes::Volume),
    ] {
        let title = format!("3D {name} sizes, {}, two contacts each", count_name(count));
        if !options.selects(&title) {
            continue;
        }
        let mut curve = Curve::new(title, "ratio");
        for ratio in decades(1.0, 1000.0, steps) {
            let settings = sized(3, count, sizes, ratio, 2.0)?;
            measure(&mut curve, ratio, &settings, 3, &patience)?;
        }
        curves.push(curve);
        write(&curves)?;
    }
    for name in [CSV, SVG] {
        println!("written: {}", target().join(name).display());
    }
    Ok(())
}

fn measure(
    curve: &mut Curve,
    x: f64,
    settings: &ParticleBox,
    dimension: usize,
    patience: &Patience,
) -> Outcome {
    match dimension {
        2 => curve.measure(x, &particles::<2>(settings)?, patience),
        _ => curve.measure(x, &particles::<3>(settings)?, patience),
    }
}

/// Returns cargo's target folder, from the path of this program in `target/release`.
fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.ancestors().nth(2).map(PathBuf::from);
    folder.unwrap_or_else(|| PathBuf::from("target"))
}

/// Writes the curves measured so far to the files, so that an interrupted run leaves results.
fn write(curves: &[Curve]) -> Outcome {
    let mut csv = String::from("curve,along,x,particles,pairs,method,nanoseconds,wins\n");
    for curve in curves {
        for point in &curve.points {
            for (i, method) in METHODS.iter().enumerate() {
                let Some(nanoseconds) = point.nanoseconds(i) else {
                    continue;
                };
                writeln!(
                    csv,
                    "\"{}\",{},{},{},{},{method},{nanoseconds:.2},{}",
                    curve.title,
                    curve.along,
                    point.x,
                    point.particles,
                    point.pairs,
                    u8::from(point.winner() == Some(i)),
                )?;
            }
        }
    }
    for (name, text) in [(CSV, csv), (SVG, plot::svg(curves))] {
        let path = target().join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
