//! Scenes: every key, invalid input, and the shapes generated or read.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod bad;
mod contacts;
mod make_shapes;
mod mutations;
mod program;

use std::path::PathBuf;
use tangere_io::scene::{MadeShape, ShapeSource};
use tangere_io::{Place, SceneFile, read_scene};

fn parsed(text: &str) -> SceneFile {
    SceneFile::parse(text.as_bytes(), "").unwrap_or_else(|fault| panic!("{fault} in {text}"))
}

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn every_key_is_read() {
    let scene = parsed(
        r#"# a scene
until = 20
step = 5e-2
gravity = [0, 0, -9.81]

[[body]]
name = "left"
shape = { sphere = { level = 2, radius = 0.5 }, scale = 2 }
position = [1, 2.5, -3]
rotation = [0.5, 0.5, 0.5, 0.5]
velocity = [50, 0, 86.602540378443862]
spin = [0, 0, 1]
acceleration = [0, 1, 0]
center = [0.25, 0, 0]

[[body]]
shape.ball.radius = 1

[[body]]
fixed = true
[body.shape.plate]
size = [6, 12]
divisions = [
  6,   # up
  12,  # along
]

[[body]]
shape = { file = "meshes/part.vtu", scale = 0.001 }
vertex_velocities = "velocities.csv"
"#,
    );
    assert_eq!((scene.until, scene.step), (Some(20.0), Some(0.05)));
    assert_eq!(scene.gravity, [0.0, 0.0, -9.81]);
    let [left, ball, wall, part] = &scene.bodies[..] else {
        panic!("{} bodies", scene.bodies.len())
    };
    assert_eq!((left.name.as_str(), left.place), ("left", Place::Line(6)));
    assert_eq!(left.pose.to_numbers(), [1.0, 2.5, -3.0, 0.5, 0.5, 0.5, 0.5]);
    assert_eq!(left.velocity, [50.0, 0.0, 86.602_540_378_443_86]);
    assert_eq!(left.spin, [0.0, 0.0, 1.0]);
    assert_eq!(left.acceleration, [0.0, 1.0, 0.0]);
    assert_eq!(left.center, [0.25, 0.0, 0.0]);
    assert_eq!(
        (ball.name.as_str(), ball.place),
        ("body 1", Place::Line(16))
    );
    assert_eq!(ball.acceleration, scene.gravity);
    assert_eq!((ball.velocity, ball.spin), ([0.0; 3], [0.0; 3]));
    assert!(wall.fixed && wall.acceleration == [0.0; 3]);
    assert_eq!(part.acceleration, [0.0; 3], "gravity deforms nothing");
    let sources: Vec<_> = scene.shapes.iter().map(|shape| &shape.source).collect();
    assert_eq!(
        *sources[0],
        ShapeSource::Sphere {
            level: 2,
            radius: 0.5,
            kind: None
        }
    );
    assert_eq!(scene.shapes[0].scale, 2.0);
    assert_eq!(*sources[1], ShapeSource::Ball { radius: 1.0 });
    assert_eq!(
        *sources[2],
        ShapeSource::Plate {
            size: [6.0, 12.0],
            divisions: [6, 12]
        }
    );
    assert_eq!(
        *sources[3],
        ShapeSource::File {
            path: "meshes/part.vtu".into(),
            surface: None
        }
    );
    assert_eq!(scene.shapes[3].place, Place::Line(29));
}

#[test]
fn every_shape_is_known() {
    for (shape, faces) in [
        ("ball = { radius = 2 }", 0),
        ("sphere = { level = 3 }", 512),
        ("sphere = { level = 3, kind = \"tri6\" }", 512),
        ("sphere = { level = 2, kind = \"quad8\", radius = 2 }", 96),
        ("box = { size = 1 }", 12),
        ("box = { size = [1, 2, 3], divisions = 2 }", 48),
        ("box = { size = [1, 2, 3], divisions = [1, 2, 3] }", 44),
        ("plate = { size = [6, 12], divisions = [6, 12] }", 144),
        ("plate = { size = 2 }", 2),
        ("knot = { triangles = 1e3 }", 1000),
        (
            "foam = { triangles = 2_000, seed = 18446744073709551615 }",
            2000,
        ),
        ("sponge = { level = 1 }", 144),
        ("hull = { faces = 40 }", 40),
        ("chazelle = { size = 0x4 }", 108),
    ] {
        let scene = parsed(&format!("body = [{{ shape = {{ {shape} }} }}]"));
        assert_eq!(scene.shapes[0].source.faces(), faces, "{shape}");
        let count = match &scene.make_shapes().unwrap()[..] {
            [MadeShape::Mesh(mesh)] => mesh.faces().len(),
            [MadeShape::Faces(mesh)] => mesh.len(),
            [MadeShape::Ball(radius)] => {
                assert_eq!(*radius, 2.0);
                0
            }
            other => panic!("{shape}: {} shapes", other.len()),
        };
        let is_about = shape.starts_with("foam") && count.abs_diff(2000) < 200;
        assert!(is_about || count as u64 == faces, "{shape}: {count}");
    }
}

#[test]
fn equal_shapes_are_one() {
    let mut text = String::new();
    for i in 0..100_000 {
        let radius = 1 + i % 7;
        text += &format!(
            "[[body]]\nname = \"n{i}\"\nshape = {{ sphere = {{ level = 1, radius = {radius} }} }}\n\
             position = [{i}, 0.5, -2]\nvelocity = [1, 2, 3]\nspin = [0.1, 0.2, 0.3]\n"
        );
    }
    let scene = parsed(&text);
    assert_eq!((scene.bodies.len(), scene.shapes.len()), (100_000, 7));
    assert_eq!(scene.make_shapes().unwrap().len(), 7);
    for (i, body) in scene.bodies.iter().enumerate().step_by(997) {
        assert_eq!(body.shape, i % 7);
        assert_eq!(body.place, Place::Line(6 * i + 1));
        assert_eq!(body.pose.translation(), [i as f64, 0.5, -2.0]);
    }
    // Equal numbers in another notation mean equal shapes.
    let same = parsed(
        "[[body]]\nshape = { box = { size = 1 } }\n\
         [[body]]\nshape = { scale = 1.0, box = { divisions = [1, 1, 1], size = [1, 1.0, 1e0] } }\n\
         [[body]]\nshape = { box = { size = 1 }, scale = 2 }\n",
    );
    assert_eq!((same.bodies[1].shape, same.bodies[2].shape), (0, 1));
}

#[test]
fn rotations_are_quaternions_or_axes_and_degrees() {
    for (rotation, image) in [
        ("\"z:90\"", [0.0, 1.0, 0.0]),
        ("\"y:90\"", [0.0, 0.0, -1.0]),
        ("[0, 0, 0, 1]", [-1.0, 0.0, 0.0]),
        ("\"1,1,1:120\"", [0.0, 1.0, 0.0]),
    ] {
        let text = format!("[[body]]\nshape.ball.radius = 1\nrotation = {rotation}\n");
        let moved = parsed(&text).bodies[0].pose.apply([1.0, 0.0, 0.0]);
        for k in 0..3 {
            assert!((moved[k] - image[k]).abs() < 1e-15, "{rotation}: {moved:?}");
        }
    }
}

#[test]
fn examples_are_scenes() {
    let mut names: Vec<_> = std::fs::read_dir(docs().join("scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    assert!(names.len() >= 3);
    for path in names {
        let scene = read_scene(&path).unwrap();
        let is_moving = scene.until.is_some() && scene.step.is_some();
        let shapes = match is_moving {
            true => scene.make_shapes().unwrap().len(),
            false => scene.make_contact_shapes().unwrap().len(),
        };
        assert!(scene.bodies.len() >= 2);
        for body in &scene.bodies {
            assert!(body.shape < shapes);
        }
    }
}

/// The times of both examples agree with closed forms of the paper.
#[test]
fn examples_meet_when_they_say() {
    let mesh = |shape: &MadeShape| match shape {
        MadeShape::Mesh(mesh) => mesh.clone(),
        other => panic!("{other:?}"),
    };
    let spheres = read_scene(docs().join("scenes/two-spheres.toml")).unwrap();
    let shapes = spheres.make_shapes().unwrap();
    assert_eq!(shapes.len(), 1);
    let bounds = mesh(&shapes[0]).bounds();
    let [left, right] = &spheres.bodies[..] else {
        panic!("two spheres")
    };
    assert_eq!(left.acceleration, right.acceleration);
    let way = right.pose.translation()[0] + bounds.min[0] - bounds.max[0];
    let time = way / (left.velocity[0] - right.velocity[0]);
    assert!((time - 14.98).abs() < 1e-14);

    let wall = read_scene(docs().join("scenes/wall.toml")).unwrap();
    let shapes = wall.make_shapes().unwrap();
    let (knot, plate) = (mesh(&shapes[0]), mesh(&shapes[1]));
    assert_eq!((knot.faces().len(), plate.faces().len()), (17_956, 144));
    let first = |a: &&[f64; 3], b: &&[f64; 3]| a[0].total_cmp(&b[0]);
    let first = knot.vertices().iter().max_by(first).unwrap();
    let plane = wall.bodies[1].pose.apply([0.3, 0.4, 0.0])[0];
    assert_eq!((plane - first[0]) / wall.bodies[0].velocity[0], 3.0);
    // The offset from the centre of the wall to the point of impact.
    let hit = wall.bodies[1]
        .pose
        .inverse()
        .apply([plane, first[1], first[2]]);
    assert_eq!(hit, [1.5, -0.25, 0.0]);
}

/// The examples of docs/scenes.md are correct.
#[test]
fn examples_of_the_documentation_are_correct() {
    let page = std::fs::read_to_string(docs().join("scenes.md")).unwrap();
    let blocks: Vec<&str> = page
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        assert!(!parsed(block).bodies.is_empty());
    }
    for shape in page.lines().filter_map(|line| line.strip_prefix("| `{ ")) {
        let shape = shape.split(" }` |").next().unwrap();
        parsed(&format!("body = [{{ shape = {{ {shape} }} }}]"));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    for (text, line) in [
        (
            "\n\n[[body]]\nvelocty = [1, 0, 0]\n",
            "line 4: found unknown key `velocty`",
        ),
        (
            "[[body]]\nname = \"a\"\nweight = 3\n",
            "line 3: found unknown key `weight`",
        ),
        (
            "[[body]]\nvelocity = [50, 0]\nshape.ball.radius = 1\n",
            "line 2: found `velocity",
        ),
        ("[[body]]\n", "line 1: found no `shape`"),
        (
            "[[body]]\nshape = { sphere = { level = 40 } }\n",
            "line 2: found `sphere.level",
        ),
        (
            "[[body]]\nshape = { ball = { radius = 1 }, box = { size = 1 } }\n",
            "line 2: found a shape of both",
        ),
        (
            "shape = [{ name = \"stone\", ball = { radius = 1 } }]\nbody = [{ shape = \"stne\" }]\n",
            "line 2: found `shape = \"stne\"`",
        ),
        (
            "[[body]]\nshape = { file = \"../part.stl\" }\n",
            "line 2: found `file",
        ),
        (
            "until = 3\n\n\n\nuntil = 4\n",
            "line 5: found key \"until\" again",
        ),
        (
            "[[body]]\nshape = { file = \"part.stl\" }\n",
            "line 2: part.stl",
        ),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = read_scene(&path).and_then(|scene| scene.make_shapes());
        let error = error.unwrap_err().to_string();
        let folder = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
        let error = error.replace(&folder, "");
        assert!(error.starts_with(&format!("scene.toml: {line}")), "{error}");
        // The message for a missing file is that of the operating system.
        if !error.contains("part.stl: ") || cfg!(target_os = "linux") {
            assert!(page.contains(&format!("\n{error}\n")), "{error}");
        }
    }
}
