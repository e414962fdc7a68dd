//! `tangere simulate`: decks, results in a folder, interruption and resumption.

use super::*;

/// About 150 spheres that fall on a plane, in two runs of which the second takes some seconds.
const DECK: &str = "\
units lj
atom_style sphere
boundary p p f
region box block 0 5 0 5 0 30
create_box 1 box
lattice sc 1.05
region layer block 0 4.9 0 4.9 0.9 7
create_atoms 1 region layer
set group all diameter 1 density 1
velocity all create 1.0 4711
pair_style granular
pair_coeff * * hertz 1000 5 tangential mindlin 800 1 0.5 damping viscoelastic
fix move all nve/sphere
fix pull all gravity 1 vector 0 0 -1
fix floor all wall/gran granular hertz 1000 5 tangential mindlin 800 1 0.5 damping viscoelastic zplane 0 NULL
compute rot all erotate/sphere
timestep 0.001
thermo 50
thermo_style custom step ke c_rot
dump d all custom 50 spheres.dump id type x y z vx vy vz omegax
run 100
variable n equal 2*50
run ${steps}
print 'done at $(step)'
";

fn steps(count: u32) -> String {
    format!("steps={count}")
}

/// The log without times of day.
fn log(folder: &Path) -> String {
    let text = std::fs::read_to_string(folder.join("log.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("Loop time"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_deck_as_json() {
    let folder = folder_with(&[("in.heap", DECK)]);
    let folder = folder.path();
    let var = steps(200);
    let one = [
        "simulate",
        "in.heap",
        "--var",
        &var,
        "--json",
        "--threads",
        "1",
    ];
    let object = json(folder, &one);
    let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    let expected = [
        "particles",
        "steps",
        "time",
        "seconds",
        "rate",
        "hash",
        "energy",
        "contacts",
        "out",
    ];
    assert_eq!(keys, expected);
    for key in ["neighbours", "contacts", "integrate", "output"] {
        assert!(object["seconds"][key].is_f64(), "{key}");
    }
    assert_eq!(object["steps"], 300);
    assert!(object["particles"].as_u64().unwrap() > 100);
    assert_eq!(object["hash"].as_str().unwrap().len(), 16);
    assert!(object["rate"].as_f64().unwrap() > 0.0);
    for threads in ["2", "3"] {
        let other = [
            "simulate",
            "in.heap",
            "--var",
            &var,
            "--json",
            "--threads",
            threads,
        ];
        assert_eq!(json(folder, &other)["hash"], object["hash"]);
    }
    // Without a folder files are beside the deck, and the text is printed.
    assert!(folder.join("spheres.dump").exists());
    let text = done(folder, &["-q", "simulate", "in.heap", "--var", &var]);
    assert!(
        text.contains("Step") && text.ends_with("done at 300\n"),
        "{text}"
    );
}

#[test]
fn a_folder_with_other_results() {
    let folder = folder_with(&[("in.heap", DECK)]);
    let folder = folder.path();
    let var = steps(10);
    let run_in = |more: &[&str]| {
        let all = [
            &["simulate", "in.heap", "--var", &var, "--json", "-o", "out"][..],
            more,
        ]
        .concat();
        run(folder, &all)
    };
    assert!(run_in(&[]).status.success());
    let refused = run_in(&[]);
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        message.contains("other results") && message.contains("--force"),
        "{message}"
    );
    assert!(run_in(&["--force"]).status.success());
    assert!(run_in(&["--resume"]).status.success());
    // A deck that changed cannot go on from the checkpoint of another.
    put(
        folder,
        "in.heap",
        &DECK.replace("timestep 0.001", "timestep 0.002"),
    );
    let refused = run_in(&["--resume"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("another deck"));
    let path = folder.join("out/checkpoint.bin");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let refused = run_in(&["--resume"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("checkpoint.bin"));
}

#[cfg(unix)]
#[test]
fn killed_and_resumed_it_ends_with_the_same_bits_and_files() {
    let folder = folder_with(&[("in.heap", DECK)]);
    let folder = folder.path();
    // More steps in an optimised build, so that kills hit a run.
    let var = steps(if cfg!(debug_assertions) { 6000 } else { 60000 });
    let base = [
        "simulate",
        "in.heap",
        "--var",
        &var,
        "--json",
        "--checkpoint-every",
        "0.05",
    ];
    let whole = json(folder, &[&base[..], &["-o", "whole"]].concat());
    let mut kills = 0;
    for (attempt, signal) in ["KILL", "INT", "KILL", "TERM", "KILL", "KILL"]
        .iter()
        .enumerate()
    {
        let resume: &[&str] = if attempt > 0 { &["--resume"] } else { &[] };
        let all = [&base[..], &["-o", "parts", "--threads", "2"], resume].concat();
        let mut child = tangere(folder, &all)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300 + 130 * attempt as u64));
        let sent = Command::new("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .status()
            .unwrap();
        let ended = child.wait().unwrap();
        kills += u32::from(sent.success() && !ended.success());
        if attempt == 0 && !folder.join("parts/checkpoint.bin").exists() {
            // Too early for a checkpoint: begin again.
            let _ = std::fs::remove_dir_all(folder.join("parts"));
            let first = [&base[..], &["-o", "parts"]].concat();
            json(folder, &first);
        }
    }
    let last = json(folder, &[&base[..], &["-o", "parts", "--resume"]].concat());
    assert_eq!(last["hash"], whole["hash"], "after {kills} kills");
    assert_eq!(last["steps"], whole["steps"]);
    let [a, b] = ["whole", "parts"].map(|name| folder.join(name));
    assert_eq!(log(&a), log(&b));
    let dumps = [&a, &b].map(|folder| std::fs::read(folder.join("spheres.dump")).unwrap());
    assert!(dumps[0] == dumps[1], "dumps differ");
}

#[test]
fn what_is_wrong_is_named_before_the_first_step() {
    let cases = [
        ("units si\nboundry p p p\n", 2, "in.bad:2: boundry"),
        ("units si\nfix 1 all npt temp 1 1 1\n", 2, "npt"),
        ("atom_style sphere\nshell rm -rf x\n", 2, "shell"),
        ("atom_style sphere\n", 2, "run"),
        ("read_data nowhere\nrun 1\n", 2, "nowhere"),
    ];
    for (text, code, part) in cases {
        let folder = folder_with(&[("in.bad", text)]);
        let output = run(folder.path(), &["simulate", "in.bad"]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{text}: {message}");
        assert!(
            message.contains(part) && message.lines().count() == 1,
            "{message}"
        );
    }
    let folder = folder_with(&[("scene.toml", ""), ("in.deep", DECK)]);
    let output = run(folder.path(), &["simulate", "scene.toml"]);
    assert_eq!(output.status.code(), Some(2));
    // Spheres that overlap too deeply: exit code 1, with step and ids.
    let deep = DECK.replace("lattice sc 1.05", "lattice sc 8");
    put(folder.path(), "in.deep", &deep);
    let output = run(folder.path(), &["simulate", "in.deep", "--var", "steps=10"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("step 0, sphere") && message.contains("overlaps"),
        "{message}"
    );
}

/// A ball and a clump that fall on a floor.
const SCENE: &str = "\
until = 0.2
step = 1e-4
gravity = [0, 0, -10]
ledger = true
output = { every = 0.1, dump = true, contacts = true }
[[material]]
name = 'm'
density = 1
stiffness = 1e4
restitution = 0.5
[[wall]]
name = 'floor'
plane = { normal = [0, 0, 1] }
[[body]]
shape = { ball = { radius = 0.5 } }
position = [0, 0, 0.6]
[[body]]
shape = { compound = [{ shape = { ball = { radius = 0.4 } } }, { shape = { ball = { radius = 0.3 } }, position = [0.5, 0, 0.1] }] }
position = [3, 0, 0.6]
";

#[test]
fn a_scene_in_a_folder() {
    let folder = folder_with(&[("scene.toml", SCENE)]);
    let folder = folder.path();
    let whole = json(
        folder,
        &["simulate", "scene.toml", "--out", "whole", "--json"],
    );
    assert_eq!(whole["particles"], 3);
    assert_eq!(whole["steps"], 2000);
    for term in [
        "kinetic",
        "potential",
        "elastic",
        "dissipated_damping",
        "residual",
    ] {
        assert!(whole["energy"][term].is_number(), "{whole}");
    }
    for file in [
        "totals.csv",
        "spheres.pvd",
        "contacts.pvd",
        "spheres.dump",
        "spheres/0000002000.vtp",
    ] {
        assert!(folder.join("whole").join(file).exists(), "{file}");
    }
    let totals = std::fs::read_to_string(folder.join("whole/totals.csv")).unwrap();
    assert_eq!(totals.lines().count(), 4, "{totals}");
    let first = [
        "simulate",
        "scene.toml",
        "--out",
        "parts",
        "--until",
        "0.07",
        "--json",
    ];
    assert_eq!(json(folder, &first)["steps"], 700);
    let rest = [
        "simulate",
        "scene.toml",
        "--out",
        "parts",
        "--resume",
        "--threads",
        "1",
        "--json",
    ];
    let rest = json(folder, &rest);
    assert_eq!(rest["hash"], whole["hash"]);
    assert_eq!(rest["energy"], whole["energy"]);
    let parts = std::fs::read_to_string(folder.join("parts/totals.csv")).unwrap();
    assert_eq!(parts, totals);
}

#[test]
fn bundled_scenes_are_listed_and_run_by_name() {
    let folder = folder();
    let folder = folder.path();
    let list = json(folder, &["simulate", "--list", "--json"]);
    let names: Vec<&str> = list["scenes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|scene| scene["name"].as_str())
        .collect();
    assert_eq!(names, ["chute", "gas", "hopper", "packing", "shear"]);
    let text = run(folder, &["simulate", "--list"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(
        text.contains("hopper") && text.lines().count() == 5,
        "{text}"
    );
    let object = json(folder, &["simulate", "gas", "--steps", "10", "--json"]);
    assert_eq!(
        (&object["particles"], &object["steps"]),
        (&1000.into(), &10.into())
    );
    let rest = SCENE.split_once('\n').unwrap().1;
    put(folder, "endless.toml", rest);
    put(
        folder,
        "box.toml",
        &SCENE.replace("ball = { radius = 0.5 }", "box = { size = 1 }"),
    );
    for (words, part) in [
        (&["gas", "--ignore", "dump"][..], "--ignore"),
        (&["hoper"], "no such file"),
        (&["endless.toml"], "no `until`"),
        (&["box.toml"], "a box as the shape"),
        (&["gas", "--steps", "10", "--until", "3"], "--until"),
    ] {
        let words: Vec<&str> = ["simulate"]
            .into_iter()
            .chain(words.iter().copied())
            .collect();
        let output = run(folder, &words);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {message}");
        assert!(message.contains(part), "{message}");
    }
}
