//! Warm point containment queries allocate nothing.

use tangere::generate;
use tangere::inside::{Cells, Grid, InsideSettings, InsideTest};
use test_support::allocations::of_thread;
use test_support::alone;

#[test]
fn cells_and_columns_answer_in_the_same_memory() {
    alone!();
    // The count is that of one thread, so the work must stay on it.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        let mesh = generate::foam(3000, 1).unwrap();
        let grid = Grid::around(&mesh.bounds(), 20).unwrap();
        let points = grid.points();
        let mut cells = Cells::new(InsideSettings::default()).unwrap();
        cells.update(&mesh).unwrap();
        let (mut sides, mut windings) = (Vec::new(), Vec::new());
        let mut query = || {
            cells.classify(&points, &mut sides).unwrap();
            cells.classify_grid(&grid, &mut sides).unwrap();
            cells.winding(&points, &mut windings).unwrap();
        };
        assert!(of_thread(&mut query) > 0);
        assert_eq!(of_thread(&mut query), 0);
    });
}
