//! Output columns of the broad phase: pairs, neighbour lists and contacts.

use crate::answer::{Column, Outputs, counts, float, indices, integers, vector};
use std::marker::PhantomData;
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

/// The output columns of pairs of atoms of a LAMMPS dump, with their ids in place of indices.
pub const ATOM_PAIRS: &[Column<[u64; 2]>] =
    &[atoms(&["a", "b"]).doc("Ids of the atoms that touch, the lower first.")];

/// The output columns of neighbour lists of atoms of a LAMMPS dump, with their ids in place of
/// indices.
pub const ATOM_NEIGHBORS: &[Column<[u64; 2]>] =
    &[atoms(&["particle", "neighbor"]).doc("The ids of an atom and of one that touches it.")];

const fn atoms(heads: &'static [&'static str]) -> Column<[u64; 2]> {
    counts("pair", heads, |pair: &[u64; 2], k| pair[k]).only(Outputs::CSV.and(Outputs::NUMPY))
}

/// Holder of the output columns of contacts of items in the plane (`D` = 2) or in space (`D` = 3),
/// which differ in the number of vector components.
pub struct Contacts<const D: usize>;

impl<const D: usize> Contacts<D> {
    /// The output columns of a [`PairContact`].
    pub const COLUMNS: &'static [Column<PairContact<D>>] = &[
        indices("pair", &["a", "b"], |c: &PairContact<D>, k| c.pair[k])
            .doc("Items that touch, from 0; the same twice where one touches its own image.")
            .only(Outputs::CSV.and(Outputs::NUMPY)),
        Fields::<D, PairContact<D>>::IMAGE,
        Fields::<D, PairContact<D>>::GAP,
        Fields::<D, PairContact<D>>::NORMAL,
    ];

    /// The output columns of an [`AtomContact`].
    pub const OF_ATOMS: &'static [Column<AtomContact<D>>] = &[
        counts("pair", &["a", "b"], |c: &AtomContact<D>, k| c.ids[k])
            .doc("Ids of the atoms that touch; the same twice where one touches its own image.")
            .only(Outputs::CSV.and(Outputs::NUMPY)),
        Fields::<D, AtomContact<D>>::IMAGE,
        Fields::<D, AtomContact<D>>::GAP,
        Fields::<D, AtomContact<D>>::NORMAL,
    ];
}

/// A contact of two atoms of a LAMMPS dump.
#[derive(Clone, Copy, Debug)]
pub struct AtomContact<const D: usize> {
    /// The ids of the two atoms, the lower first.
    pub ids: [u64; 2],
    /// The contact, with the indices of the atoms.
    pub contact: PairContact<D>,
}

/// A row with the contact of a pair.
trait HasContact<const D: usize> {
    fn contact(&self) -> &PairContact<D>;
}

impl<const D: usize> HasContact<D> for PairContact<D> {
    fn contact(&self) -> &PairContact<D> {
        self
    }
}

impl<const D: usize> HasContact<D> for AtomContact<D> {
    fn contact(&self) -> &PairContact<D> {
        &self.contact
    }
}

/// Holder of the columns of a contact besides who touches whom.
struct Fields<const D: usize, T>(PhantomData<T>);

impl<const D: usize, T: HasContact<D>> Fields<D, T> {
    const IMAGE: Column<T> = integers("image", ["ix", "iy", "iz"].split_at(D).0, |c: &T, k| {
        c.contact().image[k]
    })
    .doc("Image of b that touches a, in cells along each edge; 0 in open space.")
    .only(ARRAYS);

    const GAP: Column<T> = float("gap", |c: &T| c.contact().gap)
        .unit("length")
        .doc("Distance between the surfaces, negative where they overlap; for boxes the largest gap along an axis.")
        .only(ARRAYS);

    const NORMAL: Column<T> = vector("normal", ["nx", "ny", "nz"].split_at(D).0, |c: &T, k| {
        c.contact().normal[k]
    })
    .doc("Unit normal from a to b; of boxes along the axis of the gap.")
    .only(ARRAYS);
}

const ARRAYS: Outputs = Outputs::CSV.and(Outputs::NUMPY).and(Outputs::VTK);
