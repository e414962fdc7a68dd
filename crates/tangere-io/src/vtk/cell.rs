//! VTK cell types, and their conversion to polygons and finite elements.

use crate::elements::{Elements, Kind, polygons_of};
use crate::error::{Fault, Place};
use crate::polygons::Polygons;
use tangere::shape::{FaceKind, VolumeKind};

macro_rules! kinds {
    ($($kind:ident = $code:literal, $count:expr, $name:literal;)*) => {
        /// The kind of a VTK cell; the discriminant is VTK's code of the cell type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum CellKind {
            $(
                #[doc = concat!("A ", $name, ".")]
                $kind = $code,
            )*
        }

        impl CellKind {
            /// Returns the kind of cell with this VTK code; `None` if the code is unknown.
            pub fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$kind),)*
                    _ => None,
                }
            }

            /// Returns the name of the kind in words, such as "triangle strip".
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// Returns the number of vertices of a cell of this kind; `None` if it varies.
            pub fn vertices(self) -> Option<usize> {
                match self {
                    $(Self::$kind => $count,)*
                }
            }
        }
    };
}

kinds! {
    Empty = 0, Some(0), "empty cell";
    Vertex = 1, Some(1), "vertex";
    PolyVertex = 2, None, "set of vertices";
    Line = 3, Some(2), "line";
    PolyLine = 4, None, "chain of lines";
    Triangle = 5, Some(3), "triangle";
    TriangleStrip = 6, None, "triangle strip";
    Polygon = 7, None, "polygon";
    Pixel = 8, Some(4), "pixel";
    Quad = 9, Some(4), "quadrilateral";
    Tetra = 10, Some(4), "tetrahedron";
    Voxel = 11, Some(8), "voxel";
    Hexahedron = 12, Some(8), "hexahedron";
    Wedge = 13, Some(6), "wedge";
    Pyramid = 14, Some(5), "pyramid";
    PentagonalPrism = 15, Some(10), "pentagonal prism";
    HexagonalPrism = 16, Some(12), "hexagonal prism";
    QuadraticEdge = 21, Some(3), "quadratic edge";
    QuadraticTriangle = 22, Some(6), "quadratic triangle";
    QuadraticQuad = 23, Some(8), "quadratic quadrilateral";
    QuadraticTetra = 24, Some(10), "quadratic tetrahedron";
    QuadraticHexahedron = 25, Some(20), "quadratic hexahedron";
    QuadraticWedge = 26, Some(15), "quadratic wedge";
    QuadraticPyramid = 27, Some(13), "quadratic pyramid";
    BiquadraticQuad = 28, Some(9), "biquadratic quadrilateral";
    TriquadraticHexahedron = 29, Some(27), "triquadratic hexahedron";
    BiquadraticWedge = 32, Some(18), "biquadratic wedge";
    QuadraticPolygon = 36, None, "quadratic polygon";
    Polyhedron = 42, None, "polyhedron";
}

/// Content of a VTK file: polygons of any number of corners, and finite elements.
#[derive(Default)]
pub(crate) struct Grid {
    /// The surface cells of first order as polygons, and the points of all cells of the file.
    pub surface: Polygons,
    /// Volume elements, quadratic faces and segments. Their node indices refer to the points of
    /// `surface`; the list of nodes of `elements` is empty.
    pub elements: Elements,
}

impl Grid {
    /// Returns a grid of polygons only.
    pub fn of(surface: Polygons) -> Self {
        Grid {
            surface,
            elements: Elements::default(),
        }
    }

    /// Returns the surface: the boundary of the volume elements if there are any, else linear
    /// surface cells and quadratic faces.
    pub fn into_polygons(self) -> Result<Polygons, Fault> {
        if !self.elements.volumes.is_empty() || self.surface.is_empty() {
            return polygons_of(self.into_elements());
        }
        let Grid {
            surface,
            mut elements,
        } = self;
        if elements.surface.is_empty() {
            return Ok(surface);
        }
        // Quadratic faces are joined with polygons of any number of corners.
        elements.nodes = surface.vertices.clone();
        elements.segments = Default::default();
        joined(surface, elements)
    }

    /// Converts all cells to finite elements. If any polygon has more than four corners, then all
    /// polygons are cut into triangles.
    pub fn into_elements(self) -> Elements {
        let Grid {
            mut surface,
            mut elements,
        } = self;
        let has_large = surface.iter().any(|polygon| polygon.len() > 4);
        if has_large {
            for triangle in surface.triangles() {
                elements.push(Kind::Face(FaceKind::Tri3), triangle.into_iter());
            }
        } else {
            for polygon in surface.iter() {
                let kind = match polygon.len() {
                    4 => FaceKind::Quad4,
                    _ => FaceKind::Tri3,
                };
                elements.push(Kind::Face(kind), polygon.iter().copied());
            }
        }
        elements.unkept.append(&mut surface.unkept);
        elements.nodes = surface.vertices;
        elements
    }
}

/// Appends the faces of `elements` to the polygons of a surface, with their vertices. Quadratic
/// faces are split at their nodes.
fn joined(mut surface: Polygons, elements: Elements) -> Result<Polygons, Fault> {
    let pieces = polygons_of(elements)?;
    let base = surface.vertices.len();
    if base + pieces.vertices.len() > u32::MAX as usize {
        return Err(Fault::new(
            Place::Part("points"),
            format!("{base} points"),
            "at most 2147483647 where faces are quadratic",
        ));
    }
    let start = surface.indices.len();
    surface.vertices.extend(pieces.vertices);
    surface
        .indices
        .extend(pieces.indices.iter().map(|&i| i + base as u32));
    surface
        .ends
        .extend(pieces.ends.iter().map(|&end| end + start));
    surface.unkept.extend(pieces.unkept);
    surface.curved = pieces.curved;
    Ok(surface)
}

/// Appends a cell of a file to a grid: linear surface cells as polygons, volume and quadratic cells
/// and lines as elements. Empty cells, vertices and polylines are skipped. A kind of cell whose
/// surface is unknown is a fault.
pub(super) fn add_cell(
    grid: &mut Grid,
    cell: usize,
    code: u64,
    vertices: &[u32],
) -> Result<(), Fault> {
    use CellKind as K;
    let place = Place::Item("cell", cell);
    let Some(kind) = u8::try_from(code).ok().and_then(K::from_code) else {
        return Err(Fault::new(
            place,
            format!("the VTK cell type {code}"),
            KNOWN_CELLS,
        ));
    };
    if let Some(count) = kind.vertices()
        && vertices.len() != count
    {
        return Err(Fault::new(
            place,
            format!("a {} with {} vertices", kind.name(), vertices.len()),
            format!("{count} vertices"),
        ));
    }
    let surface = &mut grid.surface;
    match kind {
        K::Empty | K::Vertex | K::PolyVertex | K::PolyLine => Ok(()),
        K::Triangle | K::Quad | K::Polygon => add_polygon(surface, "cell", cell, vertices),
        K::TriangleStrip => add_strip(surface, "cell", cell, vertices),
        K::Pixel => {
            let &[a, b, c, d] = vertices else {
                return Ok(());
            };
            // The vertices of a pixel are in row order, not around its boundary.
            add_polygon(surface, "cell", cell, &[a, b, d, c])
        }
        K::Voxel => {
            const AROUND: [usize; 8] = [0, 1, 3, 2, 4, 5, 7, 6];
            let nodes = AROUND.into_iter().map(|k| vertices[k]);
            grid.elements.push(Kind::Volume(VolumeKind::Hex8), nodes);
            Ok(())
        }
        _ => {
            let code = kind as u8;
            let volume = VolumeKind::from_vtk_code(code).map(Kind::Volume);
            let element = volume.or_else(|| FaceKind::from_vtk_code(code).map(Kind::Face));
            let Some(element) = element else {
                return Err(Fault::new(
                    place,
                    format!("a {} (VTK cell type {code})", kind.name()),
                    KNOWN_CELLS,
                ));
            };
            grid.elements.push(element, vertices.iter().copied());
            Ok(())
        }
    }
}

const KNOWN_CELLS: &str = "a cell of a surface (triangle, quadrilateral, polygon, triangle \
    strip or pixel), or a line, triangle, quadrilateral, tetrahedron, hexahedron, wedge or \
    pyramid of first or second order";

/// Appends one polygon.
pub(super) fn add_polygon(
    surface: &mut Polygons,
    what: &'static str,
    item: usize,
    vertices: &[u32],
) -> Result<(), Fault> {
    at_least_three(what, item, vertices.len())?;
    surface.indices.extend_from_slice(vertices);
    surface.ends.push(surface.indices.len());
    Ok(())
}

/// Appends the triangles of a strip. Each shares an edge with the one before,
/// so every second has its first two vertices swapped to face the same side.
pub(super) fn add_strip(
    surface: &mut Polygons,
    what: &'static str,
    item: usize,
    vertices: &[u32],
) -> Result<(), Fault> {
    at_least_three(what, item, vertices.len())?;
    for (i, window) in vertices.windows(3).enumerate() {
        let &[a, b, c] = window else { continue };
        let triangle = if i % 2 == 0 { [a, b, c] } else { [b, a, c] };
        surface.indices.extend_from_slice(&triangle);
        surface.ends.push(surface.indices.len());
    }
    Ok(())
}

/// Refuses a cell of fewer than three points.
pub(super) fn at_least_three(what: &'static str, item: usize, found: usize) -> Result<(), Fault> {
    if found < 3 {
        return Err(Fault::new(
            Place::Item(what, item),
            format!("{found} vertices"),
            "at least 3",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_faces_one_side() {
        let mut surface = Polygons::default();
        add_strip(&mut surface, "strip", 0, &[0, 1, 2, 3, 4]).unwrap();
        assert_eq!(surface.indices, [0, 1, 2, 2, 1, 3, 2, 3, 4]);
        assert_eq!(surface.ends, [3, 6, 9]);
    }

    #[test]
    fn a_pixel_is_turned_into_a_ring() {
        let mut grid = Grid::default();
        add_cell(&mut grid, 0, 8, &[0, 1, 2, 3]).unwrap();
        assert_eq!(grid.surface.indices, [0, 1, 3, 2]);
        add_cell(&mut grid, 1, 11, &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
        assert_eq!(grid.elements.volumes.indices, [0, 1, 3, 2, 4, 5, 7, 6]);
    }

    #[test]
    fn cells_without_a_known_surface_are_named() {
        let fault = add_cell(&mut Grid::default(), 7, 42, &[0, 1, 2, 3]).unwrap_err();
        let text = fault.to_string();
        assert!(text.starts_with("cell 7: found a polyhedron"), "{text}");
    }

    #[test]
    fn codes_round_trip() {
        for code in 0..=u8::MAX {
            if let Some(kind) = CellKind::from_code(code) {
                assert_eq!(kind as u8, code);
            }
        }
    }
}
