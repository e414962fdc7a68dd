//! Sphere packings known in closed form; every sphere is the largest that fits.

use super::bodies::{block, check};
use tangere::geometry::{Aabb, Pose, Similarity};
use tangere::overlap::pack::{
    Container, FunctionContainer, MeshContainer, PackSettings, pack, pack_mesh,
};
use tangere::shape::{ConvexPolyhedron, Packing};
use tangere::{Result, generate};

#[test]
fn a_cube_has_its_ball_and_then_its_corners() {
    let packing = pack_mesh(&block([1.0; 3]), &PackSettings::spheres(9)).unwrap();
    let (centers, radii) = (packing.centers(), packing.radii());
    assert!((radii[0] - 0.5).abs() < 1e-12);
    assert!(centers[0].iter().all(|x| (x - 0.5).abs() < 1e-12));
    // 1/2 + r + sqrt(3) r is half of the diagonal.
    let root = 3.0_f64.sqrt();
    let corner = (0.5 * root - 0.5) / (1.0 + root);
    for (center, radius) in centers.iter().zip(radii).skip(1) {
        assert!((radius / corner - 1.0).abs() < 2e-4, "{radius} {corner}");
        let wall = center.map(|x| x.min(1.0 - x));
        assert!(wall.iter().all(|x| (x / corner - 1.0).abs() < 2e-3));
    }
}

#[test]
fn first_spheres_are_inscribed() {
    // Distances of the faces: of the octahedron from its centre, of the block from its middle
    // plane.
    for (mesh, radius) in [
        (generate::sphere(0).unwrap(), 1.0 / 3.0_f64.sqrt()),
        (block([1.0, 3.0, 0.25]), 0.125),
        (block([4e-3, 7.0, 2.0]), 2e-3),
    ] {
        let packing = pack_mesh(&mesh, &PackSettings::spheres(1)).unwrap();
        assert!((packing.radii()[0] / radius - 1.0).abs() < 1e-4);
    }
    let hull = generate::hull(200, 3).unwrap();
    let convex = ConvexPolyhedron::from_mesh(&hull).unwrap();
    let settings = PackSettings::spheres(50);
    let packing = pack(&mut MeshContainer::of_convex(&convex).unwrap(), &settings).unwrap();
    check(&hull, &packing);
    let volume = convex.mass_properties().volume;
    assert!((packing.body_volume() / volume - 1.0).abs() < 1e-12);
}

#[test]
fn plates_of_any_thickness_are_packed() {
    for thickness in [1e-3, 1e-4, 1e-5, 1e-7] {
        for turned in [false, true] {
            let mut mesh = block([1.0, 1.0, thickness]);
            if turned {
                let pose: Pose = "0,0,0,0.8,0.36,0.48,0".parse().unwrap();
                let motion = Similarity::new(1.0, pose).unwrap();
                mesh = mesh.transformed(&motion).unwrap();
            }
            for count in [1, 300] {
                let packing = pack_mesh(&mesh, &PackSettings::spheres(count)).unwrap();
                assert_eq!(packing.len(), count, "{thickness}");
                let half = 0.5 * thickness;
                let largest = packing.radii()[0];
                assert!(
                    largest <= half && largest > 0.9 * half,
                    "{thickness}: {largest}"
                );
                // Others lie beside it, not in what it left of its corner.
                let middle = packing.radii()[count / 2];
                assert!(middle > 0.8 * half, "{thickness}: {middle}");
                check(&mesh, &packing);
            }
        }
    }
}

#[test]
fn a_torus_given_by_a_function() {
    let inside = |[x, y, z]: [f64; 3]| 0.5 - (x.hypot(y) - 2.0).hypot(z);
    let bounds = Aabb::new([-2.5, -2.5, -0.5], [2.5, 2.5, 0.5]).unwrap();
    let volume = std::f64::consts::PI.powi(2);
    let mut torus = FunctionContainer::new(bounds, volume, inside).unwrap();
    let packing = pack(&mut torus, &PackSettings::spheres(500)).unwrap();
    for (&center, &radius) in packing.centers().iter().zip(packing.radii()) {
        assert!(inside(center) >= radius);
    }
    // As all others: spheres that overlap are refused.
    let (centers, radii) = (packing.centers().to_vec(), packing.radii().to_vec());
    assert!(Packing::new(centers, radii).is_ok());
    assert!((packing.radii()[0] - 0.5).abs() < 1e-4);
    assert!(packing.filling() > 0.72, "{}", packing.filling());
}

#[test]
fn tubes_are_filled_without_gaps() {
    // 48 spheres fit side by side. Each where it fits, without the others being moved, 34 do.
    let count = 48.0;
    let around = 0.5 / (std::f64::consts::PI / count).sin();
    let inside = move |[x, y, z]: [f64; 3]| 0.5 - (x.hypot(y) - around).hypot(z);
    let far = around + 0.5;
    let bounds = Aabb::new([-far, -far, -0.5], [far, far, 0.5]).unwrap();
    let volume = std::f64::consts::PI.powi(2) * 0.5 * around;
    let mut torus = FunctionContainer::new(bounds, volume, inside).unwrap();
    let packing = pack(&mut torus, &PackSettings::spheres(600)).unwrap();
    for (&center, &radius) in packing.centers().iter().zip(packing.radii()) {
        assert!(inside(center) >= radius);
    }
    let (centers, radii) = (packing.centers().to_vec(), packing.radii().to_vec());
    let large = radii.iter().filter(|&&r| r > 0.49).count();
    assert!(Packing::new(centers, radii).is_ok());
    assert!(large >= 45, "{large}");
    assert!(packing.filling() > 0.74, "{}", packing.filling());
}

/// The radius of the largest free sphere about each of many points.
fn free(container: &mut MeshContainer, packing: &Packing) -> Result<Vec<f64>> {
    let bounds = container.bounds();
    let counts = [40; 3];
    let points: Vec<[f64; 3]> = (0..counts.iter().product())
        .map(|i| {
            let at = [
                i % counts[0],
                i / counts[0] % counts[1],
                i / counts[0] / counts[1],
            ];
            std::array::from_fn(|k| {
                let share = (at[k] as f64 + 0.5) / counts[k] as f64;
                bounds.min[k] + share * bounds.extent()[k]
            })
        })
        .collect();
    let mut free = Vec::new();
    container.clearances(&points, &mut free)?;
    for (free, p) in free.iter_mut().zip(points) {
        for (c, r) in packing.centers().iter().zip(packing.radii()) {
            let square: f64 = (0..3).map(|k| (p[k] - c[k]).powi(2)).sum();
            *free = free.min(square.sqrt() - r);
        }
    }
    Ok(free)
}

#[test]
fn nothing_much_larger_would_have_fitted() {
    for mesh in [
        generate::knot(2000).unwrap(),
        generate::foam(2000, 7).unwrap(),
        block([1.0; 3]),
    ] {
        let mut container = MeshContainer::new(&mesh).unwrap();
        for settings in [
            PackSettings::spheres(5),
            PackSettings::spheres(300),
            PackSettings::smallest(0.05 * mesh.report().volume.unwrap().cbrt()),
        ] {
            let packing = pack(&mut container, &settings).unwrap();
            let least = match settings.smallest {
                Some(smallest) => smallest,
                None => packing.radii()[packing.len() - 1],
            };
            assert!(packing.radii()[packing.len() - 1] >= least);
            let largest = free(&mut container, &packing)
                .unwrap()
                .into_iter()
                .fold(0.0, f64::max);
            assert!(
                largest < 1.04 * least,
                "{settings:?}: {largest} beside {least}"
            );
            assert!(largest > 0.3 * least);
        }
    }
}
