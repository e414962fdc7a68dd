//! Runs computations without the GIL on a thread pool. Ctrl-C interrupts them, and panics become
//! exceptions.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tangere::stop::Stop;

use crate::arguments::{self, Argument};

/// Maximum number of threads that a caller may ask for.
const THREADS_MAX: usize = 1024;

/// The interval at which signals are checked during work. It delays only Ctrl-C, not results.
const SIGNALS: Duration = Duration::from_millis(50);

/// The process that created a pool, its number of threads (0: all cores), and the pool.
type Pool = (u32, usize, Arc<ThreadPool>);

/// The pool with a thread for each core, and the last pool with a number of threads that a caller
/// asked for.
static POOLS: Mutex<[Option<Pool>; 2]> = Mutex::new([None, None]);

/// Returns the pool with this number of threads (0: one for each core), created if necessary. Work
/// in a replaced pool keeps that pool alive until it ends.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let slot = &mut pools[usize::from(threads > 0)];
    let process = std::process::id();
    if let Some((of, count, pool)) = slot
        && (*of, *count) == (process, threads)
    {
        return Ok(pool.clone());
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("tangere-{i}"))
        .build()
        .map_err(|e| PyRuntimeError::new_err(format!("cannot start threads: {e}")))?;
    let pool = Arc::new(pool);
    if let Some((of, _, before)) = slot.replace((process, threads, pool.clone()))
        && of != process
    {
        // Threads do not survive `fork`, but their locks do: waiting for the threads here would
        // deadlock.
        std::mem::forget(before);
    }
    Ok(pool)
}

/// Runs `work` without the GIL on a pool of `threads` threads, and returns its result.
///
/// A signal handler that raises, such as that of Ctrl-C, ends the wait and requests a stop. Work
/// that does not check for it continues in the background, and its result is dropped, so it must
/// not change shared state.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Argument<'_, '_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    run_on(py, threads_of(threads)?, work)
}

/// Reads the number of threads from an argument; 0, which stands for one thread per core, if it is
/// missing or None.
pub fn threads_of(threads: Argument<'_, '_>) -> PyResult<usize> {
    arguments::threads(threads, THREADS_MAX)
}

/// Runs `work` as [`run`] does, for objects that store their number of threads.
pub fn run_on<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let (sender, mut receiver) = sync_channel(1);
    let stop = Stop::new();
    let own = stop.clone();
    pool.spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| own.during(work)));
        // Sending fails only if the wait was interrupted; then nobody receives.
        let _ = sender.send(result);
    });
    loop {
        // A receiver is not `Sync`.
        let receiver = &mut receiver;
        match py.detach(move || receiver.recv_timeout(SIGNALS)) {
            Ok(result) => return result.map_err(defect),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| stop.request())?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("a thread of tangere ended early"));
            }
        }
    }
}

/// Runs `work` as [`run`] does, but waits until it ends, because it changes shared state.
pub fn complete<T: Send>(
    py: Python<'_>,
    threads: Argument<'_, '_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = pool(threads_of(threads)?)?;
    py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(work))))
        .map_err(defect)
}

/// The unwind payload of work that ran out of memory.
struct OutOfMemory;

/// Appends to a result that may exceed memory. If allocation fails, the work ends at once and
/// Python raises `MemoryError`; a plain `push` would abort the process.
///
/// Unwinding is the only way out of a visitor that cannot return an error. It is not a panic:
/// nothing is printed.
#[inline]
pub fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() && items.try_reserve(1).is_err() {
        // The result is freed first, so that other code has memory.
        *items = Vec::new();
        resume_unwind(Box::new(OutOfMemory));
    }
    items.push(item);
}

/// Returns the exception for the unwinding of work: a `MemoryError` if it ran out of memory, else
/// an internal error.
fn defect(panic: Box<dyn Any + Send>) -> PyErr {
    if panic.is::<OutOfMemory>() {
        return PyMemoryError::new_err("out of memory: the result does not fit");
    }
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown");
    PyRuntimeError::new_err(format!("internal error, please report it: {message}"))
}
