//! Broad phase: warm calls allocate nothing, on any thread of the pool.

use tangere::pairs::{Candidates, Items, Mask, PairSettings, Periodic};
use tangere::pairs::{Dimension, Space};
use test_support::allocations::of_process;
use test_support::{Random, alone, finders};

/// All methods, and candidates.
fn methods<const D: usize>(settings: PairSettings<D>) -> Vec<finders::Named<D>>
where
    Space: Dimension<D>,
{
    let mut methods = finders::methods(settings);
    // With a skin nothing is searched after the first time, without one always.
    for (name, skin) in [("reused", 0.1), ("candidates", 0.0)] {
        let finder = Candidates::new(settings.with_skin(skin)).expect("valid settings");
        methods.push((name, Box::new(finder)));
    }
    methods
}

/// Places from 0 to `side` on each axis.
fn places<const D: usize>(count: usize, side: f64) -> Vec<[f64; D]> {
    let mut random = Random::new(7);
    (0..count)
        .map(|_| [(); D].map(|()| side * random.unit()))
        .collect()
}

/// Items of small scenes.
const FEW: usize = 300;

/// Runs every method up to four times, and adds to `failures` where the last two runs allocate,
/// each as method, query and the rest.
fn query<const D: usize>(
    (count, side): (usize, f64),
    narrow: usize,
    threads: usize,
    failures: &mut Vec<String>,
) where
    Space: Dimension<D>,
{
    let places = places::<D>(count, side);
    let (centers, others) = places.split_at(count - count / 8);
    let radii: Vec<f64> = (0..count).map(|i| 0.1 + 0.05 * (i % 5) as f64).collect();
    let upper: Vec<[f64; D]> = (places.iter().zip(&radii))
        .map(|(p, r)| p.map(|x| x + r))
        .collect();
    let (upper, others_upper) = upper.split_at(centers.len());
    let (radii, others_radii) = radii.split_at(centers.len());
    let spheres = [
        Items::Spheres { centers, radii },
        Items::Spheres {
            centers: others,
            radii: others_radii,
        },
    ];
    let boxes = [
        Items::Boxes {
            lower: centers,
            upper,
        },
        Items::Boxes {
            lower: others,
            upper: others_upper,
        },
    ];
    let cell = |length: f64| Some(Periodic::new([length; D]).expect("a valid cell"));
    let (groups, masks): (Vec<u32>, Vec<Mask>) = (0..centers.len() as u32)
        .map(|i| {
            (
                i / 3,
                Mask {
                    meets: 1 << (i % 2) | 4,
                    ..Mask::ALL
                },
            )
        })
        .unzip();
    // With several images of each pair, and what is left out.
    let spaces = [
        ("open", None, false, false),
        ("periodic", cell(side), false, false),
        ("open, grouped", None, false, true),
        ("narrow, grouped", cell(0.4), true, true),
    ];
    for (kind, [items, others]) in [("spheres", spheres), ("boxes", boxes)] {
        for (space, periodic, every_image, grouped) in spaces {
            if count > narrow && every_image {
                continue;
            }
            let settings = PairSettings {
                margin: 0.05,
                periodic,
                every_image,
                ..Default::default()
            };
            for (name, mut finder) in methods(settings) {
                if count > 3000 && ["brute", "corner"].contains(&name) {
                    continue;
                }
                let (mut pairs, mut contacts, mut between) = Default::default();
                // The least of two: threads that begin or end may allocate meanwhile.
                let mut counts = [usize::MAX; 5];
                for time in 0..4 {
                    let now = [
                        of_process(|| {
                            if grouped {
                                finder.leave_out(&groups, &masks);
                            }
                            finder.update(items).expect("valid items");
                        }),
                        of_process(|| finder.pairs(&mut pairs).expect("no limit")),
                        of_process(|| finder.contacts(&mut contacts).expect("no limit")),
                        of_process(|| finder.query(others, &mut between).expect("no limit")),
                        of_process(|| finder.for_each_chunk(&mut |_| ()).expect("no limit")),
                    ];
                    if time >= 2 {
                        counts = std::array::from_fn(|k| counts[k].min(now[k]));
                    }
                    if counts == [0; 5] {
                        break;
                    }
                }
                assert!(!pairs.is_empty() && !between.is_empty());
                match every_image {
                    true => assert!(pairs.len() < contacts.len()),
                    false => assert_eq!(pairs.len(), contacts.len()),
                }
                for (question, count) in ["update", "pairs", "contacts", "query", "chunks"]
                    .iter()
                    .zip(counts)
                {
                    if count == 0 {
                        continue;
                    }
                    failures.push(format!(
                        "{name} {question}: {count} allocations, {} {kind} in {D}D, {space} space, threads: {threads}",
                        items.len()
                    ));
                }
            }
        }
    }
}

/// Checks warm calls on one thread and on two, in space with every image of at most `narrow` items. A
/// long test checks many items on one thread, too.
fn warm_calls(narrow: usize, is_long: bool) {
    assert!(of_process(|| drop(std::hint::black_box(vec![1]))) > 0);
    let mut failures = Vec::new();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            // So dense that dozens touch.
            query::<2>((FEW, 20.0), FEW, threads, &mut failures);
            query::<3>((FEW, 6.0), narrow, threads, &mut failures);
            query::<3>((75, 4.0), narrow, threads, &mut failures);
            // More than one chunk for the threads to share.
            if threads > 1 || is_long {
                query::<3>((10_000, 20.0), narrow, threads, &mut failures);
            }
        });
    }
    failures.sort();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn warm_calls_allocate_nothing() {
    alone!();
    warm_calls(75, false);
}

#[test]
#[ignore = "half a minute"]
fn warm_calls_among_more_images_allocate_nothing() {
    alone!();
    warm_calls(FEW, true);
}
