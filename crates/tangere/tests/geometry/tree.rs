//! BVH: every traversal agrees with brute force, on lattices that force ties, at large offsets and
//! on degenerate input.

use proptest::prelude::*;
use tangere::generate::{ParticleBox, particles};
use tangere::geometry::{Aabb, COORDINATE_MAX, Pose};
use tangere::shape::Spheres;
use tangere::tree::{Ray, Tree};

/// Boxes with corners on a lattice, so that many touch; some have no extent.
fn lattice_boxes<const D: usize>(most: usize) -> impl Strategy<Value = Vec<Aabb<D>>> {
    let corner = prop::collection::vec((0..20i32, 0..4i32), D);
    let place = (
        prop::sample::select(vec![0.0, 1e9, -3e5]),
        prop::sample::select(vec![1.0, 1e-3, 1e40]),
    );
    (prop::collection::vec(corner, 0..most), place).prop_map(|(corners, (offset, scale))| {
        corners
            .iter()
            .map(|corner| Aabb {
                min: std::array::from_fn(|k| (f64::from(corner[k].0) + offset) * scale),
                max: std::array::from_fn(|k| {
                    (f64::from(corner[k].0 + corner[k].1) + offset) * scale
                }),
            })
            .collect()
    })
}

fn found(mut visited: Vec<u32>, qualifies: impl Fn(u32) -> bool) -> Vec<u32> {
    visited.sort_unstable();
    assert!(
        visited.windows(2).all(|w| w[0] < w[1]),
        "an item came twice"
    );
    visited.retain(|&i| qualifies(i));
    visited
}

fn check_boxes<const D: usize>(tree: &Tree<D>, boxes: &[Aabb<D>]) {
    for query in boxes.iter().take(20) {
        let mut visited = Vec::new();
        tree.overlapping(query, |i| visited.push(i));
        let meets = |i: u32| boxes[i as usize].overlaps(query);
        let expected: Vec<u32> = (0..boxes.len() as u32).filter(|&i| meets(i)).collect();
        assert_eq!(found(visited, meets), expected);
    }
}

fn check_self_pairs<const D: usize>(tree: &Tree<D>, boxes: &[Aabb<D>]) {
    let mut pairs = Vec::new();
    tree.self_pairs(|a, b| pairs.push((a.min(b), a.max(b))));
    pairs.sort_unstable();
    assert!(pairs.windows(2).all(|w| w[0] < w[1]), "a pair came twice");
    pairs.retain(|&(a, b)| boxes[a as usize].overlaps(&boxes[b as usize]));
    let n = boxes.len() as u32;
    let expected: Vec<(u32, u32)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .filter(|&(a, b)| boxes[a as usize].overlaps(&boxes[b as usize]))
        .collect();
    assert_eq!(pairs, expected);
}

/// The squared distance of a point from a box.
fn square<const D: usize>(p: [f64; D], b: &Aabb<D>) -> f64 {
    (0..D)
        .map(|k| (b.min[k] - p[k]).max(p[k] - b.max[k]).max(0.0).powi(2))
        .sum()
}

fn check_nearest<const D: usize>(tree: &Tree<D>, boxes: &[Aabb<D>], points: &[[f64; D]]) {
    for &p in points {
        let mut least = f64::INFINITY;
        tree.approaching(p, f64::INFINITY, |i, bound| {
            least = least.min(square(p, &boxes[i as usize]));
            *bound = least;
        });
        let expected = boxes
            .iter()
            .map(|b| square(p, b))
            .fold(f64::INFINITY, f64::min);
        assert_eq!(least, expected);
        let mut within = Vec::new();
        tree.approaching(p, expected * 4.0, |i, _| within.push(i));
        let near = |i: u32| square(p, &boxes[i as usize]) <= expected * 4.0;
        let expected: Vec<u32> = (0..boxes.len() as u32).filter(|&i| near(i)).collect();
        assert_eq!(found(within, near), expected);
    }
}

/// A tree, and the same tree after its items have moved to entirely other places.
fn check_before_and_after<const D: usize>(mut boxes: Vec<Aabb<D>>, moved: &[Aabb<D>]) {
    let mut tree = Tree::of_boxes(&boxes).expect("valid boxes");
    let points: Vec<[f64; D]> = moved.iter().take(5).map(|b| b.min).collect();
    check_boxes(&tree, &boxes);
    check_self_pairs(&tree, &boxes);
    check_nearest(&tree, &boxes, &points);
    let n = boxes.len().min(moved.len());
    boxes[..n].copy_from_slice(&moved[..n]);
    tree.refit(&boxes).expect("as many boxes");
    check_boxes(&tree, &boxes);
    check_self_pairs(&tree, &boxes);
}

/// Whether a ray meets a box, by a slab test with exact divisions left out:
/// t-intervals as fractions over the integers.
fn ray_meets<const D: usize>(
    origin: [i64; D],
    direction: [i64; D],
    lo: [i64; D],
    hi: [i64; D],
) -> bool {
    // Entry and exit as fractions with positive denominators.
    let (mut entry, mut exit) = ((0i64, 1i64), (1i64, 0i64));
    for k in 0..D {
        let d = direction[k];
        if d == 0 {
            if origin[k] < lo[k] || origin[k] > hi[k] {
                return false;
            }
            continue;
        }
        let (near, far) = if d > 0 {
            (lo[k], hi[k])
        } else {
            (hi[k], lo[k])
        };
        let (near, far) = (
            (near - origin[k]) * d.signum(),
            (far - origin[k]) * d.signum(),
        );
        let less = |a: (i64, i64), b: (i64, i64)| a.0 * b.1 < b.0 * a.1;
        if less(entry, (near, d.abs())) {
            entry = (near, d.abs());
        }
        if less((far, d.abs()), exit) {
            exit = (far, d.abs());
        }
    }
    entry.0 * exit.1 <= exit.0 * entry.1
}

proptest! {
    #[test]
    fn boxes_pairs_and_distances_agree_in_2d(
        boxes in lattice_boxes::<2>(300), moved in lattice_boxes::<2>(300),
    ) {
        check_before_and_after(boxes, &moved);
    }

    #[test]
    fn boxes_pairs_and_distances_agree_in_3d(
        boxes in lattice_boxes::<3>(400), moved in lattice_boxes::<3>(300),
    ) {
        check_before_and_after(boxes, &moved);
    }

    #[test]
    fn rays_on_a_lattice_agree(
        corners in prop::collection::vec(prop::array::uniform3((0..20i64, 0..4i64)), 0..300),
        origin in prop::array::uniform3(-5..25i64),
        direction in prop::array::uniform3(-3..4i64),
        offset in prop::sample::select(vec![0i64, 1 << 30]),
    ) {
        let boxes: Vec<Aabb<3>> = corners.iter().map(|c| Aabb {
            min: c.map(|(lo, _)| (lo + offset) as f64),
            max: c.map(|(lo, size)| (lo + size + offset) as f64),
        }).collect();
        let tree = Tree::of_boxes(&boxes).unwrap();
        let ray = Ray {
            origin: origin.map(|x| (x + offset) as f64),
            direction: direction.map(|x| x as f64),
            t_max: f64::INFINITY,
        };
        let mut visited = Vec::new();
        tree.along_ray(&ray, |i, _| visited.push(i));
        let meets = |i: u32| {
            let c = corners[i as usize];
            ray_meets(origin, direction, c.map(|(lo, _)| lo), c.map(|(lo, size)| lo + size))
        };
        let expected: Vec<u32> = (0..boxes.len() as u32).filter(|&i| meets(i)).collect();
        prop_assert_eq!(found(visited, meets), expected);
    }

    #[test]
    fn trees_against_each_other_agree_under_a_pose(
        a in lattice_boxes::<3>(120), b in lattice_boxes::<3>(120),
        q in prop::array::uniform4(-1.0f64..1.0), turned in any::<bool>(),
    ) {
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        prop_assume!(norm > 0.1 && !a.is_empty() && !b.is_empty());
        let q = q.map(|x| x / norm);
        // Bring some item of b onto some item of a.
        let rotation = if turned { q } else { [1.0, 0.0, 0.0, 0.0] };
        let numbers = |t: [f64; 3]| [&t[..], &rotation[..]].concat();
        let turn = Pose::from_numbers(&numbers([0.0; 3])).unwrap();
        let (target, source) = (a[0].min, turn.apply(b[0].max));
        let pose = Pose::from_numbers(&numbers(std::array::from_fn(|k| target[k] - source[k]))).unwrap();

        let (tree_a, tree_b) = (Tree::of_boxes(&a).unwrap(), Tree::of_boxes(&b).unwrap());
        let corners = |b: &Aabb<3>| {
            let corner = |i: usize| std::array::from_fn(|k| if i >> k & 1 == 0 { b.min[k] } else { b.max[k] });
            Aabb::of_points((0..8).map(corner).map(|p| pose.apply(p)))
        };
        let moved: Vec<Aabb<3>> = b.iter().map(corners).collect();
        let meets = |i: u32, j: u32| a[i as usize].overlaps(&moved[j as usize]);
        let mut pairs = Vec::new();
        tree_a.overlapping_pairs(&tree_b, &pose, |i, j| pairs.push((i, j)));
        pairs.sort_unstable();
        prop_assert!(pairs.windows(2).all(|w| w[0] < w[1]));
        pairs.retain(|&(i, j)| meets(i, j));
        let all = (0..a.len() as u32).flat_map(|i| (0..b.len() as u32).map(move |j| (i, j)));
        let expected: Vec<(u32, u32)> = all.filter(|&(i, j)| meets(i, j)).collect();
        prop_assert_eq!(pairs, expected);
    }
}

#[test]
fn rays_of_any_length_at_any_scale_hit() {
    for exponent in [-280, -150, -40, 0, 40, 126, 140, 190] {
        let s = 2f64.powi(exponent);
        let boxes = [0.9, -1.1, 5.0].map(|x| Aabb {
            min: [x * s; 3],
            max: [(x + 0.2) * s; 3],
        });
        let tree = Tree::of_boxes(&boxes).unwrap();
        for length in [-280, -140, -30, 0, 30, 140, 190] {
            for t_max in [1.0, f64::INFINITY] {
                // To the middle of the first box: with t = 1 it gets there.
                let direction = match t_max {
                    1.0 => [s; 3],
                    _ => [2f64.powi(length); 3],
                };
                let ray = Ray {
                    origin: [0.0; 3],
                    direction,
                    t_max,
                };
                let mut visited = Vec::new();
                tree.along_ray(&ray, |i, _| visited.push(i));
                visited.sort_unstable();
                let expected: &[u32] = if t_max == 1.0 { &[0] } else { &[0, 2] };
                assert_eq!(visited, expected, "scale {s:e}, direction {direction:?}");
            }
        }
    }
}

#[test]
fn boxes_as_large_as_can_be_meet() {
    let largest = Aabb {
        min: [-f64::MAX; 3],
        max: [f64::MAX; 3],
    };
    let tree = Tree::of_boxes(&[largest; 20]).unwrap();
    let mut pairs = 0;
    tree.overlapping_pairs(&tree, &Pose::identity(), |_, _| pairs += 1);
    assert_eq!(pairs, 400);
}

#[test]
fn hit_ends_the_ray() {
    let boxes: Vec<Aabb<3>> = (0..1000)
        .map(|i| Aabb {
            min: [f64::from(i), 0.0, 0.0],
            max: [f64::from(i) + 0.5, 1.0, 1.0],
        })
        .collect();
    let tree = Tree::of_boxes(&boxes).unwrap();
    let ray = Ray {
        origin: [-1.0, 0.5, 0.5],
        direction: [1.0, 0.0, 0.0],
        t_max: f64::INFINITY,
    };
    let mut visits = 0;
    let mut first = None;
    tree.along_ray(&ray, |i, t_max| {
        visits += 1;
        let t = boxes[i as usize].min[0] + 1.0;
        if t < *t_max {
            *t_max = t;
            first = Some(i);
        }
    });
    assert_eq!(first, Some(0));
    assert!(
        visits < 20,
        "{visits} visits for the first of 1000 boxes in a row"
    );
}

#[test]
fn bad_boxes_are_named_and_refused() {
    let good = Aabb {
        min: [0.0, 0.0],
        max: [1.0, 1.0],
    };
    let bad = [
        Aabb {
            min: [f64::NAN, 0.0],
            max: [1.0, 1.0],
        },
        Aabb {
            min: [0.0, 0.0],
            max: [1.0, f64::NAN],
        },
        Aabb {
            min: [0.0, 2.0],
            max: [1.0, 1.0],
        },
        Aabb {
            min: [0.0, f64::NEG_INFINITY],
            max: [1.0, 1.0],
        },
        Aabb::EMPTY,
    ];
    for bad in bad {
        let mut boxes = vec![good; 5000];
        let mut tree = Tree::of_boxes(&boxes).unwrap();
        boxes[4321] = bad;
        for error in [
            Tree::of_boxes(&boxes).unwrap_err(),
            tree.refit(&boxes).unwrap_err(),
        ] {
            assert!(error.to_string().starts_with("box 4321: "), "{error}");
        }
        let mut count = 0;
        tree.overlapping(&good, |_| count += 1);
        assert_eq!(count, 5000);
    }
    let mut tree = Tree::of_boxes(&[good]).unwrap();
    assert!(tree.refit(&[good, good]).is_err());
}

#[test]
fn nan_in_a_query_hides_nothing() {
    let boxes: Vec<Aabb<2>> = (0..100)
        .map(|i| Aabb {
            min: [f64::from(i), 0.0],
            max: [f64::from(i) + 0.5, 1.0],
        })
        .collect();
    let tree = Tree::of_boxes(&boxes).unwrap();
    let nan = f64::NAN;
    let mut count = [0; 3];
    tree.overlapping(
        &Aabb {
            min: [nan, 0.0],
            max: [nan, 0.5],
        },
        |_| count[0] += 1,
    );
    let ray = Ray {
        origin: [nan, 0.5],
        direction: [nan, 0.0],
        t_max: nan,
    };
    tree.along_ray(&ray, |_, _| count[1] += 1);
    tree.approaching([nan, 0.0], nan, |_, _| count[2] += 1);
    assert_eq!(count, [100; 3]);
    let everywhere = Aabb {
        min: [f64::NEG_INFINITY; 2],
        max: [f64::INFINITY; 2],
    };
    let mut count = 0;
    tree.overlapping(&everywhere, |_| count += 1);
    assert_eq!(count, 100);
}

#[test]
fn degenerate_sets_are_trees_too() {
    let empty = Tree::<3>::of_boxes(&[]).unwrap();
    assert_eq!((empty.len(), empty.height()), (0, 0));
    empty.self_pairs(|_, _| panic!("no items"));
    empty.overlapping(&Aabb::EMPTY, |_| panic!("no items"));
    let point = Aabb {
        min: [3.0; 3],
        max: [3.0; 3],
    };
    for n in [1, 2, 8, 9, 1000, 100_000] {
        let boxes = vec![point; n];
        let tree = Tree::of_boxes(&boxes).unwrap();
        let mut count = 0;
        tree.overlapping(&point, |_| count += 1);
        assert_eq!(count, n);
        assert!(tree.height() <= 7, "height {}", tree.height());
    }
    // Sizes and places over the whole range of coordinates: lopsided, but not deep.
    let boxes: Vec<Aabb<2>> = (0..20_000)
        .map(|i| 2f64.powf(f64::from(i) / 20_000.0 * 400.0 - 200.0))
        .map(|x| Aabb {
            min: [x, -x],
            max: [2.0 * x, x],
        })
        .collect();
    let tree = Tree::of_boxes(&boxes).unwrap();
    assert!(tree.height() <= 40, "height {}", tree.height());
    check_boxes(&tree, &boxes);
}

#[test]
fn one_stray_item_costs_no_resolution() {
    let mut boxes: Vec<Aabb<3>> = (0..2000)
        .map(|i| {
            [
                f64::from(i % 10),
                f64::from(i / 10 % 10),
                f64::from(i / 100),
            ]
        })
        .map(|p| Aabb {
            min: p,
            max: p.map(|x| x + 0.5),
        })
        .collect();
    boxes.push(Aabb {
        min: [1e12; 3],
        max: [2e12; 3],
    });
    let mut tree = Tree::of_boxes(&boxes).unwrap();
    for _ in 0..2 {
        let mut pairs = 0;
        tree.self_pairs(|_, _| pairs += 1);
        assert_eq!(pairs, 0);
        tree.refit(&boxes).unwrap();
    }
}

#[test]
fn same_tree_on_any_number_of_threads() {
    let mesh = tangere::generate::sphere(6).unwrap();
    let visits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let tree = Tree::of_mesh(&mesh);
            let mut visits = Vec::new();
            tree.overlapping(&mesh.bounds(), |i| visits.push(i));
            (visits, tree.nodes(), tree.cost().to_bits())
        })
    };
    let expected = visits(1);
    assert_eq!(expected.0.len(), mesh.faces().len());
    for threads in [2, 3, 16] {
        assert_eq!(visits(threads), expected);
    }
}

fn check_spheres<const D: usize>(spheres: &Spheres<D>) -> tangere::Result<()> {
    let boxes: Vec<Aabb<D>> = (0..spheres.len()).map(|i| spheres.bounds(i)).collect();
    let tree = Tree::of_spheres(spheres)?;
    assert_eq!(tree.len(), spheres.len());
    check_boxes(&tree, &boxes);
    check_self_pairs(&tree, &boxes);
    Ok(())
}

#[test]
fn spheres_have_boxes_that_miss_no_touch() {
    for count in [0, 1, 300] {
        let settings = ParticleBox::test_a(3, count, 1);
        check_spheres(&particles::<3>(&settings).unwrap()).unwrap();
        let settings = ParticleBox::test_a(2, count, 1);
        check_spheres(&particles::<2>(&settings).unwrap()).unwrap();
    }
    // The sum of the radii is not below the distance, in exact arithmetic:
    // their boxes must meet, however centre plus radius is rounded.
    for shift in [0.0, 1.0, 1e9, -1e9] {
        let centers = vec![[shift, 0.0], [shift + 0.5, 0.0]];
        let gap: f64 = (shift + 0.5) - shift;
        for radius in [0.1, 0.2, 0.3, 0.4] {
            // gap - radius is exact or rounded up to what still touches.
            let radii = vec![radius, (gap - radius).next_up()];
            let discs = Spheres::new(centers.clone(), radii).unwrap();
            let mut pairs = 0;
            Tree::of_spheres(&discs)
                .unwrap()
                .self_pairs(|_, _| pairs += 1);
            assert_eq!(pairs, 1);
            assert!(discs.bounds(0).overlaps(&discs.bounds(1)));
        }
    }
    // At the largest coordinates boxes are finite still.
    let far = COORDINATE_MAX;
    let spheres = Spheres::new(vec![[far, -far, far]], vec![far]).unwrap();
    check_spheres(&spheres).unwrap();
}
