//! Reader of points from tables, arrays, particles and meshes.

use crate::error::{Error, Fault, Place, Result};
use crate::format::{MeshFormat, TableFormat};
use crate::mesh::{file_bytes, mesh_from_polygons, parse_mesh};
use crate::shape::ShapeFormat;
use crate::table::{Table, listed_names, table_from_bytes};
use std::path::Path;

/// Reads points: the rows of a table (`.csv` and so on, `.npy`), the points of `.vtp`
/// and `.vtu`, or the vertices of a surface, as [`read_mesh`](crate::read_mesh)
/// returns them.
///
/// Columns of a table are found by the names `x`, `y` and `z`; without names there must be three
/// columns, or in an array four, of which the last is the radius of particles. Empty text contains
/// no points.
pub fn read_points(path: impl AsRef<Path>) -> Result<Vec<[f64; 3]>> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, ShapeFormat::of_path)?;
    points_from_bytes(path, &bytes, format)
}

/// Parses points as [`read_points`] does, from the content of a file. `name` stands for the file in
/// errors.
pub fn points_from_bytes(
    name: impl AsRef<Path>,
    bytes: &[u8],
    format: ShapeFormat,
) -> Result<Vec<[f64; 3]>> {
    points(name.as_ref(), bytes, format, columns)
}

/// Reads points as [`read_points`] does, but also from tables with two columns, which are called
/// `x` and `y` if they have names. These points lie in the plane z = 0.
pub fn read_planar_points(path: impl AsRef<Path>) -> Result<Vec<[f64; 3]>> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, ShapeFormat::of_path)?;
    planar_points_from_bytes(path, &bytes, format)
}

/// Parses points as [`read_planar_points`] does, from the content of a file. `name` stands for the
/// file in errors.
pub fn planar_points_from_bytes(
    name: impl AsRef<Path>,
    bytes: &[u8],
    format: ShapeFormat,
) -> Result<Vec<[f64; 3]>> {
    points(name.as_ref(), bytes, format, planar_columns)
}

/// The indices of the columns of x, y and z in a table of points, or a fault if they are missing; z
/// may be `None`.
type Columns = std::result::Result<[Option<usize>; 3], Fault>;

fn points(
    name: &Path,
    bytes: &[u8],
    format: ShapeFormat,
    columns: impl Fn(&Table, TableFormat) -> Columns,
) -> Result<Vec<[f64; 3]>> {
    let format = match format {
        ShapeFormat::Table(TableFormat::Csv) if bytes.is_empty() => return Ok(Vec::new()),
        ShapeFormat::Table(format) => format,
        ShapeFormat::Mesh(MeshFormat::Vtp) => TableFormat::Vtp,
        ShapeFormat::Mesh(MeshFormat::Vtu) => TableFormat::Vtu,
        ShapeFormat::Mesh(format) => {
            let polygons =
                parse_mesh(bytes, format).map_err(|fault| Error::content(name, fault))?;
            if polygons.is_empty() {
                return Ok(polygons.vertices);
            }
            let loaded = mesh_from_polygons(name, polygons, format)?;
            return Ok(loaded.mesh.into_parts().0);
        }
    };
    let table = table_from_bytes(name, bytes, format)?.table;
    let columns = columns(&table, format).map_err(|fault| Error::content(name, fault))?;
    let coordinate = |row: &[f64], k: Option<usize>| k.map_or(0.0, |k| row[k]);
    let rows = table.rows();
    Ok(rows
        .map(|row| columns.map(|k| coordinate(row, k)))
        .collect())
}

fn planar_columns(table: &Table, format: TableFormat) -> Columns {
    let named = ["x", "y", "z"].map(|name| table.column_named(name));
    match (&table.names, table.columns, named) {
        (None, 2, _) => Ok([Some(0), Some(1), None]),
        (Some(_), _, [Some(_), Some(_), None]) => Ok(named),
        _ => columns(table, format).map_err(|mut fault| {
            fault.expected = format!("2 (x, y), {}", fault.expected);
            fault
        }),
    }
}

fn columns(table: &Table, format: TableFormat) -> Columns {
    let named = ["x", "y", "z"].map(|name| table.column_named(name));
    if let [Some(_), Some(_), Some(_)] = named {
        return Ok(named);
    }
    let first = [Some(0), Some(1), Some(2)];
    match (&table.names, table.columns) {
        (None, 3) => return Ok(first),
        (None, 4) if format == TableFormat::Npy => {
            // A column of point numbers before the coordinates would be mistaken for a coordinate.
            let mut radii = table.rows().map(|row| row[3]).enumerate();
            return match radii.find(|(_, radius)| *radius < 0.0) {
                None => Ok(first),
                Some((i, radius)) => Err(Fault::new(
                    Place::Item("row", i),
                    format!("the radius {radius}"),
                    "x, y, z and a radius of 0 or more",
                )),
            };
        }
        // An empty array has no columns; a line of other names is no header of points.
        (None, _) if table.is_empty() => return Ok([None; 3]),
        _ => {}
    }
    let found = match &table.names {
        Some(names) => listed_names(names),
        None => table.columns.to_string(),
    };
    let expected = match format {
        TableFormat::Npy => "3 (x, y, z) or 4 (x, y, z, radius)",
        _ => "3 (x, y, z), or columns with these names",
    };
    let is_planar = match &table.names {
        Some(_) => matches!(named, [Some(_), Some(_), None]),
        None => table.columns == 2,
    };
    // Two coordinates alone do not give a position in space.
    let hint = match is_planar {
        true => "; x and y alone are a place in a plane",
        false => "",
    };
    let expected = format!("{expected}{hint}");
    Err(Fault::new(Place::Part("columns"), found, expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NpyData, write_npy};

    fn points(text: &str, format: &str) -> std::result::Result<Vec<[f64; 3]>, String> {
        let format = ShapeFormat::named(format).expect("a format");
        points_from_bytes("it", text.as_bytes(), format).map_err(|error| error.to_string())
    }

    #[test]
    fn points_of_texts() {
        let two = Ok(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!(points("1 2 3\n4 5 6\n", "txt"), two);
        assert_eq!(points("z,id,x,y\n3,7,1,2\n6,8,4,5\n", "csv"), two);
        assert_eq!(points("", "csv"), Ok(vec![]));
        assert_eq!(points("x,y,z\n", "csv"), Ok(vec![]));
        for (text, found) in [
            ("1,2,3,4\n", "4"),
            ("a,b,c\n1,2,3\n", "a, b, c"),
            ("1,2\n", "2"),
            ("x,y\n1,2\n", "x, y"),
            // A line that is no number is no table of no points.
            ("nothing\n", "nothing"),
            ("1.0.0\n", "1.0.0"),
        ] {
            let error = points(text, "csv").unwrap_err();
            assert!(
                error.contains(&format!("found {found}, expected 3")),
                "{error}"
            );
            let is_planar = error.ends_with("; x and y alone are a place in a plane");
            assert_eq!(is_planar, matches!(found, "2" | "x, y"), "{error}");
        }
    }

    #[test]
    fn points_of_the_plane() {
        let planar = |text: &str| {
            let format = ShapeFormat::Table(TableFormat::Csv);
            let points = planar_points_from_bytes("it", text.as_bytes(), format);
            points.map_err(|error| error.to_string())
        };
        let two = Ok(vec![[1.0, 2.0, 0.0], [4.0, 5.0, 0.0]]);
        assert_eq!(planar("1,2\n4,5\n"), two);
        assert_eq!(planar("y,id,x\n2,7,1\n5,8,4\n"), two);
        assert_eq!(planar("1,2,3\n"), Ok(vec![[1.0, 2.0, 3.0]]));
        assert_eq!(planar("z,x,y\n3,1,2\n"), Ok(vec![[1.0, 2.0, 3.0]]));
        assert_eq!(planar(""), Ok(vec![]));
        assert_eq!(
            planar("1\n").unwrap_err(),
            "it: columns: found 1, expected 2 (x, y), 3 (x, y, z), or columns with these names"
        );
    }

    /// Point clouds in mesh formats have vertices and no faces. All points are kept, also
    /// coincident ones.
    #[test]
    fn clouds_of_formats_of_surfaces() {
        let cloud = Ok(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]);
        let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
                   property float z\nend_header\n1 2 3\n4 5 6\n1 2 3\n";
        assert_eq!(points(ply, "ply"), cloud);
        let vtk = "# vtk DataFile Version 3.0\npoints\nASCII\nDATASET POLYDATA\n\
                   POINTS 3 double\n1 2 3 4 5 6 1 2 3\n";
        assert_eq!(points(vtk, "vtk"), cloud);
        let verts = format!("{vtk}VERTICES 1 4\n3 0 1 2\n");
        assert_eq!(points(&verts, "vtk"), cloud);
        let grid = vtk.replace("POLYDATA", "UNSTRUCTURED_GRID");
        let grid = format!("{grid}CELLS 1 2\n1 0\nCELL_TYPES 1\n1\n");
        assert_eq!(points(&grid, "vtk"), cloud);
        assert_eq!(points("v 1 2 3\nv 4 5 6\nv 1 2 3\n", "obj"), cloud);
        // Coincident vertices of a surface are merged.
        let surface = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 4 2 3\n";
        assert_eq!(points(surface, "obj").unwrap().len(), 3);
    }

    #[test]
    fn particles_of_arrays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let read = |rows: &[[f64; 4]]| {
            write_npy(&path, &[rows.len(), 4], NpyData::F64(rows.as_flattened())).unwrap();
            read_points(&path).map_err(|error| error.to_string())
        };
        let rows = [[1.0, 2.0, 3.0, 0.5], [4.0, 5.0, 6.0, 0.0]];
        assert_eq!(read(&rows), Ok(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]));
        assert_eq!(read(&[]), Ok(vec![]));
        let error = read(&[[0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 2.0, -3.0]]).unwrap_err();
        assert!(error.contains("row 1: found the radius -3"), "{error}");
        write_npy(&path, &[5, 0], NpyData::F64(&[])).unwrap();
        let error = read_points(&path).unwrap_err().to_string();
        assert!(
            error.contains("found [5, 0], expected at least one column"),
            "{error}"
        );
        write_npy(&path, &[1, 5], NpyData::F64(&[0.0; 5])).unwrap();
        let error = read_points(&path).unwrap_err().to_string();
        assert!(
            error.contains("found 5, expected 3 (x, y, z) or 4"),
            "{error}"
        );
    }
}
