//! Masks times in golden files, because they differ from run to run.

/// Replacement of a time in JSON.
const JSON: &str = "\"masked\"";

/// Replacement of a time in text.
const TEXT: &str = "<time>";

/// Returns a JSON object, one member per line, with its seconds masked.
pub fn json(object: &str) -> String {
    let mut keys: Vec<String> = Vec::new();
    let mut masked = String::new();
    for line in object.lines() {
        let bare = line.trim_start();
        let depth = (line.len() - bare.len()) / 2;
        keys.truncate(depth);
        keys.resize(depth, String::new());
        let (key, value) = match bare
            .strip_prefix('"')
            .and_then(|rest| rest.split_once("\": "))
        {
            Some((key, value)) => (key, value),
            None => ("", bare),
        };
        keys.push(key.to_owned());
        let number = value.trim_end_matches(',');
        if is_time(&keys) && number.parse::<f64>().is_ok() {
            let start = line.strip_suffix(value).unwrap_or_default();
            let comma = value.strip_prefix(number).unwrap_or_default();
            masked += &format!("{start}{JSON}{comma}\n");
        } else {
            masked += &format!("{line}\n");
        }
    }
    masked
}

/// Whether a path of keys leads to a time: below `seconds`, or `update` and `query` of steps.
fn is_time(keys: &[String]) -> bool {
    let is_seconds = keys.iter().any(|key| key.starts_with("seconds"));
    let of_steps = keys.iter().any(|key| key == "steps");
    let last = keys.last().map_or("", String::as_str);
    is_seconds || of_steps && ["update", "query"].contains(&last)
}

/// Masks each number before a unit of time, with the unit.
pub fn text(text: &str) -> String {
    let mut masked = String::new();
    for line in text.lines() {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut k = 1;
        while k < words.len() {
            let unit = words[k].trim_end_matches([',', ';', '.']);
            if ["us", "ms", "s"].contains(&unit) && words[k - 1].parse::<f64>().is_ok() {
                // The text after the unit is kept.
                words[k - 1] = format!("{TEXT}{}", &words[k][unit.len()..]);
                words.remove(k);
            }
            k += 1;
        }
        masked += words.join(" ").trim_end();
        masked.push('\n');
    }
    masked
}

#[test]
fn times_are_masked_and_nothing_else() {
    let object = "{\n  \"seconds\": {\n    \"read\": 1e-3,\n    \"query\": 2.0\n  },\n  \"query\": 3,\n  \
                  \"seconds_setup\": 0.5,\n  \"steps\": {\n    \"count\": 2,\n    \"query\": 0.25\n  }\n}\n";
    let masked = "{\n  \"seconds\": {\n    \"read\": \"masked\",\n    \"query\": \"masked\"\n  },\n  \
                  \"query\": 3,\n  \"seconds_setup\": \"masked\",\n  \"steps\": {\n    \"count\": 2,\n    \
                  \"query\": \"masked\"\n  }\n}\n";
    assert_eq!(json(object), masked);
    assert_eq!(
        text("  read   12 us\n  took  1.5 ms, 0.53 us an event\n  pairs  12\n"),
        "  read   <time>\n  took  <time>, <time> an event\n  pairs  12\n"
    );
}
