//! Work outside of the interpreter: without the GIL, on a pool of threads, so
//! that Ctrl-C is heard and no panic gets out.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arguments::integer;

/// The most threads that can be asked for.
const THREADS_MAX: usize = 1024;

/// How often signals are looked at while work is waited for. Results do not
/// wait for it, only Ctrl-C does.
const SIGNALS: Duration = Duration::from_millis(50);

/// Pools by process and number of threads (0: as many as there are cores).
/// Threads do not survive `fork`, so a child process needs pools of its own.
static POOLS: Mutex<BTreeMap<(u32, usize), Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());

/// The pool with so many threads, made at its first use.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (std::process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(pool.clone());
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("tangere-{i}"))
        .build()
        .map_err(|e| PyRuntimeError::new_err(format!("cannot start threads: {e}")))?;
    let pool = Arc::new(pool);
    pools.insert(key, pool.clone());
    Ok(pool)
}

/// The argument `threads`: none for as many as there are cores.
fn thread_count(threads: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    threads.map_or(Ok(0), |threads| {
        integer(threads, "threads", 1..=THREADS_MAX as u64).map(|n| n as usize)
    })
}

/// What `work` returns, computed without the GIL on a pool of `threads`
/// threads.
///
/// A signal handler that raises, as that of Ctrl-C does, ends the wait. Work
/// cannot be stopped: it goes on in the background and its result is dropped,
/// so it must not change anything that others see.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let pool = pool(thread_count(threads)?)?;
    let (sender, mut receiver) = sync_channel(1);
    pool.spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        // Nobody receives what was abandoned.
        let _ = sender.send(result);
    });
    loop {
        // A receiver may be used by one thread at a time only.
        let receiver = &mut receiver;
        match py.detach(move || receiver.recv_timeout(SIGNALS)) {
            Ok(result) => return result.map_err(defect),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("a thread of tangere ended early"));
            }
        }
    }
}

/// What `work` returns, computed without the GIL on all cores; always waited
/// for, because its effects are seen by others.
pub fn complete<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool(0)?;
    py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(work))))
        .map_err(defect)
}

/// A panic is a defect of this package and says so.
fn defect(panic: Box<dyn Any + Send>) -> PyErr {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown");
    PyRuntimeError::new_err(format!("internal error, please report it: {message}"))
}
