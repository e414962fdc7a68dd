//! Determinism of the broad phase: the same bits for any method, number of threads and machine.

use super::oracle::bits;
use super::scenes::{Film, Frame, numbers_of};
use tangere::pairs::{Dimension, Space};
use tangere::pairs::{PairFinder, PairSettings, Periodic};
use test_support::finders::methods;

/// The hash of a sequence of numbers (FNV-1a, by words).
struct Hash(u64);

impl Hash {
    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }
}

/// The hash of pairs and contacts of every frame.
fn hash<const D: usize>(finder: &mut dyn PairFinder<D>, frames: &[Frame<D>]) -> u64 {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
    for frame in frames {
        // Errors (cell too narrow, limit exceeded) are part of the hash.
        hash.word(u64::from(finder.update(frame.items()).is_ok()));
        hash.word(u64::from(finder.pairs(&mut pairs).is_ok()));
        hash.word(u64::from(finder.contacts(&mut contacts).is_ok()));
        for &[a, b] in &pairs {
            hash.word(u64::from(a) << 32 | u64::from(b));
        }
        for contact in &contacts {
            let ([a, b], image, gap, normal) = bits(contact);
            hash.word(u64::from(a) << 32 | u64::from(b));
            image.iter().for_each(|&n| hash.word(n as u64));
            hash.word(gap);
            normal.iter().for_each(|&x| hash.word(x));
        }
    }
    hash.0
}

/// Asserts that all methods but those of `slow` have one hash on each number of
/// threads, and returns it.
fn one_hash<const D: usize>(
    name: &str,
    settings: PairSettings<D>,
    frames: &[Frame<D>],
    slow: &[&str],
    threads: impl IntoIterator<Item = usize>,
) -> u64
where
    Space: Dimension<D>,
{
    let mut expected = None;
    for threads in threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a thread pool").install(|| {
            for (method, mut finder) in methods(settings) {
                if slow.contains(&method) {
                    continue;
                }
                let found = hash(finder.as_mut(), frames);
                let first = *expected.get_or_insert(found);
                assert_eq!(found, first, "{name}: {method} on {threads} threads");
            }
        });
    }
    expected.expect("at least one method")
}

#[test]
fn films_have_one_hash_on_1_to_16_threads() {
    for seed in 0..6 {
        for periodic in [false, true] {
            let name = format!("seed {seed}, periodic: {periodic}");
            let film = Film::<2>::new(seed, periodic, None);
            one_hash(&name, film.settings, &film.frames, &[], 1..=16);
            let film = Film::<3>::new(seed, periodic, None);
            one_hash(&name, film.settings, &film.frames, &[], 1..=16);
        }
    }
}

/// Two frames of `count` items, in a cube of edge 1 with about two contacts each. They are computed
/// with sums and products only, so that they are the same on every machine.
fn crowd<const D: usize>(count: usize, spread: f64) -> Vec<Frame<D>> {
    let mut numbers = numbers_of(count as u64);
    // In D dimensions an item has about (4 r)^D count / 2 contacts.
    let mut radius = 1.0;
    while (0..D).fold(count as f64, |n, _| n * 4.0 * radius) > 4.0 {
        radius *= 0.9375;
    }
    let mut centers: Vec<[f64; D]> = Vec::new();
    let mut radii = Vec::new();
    for _ in 0..count {
        centers.push(std::array::from_fn(|_| numbers.unit()));
        radii.push(radius * (1.0 + spread * numbers.unit()));
    }
    let moved: Vec<[f64; D]> = (centers.iter())
        .map(|p| p.map(|x| x + 0.125 * radius * numbers.unit()))
        .collect();
    let upper = (moved.iter().zip(&radii))
        .map(|(p, r)| p.map(|x| x + r))
        .collect();
    vec![
        Frame::Spheres(centers, radii.clone()),
        Frame::Spheres(moved.clone(), radii),
        Frame::Boxes(moved, upper),
    ]
}

const SLOW: [&str; 2] = ["brute", "corner"];

fn crowds(count: usize, threads: impl IntoIterator<Item = usize> + Clone) -> Vec<u64> {
    let plane = PairSettings::default();
    let open = |margin| PairSettings {
        margin,
        ..Default::default()
    };
    let around = PairSettings {
        periodic: Some(Periodic::new([1.0, 1.0, 0.0]).expect("a valid cell")),
        ..Default::default()
    };
    let (flat, deep, mixed) = (
        crowd::<2>(count, 0.0),
        crowd::<3>(count, 0.25),
        crowd::<3>(count, 3.0),
    );
    vec![
        one_hash("flat", plane, &flat, &SLOW, threads.clone()),
        one_hash("deep", open(0.0), &deep, &SLOW, threads.clone()),
        one_hash("mixed", open(1e-4), &mixed, &SLOW, threads.clone()),
        one_hash("periodic", around, &deep, &SLOW, threads),
    ]
}

#[test]
fn crowds_have_the_same_hash_on_every_machine() {
    // Recorded on one machine: a different hash means a different rule.
    const EXPECTED: [u64; 4] = [
        11290229307333655293,
        7501082610846412315,
        12564300366726675489,
        8367952192362010988,
    ];
    assert_eq!(crowds(5000, [1, 2, 16]), EXPECTED);
}

#[test]
#[ignore = "a long campaign: a hundred thousand items on 1 to 16 threads"]
fn large_crowds_have_one_hash_on_1_to_16_threads() {
    crowds(120_000, 1..=16);
}
