//! How often memory is asked for.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

static OF_ALL_THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static OF_THIS_THREAD: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, with counts.
struct Counting;

// SAFETY: every call is handed on unchanged to the system's allocator; the
// counts are plain numbers without a destructor, so they never allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        OF_ALL_THREADS.fetch_add(1, Ordering::SeqCst);
        OF_THIS_THREAD.with(|count| count.set(count.get() + 1));
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

/// Allocations during some work, of the whole process: for a program with one test.
#[allow(dead_code, reason = "a program uses one of both counts")]
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = OF_ALL_THREADS.load(Ordering::SeqCst);
    work();
    OF_ALL_THREADS.load(Ordering::SeqCst) - before
}

/// Allocations during some work, of the thread that does it.
#[allow(dead_code, reason = "a program uses one of both counts")]
pub fn allocations_of_thread(work: impl FnOnce()) -> usize {
    let before = OF_THIS_THREAD.with(Cell::get);
    work();
    OF_THIS_THREAD.with(Cell::get) - before
}

/// The least of the allocations during some work that is done again and again, of the whole process: other
/// threads may still be on their way to sleep from what was done before, for as long as the machine is busy.
#[allow(dead_code, reason = "a program uses one of these counts")]
pub fn least_allocations(mut work: impl FnMut()) -> usize {
    let mut least = usize::MAX;
    for _ in 0..100 {
        least = least.min(allocations(&mut work));
        if least == 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    least
}
