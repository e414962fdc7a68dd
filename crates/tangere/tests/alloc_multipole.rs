//! Warm calls of the multipole method allocate nothing, on any thread of the pool.
//!
//! The count is that of the whole process, so this is one test in a program of
//! its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use tangere::generate;
use tangere::inside::{Grid, InsideSettings, InsideTest, Multipole};
use tangere::shape::TriMesh;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a count.
struct Counting;

// SAFETY: every call is handed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::SeqCst);
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

#[test]
fn warm_calls_allocate_nothing() {
    let sphere = generate::sphere(4).unwrap();
    let (vertices, mut faces) = sphere.clone().into_parts();
    faces.truncate(2000);
    let open = TriMesh::new(vertices, faces).unwrap();
    let mut points = Grid::around(&sphere.bounds(), 24).unwrap().points();
    // On the surface, and just beside it.
    points.extend((0..50).map(|f| sphere.triangle(f)[0]));
    points.extend((0..50).map(|f| sphere.triangle(f)[0].map(|x| x * (1.0 + 1e-13))));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let pool = pool.unwrap();
    for mesh in [&sphere, &open] {
        let settings = InsideSettings {
            accuracy: 1e-2,
            ..InsideSettings::default()
        };
        let mut test = Multipole::new(settings).unwrap();
        let (mut winding, mut sides) = (Vec::new(), Vec::new());
        pool.install(|| {
            test.update(mesh).unwrap();
            for turn in 0..3 {
                let before = ALLOCATIONS.load(Ordering::SeqCst);
                test.winding(&points, &mut winding).unwrap();
                test.classify(&points, &mut sides).unwrap();
                let count = ALLOCATIONS.load(Ordering::SeqCst) - before;
                assert!(turn == 0 || count == 0, "{count} allocations");
            }
        });
    }
}
