//! Long campaign of the broad phase: every method against brute force on many random scenes, with
//! the same answer on any number of threads.
//!
//! A scene that fails names its seed; `TANGERE_SEED=n` runs that seed alone.

mod determinism;
mod oracle;
mod scenes;

use oracle::{Tally, check};
use scenes::Film;
use tangere::pairs::{Dimension, Space};

/// Prints the current scene when a method panics.
struct Witness(String);

impl Drop for Witness {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

fn run<const D: usize>(seed: u64, periodic: bool, size: Option<usize>, tally: &mut Tally)
where
    Space: Dimension<D>,
{
    let space = if periodic { "periodic" } else { "open" };
    let of = size.map_or(String::new(), |n| format!(", {n} items"));
    let _witness = Witness(format!("seed {seed} ({D}D, {space} space{of})"));
    let film = Film::<D>::new(seed, periodic, size);
    if let Err(error) = check(&film, tally) {
        panic!("{error}");
    }
}

/// Runs films (moving scenes) of random sizes, and some of many items.
fn campaign<const D: usize>(periodic: bool, seeds: u64, large: &[usize])
where
    Space: Dimension<D>,
{
    if let Some(seed) = std::env::var("TANGERE_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
    {
        run::<D>(seed, periodic, None, &mut Tally::default());
        return;
    }
    let mut tally = Tally::default();
    for seed in 0..seeds {
        run::<D>(seed, periodic, None, &mut tally);
    }
    for (seed, &size) in large.iter().enumerate() {
        run::<D>(seed as u64, periodic, Some(size), &mut tally);
    }
    println!("{seeds} films: {tally:?}");
    // The campaign covers enough.
    assert!(tally.frames >= seeds as usize);
    assert!(
        tally.pairs > 10 * tally.frames && tally.between > tally.frames,
        "{tally:?}"
    );
    assert!(
        (tally.across > 0) == periodic && tally.refused < tally.frames / 10,
        "{tally:?}"
    );
}

const SEEDS: u64 = 150;
/// Films with more items than one chunk of 4096.
const LARGE: [usize; 1] = [4200];

#[test]
fn films_in_open_2d() {
    campaign::<2>(false, SEEDS, &LARGE);
}

#[test]
fn films_in_open_3d() {
    campaign::<3>(false, SEEDS, &LARGE);
}

#[test]
fn films_in_periodic_2d() {
    campaign::<2>(true, SEEDS, &LARGE);
}

#[test]
fn films_in_periodic_3d() {
    campaign::<3>(true, SEEDS, &LARGE);
}

const LONG: u64 = 26_000;
const LONG_LARGE: [usize; 12] = [
    4096, 4097, 4500, 4500, 4500, 5000, 8193, 9000, 20_000, 32_769, 33_000, 33_000,
];

#[test]
#[ignore = "a long campaign: 26 thousand films"]
fn many_films_in_open_2d() {
    campaign::<2>(false, LONG, &LONG_LARGE);
}

#[test]
#[ignore = "a long campaign: 26 thousand films"]
fn many_films_in_open_3d() {
    campaign::<3>(false, LONG, &LONG_LARGE);
}

#[test]
#[ignore = "a long campaign: 26 thousand films"]
fn many_films_in_periodic_2d() {
    campaign::<2>(true, LONG, &LONG_LARGE);
}

#[test]
#[ignore = "a long campaign: 26 thousand films"]
fn many_films_in_periodic_3d() {
    campaign::<3>(true, LONG, &LONG_LARGE);
}
