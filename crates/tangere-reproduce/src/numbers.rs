//! Published and measured numbers of a finding as lines for people, from their JSON.

use serde_json::{Number, Value};

/// Returns published numbers as lines, each with all its digits.
pub fn published(value: &Value) -> Vec<String> {
    lines("", value, all_digits)
}

/// Returns measured numbers as lines, with six significant digits.
pub fn measured(value: &Value) -> Vec<String> {
    lines("", value, six_digits)
}

type Shown = fn(f64) -> String;

/// Formats a number with an exponent where it would have many zeros.
fn all_digits(x: f64) -> String {
    match x.abs() {
        size if x == 0.0 || (1e-4..1e15).contains(&size) => format!("{x}"),
        _ => format!("{x:e}"),
    }
}

fn six_digits(x: f64) -> String {
    all_digits(format!("{x:.5e}").parse().unwrap_or(x))
}

/// Returns a line for each entry of an object, with the names on the way to it; one line for all that
/// are scalars or lists below the first level.
fn lines(name: &str, value: &Value, shown: Shown) -> Vec<String> {
    match value {
        Value::Object(entries)
            if name.is_empty() || entries.values().any(|value| value.is_object()) =>
        {
            let entries = entries.iter().flat_map(|(key, value)| {
                let name = match name.is_empty() {
                    true => key.clone(),
                    false => format!("{name}, {key}"),
                };
                lines(&name, value, shown)
            });
            entries.collect()
        }
        _ if name.is_empty() => vec![in_line(value, shown)],
        _ => vec![format!("{name}: {}", in_line(value, shown))],
    }
}

/// Returns a value in one line: a scalar, the items of a list, or the entries of an object.
fn in_line(value: &Value, shown: Shown) -> String {
    let joined = |items: Vec<String>| match items.is_empty() {
        true => "none".into(),
        false => items.join(", "),
    };
    match value {
        Value::Null => "not measured".into(),
        Value::Bool(is_so) => if *is_so { "yes" } else { "no" }.into(),
        Value::Number(number) => scalar(number, shown),
        Value::String(text) => text.clone(),
        Value::Array(items) => joined(items.iter().map(|item| grouped(item, shown)).collect()),
        Value::Object(entries) => joined(
            entries
                .iter()
                .map(|(key, value)| format!("{key} = {}", grouped(value, shown)))
                .collect(),
        ),
    }
}

/// Returns a value in one line, with parentheses around more than one number.
fn grouped(value: &Value, shown: Shown) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => format!("({})", in_line(value, shown)),
        _ => in_line(value, shown),
    }
}

fn scalar(number: &Number, shown: Shown) -> String {
    match number.as_f64() {
        Some(x) if number.is_f64() => shown(x),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_without_braces() {
        assert_eq!(published(&json!("about 6%")), ["about 6%"]);
        let table = json!({"nanoseconds": {"BS": 39.5, "AABB": 37}, "range": [5, 29]});
        assert_eq!(
            published(&table),
            ["nanoseconds: BS = 39.5, AABB = 37", "range: 5, 29"]
        );
        let times = json!({"seconds": {"A": {"list": [1e-5, 0.25]}, "B": {"list": []}}, "n": null});
        assert_eq!(
            measured(&times),
            [
                "seconds, A: list = (1e-5, 0.25)",
                "seconds, B: list = (none)",
                "n: not measured"
            ]
        );
        assert_eq!(measured(&json!({"x": 2.0000000001})), ["x: 2"]);
        assert_eq!(measured(&json!({"x": 14.950312345})), ["x: 14.9503"]);
        assert_eq!(measured(&json!([[1, 2], [3, 4]])), ["(1, 2), (3, 4)"]);
    }
}
