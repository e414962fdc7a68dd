//! `tangere impact`: continuous collision detection of scenes.

use super::*;

/// A scene of two meshed spheres thrown against each other (`aragon2013`, 5.1).
const SPHERES: &str = "until = 20.0
step = 0.05
[[body]]
name = \"left\"
shape = { sphere = { level = 3 } }
position = [0, 0, 0]
velocity = [50, 0, 86.602540378443862]
acceleration = [0, 0, -9.81]
[[body]]
name = \"right\"
shape = { sphere = { level = 3 } }
position = [1500, 0, 0]
velocity = [-50, 0, 86.602540378443862]
acceleration = [0, 0, -9.81]
";

/// A scene of a body at 120 km/h and a wall of 144 faces at a distance of 100 m (`aragon2013`,
/// 5.2).
const WALL: &str = "until = 4.0
step = 0.05
[[body]]
shape = { knot = { triangles = 2000 } }
velocity = [33.333333333333336, 0, 0]
[[body]]
shape = { plate = { size = [6, 12], divisions = [6, 12] } }
position = [103.5, 0.25, 1.5]
rotation = \"y:90\"
fixed = true
";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn spheres_meet_when_their_meshes_do() {
    let folder = folder_with(&[("scene.toml", SPHERES)]);
    let folder = folder.path();
    let found = json(folder, &["impact", "scene.toml", "--json"]);
    let events = found["events"].as_array().unwrap();
    assert_eq!(events.len(), 1, "{found}");
    let event = &events[0];
    let (early, late) = (number(&event["early"]), number(&event["late"]));
    assert!(
        early <= 14.98 && 14.98 <= late && late - early < 1e-12 * late,
        "{event}"
    );
    assert_eq!(event["time"], event["early"]);
    assert_eq!(
        (&event["a"], &event["b"]),
        (&Value::from(0), &Value::from(1))
    );
    assert_eq!(
        (&event["name_a"], &event["name_b"]),
        (&Value::from("left"), &Value::from("right"))
    );
    assert_eq!(event["normal"], serde_json::json!([1.0, 0.0, 0.0]));
    assert!((number(&event["point"][0]) - 750.0).abs() < 1e-9);
    for feature in ["feature_a", "feature_b"] {
        assert_eq!(event[feature]["kind"], "vertex");
    }
    // The engine is idle before the step in which the bodies meet.
    let wakeups = found["wakeups"].as_array().unwrap();
    assert_eq!(wakeups.len(), 1, "{wakeups:?}");
    assert!((number(&wakeups[0]) - 14.95).abs() < 1e-9);
    for count in ["trajectory", "update", "volume", "primitive"] {
        assert!(found["counts"][count].as_u64().unwrap() > 0, "{count}");
    }
    assert!(number(&found["seconds"]["query"]) >= 0.0);
}

#[test]
fn a_wall_is_met_after_three_seconds() {
    let folder = folder_with(&[("wall.toml", WALL)]);
    let folder = folder.path();
    for volume in ["box", "ball"] {
        for hierarchy in ["top-down", "bottom-up"] {
            let ways = ["--volume", volume, "--hierarchy", hierarchy, "--json"];
            let found = json(folder, &[&["impact", "wall.toml"][..], &ways].concat());
            let event = &found["events"][0];
            assert!(
                (number(&event["time"]) / 3.0 - 1.0).abs() < 1e-12,
                "{event}"
            );
            let wakeups = found["wakeups"].as_array().unwrap();
            assert!((1..=10).contains(&wakeups.len()), "{wakeups:?}");
            assert!(number(&wakeups[0]) > 2.5, "{wakeups:?}");
        }
    }
    let none = json(folder, &["impact", "wall.toml", "--until", "2.9", "--json"]);
    assert_eq!(none["events"].as_array().unwrap().len(), 0);
    assert!(done(folder, &["impact", "wall.toml", "--until", "2.9"]).contains("Nothing touches"));
}

/// Times of curved faces of any kind are those of the spheres, up to the accuracy with which the
/// faces approximate the spheres.
#[test]
fn curved_faces_meet_when_spheres_do() {
    let folder = folder();
    let folder = folder.path();
    for (kind, error) in [("tri6", 1e-4), ("quad8", 1e-3), ("quad9", 1e-4)] {
        let text = SPHERES.replace("level = 3", &format!("level = 3, kind = \"{kind}\""));
        put(folder, "curved.toml", &text);
        let found = json(folder, &["impact", "curved.toml", "--json"]);
        let event = &found["events"][0];
        let (early, late) = (number(&event["early"]), number(&event["late"]));
        assert!((early - 14.98).abs() < error, "{kind} {event}");
        assert!(late - early < 1e-11, "{kind} {event}");
        assert_eq!(event["certificate"], "bracket", "{kind}");
    }
}

/// The scene has all kinds of bodies, also of finite element faces.
#[test]
fn tumbling_bodies() {
    let scene = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/scenes/tumbling.toml"
    );
    let folder = folder();
    let found = json(folder.path(), &["impact", scene, "--json"]);
    let events = found["events"].as_array().unwrap();
    // The shell falls to the floor, up to the accuracy with which its faces approximate the sphere.
    let shell = events
        .iter()
        .find(|e| e["name_a"] == "floor" && e["name_b"] == "shell")
        .unwrap();
    let fall = f64::sqrt(2.0 * (14.0 - 0.75) / 9.81);
    assert!((number(&shell["time"]) - fall).abs() < 1e-3, "{shell}");
    assert!((number(&shell["normal"][2]) - 1.0).abs() < 1e-9, "{shell}");
    assert_eq!(shell["certificate"], "bracket");
}

#[test]
fn every_pair_is_reported_once_and_written() {
    let folder = folder();
    let folder = folder.path();
    let ball = |x: i32, v: i32| {
        format!(
            "[[body]]\nshape = {{ ball = {{ radius = 0.5 }} }}\nposition = [{x}, 0, 0]\nvelocity = [{v}, 0, 0]\n"
        )
    };
    let text = format!("until = 10\n{}{}{}", ball(0, 1), ball(3, 0), ball(9, -1));
    put(folder, "balls.toml", &text);
    let found = json(folder, &["impact", "balls.toml", "--json"]);
    let events = found["events"].as_array().unwrap();
    let impacts: Vec<_> = events
        .iter()
        .map(|e| (number(&e["time"]), &e["a"], &e["b"]))
        .collect();
    assert_eq!(impacts.len(), 3, "{impacts:?}");
    for (impact, (time, a, b)) in impacts
        .into_iter()
        .zip([(2.0, 0, 1), (4.0, 0, 2), (5.0, 1, 2)])
    {
        assert!(
            (impact.0 - time).abs() < 1e-12 && impact.1 == a && impact.2 == b,
            "{impact:?}"
        );
    }
    assert!(events.iter().all(|e| e["certificate"] == "exact"));
    let first = json(folder, &["impact", "balls.toml", "--first", "--json"]);
    assert_eq!(first["events"].as_array().unwrap().len(), 1);
    for file in ["impacts.csv", "impacts.vtp", "impacts.json"] {
        done(folder, &["impact", "balls.toml", "-o", file]);
    }
    let csv = std::fs::read_to_string(folder.join("impacts.csv")).unwrap();
    assert!(csv.starts_with("time,early,late,certificate,a,b,"), "{csv}");
    assert_eq!(csv.lines().count(), 4);
    assert_eq!(done(folder, &["impact", "balls.toml", "-o", "-"]), csv);
    let near = ["impact", "balls.toml", "--separation", "1", "--json"];
    assert!((number(&json(folder, &near)["events"][0]["time"]) - 1.0).abs() < 1e-12);
}

#[test]
fn bodies_that_overlap_at_the_start_are_reported() {
    let folder = folder();
    let folder = folder.path();
    let text = SPHERES.replace("1500, 0, 0", "1.5, 0.1, 0.2");
    put(folder, "scene.toml", &text);
    let found = json(folder, &["impact", "scene.toml", "--json"]);
    let events = found["events"].as_array().unwrap();
    assert!(!events.is_empty());
    assert!(
        events
            .iter()
            .all(|e| e["certificate"] == "overlap" && e["time"] == 0.0)
    );
}

#[test]
fn bad_scenes_are_refused() {
    let folder = folder_with(&[("typo.toml", &SPHERES.replace("velocity", "velocty"))]);
    let folder = folder.path();
    let error = refused(folder, &["impact", "typo.toml"], 2);
    assert!(
        error.contains("velocty") && error.contains("velocity"),
        "{error}"
    );
    assert!(error.contains('7'), "the line: {error}");
    put(
        folder,
        "endless.toml",
        &SPHERES.replace("until = 20.0\n", ""),
    );
    refuses(folder, &["impact", "endless.toml"], "until");
    done(folder, &["impact", "endless.toml", "--until", "1"]);
    for (until, step) in [
        ("20.0", "0"),
        ("20.0", "-1"),
        ("0", "0.05"),
        ("nan", "0.05"),
    ] {
        let text = SPHERES.replace("20.0", until).replace("0.05", step);
        put(folder, "bad.toml", &text);
        refused(folder, &["impact", "bad.toml"], 2);
    }
    put(folder, "nan.toml", &SPHERES.replace("[50, 0", "[nan, 0"));
    refused(folder, &["impact", "nan.toml"], 2);
    refused(folder, &["impact", "missing.toml"], 2);
    put(folder, "scene.toml", SPHERES);
    refused(folder, &["impact", "scene.toml", "--until", "-1"], 2);
    refused(folder, &["impact", "scene.toml", "-o", "impacts.xyz"], 2);
    refused(folder, &["impact", "scene.toml", "--separation", "-1"], 2);
}

#[test]
fn the_answer_replaces_no_file_of_the_scene() {
    let folder = folder();
    let folder = folder.path();
    done(folder, &["generate", "box", "-o", "box.vtp"]);
    let scene = "until = 1\n[[body]]\nshape = { file = \"box.vtp\" }\n";
    put(folder, "scene.toml", scene);
    let error = refused(folder, &["impact", "scene.toml", "-o", "box.vtp"], 2);
    assert!(error.contains("found the file that is read"), "{error}");
    done(folder, &["info", "box.vtp"]);
}

/// A scene reads no file outside of its folder, not even through a link.
#[cfg(unix)]
#[test]
fn links_out_of_the_folder_of_a_scene_are_refused() {
    use std::os::unix::fs::symlink;
    let folder = folder_with(&[("secret.obj", CUBE)]);
    let inner = folder.path().join("scene");
    std::fs::create_dir_all(inner.join("parts")).unwrap();
    put(&inner, "parts/own.obj", CUBE);
    symlink("../secret.obj", inner.join("out.obj")).unwrap();
    symlink("..", inner.join("up")).unwrap();
    symlink("parts/own.obj", inner.join("in.obj")).unwrap();
    for (file, leads_out) in [
        ("out.obj", true),
        ("up/secret.obj", true),
        ("in.obj", false),
    ] {
        let scene = format!("until = 1\n[[body]]\nshape = {{ file = \"{file}\" }}\n");
        put(&inner, "scene.toml", &scene);
        for (place, name) in [(&*inner, "scene.toml"), (folder.path(), "scene/scene.toml")] {
            match leads_out {
                true => refuses(
                    place,
                    &["impact", name],
                    "found a link out of the folder of the scene",
                ),
                false => drop(done(place, &["impact", name])),
            }
            done(place, &["impact", name, "--follow-links"]);
        }
    }
}
