//! Contact geometry of a pair: image, gap, normal.

use super::periodic::Image;

/// A touching pair with its image, gap and normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact<const D: usize> {
    /// The items, the lower first.
    pub pair: [u32; 2],
    /// The periodic image of the second item that touches the first: all 0 in open space.
    pub image: Image<D>,
    /// The gap between the surfaces, negative where they overlap.
    pub gap: f64,
    /// The unit normal from the first to the second.
    pub normal: [f64; D],
}
