//! Reading and writing tables and arrays of numbers.

use crate::atomic::write_atomically;
use crate::csv::{self, parse_csv};
use crate::error::{Error, Fault, Place, Result};
use crate::format::{TableFormat, unfit};
use crate::mesh::file_bytes;
use crate::npy::{self, NpyData, first_npy, is_npy, parse_npy};
use crate::point_table;
use crate::read_bytes::read_bytes;
use crate::vtk::{self, Field, PointCloud, PolyData, UnstructuredGrid, xml};
use std::io;
use std::path::Path;
use tangere::Argument;

/// Table of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The number of columns.
    pub columns: usize,
    /// The numbers, row by row.
    pub values: Vec<f64>,
    /// The names of the columns, if the file has them.
    pub names: Option<Vec<String>>,
}

/// Lists the names of columns for an error message, separated by commas. At most 16 names are
/// listed, each truncated to 40 characters, with control characters escaped.
pub fn listed_names(names: &[String]) -> String {
    const MOST: usize = 16;
    const LONGEST: usize = 40;
    let shown = |name: &String| {
        let mut shown: String = name.chars().take(LONGEST).collect();
        if shown.len() < name.len() {
            shown += "...";
        }
        shown.escape_debug().to_string()
    };
    let mut listed: Vec<String> = names.iter().take(MOST).map(shown).collect();
    if names.len() > MOST {
        listed.push(format!("... ({} in all)", names.len()));
    }
    listed.join(", ")
}

/// Reads a text or NPY file and returns what `parse` makes of its content and format. A VTK file is
/// refused with the error text `reason`.
pub(crate) fn read_rows<T>(
    path: &Path,
    reason: &'static str,
    parse: impl Fn(&[u8], TableFormat) -> std::result::Result<T, Fault>,
) -> Result<T> {
    let (bytes, format) = file_bytes(path, TableFormat::of_path)?;
    match format {
        TableFormat::Csv | TableFormat::Npy => {
            parse(&bytes, format).map_err(|fault| Error::content(path, fault))
        }
        TableFormat::Vtp | TableFormat::Vtu => Err(unfit(path, reason)),
    }
}

impl Table {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        // Without columns there are no values, and so no rows either.
        self.values.chunks_exact(self.columns.max(1))
    }

    /// Returns the index of the column with a name, case-insensitive.
    pub fn column_named(&self, name: &str) -> Option<usize> {
        let names = self.names.as_ref()?;
        names.iter().position(|n| n.eq_ignore_ascii_case(name))
    }

    /// Returns the index of the column of radii (`radius` or `r`) or of diameters (`diameter`), and
    /// whether it is that of diameters; `None` if there is neither.
    ///
    /// # Errors
    /// When there is more than one: it is not known which counts.
    pub fn size_column(&self) -> std::result::Result<Option<(usize, bool)>, Fault> {
        let sizes = ["radius", "r", "diameter"];
        let found = sizes.map(|name| self.column_named(name).map(|k| (k, name)));
        let mut found = found.into_iter().flatten();
        match (found.next(), found.next()) {
            (Some((_, one)), Some((_, other))) => Err(Fault::new(
                Place::Part("columns"),
                format!("{one} and {other}"),
                "one column of sizes: radius, r or diameter",
            )),
            (one, _) => Ok(one.map(|(k, name)| (k, name == "diameter"))),
        }
    }

    /// Returns the names of the columns whose indices are not in `used`, in column order.
    pub fn names_besides(&self, used: &[usize]) -> Vec<String> {
        let names = self.names.iter().flatten().enumerate();
        let unused = names.filter(|(k, _)| !used.contains(k));
        unused.map(|(_, name)| name.clone()).collect()
    }

    fn check(&self) -> tangere::Result<()> {
        let rest = self.values.len().checked_rem(self.columns);
        if rest.unwrap_or(self.values.len()) != 0 {
            return Err(tangere::Error::argument(
                Argument::Other("table"),
                format!("{} values", self.values.len()),
                format!("a multiple of its {} columns", self.columns),
            ));
        }
        let Some(names) = &self.names else {
            return Ok(());
        };
        if names.len() != self.columns {
            return Err(tangere::Error::argument(
                Argument::Other("names"),
                format!("{} names", names.len()),
                format!("{}, one for each column", self.columns),
            ));
        }
        match names.iter().position(|name| name.contains(['\n', '\r'])) {
            None => Ok(()),
            Some(i) => Err(tangere::Error::item(
                Argument::Other("name"),
                i,
                format!("{:?}", names[i]),
                "a single line",
            )),
        }
    }
}

/// Array of numbers with any number of axes, in C order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Array {
    /// The length of each axis.
    pub shape: Vec<usize>,
    /// The numbers in row-major (C) order: the last axis varies fastest.
    pub values: Vec<f64>,
}

impl Array {
    /// Converts an array of at most 2 axes to a table; a single axis becomes one column.
    pub fn into_table(self) -> std::result::Result<Table, Fault> {
        let columns = match self.shape[..] {
            [_] => 1,
            // Rows without columns take no bytes, but are no empty table.
            [rows, 0] if rows > 0 => {
                return Err(Fault::new(
                    Place::Part("shape"),
                    format!("{:?}", self.shape),
                    "at least one column",
                ));
            }
            [_, columns] => columns,
            _ => {
                return Err(Fault::new(
                    Place::Part("shape"),
                    format!("{:?}", self.shape),
                    "1 or 2 axes",
                ));
            }
        };
        Ok(Table {
            columns,
            values: self.values,
            names: None,
        })
    }
}

/// Returns the line of the text file `path`, counted from 1, that holds row `row` of the table read
/// from it.
pub fn line_of_row(path: impl AsRef<Path>, table: &Table, row: usize) -> Result<usize> {
    let path = path.as_ref();
    let bytes = read_bytes(path)?;
    Ok(csv::line_of_row(&bytes, row, table.names.is_some()))
}

/// Reads a table from a text (`.csv`, `.tsv`, `.txt`, `.dat`), from an array of
/// 1 or 2 axes (`.npy`; the first where several were saved) or from points (`.vtp`, `.vtu`).
///
/// In a text `#` begins a comment, fields are separated by semicolons, commas or
/// white space, and a first row without numbers holds the names of the columns.
/// Points become the columns `x`, `y` and `z`, followed by `radius` if they have
/// it; there is no `z` if the file is marked as planar.
pub fn read_table(path: impl AsRef<Path>) -> Result<Table> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, TableFormat::of_path)?;
    Ok(table_from_bytes(path, &bytes, format)?.table)
}

/// Reads a table as [`read_table`] does; fields of points with one number each become columns, too.
pub fn read_table_with_fields(path: impl AsRef<Path>) -> Result<Table> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, TableFormat::of_path)?;
    let LoadedTable {
        mut table, fields, ..
    } = table_from_bytes(path, &bytes, format)?;
    let is_new =
        |field: &&Field| field.components == 1 && table.column_named(&field.name).is_none();
    let fields: Vec<&Field> = fields.iter().filter(is_new).collect();
    if fields.is_empty() {
        return Ok(table);
    }
    let more: Vec<_> = fields.iter().map(|field| field.values.to_f64()).collect();
    let rows = table.rows().enumerate();
    let rows = rows.flat_map(|(i, row)| {
        let more = more.iter().map(move |values| values[i]);
        row.iter().copied().chain(more)
    });
    table.values = rows.collect();
    table.columns += fields.len();
    let names = fields.iter().map(|field| field.name.clone());
    table.names.get_or_insert_default().extend(names);
    Ok(table)
}

/// A table read from a file, and the names of ignored content.
pub(crate) struct LoadedTable {
    pub table: Table,
    /// The fields of points that the table leaves out.
    pub fields: Vec<Field>,
    /// The names of the fields of the file, or of other content, that the table leaves out.
    pub unkept: Vec<String>,
}

/// Parses the content of a file as a table. `path` is used for error messages only.
pub(crate) fn table_from_bytes(
    path: &Path,
    bytes: &[u8],
    format: TableFormat,
) -> Result<LoadedTable> {
    let fault = |fault| Error::content(path, fault);
    let table = match format {
        TableFormat::Csv => parse_csv(bytes).map_err(fault)?,
        TableFormat::Npy => {
            let (array, has_others) = leading_array(bytes).map_err(fault)?;
            let others = has_others.then(|| "arrays after the first".to_owned());
            return Ok(LoadedTable {
                table: array.into_table().map_err(fault)?,
                fields: Vec::new(),
                unkept: others.into_iter().collect(),
            });
        }
        TableFormat::Vtp | TableFormat::Vtu => {
            let points = xml::points(bytes).map_err(fault)?;
            return point_table::table(points).map_err(|source| Error::shape(path, source));
        }
    };
    Ok(LoadedTable {
        table,
        fields: Vec::new(),
        unkept: Vec::new(),
    })
}

/// Parses the first array of an NPY file; also returns whether other arrays follow. Any other
/// content after the first array is a fault.
fn leading_array(bytes: &[u8]) -> std::result::Result<(Array, bool), Fault> {
    let (array, end) = first_npy(bytes)?;
    match &bytes[end..] {
        [] => Ok((array, false)),
        rest if is_npy(rest) => Ok((array, true)),
        // The error reports the content after the first array.
        _ => parse_npy(bytes).map(|array| (array, false)),
    }
}

/// Reads an array of any number of axes (`.npy`; the first if several were saved), or a table as an
/// array of 2 axes.
pub fn read_array(path: impl AsRef<Path>) -> Result<Array> {
    let path = path.as_ref();
    let (bytes, format) = file_bytes(path, TableFormat::of_path)?;
    if format == TableFormat::Npy {
        let read = leading_array(&bytes).map_err(|fault| Error::content(path, fault));
        return read.map(|(array, _)| array);
    }
    let table = table_from_bytes(path, &bytes, format)?.table;
    Ok(Array {
        shape: vec![table.len(), table.columns],
        values: table.values,
    })
}

/// Writes a table as text with commas (`.csv`, `.txt`, `.dat`) or tabs (`.tsv`), as an
/// array (`.npy`, without the names) or as points (`.vtp`, `.vtu`).
///
/// The text of a number is the shortest that reads back as the same number.
/// Points take the columns `x`, `y` and `z`; where `z` is missing they lie in the
/// plane z = 0, and the file is marked as planar. The other columns become fields on
/// the points. A table without names can be written as points if it has 3 columns, or
/// 4 of which the last is the radius.
pub fn write_table(path: impl AsRef<Path>, table: &Table) -> Result<()> {
    let path = path.as_ref();
    let format = TableFormat::of_path(path)?;
    table.check().map_err(|source| Error::shape(path, source))?;
    match format {
        TableFormat::Csv => {
            let separator = csv::separator_of(path);
            write_atomically(path, |out| csv::write(out, table, &[], separator))
        }
        TableFormat::Npy => {
            let shape = [table.len(), table.columns];
            write_npy(path, &shape, NpyData::F64(&table.values))
        }
        TableFormat::Vtp | TableFormat::Vtu => {
            let cloud = point_table::points(table).map_err(|source| Error::shape(path, source))?;
            write_points(path, format, cloud)
        }
    }
}

pub(crate) fn write_points(path: &Path, format: TableFormat, cloud: PointCloud) -> Result<()> {
    if format == TableFormat::Vtp {
        let mut data = PolyData::from_points(cloud.points);
        data.point_data = cloud.fields;
        data.planar = cloud.planar;
        vtk::write_vtp(path, &data)
    } else {
        let mut data = UnstructuredGrid::from_points(cloud.points);
        data.point_data = cloud.fields;
        data.planar = cloud.planar;
        vtk::write_vtu(path, &data)
    }
}

/// Writes an array in NPY format, regardless of the file extension.
pub fn write_npy(path: impl AsRef<Path>, shape: &[usize], data: NpyData) -> Result<()> {
    /// Maximum number of axes of an array that NumPy 2 can read.
    const AXES: usize = 64;
    let path = path.as_ref();
    let count = shape
        .iter()
        .try_fold(1_usize, |n, &axis| n.checked_mul(axis));
    if count != Some(data.len()) || shape.len() > AXES {
        let source = tangere::Error::argument(
            Argument::Shape,
            format!("{shape:?} for {} values", data.len()),
            format!("at most {AXES} axes with as many values"),
        );
        return Err(Error::shape(path, source));
    }
    write_atomically(path, |out| npy::write(out, shape, data))
}

/// Writes an array in NPY format whose values `content` writes one after another, so that they need
/// not be in memory together. `description` is their type as NumPy describes it: `'<f8'`, or a list
/// of fields. `content` must write exactly the bytes that the type and the shape require.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("squares.npy");
/// tangere_io::write_npy_through(&path, "'<u4'", &[3], |out| {
///     (0..3_u32).try_for_each(|i| out.write_all(&(i * i).to_le_bytes()))
/// })?;
/// assert_eq!(tangere_io::read_array(&path)?.values, [0.0, 1.0, 4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the description is longer than 60000 characters, or the file cannot be written.
pub fn write_npy_through(
    path: impl AsRef<Path>,
    description: &str,
    shape: &[usize],
    content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    // Version 1 of the format has a header of at most 65535 bytes.
    if description.len() > 60_000 {
        let found = format!("a description of {} characters", description.len());
        let source = tangere::Error::argument(Argument::Shape, found, "at most 60000");
        return Err(Error::shape(path, source));
    }
    write_atomically(path, |out| {
        npy::write_header(out, description, shape)?;
        content(out)
    })
}
