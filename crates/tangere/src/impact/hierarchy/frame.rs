//! Items as constructions see them: boxes in units of the body.
//!
//! Coordinates are relative to the middle of all items and scaled by a power of two, so that neither offset nor size makes
//! a product of three extents overflow, or underflow before its factors are beyond comparison.

use crate::error::{Error, Result};
use crate::geometry::{Aabb, is_valid_coordinate};

/// The box of an item, in units of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub bounds: Aabb<3>,
    pub number: u32,
}

/// All items in one frame.
pub(super) struct Frame {
    items: Vec<Item>,
}

impl Frame {
    /// Of valid items only.
    pub fn new<P: AsRef<[[f64; 3]]>>(count: usize, points: &impl Fn(usize) -> P) -> Result<Self> {
        let mut items = Vec::with_capacity(count);
        let mut all = Aabb::EMPTY;
        for i in 0..count {
            let bounds = Aabb::of_points(checked(i, points(i).as_ref())?.iter().copied());
            all = all.union(&bounds);
            items.push(Item {
                bounds,
                number: i as u32,
            });
        }
        let origin = all.center();
        let size = all.extent().into_iter().fold(0.0, f64::max);
        // Sizes are 0 or within 2^-352 and 2^201, and so is their inverse within range.
        let exponent = size.to_bits() >> 52;
        let scale = match size > 0.0 {
            true => f64::from_bits((2046 - exponent) << 52),
            false => 1.0,
        };
        for item in &mut items {
            let local = |p: [f64; 3]| std::array::from_fn(|k| (p[k] - origin[k]) * scale);
            item.bounds.min = local(item.bounds.min);
            item.bounds.max = local(item.bounds.max);
        }
        Ok(Self { items })
    }

    /// The items, by number.
    pub fn items(self) -> Vec<Item> {
        self.items
    }
}

/// The points of an item if there are some and all are valid.
pub(super) fn checked(item: usize, points: &[[f64; 3]]) -> Result<&[[f64; 3]]> {
    let is_valid = |p: &&[f64; 3]| p.iter().all(|&x| is_valid_coordinate(x));
    let found = match points.iter().find(|p| !is_valid(p)) {
        None if !points.is_empty() => return Ok(points),
        None => "no points".to_string(),
        Some(p) => format!("{p:?}"),
    };
    let expected = "points with finite coordinates, each 0 or of magnitude 4.9e-91 to 1.6e60";
    Err(Error::item("item", item, found, expected))
}
