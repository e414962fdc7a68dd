//! What every mesh reader produces: vertices and polygons, before they are
//! triangulated, welded and validated.

/// Vertices and polygons as a file has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// The vertices.
    pub vertices: Vec<[f64; 3]>,
    /// The vertex indices of all polygons, one polygon after another.
    pub indices: Vec<u32>,
    /// Where each polygon ends in `indices`; its length is the number of polygons.
    pub ends: Vec<usize>,
}
