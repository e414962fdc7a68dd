//! Tests of `tangere contacts`.

use super::*;

const SCENE: &str = "\
margin = 0.01
[[shape]]
name = \"ball\"
sphere = { radius = 0.5 }
[[body]]
name = \"floor\"
shape = { half_space = { normal = [0, 0, 1] } }
fixed = true
[[body]]
name = \"ball\"
shape = \"ball\"
position = [0, 0, 0.25]
[[body]]
name = \"die\"
shape = { box = { size = 1 } }
position = [2, 0, 0.5]
";

#[test]
fn contacts_have_closed_forms() {
    let folder = folder();
    let folder = folder.path();
    put(folder, "scene.toml", SCENE);
    let answer = json(
        folder,
        &[
            "contacts",
            "scene.toml",
            "--verify",
            "--json",
            "-o",
            "out.json",
        ],
    );
    assert_eq!(
        (&answer["bodies"], &answer["contacts"]),
        (&3.into(), &2.into())
    );
    assert_eq!(answer["deepest_gap"], -0.25);
    assert_eq!(answer["verified"], true);
    assert_eq!(answer["statuses"]["penetrating"], 1);
    assert_eq!(answer["state_hash"].as_str().unwrap().len(), 16);
    let rows = std::fs::read_to_string(folder.join("out.json")).unwrap();
    let rows: Value = serde_json::from_str(&rows).unwrap();
    assert_eq!(rows[0]["name_a"], "floor");
    assert_eq!(rows[0]["name_b"], "ball");
    assert_eq!(rows[0]["gap"], -0.25);
    assert_eq!(rows[0]["event"], "began");
    // A cap of height 0.25 of a ball of radius 0.5.
    let volume = rows[0]["volume"].as_f64().unwrap();
    assert!((volume - std::f64::consts::PI * 0.0625 * (0.5 - 0.25 / 3.0)).abs() < 1e-12);
    assert!(rows[1]["volume"].is_null());
    let one = json(
        folder,
        &["contacts", "scene.toml", "--json", "--threads", "1"],
    );
    assert_eq!(one["state_hash"], answer["state_hash"]);
}

#[test]
fn events_follow_the_steps() {
    let folder = folder();
    let folder = folder.path();
    put(folder, "scene.toml", SCENE);
    put(
        folder,
        "motion.csv",
        "step,id,tx,ty,tz\n0,1,0,0,0.25\n4,1,0,0,0.5\n8,1,0,0,2\n8,2,2,0,2\n",
    );
    let arguments = [
        "contacts",
        "scene.toml",
        "--poses",
        "motion.csv",
        "--verify",
        "--json",
    ];
    let with = |out: &str| json(folder, &[&arguments[..], &["-o", out]].concat());
    let answer = with("out.{step}.csv");
    assert_eq!(answer["contacts"], 0);
    assert!(answer["deepest_gap"].is_null());
    let steps = &answer["steps"];
    assert_eq!(
        (&steps["count"], &steps["began"], &steps["ended"]),
        (&3.into(), &2.into(), &2.into())
    );
    assert_eq!(answer["files"], 3);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("out.0.csv").contains(",began,"));
    assert!(read("out.4.csv").contains(",persists,"));
    assert_eq!(read("out.8.csv").lines().count(), 1);
    let ids = |name: &str| -> Vec<String> {
        let text = read(name);
        let rows = text.lines().skip(1);
        rows.map(|row| row.split(',').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids("out.0.csv"), ids("out.4.csv"));
    with("out.pvd");
    assert!(read("out.pvd").contains("out.8.vtp") && folder.join("out.0.vtp").exists());
    with("last.npy");
    assert!(folder.join("last.npy").exists());
}

#[test]
fn bad_input_is_refused() {
    let folder = folder();
    let folder = folder.path();
    put(folder, "scene.toml", SCENE);
    put(folder, "typo.toml", &SCENE.replace("margin", "margn"));
    put(folder, "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    put(
        folder,
        "open.toml",
        "[[body]]\nshape = { file = \"open.obj\" }\n",
    );
    put(
        folder,
        "meshes.toml",
        "[[body]]\nshape.sphere.level = 2\n[[body]]\nshape.sphere.level = 2\n",
    );
    put(folder, "poses.csv", "9,0,0,0\n");
    put(folder, "three.csv", "0,0,0\n");
    put(
        folder,
        "small.toml",
        &format!("periodic = [1, 1, 0]\n{SCENE}"),
    );
    refuse_all(
        folder,
        &["contacts"],
        &[
            (
                &["typo.toml"],
                "line 1: found unknown key `margn`, expected a key of a scene: did you mean `margin`?",
            ),
            (
                &["open.toml"],
                "open.toml: line 2: surface: found an open one, of 3 boundary edges",
            ),
            (&["open.toml", "-o", "open.obj"], "expected"),
            (
                &["meshes.toml"],
                "line 3: shape: found a mesh that can touch the mesh of body 0",
            ),
            (
                &["scene.toml", "--poses", "poses.csv"],
                "poses.csv: found id 9, expected the id of a body",
            ),
            (
                &["scene.toml", "--poses", "three.csv"],
                "three.csv: columns: found 3",
            ),
            (&["scene.toml", "-o", "out.stl"], "csv, npy, json or vtp"),
            (&["scene.toml", "-o", "-", "--json"], "--json: found -"),
            (&["small.toml"], "periodic cell"),
            (&["no.toml"], "no.toml"),
        ],
    );
    refuses(
        folder,
        &["impact", "scene.toml", "--until", "1"],
        "found a half-space, expected a surface or a ball: only contacts take other shapes",
    );
}

#[test]
fn text_lists_the_deepest() {
    let folder = folder();
    put(folder.path(), "scene.toml", SCENE);
    let text = done(folder.path(), &["contacts", "scene.toml"]);
    assert!(
        text.contains("-0.25 (penetrating): floor, face 0 and ball, vertex 0, at "),
        "{text}"
    );
}

#[test]
fn a_pair_is_replayed_by_every_method() {
    let folder = folder();
    let folder = folder.path();
    put(
        folder,
        "scene.toml",
        &SCENE.replace("[2, 0, 0.5]", "[0.25, 0.125, 0.5]"),
    );
    let pair = [
        "contacts",
        "scene.toml",
        "--pair",
        "1,2",
        "--replay",
        "pair.bin",
    ];
    done(folder, &pair);
    let answer = json(folder, &["replay", "pair.bin", "--json"]);
    assert_eq!(answer["agree"], true);
    assert_eq!(answer["bodies"][1]["shape"], "box");
    let methods: Vec<&str> = (answer["answers"].as_array().unwrap().iter())
        .map(|row| row["method"].as_str().unwrap())
        .collect();
    assert_eq!(
        methods,
        ["scene", "mirrored", "brute-force", "exhaustive", "lin"]
    );
    for bad in [
        &[
            "contacts",
            "scene.toml",
            "--pair",
            "1,1",
            "--replay",
            "x.bin",
        ][..],
        &[
            "contacts",
            "scene.toml",
            "--pair",
            "1,9",
            "--replay",
            "x.bin",
        ],
        &["contacts", "scene.toml", "--pair", "1", "--replay", "x.bin"],
        &["contacts", "scene.toml", "--pair", "1,2"],
        &[
            "contacts",
            "scene.toml",
            "--pair",
            "1,2",
            "--replay",
            "scene.toml",
        ],
        &["replay", "scene.toml"],
        &["replay", "missing.bin"],
    ] {
        refused(folder, bad, 2);
    }
    assert!(!folder.join("x.bin").exists());
    let bytes = std::fs::read(folder.join("pair.bin")).unwrap();
    std::fs::write(folder.join("cut.bin"), &bytes[..bytes.len() - 9]).unwrap();
    refused(folder, &["replay", "cut.bin"], 2);
}

#[test]
fn sleep_ends_at_the_time_of_impact() {
    let folder = folder();
    let folder = folder.path();
    let falling = "name = \"ball\"\nshape = \"ball\"\nvelocity = [0, 0, -2]\n";
    let scene = SCENE.replace("name = \"ball\"\nshape = \"ball\"\n", falling);
    put(
        folder,
        "scene.toml",
        &scene.replace("[0, 0, 0.25]", "[-1, 0, 1.51]"),
    );
    let answer = json(
        folder,
        &["contacts", "scene.toml", "--sleep-until", "3", "--json"],
    );
    let until = answer["sleep"]["until"].as_f64().unwrap();
    assert!((until - 0.5).abs() < 1e-9, "{until}");
    assert_eq!(answer["sleep"]["pairs"][0]["b"], 1);
    let answer = json(
        folder,
        &["contacts", "scene.toml", "--sleep-until", "0.4", "--json"],
    );
    assert_eq!(answer["sleep"]["until"], 0.4);
    refused(
        folder,
        &["contacts", "scene.toml", "--sleep-until", "-1"],
        2,
    );
}
