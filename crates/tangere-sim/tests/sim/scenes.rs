//! Scenes in TOML: what they make, how they run in folders and go on there, and what is refused.

use super::support::BOX;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use tangere_io::scene::SceneFile;
use tangere_sim::deck::{RunOptions, run_deck};
use tangere_sim::laws::{Damping, Normal, Tangential};
use tangere_sim::scene::{BUNDLED, End, SceneOptions, run_scene};
use tangere_sim::setup::Effect;
use tangere_sim::{Progress, RunError, RunReport, Simulation, critical_step};

const GLASS: &str = "step = 1e-5\n\
    [[material]]\nname = \"glass\"\ndensity = 2500\nyoung = 1e8\npoisson = 0.25\nrestitution = 0.8\nfriction = 0.4\n";
const BALL: &str = "[[body]]\nshape = { ball = { radius = 0.01 } }\n";

fn made(text: &str) -> Simulation {
    let file = SceneFile::parse(text.as_bytes(), "").unwrap();
    Simulation::from_scene(&file).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refused(text: &str) -> String {
    match SceneFile::parse(text.as_bytes(), "") {
        Err(fault) => fault.to_string(),
        Ok(file) => Simulation::from_scene(&file).unwrap_err().to_string(),
    }
}

/// Stops after a number of looks.
struct Looks(u32);

impl Progress for Looks {
    fn see(&mut self, _: &Simulation, _: u64, _: Option<u64>) {
        self.0 = self.0.saturating_sub(1);
    }

    fn is_interrupted(&self) -> bool {
        self.0 == 0
    }

    fn warn(&mut self, message: &str) {
        panic!("{message}");
    }
}

fn run(
    text: &str,
    out: Option<&Path>,
    end: End,
    resume: bool,
    looks: u32,
) -> Result<RunReport, RunError> {
    let file = SceneFile::parse(text.as_bytes(), "").unwrap();
    let options = SceneOptions {
        out: out.map(Path::to_owned),
        resume,
        force: false,
        interval: Duration::from_secs(1000),
        end,
    };
    let mut screen: Vec<u8> = Vec::new();
    let screen: &mut dyn Write = &mut screen;
    run_scene(&file, text.as_bytes(), &options, screen, &mut Looks(looks))
}

#[test]
fn materials_make_laws() {
    let simulation = made(&format!("{GLASS}{BALL}"));
    let law = simulation.setup().laws.laws[0];
    let Normal::Hertz { stiffness } = law.normal else {
        panic!("{law:?}");
    };
    let modulus = 1e8 / (2.0 * (1.0 - 0.0625));
    assert!((stiffness / (4.0 / 3.0 * modulus) - 1.0).abs() < 1e-14);
    assert_eq!(law.damping, Damping::restitution_of_hertz(0.8));
    let Tangential::Spring(spring) = law.tangential else {
        panic!("{law:?}");
    };
    let shear = 1e8 / (4.0 * (2.0 - 0.25) * (1.0 + 0.25));
    assert!((spring.stiffness / (8.0 * shear) - 1.0).abs() < 1e-14 && spring.scales);
    assert_eq!((spring.friction, spring.damping), (0.4, 1.0));
}

#[test]
fn interactions_override_what_follows_from_both() {
    let text = "step = 1e-5\n\
        [[material]]\nname = \"a\"\ndensity = 1\nstiffness = 100\nfriction = 0.4\n\
        [[material]]\nname = \"b\"\ndensity = 1\nstiffness = 400\nfriction = 0.9\n\
        [[interaction]]\nmaterials = [\"b\", \"a\"]\nrestitution = 0.5\n\
        [[body]]\nshape = { ball = { radius = 1 } }\nmaterial = \"a\"\n\
        [[body]]\nshape = { ball = { radius = 1 } }\nmaterial = \"b\"\nposition = [9, 0, 0]\n";
    let simulation = made(text);
    let laws = &simulation.setup().laws;
    let number = laws.table[1].unwrap() as usize;
    assert_eq!(laws.table, [Some(0), Some(1), Some(1), Some(2)]);
    let law = laws.laws[number];
    assert_eq!(law.normal, Normal::Hooke { stiffness: 200.0 });
    assert_eq!(law.damping, Damping::restitution_of_hooke(0.5));
    assert_eq!(laws.laws[0].damping, Damping::None);
    let Tangential::Spring(spring) = law.tangential else {
        panic!("{law:?}");
    };
    assert!((spring.friction - 0.6).abs() < 1e-15);
    assert!((spring.stiffness - 400.0 / 7.0).abs() < 1e-12 && !spring.scales);
}

#[test]
fn walls_have_a_law_for_each_material() {
    let text = "step = 1e-5\n\
        [[material]]\nname = \"a\"\ndensity = 1\nstiffness = 100\n\
        [[material]]\nname = \"b\"\ndensity = 1\nstiffness = 400\n\
        [[wall]]\nname = \"floor\"\nmaterial = \"a\"\nplane = { normal = [0, 0, 2] }\n\
        [[body]]\nshape = { ball = { radius = 1 } }\nmaterial = \"a\"\n\
        [[body]]\nshape = { ball = { radius = 1 } }\nmaterial = \"b\"\nposition = [9, 0, 0]\n";
    let setup = made(text).setup().clone();
    let walls = setup
        .actions
        .iter()
        .filter_map(|action| match &action.effect {
            Effect::Wall(wall) => Some((action.name.as_str(), wall.law.normal)),
            _ => None,
        });
    let walls: Vec<_> = walls.collect();
    let hooke = |stiffness| Normal::Hooke { stiffness };
    assert_eq!(
        walls,
        [("floor/0", hooke(100.0)), ("floor/1", hooke(200.0))]
    );
}

#[test]
fn wrong_scenes_are_refused() {
    let material = |rest: &str| {
        format!("step = 1e-5\n[[material]]\nname = \"m\"\ndensity = 1\n{rest}\n{BALL}")
    };
    let body = |rest: &str| format!("{GLASS}{BALL}{rest}\n");
    for (text, expected) in [
        (BALL.to_owned(), "no `step`, expected the time step"),
        (
            format!("step = 1\n{BALL}"),
            "no material, expected at least one",
        ),
        (
            material(""),
            "material \"m\" without `young`, expected Young's modulus, or `stiffness`",
        ),
        (
            material("young = -1"),
            "`young = -1`, expected a number above 0",
        ),
        (
            material("stiffness = 1\nyuong = 1"),
            "did you mean `young`?",
        ),
        (
            material("stiffness = 1\nrestitution = 1.5"),
            "`restitution = 1.5`, expected a number from 0 to 1",
        ),
        (
            material("stiffness = 1\nsurface_energy = 2\nnormal = \"hooke\""),
            "expected normal \"dmt\" or \"jkr\"",
        ),
        (
            material("stiffness = 1\ndamping = \"tsuij\""),
            "did you mean \"tsuji\"?",
        ),
        (
            material("stiffness = 1\ndamping = \"velocity\""),
            "without `damping_constant`",
        ),
        (
            material("stiffness = 1\nrolling = { model = \"sds\" }"),
            "no `rolling.stiffness`",
        ),
        (
            material("stiffness = 1\nrolling = { model = \"cdt\", friction = 0.1, damping = 1 }"),
            "no such key of model \"cdt\"",
        ),
        (
            GLASS.replace("1e-5", "1") + BALL,
            "`step = 1e0`, expected at most the critical step",
        ),
        (body("material = \"glas\""), "did you mean \"glass\"?"),
        (
            body("acceleration = [0, 0, 1]"),
            "an `acceleration` of body \"body 0\"",
        ),
        (body("center = [0, 0, 1]"), "a `center`"),
        (body("group = 1"), "a `group` or `mask`"),
        (
            format!("{GLASS}[[body]]\nshape = {{ box = {{ size = 1 }} }}\n"),
            "a box as the shape of body \"body 0\", expected a ball, a compound",
        ),
        (
            format!("{GLASS}[[body]]\nshape = {{ half_space = {{ normal = [0, 0, 1] }} }}\n"),
            "a half-space that moves",
        ),
        (
            format!(
                "{GLASS}[[body]]\nfixed = true\nshape = {{ half_space = {{ normal = [0, 0, 1] }} }}\n"
            ),
            "no ball among the bodies",
        ),
        (
            format!(
                "{GLASS}[[wall]]\nname = \"f\"\nplane = {{ point = [0, 0, -1], normal = [0, 0, 1] }}\n{BALL}[[body]]\nname = \"f\"\nfixed = true\nposition = [0, 0, -2]\nshape = {{ half_space = {{ normal = [0, 0, 1] }} }}\n"
            ),
            "two walls of the name \"f\"",
        ),
        (
            format!(
                "dimension = 2\n{GLASS}[[body]]\nshape = {{ compound = [{{ shape = {{ ball = {{ radius = 0.01 }} }} }}, \
                {{ shape = {{ ball = {{ radius = 0.01 }} }}, position = [0, 0, 0.01] }}] }}\n"
            ),
            "expected one height, as `dimension = 2` says",
        ),
        (
            format!(
                "{GLASS}[[body]]\nid = 18446744073709551614\nshape = {{ compound = [{{ shape = {{ ball = {{ radius = 0.01 }} }} }}, \
                {{ shape = {{ ball = {{ radius = 0.01 }} }}, position = [0, 0, 0.01] }}] }}\n"
            ),
            "no id left after 18446744073709551614 for the balls of body \"body 0\"",
        ),
        (
            material("stiffness = 1\nyoung = 1"),
            "`young` or `stiffness`, not both",
        ),
        (
            format!(
                "{GLASS}[[wall]]\nname = \"floor\"\nplane = {{ point = [0, 0, 1], normal = [0, 0, 1] }}\n{BALL}"
            ),
            "body \"body 0\" beyond wall \"floor\"",
        ),
        (
            format!("{GLASS}[[wall]]\n{BALL}"),
            "a wall without a surface",
        ),
        (
            format!("{GLASS}[[wall]]\nplane = {{ normal = [0, 0, 0] }}\n{BALL}"),
            "a vector other than 0",
        ),
        (
            format!("{GLASS}[[wall]]\nbox = [0, 0, 0, 1, 1, 0]\n{BALL}"),
            "a lower corner, then one above it",
        ),
        (
            format!("{GLASS}[[wall]]\nbox = [0, 0, 0, 1, 1, 1]\nopen = [\"top\"]\n{BALL}"),
            "faces of a box: -x, +x",
        ),
        (
            format!(
                "{GLASS}[[wall]]\nsphere = {{ radius = 1 }}\nvelocity = [1, 0, 0]\nshear = [1, 0, 0]\n{BALL}"
            ),
            "one motion of a wall only",
        ),
        (
            body("fill = { box = [0, 0, 0, 0.01, 0.01, 0.01], count = 100, apart = true }"),
            "bodies that do not overlap, expected a larger box",
        ),
    ] {
        let found = refused(&text);
        assert!(
            found.contains(expected),
            "{found}\n  expected {expected}\n{text}"
        );
    }
}

#[test]
fn critical_steps_are_those_of_the_formulas() {
    let simulation = made(&format!("{GLASS}{BALL}"));
    let spheres = simulation.spheres();
    let found = critical_step(simulation.setup(), &spheres).unwrap();
    let shear = 1e8 / 2.5;
    let expected =
        std::f64::consts::PI * 0.01 * f64::sqrt(2500.0 / shear) / (0.1631 * 0.25 + 0.8766);
    let (step, id) = found.rayleigh.unwrap();
    assert!(
        (step / expected - 1.0).abs() < 1e-12 && id == 0,
        "{step} {expected}"
    );
    assert_eq!(found.spring, None);
    let text = "step = 1e-5\n[[material]]\nname = \"m\"\ndensity = 3\nstiffness = 50\n";
    let simulation = made(&format!("{text}{BALL}"));
    let spheres = simulation.spheres();
    let found = critical_step(simulation.setup(), &spheres).unwrap();
    let expected = 2.0 * (0.5 * spheres.masses[0] / 50.0).sqrt();
    assert!((found.step() / expected - 1.0).abs() < 1e-12);
}

/// Just below the critical step of a linear spring a pair vibrates, above it it flies apart.
#[test]
fn the_critical_step_of_a_spring_is_the_limit_of_stability() {
    use super::systems::{cell, one_kind, setup, spheres_at};
    use tangere_sim::laws::Law;
    let law = Law::new(
        Normal::Hooke { stiffness: 100.0 },
        Damping::None,
        Tangential::None,
    );
    // Spheres far inside each other do not part within the test.
    for (factor, is_stable) in [(0.98, true), (1.02, false)] {
        let mut setup = setup(cell([10.0; 3], [false; 3]), one_kind(law));
        let spheres = spheres_at(&[[4.9, 5.0, 5.0], [5.1, 5.0, 5.0]], 0.5);
        let limit = critical_step(&setup, &spheres).unwrap().step();
        setup.step = factor * limit;
        let mut spheres = spheres;
        // Near the rest of a spring that is prestressed by a force.
        spheres.positions[0][0] += 1e-6;
        let mut simulation = Simulation::new(setup, &spheres).unwrap();
        let push = 100.0 * 0.8;
        simulation
            .set_own_forces(&[[push, 0.0, 0.0], [-push, 0.0, 0.0]])
            .unwrap();
        simulation.advance(60).unwrap();
        let way = simulation.spheres().positions[1][0] - simulation.spheres().positions[0][0];
        assert_eq!((way - 0.2).abs() < 1e-4, is_stable, "{factor} {way}");
    }
}

#[test]
fn every_bundled_scene_runs_and_has_its_hash_on_any_threads() {
    for scene in &BUNDLED {
        let hashes = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            let report = pool.install(|| run(scene.text, None, End::Steps(600), false, u32::MAX));
            report.unwrap().hash
        });
        assert_eq!(hashes[0], hashes[1], "{}", scene.name);
    }
}

/// Reads all files below a folder but the checkpoint.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|e| e != "bin") {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn output_scene() -> String {
    let text = BUNDLED[3].text.replace(
        "output = { every = 0.05 }",
        "output = { every = 0.002, dump = true, contacts = true }\nledger = true",
    );
    let text = text.replace("count = 2000", "count = 300");
    assert!(text.contains("ledger") && text.contains("count = 300"));
    text
}

#[test]
fn a_scene_that_goes_on_writes_the_same_files() {
    let text = output_scene();
    let whole = tempfile::tempdir().unwrap();
    let parts = tempfile::tempdir().unwrap();
    let end = End::Time(0.0135);
    let report = run(&text, Some(whole.path()), end, false, u32::MAX).unwrap();
    assert_eq!(report.steps, 1350);
    // It ends early once, is interrupted twice, and goes on.
    run(&text, Some(parts.path()), End::Steps(333), false, u32::MAX).unwrap();
    for _ in 0..2 {
        let error = run(&text, Some(parts.path()), end, true, 3).unwrap_err();
        assert!(matches!(error, RunError::Interrupted), "{error}");
    }
    let again = run(&text, Some(parts.path()), end, true, u32::MAX).unwrap();
    assert_eq!((again.hash, again.steps), (report.hash, report.steps));
    assert_eq!(again.ledger, report.ledger);
    let (mut a, mut b) = (files(whole.path()), files(parts.path()));
    // The frame at the early end stays beside the series.
    b.retain(|(name, _)| !name.contains("0000000333"));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&a), names(&b));
    assert!(names(&a).contains(&"totals.csv".to_owned()));
    a.retain(|file| !b.contains(file));
    assert_eq!(names(&a), Vec::<String>::new());
}

#[test]
fn folders_and_checkpoints_of_others_are_refused() {
    let text = output_scene();
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: &str, end: End, resume: bool| {
        let error = run(text, Some(folder.path()), end, resume, u32::MAX);
        error.unwrap_err().to_string()
    };
    let found = refused(&text, End::Steps(10), true);
    assert!(found.contains("no checkpoint"), "{found}");
    run(&text, Some(folder.path()), End::Steps(20), false, u32::MAX).unwrap();
    let found = refused(&text, End::Steps(30), false);
    assert!(found.contains("a folder with other results"), "{found}");
    let found = refused(&text, End::Steps(10), true);
    assert!(
        found.contains("expected an end at step 20 or later"),
        "{found}"
    );
    let found = refused(&text.replace("0.7", "0.6"), End::Steps(30), true);
    assert!(found.contains("the checkpoint of another scene"), "{found}");
    let path = folder.path().join("checkpoint.bin");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[200] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let found = refused(&text, End::Steps(30), true);
    assert!(found.contains("a wrong checksum"), "{found}");
}

/// Two spheres that are pushed into each other stop the simulation; files say where.
#[test]
fn a_simulation_that_makes_no_sense_leaves_what_it_saw() {
    let text = "until = 1\nstep = 1e-3\n\
        [[material]]\nname = \"soft\"\ndensity = 1\nstiffness = 1\n\
        [[body]]\nid = 7\nshape = { ball = { radius = 1 } }\nvelocity = [30, 0, 0]\n\
        [[body]]\nid = 9\nshape = { ball = { radius = 1 } }\nposition = [2.1, 0, 0]\nvelocity = [-30, 0, 0]\n";
    let folder = tempfile::tempdir().unwrap();
    let error = run(text, Some(folder.path()), End::OfScene, false, u32::MAX).unwrap_err();
    let message = error.to_string();
    for part in [
        "sphere 7",
        "overlaps sphere 9",
        "stopped.csv",
        "stopped.bin",
    ] {
        assert!(message.contains(part), "{message}");
    }
    let table = std::fs::read_to_string(folder.path().join("stopped.csv")).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    let bytes = std::fs::read(folder.path().join("stopped.bin")).unwrap();
    let pair = tangere::scene::Scene::restore(&bytes).unwrap();
    let answers = pair.pair_answers([7, 9]).unwrap();
    assert!(
        answers
            .iter()
            .all(|answer| answer.agrees && answer.contact.gap < -0.5)
    );
}

/// Two programs do not write to one folder; what one that was killed left of a checkpoint is cleared.
#[test]
fn a_folder_in_use_is_refused() {
    let text = format!("until = 1e-3\n{GLASS}{BALL}");
    let folder = tempfile::tempdir().unwrap();
    let held = std::fs::File::open(folder.path()).unwrap();
    held.try_lock().unwrap();
    for resume in [false, true] {
        let error = run(&text, Some(folder.path()), End::OfScene, resume, u32::MAX).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("a simulation that runs there"),
            "{message}"
        );
    }
    drop(held);
    run(&text, Some(folder.path()), End::OfScene, false, u32::MAX).unwrap();
    let left = folder.path().join("checkpoint.bin.4711.part");
    std::fs::write(&left, "half a checkpoint").unwrap();
    run(&text, Some(folder.path()), End::OfScene, true, u32::MAX).unwrap();
    assert!(!left.exists());
    // To go on in a folder that is not there creates none.
    let missing = folder.path().join("missing");
    run(&text, Some(&missing), End::OfScene, true, u32::MAX).unwrap_err();
    assert!(!missing.exists());
}

/// Decks leave the same files.
#[test]
fn a_deck_that_makes_no_sense_leaves_what_it_saw() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("in.soft");
    let text = format!(
        "{BOX}create_atoms 1 single -1 0 0\ncreate_atoms 1 single 1 0 0\nset group all diameter 1 density 1\n\
        set atom 1 vx 30\nset atom 2 vx -30\npair_style gran/hooke 1 NULL 0 NULL 0 0\npair_coeff * *\n\
        fix 1 all nve/sphere\nrun 1000\n"
    );
    std::fs::write(&deck, text).unwrap();
    let out = folder.path().join("out");
    let options = RunOptions {
        out: Some(out.clone()),
        ..RunOptions::default()
    };
    let mut screen: Vec<u8> = Vec::new();
    let error = run_deck(&deck, &options, &mut screen, &mut Looks(u32::MAX)).unwrap_err();
    let message = error.to_string();
    for part in [
        "sphere 1",
        "overlaps sphere 2",
        "stopped.csv",
        "stopped.bin",
    ] {
        assert!(message.contains(part), "{message}");
    }
    let table = std::fs::read_to_string(out.join("stopped.csv")).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    let pair = tangere::scene::Scene::restore(&std::fs::read(out.join("stopped.bin")).unwrap());
    let answers = pair.unwrap().pair_answers([1, 2]).unwrap();
    assert!(answers.iter().all(|answer| answer.contact.gap < -0.25));
}

/// What overlaps at the start, a sphere or a wall, stops a run before its first step, with files that show
/// the state at that time.
#[test]
fn what_overlaps_at_the_start_is_named() {
    let text = "until = 1\nstep = 1e-3\n\
        [[material]]\nname = \"soft\"\ndensity = 1\nstiffness = 1\n\
        [[wall]]\nname = \"floor\"\nplane = { normal = [0, 0, 1] }\n";
    let ball = |place: &str| {
        format!("[[body]]\nshape = {{ ball = {{ radius = 1 }} }}\nposition = [{place}]\n")
    };
    for (bodies, parts) in [
        (
            ball("0, 0, 5") + &ball("0.7, 0, 5"),
            [
                "sphere 0",
                "overlaps sphere 1",
                "at the start",
                "stopped.bin",
            ],
        ),
        (
            ball("0, 0, 5") + &ball("3, 0, 0.3"),
            [
                "sphere 1",
                "overlaps wall \"floor\"",
                "at the start",
                "stopped.csv",
            ],
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let scene = format!("{text}{bodies}");
        let error = run(&scene, Some(folder.path()), End::OfScene, false, u32::MAX).unwrap_err();
        let message = error.to_string();
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
    }
}

/// The state of a stopped run is that in which spheres overlapped, not that after the next drift.
#[test]
fn a_stopped_state_is_that_of_the_message() {
    let text = "until = 1\nstep = 1e-2\n\
        [[material]]\nname = \"soft\"\ndensity = 1\nstiffness = 1\n\
        [[body]]\nshape = { ball = { radius = 1 } }\nvelocity = [30, 0, 0]\n\
        [[body]]\nshape = { ball = { radius = 1 } }\nposition = [2.25, 0, 0]\nvelocity = [-30, 0, 0]\n";
    let folder = tempfile::tempdir().unwrap();
    let error = run(text, Some(folder.path()), End::OfScene, false, u32::MAX).unwrap_err();
    let message = error.to_string();
    let overlap = message
        .split(" by ")
        .nth(1)
        .unwrap()
        .split(',')
        .next()
        .unwrap();
    let overlap: f64 = overlap.parse().unwrap();
    let bytes = std::fs::read(folder.path().join("stopped.bin")).unwrap();
    let pair = tangere::scene::Scene::restore(&bytes).unwrap();
    let answers = pair.pair_answers([0, 1]).unwrap();
    assert!(
        (answers[0].contact.gap + overlap).abs() < 1e-12,
        "{message}"
    );
}

/// Times are no sums of steps: 0.1 added a thousand times is not 100.
#[test]
fn times_are_multiples_of_the_step() {
    let text = "until = 100\nstep = 0.1\n[[material]]\nname = \"m\"\ndensity = 1\nstiffness = 1\n";
    let mut simulation = made(&format!("{text}{BALL}").replace("0.01", "10"));
    for _ in 0..10 {
        simulation.advance(100).unwrap();
        simulation = Simulation::from_state(simulation.state()).unwrap();
    }
    assert_eq!(simulation.time(), 1000.0 * 0.1);
}

/// Forces of the user go on after a restart, without being given again.
#[test]
fn own_forces_are_part_of_a_state() {
    let mut simulation = made(&format!("{GLASS}{BALL}"));
    simulation.set_own_forces(&[[1e-3, 0.0, 0.0]]).unwrap();
    simulation.advance(10).unwrap();
    let mut again = Simulation::from_state(simulation.state()).unwrap();
    simulation.advance(10).unwrap();
    again.advance(10).unwrap();
    assert_eq!(again.hash(), simulation.hash());
    assert!(again.spheres().velocities[0][0] > 0.0);
    // Without them the forces are found anew.
    again.set_own_forces(&[]).unwrap();
    let before = again.spheres().velocities;
    again.advance(10).unwrap();
    assert_eq!(again.spheres().velocities, before);
}
