//! State that several Python threads use in turn: a lock whose waiters react to Ctrl-C.

use std::cell::Cell;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::run::run_on;

/// A state that one thread at a time may take, and the condition variable that signals its return.
pub struct SharedState<T> {
    state: Mutex<Option<T>>,
    returned: Condvar,
}

impl<T: Send + 'static> SharedState<T> {
    /// Returns a state that is free.
    pub fn new(state: T) -> Arc<Self> {
        Arc::new(SharedState {
            state: Mutex::new(Some(state)),
            returned: Condvar::new(),
        })
    }

    /// Waits until the state is free, and calls `read` with it.
    pub fn read<R>(
        self: &Arc<Self>,
        py: Python<'_>,
        read: impl FnOnce(&mut T) -> R,
    ) -> PyResult<R> {
        Ok(read(self.taken(py)?.state()))
    }

    /// Waits until the state is free, and calls `work` with it, without the GIL on a pool of
    /// `threads` threads.
    pub fn work<R: Send + 'static>(
        self: &Arc<Self>,
        py: Python<'_>,
        threads: usize,
        work: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> PyResult<R> {
        let mut taken = self.taken(py)?;
        run_on(py, threads, move || work(taken.state()))
    }

    /// Waits until the state is free, and takes it. The caller's own thread waits, not a thread of
    /// a pool, which the work of another caller may need.
    pub fn taken(self: &Arc<Self>, py: Python<'_>) -> PyResult<StateGuard<T>> {
        /// The interval at which a waiting thread checks for signals, such as Ctrl-C.
        const SIGNALS: Duration = Duration::from_millis(50);
        if IS_INSIDE.get() {
            return Err(PyRuntimeError::new_err(
                "the object is in use by the call that called this function: use the arguments that it was given",
            ));
        }
        loop {
            let state = py.detach(|| {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = self
                    .returned
                    .wait_timeout_while(state, SIGNALS, |state| state.is_none());
                wait.unwrap_or_else(PoisonError::into_inner).0.take()
            });
            if state.is_some() {
                let shared = self.clone();
                return Ok(StateGuard { state, shared });
            }
            py.check_signals()?;
        }
    }
}

thread_local! {
    /// Whether this thread calls a Python function from within work on a shared state.
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, this thread calls a Python function from within work on a shared state: waiting for a
/// state there would never end.
pub struct Inside(bool);

impl Inside {
    pub fn new() -> Self {
        Self(IS_INSIDE.replace(true))
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        IS_INSIDE.set(self.0);
    }
}

/// Exclusive access to a shared state. Dropping the guard frees the state, also at the end of work
/// whose caller was interrupted.
pub struct StateGuard<T> {
    /// The state; `None` only while the guard is dropped.
    state: Option<T>,
    shared: Arc<SharedState<T>>,
}

impl<T> StateGuard<T> {
    /// Returns the state.
    pub fn state(&mut self) -> &mut T {
        match &mut self.state {
            Some(state) => state,
            None => unreachable!("a guard has its state until it is dropped"),
        }
    }
}

impl<T> Drop for StateGuard<T> {
    fn drop(&mut self) {
        let mut state = (self.shared.state.lock()).unwrap_or_else(PoisonError::into_inner);
        *state = self.state.take();
        drop(state);
        self.shared.returned.notify_one();
    }
}
