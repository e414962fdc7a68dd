//! `tangere pack`: sphere packings.

use super::*;
use tangere_io::read_packing;

#[test]
fn a_cube_is_packed() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    let pack = |out: &str, more: &[&str]| {
        let arguments = ["pack", "cube.obj", "-o", out, "--json"];
        json(folder, &[&arguments[..], more].concat())
    };
    let answer = pack("cube.npy", &["--spheres", "100"]);
    let names = ["spheres", "filling", "smallest", "largest", "seconds"];
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, names);
    assert_eq!(answer["spheres"], 100);
    let packing = read_packing(folder.join("cube.npy")).unwrap();
    assert_eq!(packing.len(), 100);
    assert_eq!(answer["filling"].as_f64(), Some(packing.filling()));
    assert!((packing.body_volume() - 8.0).abs() < 1e-12);
    assert_eq!(answer["largest"].as_f64(), Some(packing.radii()[0]));
    assert_eq!(answer["smallest"].as_f64(), Some(packing.radii()[99]));
    assert!(packing.radii()[0] > 0.999 && packing.filling() > 0.6);
    for (center, radius) in packing.centers().iter().zip(packing.radii()) {
        assert!(center.iter().all(|x| x.abs() + radius <= 1.0));
    }
    // The packing does not depend on the format or the number of threads.
    pack("cube.vtp", &["--spheres", "100", "--threads", "3"]);
    let again = read_packing(folder.join("cube.vtp")).unwrap();
    assert_eq!(again.centers(), packing.centers());
    assert_eq!(again.record(), packing.record());
    // The limit that is reached first ends the packing.
    let few = pack("few.npy", &["--spheres", "100", "--filling", "0.6"]);
    assert!(few["spheres"].as_u64() < Some(100) && few["filling"].as_f64() >= Some(0.6));
    let coarse = pack("coarse.npy", &["--smallest", "0.2"]);
    assert!(coarse["smallest"].as_f64() >= Some(0.2));
    let text = done(
        folder,
        &["pack", "cube.obj", "-o", "few.npy", "--spheres", "9"],
    );
    assert!(
        text.contains("spheres    9") && text.contains("filling"),
        "{text}"
    );
    // Spheres do not touch by more than rounding.
    assert_eq!(json(folder, &["pairs", "cube.npy", "--json"])["pairs"], 0);
}

#[test]
fn surfaces_are_packed_on_the_fly() {
    let folder = folder_with(&[("cube.obj", CUBE)]);
    let folder = folder.path();
    done(
        folder,
        &["pack", "cube.obj", "-o", "cube.npy", "--spheres", "200"],
    );
    let answer_of = |a: &str, b: &str| {
        let arguments = ["overlap", a, b, "--pose-b", "1.5,0,0", "--spheres", "200"];
        let mut object = json(folder, &[&arguments[..], &["--json", "--verify"]].concat());
        object["seconds"].take();
        object
    };
    let packed = answer_of("cube.npy", "cube.npy");
    assert_eq!(answer_of("cube.obj", "cube.obj"), packed);
    assert_eq!(answer_of("cube.obj", "cube.npy"), packed);
    // The bodies share a box of 0.5 x 2 x 2.
    assert!(packed["lower"].as_f64() <= Some(2.0) && packed["lower"].as_f64() > Some(0.5));
    let normal: Vec<f64> = serde_json::from_value(packed["normal"].clone()).unwrap();
    assert!(normal[0] > 0.9, "{packed}");
}

#[test]
fn bad_input_is_refused() {
    let folder = folder_with(&[
        ("cube.obj", CUBE),
        ("open.obj", &CUBE.replace("f 1 4 3 2\n", "")),
        ("points.csv", "0,0,0,1\n"),
    ]);
    let folder = folder.path();
    let cases: [(&[&str], &str); 9] = [
        (
            &["open.obj", "-o", "x.npy"],
            "open.obj: not closed: 4 boundary edges; see `tangere info open.obj`; `tangere convert \
             open.obj OUT --close` fills holes",
        ),
        (&["points.csv", "-o", "x.npy"], "points.csv"),
        (&["missing.stl", "-o", "x.npy"], "missing.stl"),
        (
            &["cube.obj", "-o", "x.npy", "--spheres", "0"],
            "expected a whole number from 1",
        ),
        (
            &["cube.obj", "-o", "x.npy", "--filling", "1"],
            "filling: found 1",
        ),
        (
            &["cube.obj", "-o", "x.npy", "--filling", "nan"],
            "expected a finite number",
        ),
        (
            &["cube.obj", "-o", "x.npy", "--smallest", "2"],
            "smallest: found 2, expected at most",
        ),
        (&["cube.obj", "-o", "x.csv"], "use npy or vtp"),
        (&["cube.obj"], "--out <FILE>"),
    ];
    refuse_all(folder, &["pack"], &cases);
    refuses(
        folder,
        &["overlap", "cube.obj", "open.obj"],
        "open.obj: not closed: 4 boundary edges; see `tangere info open.obj`; `tangere convert \
             open.obj OUT --close` fills holes",
    );
}
