//! `tangere reproduce`: experiments of papers.

use super::*;

#[test]
fn a_paper_as_json_and_as_a_page() {
    let folder = folder();
    let folder = folder.path();
    let arguments = [
        "reproduce",
        "schinner1995",
        "schinner1995",
        "--quick",
        "--json",
        "-o",
        "out/report",
    ];
    let output = run(folder, &arguments);
    // One line says that this build is slow, if it is.
    let mut notes = &output.stderr[..];
    if cfg!(debug_assertions) {
        assert!(notes.starts_with(b"this is a debug build, "));
        let end = notes.iter().position(|&byte| byte == b'\n').unwrap();
        notes = &notes[end + 1..];
    }
    let stages = stages(notes);
    assert!(stages.len() > 2 && stages.iter().all(|name| name.starts_with("schinner1995: ")));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let papers: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(papers, ["schinner1995"]);
    let findings = object["schinner1995"].as_object().unwrap();
    assert!(findings.len() >= 3);
    for (name, finding) in findings {
        assert!(!finding["published"].is_null(), "{name}");
        assert!(!finding["measured"].is_null(), "{name}");
        for field in ["id", "place", "claim", "tolerance", "why"] {
            assert!(finding[field].is_string(), "{name}: {field}");
        }
        let holds = match finding["verdict"].as_str().unwrap() {
            "holds" => Value::Bool(true),
            "does not hold" => Value::Bool(false),
            verdict => {
                assert_eq!(verdict, "cannot be judged here", "{name}");
                Value::Null
            }
        };
        assert_eq!(finding["holds"], holds, "{name}");
    }
    // Verdicts on counts do not depend on the machine.
    assert_eq!(findings["example"]["holds"], true);
    assert_eq!(findings["one dimension, exchanges"]["holds"], false);
    // The growth is that of counts of exchanges, which do not depend on the machine.
    let grown = &findings["three dimensions"]["measured"]["exponent of exchanges"]["1%"];
    assert!((grown.as_f64().unwrap() - 5.0 / 3.0).abs() < 0.1, "{grown}");
    let ratio = &findings["one dimension"]["measured"]["c / k"]["10%"];
    assert!((ratio.as_f64().unwrap() - 2.0).abs() < 0.2, "{ratio}");

    let out = folder.join("out/report");
    let written = std::fs::read_to_string(out.join("reproduce.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), object);
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains(&format!("Of {} claims, ", findings.len())));
    let tables: Vec<String> = (files(&out).into_iter())
        .filter(|name| name.ends_with(".csv"))
        .collect();
    assert_eq!(tables.len(), findings.len());
    for name in tables {
        assert!(page.contains(&format!("href=\"{name}\"")), "{name}");
    }
    // The page is self-contained: no link to the network, no script.
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("<script"));
}

#[test]
fn unknown_papers_are_refused() {
    let folder = folder();
    let error = refused(folder.path(), &["reproduce", "newton1687", "--quick"], 2);
    for word in ["'newton1687'", "leszczynski2004", "schinner1995"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn unwritable_folders_are_refused_before_the_work() {
    let folder = folder_with(&[("file", "")]);
    let folder = folder.path();
    std::fs::create_dir_all(folder.join("taken/index.html")).unwrap();
    for (name, place) in [
        ("file/x", "file/x"),
        ("file", "file"),
        ("taken", "index.html"),
    ] {
        // Without --quick the run would take minutes if it began.
        let error = refused(folder, &["reproduce", "-o", name], 1);
        assert!(error.contains(place), "{error}");
    }
}
