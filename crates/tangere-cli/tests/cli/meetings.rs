//! `tangere meetings`: times of impact of balls.

use super::*;
use tangere_io::{NpyData, write_npy};

/// Two balls thrown against each other from a distance of 1500 under the same gravity, and one at
/// rest.
const BALLS: &str = "\
x,y,z,r,vx,vy,vz,ax,ay,az
0,0,0,1,50,0,86.6,0,0,-9.81
1500,0,0,1,-50,0,86.6,0,0,-9.81
0,0,1e6,1,0,0,0,0,0,0
";

#[test]
fn balls_meet() {
    let folder = folder_with(&[("balls.csv", BALLS)]);
    let folder = folder.path();
    let answer = json(
        folder,
        &["meetings", "balls.csv", "--json", "-o", "met.csv"],
    );
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    let names = ["balls", "pairs", "meetings", "now", "first", "seconds"];
    assert_eq!(keys, names);
    let counts = ["balls", "pairs", "meetings", "now"].map(|name| answer[name].as_u64());
    assert_eq!(counts, [3, 3, 1, 0].map(Some));
    let first = &answer["first"];
    assert_eq!((&first["a"], &first["b"]), (&0.into(), &1.into()));
    let [early, late] = ["early", "late"].map(|name| first[name].as_f64().unwrap());
    assert!(early <= 14.98 && 14.98 <= late && late - early < 2e-11);
    let table = std::fs::read_to_string(folder.join("met.csv")).unwrap();
    assert_eq!(table, format!("a,b,early,late\n0,1,{early},{late}\n"));
    let text = done(folder, &["meetings", "balls.csv", "--repeat", "2"]);
    for words in [
        "balls     3",
        "pairs     3",
        "meetings  1",
        "first     14.98, balls 0 and 1",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // With an earlier `--until` the balls do not meet.
    for (until, meetings) in [("14.9", 0), ("15", 1), ("inf", 1), ("0", 0)] {
        let answer = json(
            folder,
            &["meetings", "balls.csv", "--until", until, "--json"],
        );
        assert_eq!(answer["meetings"], meetings, "{until}");
        assert_eq!(answer["first"].is_null(), meetings == 0);
    }
    // Arrays are read, and answers have NumPy's structured type.
    let numbers = [
        [0.0, 0.0, 0.0, 1.0, 50.0, 0.0, 0.0],
        [1500.0, 0.0, 0.0, 1.0, -50.0, 0.0, 0.0],
    ];
    let array = folder.join("balls.npy");
    write_npy(&array, &[2, 7], NpyData::F64(numbers.as_flattened())).unwrap();
    let of_array = json(
        folder,
        &["meetings", "balls.npy", "--json", "-o", "met.npy"],
    );
    assert_eq!(of_array["meetings"], 1);
    let bytes = std::fs::read(folder.join("met.npy")).unwrap();
    let head = "'descr': [('a', '<u4'), ('b', '<u4'), ('early', '<f8'), ('late', '<f8'), \
                ('status', '|u1'), ('', '|V7')]";
    assert!(String::from_utf8_lossy(&bytes).contains(head));
}

#[test]
fn pairs_are_chosen() {
    let folder = folder();
    let folder = folder.path();
    // A row of balls, each of which pursues the next.
    let rows = (0..50).map(|i| format!("{},0,0.5,{}\n", 3 * i, 50 - i));
    put(
        folder,
        "row.csv",
        &(String::from("x,y,r,vx\n") + &rows.collect::<String>()),
    );
    assert_eq!(
        json(folder, &["meetings", "row.csv", "--json"])["meetings"],
        1225
    );
    put(folder, "pairs.csv", "a,b\n3,4\n4,3\n0,49\n");
    let answer = json(
        folder,
        &[
            "meetings",
            "row.csv",
            "--pairs",
            "pairs.csv",
            "--json",
            "-o",
            "met.csv",
            "--threads",
            "2",
        ],
    );
    assert_eq!(
        (&answer["pairs"], &answer["meetings"]),
        (&3.into(), &3.into())
    );
    let table = std::fs::read_to_string(folder.join("met.csv")).unwrap();
    let pairs: Vec<&str> = table.lines().map(|line| &line[..3]).collect();
    assert_eq!(pairs, ["a,b", "3,4", "4,3", "0,4"]);
    // The file has the format in which `pairs` writes its answer.
    put(
        folder,
        "spheres.csv",
        "x,y,z,r\n0,0,0,1\n1,0,0,1\n5,0,0,1\n",
    );
    done(folder, &["pairs", "spheres.csv", "-o", "pairs.npy"]);
    let answer = json(
        folder,
        &["meetings", "spheres.csv", "--pairs", "pairs.npy", "--json"],
    );
    let counts = ["pairs", "meetings", "now"].map(|name| answer[name].as_u64());
    assert_eq!(counts, [1, 1, 1].map(Some));
    put(folder, "none.csv", "");
    for arguments in [&["row.csv", "--pairs", "none.csv"][..], &["none.csv"]] {
        let answer = json(folder, &[&["meetings", "--json"], arguments].concat());
        assert_eq!(
            (&answer["pairs"], &answer["first"]),
            (&0.into(), &Value::Null)
        );
    }
}

#[test]
fn hard_spheres_collide_once() {
    let folder = folder();
    let folder = folder.path();
    // The first two balls touch and separate; the second meets the third.
    put(
        folder,
        "gas.csv",
        "x,y,r,vx\n0,0,0.5,-1\n1,0,0.5,1\n3,0,0.5,0\n",
    );
    let answer = json(folder, &["meetings", "gas.csv", "--json"]);
    assert_eq!(
        (&answer["meetings"], &answer["now"]),
        (&2.into(), &1.into())
    );
    let answer = json(folder, &["meetings", "gas.csv", "--hard", "--json"]);
    assert_eq!(
        (&answer["meetings"], &answer["now"]),
        (&1.into(), &0.into())
    );
    let early = answer["first"]["early"].as_f64().unwrap();
    assert!(early <= 1.0 && early > 1.0 - 1e-12);
    let arguments = ["meetings", "gas.csv", "--hard", "--until", "0.5", "--json"];
    assert_eq!(json(folder, &arguments)["meetings"], 0);
    put(folder, "balls.csv", BALLS);
    let error = refused(folder, &["meetings", "balls.csv", "--hard"], 2);
    let words =
        "balls.csv: pair 1: found accelerations [0, 0, -9.81] and [0, 0, 0], expected equal";
    assert!(error.contains(words), "{error}");
}

#[test]
fn bad_input_is_refused() {
    let folder = folder_with(&[
        ("balls.csv", BALLS),
        ("two.csv", "0,0\n"),
        ("negative.csv", "x,y,r\n0,0,1\n0,0,-1\n"),
        ("pairs.csv", "0,1\n1,3\n"),
        ("wide.csv", "0,1,2\n"),
        ("half.csv", "0,0.5\n"),
    ]);
    let folder = folder.path();
    let cases: [(&[&str], &str); 10] = [
        (&["two.csv"], "two.csv: columns: found 2, expected 4"),
        (
            &["negative.csv"],
            "negative.csv: line 3: found the radius -1",
        ),
        (&["missing.csv"], "missing.csv"),
        (
            &["balls.csv", "--pairs", "pairs.csv"],
            "pairs.csv: row 1: found 1,3, expected row numbers below 3",
        ),
        (
            &["balls.csv", "--pairs", "wide.csv"],
            "wide.csv: shape: found [1, 3], expected [N, 2]",
        ),
        (
            &["balls.csv", "--pairs", "half.csv"],
            "half.csv: row 0: found 0.5, expected an integer",
        ),
        (
            &["balls.csv", "--until", "-1"],
            "expected a number, 0 or more",
        ),
        (
            &["balls.csv", "--until", "nan"],
            "expected a number, 0 or more",
        ),
        (
            &["balls.csv", "-o", "met.vtu"],
            "expected one of csv or npy",
        ),
        (&["balls.csv", "-o", "balls.csv"], "the file that is read"),
    ];
    refuse_all(folder, &["meetings"], &cases);
}

#[test]
fn columns_that_are_not_used_are_named() {
    let folder = folder_with(&[("balls.csv", "x,y,z,r,u,v,w\n0,0,0,1,1,0,0\n9,0,0,1,0,0,0\n")]);
    let output = run(folder.path(), &["meetings", "balls.csv"]);
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(notes.contains("columns not used: u, v, w\n"), "{notes}");
}
