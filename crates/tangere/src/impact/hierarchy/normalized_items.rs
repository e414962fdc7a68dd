//! Items of a bounding volume hierarchy, usually faces, in normalised coordinates. Top-down and
//! bottom-up construction use them.
//!
//! The origin is the median of the centres of the items, so that neither an offset nor a stray item
//! costs digits. Coordinates are scaled by a power of two, so that the product of three extents
//! does not overflow, and underflows only if an extent is negligible. The volumes of these items
//! only guide the construction; the volumes of the nodes are computed from the points themselves.

use super::bounding_ball::item_ball;
use crate::error::{Argument, Error, Result};
use crate::geometry::vector::{largest, minus};
use crate::geometry::{Aabb, Ball, is_valid_coordinate};

/// An item of a hierarchy with its box and ball in normalised coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub bounds: Aabb<3>,
    pub ball: Ball<3>,
    pub number: u32,
}

/// All items of a hierarchy in normalised coordinates.
pub(super) struct NormalizedItems {
    /// The items of the hierarchy, in the order of their indices.
    pub items: Vec<Item>,
    /// Half of the items lie within this distance of the origin along every axis, in normalised
    /// coordinates. It is never 0: if half of the items lie at the origin, it is the distance
    /// within which all items lie, or 1 if that is 0 too.
    pub spread: f64,
}

impl NormalizedItems {
    /// Checks the points of `count` items of a hierarchy and normalises their coordinates.
    pub fn new<P: AsRef<[[f64; 3]]>>(count: usize, points: &impl Fn(usize) -> P) -> Result<Self> {
        let mut items = Vec::with_capacity(count);
        let mut all = Aabb::EMPTY;
        for i in 0..count {
            let points = points(i);
            let points = checked(i, points.as_ref())?;
            let item = Item {
                bounds: Aabb::of_points(points.iter().copied()),
                ball: item_ball(points),
                number: i as u32,
            };
            all = all.union(&item.bounds);
            items.push(item);
        }
        let mut numbers = Vec::with_capacity(count);
        let mut median = |number: &dyn Fn(&Item) -> f64| {
            numbers.clear();
            numbers.extend(items.iter().map(number));
            *numbers.select_nth_unstable_by(count / 2, f64::total_cmp).1
        };
        let origin = std::array::from_fn(|k| median(&|item| item.bounds.center()[k]));
        let reach = |bounds: &Aabb<3>| {
            let low = largest(minus(bounds.min, origin));
            low.max(largest(minus(bounds.max, origin)))
        };
        let spread = median(&|item| reach(&item.bounds));
        let size = reach(&all);
        // The size is from 2^-352 to 2^201 if not 0, so that the power of two is in range.
        let scale = match size > 0.0 {
            true => f64::from_bits((2046 - (size.to_bits() >> 52)) << 52),
            false => 1.0,
        };
        let local = |p: [f64; 3]| minus(p, origin).map(|x| x * scale);
        for Item { bounds, ball, .. } in &mut items {
            (bounds.min, bounds.max) = (local(bounds.min), local(bounds.max));
            (ball.center, ball.radius) = (local(ball.center), ball.radius * scale);
        }
        let spread = match (spread > 0.0, size > 0.0) {
            (true, _) => spread,
            (false, true) => size,
            (false, false) => 1.0,
        };
        Ok(Self {
            items,
            spread: spread * scale,
        })
    }
}

/// Checks the points of an item of a hierarchy before they are normalised: an error unless there is
/// at least one and all are valid.
pub(super) fn checked(item: usize, points: &[[f64; 3]]) -> Result<&[[f64; 3]]> {
    let is_valid = |p: &&[f64; 3]| p.iter().all(|&x| is_valid_coordinate(x));
    let found = match points.iter().find(|p| !is_valid(p)) {
        None if !points.is_empty() => return Ok(points),
        None => "no points".to_string(),
        Some(p) => format!("{p:?}"),
    };
    let expected = "points with finite coordinates, each 0 or of magnitude 4.9e-91 to 1.6e60";
    Err(Error::item(Argument::Item, item, found, expected))
}
