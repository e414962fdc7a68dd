//! VTK datasets: points, cells and fields on both.

use super::cell::CellKind;
use super::field::{Field, FieldValues};
use super::text::is_xml;
use crate::error::{Fault, Place};
use crate::polygons::lists;
use tangere::shape::{FaceMesh, Spheres, TriMesh};
use tangere::{Argument, Error, Result};

/// Cells of a VTK file, each a list of point indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// The point indices of all cells, one cell after another.
    pub indices: Vec<u32>,
    /// For each cell the end of its points in `indices`: one past its last point.
    pub ends: Vec<usize>,
}

impl Cells {
    /// Returns cells that all have `N` points.
    pub fn uniform<const N: usize>(cells: &[[u32; N]]) -> Self {
        Cells {
            indices: cells.as_flattened().to_vec(),
            ends: (1..=cells.len()).map(|i| i * N).collect(),
        }
    }

    /// Returns one vertex cell for each of `count` points.
    fn each_point(count: usize) -> Self {
        Cells {
            indices: (0..=u32::MAX).take(count).collect(),
            ends: (1..=count).collect(),
        }
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the point indices of each cell.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        lists(&self.indices, &self.ends)
    }

    /// Checks that all cells lie in `indices` one after another, with at least
    /// `least` points each, and that all indices are below `points`.
    fn check(&self, what: Argument, points: usize, least: usize) -> Result<()> {
        let mut start = 0;
        for (i, &end) in self.ends.iter().enumerate() {
            if end < start || end - start < least {
                return Err(Error::item(
                    what,
                    i,
                    format!("its points end at {end}, those of the one before at {start}"),
                    format!("at least {least} points"),
                ));
            }
            start = end;
        }
        if start != self.indices.len() {
            return Err(Error::argument(
                what,
                format!("{} point indices", self.indices.len()),
                format!("{start}, where the last cell ends"),
            ));
        }
        if let Some(k) = self.indices.iter().position(|&p| p as usize >= points) {
            return Err(Error::item(
                what,
                self.ends.partition_point(|&end| end <= k),
                format!("point {}", self.indices[k]),
                format!("an index below {points}, the number of points"),
            ));
        }
        Ok(())
    }
}

/// Points, and vertex, line and polygon cells on them: the content of a VTP file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolyData {
    /// The points.
    pub points: Vec<[f64; 3]>,
    /// Vertex cells; viewers show only points that have one.
    pub verts: Cells,
    /// Polylines: chains of segments.
    pub lines: Cells,
    /// Polygons.
    pub polys: Cells,
    /// Fields with a value for each point.
    pub point_data: Vec<Field>,
    /// Fields with a value for each cell: first all verts, then lines, then polys.
    pub cell_data: Vec<Field>,
    /// Fields of the file as a whole, of any length.
    pub field_data: Vec<Field>,
    /// Whether all points lie in the plane z = 0, as for discs; the file then has
    /// the field data `dimension` = 2.
    pub planar: bool,
}

impl PolyData {
    /// Returns points, each with a vertex cell, which makes it visible in viewers.
    pub fn from_points(points: Vec<[f64; 3]>) -> Self {
        PolyData {
            verts: Cells::each_point(points.len()),
            points,
            ..Self::default()
        }
    }

    /// Adds a field of the file as a whole.
    #[must_use]
    pub fn with_field_data(mut self, field: Field) -> Self {
        self.field_data.push(field);
        self
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.verts.len() + self.lines.len() + self.polys.len()
    }

    /// Checks that cells use existing points and that fields have the right length.
    /// Writers refuse other data.
    pub fn check(&self) -> Result<()> {
        self.verts
            .check(Argument::Other("vertex cell"), self.points.len(), 1)?;
        self.lines
            .check(Argument::Other("line"), self.points.len(), 2)?;
        self.polys
            .check(Argument::Other("polygon"), self.points.len(), 3)?;
        check_fields(
            Argument::Other("point field"),
            &self.point_data,
            self.points.len(),
        )?;
        check_fields(Argument::Other("cell field"), &self.cell_data, self.cells())?;
        check_names(Argument::Other("field"), &self.field_data)
    }
}

/// Defines for each given type the builder methods that add fields.
macro_rules! with_fields {
    ($($data:ident),+) => {
        $(impl $data {
            /// Adds a field with a value for each point.
            #[must_use]
            pub fn with_point_data(mut self, field: Field) -> Self {
                self.point_data.push(field);
                self
            }

            /// Adds a field with a value for each cell.
            #[must_use]
            pub fn with_cell_data(mut self, field: Field) -> Self {
                self.cell_data.push(field);
                self
            }
        })+
    };
}

with_fields!(PolyData, UnstructuredGrid);

impl From<&TriMesh> for PolyData {
    fn from(mesh: &TriMesh) -> Self {
        PolyData {
            points: mesh.vertices().to_vec(),
            polys: Cells::uniform(mesh.faces()),
            ..Self::default()
        }
    }
}

impl<const D: usize> From<&Spheres<D>> for PolyData {
    /// Returns the centres as points, with the field `radius`. Discs lie in the plane z = 0.
    fn from(spheres: &Spheres<D>) -> Self {
        let centers = PolyData::from_points(in_space(spheres.centers()));
        PolyData {
            planar: D < 3,
            ..centers.with_point_data(Field::scalar("radius", spheres.radii().to_vec()))
        }
    }
}

/// Points with cells of any kind: the content of a VTU file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnstructuredGrid {
    /// The points.
    pub points: Vec<[f64; 3]>,
    /// The cells.
    pub cells: Cells,
    /// The kind of each cell.
    pub kinds: Vec<CellKind>,
    /// Fields with a value for each point.
    pub point_data: Vec<Field>,
    /// Fields with a value for each cell.
    pub cell_data: Vec<Field>,
    /// Whether all points lie in the plane z = 0, as for discs; the file then has
    /// the field data `dimension` = 2.
    pub planar: bool,
}

impl UnstructuredGrid {
    /// Returns points, each with a vertex cell, which makes it visible in viewers.
    pub fn from_points(points: Vec<[f64; 3]>) -> Self {
        UnstructuredGrid {
            cells: Cells::each_point(points.len()),
            kinds: vec![CellKind::Vertex; points.len()],
            points,
            ..Self::default()
        }
    }

    /// Returns a grid with these points and cells. All cells have `N` points and the same kind.
    pub fn uniform<const N: usize>(
        points: Vec<[f64; 3]>,
        cells: &[[u32; N]],
        kind: CellKind,
    ) -> Self {
        UnstructuredGrid {
            points,
            cells: Cells::uniform(cells),
            kinds: vec![kind; cells.len()],
            ..Self::default()
        }
    }

    /// Checks that cells use existing points in the number that their kind requires,
    /// and that fields have the right length. Writers refuse other data.
    pub fn check(&self) -> Result<()> {
        self.cells
            .check(Argument::Other("cell"), self.points.len(), 0)?;
        if self.kinds.len() != self.cells.len() {
            return Err(Error::argument(
                Argument::Other("kinds"),
                format!("{} kinds", self.kinds.len()),
                format!("{}, one for each cell", self.cells.len()),
            ));
        }
        for (i, (cell, kind)) in self.cells.iter().zip(&self.kinds).enumerate() {
            if *kind == CellKind::Polyhedron {
                return Err(Error::item(
                    Argument::Other("cell"),
                    i,
                    "a polyhedron",
                    "a cell defined by its points alone (a polyhedron needs a list of faces)",
                ));
            }
            if let Some(count) = kind.vertices()
                && cell.len() != count
            {
                return Err(Error::item(
                    Argument::Other("cell"),
                    i,
                    format!("{} points", cell.len()),
                    format!("{count}, as a {} has", kind.name()),
                ));
            }
        }
        check_fields(
            Argument::Other("point field"),
            &self.point_data,
            self.points.len(),
        )?;
        check_fields(
            Argument::Other("cell field"),
            &self.cell_data,
            self.cells.len(),
        )
    }
}

impl From<&TriMesh> for UnstructuredGrid {
    fn from(mesh: &TriMesh) -> Self {
        Self::uniform(mesh.vertices().to_vec(), mesh.faces(), CellKind::Triangle)
    }
}

impl From<&FaceMesh> for UnstructuredGrid {
    /// Returns a cell for each face; quadratic faces stay quadratic.
    fn from(mesh: &FaceMesh) -> Self {
        let kind = |kind: &tangere::shape::FaceKind| {
            // Every face kind is a cell kind.
            CellKind::from_code(kind.vtk_code()).unwrap_or(CellKind::Empty)
        };
        UnstructuredGrid {
            points: mesh.nodes().to_vec(),
            cells: Cells {
                indices: mesh.indices().to_vec(),
                ends: mesh.starts()[1..].iter().map(|&end| end as usize).collect(),
            },
            kinds: mesh.kinds().iter().map(kind).collect(),
            ..Self::default()
        }
    }
}

impl<const D: usize> From<&Spheres<D>> for UnstructuredGrid {
    /// Returns the centres as points, with the field `radius`. Discs lie in the plane z = 0.
    fn from(spheres: &Spheres<D>) -> Self {
        let centers = UnstructuredGrid::from_points(in_space(spheres.centers()));
        UnstructuredGrid {
            planar: D < 3,
            ..centers.with_point_data(Field::scalar("radius", spheres.radii().to_vec()))
        }
    }
}

/// Points read from a VTK file, and the fields on them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointCloud {
    /// The points.
    pub points: Vec<[f64; 3]>,
    /// Fields with a value for each point.
    pub fields: Vec<Field>,
    /// Whether the field data `dimension` is 2 and all points have z = 0.
    pub planar: bool,
}

impl PointCloud {
    /// Returns the field with this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns one number for each point, from the field with this name, such as `radius`.
    pub fn scalars(&self, name: &str) -> Result<Vec<f64>> {
        let Some(field) = self.field(name) else {
            let names: Vec<_> = self.fields.iter().map(|f| f.name.as_str()).collect();
            return Err(Error::argument(
                Argument::Other("point field"),
                format!("the names {names:?}"),
                format!("one named {name:?}"),
            ));
        };
        if field.components != 1 {
            return Err(Error::argument(
                Argument::Other("point field"),
                format!("{:?} with {} components", name, field.components),
                "1 component",
            ));
        }
        Ok(field.values.to_f64().into_owned())
    }
}

/// Appends points of three numbers each, which must be finite.
pub(super) fn append_points(
    values: &FieldValues,
    all: &mut Vec<[f64; 3]>,
) -> std::result::Result<(), Fault> {
    let before = all.len();
    all.extend_from_slice(values.to_f64().as_chunks::<3>().0);
    let finite = |p: &[f64; 3]| p.iter().all(|x| x.is_finite());
    match all[before..].iter().position(|p| !finite(p)) {
        None => Ok(()),
        Some(i) => Err(Fault::new(
            Place::Item("point", before + i),
            format!("{:?}", all[before + i]),
            "finite coordinates",
        )),
    }
}

/// Returns points in space; points of the plane get z = 0.
fn in_space<const D: usize>(points: &[[f64; D]]) -> Vec<[f64; 3]> {
    points
        .iter()
        .map(|p| std::array::from_fn(|k| p.get(k).copied().unwrap_or(0.0)))
        .collect()
}

pub(super) fn check_fields(what: Argument, fields: &[Field], items: usize) -> Result<()> {
    check_names(what, fields)?;
    for (i, field) in fields.iter().enumerate() {
        if Some(field.values.len()) != field.components.checked_mul(items) {
            return Err(Error::item(
                what,
                i,
                format!("{:?} with {} values", field.name, field.values.len()),
                format!("{} × {items}", field.components),
            ));
        }
    }
    Ok(())
}

/// Checks that field names are valid and unique, and that the number of values of each field is a
/// multiple of its components.
fn check_names(what: Argument, fields: &[Field]) -> Result<()> {
    for (i, field) in fields.iter().enumerate() {
        let bad = |found: String, expected: &str| Err(Error::item(what, i, found, expected));
        if field.name.is_empty() || field.name.chars().any(|c| !is_xml(c)) {
            return bad(
                format!("the name {:?}", field.name),
                "a name of at least one character, without control characters",
            );
        }
        if fields[..i].iter().any(|other| other.name == field.name) {
            return bad(
                format!("the name {:?} again", field.name),
                "names that differ",
            );
        }
        if field.components == 0 {
            return bad(format!("{:?} with 0 components", field.name), "at least 1");
        }
        if !field.values.len().is_multiple_of(field.components) {
            return bad(
                format!("{:?} with {} values", field.name, field.values.len()),
                "a multiple of its components",
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> PolyData {
        PolyData {
            points: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
            polys: Cells::uniform(&[[0, 1, 2, 3]]),
            ..PolyData::default()
        }
    }

    fn refusal(data: &PolyData) -> String {
        data.check().unwrap_err().to_string()
    }

    #[test]
    fn wrong_cells_are_refused() {
        assert_eq!(square().check(), Ok(()));
        let mut data = square();
        data.polys.indices[2] = 4;
        assert!(refusal(&data).contains("polygon 0: found point 4, expected an index below 4"));
        let mut data = square();
        data.polys.ends = vec![2, 4];
        assert!(refusal(&data).contains("polygon 0"));
        let mut data = square();
        data.polys.ends = vec![3];
        assert!(refusal(&data).contains("4 point indices"));
        let mut data = square();
        data.polys.ends = vec![4, 3];
        assert!(refusal(&data).contains("polygon 1"));
    }

    #[test]
    fn wrong_fields_are_refused() {
        let add = |field| refusal(&square().with_point_data(field));
        assert!(add(Field::scalar("a", vec![1.0; 3])).contains("1 × 4"));
        assert!(add(Field::scalar("", vec![1.0; 4])).contains("name"));
        assert!(add(Field::scalar("a\0", vec![1.0; 4])).contains("name"));
        let mut twice = square().with_cell_data(Field::scalar("a", vec![1_i32]));
        assert_eq!(twice.check(), Ok(()));
        twice.cell_data.push(Field::scalar("a", vec![2_u8]));
        assert!(refusal(&twice).contains("again"));
        let mut none = Field::scalar("a", Vec::<f64>::new());
        none.components = 0;
        assert!(add(none).contains("0 components"));
    }

    #[test]
    fn wrong_grids_are_refused() {
        let points = square().points;
        let grid = UnstructuredGrid::uniform(points, &[[0, 1, 2, 3]], CellKind::Tetra);
        assert_eq!(grid.check(), Ok(()));
        let mut wrong = grid.clone();
        wrong.kinds[0] = CellKind::Triangle;
        let text = wrong.check().unwrap_err().to_string();
        assert!(
            text.contains("cell 0: found 4 points, expected 3, as a triangle has"),
            "{text}"
        );
        let mut wrong = grid;
        wrong.kinds.clear();
        assert!(wrong.check().is_err());
    }

    #[test]
    fn discs_lie_in_a_plane() {
        let discs = Spheres::new(vec![[1.0, 2.0]], vec![0.5]).unwrap();
        let data = PolyData::from(&discs);
        assert_eq!(data.points, [[1.0, 2.0, 0.0]]);
        assert_eq!(data.point_data[0].values, FieldValues::F64(vec![0.5]));
        assert_eq!(data.verts, Cells::uniform(&[[0]]));
        assert_eq!(data.check(), Ok(()));
    }
}
