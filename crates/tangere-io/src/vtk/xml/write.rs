//! Writer of VTK XML files with raw appended data, little-endian. Cost: one pass over the numbers.
//! Sizes are known in advance, so that the writer neither buffers nor seeks.

use super::super::dataset::{Cells, PolyData, UnstructuredGrid};
use super::super::field::{Field, FieldValues, write_all_as};
use super::super::image::ImageData;
use super::super::text::escaped;
use std::fmt::Write as _;
use std::io::{Error, ErrorKind, Result, Write};

/// Writes a VTP file. Invalid data (see [`PolyData::check`]) is
/// [`InvalidInput`](ErrorKind::InvalidInput), before anything is written.
pub fn write_vtp(data: &PolyData, sink: &mut dyn Write) -> Result<()> {
    data.check().map_err(invalid)?;
    let mut file = File::new("PolyData", "", data.planar, &data.field_data);
    let _ = writeln!(
        file.text,
        "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
        data.points.len(),
        data.verts.len(),
        data.lines.len(),
        data.polys.len()
    );
    file.fields("PointData", &data.point_data);
    file.fields("CellData", &data.cell_data);
    file.points(&data.points);
    for (element, cells) in [
        ("Verts", &data.verts),
        ("Lines", &data.lines),
        ("Polys", &data.polys),
    ] {
        file.open(element);
        file.cells(cells);
        file.close(element);
    }
    file.write(sink)
}

/// Writes a VTU file. Invalid data (see [`UnstructuredGrid::check`]) is
/// [`InvalidInput`](ErrorKind::InvalidInput), before anything is written.
pub fn write_vtu(data: &UnstructuredGrid, sink: &mut dyn Write) -> Result<()> {
    data.check().map_err(invalid)?;
    let mut file = File::new("UnstructuredGrid", "", data.planar, &[]);
    let _ = writeln!(
        file.text,
        "    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">",
        data.points.len(),
        data.cells.len()
    );
    file.fields("PointData", &data.point_data);
    file.fields("CellData", &data.cell_data);
    file.points(&data.points);
    file.open("Cells");
    file.cells(&data.cells);
    let kinds = FieldValues::U8(data.kinds.iter().map(|&kind| kind as u8).collect());
    file.array("types", 1, Numbers::Kinds(kinds));
    file.close("Cells");
    file.write(sink)
}

/// Writes a VTI file. Invalid data (see [`ImageData::check`]) is
/// [`InvalidInput`](ErrorKind::InvalidInput), before anything is written.
pub fn write_vti(data: &ImageData, sink: &mut dyn Write) -> Result<()> {
    data.check().map_err(invalid)?;
    let [x, y, z] = data.cells;
    let extent = format!("0 {x} 0 {y} 0 {z}");
    // The shortest text that reads back as the same number.
    let numbers = |[x, y, z]: [f64; 3]| format!("{x:?} {y:?} {z:?}");
    let attributes = format!(
        " WholeExtent=\"{extent}\" Origin=\"{}\" Spacing=\"{}\"",
        numbers(data.origin),
        numbers(data.spacing)
    );
    let mut file = File::new("ImageData", &attributes, false, &[]);
    let _ = writeln!(file.text, "    <Piece Extent=\"{extent}\">");
    file.fields("PointData", &data.point_data);
    file.fields("CellData", &data.cell_data);
    file.write(sink)
}

fn invalid(error: tangere::Error) -> Error {
    Error::new(ErrorKind::InvalidInput, error)
}

/// Numbers of an appended array.
enum Numbers<'a> {
    Points(&'a [[f64; 3]]),
    Values(&'a FieldValues),
    Kinds(FieldValues),
    /// Indices, written as signed integers, which all readers support: 64 bits if the flag is set,
    /// else 32. `Ends` are written in the same way.
    Indices(&'a [u32], bool),
    Ends(&'a [usize], bool),
}

impl Numbers<'_> {
    fn type_name(&self) -> &'static str {
        match self {
            Numbers::Points(_) => "Float64",
            Numbers::Values(values) => values.kind().name(),
            Numbers::Kinds(values) => values.kind().name(),
            Numbers::Indices(_, wide) | Numbers::Ends(_, wide) => {
                if *wide {
                    "Int64"
                } else {
                    "Int32"
                }
            }
        }
    }

    fn size(&self) -> u64 {
        let size = match self {
            Numbers::Points(points) => size_of_val(*points),
            Numbers::Values(values) => values.len() * values.kind().size(),
            Numbers::Kinds(values) => values.len() * values.kind().size(),
            Numbers::Indices(items, wide) => items.len() * if *wide { 8 } else { 4 },
            Numbers::Ends(items, wide) => items.len() * if *wide { 8 } else { 4 },
        };
        size as u64
    }

    fn write(&self, sink: &mut dyn Write) -> Result<()> {
        match self {
            Numbers::Points(points) => {
                write_all_as(points.as_flattened(), sink, |x| x.to_le_bytes())
            }
            Numbers::Values(values) => values.write(sink),
            Numbers::Kinds(values) => values.write(sink),
            Numbers::Indices(items, true) => {
                write_all_as(items, sink, |i| u64::from(i).to_le_bytes())
            }
            Numbers::Indices(items, false) => write_all_as(items, sink, |i| i.to_le_bytes()),
            Numbers::Ends(items, true) => write_all_as(items, sink, |i| (i as u64).to_le_bytes()),
            Numbers::Ends(items, false) => write_all_as(items, sink, |i| (i as u32).to_le_bytes()),
        }
    }
}

/// A VTK XML file under construction: its XML, cut where the offsets of arrays go, and the arrays.
struct File<'a> {
    kind: &'static str,
    /// The XML after the offset of the last array added.
    text: String,
    /// The arrays: the XML between the offset of the array before and that of this one, and the
    /// numbers of this one.
    arrays: Vec<(String, Numbers<'a>)>,
}

impl<'a> File<'a> {
    fn new(kind: &'static str, attributes: &str, planar: bool, field_data: &'a [Field]) -> Self {
        let text = format!(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n  <{kind}{attributes}>\n"
        );
        let mut file = File {
            kind,
            text,
            arrays: Vec::new(),
        };
        if planar || !field_data.is_empty() {
            file.text.push_str("    <FieldData>\n");
            if planar {
                file.text.push_str(
                    "      <DataArray type=\"Int32\" Name=\"dimension\" \
                     NumberOfTuples=\"1\" format=\"ascii\">2</DataArray>\n",
                );
            }
            for field in field_data {
                let rows = field.values.len() / field.components;
                let numbers = Numbers::Values(&field.values);
                file.array_of(&field.name, field.components, Some(rows), numbers);
            }
            file.text.push_str("    </FieldData>\n");
        }
        file
    }

    fn open(&mut self, element: &str) {
        let _ = writeln!(self.text, "      <{element}>");
    }

    fn close(&mut self, element: &str) {
        let _ = writeln!(self.text, "      </{element}>");
    }

    fn array(&mut self, name: &str, components: usize, numbers: Numbers<'a>) {
        self.array_of(name, components, None, numbers);
    }

    /// Adds an array; `rows` is its number of tuples if the numbers of points and cells do not
    /// determine it.
    fn array_of(
        &mut self,
        name: &str,
        components: usize,
        rows: Option<usize>,
        numbers: Numbers<'a>,
    ) {
        let _ = write!(
            self.text,
            "        <DataArray type=\"{}\" Name=\"{}\"",
            numbers.type_name(),
            escaped(name),
        );
        // The attribute is left out for arrays of one component, as VTK does; meshio would read
        // each number as a row of one.
        if components > 1 {
            let _ = write!(self.text, " NumberOfComponents=\"{components}\"");
        }
        if let Some(rows) = rows {
            let _ = write!(self.text, " NumberOfTuples=\"{rows}\"");
        }
        self.text.push_str(" format=\"appended\" offset=\"");
        let before = std::mem::replace(&mut self.text, "\"/>\n".to_owned());
        self.arrays.push((before, numbers));
    }

    fn points(&mut self, points: &'a [[f64; 3]]) {
        self.open("Points");
        self.array("Points", 3, Numbers::Points(points));
        self.close("Points");
    }

    fn cells(&mut self, cells: &'a Cells) {
        const LAST: usize = i32::MAX as usize;
        let wide = cells.indices.len() > LAST
            || cells
                .indices
                .iter()
                .max()
                .is_some_and(|&i| i as usize > LAST);
        self.array("connectivity", 1, Numbers::Indices(&cells.indices, wide));
        self.array("offsets", 1, Numbers::Ends(&cells.ends, wide));
    }

    /// Adds fields, and marks the first scalar and the first vector field as active, which viewers
    /// show by default.
    fn fields(&mut self, element: &str, fields: &'a [Field]) {
        let _ = write!(self.text, "      <{element}");
        for (role, components) in [("Scalars", 1), ("Vectors", 3)] {
            if let Some(field) = fields.iter().find(|f| f.components == components) {
                let _ = write!(self.text, " {role}=\"{}\"", escaped(&field.name));
            }
        }
        self.text.push_str(">\n");
        for field in fields {
            self.array(
                &field.name,
                field.components,
                Numbers::Values(&field.values),
            );
        }
        self.close(element);
    }

    /// Writes the file, with the appended arrays in the reverse order of their XML elements.
    ///
    /// The reverse order works around meshio, which goes through the arrays in increasing order of
    /// their offsets. For each array it takes the first element in the file with that offset, and
    /// then gives the element a larger offset. The larger offset may be that of an array still to
    /// come, so that two elements have it. In the reverse order the right one comes first.
    fn write(self, sink: &mut dyn Write) -> Result<()> {
        let mut offset: u64 = self.arrays.iter().map(|(_, n)| 8 + n.size()).sum();
        for (text, numbers) in &self.arrays {
            offset -= 8 + numbers.size();
            write!(sink, "{text}{offset}")?;
        }
        write!(
            sink,
            "{}    </Piece>\n  </{}>\n  <AppendedData encoding=\"raw\">\n_",
            self.text, self.kind
        )?;
        for (_, numbers) in self.arrays.iter().rev() {
            sink.write_all(&numbers.size().to_le_bytes())?;
            numbers.write(sink)?;
        }
        sink.write_all(b"\n  </AppendedData>\n</VTKFile>\n")
    }
}
