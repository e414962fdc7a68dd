//! Broad phase: limits bound memory, and running out of memory is an error.

use tangere::error::Count;
use tangere::pairs::{
    BroadPhase, Candidates, LinkedCells, Method, PairFinder, PairSettings, Periodic, Shells,
};
use tangere::pairs::{Dimension, Space};
use tangere::{Argument, Error};
use test_support::allocations::with_at_most;
use test_support::alone;

const COUNT: usize = 2800;
const MEGABYTES: usize = 14;

fn finders<const D: usize>(settings: PairSettings<D>) -> Vec<(String, Box<dyn PairFinder<D>>)>
where
    Space: Dimension<D>,
{
    const VALID: &str = "valid settings";
    let mut all: Vec<(String, Box<dyn PairFinder<D>>)> = Vec::new();
    for method in Method::ALL {
        all.push((
            method.to_string(),
            Box::new(BroadPhase::new(settings.with_method(method)).expect(VALID)),
        ));
    }
    let corner = Shells::from_corner(settings).expect(VALID);
    all.push(("corner".into(), Box::new(corner)));
    let linked = LinkedCells::new(settings).expect(VALID);
    all.push(("linked".into(), Box::new(linked)));
    let candidates = Candidates::new(settings.with_skin(0.1)).expect(VALID);
    all.push(("candidates".into(), Box::new(candidates)));
    all
}

/// Whether the error is that memory ran out, and reports at most `count` pairs.
fn is_memory_of_pairs(error: &Error, count: usize) -> bool {
    match error {
        Error::Memory {
            what,
            count: found,
            bytes,
        } => {
            *what == Argument::Pairs
                && found.least() <= count as u64
                && *bytes == 12 * found.least()
        }
        _ => false,
    }
}

/// Many pairs take little more memory than their answer, 8 bytes each. Measured is the memory that
/// is used: an array that grows is moved without a copy.
#[cfg(target_os = "linux")]
#[test]
fn many_pairs_take_at_most_twelve_bytes_each() {
    alone!();
    const COUNT: usize = 5000;
    let (centers, radii) = (vec![[1.0, 2.0]; COUNT], vec![0.25; COUNT]);
    let all = COUNT * (COUNT - 1) / 2;
    let before = peak();
    let mut finder = BroadPhase::new(PairSettings::default()).unwrap();
    let mut pairs = Vec::new();
    // Twice, since the second answer reuses the memory of the first.
    for _ in 0..2 {
        finder.update((&centers[..], &radii[..]).into()).unwrap();
        finder.pairs(&mut pairs).unwrap();
        assert_eq!(pairs.len(), all);
        assert!(pairs.is_sorted());
        let more = peak() - before;
        assert!(more <= 12 * all, "{more} bytes for {all} pairs");
    }
}

/// Returns the most memory that the process has used, in bytes.
#[cfg(target_os = "linux")]
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of this process");
    let line = (status.lines()).find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line
        .expect("a line VmHWM")
        .trim()
        .trim_end_matches("kB")
        .trim();
    1024 * kilobytes.parse::<usize>().expect("a number")
}

/// Without a limit of pairs, as many as free memory cannot hold are refused by their count, before
/// they fill the memory. Those that it can hold are returned, also if they take much of it.
#[cfg(target_os = "linux")]
#[test]
fn pairs_are_counted_before_they_fill_the_memory() {
    alone!();
    const FREE: usize = 1 << 29;
    // What is free is the limit of address space, less what is in use already.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let size = (status.lines()).find_map(|line| line.strip_prefix("VmSize:"));
    let size = size.unwrap().trim().trim_end_matches("kB").trim();
    let limit = 1024 * size.parse::<usize>().unwrap() + FREE;
    let set = std::process::Command::new("prlimit")
        .arg(format!("--pid={}", std::process::id()))
        .arg(format!("--as={limit}"))
        .status();
    if !set.is_ok_and(|status| status.success()) {
        println!("skipped: no limit of address space");
        return;
    }
    let before = peak();
    for method in [Method::Auto, Method::Tree] {
        for (count, is_held) in [(12_000, false), (5_000, true)] {
            let (centers, radii) = (vec![[1.0, 2.0]; count], vec![0.25; count]);
            let settings = PairSettings::default().with_method(method);
            let mut finder = BroadPhase::new(settings).unwrap();
            finder.update((&centers[..], &radii[..]).into()).unwrap();
            let mut pairs = Vec::new();
            let found = finder.pairs(&mut pairs);
            let all = count * (count - 1) / 2;
            if is_held {
                found.unwrap();
                assert_eq!(pairs.len(), all, "{method}");
                assert!(pairs.is_sorted());
                continue;
            }
            assert!(8 * all > FREE);
            assert!(is_memory_of_pairs(&found.unwrap_err(), all), "{method}");
            let more = peak() - before;
            assert!(method != Method::Auto || more < FREE / 4, "{more} bytes");
        }
    }
}

#[test]
fn memory_is_bounded_and_running_out_is_an_error() {
    alone!();
    let (centers, radii) = (vec![[1.0, 2.0]; COUNT], vec![0.25; COUNT]);
    let spheres = (&centers[..], &radii[..]);
    let all = COUNT * (COUNT - 1) / 2;
    // A list of all takes more than twice the allowance.
    assert!(8 * all > 2 * (MEGABYTES << 20));
    let groups: Vec<u32> = (0..COUNT as u32).map(|i| i % 2).collect();
    let halves = COUNT * COUNT / 4;
    let cell = Periodic::new([10.0, 0.0]).unwrap();
    for (groups, periodic, count) in [
        (&[][..], None, all),
        (&groups, None, halves),
        (&[], Some(cell), all),
    ] {
        for most in [1000, usize::MAX] {
            let settings = PairSettings {
                most,
                periodic,
                ..PairSettings::default()
            };
            let expected = match most {
                1000 => Some(Error::TooMany {
                    what: Argument::Pairs,
                    found: Count::AtLeast(1001),
                    most: 1000,
                }),
                _ => None,
            };
            for (name, mut finder) in finders(settings) {
                // Brute force in periodic space is slow, and limited as that in open space is.
                if name == "brute" && periodic.is_some() {
                    continue;
                }
                let (mut pairs, mut contacts) = (vec![[0; 2]], Vec::new());
                let (updated, answers) = with_at_most(MEGABYTES << 20, || {
                    finder.leave_out(groups, &[]);
                    let updated = finder.update(spheres.into());
                    let found = finder.pairs(&mut pairs);
                    let chunks = finder.for_each_chunk(&mut |_| ());
                    (updated, [found, chunks, finder.contacts(&mut contacts)])
                });
                updated.unwrap();
                for answer in answers {
                    let error = answer.unwrap_err();
                    match &expected {
                        Some(expected) => assert_eq!(error, *expected, "{name}"),
                        None => assert!(is_memory_of_pairs(&error, count), "{name}: {error}"),
                    }
                }
                assert!(pairs.is_empty() && contacts.is_empty(), "{name}");
            }
        }
    }
}
