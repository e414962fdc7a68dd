//! Running out of memory: the program exits with code 1 and one line on standard error.
//!
//! Most lists that grow with the input are reserved fallibly, and their failure is an ordinary
//! error ([`tangere::memory`]). Any other allocation that fails would make Rust abort the process
//! with a message of its own. No hook of stable Rust changes that, but an allocator sees the failure
//! first.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The allocator of the system. If an allocation fails whose caller does not handle that, the
/// program prints one line, removes unfinished files and exits with code 1.
pub struct ExitingAllocator;

// SAFETY: every call is passed on to the allocator of the system.
unsafe impl GlobalAlloc for ExitingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what the system's allocator requires.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }
}

#[inline(always)]
fn checked(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() && !tangere::memory::is_fallible() {
        exit(bytes);
    }
    memory
}

thread_local! {
    /// Whether this thread is ending the program.
    static EXITING: Cell<bool> = const { Cell::new(false) };
}

/// Ends the program because `bytes` bytes cannot be allocated. Allocates nothing itself; if a call
/// of the standard library does, the program ends there.
#[cold]
#[inline(never)]
fn exit(bytes: usize) -> ! {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    if EXITING.replace(true) {
        exit_at_once();
    }
    if BEGUN.swap(true, Ordering::SeqCst) {
        // Another thread ends the program.
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    let end = || {
        report(bytes);
        exit_at_once()
    };
    // A writer holds the lock for a moment only, unless it is the thread that ran out of memory.
    for _ in 0..20 {
        tangere_io::try_remove_unfinished_then(end);
        std::thread::sleep(Duration::from_millis(1));
    }
    end()
}

/// Prints the error to standard error.
fn report(bytes: usize) {
    let mut line = [0; 128];
    let mut rest = &mut line[..];
    // The line is long enough for any number.
    let _ = writeln!(
        rest,
        "tangere: error: out of memory: an allocation of {bytes} bytes failed"
    );
    let unused = rest.len();
    let line = &line[..line.len() - unused];
    #[cfg(unix)]
    {
        // Not through the lock of standard error, which a thread that waits above may hold.
        use std::os::fd::AsFd;
        if let Ok(stderr) = std::io::stderr().as_fd().try_clone_to_owned() {
            let _ = std::fs::File::from(stderr).write_all(line);
        }
    }
    #[cfg(not(unix))]
    let _ = std::io::stderr().write_all(line);
}

/// Ends the program without destructors, which may wait for other threads.
fn exit_at_once() -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(1);
    #[cfg(not(unix))]
    std::process::exit(1);
}
