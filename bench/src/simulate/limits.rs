//! Memory, two threads, and how far a step is from the speed at which memory moves its bytes.

use crate::timing::cpu_seconds;
use crate::{Options, Outcome};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use tangere_sim::Simulation;
use tangere_sim::deck::{Deck, Options as DeckOptions};
use test_support::allocations::peak_of;

/// Steps of a turn, and turns.
const STEPS: u64 = 20;
const TURNS: usize = 3;

/// Bytes that a step moves at least: of a sphere its line and spin, read and written, and its mass, group and
/// mobility; of a candidate how long it sleeps; of a contact its spring, read and written, its rows, image and
/// number, and its places in the sums of both spheres.
const OF_SPHERE: f64 = 2.0 * 96.0 + 16.0;
const OF_CANDIDATE: f64 = 4.0;
const OF_CONTACT: f64 = 2.0 * 24.0 + 16.0 + 16.0;

pub fn run(options: &Options) -> Outcome {
    if !options.selects("limits") {
        return Ok(());
    }
    let edges: &[usize] = if options.quick { &[46] } else { &[100, 216] };
    let speed = bandwidth();
    println!(
        "simulate, limits: a crystal that vibrates; memory copies {:.1} GB/s on one thread",
        speed / 1e9
    );
    println!(
        "{:>10} {:>9} {:>10} {:>11} {:>12} {:>9} {:>11} {:>12}",
        "spheres",
        "contacts",
        "peak, GB",
        "bytes each",
        "rate, 1e6/s",
        "x floor",
        "broad phase",
        "two threads"
    );
    for &edge in edges {
        let mut made = None;
        let one = pool(1)?;
        let [peak, _] = peak_of(|| made = one.install(|| crystal(edge).ok()));
        let mut simulation = made.ok_or("the crystal cannot be made")?;
        let count = simulation.len() as f64;
        // Lists are made for the threads of their pool, so that two threads have a simulation of their own.
        let two = pool(2)?;
        let mut on_two = match edge <= 100 {
            true => Some(two.install(|| crystal(edge).map_err(|error| error.to_string()))?),
            false => None,
        };
        let (mut cpu, mut walls) = (f64::INFINITY, [f64::INFINITY; 2]);
        let mut share = 0.0;
        for _ in 0..TURNS {
            let before = simulation.seconds();
            let (begin, wall) = (cpu_seconds(), Instant::now());
            one.install(|| simulation.advance(STEPS))?;
            walls[0] = walls[0].min(wall.elapsed().as_secs_f64());
            let spent = cpu_seconds() - begin;
            if spent < cpu {
                cpu = spent;
                let after = simulation.seconds();
                share = (after.neighbours - before.neighbours) / spent;
            }
            if let Some(on_two) = &mut on_two {
                let wall = Instant::now();
                two.install(|| on_two.advance(STEPS))?;
                walls[1] = walls[1].min(wall.elapsed().as_secs_f64());
            }
        }
        let bytes = count * OF_SPHERE
            + simulation.candidates() as f64 * OF_CANDIDATE
            + simulation.contact_count() as f64 * OF_CONTACT;
        let step = cpu / STEPS as f64;
        let gain = match on_two {
            Some(_) => format!("{:.2}", walls[0] / walls[1]),
            None => String::new(),
        };
        println!(
            "{:>10} {:>9} {:>10.2} {:>11.0} {:>12.2} {:>9.1} {:>10.1}% {gain:>12}",
            simulation.len(),
            simulation.contact_count(),
            peak as f64 / 1e9,
            peak as f64 / count,
            count / step / 1e6,
            step * speed / bytes,
            100.0 * share,
        );
    }
    Ok(())
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()
}

/// A cubic crystal whose spheres touch six others, with random velocities, after its first steps.
fn crystal(edge: usize) -> Result<Simulation, Box<dyn std::error::Error>> {
    let text = format!(
        "units lj\natom_style sphere\nboundary p p p\nregion box block 0 {edge} 0 {edge} 0 {edge}\n\
         create_box 1 box\nlattice sc 1.0\ncreate_atoms 1 box\nset group all diameter 1.01 density 1\n\
         velocity all create 0.01 4711\npair_style gran/hertz/history 2e5 NULL 50 NULL 0.5 0\n\
         pair_coeff * *\nfix 1 all nve/sphere\ntimestep 5e-4\nrun 0\n"
    );
    let mut deck = Deck::from_text("crystal", &text, Path::new(""), DeckOptions::default())?;
    let mut simulation = Simulation::from_deck(&mut deck)?;
    drop(deck);
    simulation.advance(STEPS)?;
    Ok(simulation)
}

/// Bytes a second that one thread reads and writes by copying.
fn bandwidth() -> f64 {
    let from = vec![1.0_f64; 1 << 25];
    let mut to = vec![0.0_f64; 1 << 25];
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let begin = Instant::now();
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
        least = least.min(begin.elapsed().as_secs_f64());
    }
    (2 * size_of_val(&from[..])) as f64 / least
}
