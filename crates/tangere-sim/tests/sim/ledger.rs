//! The energy ledger: every law, alone in collisions and many together; the same bits on any number of
//! threads and after restarts; nothing that moves depends on it.

use super::systems::{Random, cell, law, on_all, one_kind, setup, spheres_at, wall};
use tangere_sim::laws::{Damping, Law, Normal, Tangential};
use tangere_sim::region::Region;
use tangere_sim::setup::{Effect, Motion, Setup, Spheres};
use tangere_sim::{Energy, Simulation};

/// Two spheres of radius 1/2 that meet obliquely and turn, `offset` before their first touch.
fn meeting(offset: f64) -> Spheres {
    let mut spheres = spheres_at(&[[4.0, 5.0, 5.0], [5.0 + offset, 5.2, 5.1]], 0.5);
    (spheres.velocities[0], spheres.velocities[1]) = ([1.0, 0.2, 0.0], [-1.0, 0.0, 0.3]);
    (spheres.spins[0], spheres.spins[1]) = ([0.5, 1.0, 2.0], [0.0, -1.0, 1.5]);
    spheres
}

fn advanced(setup: &Setup, spheres: &Spheres, time: f64) -> Simulation {
    let mut simulation = Simulation::new(setup.clone(), spheres).unwrap();
    simulation.set_synchronized(true);
    simulation.open_ledger().unwrap();
    simulation.advance((time / setup.step) as u64).unwrap();
    simulation
}

fn energy_of(simulation: &Simulation) -> Energy {
    simulation.energy().unwrap()
}

/// The root of the mean square of the residual of collisions, relative to the energy that they exchange.
fn residual(law: Law, step: f64) -> f64 {
    let mut setup = setup(cell([10.0; 3], [false; 3]), one_kind(law));
    setup.step = step;
    let mut sum = 0.0;
    const COUNT: usize = 40;
    for i in 0..COUNT {
        // Collisions begin at all parts of a step.
        let spheres = meeting(0.02 + 0.03 * i as f64 / COUNT as f64);
        let before = {
            let mut simulation = Simulation::new(setup.clone(), &spheres).unwrap();
            simulation.open_ledger().unwrap();
            energy_of(&simulation)
        };
        let after = energy_of(&advanced(&setup, &spheres, 0.25));
        let total = before.kinetic + before.rotational;
        sum += (after.residual / total).powi(2) / COUNT as f64;
    }
    sum.sqrt()
}

/// The period of a contact of these laws is about 0.01.
const STEP: f64 = 0.01 / 50.0;

#[test]
fn residuals_of_collisions_are_small_and_fall_with_the_square_of_the_step() {
    let hooke = Normal::Hooke { stiffness: 2.5e4 };
    for number in 0..18 {
        let mut law = law(number);
        if let Normal::Dmt { .. } | Normal::Jkr { .. } = law.normal {
            continue;
        }
        if matches!(law.normal, Normal::Hooke { .. }) || number % 2 == 0 {
            law.normal = hooke;
        }
        let (coarse, fine) = (residual(law, STEP), residual(law, STEP / 4.0));
        assert!(coarse < 1e-3, "{number} {law:?}: {coarse:e}");
        // A dashpot whose force begins with a jump is resolved to first order there.
        let order = match law.damping {
            Damping::Velocity(_) => 6.0,
            _ => 10.0,
        };
        assert!(
            fine < coarse / order,
            "{number} {law:?}: {coarse:e} {fine:e}"
        );
    }
}

/// Adhesion begins and ends with a jump of the force, which a step resolves to first order only.
#[test]
fn adhesion_is_accounted_for() {
    for normal in [Normal::dmt(2e5, 0.3, 5.0), Normal::jkr(2e5, 0.3, 5.0)] {
        let law = Law::new(normal, Damping::restitution_of_hertz(0.7), Tangential::None);
        let coarse = residual(law, STEP);
        let fine = residual(law, STEP / 8.0);
        assert!(coarse < 2e-2, "{normal:?}: {coarse:e}");
        assert!(fine < coarse / 4.0, "{normal:?}: {coarse:e} {fine:e}");
    }
}

/// A sphere that slides and then rolls: of its energy 2/7 is lost by friction.
#[test]
fn friction_takes_two_sevenths_of_a_sliding_sphere() {
    let mut floor = law(4);
    floor.normal = Normal::Hooke { stiffness: 1e5 };
    (floor.rolling, floor.twisting) = (
        tangere_sim::laws::Rolling::None,
        tangere_sim::laws::Twisting::None,
    );
    let mut setup = setup(cell([100.0; 3], [false; 3]), one_kind(floor));
    setup.step = 1e-4;
    setup
        .actions
        .push(on_all("pull", Effect::Gravity([0.0, 0.0, -10.0])));
    let region = Region::Planes {
        axis: 2,
        low: Some(0.0),
        high: None,
    };
    setup.actions.push(on_all("floor", wall(region, floor)));
    let mass = std::f64::consts::PI / 6.0;
    let mut spheres = spheres_at(&[[5.0, 5.0, 0.5 - mass * 10.0 / 1e5]], 0.5);
    spheres.velocities[0] = [2.0, 0.0, 0.0];
    let simulation = advanced(&setup, &spheres, 2.0);
    let energy = energy_of(&simulation);
    let first = 0.5 * mass * 4.0;
    let lost = energy.dissipated.total() + energy.elastic;
    assert!((lost / first - 2.0 / 7.0).abs() < 1e-3, "{energy:?}");
    assert!(energy.residual.abs() < 1e-4 * first, "{energy:?}");
}

/// Walls that move, drag, forces of the user and gravity, with many spheres.
fn bed() -> (Setup, Spheres) {
    let mut random = Random(11);
    let mut one = law(5);
    one.normal = Normal::Hertz { stiffness: 4e4 };
    let mut setup = setup(cell([6.0; 3], [true, true, false]), one_kind(one));
    setup.step = STEP;
    let mut centers = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            for k in 0..6 {
                let place = [i, j, k].map(|n| 0.6 + 1.1 * f64::from(n));
                let shift = random.vector(0.04);
                centers.push(std::array::from_fn(|axis| place[axis] + shift[axis]));
            }
        }
    }
    let mut spheres = spheres_at(&centers, 0.5);
    for velocity in &mut spheres.velocities {
        *velocity = random.vector(1.0);
    }
    let plane = |low: Option<f64>, high: Option<f64>| Region::Planes { axis: 2, low, high };
    setup
        .actions
        .push(on_all("pull", Effect::Gravity([0.5, 0.0, -5.0])));
    setup
        .actions
        .push(on_all("viscous", Effect::Viscous(vec![0.02])));
    setup
        .actions
        .push(on_all("push", Effect::AddForce([0.0, 0.3, 0.0])));
    let mut lid = on_all("lid", wall(plane(None, Some(7.0)), one));
    let mut floor = on_all("floor", wall(plane(Some(0.0), None), one));
    for (action, motion) in [
        (&mut lid, Motion::Shear([2.0, 0.0, 0.0])),
        (
            &mut floor,
            Motion::Wiggle {
                amplitude: [Some(0.0), Some(0.0), Some(0.03)],
                period: 0.5,
            },
        ),
    ] {
        if let Effect::Wall(wall) = &mut action.effect {
            wall.motion = Some(motion);
        }
    }
    setup.actions.extend([lid, floor]);
    (setup, spheres)
}

#[test]
fn a_shaken_bed_is_accounted_for() {
    let (mut setup, spheres) = bed();
    let coarse = energy_of(&advanced(&setup, &spheres, 1.0));
    setup.step /= 4.0;
    let fine = energy_of(&advanced(&setup, &spheres, 1.0));
    let exchanged = |energy: &Energy| energy.dissipated.total() + energy.work.walls.abs();
    for (energy, most) in [(coarse, 1e-3), (fine, 2e-4)] {
        assert!(
            energy.work.walls > 0.0 && energy.work.drag < 0.0,
            "{energy:?}"
        );
        assert!(energy.work.external != 0.0, "{energy:?}");
        let relative = energy.residual.abs() / exchanged(&energy);
        assert!(relative < most, "{relative:e} {energy:?}");
    }
}

#[test]
fn nothing_that_moves_depends_on_the_ledger_and_it_on_no_threads_and_restarts() {
    let (setup, spheres) = bed();
    let mut plain = Simulation::new(setup.clone(), &spheres).unwrap();
    plain.set_synchronized(true);
    plain.advance(2000).unwrap();
    let run = |threads: usize, restarts: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut simulation = Simulation::new(setup.clone(), &spheres).unwrap();
            simulation.set_synchronized(true);
            simulation.open_ledger().unwrap();
            for _ in 0..=restarts {
                simulation.advance(2000 / (restarts as u64 + 1)).unwrap();
                simulation = Simulation::from_state(simulation.state()).unwrap();
            }
            (simulation.hash(), energy_of(&simulation))
        })
    };
    let first = run(1, 0);
    assert_eq!(first.0, plain.hash());
    for (threads, restarts) in [(2, 0), (3, 1), (1, 4)] {
        let other = run(threads, restarts);
        assert_eq!(other, first, "{threads} {restarts}");
    }
}

/// A friction without force takes nothing, however the normal turns: damping of the slip without a dashpot.
#[test]
fn friction_takes_nothing_of_the_normal_force() {
    let tangential = Tangential::Slip {
        damping: 1.0,
        friction: 0.5,
    };
    let law = Law::new(
        Normal::Hooke { stiffness: 2.5e4 },
        Damping::None,
        tangential,
    );
    let mut setup = setup(cell([10.0; 3], [false; 3]), one_kind(law));
    setup.step = STEP;
    let energy = energy_of(&advanced(&setup, &meeting(0.02), 0.25));
    assert!(energy.dissipated.friction.abs() < 1e-15, "{energy:?}");
    assert!(energy.residual.abs() < 1e-3 * energy.kinetic, "{energy:?}");
}
