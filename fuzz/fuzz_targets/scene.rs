#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_io::{Place, SceneFile};

// No files are opened: shapes are described, not generated.
fuzz_target!(|bytes: &[u8]| {
    let lines = 1 + bytes.iter().filter(|&&byte| byte == b'\n').count();
    match SceneFile::parse(bytes, "folder") {
        Ok(scene) => {
            assert!(!scene.bodies.is_empty() && scene.shapes.len() <= scene.bodies.len());
            let faces: u64 = scene.shapes.iter().map(|shape| shape.source.faces()).sum();
            assert!(faces <= 1 << 25);
            for body in &scene.bodies {
                assert!(body.shape < scene.shapes.len());
                let numbers = [body.velocity, body.spin, body.acceleration, body.center];
                assert!(numbers.as_flattened().iter().all(|x| x.is_finite()));
                assert!(!body.name.is_empty());
            }
        }
        Err(fault) => match fault.place {
            Place::Line(line) => assert!((1..=lines).contains(&line)),
            place => assert_eq!(place, Place::Byte(0)),
        },
    }
});
