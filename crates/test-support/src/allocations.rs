//! An allocator that counts allocations, and fails on request.
//!
//! A test program installs it:
//!
//! ```
//! use test_support::allocations::{self, Counting};
//!
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//!
//! # fn main() {
//! assert_eq!(allocations::of_thread(|| drop(Box::new([0; 100]))), 1);
//! # }
//! ```
//!
//! Counts and limits are those of the process, except for [`of_thread`]. So tests that use them run
//! in a process of their own ([`alone!`](crate::alone)).

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

static CALLS: AtomicUsize = AtomicUsize::new(0);
/// The number of bytes that the process has allocated and not yet freed. The next two static
/// variables are the peak of this number since the last call of [`peak_of`], and its limit: an
/// allocation that would exceed it fails.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALLOWED: AtomicUsize = AtomicUsize::new(usize::MAX);

thread_local! {
    static CALLS_OF_THREAD: Cell<usize> = const { Cell::new(0) };
}

/// The allocator of the system, which counts allocations and bytes and fails beyond a limit.
pub struct Counting;

/// Counts an allocation of this many bytes. If the bytes in use stay within the limit, adds them
/// and returns true; otherwise returns false, and the allocation must fail.
fn granted(bytes: usize) -> bool {
    CALLS.fetch_add(1, SeqCst);
    CALLS_OF_THREAD.with(|count| count.set(count.get() + 1));
    let before = IN_USE.fetch_add(bytes, SeqCst);
    let after = before.saturating_add(bytes);
    if after > ALLOWED.load(SeqCst) {
        IN_USE.fetch_sub(bytes, SeqCst);
        return false;
    }
    PEAK.fetch_max(after, SeqCst);
    true
}

// SAFETY: every call is handed on unchanged to the system's allocator, or returns null, which means
// that there is no memory. Counts are plain numbers without a destructor, so they never allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !granted(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !granted(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), SeqCst);
        // SAFETY: `memory` came from the system's allocator with this layout.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks count: the old one is still there while its bytes are moved.
        if !granted(size) {
            return std::ptr::null_mut();
        }
        IN_USE.fetch_sub(layout.size(), SeqCst);
        // SAFETY: `memory` came from the system's allocator with this layout, and the caller keeps
        // the contract of `realloc`.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Returns the number of allocations of all threads of the process during `work`.
pub fn of_process(work: impl FnOnce()) -> usize {
    let before = CALLS.load(SeqCst);
    work();
    CALLS.load(SeqCst) - before
}

/// Returns the number of allocations of this thread during `work`.
pub fn of_thread(work: impl FnOnce()) -> usize {
    let before = CALLS_OF_THREAD.with(Cell::get);
    work();
    CALLS_OF_THREAD.with(Cell::get) - before
}

/// Returns the least number of allocations of the process in one run of `work`, over up to 100
/// runs: in the first runs, other threads may still be finishing earlier work. It stops at a run
/// without allocations.
pub fn least_of_process(mut work: impl FnMut()) -> usize {
    let mut least = usize::MAX;
    for _ in 0..100 {
        least = least.min(of_process(&mut work));
        if least == 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    least
}

/// Returns how many more bytes are in use than before `work`: at the peak during `work`, and after
/// it.
pub fn peak_of(work: impl FnOnce()) -> [usize; 2] {
    let before = IN_USE.load(SeqCst);
    PEAK.store(before, SeqCst);
    work();
    [&PEAK, &IN_USE].map(|bytes| bytes.load(SeqCst).saturating_sub(before))
}

/// Runs `work` with a limit on the bytes that it may use in addition to those in use before. An
/// allocation beyond the limit fails; it aborts the process if the caller cannot handle that.
pub fn with_at_most<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    ALLOWED.store(IN_USE.load(SeqCst) + bytes, SeqCst);
    let result = work();
    ALLOWED.store(usize::MAX, SeqCst);
    result
}
