//! Scenes that a program builds from the keys of scene files.

use tangere_io::scene::{ShapeSource, Table, Value, VelocitySource};
use tangere_io::{Place, SceneFile};

fn table(entries: Vec<(&str, Value)>) -> Table {
    let mut table = Table::new();
    for (key, value) in entries {
        table.insert(key, value);
    }
    table
}

fn body(shape: Value, rest: Vec<(&str, Value)>) -> Value {
    let mut table = table(rest);
    table.insert("shape", shape);
    table.into()
}

fn scene(bodies: Vec<Value>) -> Table {
    table(vec![("body", bodies.into())])
}

fn sphere() -> Value {
    let level = table(vec![("level", Value::Integer(2))]);
    table(vec![("sphere", level.into())]).into()
}

#[test]
fn it_is_the_same_as_from_a_text() {
    let text = "gravity = [0, 0, -1]\n[[body]]\nname = \"a\"\nshape = { sphere = { level = 2 } }\n\
                velocity = [1, 0.5, 0]\n";
    let mut read = SceneFile::parse(text.as_bytes(), "folder").unwrap();
    let rest = vec![("name", "a".into()), ("velocity", [1.0, 0.5, 0.0].into())];
    let mut scene = scene(vec![body(sphere(), rest)]);
    scene.insert("gravity", [0.0, 0.0, -1.0]);
    let made = SceneFile::from_table(&scene, "folder").unwrap();
    assert_eq!(made.bodies[0].place, Place::Item("body", 0));
    read.bodies[0].place = made.bodies[0].place;
    read.shapes[0].place = made.shapes[0].place;
    assert_eq!(read, made);
}

#[test]
fn shapes_and_velocities_of_the_program_have_numbers() {
    let given = |shape: usize, velocities: usize| {
        let rest = vec![("vertex_velocities", Value::Given(velocities))];
        body(Value::Given(shape), rest)
    };
    let bodies = vec![given(5, 8), body(Value::Given(5), vec![]), given(6, 9)];
    let scene = SceneFile::from_table(&scene(bodies), "").unwrap();
    assert_eq!(scene.shapes[0].source, ShapeSource::Given(5));
    assert_eq!(scene.shapes[1].source, ShapeSource::Given(6));
    let shapes: Vec<usize> = scene.bodies.iter().map(|body| body.shape).collect();
    assert_eq!(shapes, [0, 0, 1]);
    let velocities = &scene.bodies[2].vertex_velocities;
    assert_eq!(*velocities, Some(VelocitySource::Given(9)));
    let error = scene.make_shape(1).unwrap_err().to_string();
    assert!(
        error.starts_with("body 2: shape: found a shape of the calling program"),
        "{error}"
    );
    let error = scene.make_shape(2).unwrap_err().to_string();
    assert!(
        error.starts_with("scene: shape: found 2, expected"),
        "{error}"
    );
}

#[test]
fn errors_name_the_body() {
    let file = |path: &str| Value::from(table(vec![("file", path.into())]));
    for (scene, words) in [
        (
            scene(vec![
                body(sphere(), vec![]),
                body(sphere(), vec![("velocty", [0.0; 3].into())]),
            ]),
            "body 1: found unknown key `velocty`, expected a key of a body: did you mean `velocity`?",
        ),
        (
            scene(vec![body(sphere(), vec![("spin", [0.0, f64::NAN].into())])]),
            "body 0: found `spin = [0.0, nan]`, expected 3 numbers, not 2",
        ),
        (
            scene(vec![body(sphere(), vec![("spin", Value::Given(1))])]),
            "body 0: found `spin = an object`, expected 3 numbers in brackets",
        ),
        (
            scene(vec![body(
                sphere(),
                vec![("name", Value::Other("None".into()))],
            )]),
            "body 0: found `name = None`, expected a text in quotes",
        ),
        (
            scene(vec![body(
                sphere(),
                vec![("fixed", true.into()), ("fixed", true.into())],
            )]),
            "body 0: found key `fixed` again, expected it once",
        ),
        (
            scene(vec![body(Value::Other("dict".into()), vec![])]),
            "body 0: found `shape = dict`, expected what the body is",
        ),
        (
            scene(vec![table(vec![]).into()]),
            "body 0: found no `shape`, expected what the body is",
        ),
        (
            scene(vec![3.5.into()]),
            "scene: found body 0 = 3.5, expected a table",
        ),
        (
            scene(vec![]),
            "scene: found `body = []`, expected at least one body",
        ),
        (table(vec![]), "scene: found no body, expected bodies"),
        (
            table(vec![("until", (-1.0).into())]),
            "scene: found `until = -1.0`, expected a number above 0",
        ),
    ] {
        let fault = SceneFile::from_table(&scene, "").unwrap_err().to_string();
        assert!(fault.starts_with(words), "{fault}");
    }
    // A program may name any file.
    let scene = scene(vec![body(file("/no/such/../part.stl"), vec![])]);
    let scene = SceneFile::from_table(&scene, "folder").unwrap();
    let error = scene.make_shapes().unwrap_err().to_string();
    assert!(
        error.starts_with("body 0: /no/such/../part.stl: "),
        "{error}"
    );
}
