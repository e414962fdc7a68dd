//! `tangere gas`: event-driven simulation of hard spheres.

use super::*;
use tangere_io::read_table;

/// Two spheres in space that meet head on at time 3.
const TWO: &str = "x,y,z,radius,vx,vy,vz,mass\n0,0,0,1,1,0,0,2\n5,0,0,1,0,0,0,2\n";

fn crystal(folder: &Path, count: &str) {
    let arguments = ["generate", "crystal", "--count", count, "-o", "spheres.csv"];
    done(folder, &arguments);
}

#[test]
fn a_gas_keeps_its_energy() {
    let folder = folder();
    let folder = folder.path();
    crystal(folder, "500");
    let arguments = [
        "gas",
        "spheres.csv",
        "--periodic",
        "1,1,1",
        "--temperature",
        "2",
        "--events",
        "5e3",
        "--verify",
        "--json",
    ];
    let answer = json(folder, &arguments);
    let names = [
        "spheres",
        "dimension",
        "events",
        "end",
        "time",
        "energy",
        "energy_error",
        "momentum",
        "momentum_before",
        "pressure",
        "contact_time",
        "counts",
        "seconds",
        "overlap",
    ];
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, names);
    assert_eq!(
        (&answer["spheres"], &answer["events"]),
        (&500.into(), &5000.into())
    );
    assert_eq!(
        (&answer["end"], &answer["counts"]["walls"]),
        (&"events".into(), &0.into())
    );
    assert!((answer["energy"].as_f64().unwrap() - 1500.0).abs() < 1e-9);
    assert!(answer["energy_error"].as_f64().unwrap() < 1e-12);
    assert!(answer["overlap"].as_f64().unwrap() < 1e-12);
    // The pressure is that of Carnahan and Starling at a filling of 0.3, within the scatter of a
    // short run.
    let factor = answer["pressure"].as_f64().unwrap() / 1000.0;
    assert!((3.4..4.6).contains(&factor), "{factor}");
    // The result does not depend on the number of threads, but on the seed.
    let run = |more: &[&str]| {
        let mut answer = json(folder, &[&arguments[..], more].concat());
        answer["seconds"].take();
        answer
    };
    assert_eq!(run(&["--threads", "1"]), run(&["--threads", "3"]));
    assert_ne!(run(&[])["time"], run(&["--seed", "1"])["time"]);
    let text = done(folder, &arguments[..8]);
    assert!(
        text.starts_with("spheres.csv\n  spheres") && text.contains("us an event"),
        "{text}"
    );
}

#[test]
fn collisions_and_spheres_are_written() {
    let folder = folder_with(&[("two.csv", TWO)]);
    let folder = folder.path();
    let walls = "--walls=-9,-9,-9,9,9,9";
    for ending in ["csv", "npy", "vtp"] {
        let (out, last) = (format!("c.{ending}"), format!("s.{ending}"));
        done(
            folder,
            &[
                "gas", "two.csv", walls, "--until", "15", "-o", &out, "--final", &last,
            ],
        );
    }
    let found = read_table(folder.join("c.csv")).unwrap();
    let names = ["time", "a", "b", "x", "y", "z", "nx", "ny", "nz", "impulse"];
    assert_eq!(found.names.as_deref().unwrap(), names);
    let rows: Vec<Vec<f64>> = found
        .rows()
        .map(|row| row.iter().map(|x| (x * 1e9).round() / 1e9).collect())
        .collect();
    assert_eq!(rows[0], [3.0, 0.0, 1.0, 4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0]);
    assert_eq!(rows[1], [6.0, 1.0, -2.0, 9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 4.0]);
    assert_eq!(rows.len(), 3);
    let array = read_table(folder.join("c.npy")).unwrap();
    assert_eq!(array.values, found.values);
    // Written spheres can be read again.
    let last = read_table(folder.join("s.csv")).unwrap();
    assert_eq!(last.values[2 * 8 - 1], 2.0);
    for file in ["s.csv", "s.npy", "s.vtp"] {
        let answer = json(folder, &["gas", file, walls, "--events", "2", "--json"]);
        assert_eq!(answer["events"], 2);
        assert!((answer["energy"].as_f64().unwrap() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn discs_fall_on_a_floor() {
    let folder = folder();
    let folder = folder.path();
    // The disc falls for a time of 1, then bounces for a time of 1.
    put(folder, "disc.csv", "x,y,diameter,vx,vy\n0,1.5,1,3,0\n");
    let answer = json(
        folder,
        &[
            "gas",
            "disc.csv",
            "--walls=-inf,0,inf,inf",
            "--gravity=0,-2",
            "--wall-restitution",
            "0.5",
            "--events",
            "2",
            "-o",
            "hops.csv",
            "--json",
        ],
    );
    assert_eq!(
        (&answer["dimension"], &answer["counts"]["walls"]),
        (&2.into(), &2.into())
    );
    assert_eq!(
        (&answer["pressure"], &answer["energy_error"]),
        (&Value::Null, &Value::Null)
    );
    assert!((answer["time"].as_f64().unwrap() - 2.0).abs() < 1e-12);
    let hops = read_table(folder.join("hops.csv")).unwrap();
    assert_eq!(
        hops.names.as_deref().unwrap(),
        ["time", "a", "b", "x", "y", "nx", "ny", "impulse"]
    );
    assert_eq!(hops.values[2], -3.0);
}

#[test]
fn bad_gases_are_refused() {
    let folder = folder_with(&[
        ("two.csv", TWO),
        ("still.csv", "x,y,z,r\n0,0,0,1\n5,0,0,1\n"),
    ]);
    let folder = folder.path();
    put(
        folder,
        "overlap.csv",
        "# a comment\nx,y,z,r,vx,vy,vz\n\n0,0,0,1,0,0,0\n1.5,0,0,1,0,0,0\n",
    );
    put(
        folder,
        "negative.csv",
        "x,y,z,r,vx,vy,vz\n0,0,0,1,0,0,0\n5,0,0,-1,0,0,0\n",
    );
    put(folder, "half.csv", "x,y,z,r,vx\n0,0,0,1,0\n");
    put(folder, "wide.csv", "1 2 3 4 5 6 7 8 9\n");
    put(
        folder,
        "light.csv",
        "x,y,z,r,vx,vy,vz,mass\n0,0,0,1,0,0,0,0\n",
    );
    let cases: [(&[&str], &str); 22] = [
        (&["two.csv"], "--events"),
        (&["none.csv", "--events", "1"], "none.csv"),
        (
            &["still.csv", "--events", "1"],
            "found no velocities, expected columns vx, vy, vz, or --temperature",
        ),
        (
            &["overlap.csv", "--events", "1"],
            "line 4: found the sphere 0 with an overlap of 0.5 with sphere 1",
        ),
        (
            &["negative.csv", "--events", "1"],
            "line 3: found the radius 1 with -1",
        ),
        (
            &["light.csv", "--events", "1"],
            "line 2: found the mass 0 with 0",
        ),
        (
            &["light.csv", "--events", "1", "--temperature", "1"],
            "line 2: found the mass 0 with 0",
        ),
        (
            &["half.csv", "--events", "1"],
            "columns: found x, y, z, r, vx, expected x, y, z",
        ),
        (
            &["wide.csv", "--events", "1"],
            "columns: found 9, expected 4, 7 or 8",
        ),
        (
            &["two.csv", "--events", "1", "--periodic", "1,1"],
            "--periodic: found 2 numbers, expected 3",
        ),
        (
            &["two.csv", "--events", "1", "--periodic=-1,9,9"],
            "--periodic: axis 0: found -1 from 0 on, expected",
        ),
        (
            &["two.csv", "--events", "1", "--walls=-1,-9,-9,-1,9,9"],
            "--walls: axis 0: found -1 and -1, expected",
        ),
        (
            &[
                "two.csv",
                "--events",
                "1",
                "--walls=-9,-9,-9,9,9,9",
                "--periodic",
                "9,0,0",
            ],
            "--walls: found some along axis 0, expected none",
        ),
        (
            &["two.csv", "--events", "1", "--contact-time=-1"],
            "--contact-time: found -1",
        ),
        (
            &["two.csv", "--until", "1", "--time", "2"],
            "--until: found 1, expected a time from now, 2,",
        ),
        (
            &["two.csv", "--events", "1", "--periodic", "1,1,1"],
            "its own image",
        ),
        (
            &["two.csv", "--events", "1", "--walls", "0,0,0,9,9,9"],
            "out of a wall by 1",
        ),
        (
            &["two.csv", "--events", "1", "--restitution", "2"],
            "--restitution: found 2",
        ),
        (
            &["two.csv", "--events", "1", "--wall-restitution", "0"],
            "--wall-restitution: found 0",
        ),
        (
            &["two.csv", "--until", "-1"],
            "--until: found -1, expected a time from now, 0,",
        ),
        (
            &["still.csv", "--events", "1", "--temperature", "-1"],
            "--temperature: found -1",
        ),
        (
            &[
                "two.csv", "--events", "1", "-o", "a.csv", "--final", "a.csv",
            ],
            "--final: found the file",
        ),
    ];
    refuse_all(folder, &["gas"], &cases);
    refuses(
        folder,
        &["gas", "two.csv", "--events", "1", "-o", "two.csv"],
        "found the file that is read",
    );
    assert!(files(folder).iter().all(|name| name.ends_with(".csv")));
}

/// Inelastic collapse of a row of spheres against a wall: infinitely many collisions in finite
/// time.
#[test]
fn an_inelastic_collapse_is_reported() {
    let folder = folder();
    let folder = folder.path();
    let rows = (0..12).map(|i| format!("{},0,0,0.5,-1,0,0\n", 1.0 + 1.3 * f64::from(i)));
    let text = format!("x,y,z,radius,vx,vy,vz\n{}", rows.collect::<String>());
    put(folder, "row.csv", &text);
    let mut arguments = vec!["gas", "row.csv", "--walls=0,-inf,-inf,inf,inf,inf"];
    arguments.extend(["--restitution", "0.3", "--wall-restitution", "0.3"]);
    arguments.extend(["--until", "100", "--json"]);
    let answer = json(folder, &arguments);
    assert_eq!(
        (&answer["end"], &answer["time"]),
        (&"until".into(), &100.0.into())
    );
    assert!(answer["contact_time"].as_f64().unwrap() > 0.0);
    arguments.extend(["--contact-time", "0"]);
    let output = tangere(folder, &arguments).output().unwrap();
    assert!(output.status.success());
    let note = String::from_utf8_lossy(&output.stderr);
    assert!(
        note.contains("stalled: ") && note.contains("--contact-time"),
        "{note}"
    );
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["end"], "stalled");
    assert!(answer["time"].as_f64().unwrap() < 100.0);
}

#[test]
fn a_start_and_a_box_elsewhere() {
    let folder = folder_with(&[("two.csv", TWO)]);
    let folder = folder.path();
    let mut arguments = vec!["gas", "two.csv", "--time", "7", "--until", "12", "--json"];
    assert_eq!(json(folder, &arguments)["time"], 12.0);
    // The spheres meet at x = 10, and the sphere that is hit crosses the border of the periodic
    // cell.
    arguments.extend(["--periodic", "20,0,0", "--origin=-10,0,0"]);
    arguments[5] = "16.5";
    arguments.extend(["--final", "later.csv", "-o", "collisions.csv"]);
    let answer = json(folder, &arguments);
    assert_eq!(answer["counts"]["spheres"], 1);
    let found = read_table(folder.join("collisions.csv")).unwrap();
    assert!((found.values[0] - 10.0).abs() < 1e-12);
    let later = read_table(folder.join("later.csv")).unwrap();
    assert!((later.values[8] - -8.5).abs() < 1e-12, "{:?}", later.values);
}

#[test]
fn the_reason_for_the_end_is_reported() {
    let folder = folder_with(&[("two.csv", TWO)]);
    let folder = folder.path();
    let answer = json(folder, &["gas", "two.csv", "--events", "10", "--json"]);
    assert_eq!(
        (&answer["events"], &answer["end"]),
        (&1.into(), &"over".into())
    );
    let answer = json(folder, &["gas", "two.csv", "--until", "10", "--json"]);
    assert_eq!(
        (&answer["time"], &answer["end"]),
        (&10.0.into(), &"until".into())
    );
    put(folder, "none.csv", "x,y,z,radius,vx,vy,vz\n");
    let answer = json(folder, &["gas", "none.csv", "--until", "10", "--json"]);
    assert_eq!(
        (&answer["spheres"], &answer["energy"]),
        (&0.into(), &0.0.into())
    );
}

#[test]
fn crystals_are_generated() {
    let folder = folder();
    let folder = folder.path();
    let arguments = [
        "generate", "crystal", "--count", "40", "--filled", "0.2", "-o", "a.npy", "--json",
    ];
    let answer = json(folder, &arguments);
    assert_eq!(
        (&answer["kind"], &answer["particles"]),
        (&"crystal".into(), &40.into())
    );
    let text = done(
        folder,
        &[
            "generate", "crystal", "--count", "4", "--dim", "2", "--filled", "0.5",
        ],
    );
    assert!(text.starts_with("x,y,radius\n0.25,0.25,0.19947"), "{text}");
    refuses(
        folder,
        &["generate", "crystal", "--filled", "0.8"],
        "--filled: found 0.8, expected a number above 0 and at most",
    );
}

#[test]
fn accelerations_of_a_table_are_refused() {
    let falling = "x,y,z,radius,vx,vy,vz,az,id\n0,0,0,1,1,0,0,-9.81,7\n";
    let resting = "x,y,z,radius,vx,vy,vz,az,id\n0,0,0,1,1,0,0,0,7\n";
    let folder = folder_with(&[("falling.csv", falling), ("resting.csv", resting)]);
    let folder = folder.path();
    let expected = "falling.csv: found accelerations in the column az, expected --gravity";
    refuses(folder, &["gas", "falling.csv", "--events", "1"], expected);
    for arguments in [
        &["gas", "falling.csv", "--events", "1", "--gravity=0,0,-9.81"][..],
        &["gas", "resting.csv", "--events", "1"],
    ] {
        let output = run(folder, arguments);
        let notes = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success() && notes.contains("columns not used: az, id\n"),
            "{notes}"
        );
    }
}

#[test]
fn both_files_must_differ() {
    let folder = folder_with(&[("two.csv", TWO)]);
    let folder = folder.path();
    let arguments = ["gas", "two.csv", "--events", "1", "-o", "x.csv", "--final"];
    for same in ["x.csv", "./x.csv"] {
        let words = "--final: found the file of collisions, expected another";
        refuses(folder, &[&arguments[..], &[same]].concat(), words);
    }
    // Discs have no velocity along z.
    put(folder, "disc.csv", "x,y,radius,vx,vy,vz\n0,0,1,1,0,5\n");
    refuses(
        folder,
        &["gas", "disc.csv", "--events", "1"],
        "columns: found x, y, radius, vx, vy, vz",
    );
}

/// If the second file cannot be written, the first does not appear either.
#[cfg(unix)]
#[test]
fn both_files_appear_or_none() {
    let folder = folder();
    let folder = folder.path();
    done(
        folder,
        &[
            "-q", "generate", "crystal", "--count", "2000", "-o", "c.npy",
        ],
    );
    // The file of collisions is short, that of spheres exceeds the limit of blocks.
    let script = "ulimit -f 40; exec \"$0\" gas c.npy --periodic 1,1,1 --temperature 1 --events 10 \
        -o collisions.npy --final spheres.npy";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_tangere")])
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("spheres.npy: "), "{error}");
    assert_eq!(files(folder), ["c.npy"]);
}
