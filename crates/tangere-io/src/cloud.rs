//! Tables as points with fields on them, and points as tables.

use crate::table::Table;
use crate::vtk::{Field, PointCloud};
use tangere::{Error, Result};

/// The columns `x`, `y`, `z`, followed by `radius` if the points have it.
pub(crate) fn table(cloud: PointCloud) -> Result<Table> {
    let mut names = vec!["x", "y", "z"];
    let radii = match cloud.field("radius") {
        Some(_) => Some(cloud.scalars("radius")?),
        None => None,
    };
    let values = match radii {
        None => cloud.points.into_flattened(),
        Some(radii) => {
            if let Some(i) = radii.iter().position(|radius| !radius.is_finite()) {
                return Err(Error::item("radius", i, radii[i], "a finite number"));
            }
            names.push("radius");
            let rows = cloud.points.iter().zip(radii);
            rows.flat_map(|(&[x, y, z], radius)| [x, y, z, radius])
                .collect()
        }
    };
    Ok(Table {
        columns: names.len(),
        values,
        names: Some(names.into_iter().map(String::from).collect()),
    })
}

/// Points from the columns `x`, `y` and, unless it is missing, `z`; a field from
/// each other column. Without names the columns are `x`, `y`, `z` and `radius`.
pub(crate) fn points(table: &Table) -> Result<(Vec<[f64; 3]>, Vec<Field>)> {
    const EXPECTED: &str = "columns named x and y, or 3 or 4 columns without names";
    let default = ["x", "y", "z", "radius"];
    let names: Vec<&str> = match &table.names {
        Some(names) => names.iter().map(String::as_str).collect(),
        None if matches!(table.columns, 3 | 4) => default[..table.columns].to_vec(),
        None => {
            let found = format!("{} columns without names", table.columns);
            return Err(Error::argument("table", found, EXPECTED));
        }
    };
    let place = |name: &str| names.iter().position(|n| n.eq_ignore_ascii_case(name));
    let (Some(x), Some(y)) = (place("x"), place("y")) else {
        return Err(Error::argument("table", format!("{names:?}"), EXPECTED));
    };
    let z = place("z");
    let points = table
        .rows()
        .map(|row| [row[x], row[y], z.map_or(0.0, |z| row[z])])
        .collect();
    let fields = (0..table.columns)
        .filter(|&k| k != x && k != y && Some(k) != z)
        .map(|k| {
            let values: Vec<f64> = table.rows().map(|row| row[k]).collect();
            Field::scalar(names[k], values)
        })
        .collect();
    Ok((points, fields))
}
