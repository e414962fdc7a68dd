//! Tests of the impact engine with sizes, speeds, accelerations and positions at the ends of the
//! range of numbers.

use super::bodies::{Thing, cube};
use super::invalid_input::{engine, first};
use nalgebra::Vector3;

/// Two cubes, one of which flies to the other, in units of any size.
fn meeting(size: f64, distance: f64, speed: f64) -> [Thing; 2] {
    let mut other = cube(0.5 * size);
    other.place = Vector3::new(distance + size, 0.1 * size, 0.2 * size);
    other.velocity = Vector3::new(-speed, 0.0, 0.0);
    [cube(0.5 * size), other]
}

#[test]
fn sizes_and_speeds_of_any_magnitude() {
    let magnitudes = [1e-80, 1e-60, 1e-20, 1.0, 1e20, 1e50];
    for size in magnitudes {
        for far in [1e-3, 1.0, 1e6] {
            for speed in [1e-300, 1e-100, 1e-20, 1.0, 1e20, 1e60] {
                let things = meeting(size, far * size, speed);
                let expected = far * size / speed;
                let found = first(&things, f64::INFINITY);
                if expected > 1e300 {
                    continue;
                }
                let impact = found.unwrap_or_else(|| panic!("{size} {far} {speed}"));
                let off = (impact.early - expected).abs();
                let tiny = 1e-12 * (1.0 + 1.0 / far) * expected;
                assert!(
                    off <= tiny.max(1e-320),
                    "{size} {far} {speed}: {} {expected}",
                    impact.early
                );
                let turned = [0, 1].map(|i| {
                    let mut thing = things[i].clone();
                    thing.spin = Vector3::new(speed / size * 1e-3, 0.0, 0.0);
                    thing
                });
                if speed / size < 1e60 {
                    let turned = first(&turned, f64::INFINITY).expect("nearly the same");
                    assert!((turned.early / expected - 1.0).abs() < 1e-2);
                }
            }
        }
    }
}

/// Accelerations `a` of any magnitude: from rest, the distance after a time `t` is `a t² / 2`.
#[test]
fn accelerations_of_any_magnitude() {
    for size in [1e-80, 1e-30, 1.0, 1e30] {
        for acceleration in [1e-305, 1e-200, 1e-100, 1e-10, 1.0, 1e10, 1e60] {
            let mut things = meeting(size, size, 0.0);
            things[1].acceleration = Vector3::new(-acceleration, 0.0, 0.0);
            let expected = (2.0 * size).sqrt() / acceleration.sqrt();
            let impact = first(&things, f64::INFINITY);
            let impact = impact.unwrap_or_else(|| panic!("{size} {acceleration}"));
            let off = (impact.early / expected - 1.0).abs();
            assert!(
                off < 1e-12,
                "{size} {acceleration}: {} {expected}",
                impact.early
            );
            let mut balls = [Thing::ball(size), Thing::ball(size)];
            balls[1].place = Vector3::new(3.0 * size, 0.0, 0.0);
            balls[1].acceleration = things[1].acceleration;
            let impact = first(&balls, f64::INFINITY);
            let impact = impact.unwrap_or_else(|| panic!("balls {size} {acceleration}"));
            let off = (impact.early / expected - 1.0).abs();
            assert!(
                off < 1e-12,
                "balls {size} {acceleration}: {} {expected}",
                impact.early
            );
        }
    }
}

/// Bodies that fly beyond the range of coordinates never touch.
#[test]
fn bodies_that_leave_everything() {
    for (speed, acceleration) in [
        (1e60, 0.0),
        (1e60, 1e60),
        (1.0, 1e-300),
        (0.0, 1e-305),
        (1e-300, 0.0),
    ] {
        let mut things = meeting(1.0, 1.0, -speed);
        things[1].acceleration = Vector3::new(acceleration, 0.0, 0.0);
        assert_eq!(
            first(&things, f64::INFINITY),
            None,
            "{speed} {acceleration}"
        );
        things[1].spin = Vector3::new(1.0, 2.0, 3.0);
        things[1].place.x += 3.0;
        if speed >= 1.0 {
            assert_eq!(
                first(&things, f64::INFINITY),
                None,
                "{speed} {acceleration} turning"
            );
        }
        let mut engine = engine(&things);
        engine.advance(1e250).unwrap();
        assert!(engine.next_contact(f64::INFINITY).is_ok());
    }
}

/// Far from the origin distances are as coarse as coordinates.
#[test]
fn offsets() {
    for offset in [1e9, 1e50] {
        let size = if offset > 1e20 { 1e45 } else { 1.0 };
        let mut things = meeting(size, 3.0 * size, size);
        things
            .iter_mut()
            .for_each(|t| t.place += Vector3::repeat(offset));
        let impact = first(&things, 10.0).unwrap();
        let exact = (things[1].place.x - things[0].place.x) / size - 1.0;
        assert!(
            (impact.early - exact).abs() < 1e-12,
            "{offset}: {} {exact}",
            impact.early
        );
        for thing in &mut things {
            thing.velocity += Vector3::repeat(1e9);
            thing.acceleration += Vector3::repeat(1e3);
        }
        let impact = first(&things, 10.0).unwrap();
        assert!(
            (impact.early - exact).abs() < 1e-6,
            "{offset}: {} {exact}",
            impact.early
        );
    }
}

/// A body that spins out of reach of a plate never touches it.
#[test]
fn bodies_that_spin_out_of_reach() {
    for spin in [1.0, 1e6, 1e12] {
        let mut thing = cube(0.5);
        thing.place = Vector3::new(0.0, 0.0, 2.0);
        thing.spin = Vector3::new(spin, 0.0, 0.0);
        let mut engine = engine(&[thing, super::bodies::plate([1, 1], [5.0, 5.0])]);
        assert_eq!(engine.next_contact(f64::INFINITY).unwrap(), None);
        assert!(engine.counts().volume < 1000);
    }
}
