//! Clumps: spheres that move as one rigid body.

use super::systems::Random;
use tangere_io::scene::SceneFile;
use tangere_sim::Simulation;

const MATERIAL: &str = "step = 1e-4\nperiodic = [8, 8, 0]\nledger = true\n\
    [[material]]\nname = \"m\"\ndensity = 1\nstiffness = 2e4\nrestitution = 0.8\nfriction = 0.5\n";

fn made(text: &str) -> Simulation {
    let file = SceneFile::parse(text.as_bytes(), "").unwrap();
    Simulation::from_scene(&file).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A clump of one sphere moves as the sphere does.
#[test]
fn a_clump_of_one_sphere_is_a_sphere() {
    let rest = "velocity = [1.3, 0.2, 0]\nspin = [0, 2, 1]\nposition = [4, 4, 1]\n";
    let floor = "gravity = [0, 0, -5]\n[[wall]]\nplane = { normal = [0, 0, 1] }\n";
    let scene = |shape: &str| {
        let head = MATERIAL.replacen("ledger = true\n", "gravity = [0, 0, -5]\n", 1);
        let wall = floor.trim_start_matches("gravity = [0, 0, -5]\n");
        format!("{head}{wall}[[body]]\nshape = {shape}\n{rest}")
    };
    let ball = "{ ball = { radius = 0.5 } }";
    let mut sphere = made(&scene(ball));
    let mut clump = made(&scene(&format!("{{ compound = [{{ shape = {ball} }}] }}")));
    assert_eq!((sphere.clumps().len(), clump.clumps().len()), (0, 1));
    for _ in 0..20 {
        sphere.advance(1000).unwrap();
        clump.advance(1000).unwrap();
        let (a, b) = (sphere.spheres(), clump.spheres());
        for k in 0..3 {
            let close = |x: f64, y: f64| (x - y).abs() < 1e-9;
            assert!(close(a.positions[0][k], b.positions[0][k]), "{a:?} {b:?}");
            assert!(close(a.velocities[0][k], b.velocities[0][k]), "{a:?} {b:?}");
            assert!(close(a.spins[0][k], b.spins[0][k]), "{a:?} {b:?}");
        }
        assert_eq!(a.images, b.images);
    }
}

fn tumbling(count: usize) -> String {
    let mut random = Random(3);
    let mut text = MATERIAL.replacen(
        "ledger = true\n",
        "ledger = true\ngravity = [0, 0, -5]\n",
        1,
    );
    text += "[[wall]]\nname = \"floor\"\nplane = { normal = [0, 0, 1] }\n\
        [[shape]]\nname = \"stone\"\ncompound = [\
        { shape = { ball = { radius = 0.5 } } },\
        { shape = { ball = { radius = 0.35 } }, position = [0.5, 0, 0] },\
        { shape = { ball = { radius = 0.3 } }, position = [0, 0.45, 0.2] }]\n";
    for i in 0..count {
        let place = [i % 4, i / 4 % 4, i / 16].map(|n| 1.0 + 2.0 * n as f64);
        let (v, w) = (random.vector(1.0), random.vector(3.0));
        text += &format!(
            "[[body]]\nshape = \"stone\"\nposition = {place:?}\nrotation = \"1,1,{i}:{}\"\nvelocity = {v:?}\nspin = {w:?}\n",
            37 * i
        );
    }
    text
}

/// Clumps that fall onto a floor and each other: energy is accounted for, the hash does not depend on
/// threads and restarts, and spheres of a clump keep their distances.
#[test]
fn falling_clumps() {
    let text = tumbling(40);
    let run = |threads: usize, parts: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut simulation = made(&text);
            simulation.open_ledger().unwrap();
            for _ in 0..parts {
                simulation.advance(6000 / parts).unwrap();
                simulation = Simulation::from_state(simulation.state()).unwrap();
            }
            simulation
        })
    };
    let first = run(1, 1);
    for (threads, parts) in [(2, 1), (3, 3), (1, 6)] {
        let other = run(threads, parts);
        assert_eq!(other.hash(), first.hash(), "{threads} {parts}");
        assert_eq!(other.energy(), first.energy(), "{threads} {parts}");
    }
    let energy = first.energy().unwrap();
    assert!(energy.dissipated.total() > 10.0, "{energy:?}");
    let relative = energy.residual.abs() / energy.dissipated.total();
    assert!(relative < 1e-3, "{relative:e} {energy:?}");
    let spheres = first.spheres();
    for clump in first.clumps() {
        let place = |member: usize| {
            let id = clump.members[member].id;
            let row = spheres.ids.binary_search(&id).unwrap();
            let image = spheres.images[row];
            let at = spheres.positions[row];
            [
                at[0] + 8.0 * f64::from(image[0]),
                at[1] + 8.0 * f64::from(image[1]),
                at[2],
            ]
        };
        let (a, b) = (place(0), place(1));
        let square: f64 = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum();
        assert!((square.sqrt() - 0.5).abs() < 1e-12, "{square}");
    }
}

/// Two clumps that collide in free space keep momentum and angular momentum.
#[test]
fn colliding_clumps_keep_momentum() {
    let text = format!(
        "{}[[shape]]\nname = \"rod\"\ncompound = [{{ shape = {{ ball = {{ radius = 0.4 }} }} }}, \
        {{ shape = {{ ball = {{ radius = 0.4 }} }}, position = [0.6, 0, 0] }}]\n\
        [[body]]\nshape = \"rod\"\nposition = [2, 4, 4]\nvelocity = [2, 0.1, 0]\nspin = [0, 1, 2]\n\
        [[body]]\nshape = \"rod\"\nposition = [4, 4.3, 4]\nrotation = \"z:70\"\nvelocity = [-2, 0, 0.2]\n",
        MATERIAL.replacen("periodic = [8, 8, 0]\n", "", 1)
    );
    let mut simulation = made(&text);
    let totals = |simulation: &Simulation| {
        let mut totals = [[0.0; 3]; 2];
        for clump in simulation.clumps() {
            let (x, v) = (clump.position, clump.velocity);
            for k in 0..3 {
                let [i, j] = [(k + 1) % 3, (k + 2) % 3];
                totals[0][k] += clump.mass * v[k];
                totals[1][k] +=
                    clump.mass * (x[i] * v[j] - x[j] * v[i]) + clump.angular_momentum[k];
            }
        }
        totals
    };
    let first = totals(&simulation);
    let before = simulation.clumps()[0].velocity;
    simulation.advance(20_000).unwrap();
    let last = totals(&simulation);
    assert!((simulation.clumps()[0].velocity[0] - before[0]).abs() > 0.5);
    for k in 0..3 {
        assert!(
            (first[0][k] - last[0][k]).abs() < 1e-12,
            "{first:?} {last:?}"
        );
        // Torques act at the middle of an overlap, forces along the line of centres.
        assert!(
            (first[1][k] - last[1][k]).abs() < 1e-9,
            "{first:?} {last:?}"
        );
    }
}

const FLAT: &str = "step = 1e-4\ndimension = 2\n\
    [[material]]\nname = \"m\"\ndensity = 1\nstiffness = 2e4\nrestitution = 0.8\nfriction = 0.5\n\
    [[shape]]\nname = \"stone\"\ncompound = [\
    { shape = { ball = { radius = 0.5 } } },\
    { shape = { ball = { radius = 0.35 } }, position = [0.5, 0, 0] },\
    { shape = { ball = { radius = 0.3 } }, position = [0.1, 0.45, 0] }]\n";

/// A clump in a plane turns about the normal at a constant rate, and stays in the plane.
#[test]
fn a_free_clump_in_a_plane() {
    let text =
        format!("{FLAT}[[body]]\nshape = \"stone\"\nposition = [1, 2, 0]\nspin = [0, 0, 3]\n");
    let mut simulation = made(&text);
    let first = simulation.spheres();
    simulation.advance(10_000).unwrap();
    let (center, spheres) = (simulation.clumps()[0].position, simulation.spheres());
    let (sine, cosine) = 3.0_f64.sin_cos();
    let start = made(&text).clumps()[0].position;
    for (row, before) in first.positions.iter().enumerate() {
        let [x, y] = [before[0] - start[0], before[1] - start[1]];
        let expected = [
            center[0] + cosine * x - sine * y,
            center[1] + sine * x + cosine * y,
        ];
        for k in 0..2 {
            let error = spheres.positions[row][k] - expected[k];
            assert!(error.abs() < 1e-11, "{error:e}");
        }
        assert_eq!(spheres.positions[row][2], before[2]);
    }
}

/// Clumps in a plane fall into a trough: none leaves the plane, and the hash does not depend on threads
/// and restarts.
#[test]
fn falling_clumps_in_a_plane() {
    let mut text = FLAT.replacen(
        "dimension = 2\n",
        "dimension = 2\nledger = true\ngravity = [0, -5, 0]\n",
        1,
    );
    for (name, normal) in [("floor", [0.3, 1.0]), ("side", [-0.3, 1.0])] {
        let [x, y] = normal;
        text += &format!("[[wall]]\nname = \"{name}\"\nplane = {{ normal = [{x}, {y}, 0] }}\n");
    }
    for i in 0..24 {
        let (x, y) = (1.8 * f64::from(i % 6) - 4.5, 3.5 + 1.9 * f64::from(i / 6));
        text += &format!(
            "[[body]]\nshape = \"stone\"\nposition = [{x}, {y}, 0]\nrotation = \"z:{}\"\n",
            37 * i
        );
    }
    let run = |parts: u64| {
        let mut simulation = made(&text);
        simulation.open_ledger().unwrap();
        for _ in 0..parts {
            simulation.advance(12_000 / parts).unwrap();
            simulation = Simulation::from_state(simulation.state()).unwrap();
        }
        simulation
    };
    let first = run(1);
    assert_eq!(run(3).hash(), first.hash());
    let spheres = first.spheres();
    for (position, spin) in spheres.positions.iter().zip(&spheres.spins) {
        assert_eq!((position[2], spin[0], spin[1]), (0.0, 0.0, 0.0));
    }
    let energy = first.energy().unwrap();
    let relative = energy.residual.abs() / energy.dissipated.total();
    assert!(relative < 1e-3, "{relative:e} {energy:?}");
    assert!(energy.dissipated.total() > 1.0, "{energy:?}");
    let tilted = text.replacen("[0.1, 0.45, 0]", "[0.1, 0.45, 0.2]", 1);
    let file = SceneFile::parse(tilted.as_bytes(), "").unwrap();
    let message = Simulation::from_scene(&file).unwrap_err().to_string();
    assert!(message.contains("one height"), "{message}");
}
