//! JSON of answers: each row of an answer becomes an object.

use super::{Column, Get, Outputs};
use serde_json::{Map, Value, json};

/// Returns a number as JSON; null for NaN and infinity, which JSON cannot represent.
pub fn finite(x: f64) -> Value {
    json!(x)
}

/// Returns a vector as a JSON array; null if a component is NaN, which stands for a missing vector.
pub fn vector(numbers: &[f64]) -> Value {
    match numbers.iter().any(|x| x.is_nan()) {
        true => Value::Null,
        false => json!(numbers),
    }
}

/// Returns the JSON object of a row, with the columns that appear in JSON in their order.
pub fn object<T>(columns: &[Column<T>], row: &T) -> Value {
    let members = columns.iter();
    let members = members.filter(|column| column.outputs.has(Outputs::JSON));
    let members = members.map(|column| (column.name.to_owned(), value(column, row)));
    Value::Object(members.collect::<Map<_, _>>())
}

fn value<T>(column: &Column<T>, row: &T) -> Value {
    match column.get {
        Get::Float(get) => finite(get(row)),
        Get::Vector(width, get) => {
            let numbers: Vec<f64> = (0..width).map(|k| get(row, k)).collect();
            vector(&numbers)
        }
        Get::Count(get) => get(row).into(),
        Get::Counts(width, get) => (0..width).map(|k| get(row, k)).collect(),
        Get::Index(get) => get(row).into(),
        Get::Indices(width, get) => (0..width).map(|k| get(row, k)).collect(),
        Get::Integers(width, get) => (0..width).map(|k| get(row, k)).collect(),
        Get::Side(get) => get(row).into(),
        Get::Code(_, word) => word(row).into(),
        Get::Flag(get) => get(row).into(),
        Get::Feature(get) => {
            let feature = get(row);
            json!({ "kind": feature.kind.name(), "index": feature.index })
        }
        Get::Text(get) => get(row).into(),
        Get::Value(_, get) => get(row),
    }
}

/// Moves the members of the JSON object `members` to `object`.
pub fn extend_object(object: &mut Value, members: Value) {
    if let (Value::Object(object), Value::Object(members)) = (object, members) {
        object.extend(members);
    }
}
