//! Reductions of columns to numbers: `compute reduce`.

use super::args::Args;
use super::attributes;
use super::computes::Value;
use super::error::Problem;
use super::now::Now;
use super::variables::Operand;

/// A reduction of columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reduction {
    mode: String,
    /// The columns: properties, `c_ID`, `c_ID[i]`, `v_name`.
    pub inputs: Vec<String>,
    region: Option<String>,
}

const MODES: [&str; 8] = [
    "sum", "min", "max", "ave", "sumsq", "avesq", "sumabs", "aveabs",
];

impl Reduction {
    pub fn parse(args: &mut Args, region: Option<String>) -> Result<Self, Problem> {
        let mode = args.word("a mode")?;
        if !MODES.contains(&mode) {
            return Err(Problem::unknown(mode, "a mode of compute reduce", &MODES));
        }
        let inputs = args.rest().to_vec();
        *args = Args::new(&[]);
        if inputs.is_empty() {
            return Err(Problem::missing("a column to reduce"));
        }
        for input in &inputs {
            let is_reference = ["c_", "f_", "v_"]
                .iter()
                .any(|kind| input.starts_with(kind));
            if !is_reference && !attributes::is_known(input) {
                let expected = "a property, c_ID, f_ID or v_name";
                return Err(Problem::unknown(input, expected, &attributes::NAMES));
            }
        }
        Ok(Self {
            mode: mode.to_string(),
            inputs,
            region,
        })
    }

    /// Whether it grows with the number of spheres.
    pub fn is_extensive(&self) -> bool {
        self.mode.starts_with("sum")
    }

    pub fn value(&self, now: &Now, group: u32) -> Result<Value, Problem> {
        let region = match &self.region {
            Some(id) => Some(now.region(id)?),
            None => None,
        };
        let mut found = Vec::new();
        for input in &self.inputs {
            let column = column(now, input)?;
            let spheres = now.spheres;
            let numbers: Vec<f64> = match column {
                Column::Spheres(numbers) => {
                    let rows = numbers.into_iter().enumerate();
                    let rows = rows.filter(|(i, _)| spheres.groups[*i] & group != 0);
                    let rows = rows.filter(|(i, _)| {
                        let region = region.as_ref();
                        region.is_none_or(|region| region.contains(spheres.positions[*i]))
                    });
                    rows.map(|(_, x)| x).collect()
                }
                Column::Contacts(numbers) => numbers,
            };
            found.push(self.reduced(&numbers));
        }
        Ok(match found.as_slice() {
            [only] => Value::Scalar(*only),
            _ => Value::Vector(found),
        })
    }

    fn reduced(&self, numbers: &[f64]) -> f64 {
        let sum: f64 = numbers
            .iter()
            .map(|&x| match self.mode.as_str() {
                "sumsq" | "avesq" => x * x,
                "sumabs" | "aveabs" => x.abs(),
                _ => x,
            })
            .sum();
        match self.mode.as_str() {
            "min" => numbers.iter().copied().fold(1e20, f64::min),
            "max" => numbers.iter().copied().fold(-1e20, f64::max),
            "ave" | "avesq" | "aveabs" => match numbers.len() {
                0 => 0.0,
                count => sum / count as f64,
            },
            _ => sum,
        }
    }
}

/// A column of numbers by sphere or by contact.
pub(super) enum Column {
    Spheres(Vec<f64>),
    Contacts(Vec<f64>),
}

/// The column that a word names: a property, `c_ID`, `c_ID[i]`, `f_ID` or `v_name`.
pub(super) fn column(now: &Now, word: &str) -> Result<Column, Problem> {
    if let Some(numbers) = attributes::values(now, word) {
        return Ok(Column::Spheres(numbers));
    }
    if let Some(name) = word.strip_prefix("c_") {
        let (id, index) = split_index(name)?;
        let value = now.compute(id)?;
        if let Value::Local(columns) = &*value {
            let j = index.unwrap_or(1);
            let column = super::variables::column(columns, j, word)?;
            return Ok(Column::Contacts(column.clone()));
        }
    }
    match now.formula(word)? {
        Operand::Column(numbers) => Ok(Column::Spheres(numbers)),
        Operand::Number(_) => Err(Problem::new(word, "a column of atoms, not one number")),
    }
}

/// `name[3]` as the name and the index.
pub(super) fn split_index(word: &str) -> Result<(&str, Option<usize>), Problem> {
    let Some((name, rest)) = word.split_once('[') else {
        return Ok((word, None));
    };
    let index = rest.strip_suffix(']').and_then(|i| i.parse().ok());
    match index {
        Some(index) => Ok((name, Some(index))),
        None => Err(Problem::new(word, "an index in brackets")),
    }
}
