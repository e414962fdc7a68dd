//! Rows as objects of JSON.

use super::{Column, Get, Outputs};
use serde_json::{Map, Value, json};

/// A number, or null where it is not finite: JSON has neither.
pub fn finite(x: f64) -> Value {
    json!(x)
}

/// Numbers side by side; null where one of them is NaN, which stands for no vector at all.
pub fn vector(numbers: &[f64]) -> Value {
    match numbers.iter().any(|x| x.is_nan()) {
        true => Value::Null,
        false => json!(numbers),
    }
}

/// The object of a row: its members are the columns that JSON has, in their order.
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
