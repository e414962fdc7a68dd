//! Exact geometric predicates: orientation, incidence and intersection of points, segments and
//! triangles.
//!
//! Every function returns the result of exact arithmetic, provided that all coordinates are valid
//! ([`is_valid_coordinate`]); for other coordinates it returns some result. Decisions rest on
//! comparisons of coordinates and on two predicates alone, Shewchuk's `orient2d` and `orient3d`.
//! These use a floating-point filter first, and exact arithmetic only where the error bound of the
//! filter does not decide (integers if they fit, see `integer_orient3d`). Coplanar points are
//! projected along a coordinate axis that is not parallel to their plane; dropping a coordinate is
//! exact.
//!
//! [`is_valid_coordinate`]: super::is_valid_coordinate

mod degenerate_triangle;
mod integer_orient3d;
mod orientation;
mod point_segment;
mod point_triangle;
mod projection;
mod segment_segment;
mod segment_triangle;
mod triangle_plane;
mod triangle_triangle;

pub use degenerate_triangle::are_collinear;
pub(crate) use orientation::BOUND_3D;
pub use orientation::{orient2d, orient3d};
pub use point_segment::point_on_segment;
pub(crate) use point_triangle::point_of_plane_on_triangle;
pub use point_triangle::point_on_triangle;
pub(crate) use projection::projected;
pub use segment_segment::{SegmentSegment, segment_segment};
pub use segment_triangle::{SegmentTriangle, Shared, segment_triangle};
pub(crate) use triangle_triangle::crossing_planes;
pub use triangle_triangle::{IntersectionKind, triangle_triangle};

/// The sign of a number, the result of an exact predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// The number is below 0.
    Negative,
    /// The number is exactly 0.
    Zero,
    /// The number is above 0.
    Positive,
}

impl Sign {
    /// Returns the sign of `x`, in the form of the exact predicates; [`Sign::Zero`] for a NaN.
    #[inline]
    pub fn of(x: f64) -> Self {
        if x > 0.0 {
            Sign::Positive
        } else if x < 0.0 {
            Sign::Negative
        } else {
            Sign::Zero
        }
    }

    /// Returns whether the sign of an exact predicate is [`Sign::Zero`].
    #[inline]
    pub fn is_zero(self) -> bool {
        self == Sign::Zero
    }
}

impl std::ops::Neg for Sign {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        match self {
            Sign::Negative => Sign::Positive,
            Sign::Zero => Sign::Zero,
            Sign::Positive => Sign::Negative,
        }
    }
}

/// The feature of a triangle on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TriangleFeature {
    /// A vertex of the triangle, by its index: 0, 1 or 2.
    Vertex(u8),
    /// An edge of the triangle without its ends, by its index: edge `i` (0, 1 or 2) goes from
    /// vertex `i` to vertex `(i + 1) % 3`.
    Edge(u8),
    /// The interior of the triangle, without edges and vertices.
    Face,
}

/// The feature of a segment on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SegmentFeature {
    /// The first end of the segment; the only feature of a segment of length zero.
    Start,
    /// The second end of the segment.
    End,
    /// The segment without its ends.
    Interior,
}
