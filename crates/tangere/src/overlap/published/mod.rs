//! Methods of the papers as they were published. They find the same pairs as all others, and are
//! kept to check a paper's figures and to teach; the automatic choice never picks them.
//!
//! | file | method | paper |
//! |---|---|---|
//! | `djb2` | [`Method::Djb2`](super::Method::Djb2): hierarchical spatial hash | weller2014, section 4 |
//! | `perfect_hash` | [`Method::PerfectHash`](super::Method::PerfectHash): no two cells share a bucket | weller2014, section 4.3 |
//! | `morton` | [`Method::Morton`](super::Method::Morton): Morton order, closed hashing, reduced cells | weller2014, section 5.1 |
//! | `cells` | hierarchy of grids, which all three store | weller2014, section 4.1 |
//! | `occupied_cells` | cells that hold spheres, sorted | |
//! | `search` | the search of two packings, with any of the tables | weller2014, algorithms 1 and 2 |
//! | `report` | occupancy and memory of a table | |

mod cells;
pub(super) mod djb2;
pub(super) mod morton;
mod occupied_cells;
pub(super) mod perfect_hash;
mod report;
pub(super) mod search;

pub use report::TableReport;

use super::Method;
use crate::shape::Packing;
use djb2::Djb2Table;
use morton::MortonTable;
use perfect_hash::PerfectHash;
use search::CellTable;
use std::sync::OnceLock;

/// The published tables of a packing, each built at first use, to compare them with the grid of
/// this library.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    djb2: OnceLock<Djb2Table>,
    perfect_hash: OnceLock<PerfectHash>,
    morton: OnceLock<MortonTable>,
}

impl Tables {
    fn djb2(&self, packing: &Packing) -> &Djb2Table {
        self.djb2.get_or_init(|| Djb2Table::new(packing))
    }

    fn perfect_hash(&self, packing: &Packing) -> &PerfectHash {
        self.perfect_hash.get_or_init(|| PerfectHash::new(packing))
    }

    fn morton(&self, packing: &Packing) -> &MortonTable {
        self.morton.get_or_init(|| MortonTable::new(packing))
    }
}

/// Returns occupancy and memory of the table of a published method; `None` for other methods.
pub(crate) fn table_report(packing: &Packing, method: Method) -> Option<TableReport> {
    match method {
        Method::Djb2 => Some(Djb2Table::of(packing).report(packing)),
        Method::PerfectHash => Some(PerfectHash::of(packing).report(packing)),
        Method::Morton => Some(MortonTable::of(packing).report(packing)),
        _ => None,
    }
}
