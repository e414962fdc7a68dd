//! Queries against closed forms and against each other.

use super::at;
use super::random_scenes::random_scene;
use tangere::geometry::{Aabb, Pose};
use tangere::pairs::Periodic;
use tangere::scene::{Body, Scene, SceneSettings, Shape};
use tangere::tree::Ray;
use test_support::Random;

/// One body of each kind along x, and a floor below.
fn row() -> Scene {
    let mut scene = Scene::new(SceneSettings::default()).unwrap();
    let mesh = tangere::generate::box_mesh([1.0; 3], [2; 3]).unwrap();
    let wall = tangere::generate::plate([1.0, 1.0], [2, 2]).unwrap();
    for (shape, x) in [
        (Shape::sphere(0.5).unwrap(), 0.0),
        (Shape::cuboid([1.0; 3]).unwrap(), 2.0),
        (Shape::capsule(0.25, 0.5).unwrap(), 4.0),
        (Shape::solid(&mesh).unwrap(), 6.0),
        (Shape::wall(&wall), 8.0),
    ] {
        scene
            .add(Body::new(shape).at(at(x, 0.0, 0.0)).fixed())
            .unwrap();
    }
    scene
}

#[test]
fn rays_hit_what_is_above() {
    let scene = row();
    let queries = scene.queries().unwrap();
    let down = |x: f64| Ray {
        origin: [x, 0.1, 3.0],
        direction: [0.0, 0.0, -2.0],
        t_max: f64::INFINITY,
    };
    let hits = queries
        .rays(&[0.0, 2.0, 4.0, 6.0, 8.0, 1.0].map(down))
        .unwrap();
    let top = |r: f64| (r * r - 0.01f64).sqrt();
    let heights = [top(0.5), 0.5, 0.25 + top(0.25), 0.5, 0.0];
    for (i, (hit, height)) in hits.iter().zip(heights).enumerate() {
        assert_eq!(hit.body, Some(i as u64));
        super::assert_close(hit.t, (3.0 - height) / 2.0, 1e-14);
        assert!(hit.normal[2] > 0.9, "{hit:?}");
    }
    assert_eq!(hits[5].body, None);
    let along = Ray {
        origin: [-3.0, 0.0, 0.0],
        direction: [1.0, 0.0, 0.0],
        t_max: 2.4,
    };
    assert_eq!(queries.rays(&[along]).unwrap()[0].body, None);
    let along = Ray {
        t_max: 2.6,
        ..along
    };
    let hit = queries.rays(&[along]).unwrap()[0];
    assert_eq!(
        (hit.body, hit.t, hit.normal),
        (Some(0), 2.5, [-1.0, 0.0, 0.0])
    );
    let within = Ray {
        origin: [2.2, 0.0, 0.0],
        ..along
    };
    assert_eq!(queries.rays(&[within]).unwrap()[0].t, 0.0);
    let none = Ray {
        direction: [0.0; 3],
        ..along
    };
    assert!(queries.rays(&[none]).is_err());
}

#[test]
fn points_find_their_bodies() {
    let scene = row();
    let queries = scene.queries().unwrap();
    let points = [
        [0.0, 0.0, 1.0],
        [2.0, 0.0, 0.4],
        [4.0, 0.0, 0.75],
        [6.0, 0.1, 0.3],
        [8.0, 0.2, 0.25],
    ];
    let gaps = [0.5, -0.1, 0.25, -0.2, 0.25];
    for (i, (near, gap)) in queries
        .nearest(&points)
        .unwrap()
        .iter()
        .zip(gaps)
        .enumerate()
    {
        assert_eq!(near.body, Some(i as u64));
        super::assert_close(near.gap, gap, 1e-12);
    }
    let lists = queries.containing(&points).unwrap();
    let found: Vec<&[u64]> = (0..5).map(|i| lists.of(i)).collect();
    assert_eq!(found, [&[][..], &[1], &[], &[3], &[]]);
    let slab = Aabb {
        min: [-10.0, -0.1, 0.45],
        max: [10.0, 0.1, 0.6],
    };
    let lists = queries.in_boxes(&[slab]).unwrap();
    assert_eq!(lists.of(0), [0, 1, 2, 3]);
    assert!(queries.nearest(&[[f64::NAN; 3]]).is_err());
}

#[test]
fn queries_agree_with_each_other_in_random_scenes() {
    let mut random = Random::new(8);
    for _ in 0..8 {
        let scene = random_scene(&mut random, 20, 1.5);
        let queries = scene.queries().unwrap();
        let points: Vec<[f64; 3]> = (0..60)
            .map(|_| random.point().map(|x| 2.0 * x - 0.3))
            .collect();
        let near = queries.nearest(&points).unwrap();
        let contain = queries.containing(&points).unwrap();
        let at: Vec<Aabb<3>> = points.iter().map(|&p| Aabb { min: p, max: p }).collect();
        let boxed = queries.in_boxes(&at).unwrap();
        for i in 0..points.len() {
            // A point inside a body is also one of a box without extent, and nearest to something deep.
            assert!(
                contain.of(i).iter().all(|id| boxed.of(i).contains(id)),
                "{:?}",
                points[i]
            );
            if !contain.of(i).is_empty() {
                assert!(near[i].gap <= 0.0);
                assert!(contain.of(i).contains(&near[i].body.unwrap()));
            }
            let away = [0, 1, 2].map(|k| near[i].point[k] - points[i][k]);
            let distance = away.iter().map(|x| x * x).sum::<f64>().sqrt();
            super::assert_close(distance, near[i].gap.abs(), 1e-9);
        }
    }
}

#[test]
fn points_find_images() {
    let cell = Periodic::new([4.0; 3]).unwrap();
    let mut scene = Scene::new(SceneSettings::default().with_periodic(cell)).unwrap();
    let ball = Body::new(Shape::sphere(0.5).unwrap());
    scene.add(ball.at(at(0.1, 2.0, 2.0))).unwrap();
    let queries = scene.queries().unwrap();
    let near = queries.nearest(&[[3.0, 2.0, 2.0]]).unwrap()[0];
    super::assert_close(near.gap, 0.6, 1e-14);
    super::assert_close(near.point[0], 3.6, 1e-14);
    assert_eq!(queries.containing(&[[3.9, 2.0, 2.0]]).unwrap().of(0), [0]);
}

#[test]
fn an_empty_scene_has_nothing_near() {
    let scene = Scene::new(SceneSettings::default()).unwrap();
    let queries = scene.queries().unwrap();
    assert_eq!(queries.nearest(&[[0.0; 3]]).unwrap()[0].body, None);
    assert!(queries.containing(&[[0.0; 3]]).unwrap().of(0).is_empty());
}

/// A part of a compound as an independent statement of what is in it.
enum Inside {
    Ball([f64; 3], f64),
    Box(Pose, [f64; 3]),
    Capsule(Pose, f64, f64),
}

impl Inside {
    /// Whether a point is in the part.
    fn has(&self, p: [f64; 3]) -> bool {
        let square = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>();
        match self {
            Inside::Ball(c, r) => square(std::array::from_fn(|k| p[k] - c[k])) <= r * r,
            Inside::Box(pose, size) => {
                let local = pose.inverse().apply(p);
                (0..3).all(|k| local[k].abs() <= 0.5 * size[k])
            }
            Inside::Capsule(pose, r, length) => {
                let [x, y, z] = pose.inverse().apply(p);
                let beyond = (z.abs() - 0.5 * length).max(0.0);
                square([x, y, beyond]) <= r * r
            }
        }
    }
}

#[test]
fn faces_that_parts_share_are_inside() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let mesh = tangere::generate::box_mesh([1.0; 3], [2; 3]).unwrap();
    for part in [cube.clone(), Shape::solid(&mesh).unwrap()] {
        let parts = [
            (cube.clone(), at(-0.5, 0.0, 0.0)),
            (part, at(0.5, 0.0, 0.0)),
        ];
        let mut scene = Scene::new(SceneSettings::default()).unwrap();
        let body = Body::new(Shape::compound(&parts).unwrap());
        scene.add(body.at(at(3.0, 2.0, 1.0))).unwrap();
        let queries = scene.queries().unwrap();
        for (p, gap) in [
            ([0.0, 0.0, 0.0], -0.5),
            ([0.0, 0.4, 0.0], -0.1),
            ([0.01, 0.1, -0.2], -0.3),
            ([0.7, 0.0, 0.0], -0.3),
            ([0.0, 0.5, 0.0], 0.0),
            ([0.0, 0.75, 0.0], 0.25),
            ([1.5, 0.0, 0.0], 0.5),
        ] {
            let point = [p[0] + 3.0, p[1] + 2.0, p[2] + 1.0];
            let near = queries.nearest(&[point]).unwrap()[0];
            super::assert_close(near.gap, gap, 1e-12);
            let away = [0, 1, 2].map(|k| near.point[k] - point[k]);
            let distance = away.iter().map(|x| x * x).sum::<f64>().sqrt();
            super::assert_close(distance, gap.abs(), 1e-12);
        }
    }
}

fn random_union(random: &mut Random, count: usize, with_capsules: bool) -> (Shape, Vec<Inside>) {
    let (mut parts, mut inside) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let place = random.vector(0.5);
        let pose = random.pose(place);
        let (shape, part) = match random.below(if with_capsules { 3 } else { 2 }) {
            0 => {
                let radius = random.between(0.3, 0.6);
                let ball = Inside::Ball(pose.translation(), radius);
                (Shape::sphere(radius).unwrap(), ball)
            }
            1 => {
                let size = [0; 3].map(|_| random.between(0.5, 1.1));
                (Shape::cuboid(size).unwrap(), Inside::Box(pose, size))
            }
            _ => {
                let (r, l) = (random.between(0.2, 0.4), random.between(0.3, 0.9));
                (Shape::capsule(r, l).unwrap(), Inside::Capsule(pose, r, l))
            }
        };
        parts.push((shape, pose));
        inside.push(part);
    }
    (Shape::compound(&parts).unwrap(), inside)
}

/// The ball around a point with the radius of its depth is in the union, and the nearest point is on
/// the surface, by sampling; where capsules make the gap a bound, the first holds.
#[test]
fn depth_in_a_compound_is_that_of_the_union() {
    let mut random = Random::new(31);
    let (mut deeper, mut found_inside) = (0, 0);
    for case in 0..400 {
        let with_capsules = case % 4 == 3;
        let (shape, parts) = random_union(&mut random, 2 + case % 5, with_capsules);
        let has = |p: [f64; 3]| parts.iter().any(|part| part.has(p));
        let mut scene = Scene::new(SceneSettings::default()).unwrap();
        scene.add(Body::new(shape)).unwrap();
        let queries = scene.queries().unwrap();
        let points: Vec<[f64; 3]> = (0..12).map(|_| random.vector(0.5)).collect();
        let near = queries.nearest(&points).unwrap();
        for (p, near) in points.into_iter().zip(near) {
            assert_eq!(near.gap < 0.0, has(p), "case {case}: {p:?} {near:?}");
            let away = [0, 1, 2].map(|k| near.point[k] - p[k]);
            let distance = away.iter().map(|x| x * x).sum::<f64>().sqrt();
            super::assert_close(distance, near.gap.abs(), 1e-9);
            if near.gap >= 0.0 {
                assert!(!has([0, 1, 2].map(|k| p[k] + 0.999 * away[k])));
                continue;
            }
            found_inside += 1;
            let mut has_all = vec![true; parts.len()];
            for _ in 0..200 {
                let way: [f64; 3] = random.direction();
                let within = (1.0 - 1e-9) * distance * random.unit().sqrt();
                let q = [0, 1, 2].map(|k| p[k] + within * way[k]);
                assert!(has(q), "case {case}: {p:?} {near:?} {q:?}");
                for (holds, part) in has_all.iter_mut().zip(&parts) {
                    *holds &= part.has(q);
                }
            }
            // Where parts meet, few directions may lead out.
            let mut directions = 0..if with_capsules { 0 } else { 100_000 };
            let is_outside = directions.any(|_| {
                let way: [f64; 3] = random.direction();
                !has([0, 1, 2].map(|k| near.point[k] + 1e-7 * way[k]))
            });
            assert!(with_capsules || is_outside, "case {case}: {p:?} {near:?}");
            // No part alone has the ball.
            deeper += usize::from(!has_all.contains(&true));
        }
    }
    assert!(
        deeper > 50 && found_inside > 1000,
        "{deeper} {found_inside}"
    );
}
