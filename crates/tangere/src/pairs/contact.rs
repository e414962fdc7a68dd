//! How a pair touches.

use super::periodic::Image;

/// A pair with the image, gap and normal of its touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact<const D: usize> {
    /// The items, the lower first.
    pub pair: [u32; 2],
    /// The image of the second that touches the first: all 0 in open space.
    pub image: Image<D>,
    /// The distance between surfaces, negative where they overlap.
    pub gap: f64,
    /// The unit normal from the first to the second.
    pub normal: [f64; D],
}
