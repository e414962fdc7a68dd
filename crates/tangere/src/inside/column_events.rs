//! Events on the columns of a grid, which are rows of points along x: the places where a column
//! crosses the surface, and its points that lie on the surface. Events are packed in one number
//! each and sorted.

/// An event on a column of a grid, which is a row of points along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The column crosses the surface just before one of its points. The first number is the index
    /// of that point. The second number, 1 or -1, is added to the winding number from that point
    /// on.
    Step(usize, i32),
    /// The point of the column with this index lies on a triangle.
    On(usize),
}

/// Column events packed in one number each, so that they sort by column, then by position.
pub(super) mod packed {
    use super::Event;

    /// The number of low bits that hold the index of the point and the kind of event; the bits
    /// above hold the column. An axis of a grid has at most 2^20 points, so columns need 40 bits.
    pub(crate) const BITS: u32 = 24;

    const UP: u64 = 0;
    const DOWN: u64 = 1;
    const ON: u64 = 2;

    /// Packs an event on a column of a grid in one number.
    #[inline(always)]
    pub(crate) fn of(column: usize, event: Event) -> u64 {
        let (at, kind) = match event {
            Event::Step(at, 1..) => (at, UP),
            Event::Step(at, _) => (at, DOWN),
            Event::On(at) => (at, ON),
        };
        (column as u64) << BITS | (at as u64) << 2 | kind
    }

    /// The column of a packed column event.
    #[inline(always)]
    pub(crate) fn column(event: u64) -> usize {
        (event >> BITS) as usize
    }

    /// The index, on its column, of the point at which a packed column event happens.
    #[inline(always)]
    pub(crate) fn at(event: u64) -> usize {
        (event as usize & ((1 << BITS) - 1)) >> 2
    }

    /// The change of the winding number at a packed column event, 1 or -1; `None` if the event is a
    /// point that lies on a triangle.
    #[inline(always)]
    pub(crate) fn step(event: u64) -> Option<i32> {
        match event & 3 {
            UP => Some(1),
            DOWN => Some(-1),
            _ => None,
        }
    }
}

/// Sorts packed column events by column, then by position along the column, into `sorted`.
/// Afterwards `ends[column]` is the end of the events of a column and the start of those of the
/// next.
pub(super) fn sort_by_columns<'a>(
    columns: usize,
    chunks: impl Iterator<Item = &'a [u64]> + Clone,
    ends: &mut Vec<usize>,
    sorted: &mut Vec<u64>,
) {
    ends.clear();
    ends.resize(columns, 0);
    let mut total = 0;
    for &event in chunks.clone().flatten() {
        ends[packed::column(event)] += 1;
        total += 1;
    }
    let mut start = 0;
    for end in ends.iter_mut() {
        (*end, start) = (start, start + *end);
    }
    sorted.clear();
    sorted.resize(total, 0);
    for &event in chunks.flatten() {
        let slot = &mut ends[packed::column(event)];
        sorted[*slot] = event;
        *slot += 1;
    }
    let mut start = 0;
    for &end in ends.iter() {
        let column = &mut sorted[start..end];
        match column.len() {
            0 | 1 => {}
            2 => column.sort_unstable(),
            3..24 => {
                for i in 1..column.len() {
                    let mut k = i;
                    while k > 0 && column[k - 1] > column[k] {
                        column.swap(k - 1, k);
                        k -= 1;
                    }
                }
            }
            _ => column.sort_unstable(),
        }
        start = end;
    }
}
