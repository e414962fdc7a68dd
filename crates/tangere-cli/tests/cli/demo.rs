//! `tangere demo`: the page, its numbers and files.

use super::*;

#[test]
fn writes_a_page_and_all_numbers() {
    let folder = folder();
    let folder = folder.path();
    let arguments = ["demo", "-v", "-o", "out/tour", "--width", "60", "--json"];
    let output = run(folder, &arguments);
    let stages = stages(&output.stderr);
    assert!(
        stages.len() > 10 && stages.contains(&"broad phase".to_owned()),
        "{stages:?}"
    );
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let out = folder.join("out/tour");
    let mut listed: Vec<String> = object["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    listed.sort();
    assert_eq!(files(&out), listed);
    let written = std::fs::read_to_string(out.join("demo.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), object);

    for body in ["foam", "sponge", "sphere", "knot", "chazelle"] {
        let file = format!("out/tour/{body}.vtp");
        let mut report = json(folder, &["info", &file, "--json"]);
        let shown = &object["questions"]["report"][body];
        for name in ["triangles", "genus", "closed", "volume"] {
            assert_eq!(report[name].take(), shown[name], "{body}: {name}");
        }
        assert_eq!(shown["closed"], true);
        let tree = &object["questions"]["tree"][body];
        assert!(tree["found"].as_u64() > Some(0), "{body}");
        assert!(
            tree["found"].as_u64() < shown["triangles"].as_u64(),
            "{body}"
        );
        let filled = &object["questions"]["inside"][body];
        let volume = |value: &Value| value["volume"].as_f64().unwrap();
        let ratio = volume(filled) / volume(shown);
        assert!((0.97..1.03).contains(&ratio), "{body}: {ratio}");
    }
    let [broken, moving] = ["broken", "moving"].map(|name| &object["questions"]["inside"][name]);
    assert!(
        broken["reason"]
            .as_str()
            .unwrap()
            .contains("boundary edges")
    );
    assert!(broken["confidence"].as_f64() < Some(0.9));
    assert!(broken["wrong"].as_u64() < Some(broken["inside"].as_u64().unwrap() / 20));
    assert!(
        moving["most"].as_u64() > Some(0) && moving["nodes"].as_u64() > moving["most"].as_u64()
    );
    let found = json(folder, &["pairs", "out/tour/particles.vtp", "--json"]);
    assert!(found["pairs"].as_u64() > Some(0));
    let published = |method: &tangere::pairs::Method| {
        let of_papers = tangere::pairs::Method::PUBLISHED;
        of_papers.contains(method)
    };
    for method in tangere::pairs::Method::ALL {
        if published(&method) {
            continue;
        }
        let shown = &object["questions"]["pairs"][method.name()];
        assert_eq!(shown["pairs"], found["pairs"], "{method}");
    }
    let rules = &object["questions"]["rules"];
    let pairs = |name: &str| rules[name]["pairs"].as_u64();
    assert!(pairs("balls") > pairs("groups") && pairs("groups") > pairs("masks"));
    assert!(pairs("masks") > Some(0) && rules["images"]["own"].as_u64() > Some(0));
    assert!(rules["candidates"]["reuses"].as_u64() > rules["candidates"]["builds"].as_u64());
    for faces in ["20", "100", "920", "10000"] {
        let followed = &object["questions"]["closest"][faces];
        let gap = |end: &str| followed["gap"][end].as_f64().unwrap();
        assert!(gap("least") < 0.0 && gap("most") > 0.0, "{faces}");
        let steps: Vec<u64> = serde_json::from_value(followed["steps"].clone()).unwrap();
        assert_eq!(Some(steps.iter().sum()), followed["queries"].as_u64());
        assert!(
            steps[0] > 2 * steps[1..].iter().sum::<u64>(),
            "{faces}: {steps:?}"
        );
    }
    let surfaces = &object["questions"]["surfaces"];
    for body in ["curved", "triangles"] {
        assert!(surfaces[body]["inside"].as_u64() > Some(0), "{surfaces}");
    }
    assert!(surfaces["knots of 20000"]["crossing"].as_u64() > Some(1000));
    let overlap = &object["questions"]["overlap"];
    assert!(overlap["filling"].as_f64() > Some(0.8), "{overlap}");
    for step in overlap["steps"].as_array().unwrap() {
        let [lower, volume, upper] = ["lower", "volume", "upper"].map(|name| step[name].as_f64());
        assert!(lower <= volume && volume <= upper, "{step}");
        let exact = step["exact"].as_f64();
        assert!(lower <= exact && exact <= upper, "{step}");
    }
    let events = object["questions"]["impact"]["events"].as_array().unwrap();
    let times: Vec<f64> = events
        .iter()
        .map(|event| event["early"].as_f64().unwrap())
        .collect();
    assert!(times.is_sorted() && times[0] > 0.0, "{times:?}");
    assert!(
        events.iter().any(|event| event["a"] == "floor")
            && events.iter().any(|event| event["a"] != "floor"),
        "{events:?}"
    );
    for event in events {
        assert_eq!(event["certificate"], "bracket", "{event}");
        let [early, late] = ["early", "late"].map(|name| event[name].as_f64().unwrap());
        assert!(early <= late && late - early < 1e-9, "{event}");
    }
    let all = json(folder, &["info", "out/tour/scene.vtu", "--json"]);
    assert_eq!(all["components"], 5);

    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert_eq!(page.matches("<img ").count(), 31);
    // The page is self-contained: no link to the network, no script.
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("<script"));
    let picture = std::fs::read(out.join("picture.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
}

#[test]
fn a_folder_that_cannot_be_written() {
    let folder = folder();
    put(folder.path(), "file", "");
    let error = refused(
        folder.path(),
        &["demo", "-q", "-o", "file/x", "--width", "60"],
        1,
    );
    assert!(error.contains("file/x"), "{error}");
}
