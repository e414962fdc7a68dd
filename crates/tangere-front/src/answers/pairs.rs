//! Columns of the broad phase: pairs, neighbour lists and contacts.

use crate::answer::{Column, Outputs, float, indices, integers, vector};
use tangere::pairs::PairContact;

/// The columns of pairs: each pair once, the lower item first; of two sets, the item of the first
/// set first.
pub const PAIRS: &[Column<[u32; 2]>] = &[pair(&["a", "b"]).doc("Items that touch, from 0.")];

/// The columns of neighbour lists: each pair in both directions.
pub const NEIGHBORS: &[Column<[u32; 2]>] =
    &[pair(&["particle", "neighbor"]).doc("An item and one that touches it, from 0.")];

const fn pair(heads: &'static [&'static str]) -> Column<[u32; 2]> {
    indices("pair", heads, |pair: &[u32; 2], k| pair[k]).only(Outputs::CSV.and(Outputs::NUMPY))
}

/// Contacts of pairs in the plane or in space.
pub struct Contacts<const D: usize>;

impl<const D: usize> Contacts<D> {
    const IMAGE: &'static [&'static str] = ["ix", "iy", "iz"].split_at(D).0;
    const NORMAL: &'static [&'static str] = ["nx", "ny", "nz"].split_at(D).0;

    /// The columns of a [`PairContact`].
    pub const COLUMNS: &'static [Column<PairContact<D>>] = &[
        indices("pair", &["a", "b"], |c: &PairContact<D>, k| c.pair[k])
            .doc("Items that touch, from 0; the same twice where one touches its own image.")
            .only(Outputs::CSV.and(Outputs::NUMPY)),
        integers("image", Self::IMAGE, |c: &PairContact<D>, k| c.image[k])
            .doc("Image of b that touches a, in cells along each edge; 0 in open space.")
            .only(ARRAYS),
        float("gap", |c: &PairContact<D>| c.gap)
            .unit("length")
            .doc("Distance between the surfaces, negative where they overlap; for boxes the largest gap along an axis.")
            .only(ARRAYS),
        vector("normal", Self::NORMAL, |c: &PairContact<D>, k| c.normal[k])
            .doc("Unit normal from a to b; of boxes along the axis of the gap.")
            .only(ARRAYS),
    ];
}

const ARRAYS: Outputs = Outputs::CSV.and(Outputs::NUMPY).and(Outputs::VTK);
