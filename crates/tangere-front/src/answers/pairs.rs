//! Output columns of the broad phase: pairs, neighbour lists and contacts.

use crate::answer::{Column, Outputs, float, indices, integers, vector};
use tangere::pairs::PairContact;

/// The output columns of pairs of items. Each pair appears once, with the lower index first. For
/// pairs of two sets the item of the first set comes first.
pub const PAIRS: &[Column<[u32; 2]>] = &[pair(&["a", "b"]).doc("Items that touch, from 0.")];

/// The output columns of neighbour lists: an item and a neighbour. Each pair appears in both
/// directions.
pub const NEIGHBORS: &[Column<[u32; 2]>] =
    &[pair(&["particle", "neighbor"]).doc("An item and one that touches it, from 0.")];

const fn pair(heads: &'static [&'static str]) -> Column<[u32; 2]> {
    indices("pair", heads, |pair: &[u32; 2], k| pair[k]).only(Outputs::CSV.and(Outputs::NUMPY))
}

/// Holder of the output columns of contacts of items in the plane (`D` = 2) or in space (`D` = 3),
/// which differ in the number of vector components.
pub struct Contacts<const D: usize>;

impl<const D: usize> Contacts<D> {
    const IMAGE: &'static [&'static str] = ["ix", "iy", "iz"].split_at(D).0;
    const NORMAL: &'static [&'static str] = ["nx", "ny", "nz"].split_at(D).0;

    /// The output columns of a [`PairContact`].
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
