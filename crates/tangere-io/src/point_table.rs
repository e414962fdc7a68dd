//! Conversion between tables and points with fields, as VTK files contain them.

use crate::table::{LoadedTable, Table};
use crate::vtk::{Field, PointCloud};
use tangere::{Argument, Error, Result};

/// Converts points to a table with the columns `x`, `y` and, unless the points are planar, `z`,
/// followed by `radius` if the points have that field.
pub(crate) fn table(cloud: PointCloud) -> Result<LoadedTable> {
    let mut names = vec!["x", "y", "z"];
    names.truncate(if cloud.planar { 2 } else { 3 });
    let dimension = names.len();
    let radii = match cloud.field("radius") {
        Some(_) => Some(cloud.scalars("radius")?),
        None => None,
    };
    if let Some(radii) = &radii {
        if let Some(i) = radii.iter().position(|radius| !radius.is_finite()) {
            return Err(Error::item(
                Argument::Radius,
                i,
                radii[i],
                "a finite number",
            ));
        }
        names.push("radius");
    }
    let mut values = Vec::with_capacity(names.len() * cloud.points.len());
    for (i, point) in cloud.points.iter().enumerate() {
        values.extend_from_slice(&point[..dimension]);
        values.extend(radii.as_ref().map(|radii| radii[i]));
    }
    let fields = cloud.fields.into_iter();
    let fields: Vec<Field> = fields.filter(|field| field.name != "radius").collect();
    Ok(LoadedTable {
        table: Table {
            columns: names.len(),
            values,
            names: Some(names.into_iter().map(String::from).collect()),
        },
        unkept: fields.iter().map(|field| field.name.clone()).collect(),
        fields,
    })
}

/// Converts a table to points. The columns `x`, `y` and `z` are the coordinates (planar if `z` is
/// missing), the other columns become fields. Columns without names are `x`, `y`, `z` and `radius`.
pub(crate) fn points(table: &Table) -> Result<PointCloud> {
    const EXPECTED: &str = "columns named x and y, or 3 or 4 columns without names";
    let default = ["x", "y", "z", "radius"];
    let names: Vec<&str> = match &table.names {
        Some(names) => names.iter().map(String::as_str).collect(),
        None if matches!(table.columns, 3 | 4) => default[..table.columns].to_vec(),
        None => {
            let found = format!("{} columns without names", table.columns);
            return Err(Error::argument(Argument::Other("table"), found, EXPECTED));
        }
    };
    let place = |name: &str| names.iter().position(|n| n.eq_ignore_ascii_case(name));
    let (Some(x), Some(y)) = (place("x"), place("y")) else {
        return Err(Error::argument(
            Argument::Other("table"),
            format!("{names:?}"),
            EXPECTED,
        ));
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
    Ok(PointCloud {
        points,
        fields,
        planar: z.is_none(),
    })
}
