//! Determinism of a gas: the same collisions in one run or in many, for a clone, and after a
//! restart.

use super::cases::{Spheres, crystal, mixed, walls};
use tangere::Error;
use tangere::impact::gas::{Collision, Domain, End, Gas};
use tangere::stop::Stop;

fn collisions(gas: &mut Gas, events: u64) -> Vec<Collision> {
    let mut all = Vec::new();
    gas.run(events, f64::INFINITY, |c| all.push(*c))
        .expect("what is sound");
    all
}

/// Fails with the first two collisions that differ, not all.
fn assert_alike(a: &[Collision], b: &[Collision]) {
    assert_eq!(a.len(), b.len());
    if let Some(i) = (0..a.len()).find(|&i| a[i] != b[i]) {
        panic!("{i}: {:?} {:?}", a[i], b[i]);
    }
}

fn cases() -> [Spheres; 3] {
    let mut between = mixed(150, 20.0, walls(1.0), 3);
    between.settings.gravity = [0.0, 0.0, -1.0];
    between.settings.restitution = 0.95;
    between.settings.contact_time = Some(1e-6);
    [
        crystal(4, 0.3, 1).0,
        mixed(
            150,
            20.0,
            Domain::periodic([1.0; 3]).expect("what is sound"),
            2,
        ),
        between,
    ]
}

#[test]
fn a_clone_goes_on_alike() {
    for spheres in cases() {
        let mut gas = spheres.gas();
        collisions(&mut gas, 5_000);
        let mut clone = gas.clone();
        assert_alike(
            &collisions(&mut gas, 20_000),
            &collisions(&mut clone, 20_000),
        );
        assert!(Spheres::of(&gas).centers == Spheres::of(&clone).centers);
    }
}

#[test]
fn a_run_in_parts_is_the_whole() {
    for spheres in cases() {
        let whole = collisions(&mut spheres.gas(), 10_000);
        let mut gas = spheres.gas();
        let (mut parts, mut until) = (Vec::new(), 0.0);
        let end = whole[whole.len() - 1].time;
        while parts.len() < whole.len() {
            until += end / 777.0;
            let left = (whole.len() - parts.len()) as u64;
            gas.run(left, until, |c| parts.push(*c)).unwrap();
        }
        assert_alike(&parts, &whole);
        let mut one_by_one = spheres.gas();
        let single: Vec<Collision> = one_by_one.by_ref().take(10_000).collect();
        assert_alike(&single, &whole);
    }
}

#[test]
fn threads_do_not_matter() {
    for spheres in cases() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                let mut gas = spheres.gas();
                let all = collisions(&mut gas, 3_000);
                (all, gas.energy().to_bits(), gas.momentum(), gas.pressure())
            })
        };
        let one = on(1);
        assert!(one == on(2) && one == on(5));
    }
}

#[test]
fn a_gas_made_from_a_synchronized_one_goes_on_alike() {
    for spheres in cases() {
        let mut gas = spheres.gas();
        collisions(&mut gas, 5_000);
        let between = gas.time() + 1e-4;
        gas.run(u64::MAX, between, |_| ()).unwrap();
        gas.synchronize();
        let mut again = Spheres::of(&gas).gas();
        assert_eq!(again.time(), gas.time());
        assert_alike(
            &collisions(&mut gas, 20_000),
            &collisions(&mut again, 20_000),
        );
        assert!(Spheres::of(&gas).velocities == Spheres::of(&again).velocities);
    }
}

#[test]
fn a_gas_made_from_another_one_goes_on_alike_for_a_while() {
    for spheres in cases() {
        let mut gas = spheres.gas();
        collisions(&mut gas, 1_000);
        let mut again = Spheres::of(&gas).gas();
        let (a, b) = (collisions(&mut gas, 100), collisions(&mut again, 100));
        for (a, b) in a.iter().zip(&b) {
            assert_eq!((a.a, a.partner), (b.a, b.partner));
            assert!((a.time - b.time).abs() < 1e-7);
        }
    }
}

#[test]
fn a_gas_may_be_stopped_and_run_on() {
    let (spheres, _) = crystal(4, 0.3, 1);
    let whole = collisions(&mut spheres.gas(), 20_000);
    let mut gas = spheres.gas();
    let stop = Stop::new();
    let mut found = Vec::new();
    let stopped = stop.during(|| {
        gas.run(u64::MAX, f64::INFINITY, |c| {
            found.push(*c);
            if found.len() == 5_000 {
                stop.request();
            }
        })
    });
    assert_eq!(stopped, Err(Error::Stopped));
    assert!((5_000..10_000).contains(&found.len()));
    assert_eq!(stop.during(|| gas.clone().next()), None);
    let left = (whole.len() - found.len()) as u64;
    let run = gas.run(left, f64::INFINITY, |c| found.push(*c)).unwrap();
    assert_eq!(run.end, End::Events);
    assert_alike(&found, &whole);
}
