//! Regions against brute force: the surface is where containment changes.

use tangere_sim::region::{Combined, Moved, Placement, Region, Shape, Solid, SurfacePoints};

type Vector = [f64; 3];

fn solid(shape: Shape, is_outside: bool) -> Region {
    Region::Solid(Solid {
        shape,
        is_outside,
        open: [false; 6],
    })
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Block {
            low: [-1.0, -0.5, -0.8],
            high: [0.9, 0.7, 1.0],
        },
        Shape::Cylinder {
            axis: 1,
            center: [0.2, -0.1],
            radius: 0.9,
            ends: [-0.7, 1.1],
        },
        Shape::Cone {
            axis: 2,
            center: [0.0, 0.1],
            radii: [0.3, 1.2],
            ends: [-1.0, 0.8],
        },
        Shape::Sphere {
            center: [0.1, 0.2, -0.1],
            radius: 1.1,
        },
        Shape::Plane {
            point: [0.1, 0.0, 0.2],
            normal: [0.6, 0.0, 0.8],
        },
    ]
}

/// Random numbers from 0 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn point(&mut self) -> Vector {
        [0; 3].map(|_| 4.0 * self.next() - 2.0)
    }

    fn direction(&mut self) -> Vector {
        loop {
            let p = [0; 3].map(|_| 2.0 * self.next() - 1.0);
            let size = length(p);
            if size > 0.1 && size < 1.0 {
                return p.map(|x| x / size);
            }
        }
    }
}

fn length(v: Vector) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn plus(a: Vector, b: Vector, s: f64) -> Vector {
    std::array::from_fn(|k| a[k] + s * b[k])
}

/// The distance along a ray at which containment changes, by bisection; none within reach.
fn along(region: &Region, from: Vector, way: Vector, reach: f64) -> Option<f64> {
    let own = region.contains(from);
    let steps = 64;
    let far = (1..=steps).map(|i| reach * f64::from(i) / f64::from(steps));
    let (mut low, mut high) = (
        0.0,
        far.into_iter()
            .find(|t| region.contains(plus(from, way, *t)) != own)?,
    );
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match region.contains(plus(from, way, middle)) == own {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(high)
}

/// The closest place that is found is as far as the closest place of the surface, and on it.
fn check(region: &Region, seed: u64) {
    let mut numbers = Numbers(seed);
    let mut points = SurfacePoints::new();
    let reach = 0.7;
    for _ in 0..300 {
        let center = numbers.point();
        region.surface_points(center, reach, &mut points);
        if !region.contains(center) {
            assert!(points.is_empty());
            continue;
        }
        let closest = points
            .iter()
            .map(|p| p.distance)
            .fold(f64::INFINITY, f64::min);
        for point in points.iter() {
            assert!(
                (length(point.way) - point.distance).abs() < 1e-12,
                "{point:?}"
            );
            assert!(point.distance < reach);
        }
        if let Some(point) = points.iter().find(|point| point.distance == closest) {
            // Around a point of the surface, some points are inside and some are not.
            let surface = plus(center, point.way, -1.0);
            let mut around = [false; 2];
            for _ in 0..100 {
                let near = plus(surface, numbers.direction(), 1e-7);
                around[usize::from(region.contains(near))] = true;
            }
            assert_eq!(around, [true; 2], "{region:?} {center:?}: {point:?}");
        }
        for _ in 0..60 {
            let way = numbers.direction();
            if let Some(distance) = along(region, center, way, reach) {
                assert!(
                    closest <= distance + 1e-9,
                    "{region:?} {center:?}: {distance} along {way:?}, found {closest}"
                );
            }
        }
    }
}

#[test]
fn solids() {
    for (i, shape) in shapes().into_iter().enumerate() {
        for is_outside in [false, true] {
            check(&solid(shape.clone(), is_outside), 1 + i as u64);
        }
    }
}

#[test]
fn unions_and_intersections() {
    let shapes = shapes();
    let mut seed = 100;
    for i in 0..shapes.len() {
        for j in 0..i {
            let parts = vec![
                solid(shapes[i].clone(), false),
                solid(shapes[j].clone(), false),
            ];
            seed += 1;
            // From inside an intersection all parts are convex, and the closest place is found.
            let region = Region::Combined(Combined {
                parts: parts.clone(),
                is_intersection: true,
                is_outside: false,
            });
            check(&region, seed);
            // Outside of a union of solids the same holds.
            let region = Region::Combined(Combined {
                parts,
                is_intersection: false,
                is_outside: true,
            });
            check(&region, seed);
        }
    }
}

#[test]
fn moved_regions() {
    let placement = Placement::shifted([0.3, -0.2, 0.1], [1.0, 0.0, 0.0]).turned(
        [0.1, 0.2, 0.3],
        [1.0, 2.0, -1.0],
        0.8,
        2.0,
    );
    for (i, shape) in shapes().into_iter().enumerate() {
        let region = solid(shape, false);
        check(
            &Region::Moved(Box::new(Moved { region, placement })),
            200 + i as u64,
        );
    }
    // A ball that turns about z: its surface moves with it.
    let placement =
        Placement::shifted([0.0; 3], [0.0, 0.5, 0.0]).turned([0.0; 3], [0.0, 0.0, 2.0], 0.3, 2.0);
    let region = solid(
        Shape::Sphere {
            center: [0.0; 3],
            radius: 1.0,
        },
        false,
    );
    let region = Region::Moved(Box::new(Moved { region, placement }));
    let mut points = SurfacePoints::new();
    region.surface_points([0.8, 0.0, 0.0], 0.5, &mut points);
    assert_eq!(points.len(), 1);
    let velocity = points[0].velocity;
    assert!((velocity[0]).abs() < 1e-12 && (velocity[1] - 2.5).abs() < 1e-12);
}

#[test]
fn open_faces_are_touched_from_both_sides() {
    let mut open = [false; 6];
    open[5] = true;
    let region = Region::Solid(Solid {
        shape: Shape::Block {
            low: [0.0; 3],
            high: [1.0; 3],
        },
        is_outside: false,
        open,
    });
    let mut points = SurfacePoints::new();
    let mut faces = |center: Vector, reach: f64| -> Vec<u32> {
        region.surface_points(center, reach, &mut points);
        points.iter().map(|point| point.face).collect()
    };
    assert_eq!(faces([0.1, 0.5, 0.9], 0.2), [0]);
    assert_eq!(faces([-0.1, 0.5, 0.5], 0.2), [0]);
    assert_eq!(faces([0.5, 0.5, 1.1], 0.2), [] as [u32; 0]);
    assert_eq!(faces([0.1, 0.1, 0.1], 0.2), [0, 2, 4]);
    // A funnel: the cone is open at both ends and touches from inside and outside.
    let region = Region::Solid(Solid {
        shape: Shape::Cone {
            axis: 2,
            center: [0.0; 2],
            radii: [0.5, 1.5],
            ends: [0.0, 1.0],
        },
        is_outside: false,
        open: [true, true, false, false, false, false],
    });
    let half = 0.5_f64.sqrt();
    for (center, distance) in [([0.8, 0.0, 0.5], 0.2 * half), ([1.2, 0.0, 0.5], 0.2 * half)] {
        region.surface_points(center, 0.3, &mut points);
        assert_eq!(points.len(), 1);
        assert!(
            (points[0].distance - distance).abs() < 1e-12,
            "{:?}",
            points[0]
        );
        // From outside the surface is one face.
        assert_eq!(points[0].face, if center[0] < 1.0 { 2 } else { 0 });
    }
    assert!(region.contains([0.0, 0.0, 0.5]));
}

#[test]
fn curvature() {
    let radius = |region: &Region, center: Vector| {
        let mut points = SurfacePoints::new();
        region.surface_points(center, 0.3, &mut points);
        points[0].curvature_radius
    };
    let cylinder = |is_outside| {
        solid(
            Shape::Cylinder {
                axis: 2,
                center: [0.0; 2],
                radius: 1.0,
                ends: [-1e20, 1e20],
            },
            is_outside,
        )
    };
    assert_eq!(radius(&cylinder(false), [0.9, 0.0, 0.0]), -2.0);
    assert_eq!(radius(&cylinder(true), [1.1, 0.0, 0.0]), 2.0);
    let ball = |is_outside| {
        solid(
            Shape::Sphere {
                center: [0.0; 3],
                radius: 1.0,
            },
            is_outside,
        )
    };
    assert_eq!(radius(&ball(false), [0.9, 0.0, 0.0]), -1.0);
    assert_eq!(radius(&ball(true), [1.1, 0.0, 0.0]), 1.0);
    let tube = Region::Tube {
        axis: 2,
        radius: 1.0,
    };
    assert_eq!(radius(&tube, [0.9, 0.0, 5.0]), -2.0);
    let planes = Region::Planes {
        axis: 0,
        low: Some(0.0),
        high: None,
    };
    assert_eq!(radius(&planes, [0.2, 0.0, 5.0]), f64::INFINITY);
}
