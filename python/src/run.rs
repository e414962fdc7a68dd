//! Work outside of the interpreter: without the GIL, on a pool of threads, so
//! that Ctrl-C is heard and no panic gets out.

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

/// The most threads that can be asked for.
const THREADS_MAX: usize = 1024;

/// How often signals are looked at while work is waited for. Results do not
/// wait for it, only Ctrl-C does.
const SIGNALS: Duration = Duration::from_millis(50);

/// A pool, the process it is of, and the number of threads asked for.
type Pool = (u32, usize, Arc<ThreadPool>);

/// The pool with as many threads as there are cores, and the last one with another
/// number.
static POOLS: Mutex<[Option<Pool>; 2]> = Mutex::new([None, None]);

/// The pool with so many threads (0: as many as there are cores), made unless it is
/// there. Work that still goes on in the one before keeps it until it has ended.
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
        // Threads do not survive `fork`, but locks that they held do: nothing here may
        // wait for them.
        std::mem::forget(before);
    }
    Ok(pool)
}

/// What `work` returns, computed without the GIL on a pool of `threads`
/// threads.
///
/// A signal handler that raises, as that of Ctrl-C does, ends the wait and asks the
/// work to stop. What does not listen goes on in the background, and its result is
/// dropped, so it must not change anything that others see.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Argument<'_, '_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    run_on(py, threads_of(threads)?, work)
}

/// The number of threads that an argument names; 0 for as many as there are cores.
pub fn threads_of(threads: Argument<'_, '_>) -> PyResult<usize> {
    arguments::threads(threads, THREADS_MAX)
}

/// As [`run`], for objects that keep the number of their threads.
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
        // Nobody receives what was abandoned.
        let _ = sender.send(result);
    });
    loop {
        // A receiver may be used by one thread at a time only.
        let receiver = &mut receiver;
        match py.detach(move || receiver.recv_timeout(SIGNALS)) {
            Ok(result) => return result.map_err(defect),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| stop.ask())?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("a thread of tangere ended early"));
            }
        }
    }
}

/// As [`run`], but always waited for, because the effects of the work are seen by others.
pub fn complete<T: Send>(
    py: Python<'_>,
    threads: Argument<'_, '_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = pool(threads_of(threads)?)?;
    py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(work))))
        .map_err(defect)
}

/// Why work ended that asked for more memory than there is.
struct OutOfMemory;

/// Appends to an answer that may become larger than memory. Where it does, work
/// ends at once and Python raises `MemoryError`; a plain `push` would end the
/// process.
///
/// To unwind is the one way out of a visit that has no other end, and no panic:
/// nothing is printed.
#[inline]
pub fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() && items.try_reserve(1).is_err() {
        // What there is goes first: its memory is what others need.
        *items = Vec::new();
        resume_unwind(Box::new(OutOfMemory));
    }
    items.push(item);
}

/// A panic is a defect of this package and says so.
fn defect(panic: Box<dyn Any + Send>) -> PyErr {
    if panic.is::<OutOfMemory>() {
        return PyMemoryError::new_err("the answer is larger than the memory left");
    }
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown");
    PyRuntimeError::new_err(format!("internal error, please report it: {message}"))
}
