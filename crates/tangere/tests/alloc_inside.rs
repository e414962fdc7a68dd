//! Warm questions about inside and outside allocate nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tangere::generate;
use tangere::inside::{Cells, Grid, InsideSettings, InsideTest};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, with a count for each thread.
struct Counting;

// SAFETY: every call is handed on unchanged to the system's allocator; the
// count is a plain number without a destructor, so it never allocates.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises that the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: `memory` came from the system's allocator with this layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn cells_and_columns_answer_in_the_same_memory() {
    // The count is that of one thread, so the work must stay on it.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        let mesh = generate::foam(3000, 1).unwrap();
        let grid = Grid::around(&mesh.bounds(), 20).unwrap();
        let points = grid.points();
        let mut cells = Cells::new(InsideSettings::default()).unwrap();
        cells.update(&mesh).unwrap();
        let (mut sides, mut windings) = (Vec::new(), Vec::new());
        let mut ask = || {
            cells.classify(&points, &mut sides).unwrap();
            cells.classify_grid(&grid, &mut sides).unwrap();
            cells.winding(&points, &mut windings).unwrap();
        };
        assert!(allocations(&mut ask) > 0);
        assert_eq!(allocations(&mut ask), 0);
    });
}
