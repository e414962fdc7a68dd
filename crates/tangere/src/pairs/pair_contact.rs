//! Contact of a pair of items: periodic image, gap and normal.

use super::periodic_cell::Image;

/// A touching pair with its image, gap and normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact<const D: usize> {
    /// The indices of the two items, the lower index first.
    pub pair: [u32; 2],
    /// The periodic image of the second item that touches the first: the number of periods by which
    /// it is shifted along each edge of the periodic cell. All 0 in open space.
    pub image: Image<D>,
    /// The gap between the surfaces of the two items, negative if they overlap.
    pub gap: f64,
    /// The unit normal from the first item to the second.
    pub normal: [f64; D],
}
