//! Runs computations without the GIL on a thread pool. Ctrl-C interrupts them, and panics become
//! exceptions.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tangere::memory::try_reserve;
use tangere::stop::Stop;

use crate::arguments::{self, Argument};

/// Maximum number of threads that a caller may ask for.
const THREADS_MAX: usize = 1024;

/// The interval at which signals are checked during work. It delays only Ctrl-C, not results.
const SIGNALS: Duration = Duration::from_millis(50);

/// The time after which the threads of a pool end that is not used.
const IDLE: Duration = Duration::from_secs(10);

/// A pool of threads that is kept for the next call.
struct Pool {
    /// The process that created the pool.
    process: u32,
    /// The number of threads of the pool; 0: one for each core.
    count: usize,
    threads: Arc<ThreadPool>,
    used: Instant,
}

/// The pool with a thread for each core, and the last pool with a number of threads that a caller
/// asked for.
static POOLS: Mutex<[Option<Pool>; 2]> = Mutex::new([None, None]);

/// Ends the threads of a pool once it has not been used for some time.
fn end_when_idle(slot: usize, pool: Weak<ThreadPool>) {
    let watch = move || {
        let mut rest = IDLE;
        loop {
            std::thread::sleep(rest);
            let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(kept) = &pools[slot] else {
                return;
            };
            if !Weak::ptr_eq(&pool, &Arc::downgrade(&kept.threads)) {
                return;
            }
            rest = IDLE.saturating_sub(kept.used.elapsed());
            // A call that still runs has the pool, too.
            if rest.is_zero() && Arc::strong_count(&kept.threads) == 1 {
                pools[slot] = None;
                return;
            }
            rest = rest.max(Duration::from_secs(1));
        }
    };
    // Where no thread can be started, the pool stays.
    let _ = std::thread::Builder::new()
        .name("tangere-idle".into())
        .spawn(watch);
}

/// Returns the pool with this number of threads (0: one for each core), created if necessary. Work
/// in a replaced pool keeps that pool alive until it ends.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let threads = tangere_front::threads(threads);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let index = usize::from(threads > 0);
    let slot = &mut pools[index];
    let process = std::process::id();
    if let Some(kept) = slot
        && (kept.process, kept.count) == (process, threads)
    {
        kept.used = Instant::now();
        return Ok(kept.threads.clone());
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("tangere-{i}"))
        .build()
        .map_err(|e| PyRuntimeError::new_err(format!("cannot start threads: {e}")))?;
    let pool = Arc::new(pool);
    let kept = Pool {
        process,
        count: threads,
        threads: pool.clone(),
        used: Instant::now(),
    };
    if let Some(before) = slot.replace(kept)
        && before.process != process
    {
        // Threads do not survive `fork`, but their locks do: waiting for the threads here would
        // deadlock.
        std::mem::forget(before);
    }
    end_when_idle(index, Arc::downgrade(&pool));
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
    if items.len() == items.capacity() && try_reserve(items, 1).is_err() {
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
