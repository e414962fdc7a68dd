//! Reader of the pieces of VTP and VTU files.

use super::super::cell::{Grid, add_cell, add_strip, at_least_three};
use super::super::dataset::{Cells, PointCloud, append_points};
use super::super::field::{Field, FieldValues};
use super::array::Storage;
use super::source::{Source, child, children, count, place_of};
use crate::error::{Fault, Place};
use crate::polygons::Polygons;
use crate::text::quoted;
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// Returns the surface of a VTP or VTU file: the boundary of its volume cells if there are any,
/// else its surface cells. Triangle strips become triangles; vertices and lines are left out.
pub fn polygons(bytes: &[u8]) -> Result<Polygons, Fault> {
    grid(bytes)?.into_polygons()
}

/// Returns the cells of a VTP or VTU file.
pub(crate) fn grid(bytes: &[u8]) -> Result<Grid, Fault> {
    let mut grid = Grid::default();
    let mut seen = HashSet::new();
    each_piece(bytes, |piece| {
        let surface = &mut grid.surface;
        let base = piece.append_points(&mut surface.vertices)?;
        for data in ["PointData", "CellData"] {
            let arrays = child(piece.node, data).into_iter();
            for array in arrays.flat_map(|data| children(data, "DataArray")) {
                let name = array.attribute("Name").unwrap_or_default();
                if seen.insert(name.to_owned()) {
                    surface.unkept.push(name.to_owned());
                }
            }
        }
        if piece.kind == Kind::PolyData {
            piece.add_polys(surface, base)?;
            piece.add_strips(surface, base)
        } else {
            piece.add_grid(&mut grid, base)
        }
    })?;
    Ok(grid)
}

/// Returns the points of a VTP or VTU file, with the fields on them. Fields of text or bits are
/// left out.
pub fn points(bytes: &[u8]) -> Result<PointCloud, Fault> {
    let mut cloud = PointCloud::default();
    each_piece(bytes, |piece| {
        cloud.planar = piece.dimension == Some(2);
        let before = cloud.points.len();
        piece.append_points(&mut cloud.points)?;
        if piece.points > 0 {
            piece.append_fields(&mut cloud.fields, before)?;
        }
        Ok(())
    })?;
    // Other programs may use the name `dimension` for something else.
    cloud.planar &= cloud.points.iter().all(|point| point[2] == 0.0);
    Ok(cloud)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    PolyData,
    Grid,
}

/// A `Piece` element of a VTK XML file, with `storage`, which decodes the arrays of the file.
struct Piece<'p, 'a, 'i, 's> {
    node: Node<'p, 'i>,
    kind: Kind,
    /// The number of points that the piece claims to have.
    points: usize,
    /// The field data `dimension` of the file (2 for discs), if it is a single number.
    dimension: Option<usize>,
    input: &'i str,
    storage: &'s mut Storage<'a>,
}

/// Returns the field data array `name` of a VTP or VTU file: values of the file as a whole, not of
/// its points or cells. `None` if there is none.
pub(crate) fn field_data(bytes: &[u8], name: &str) -> Result<Option<FieldValues>, Fault> {
    let mut found = None;
    each_dataset(bytes, |dataset, _, input, storage| {
        let Some(array) = field_array(dataset, name) else {
            return Ok(());
        };
        let components = count(array, "NumberOfComponents")?.unwrap_or(1);
        let Some(rows) = count(array, "NumberOfTuples")? else {
            return Err(missing(array, "NumberOfTuples"));
        };
        let Some(numbers) = rows.checked_mul(components) else {
            return Err(Fault::new(
                place_of(array),
                format!("{rows} × {components} numbers"),
                "fewer",
            ));
        };
        found = Some(storage.values(input, array, numbers)?);
        Ok(())
    })?;
    Ok(found)
}

/// Returns the `DataArray` element of this name in the field data of a dataset.
fn field_array<'p, 'i>(dataset: Node<'p, 'i>, name: &str) -> Option<Node<'p, 'i>> {
    let data = child(dataset, "FieldData")?;
    let mut arrays = children(data, "DataArray");
    arrays.find(|array| array.attribute("Name") == Some(name))
}

fn each_piece(
    bytes: &[u8],
    mut read: impl FnMut(&mut Piece) -> Result<(), Fault>,
) -> Result<(), Fault> {
    each_dataset(bytes, |dataset, kind, input, storage| {
        let dimension = field_array(dataset, "dimension")
            // Field data that is not a single number was not written by this library.
            .and_then(|array| storage.values(input, array, 1).ok())
            .and_then(|values| values.sizes().ok()?.first().copied());
        for node in children(dataset, "Piece") {
            let Some(points) = count(node, "NumberOfPoints")? else {
                return Err(missing(node, "NumberOfPoints"));
            };
            read(&mut Piece {
                node,
                kind,
                points,
                dimension,
                input,
                storage,
            })?;
        }
        Ok(())
    })
}

/// Calls `read` with the dataset element of a file, its kind, the XML, and the decoder of its
/// arrays.
fn each_dataset(
    bytes: &[u8],
    read: impl FnOnce(Node, Kind, &str, &mut Storage) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let source = Source::new(bytes)?;
    let document = source.document()?;
    let root = document.root_element();
    if root.tag_name().name() != "VTKFile" {
        return Err(Fault::new(
            place_of(root),
            format!("the element {}", quoted(root.tag_name().name().as_bytes())),
            "VTKFile",
        ));
    }
    let name = root.attribute("type").unwrap_or_default();
    let kind = match name {
        "PolyData" => Kind::PolyData,
        "UnstructuredGrid" => Kind::Grid,
        other => {
            return Err(Fault::new(
                place_of(root),
                format!("a file of type {}", quoted(other.as_bytes())),
                "PolyData or UnstructuredGrid",
            ));
        }
    };
    let Some(dataset) = child(root, name) else {
        return Err(Fault::new(
            place_of(root),
            format!("no element {name}"),
            "one, as the type of the file says",
        ));
    };
    let mut storage = Storage::new(bytes, root, source.appended)?;
    read(dataset, kind, &source.head, &mut storage)
}

fn missing(node: Node, attribute: &str) -> Fault {
    Fault::new(
        place_of(node),
        format!("no attribute {attribute}"),
        "a whole number",
    )
}

impl<'p, 'i> Piece<'p, '_, 'i, '_> {
    /// Appends the points of this piece to `all`; returns the number of points that `all` had
    /// before.
    fn append_points(&mut self, all: &mut Vec<[f64; 3]>) -> Result<u32, Fault> {
        let (Ok(base), Ok(_)) = (
            u32::try_from(all.len()),
            u32::try_from(all.len().saturating_add(self.points)),
        ) else {
            return Err(Fault::new(
                place_of(self.node),
                format!("{} points after {}", self.points, all.len()),
                format!("at most {} in all", u32::MAX),
            ));
        };
        if self.points == 0 {
            return Ok(base);
        }
        let Some(array) = child(self.node, "Points").and_then(|points| child(points, "DataArray"))
        else {
            return Err(Fault::new(
                place_of(self.node),
                format!("{} points without an array", self.points),
                "Points with a DataArray",
            ));
        };
        let components = count(array, "NumberOfComponents")?;
        if components != Some(3) {
            return Err(Fault::new(
                place_of(array),
                match components {
                    Some(n) => format!("points with {n} components"),
                    None => "points without NumberOfComponents".to_owned(),
                },
                "3",
            ));
        }
        let values = self.values(array, self.points, 3)?;
        append_points(&values, all)?;
        Ok(base)
    }

    /// Appends the values of the point fields of this piece to `all`, the fields of the pieces
    /// before. `before` is the number of points of those pieces. Unless it is 0, the fields must
    /// have the same names, components and types as those in `all`.
    fn append_fields(&mut self, all: &mut Vec<Field>, before: usize) -> Result<(), Fault> {
        let mut fields = Vec::new();
        let mut named = HashMap::new();
        if let Some(data) = child(self.node, "PointData") {
            for array in children(data, "DataArray") {
                if matches!(array.attribute("type"), Some("String" | "Bit")) {
                    continue;
                }
                let name = array.attribute("Name").unwrap_or_default();
                if let Some(first) = named.insert(name, array).filter(|_| !name.is_empty()) {
                    return Err(Fault::new(
                        place_of(array),
                        format!("the array {name:?} again, after {}", place_of(first)),
                        "a name of its own for each array",
                    ));
                }
                let components = count(array, "NumberOfComponents")?.unwrap_or(1);
                if components == 0 {
                    return Err(Fault::new(
                        place_of(array),
                        "an array of 0 components",
                        "at least 1",
                    ));
                }
                fields.push(Field {
                    name: name.to_owned(),
                    components,
                    values: self.values(array, self.points, components)?,
                });
            }
        }
        if before == 0 {
            *all = fields;
            return Ok(());
        }
        let described = |fields: &[Field]| {
            let each = |f: &Field| (f.name.clone(), f.components, f.values.kind().name());
            fields.iter().map(each).collect::<Vec<_>>()
        };
        if described(all) != described(&fields) {
            return Err(Fault::new(
                place_of(self.node),
                format!("point data {:?}", described(&fields)),
                format!("those of the piece before, {:?}", described(all)),
            ));
        }
        for (field, more) in all.iter_mut().zip(fields) {
            // The types were compared above.
            let _ = field.values.append(more.values);
        }
        Ok(())
    }

    fn add_polys(&mut self, surface: &mut Polygons, base: u32) -> Result<(), Fault> {
        let Some((polys, _)) = self.cells("Polys", "NumberOfPolys", "polygon", base)? else {
            return Ok(());
        };
        let before = surface.indices.len();
        let mut start = 0;
        for (i, &end) in polys.ends.iter().enumerate() {
            at_least_three("polygon", i, end - start)?;
            start = end;
        }
        if before == 0 {
            surface.indices = polys.indices;
            surface.ends = polys.ends;
        } else {
            surface.indices.extend(polys.indices);
            surface
                .ends
                .extend(polys.ends.iter().map(|end| before + end));
        }
        Ok(())
    }

    fn add_strips(&mut self, surface: &mut Polygons, base: u32) -> Result<(), Fault> {
        const WHAT: &str = "triangle strip";
        if let Some((strips, _)) = self.cells("Strips", "NumberOfStrips", WHAT, base)? {
            for (i, strip) in strips.iter().enumerate() {
                add_strip(surface, WHAT, i, strip)?;
            }
        }
        Ok(())
    }

    fn add_grid(&mut self, grid: &mut Grid, base: u32) -> Result<(), Fault> {
        let Some((cells, node)) = self.cells("Cells", "NumberOfCells", "cell", base)? else {
            return Ok(());
        };
        let kinds = self.named(node, "types", cells.len())?;
        let codes = kinds.sizes().map_err(|i| {
            Fault::new(
                Place::Item("cell", i),
                format!("the type {}", kinds.shown(i)),
                "the code of a VTK cell type",
            )
        })?;
        for (i, (cell, code)) in cells.iter().zip(codes).enumerate() {
            add_cell(grid, i, code as u64, cell)?;
        }
        Ok(())
    }

    /// Returns the cells that the child `element` of this piece contains, such as `Polys`, and that
    /// child. `base` is added to the point indices of the cells. `None` if there are no cells.
    fn cells(
        &mut self,
        element: &str,
        attribute: &str,
        what: &'static str,
        base: u32,
    ) -> Result<Option<(Cells, Node<'p, 'i>)>, Fault> {
        let node = child(self.node, element);
        let number = count(self.node, attribute)?;
        let (node, number) = match (node, number) {
            (None, None) | (_, Some(0)) => return Ok(None),
            (Some(_), None) => return Err(missing(self.node, attribute)),
            (None, Some(number)) => {
                return Err(Fault::new(
                    place_of(self.node),
                    format!("{attribute} = {number} without {element}"),
                    format!("an element {element}"),
                ));
            }
            (Some(node), Some(number)) => (node, number),
        };
        let offsets = self.named(node, "offsets", number)?;
        let ends = offsets.sizes().map_err(|i| {
            Fault::new(
                Place::Item(what, i),
                format!("the offset {}", offsets.shown(i)),
                "a whole number that is not negative",
            )
        })?;
        if let Some(i) = ends.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(Fault::new(
                Place::Item(what, i + 1),
                format!("the offset {} after {}", ends[i + 1], ends[i]),
                "non-decreasing offsets",
            ));
        }
        let length = ends.last().copied().unwrap_or(0);
        let connectivity = self.named(node, "connectivity", length)?;
        // append_points has checked that the number of points fits into u32.
        let limit = u32::try_from(self.points).unwrap_or(u32::MAX);
        let indices = connectivity.indices(base, limit).map_err(|k| {
            Fault::new(
                Place::Item(what, ends.partition_point(|&end| end <= k)),
                format!("the point {}", connectivity.shown(k)),
                format!("an index below {limit}, the number of points"),
            )
        })?;
        Ok(Some((Cells { indices, ends }, node)))
    }

    /// Reads the array of this name among the children of `node`; it must have `count` numbers.
    fn named(&mut self, node: Node, name: &str, count: usize) -> Result<FieldValues, Fault> {
        let mut arrays = children(node, "DataArray");
        match arrays.find(|array| array.attribute("Name") == Some(name)) {
            Some(array) => self.values(array, count, 1),
            None => Err(Fault::new(
                place_of(node),
                format!("no array {name:?}"),
                "a DataArray of that name",
            )),
        }
    }

    fn values(
        &mut self,
        array: Node,
        items: usize,
        components: usize,
    ) -> Result<FieldValues, Fault> {
        let Some(count) = items.checked_mul(components) else {
            return Err(Fault::new(
                place_of(array),
                format!("{items} × {components} numbers"),
                "fewer",
            ));
        };
        self.storage.values(self.input, array, count)
    }
}
