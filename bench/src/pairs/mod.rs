//! Broad phase benchmark: time of all methods and of other libraries, then speed-up by threads and
//! memory.

pub mod cases;
mod moving;
mod peers;
mod report;
mod resources;

use crate::timing::{Contestant, Turn, agreement, standings, timed};
use crate::{Options, Outcome};
use cases::{Scene, cases};
use peers::Opponents;
use report::Line;
use tangere::generate::particles;
use tangere::pairs::{BroadPhase, Dimension, Items, Method, PairFinder, PairSettings, Space};
use tangere::shape::Spheres;

/// The methods that are timed: all but brute force, which takes minutes.
const METHODS: [Method; 6] = [
    Method::Auto,
    Method::Cells,
    Method::Grid,
    Method::Tree,
    Method::Sweep,
    Method::Shells,
];

/// Returns whether two spheres, each a centre and a radius, overlap or touch. The order of
/// operations is that of the library, so that rounding decides ties alike.
fn meet<const D: usize>(a: (&[f64; D], f64), b: (&[f64; D], f64)) -> bool {
    let difference = |k: usize| a.0[k] - b.0[k];
    let mut square = difference(0) * difference(0);
    for k in 1..D {
        square += difference(k) * difference(k);
    }
    square <= (a.1 + b.1) * (a.1 + b.1)
}

/// Returns whether spheres `a` and `b` of a set overlap or touch.
fn touch<const D: usize>(spheres: &Spheres<D>, a: u32, b: u32) -> bool {
    let of = |i: u32| (&spheres.centers()[i as usize], spheres.radii()[i as usize]);
    meet(of(a), of(b))
}

/// Returns a digest of the pairs, independent of their order: the sum of their hashes (the
/// finalizer of SplitMix64).
fn digest(pairs: &[[u32; 2]]) -> u64 {
    let mixed = |&[a, b]: &[u32; 2]| {
        let mut z = u64::from(a) << 32 | u64::from(b);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    pairs.iter().map(mixed).fold(0, u64::wrapping_add)
}

/// Lets a finder forget the items of the last turn, but keep its memory, so that a turn starts from
/// scratch.
///
/// For a single method an update without items is enough. `auto` gives an empty update to brute
/// force, and the method that it will pick for the items keeps its last state. So `auto` is first
/// updated with one item less.
fn forget<const D: usize>(method: Method, finder: &mut dyn PairFinder<D>, items: Items<'_, D>) {
    if method == Method::Auto {
        let others = match items {
            Items::Spheres { centers, radii } => Items::Spheres {
                centers: centers.get(1..).unwrap_or_default(),
                radii: radii.get(1..).unwrap_or_default(),
            },
            Items::Boxes { lower, upper } => Items::Boxes {
                lower: lower.get(1..).unwrap_or_default(),
                upper: upper.get(1..).unwrap_or_default(),
            },
        };
        finder.update(others).expect("generated items are valid");
    }
    let none: (&[[f64; D]], &[f64]) = (&[], &[]);
    finder.update(none.into()).expect("no items are valid");
}

/// Updates the items of a finder and finds all pairs.
pub fn find<const D: usize>(
    finder: &mut dyn PairFinder<D>,
    items: Items<'_, D>,
    out: &mut Vec<[u32; 2]>,
) {
    finder.update(items).expect("generated items are valid");
    finder.pairs(out).expect("there is no limit");
}

/// Returns a method as contestant, which starts from scratch in each turn and keeps only its
/// memory.
pub fn method<'a, const D: usize>(
    method: Method,
    spheres: &'a Spheres<D>,
) -> tangere::Result<Contestant<'a>>
where
    Space: Dimension<D>,
{
    let mut finder = BroadPhase::<D>::new(PairSettings::default().with_method(method))?;
    let mut out = Vec::new();
    Ok(Contestant::own(method.name(), move || {
        forget(method, &mut finder, spheres.into());
        let seconds = timed(|| find(&mut finder, spheres.into(), &mut out));
        Turn {
            seconds,
            answers: out.len(),
            digest: digest(&out),
            by: (method == Method::Auto).then(|| finder.method()),
        }
    }))
}

/// Times all methods and other libraries on the spheres of a case, and prints and returns the
/// results.
fn compare<const D: usize>(
    case: &cases::Case,
    spheres: &Spheres<D>,
    options: &Options,
) -> Result<Line, Box<dyn std::error::Error>>
where
    Spheres<D>: Opponents,
    Space: Dimension<D>,
{
    let mut contestants = Vec::new();
    for one in METHODS {
        contestants.push(method(one, spheres)?);
    }
    let mut left_out = Vec::new();
    if options.peers {
        let (peers, others) = spheres.peers();
        contestants.extend(peers);
        left_out = others;
    }
    let standings = standings(case.turns, &mut contestants);
    drop(contestants);
    let line = Line {
        title: case.title.clone(),
        items: spheres.len(),
        target: case.target,
        standings,
    };
    line.print(&left_out);
    agreement(&line.standings).map_err(|error| format!("{}: {error}", line.title))?;
    if case.big {
        let best = line.best(false).map_or("auto", |best| best.name);
        resources::threads(spheres, best, case.turns)?;
    }
    Ok(line)
}

pub fn run(options: &Options) -> Outcome {
    let mut lines = Vec::new();
    for case in cases(options.quick)? {
        if !options.selects(&case.title) {
            continue;
        }
        lines.push(match &case.scene {
            Scene::Plane(settings) => compare(&case, &particles::<2>(settings)?, options)?,
            Scene::Space(settings) => compare(&case, &particles::<3>(settings)?, options)?,
        });
    }
    lines.extend(moving::lines(options)?);
    if options.selects("memory") {
        resources::memory(if options.quick { 100_000 } else { 1_000_000 })?;
    }
    report::summary(&lines);
    Ok(())
}
