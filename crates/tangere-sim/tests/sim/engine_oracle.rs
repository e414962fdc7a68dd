//! The engine against the plain simulation of `reference`, and its contacts against those of a scene.

use super::reference::{Reference, Vector};
use super::systems::{
    Random, cell, law, on_all, on_group, one_kind, random_spheres, setup, spheres_at, two_kinds,
    wall,
};
use std::collections::BTreeSet;
use tangere::geometry::Pose;
use tangere::pairs::Periodic;
use tangere::scene::{Body, Scene, SceneSettings, Shape};
use tangere_sim::Simulation;
use tangere_sim::deck::{Changes, Clock, Contact, Engine, Observer, Problem, Runner};
use tangere_sim::region::{Region, Shape as Solids, Solid};
use tangere_sim::setup::{Change, Deform, Effect, Exclusion, Motion, Remap, Setup, Spheres, Wall};

/// The largest difference, relative to the largest number of its kind.
const TOLERANCE: f64 = 1e-9;

/// Sees nothing.
struct Blind;

impl Observer for Blind {
    fn next_step(&self, _: u64) -> Option<u64> {
        None
    }

    fn wants_contacts(&self, _: u64) -> bool {
        false
    }

    fn changes(&self) -> Changes {
        Changes::Never
    }

    fn before_forces(&mut self, _: Clock, _: &mut Setup, _: &Spheres) -> Result<(), Problem> {
        Ok(())
    }

    fn observe(&mut self, _: Clock, _: &Setup, _: &Spheres, _: &[Contact]) -> Result<(), Problem> {
        Ok(())
    }
}

/// Steps of an engine of decks: two runs, so that histories live on between them.
fn run(engine: &mut dyn Engine, setup: &Setup, spheres: &Spheres, steps: u64) -> Spheres {
    let (mut setup, mut spheres) = (setup.clone(), spheres.clone());
    let mut clock = Clock::default();
    for part in [steps / 3, steps - steps / 3] {
        engine
            .run(&mut setup, &mut spheres, &mut clock, part, &mut Blind)
            .unwrap_or_else(|problem| panic!("{problem:?}"));
    }
    sorted(&spheres)
}

/// The spheres by ids.
fn sorted(spheres: &Spheres) -> Spheres {
    let mut order: Vec<usize> = (0..spheres.ids.len()).collect();
    order.sort_by_key(|&i| spheres.ids[i]);
    let of = |column: &[Vector]| order.iter().map(|&i| column[i]).collect();
    let mut sorted = spheres.clone();
    sorted.ids.sort_unstable();
    sorted.images = order.iter().map(|&i| spheres.images[i]).collect();
    sorted.positions = of(&spheres.positions);
    sorted.velocities = of(&spheres.velocities);
    sorted.spins = of(&spheres.spins);
    sorted.forces = of(&spheres.forces);
    sorted.torques = of(&spheres.torques);
    sorted
}

fn difference(a: &[Vector], b: &[Vector]) -> f64 {
    let largest = |column: &[Vector]| {
        let all = column.iter().flatten();
        all.fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    let both: Vec<Vector> = a
        .iter()
        .zip(b)
        .map(|(a, b)| std::array::from_fn(|k| a[k] - b[k]))
        .collect();
    match largest(&both) {
        0.0 => 0.0,
        // Not a number stays one, and fails.
        most => most / largest(b),
    }
}

fn assert_equal(name: &str, own: &Spheres, expected: &Spheres) {
    assert_eq!(own.ids, expected.ids, "{name}");
    let differences = [
        difference(&own.positions, &expected.positions),
        difference(&own.velocities, &expected.velocities),
        difference(&own.spins, &expected.spins),
        difference(&own.forces, &expected.forces),
        difference(&own.torques, &expected.torques),
    ];
    // Forces are stiff: their difference is that of overlaps, relative to an overlap.
    let limits = [
        TOLERANCE,
        TOLERANCE,
        TOLERANCE,
        1e3 * TOLERANCE,
        1e3 * TOLERANCE,
    ];
    let is_close = differences.iter().zip(limits).all(|(x, limit)| *x <= limit);
    assert!(is_close, "{name}: {differences:?}");
    assert_eq!(own.images, expected.images, "{name}");
}

/// The simulation, the engine of decks and the reference end alike.
pub fn assert_like_reference(name: &str, setup: &Setup, spheres: &Spheres, steps: u64) {
    for is_synchronized in [false, true] {
        let mut reference = Reference::default();
        reference.is_synchronized = is_synchronized;
        let expected = run(&mut reference, setup, spheres, steps);
        let start = sorted(spheres);
        let kicks = difference(&start.velocities, &expected.velocities);
        let turns = difference(&start.spins, &expected.spins);
        assert!(kicks.max(turns) > 0.01, "{name}: nothing happens");
        let mut runner = Runner::default();
        runner.set_synchronized(is_synchronized);
        let own = run(&mut runner, setup, spheres, steps);
        assert_equal(&format!("{name}, deck"), &own, &expected);
    }
    let mut simulation = Simulation::new(setup.clone(), spheres).unwrap();
    let mut reference = Reference::default();
    let (mut setup, mut expected) = (setup.clone(), spheres.clone());
    reference
        .run(
            &mut setup,
            &mut expected,
            &mut Clock::default(),
            steps,
            &mut Blind,
        )
        .unwrap();
    simulation.advance(steps).unwrap();
    assert_equal(name, &simulation.spheres(), &sorted(&expected));
}

/// A few dozen spheres that touch their neighbours.
fn crowd(seed: u64, counts: [usize; 3]) -> Spheres {
    random_spheres(&mut Random(seed), counts, 1.0)
}

#[test]
fn laws_of_two_kinds_in_open_space() {
    for first in 0..9 {
        let setup = setup(cell([3.0; 3], [false; 3]), two_kinds(first));
        let spheres = crowd(first as u64, [3, 3, 3]);
        assert_like_reference(&format!("laws {first}"), &setup, &spheres, 200);
    }
}

#[test]
fn periodic_cells() {
    for (number, periodic) in [[true, true, false], [true; 3], [false, true, true]]
        .into_iter()
        .enumerate()
    {
        let mut setup = setup(cell([4.0, 3.0, 4.0], periodic), two_kinds(number));
        setup.cell.origin = [0.25, -0.5, 0.125];
        let spheres = crowd(20 + number as u64, [4, 3, 4]);
        assert_like_reference(&format!("periodic {periodic:?}"), &setup, &spheres, 300);
    }
}

#[test]
fn tilted_cells() {
    let tilts = [[1.4, 0.0, 0.0], [-0.7, 0.9, 0.4], [2.6, -2.9, 1.7]];
    for (number, [xy, xz, yz]) in tilts.into_iter().enumerate() {
        for periodic in [[true; 3], [true, true, false]] {
            let mut setup = setup(cell([4.0, 4.0, 3.0], periodic), two_kinds(4 + number));
            setup.cell.edges[1][0] = xy;
            setup.cell.edges[2] = [xz, yz, 3.0];
            let mut spheres = crowd(30 + number as u64, [4, 4, 3]);
            for [x, y, z] in &mut spheres.positions {
                *x += xy * *y / 4.0 + xz * *z / 3.0;
                *y += yz * *z / 3.0;
            }
            let name = format!("tilts {xy} {xz} {yz} {periodic:?}");
            assert_like_reference(&name, &setup, &spheres, 200);
        }
    }
}

/// Cells in which spheres touch several images of one another and of themselves, or nearly.
#[test]
fn small_cells() {
    for (number, width) in [0.98, 1.05, 1.3, 1.96, 2.05, 2.2, 2.4]
        .into_iter()
        .enumerate()
    {
        let sizes = [width, 1.1 * width, 2.0];
        let mut setup = setup(cell(sizes, [true; 3]), two_kinds(number + 2));
        if number % 2 == 1 {
            setup.cell.edges[1][0] = 0.4 * width;
        }
        let counts = [
            1 + usize::from(width > 1.8),
            1 + usize::from(width > 1.8),
            2,
        ];
        let mut spheres = crowd(40 + number as u64, counts);
        for radius in &mut spheres.radii {
            *radius = 0.45 + 0.6 * (*radius - 0.4);
        }
        assert_like_reference(&format!("width {width}"), &setup, &spheres, 200);
    }
}

fn planes(axis: usize, low: f64, high: f64) -> Region {
    Region::Planes {
        axis,
        low: Some(low),
        high: Some(high),
    }
}

fn solid(shape: Solids) -> Region {
    Region::Solid(Solid {
        shape,
        is_outside: false,
        open: [false; 6],
    })
}

#[test]
fn walls() {
    let block = solid(Solids::Block {
        low: [0.1; 3],
        high: [2.9; 3],
    });
    let barrel = solid(Solids::Cylinder {
        axis: 1,
        center: [1.5; 2],
        radius: 2.1,
        ends: [0.1, 2.9],
    });
    let ball = solid(Solids::Sphere {
        center: [1.5; 3],
        radius: 2.4,
    });
    let surfaces = [planes(2, 0.1, 2.9), block, barrel, ball];
    let shift = Motion::Linear([Some(0.0), None, Some(0.8)]);
    let wiggle = Motion::Wiggle {
        amplitude: [Some(0.05), Some(0.02), None],
        period: 0.03,
    };
    let turn = Motion::Rotate {
        point: [1.5; 3],
        axis: [0.3, 2.0, 0.4],
        period: 0.6,
    };
    let motions = [
        None,
        Some(shift),
        Some(wiggle),
        Some(turn),
        Some(Motion::Shear([0.5, 0.0, 0.0])),
    ];
    for (number, surface) in surfaces.into_iter().enumerate() {
        for (kind, motion) in motions.iter().enumerate() {
            let mut setup = setup(cell([3.0; 3], [false; 3]), two_kinds(number + kind));
            let mut other = wall(planes(0, 0.0, 3.1), law(kind));
            if let Effect::Wall(wall) = &mut other {
                wall.motion = motion.clone();
            }
            setup.actions.push(on_all("other", other));
            let own = Wall {
                surface: surface.clone(),
                law: law(number + 5 * kind),
                motion: motion.clone(),
            };
            setup
                .actions
                .push(on_all("wall", Effect::Wall(Box::new(own))));
            let gravity = Effect::Gravity([0.0, 0.0, -9.81]);
            setup.actions.push(on_all("gravity", gravity));
            let spheres = crowd(50 + kind as u64, [3, 3, 2]);
            let name = format!("surface {number}, motion {kind}");
            assert_like_reference(&name, &setup, &spheres, 120);
        }
    }
}

#[test]
fn tubes() {
    let mut setup = setup(cell([9.0; 3], [false, false, true]), two_kinds(6));
    let tube = Region::Tube {
        axis: 2,
        radius: 1.75,
    };
    setup.actions.push(on_all("tube", wall(tube, law(7))));
    setup.cell.origin = [-4.0, -4.0, 0.0];
    setup.cell.edges[2][2] = 4.0;
    let mut spheres = crowd(60, [3, 3, 4]);
    for position in &mut spheres.positions {
        *position = [position[0] - 1.5, position[1] - 1.5, position[2]];
    }
    assert_like_reference("tube", &setup, &spheres, 300);
}

#[test]
fn frozen_and_prescribed_groups() {
    let motions = [
        Motion::Linear([Some(1.0), None, Some(-0.5)]),
        Motion::Wiggle {
            amplitude: [Some(0.02), None, Some(0.03)],
            period: 0.012,
        },
        Motion::Rotate {
            point: [2.0, 2.0, 1.0],
            axis: [0.0, 0.5, 2.0],
            period: 4.0,
        },
    ];
    for (number, motion) in motions.into_iter().enumerate() {
        let periodic = [number == 1, true, false];
        let mut setup = setup(cell([4.0, 4.0, 3.0], periodic), two_kinds(3 * number));
        setup.actions[0].group = 4;
        setup
            .actions
            .push(on_group("driven", 2, Effect::Move(motion)));
        setup.actions.push(on_group("frozen", 8, Effect::Freeze));
        let floor = wall(planes(2, 0.02, 3.0), law(5));
        setup.actions.push(on_all("floor", floor));
        let mut spheres = crowd(70 + number as u64, [4, 4, 3]);
        for (i, group) in spheres.groups.iter_mut().enumerate() {
            *group = match i {
                _ if *group == 3 => 3,
                0..8 => 9,
                _ => 5,
            };
            if *group == 9 {
                (spheres.velocities[i], spheres.spins[i]) = ([0.0; 3], [0.0; 3]);
            }
        }
        assert_like_reference(&format!("motion {number}"), &setup, &spheres, 250);
    }
}

#[test]
fn forces_of_all_kinds() {
    let mut setup = setup(cell([3.0; 3], [true, false, false]), two_kinds(2));
    let drag = |speed: f64| Effect::Drag {
        density: 1.2,
        viscosity: 0.02,
        velocity: [speed, 0.0, 1.0],
    };
    setup.actions.extend([
        on_all("gravity", Effect::Gravity([1.0, -2.0, -9.0])),
        on_group("push", 2, Effect::AddForce([3.0, 0.0, 5.0])),
        on_all("viscous", Effect::Viscous(vec![0.4, 0.9])),
        on_all("drag", drag(4.0)),
        on_group("gale", 2, drag(40.0)),
        on_group("set", 4, Effect::SetForce([None, Some(7.0), None])),
    ]);
    setup.excluded = vec![Exclusion::Groups(2, 4), Exclusion::Kinds(1, 1)];
    let mut spheres = crowd(80, [3, 3, 3]);
    for group in spheres.groups.iter_mut().step_by(4) {
        *group |= 4;
    }
    assert_like_reference("forces", &setup, &spheres, 200);
}

#[test]
fn flat_systems() {
    for first in [0, 3, 6] {
        let mut setup = setup(cell([5.0, 6.0, 0.4], [true, false, true]), two_kinds(first));
        setup.is_flat = true;
        setup.cell.origin[2] = -0.2;
        setup.actions[0].effect = Effect::Integrate { inertia: 0.5 };
        setup.actions.push(on_all("flat", Effect::Flat));
        let gravity = Effect::Gravity([0.0, -9.81, 0.0]);
        setup.actions.insert(1, on_all("gravity", gravity));
        let floor = wall(planes(1, 0.1, 6.0), law(first + 4));
        setup.actions.insert(2, on_all("floor", floor));
        let mut spheres = crowd(90 + first as u64, [5, 6, 1]);
        for i in 0..spheres.ids.len() {
            spheres.positions[i][2] = 0.0;
        }
        assert_like_reference(&format!("flat {first}"), &setup, &spheres, 300);
    }
}

/// Shear and compression, with spheres that move along and spheres that do not.
#[test]
fn cells_that_change() {
    for remap in [Remap::Positions, Remap::None] {
        for every in [1, 7] {
            let mut setup = setup(cell([3.0, 3.0, 3.0], [true; 3]), two_kinds(5));
            let deform = Deform {
                from: setup.cell,
                start: 0.0,
                every,
                sizes: [Some(Change::Linear([0.3, -0.5])), None, None],
                tilts: [Some(Change::Linear([0.0, 6.0])), None, None],
                remap,
            };
            let deform = Effect::Deform(Box::new(deform));
            setup.actions.push(on_all("deform", deform));
            let spheres = crowd(100, [3, 3, 3]);
            let name = format!("{remap:?} every {every}");
            assert_like_reference(&name, &setup, &spheres, 200);
        }
    }
}

/// JKR holds on to a sphere that is pulled away, across gaps that are wider than the skin.
#[test]
fn adhesion_across_gaps_wider_than_the_skin() {
    let mut adhesive = law(4);
    adhesive.normal = tangere_sim::laws::Normal::jkr(2e3, 0.3, 100.0);
    let mut setup = setup(cell([9.0; 3], [false; 3]), one_kind(adhesive));
    setup.skin = 0.01;
    let pull = Motion::Linear([Some(0.2), Some(0.04), Some(0.0)]);
    setup.actions = vec![on_group("pull", 2, Effect::Move(pull))];
    let mut spheres = spheres_at(&[[4.0; 3], [4.98, 4.0, 4.0]], 0.5);
    spheres.groups[1] = 3;
    let gap = adhesive.normal.pull_off_gap(0.25);
    assert!(gap > 0.15, "{gap}");
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    let mut widest = f64::NEG_INFINITY;
    for _ in 0..100 {
        simulation.advance(100).unwrap();
        let contacts = simulation.contacts();
        widest = contacts
            .iter()
            .fold(widest, |most, contact| most.max(contact.gap));
    }
    assert!((0.98 * gap..gap).contains(&widest), "{widest} of {gap}");
    assert_eq!(simulation.contact_count(), 0);
}

/// A sphere that is slower at the end of each step than on the way: it touches just before it turns.
#[test]
fn contacts_with_spheres_that_slow_down() {
    let mut setup = setup(cell([9.0; 3], [false; 3]), one_kind(law(0)));
    setup.step = 1e-3;
    setup.skin = 3.0;
    let wiggle = Motion::Wiggle {
        amplitude: [Some(1.0), None, None],
        period: 1.0,
    };
    setup.actions = vec![on_group("wiggle", 2, Effect::Move(wiggle))];
    // A third of the first step short of the farthest place.
    let gap = 1.0 - 0.3 * std::f64::consts::TAU * setup.step;
    let mut spheres = spheres_at(&[[2.0, 4.0, 4.0], [3.0 + gap, 4.0, 4.0]], 0.5);
    spheres.groups[0] = 3;
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    simulation.advance(250).unwrap();
    assert_eq!(simulation.contact_count(), 1);
}

/// A frozen sphere at a wall has the mass that it would have if it moved.
#[test]
fn frozen_spheres_at_walls() {
    let mut setup = setup(cell([9.0; 3], [false; 3]), one_kind(law(0)));
    setup.actions.push(on_all("frozen", Effect::Freeze));
    let floor = wall(planes(2, 0.0, 9.0), law(5));
    setup.actions.push(on_all("floor", floor));
    let mut spheres = spheres_at(&[[2.0, 4.0, 0.48]], 0.5);
    spheres.spins[0] = [0.0, 1.0, 0.0];
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    simulation.advance(2).unwrap();
    let [x, _, z] = simulation.spheres().forces[0];
    assert!(
        (1.0..1e3).contains(&x.abs()) && (1e3..1e4).contains(&z),
        "{x} {z}"
    );
}

/// Pairs of ids and image with a gap of at most 0, by a scene of the same spheres.
fn touching_in_scene(simulation: &Simulation) -> BTreeSet<(u64, u64, [i32; 3])> {
    let cell = &simulation.setup().cell;
    let periodic = cell.periodic.contains(&true).then(|| {
        let sizes = std::array::from_fn(|k| match cell.periodic[k] {
            true => cell.edges[k][k],
            false => 0.0,
        });
        let [_, b, c] = cell.edges;
        Periodic::tilted(sizes, &[b[0], c[0], c[1]]).unwrap()
    });
    let settings = SceneSettings::default().with_periodic(periodic);
    let mut scene = Scene::new(settings).unwrap();
    let spheres = simulation.spheres();
    for i in 0..spheres.ids.len() {
        let shape = Shape::sphere(spheres.radii[i]).unwrap();
        let pose = Pose::from_translation(spheres.positions[i]).unwrap();
        let body = Body::new(shape).at(pose).with_id(spheres.ids[i]);
        scene.add(body).unwrap();
    }
    scene.update().unwrap();
    let contacts = scene.contacts().iter();
    let contacts = contacts.filter(|contact| contact.contact.gap <= 0.0);
    contacts.map(|c| (c.a, c.b, c.image)).collect()
}

#[test]
fn contacts_are_those_of_a_scene() {
    let cells = [
        cell([5.0, 5.0, 4.0], [false; 3]),
        cell([5.0, 5.0, 4.0], [true, true, false]),
        cell([5.0, 5.0, 4.0], [true; 3]),
        {
            let mut tilted = cell([5.0, 5.0, 4.0], [true; 3]);
            tilted.edges[1][0] = 1.7;
            tilted.edges[2] = [-0.6, 0.9, 4.0];
            tilted
        },
    ];
    for (number, cell) in cells.into_iter().enumerate() {
        // Laws without adhesion: their contacts end where gaps begin.
        let laws = one_kind(law(10 * number + 1));
        let mut spheres = crowd(110 + number as u64, [5, 5, 4]);
        spheres.kinds.fill(0);
        let mut simulation = Simulation::new(setup(cell, laws), &spheres).unwrap();
        let (mut all, mut last) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..8 {
            simulation.advance(50).unwrap();
            let own = simulation.contacts().into_iter();
            let own: BTreeSet<_> = own.map(|c| (c.a, c.b, c.image)).collect();
            let expected = touching_in_scene(&simulation);
            assert_eq!(own, expected, "cell {number}");
            all.extend(own.iter().copied());
            last = own;
        }
        assert!(last.len() > 9, "{}", last.len());
        assert!(all.len() > last.len() + 20, "{} {}", all.len(), last.len());
    }
}
