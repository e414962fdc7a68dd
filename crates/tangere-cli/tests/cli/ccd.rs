//! `tangere ccd`: continuous collision detection of vertices, edges and faces.

use super::*;
use tangere_io::{NpyData, write_npy};

/// Returns a query of a vertex above a face of 4 x 4, with its heights at the start and at the end.
fn over(from: f64, to: f64) -> String {
    let face = "0,0,0\n4,0,0\n0,4,0\n";
    format!("1,1,{from}\n{face}1,1,{to}\n{face}")
}

#[test]
fn queries_are_answered() {
    let folder = folder();
    let folder = folder.path();
    let queries = over(3.0, -1.0) + &over(3.0, 0.5) + &over(1.0, -1.0);
    put(folder, "queries.csv", &queries);
    let answer_of = |more: &[&str]| {
        let arguments = ["ccd", "queries.csv", "--kind", "vertex-face", "--json"];
        json(folder, &[&arguments[..], more].concat())
    };
    let answer = answer_of(&["-o", "times.csv"]);
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    let names = [
        "kind",
        "separation",
        "queries",
        "contact",
        "free",
        "unresolved",
        "first",
        "truth",
        "rounded",
        "seconds",
    ];
    assert_eq!(keys, names);
    assert_eq!(answer["kind"], "vertex-face");
    let counts = ["queries", "contact", "free", "unresolved"].map(|name| answer[name].as_u64());
    assert_eq!(counts, [3, 2, 1, 0].map(Some));
    assert_eq!(answer["first"]["query"], 2);
    let time = answer["first"]["time"].as_f64().unwrap();
    assert!(time <= 0.5 && time > 0.5 - 1e-12);
    assert!(answer["truth"].is_null());
    let table = std::fs::read_to_string(folder.join("times.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines.len(), lines[0]), (4, "time,late,status"));
    assert_eq!(lines[2], "inf,inf,free");
    assert!(
        lines[1].starts_with("0.7") && lines[1].ends_with(",contact"),
        "{table}"
    );
    // With a separation the contact is earlier, and the second query comes near enough.
    let near = answer_of(&["--separation", "0.5", "--repeat", "2"]);
    assert!(near["contact"].as_u64() >= Some(2) && near["first"]["time"].as_f64() < Some(0.3));
    let text = done(folder, &["ccd", "queries.csv", "--kind", "vertex-face"]);
    for words in ["queries  3", "contact  2", "first    0.5, query 2"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // The file name gives the kind; arrays are read and written.
    let numbers: Vec<f64> = queries
        .split([',', '\n'])
        .filter_map(|word| word.parse().ok())
        .collect();
    let array = folder.join("vertex-face.npy");
    write_npy(&array, &[3, 8, 3], NpyData::F64(&numbers)).unwrap();
    let mut of_array = json(
        folder,
        &["ccd", "vertex-face.npy", "--json", "-o", "times.npy"],
    );
    let mut of_text = answer.clone();
    for object in [&mut of_array, &mut of_text] {
        object["seconds"].take();
    }
    assert_eq!(of_array, of_text);
    let bytes = std::fs::read(folder.join("times.npy")).unwrap();
    let head = "'descr': [('time', '<f8'), ('late', '<f8'), ('status', '|u1'), ('', '|V7')]";
    assert!(String::from_utf8_lossy(&bytes).contains(head));
}

#[test]
fn other_kinds() {
    let folder = folder();
    let folder = folder.path();
    put(
        folder,
        "edge-vertex.csv",
        "0 1 0\n2 1 0\n1 0 0\n0 -1 0\n2 -1 0\n1 0 0\n",
    );
    put(folder, "vertex-vertex.csv", "0 0 0\n1 0 0\n0 0 0\n-1 0 0\n");
    put(
        folder,
        "edge-edge.csv",
        "-1 0 0\n1 0 0\n0 -1 1\n0 1 1\n-1 0 0\n1 0 0\n0 -1 -1\n0 1 -1\n",
    );
    for name in ["edge-vertex", "vertex-vertex", "edge-edge"] {
        let answer = json(folder, &["ccd", &format!("{name}.csv"), "--json"]);
        assert_eq!(
            (&answer["kind"], &answer["contact"]),
            (&name.into(), &1.into())
        );
        let time = answer["first"]["time"].as_f64().unwrap();
        assert!((time - 0.5).abs() < 1e-12, "{answer}");
    }
    // An empty file contains no queries.
    put(folder, "edge-edge.csv", "");
    let answer = json(folder, &["ccd", "edge-edge.csv", "--json"]);
    assert_eq!(
        (&answer["queries"], &answer["first"]),
        (&0.into(), &Value::Null)
    );
}

#[test]
fn the_truth_is_compared() {
    let folder = folder();
    let folder = folder.path();
    let fractions = |truth: u8, z: &str| {
        let row = |x: &str| format!("0,1,0,1,{x},{truth}\n");
        row("0,1") + &row("2,2") + &row("0,7") + &row(z)
    };
    put(
        folder,
        "vertex-vertex.csv",
        &(fractions(1, "-1,1") + &fractions(0, "1,4")),
    );
    let answer = json(folder, &["ccd", "vertex-vertex.csv", "--json"]);
    assert_eq!(
        answer["truth"],
        serde_json::json!({ "missed": 0, "invented": 0 })
    );
    let text = done(folder, &["ccd", "vertex-vertex.csv"]);
    assert!(text.contains("truth    0 missed, 0 invented"), "{text}");
    put(
        folder,
        "vertex-vertex.csv",
        &(fractions(0, "-1,1") + &fractions(1, "1,4")),
    );
    let before = files(folder);
    let error = refused(folder, &["ccd", "vertex-vertex.csv", "-o", "times.csv"], 1);
    let words = "answers differ from the truth of 2 queries, 1 missed: 1; 1 invented: 0";
    assert!(error.ends_with(words), "{error}");
    assert_eq!(files(folder), before);
    // Some vertices reach the separation without touching.
    put(folder, "vertex-vertex.csv", &fractions(0, "1,4"));
    let arguments = ["ccd", "vertex-vertex.csv", "--separation", "0.5", "--json"];
    assert_eq!(json(folder, &arguments)["contact"], 1);
    // Fractions that float64 cannot represent are reported.
    put(folder, "vertex-vertex.csv", &fractions(1, "-1,3"));
    let output = run(folder, &["ccd", "vertex-vertex.csv", "--json"]);
    let note = String::from_utf8_lossy(&output.stderr);
    assert!(
        note.contains("1 fraction is not representable in float64, and rounded"),
        "{note}"
    );
}

#[test]
fn shared_queries_are_answered_as_known() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/ccd");
    if !shared.is_dir() {
        println!("skipped: no shared queries");
        return;
    }
    let folder = folder();
    let names = files(&shared)
        .into_iter()
        .filter(|name| name.ends_with(".csv"));
    let mut queries = 0;
    for name in names {
        let path = shared.join(name);
        let answer = json(folder.path(), &["ccd", path.to_str().unwrap(), "--json"]);
        assert_eq!(
            answer["truth"],
            serde_json::json!({ "missed": 0, "invented": 0 })
        );
        assert_eq!(answer["rounded"], 0);
        queries += answer["queries"].as_u64().unwrap();
    }
    assert!(queries >= 1824, "{queries}");
}

#[test]
fn bad_input_is_refused() {
    let folder = folder_with(&[
        ("queries.csv", &over(1.0, -1.0)),
        ("edge-edge.csv", "0,0,0\n0,0\n"),
        ("edge-vertex.csv", &over(1.0, -1.0)),
        ("vertex-face.csv", "0,0,0,1,0,1\n"),
        ("points.vtp", ""),
    ]);
    let folder = folder.path();
    let kind = ["--kind", "vertex-face"];
    let cases: [(&[&str], &str); 11] = [
        (
            &["queries.csv"],
            "queries.csv: found no kind in its name, expected --kind",
        ),
        (&["queries.csv", "--kind", "face-face"], "--kind"),
        (&["edge-edge.csv"], "edge-edge.csv: line 2: found 2 fields"),
        (
            &["edge-vertex.csv"],
            "rows: found 8, expected a multiple of 6",
        ),
        (
            &["vertex-face.csv"],
            "line 1: found 0, expected a denominator",
        ),
        (&["missing.csv", kind[0], kind[1]], "missing.csv"),
        (&["points.vtp", kind[0], kind[1]], "points.vtp"),
        (
            &["queries.csv", kind[0], kind[1], "--separation", "-1"],
            "separation: found -1",
        ),
        (
            &["queries.csv", kind[0], kind[1], "--separation", "nan"],
            "expected a finite number",
        ),
        (
            &["queries.csv", kind[0], kind[1], "-o", "x.vtp"],
            "expected one of csv or npy",
        ),
        (
            &["queries.csv", kind[0], kind[1], "-o", "queries.csv"],
            "the file that is read",
        ),
    ];
    refuse_all(folder, &["ccd"], &cases);
    let error = refused(
        folder,
        &["ccd", "queries.csv", kind[0], kind[1], "-o", "no/x.csv"],
        1,
    );
    assert!(error.contains("folder no does not exist"), "{error}");
}
