//! Thousands of damaged scenes, identical in every run, are read or refused without a panic. The
//! target in `fuzz/` tests this property without limit.

use tangere_io::{Place, SceneFile};
use test_support::Random;

const PIECES: &[&str] = &[
    "\n",
    "\r",
    " ",
    ",",
    "\"",
    "'",
    "\"\"\"",
    "#",
    "\\",
    ".",
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "-",
    "0",
    "1",
    "-1",
    "nan",
    "-inf",
    "1e999",
    "99999999999999999999999999999999999999999999",
    "0x7f",
    "1979-05-27",
    "true",
    "\0",
    "\u{feff}",
    "é",
    "[[body]]\n",
    "[body.shape]\n",
    "shape = { ball = { radius = 1 } }\n",
    "shape.box.size = 2\n",
    "name = \"a\"\n",
    "fixed = true\n",
    "velocity = [1, 2, 3]\n",
    "sphere",
    "level",
    "until = 3\n",
    "a.b.c = 1\n",
];

#[test]
fn damaged_scenes_are_read_or_refused() {
    let folder = super::docs().join("scenes");
    let seeds = ["two-spheres", "wall", "tumbling"].map(|name| {
        let path = folder.join(format!("{name}.toml"));
        std::fs::read(path).unwrap()
    });
    let mut random = Random::new(1);
    let (mut accepted, rounds) = (0, 12_000);
    for round in 0..rounds {
        let mut bytes = seeds[round % seeds.len()].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() + 1);
            let end = (at + random.below(12)).min(bytes.len());
            let piece = PIECES[random.below(PIECES.len())].bytes();
            match random.below(5) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => drop(bytes.splice(at..at, piece)),
                3 => drop(bytes.splice(at..end, piece)),
                _ => bytes[at..end]
                    .iter_mut()
                    .for_each(|byte| *byte ^= 1 << random.below(8)),
            }
        }
        let lines = 1 + bytes.iter().filter(|&&byte| byte == b'\n').count();
        match SceneFile::parse(&bytes, "") {
            Ok(scene) => {
                accepted += 1;
                assert!(
                    scene
                        .bodies
                        .iter()
                        .all(|body| body.shape < scene.shapes.len())
                );
            }
            Err(fault) => match fault.place {
                Place::Line(line) => assert!((1..=lines).contains(&line), "{fault}"),
                other => assert_eq!(other, Place::Byte(0)),
            },
        }
    }
    assert!(accepted > rounds / 20 && accepted < rounds, "{accepted}");
}
