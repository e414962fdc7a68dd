//! Distance spans: the least and the largest distance from the body around each cell of its lattice.

use super::HALF_DIAGONAL;
use super::lattice::Lattice;

/// The half widths, in cells, of the cubic neighbourhoods of a cell for which distance spans are
/// stored. A block of another body's cells that fits into a neighbourhood is tested with its span.
/// So there is one half width for each of the three sizes of blocks: about the distance from the
/// middle of a block to its farthest cell.
pub(super) const AROUND: [usize; 3] = [1, 3, 7];

/// Returns the distance spans of a lattice, for each half width in [`AROUND`]. In a cell, a lower
/// bound of the distance from the body is the distance interpolated between the corners, less its
/// largest error. The span of a cell is the least and the largest value of this lower bound in all
/// cells within the half width of it, in sides of a cell. `distances` has the distances of the
/// corners of cells from the body.
pub(super) fn spans(lattice: &Lattice, distances: &[f64]) -> [Vec<[f32; 2]>; AROUND.len()] {
    let span = |cell| {
        let [i, j, k] = lattice.indices(cell);
        let mut span = [f64::INFINITY, f64::NEG_INFINITY];
        for corner in 0..8 {
            let node = [i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)];
            let distance = distances[lattice.node(node)];
            span = [span[0].min(distance), span[1].max(distance)];
        }
        // Interpolation may round beyond the values at the corners.
        let [least, largest] = span.map(|x| (x / lattice.side - HALF_DIAGONAL) as f32);
        [least.next_down().next_down(), largest.next_up().next_up()]
    };
    let mut all: [Vec<[f32; 2]>; AROUND.len()] = Default::default();
    let (mut spans, mut reached): (Vec<_>, _) = ((0..lattice.cells()).map(span).collect(), 0);
    for (all, around) in all.iter_mut().zip(AROUND) {
        for axis in 0..3 {
            spans = widened(lattice, &spans, axis, around - reached);
        }
        reached = around;
        all.clone_from(&spans);
    }
    all
}

/// Returns distance spans whose neighbourhoods are widened by `cells` cells in both directions of
/// an axis.
fn widened(lattice: &Lattice, spans: &[[f32; 2]], axis: usize, cells: usize) -> Vec<[f32; 2]> {
    let step = lattice.counts[axis + 1..].iter().product::<usize>();
    let join = |a: [f32; 2], b: [f32; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    (0..spans.len())
        .map(|cell| {
            let at = cell / step % lattice.counts[axis];
            let (before, after) = (cells.min(at), cells.min(lattice.counts[axis] - 1 - at));
            let range = cell - before * step..=cell + after * step;
            range
                .step_by(step)
                .fold(spans[cell], |m, i| join(m, spans[i]))
        })
        .collect()
}
