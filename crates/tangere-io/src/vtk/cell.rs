//! The kinds of cells, and which of them are pieces of a surface.

use crate::error::{Fault, Place};
use crate::polygons::Polygons;

macro_rules! kinds {
    ($($kind:ident = $code:literal, $count:expr, $name:literal;)*) => {
        /// The kind of a cell; the number is VTK's code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum CellKind {
            $(
                #[doc = concat!("A ", $name, ".")]
                $kind = $code,
            )*
        }

        impl CellKind {
            /// The kind with this code.
            pub fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$kind),)*
                    _ => None,
                }
            }

            /// The name in words.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// How many vertices such a cell has; `None` where that varies.
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
    QuadraticPolygon = 36, None, "quadratic polygon";
    Polyhedron = 42, None, "polyhedron";
}

/// Appends a cell of a grid to a surface: pieces of a surface as polygons,
/// vertices and lines not at all. A cell that has a volume or bent sides is a
/// fault, since its surface is not told by the file.
pub(super) fn add_surface_cell(
    surface: &mut Polygons,
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
            SURFACE_CELLS,
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
    match kind {
        K::Empty | K::Vertex | K::PolyVertex | K::Line | K::PolyLine | K::QuadraticEdge => Ok(()),
        K::Triangle | K::Quad | K::Polygon => add_polygon(surface, "cell", cell, vertices),
        K::TriangleStrip => add_strip(surface, "cell", cell, vertices),
        K::Pixel => {
            let &[a, b, c, d] = vertices else {
                return Ok(());
            };
            // The vertices of a pixel lie row by row, not around it.
            add_polygon(surface, "cell", cell, &[a, b, d, c])
        }
        _ => Err(Fault::new(
            place,
            format!("a {} (VTK cell type {code})", kind.name()),
            SURFACE_CELLS,
        )),
    }
}

const SURFACE_CELLS: &str = "a cell of a surface: triangle, quadrilateral, polygon, \
    triangle strip or pixel (volume cells and cells of higher order are no surface mesh)";

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

/// Refuses a cell that cannot have an area.
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
        let mut surface = Polygons::default();
        add_surface_cell(&mut surface, 0, 8, &[0, 1, 2, 3]).unwrap();
        assert_eq!(surface.indices, [0, 1, 3, 2]);
    }

    #[test]
    fn volumes_are_named() {
        let fault = add_surface_cell(&mut Polygons::default(), 7, 10, &[0, 1, 2, 3]).unwrap_err();
        let text = fault.to_string();
        assert!(text.starts_with("cell 7: found a tetrahedron"), "{text}");
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
