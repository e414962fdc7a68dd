//! Invalid scenes: each is refused with the line, what was found and what was expected.

use tangere_io::{Place, SceneFile, read_scene};

/// Returns a scene whose body has the given shape in line 3.
fn of_shape(shape: &str) -> String {
    format!("until = 1\n[[body]]\nshape = {{ {shape} }}\n")
}

/// Returns a scene whose body has the given line as line 3.
fn of_body(line: &str) -> String {
    format!("until = 1\n[[body]]\n{line}\nshape = {{ box = {{ size = 1 }} }}\n")
}

/// Returns invalid scenes whose fault is in line 3, with the expected message.
fn in_line_3() -> Vec<(String, &'static str)> {
    let mut cases = Vec::new();
    let mut shape = |text: &str, words| cases.push((of_shape(text), words));
    shape("", "`shape = {}`, expected one of ball, sphere");
    shape(
        "spher = { level = 2 }",
        "unknown key `spher`, expected a key of a shape: did you mean `sphere`?",
    );
    shape(
        "torus = { radius = 2 }",
        "unknown key `torus`, expected one of the keys of a shape: ball, sphere",
    );
    shape(
        "ball = { radius = 1 }, knot = { triangles = 100 }",
        "both `ball` and `knot`",
    );
    shape(
        "sphere = 4",
        "`sphere = 4`, expected its settings in braces",
    );
    shape("sphere = {}", "no `sphere.level`, expected how often");
    shape(
        "sphere = { levl = 2 }",
        "unknown key `levl`, expected a key of `sphere`: did you mean `level`?",
    );
    shape(
        "sphere = { level = -1 }",
        "`sphere.level = -1`, expected a whole number from 0 to 12",
    );
    shape(
        "sphere = { level = 2.5 }",
        "`sphere.level = 2.5`, expected a whole number",
    );
    shape(
        "sphere = { level = \"2\" }",
        "`sphere.level = \"2\"`, expected a whole",
    );
    shape(
        "sphere = { level = true }",
        "`sphere.level = true`, expected a whole",
    );
    shape(
        "sphere = { level = 99999999999999999999999999999999999999999999 }",
        "`sphere.level = 1e44`",
    );
    shape(
        "sphere = { level = 0xfffffffffffffffffffffffffffffffffffffffff }",
        "`sphere.level = 0xfff",
    );
    shape(
        "sphere = { level = 12 }",
        "`sphere = { level = 12 }`, expected at most 33554432 triangles",
    );
    shape(
        "sphere = { level = 11, kind = \"tri6\" }",
        "expected a whole number from 0 to 10",
    );
    shape(
        "sphere = { level = 2, kind = \"seg2\" }",
        "`sphere.kind = \"seg2\"`, expected \"tri3\"",
    );
    shape(
        "sphere = { level = 2, kind = \"hexagon\" }",
        "`sphere.kind = \"hexagon\"`",
    );
    shape(
        "sphere = { level = 2, radius = 0 }",
        "`sphere.radius = 0`, expected a number above 0",
    );
    shape(
        "sphere = { level = 2, radius = -1.5 }",
        "`sphere.radius = -1.5`",
    );
    shape(
        "sphere = { level = 2, radius = nan }",
        "`sphere.radius = nan`, expected a finite",
    );
    shape(
        "sphere = { level = 2, radius = 1e999 }",
        "`sphere.radius = inf`, expected a finite",
    );
    shape(
        "sphere = { level = 2, radius = 1e61 }",
        "expected a number from 1e-60 to 1e60",
    );
    shape(
        "sphere = { level = 2, radius = [1] }",
        "`sphere.radius = [1]`, expected a number",
    );
    shape("ball = {}", "no `ball.radius`");
    shape(
        "ball = { radius = 1e60 }, scale = 10",
        "expected a radius from 1e-60 to 1e60 when scaled",
    );
    shape("ball = { radius = -1 }", "`ball.radius = -1`");
    shape("box = {}", "no `box.size`, expected the lengths");
    shape(
        "box = { size = [1, 2] }",
        "`box.size = [1, 2]`, expected 3 numbers, not 2",
    );
    shape("box = { size = [1, 2, 0] }", "expected numbers from 1e-60");
    shape(
        "box = { size = 1, divisions = 0 }",
        "`box.divisions = 0`, expected 3 whole numbers from 1",
    );
    shape(
        "box = { size = 1, divisions = [1, 2] }",
        "`box.divisions = [1, 2]`",
    );
    shape(
        "box = { size = 1, divisions = [1, 2, 2.5] }",
        "`box.divisions = [1, 2, 2.5]`",
    );
    shape(
        "box = { size = 1, divisions = 33554432 }",
        "expected at most 33554432 triangles",
    );
    shape(
        "box = { size = \"big\" }",
        "`box.size = \"big\"`, expected 3 numbers in brackets",
    );
    shape("plate = { size = [1, 2, 3] }", "expected 2 numbers, not 3");
    shape("plate = { size = [1, -2] }", "`plate.size = [1, -2]`");
    shape(
        "plate = { size = 1, divisions = [1e5, 1e5] }",
        "expected at most 33554432 triangles",
    );
    shape(
        "knot = { triangles = 101 }",
        "`knot.triangles = 101`, expected an even number",
    );
    shape(
        "knot = { triangles = 98 }",
        "expected a whole number from 100",
    );
    shape("knot = {}", "no `knot.triangles`");
    shape(
        "foam = { triangles = 499 }",
        "expected a whole number from 500",
    );
    shape(
        "foam = { triangles = 1e9 }",
        "`foam.triangles = 1000000000.0`",
    );
    shape("foam = { triangles = 500, seed = -1 }", "`foam.seed = -1`");
    shape(
        "foam = { triangles = 500, seed = 18446744073709551616 }",
        "from 0 to 18446744073709551615",
    );
    shape(
        "sponge = { level = 6 }",
        "expected a whole number from 0 to 5",
    );
    shape(
        "hull = { faces = 5 }",
        "`hull.faces = 5`, expected an even number",
    );
    shape("hull = { faces = 1048578 }", "from 4 to 1048576");
    shape("chazelle = { size = 0 }", "`chazelle.size = 0`");
    shape("file = 3", "`file = 3`, expected a text in quotes");
    shape(
        "file = \"\"",
        "`file = \"\"`, expected a text that is not empty",
    );
    shape("file = \"a\\u0000b\"", "without line ends");
    shape(
        "file = \"/etc/part.stl\"",
        "expected a file in the folder of the scene",
    );
    shape(
        "file = \"a/../../part.stl\"",
        "expected a file in the folder of the scene",
    );
    shape(
        "file = \"a.stl\", scale = 0",
        "`scale = 0`, expected a number above 0",
    );
    shape(
        "file = \"a.stl\", scale = [1, 1, 1]",
        "`scale = [1, 1, 1]`, expected a number",
    );
    shape(
        "file = \"a.stl\", surface = 1",
        "`surface = 1`, expected a text",
    );
    shape(
        "box = { size = 1 }, surface = \"a\"",
        "expected no `surface` of a shape that is no file",
    );
    shape(
        "sphere = { radius = 1, kind = \"tri6\" }",
        "no `sphere.level`, expected how often",
    );
    shape("capsule = { radius = 1 }", "no `capsule.length`");
    shape(
        "capsule = { radius = 1, length = 0 }",
        "`capsule.length = 0`, expected a number above 0",
    );
    shape(
        "capsule = { radius = 1, lenght = 1 }",
        "unknown key `lenght`, expected a key of `capsule`: did you mean `length`?",
    );
    shape(
        "capsule = { radius = 1, length = 1e60 }, scale = 10",
        "from 1e-60 to 1e60 when scaled",
    );
    shape(
        "half_space = { normal = [0, 0, 0] }",
        "`half_space.normal = [0, 0, 0]`, expected a vector other than 0",
    );
    shape(
        "half_spce = { normal = [0, 0, 1] }",
        "did you mean `half_space`?",
    );
    shape("convex = { faces = 3 }", "expected a text in quotes");
    shape("convex = \"../a.stl\"", "a file in the folder of the scene");
    shape(
        "box = { size = 1 }, wall = true",
        "`wall = true`, expected no wall: the shape is not a surface",
    );
    shape("file = \"a.stl\", wall = 1", "expected true or false");
    shape(
        "compound = 3",
        "`compound = 3`, expected its parts in brackets",
    );
    shape(
        "compound = []",
        "`compound = []`, expected at least one part",
    );
    shape("compound = [3]", "expected its parts in brackets");
    shape(
        "compound = [{ position = [0, 0, 0] }]",
        "no `compound.shape`, expected what the body is",
    );
    shape(
        "compound = [{ shape = { ball = { radius = 1 } }, velocity = [0, 0, 0] }]",
        "unknown key `velocity`, expected one of the keys of a part: shape, position, rotation",
    );
    shape(
        "compound = [{ shape = { compound = [{ shape = { ball = { radius = 1 } } }] } }]",
        "a compound in a compound, expected parts of other shapes",
    );
    let mut body = |text: &str, words| cases.push((of_body(text), words));
    body(
        "id = -1",
        "`id = -1`, expected a whole number from 0 to 18446744073709551614",
    );
    body(
        "id = 18446744073709551615",
        "expected a whole number from 0",
    );
    body(
        "id = 18446744073709551614\nrepeat = { count = 2, step = [1, 0, 0] }",
        "expected ids below 2^64 - 1 that no other body has",
    );
    body("group = 4294967296", "`group = 4294967296`");
    body(
        "mask = [1, 2, 3]",
        "`mask = [1, 2, 3]`, expected 2 whole numbers",
    );
    body("material = 3", "`material = 3`, expected a text in quotes");
    body("repeat = 3", "`repeat = 3`, expected repeat = { count = N");
    body(
        "repeat = { count = 0, step = [1, 0, 0] }",
        "`repeat.count = 0`, expected a whole number from 1 to 1048576",
    );
    body("repeat = { count = 3 }", "no `repeat.step`");
    body(
        "repeat = { count = 3, step = [1e60, 0, 0] }",
        "expected a row of a length up to 1.6e60",
    );
    body(
        "repeat = { cout = 3, step = [1, 0, 0] }",
        "unknown key `cout`, expected a key of `repeat`: did you mean `count`?",
    );
    body("fill = 3", "`fill = 3`, expected fill = { box");
    body("fill = { count = 3 }", "no `fill.box`");
    body(
        "fill = { box = [0, 0, 0, 1, 1], count = 3 }",
        "expected 6 numbers, not 5",
    );
    body(
        "fill = { box = [0, 0, 0, 1, 1, -1], count = 3 }",
        "expected a lower corner, then one nowhere below it",
    );
    body(
        "position = [0, 0, 1]\nfill = { box = [0, 0, 0, 1, 1, 1], count = 3 }",
        "`position = [0, 0, 1]`, expected no other pose beside `fill`",
    );
    body(
        "velocty = [1, 0, 0]",
        "unknown key `velocty`, expected a key of a body: did you mean `velocity`?",
    );
    body(
        "colour = 3",
        "unknown key `colour`, expected one of the keys of a body: name, shape",
    );
    body("\"\" = 3", "unknown key ``");
    body("name = 3", "`name = 3`, expected a text in quotes");
    body(
        "name = \"\"",
        "`name = \"\"`, expected a text that is not empty",
    );
    body("name = \"two\\nlines\"", "without line ends");
    body(
        "position = 3",
        "`position = 3`, expected 3 numbers in brackets",
    );
    body("position = [1, 2]", "expected 3 numbers, not 2");
    body("position = [1, 2, 3, 4]", "expected 3 numbers, not 4");
    body(
        "position = [1, 2, \"3\"]",
        "`position = [1, 2, \"3\"]`, expected 3 numbers",
    );
    body("position = [1, 2, [3]]", "expected 3 numbers");
    body(
        "position = [1, 2, nan]",
        "`position = [1, 2, nan]`, expected finite numbers",
    );
    body(
        "position = [1, 2, 1e61]",
        "expected numbers of magnitude at most 1.6e60",
    );
    body("velocity = [1, 2, -inf]", "expected finite numbers");
    body("velocity = { x = 1 }", "`velocity = { x = 1 }`");
    body(
        "spin = 1979-05-27",
        "`spin = 1979-05-27`, expected 3 numbers",
    );
    body("acceleration = []", "expected 3 numbers, not 0");
    body("center = [1e300, 0, 0]", "expected numbers of magnitude");
    body(
        "rotation = [0, 0, 0, 0]",
        "`rotation = [0, 0, 0, 0]`, expected a quaternion",
    );
    body(
        "rotation = [1, 1, 0, 0]",
        "expected a quaternion [w, x, y, z] of length 1",
    );
    body("rotation = [1, 0, 0]", "expected 4 numbers, not 3");
    body(
        "rotation = \"x\"",
        "`rotation = \"x\"`, expected a quaternion",
    );
    body(
        "rotation = \"q:90\"",
        "an axis and degrees such as \"x:90\"",
    );
    body("fixed = 1", "`fixed = 1`, expected true or false");
    body(
        "vertex_velocities = [[1, 2, 3]]",
        "expected a text in quotes",
    );
    body(
        "vertex_velocities = \"../v.csv\"",
        "expected a file in the folder",
    );
    body(
        "velocity = [1, 0, 0]\nfixed = true",
        "`velocity = [1, 0, 0]`, expected no motion, as the body is fixed",
    );
    body(
        "spin = [1, 0, 0]\nvertex_velocities = \"v.csv\"",
        "expected no other motion beside `vertex_velocities`",
    );
    body(
        "center = [1, 0, 0]\nvertex_velocities = \"v.csv\"",
        "expected no other motion beside `vertex_velocities`",
    );
    let mut scene = |text: &str, words| cases.push((format!("\n\n{text}"), words));
    scene(
        "untill = 3",
        "unknown key `untill`, expected a key of a scene: did you mean `until`?",
    );
    scene("until = 0", "`until = 0`, expected a number above 0");
    scene("until = -3", "`until = -3`");
    scene("until = inf", "`until = inf`, expected a finite number");
    scene("until = \"3\"", "`until = \"3\"`, expected a number");
    scene("step = 0.0", "`step = 0.0`");
    scene(
        "margin = -1",
        "`margin = -1`, expected a number not below 0",
    );
    scene(
        "periodic = 3",
        "`periodic = 3`, expected 3 numbers in brackets",
    );
    scene(
        "periodic = [0, 0, 0]",
        "`periodic = [0, 0, 0]`, expected at least one above 0",
    );
    scene("periodic = [1, -1, 1]", "periodic length 1 = -1");
    scene(
        "periodic = { lengths = [1, 0, 1], tilt = [0.5, 0, 0] }",
        "tilt 0 = 0.5",
    );
    scene(
        "periodic = { length = [1, 1, 1] }",
        "unknown key `length`, expected a key of `periodic`: did you mean `lengths`?",
    );
    scene(
        "shape = 3",
        "`shape = 3`, expected shapes, each after a line [[shape]]",
    );
    scene(
        "[[shape]]\nball.radius = 1",
        "no `name`, expected the name by which bodies share it",
    );
    scene(
        "[[shape]]\nname = \"a\"",
        "no shape, expected one of ball, sphere",
    );
    scene("step = nan", "`step = nan`");
    scene(
        "gravity = -9.81",
        "`gravity = -9.81`, expected 3 numbers in brackets",
    );
    scene("gravity = [0, 0]", "expected 3 numbers, not 2");
    scene(
        "body = 3",
        "`body = 3`, expected bodies, each after a line [[body]]",
    );
    scene("body = []", "`body = []`, expected at least one body");
    scene("body = [3]", "body 0 = 3, expected a table of its keys");
    scene(
        "[body]\nshape.ball.radius = 1",
        "expected bodies, each after a line [[body]]",
    );
    scene("[[body]]", "no `shape`, expected what the body is");
    scene("[[body]]\n[[body]]\nshape.ball.radius = 1", "no `shape`");
    scene("", "no body, expected bodies, each after a line [[body]]");
    scene("# nothing", "no body");
    scene(
        "body = [{ shape = \"sphere\" }]",
        "`shape = \"sphere\"`, expected what the body is",
    );
    // The rest are errors of syntax.
    scene("until", "expected");
    scene("until = ", "the end of the file (");
    scene("until = 1 2", "\"1 2\" (string values must be quoted)");
    scene(
        "until = [1, 2",
        "the end of the file (unclosed array), expected `]`",
    );
    scene("until = \"a", "expected `\\\"`");
    scene("until = 01", "leading zero");
    scene("= 3", "keys cannot be empty");
    scene("[body", "unclosed table");
    scene("until = {a = 1", "unclosed inline table");
    scene("until = \u{1}", "expected");
    scene("# \u{1}\n", "expected");
    scene(
        &format!("until = {}", "[".repeat(100_000)),
        "nested too deeply",
    );
    scene(
        &format!("until = {}", "{a=".repeat(100_000)),
        "nested too deeply",
    );
    scene(
        &format!("{}z = 1", "a.".repeat(100_000)),
        "the key has too many parts",
    );
    scene(
        &format!("[{}z]", "a.".repeat(100_000)),
        "the key has too many parts",
    );
    cases
}

/// Returns invalid scenes with the line of their fault and the expected message.
fn elsewhere() -> Vec<(String, usize, &'static str)> {
    let ball = "shape.ball.radius = 1\n";
    let own = "ball.radius = 1\n";
    let many: String = (0..200).map(|i| format!("k{i} = 1\n")).collect();
    vec![
        (String::new(), 1, "no body"),
        (
            "until = 1\nuntil = 2\n".into(),
            2,
            "key \"until\" again, expected it once: line 1 has it",
        ),
        (
            format!("[[body]]\n{ball}[body]\nx = 1\n"),
            3,
            "key \"body\" again",
        ),
        (
            format!("[[body]]\n{ball}shape.ball = 3\n"),
            3,
            "key \"ball\" again",
        ),
        (
            format!("[[body]]\n{ball}[body.shape]\n"),
            3,
            "key \"shape\" again",
        ),
        ("body = []\n[[body]]\n".into(), 2, "key \"body\" again"),
        (
            format!("[[shape]]\nname = \"a\"\n{own}[[shape]]\nname = \"a\"\n{own}"),
            5,
            "`name = \"a\"`, expected a name that no other shape has",
        ),
        (
            format!(
                "[[shape]]\nname = \"a\"\ncompound = [{{ shape = \"b\" }}]\n[[shape]]\nname = \"b\"\n{own}"
            ),
            3,
            "`compound.shape = \"b\"`, expected the name of a [[shape]] before this one",
        ),
        (
            "[[shape]]\nname = \"a\"\ncompound = [{ shape = \"a\" }]\n".into(),
            3,
            "`compound.shape = \"a\"`, expected the name of a [[shape]] before this one",
        ),
        (
            format!("[[shape]]\nname = \"stone\"\n{own}[[body]]\nshape = \"stne\"\n"),
            5,
            "`shape = \"stne\"`, expected the name of a [[shape]]: did you mean \"stone\"?",
        ),
        (
            format!("[[body]]\n{ball}id = 3\n[[body]]\n{ball}id = 3\n"),
            6,
            "`id = 3`, expected ids below 2^64 - 1 that no other body has",
        ),
        (
            format!("[[body]]\n{ball}id = 3\n[[body]]\n{ball}[[body]]\n{ball}id = 4\n"),
            8,
            "`id = 4`, expected ids below 2^64 - 1 that no other body has",
        ),
        (
            format!("[[body]]\n{ball}repeat = {{ count = 6e5, step = [1, 0, 0] }}\n").repeat(2),
            4,
            "1200000 bodies up to here, expected at most 1048576",
        ),
        (
            "until = 3\n[until.x]\n".into(),
            2,
            "key \"until\" in a header, expected a table; line 1 makes it another value",
        ),
        ("a = {}\na.b = 1\n".into(), 2, "key \"a\" again"),
        (many, 101, "key \"k100\" after 100 others"),
        (
            format!("[[body]]\nname = \"a\"\n{ball}[[body]]\nname = \"a\"\n{ball}"),
            4,
            "a second body of the name \"a\"",
        ),
        (
            format!("[[body]]\nname = \"body 1\"\n{ball}[[body]]\n{ball}"),
            4,
            "a second body of the name \"body 1\", expected names that differ",
        ),
        (
            format!("[[body]]\n{ball}vertex_velocities = \"v.csv\"\n"),
            3,
            "expected no vertex velocities, as a ball has no vertices",
        ),
        (
            "[[body]]\nfixed = true\nshape.box.size = 1\nvertex_velocities = \"v.csv\"\n".into(),
            4,
            "as the body is fixed",
        ),
        (
            (0..5)
                .map(|i| {
                    format!("[[body]]\nshape = {{ foam = {{ triangles = 1e7, seed = {i} }} }}\n")
                })
                .collect(),
            8,
            "shapes of 40000000 triangles up to here, expected at most 33554432",
        ),
        (
            "[[body]]\nname = \"\"\"three\nlines\n\"\"\"\nshpe = 3\n".into(),
            5,
            "unknown key `shpe`",
        ),
        ("\u{feff}\r\n\r\nuntil = -1\r\n".into(), 3, "`until = -1`"),
        ("a = 1\rb = 2".into(), 1, "carriage return"),
    ]
}

#[test]
fn every_bad_scene_is_refused_with_its_line_and_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let cases = in_line_3()
        .into_iter()
        .map(|(text, words)| (text, 3, words));
    let mut count = 0;
    for (text, line, words) in cases.chain(elsewhere()) {
        std::fs::write(&path, &text).unwrap();
        let shown: String = text.chars().take(200).collect();
        let error = match read_scene(&path) {
            Ok(scene) => panic!("{shown} was accepted as {scene:?}"),
            Err(error) => error.to_string(),
        };
        let opening = format!("scene.toml: line {line}: found ");
        assert!(error.contains(&opening), "{shown}: {error}");
        assert!(error.contains(words), "{shown}: no {words:?} in {error}");
        assert!(error.contains(", expected "), "{shown}: {error}");
        assert!(!error.contains('\n') && error.len() < 500, "{error}");
        count += 1;
    }
    assert!(count >= 130, "{count}");
}

#[test]
fn bytes_that_are_not_utf_8() {
    for (bytes, place) in [
        (&b"until = 1\nx = \"\xff\"\n"[..], Place::Line(2)),
        (b"\xff\xfeu\0", Place::Byte(0)),
        (b"\xc3", Place::Line(1)),
    ] {
        let fault = SceneFile::parse(bytes, "").unwrap_err();
        assert_eq!(fault.place, place);
        assert!(fault.to_string().ends_with("expected UTF-8"), "{fault}");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let error = read_scene(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with(": is a folder"), "{error}");
    let error = read_scene("no-such-scene.toml").unwrap_err().to_string();
    assert!(error.starts_with("no-such-scene.toml: "), "{error}");
}
