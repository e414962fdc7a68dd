//! Curved faces against closed forms: paraboloids, which quadratic faces represent exactly.
//!
//! Let the paraboloid `z = -a |p|²/2` move up toward `z = h + b |p - o|²/2`. The gap above `p` is
//! least at `p = b o / (a + b)`, where it is `h + k |o|²/2` with `k = a b / (a + b)`; sideways
//! motion moves `o`. This also holds for concave surfaces while `a + b > 0`.

use super::shapes::{KINDS, at_rest, body, first, moving, nodes, single};
use tangere::geometry::Pose;
use tangere::impact::{Body, BodyShape, Certificate, Impact, RigidMotion};
use tangere::shape::{FaceKind, FaceMesh};
use test_support::Random;

pub const CURVED: [FaceKind; 3] = [FaceKind::Tri6, FaceKind::Quad8, FaceKind::Quad9];

/// The paraboloid `z = bend |p - middle|²/2` over a square of side `2 size` about the origin.
pub fn paraboloid(kind: FaceKind, bend: f64, size: f64, middle: [f64; 2]) -> FaceMesh {
    let map = |[x, y]: [f64; 2]| {
        let p = [size * x, size * y];
        let square = (p[0] - middle[0]).powi(2) + (p[1] - middle[1]).powi(2);
        [p[0], p[1], 0.5 * bend * square]
    };
    // All of them are quadratic, so the nodes determine them.
    single(kind, nodes(kind, map))
}

fn check(impact: &Option<Impact>, exact: f64, what: &str) {
    let Some(impact) = impact else {
        panic!("{what}: missed {exact}");
    };
    let scale = exact.abs().max(1.0);
    assert!(
        impact.early <= exact + 4.0 * f64::EPSILON * scale,
        "{what}: late by {:e}",
        impact.early - exact
    );
    assert!(
        exact - impact.early < 1e-12 * scale,
        "{what}: early by {:e}, {impact:?}",
        exact - impact.early
    );
    assert_eq!(
        impact.certificate,
        Certificate::Bracket,
        "{what} {impact:?}"
    );
    assert!(
        impact.late >= exact && impact.late < exact + 4e-12 * scale,
        "{what} {impact:?}"
    );
}

#[test]
fn caps_along_their_axes_and_beside_them() {
    for kind_a in CURVED {
        for kind_b in CURVED {
            for (a, b, o, w) in [
                (1.0, 1.0, [0.0, 0.0], [0.0, 0.0]),
                (1.0, 1.0, [0.2, -0.1], [0.0, 0.0]),
                (0.5, 2.0, [0.2, -0.1], [0.05, 0.1]),
                (2.0, 0.0, [0.2, -0.1], [0.05, 0.1]),
                // A cap in a bowl, and in one that nearly fits.
                (1.0, -0.5, [0.02, -0.01], [0.01, 0.02]),
                (1.0, -0.9, [0.005, 0.01], [0.0, 0.0]),
            ] {
                let below = paraboloid(kind_a, -a, 0.8, [0.0; 2]);
                let above = paraboloid(kind_b, b, 0.9, [0.0; 2]);
                let h = 3.0;
                let v = 2.0;
                let k = a * b / (a + b);
                // h - v t + k |o + w t|²/2 = 0.
                let (p, q) = (
                    0.5 * k * (w[0] * w[0] + w[1] * w[1]),
                    -v + k * (o[0] * w[0] + o[1] * w[1]),
                );
                let r = h + 0.5 * k * (o[0] * o[0] + o[1] * o[1]);
                let exact = 2.0 * r / (-q + (q * q - 4.0 * p * r).sqrt());
                let bodies = vec![
                    body(&below, at_rest()),
                    body(&above, moving([o[0], o[1], h], [w[0], w[1], -v], [0.0; 3])),
                ];
                let impact = first(bodies, 10.0);
                let what = format!("{kind_a} {kind_b} {a} {b} {o:?} {w:?}");
                check(&impact, exact, &what);
                // Where, and in which direction.
                let contact = impact.unwrap().contacts[0];
                let place = [0, 1].map(|k| b * (o[k] + w[k] * exact) / (a + b));
                for k in 0..2 {
                    assert!(
                        (contact.point_a[k] - place[k]).abs() < 1e-6,
                        "{what} {contact:?}"
                    );
                    assert!(
                        (contact.normal[k] - a * place[k] * contact.normal[2]).abs() < 1e-6,
                        "{what}"
                    );
                }
                let xi = below.face(0).point(contact.xi_a);
                for k in 0..3 {
                    assert!((xi[k] - contact.point_a[k]).abs() < 1e-11, "{what}");
                }
                assert!(
                    contact.normal[2] > 0.9 && contact.gap.abs() < 1e-12,
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn caps_in_any_position() {
    let mut random = Random::new(3);
    for round in 0..60 {
        let (kind_a, kind_b) = (CURVED[random.below(3)], CURVED[random.below(3)]);
        let (a, b) = (random.between(0.2, 2.0), random.between(-0.15, 2.0));
        let o = [random.between(-0.1, 0.1), random.between(-0.1, 0.1)];
        let (h, v) = (random.between(1.0, 5.0), random.between(0.5, 3.0));
        let k = a * b / (a + b);
        let exact = (h + 0.5 * k * (o[0] * o[0] + o[1] * o[1])) / v;
        let below = paraboloid(kind_a, -a, 0.8, [0.0; 2]);
        let above = paraboloid(kind_b, b, 0.9, [0.0; 2]);
        let at = random.vector(3.0);
        let pose = random.pose(at);
        let rest = RigidMotion::at_rest(pose);
        let up = pose.rotate([0.0, 0.0, -v]);
        let over = pose.apply([o[0], o[1], h]);
        let there = Pose::new(pose.rotation(), over).unwrap();
        let falling = RigidMotion::new(there, up, [0.0; 3], [0.0; 3]).unwrap();
        let impact = first(vec![body(&below, rest), body(&above, falling)], 20.0);
        let what = format!("{round}: {kind_a} {kind_b} {a} {b} {o:?}");
        check(&impact, exact, &what);
    }
}

#[test]
fn ballistic_arcs() {
    for kind in CURVED {
        let below = paraboloid(kind, -1.0, 0.8, [0.0; 2]);
        let above = paraboloid(kind, 0.5, 0.9, [0.0; 2]);
        // Thrown up and falling: h + v t - g t²/2 = 0, on the axes.
        let (h, v, g) = (0.5, 3.0, 9.81);
        let exact = (v + f64::sqrt(v * v + 2.0 * g * h)) / g;
        let thrown = moving([0.0, 0.0, h], [0.0, 0.0, v], [0.0, 0.0, -g]);
        let impact = first(vec![body(&below, at_rest()), body(&above, thrown)], 10.0);
        check(&impact, exact, kind.name());
        // Thrown from below, so that it turns back just before, or touches on its way.
        for (v, hits) in [
            (f64::sqrt(2.0 * g * h) * 0.999, false),
            (f64::sqrt(2.0 * g * h) * 1.01, true),
        ] {
            let up = paraboloid(kind, -1.0, 0.8, [0.0; 2]);
            let down = paraboloid(kind, 0.5, 0.9, [0.0; 2]);
            let thrown = moving([0.0; 3], [0.0, 0.0, v], [0.0, 0.0, -g]);
            let hung = moving([0.0, 0.0, h], [0.0; 3], [0.0; 3]);
            let impact = first(vec![body(&up, thrown), body(&down, hung)], 10.0);
            match hits {
                true => check(
                    &impact,
                    (v - f64::sqrt(v * v - 2.0 * g * h)) / g,
                    kind.name(),
                ),
                false => assert_eq!(impact, None),
            }
        }
    }
}

/// A ball above a paraboloid touches when the nearest point is at the distance of the radius.
#[test]
fn balls_on_paraboloids() {
    for kind in CURVED {
        for bend in [-1.0, 0.0, 0.5, 1.5] {
            for x in [0.0, 0.05, 0.15] {
                let radius = 0.4;
                let surface = paraboloid(kind, bend, 0.9, [0.0; 2]);
                // The centre at (x, 0, z) touches where p + radius n = x: Newton for the place p
                // along the axis.
                let mut p: f64 = x;
                for _ in 0..100 {
                    let slope = bend * p;
                    let length = (1.0 + slope * slope).sqrt();
                    let f = p - radius * slope / length - x;
                    let df = 1.0 - radius * bend / length.powi(3);
                    p -= f / df;
                }
                let length = (1.0 + (bend * p).powi(2)).sqrt();
                let touching = 0.5 * bend * p * p + radius / length;
                let (h, v) = (4.0, 1.5);
                let exact = (h - touching) / v;
                let falling = moving([x, 0.0, h], [0.0, 0.0, -v], [0.0; 3]);
                let bodies = vec![
                    body(&surface, at_rest()),
                    Body::ball(radius, falling).unwrap(),
                ];
                let impact = first(bodies, 10.0);
                let what = format!("{kind} {bend} {x}");
                check(&impact, exact, &what);
                let contact = impact.unwrap().contacts[0];
                assert!((contact.point_a[0] - p).abs() < 1e-6, "{what} {contact:?}");
                assert!(contact.gap.abs() < 1e-12, "{what}");
                // The other way around.
                let rising = moving([0.0, 0.0, -h], [0.0, 0.0, v], [0.0; 3]);
                let still = moving([x, 0.0, 0.0], [0.0; 3], [0.0; 3]);
                let bodies = vec![Body::ball(radius, still).unwrap(), body(&surface, rising)];
                check(&first(bodies, 10.0), exact, &what);
            }
        }
    }
}

/// A ball rotates about a point other than its centre.
#[test]
fn turning_balls() {
    let surface = paraboloid(FaceKind::Quad9, 0.0, 2.0, [0.0; 2]);
    let radius = 0.25;
    // The centre circles about the origin at 1: height cos(t), from above.
    let ball = BodyShape::ball(radius).unwrap();
    let pose = Pose::from_translation([0.0, 0.0, 1.0]).unwrap();
    let motion = RigidMotion::new(pose, [0.0; 3], [1.0, 0.0, 0.0], [0.0; 3])
        .unwrap()
        .about([0.0, 0.0, -1.0])
        .unwrap();
    let impact = first(
        vec![body(&surface, at_rest()), Body::new(ball, motion)],
        10.0,
    );
    check(&impact, f64::acos(radius), "circling");
}

/// Paraboloids that spin about their own axes, also tilted ones, touch at the times without spin.
#[test]
fn spinning_caps() {
    let mut random = Random::new(14);
    for round in 0..40 {
        let (kind_a, kind_b) = (CURVED[random.below(3)], CURVED[random.below(3)]);
        let (a, b) = (random.between(0.2, 2.0), random.between(0.1, 2.0));
        let o = [random.between(-0.1, 0.1), random.between(-0.1, 0.1)];
        let (h, v, g) = (
            random.between(0.5, 2.0),
            random.between(0.5, 2.0),
            random.between(0.1, 2.0),
        );
        let k = a * b / (a + b);
        let way = h + 0.5 * k * (o[0] * o[0] + o[1] * o[1]);
        let exact = 2.0 * way / (v + (v * v + 2.0 * g * way).sqrt());
        let at = random.vector(2.0);
        let pose = random.pose(at);
        let spun = |rate: f64| pose.rotate([0.0, 0.0, rate]);
        let there = Pose::new(pose.rotation(), pose.apply([o[0], o[1], h])).unwrap();
        let (down, pull) = (pose.rotate([0.0, 0.0, -v]), pose.rotate([0.0, 0.0, -g]));
        let rest = RigidMotion::new(pose, [0.0; 3], spun(random.between(-5.0, 5.0)), [0.0; 3]);
        let falling = RigidMotion::new(there, down, spun(random.between(-5.0, 5.0)), pull);
        let below = body(&paraboloid(kind_a, -a, 0.8, [0.0; 2]), rest.unwrap());
        let above = paraboloid(kind_b, b, 0.9, [0.0; 2]);
        let impact = first(vec![below, body(&above, falling.unwrap())], 20.0);
        check(&impact, exact, &format!("{round}: {kind_a} {kind_b}"));
        let normal = impact.unwrap().contacts[0].normal;
        let up = pose.rotate([0.0, 0.0, 1.0]);
        assert!(
            (0..3).map(|k| normal[k] * up[k]).sum::<f64>() > 0.9,
            "{round}"
        );
    }
}

/// A ball falls on a paraboloid that spins about its own axis.
#[test]
fn balls_on_spinning_paraboloids() {
    for kind in CURVED {
        let (bend, radius, h, v) = (0.5, 0.4, 4.0, 1.5);
        let surface = paraboloid(kind, bend, 0.9, [0.0; 2]);
        let turning = RigidMotion::new(Pose::identity(), [0.0; 3], [0.0, 0.0, 3.0], [0.0; 3]);
        let falling = moving([0.0, 0.0, h], [0.0, 0.0, -v], [0.0; 3]);
        let bodies = vec![
            body(&surface, turning.unwrap()),
            Body::ball(radius, falling).unwrap(),
        ];
        check(&first(bodies, 10.0), (h - radius) / v, kind.name());
    }
}

/// A plate rotates about an axis through its centre until its far side touches the floor.
#[test]
fn turning_plates() {
    for kind in KINDS {
        let plate = single(kind, nodes(kind, |[x, y]| [x, y, 0.0]));
        let floor = single(
            FaceKind::Quad4,
            nodes(FaceKind::Quad4, |[x, y]| [8.0 * x, 8.0 * y, 0.0]),
        );
        // About the axis y: the lowest corner is at height 1 - max(x) sin(t) or min.
        let spin = [0.0, 0.5, 0.0];
        let pose = Pose::from_translation([0.0, 0.0, 1.0]).unwrap();
        let motion = RigidMotion::new(pose, [0.0; 3], spin, [0.0; 3]).unwrap();
        let farthest = plate.nodes().iter().map(|p| p[0]).fold(0.0, f64::max);
        let impact = first(vec![body(&floor, at_rest()), body(&plate, motion)], 10.0);
        match farthest > 1.0 {
            true => check(&impact, f64::asin(1.0 / farthest) / 0.5, kind.name()),
            // It just reaches the floor, or does not.
            false => {
                if let Some(impact) = impact {
                    let exact = f64::acos(-1.0) / 2.0 / 0.5;
                    assert!(
                        impact.early <= exact && exact - impact.early < 1e-5,
                        "{kind} {impact:?}"
                    );
                }
            }
        }
    }
}
