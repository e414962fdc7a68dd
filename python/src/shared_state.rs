//! A state that several threads of Python use in turn.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::run::run_on;

/// Where the state is while nobody works with it.
pub struct SharedState<T> {
    state: Mutex<Option<T>>,
    returned: Condvar,
}

impl<T: Send + 'static> SharedState<T> {
    /// A state that nobody works with yet.
    pub fn new(state: T) -> Arc<Self> {
        Arc::new(SharedState {
            state: Mutex::new(Some(state)),
            returned: Condvar::new(),
        })
    }

    /// What `read` returns of the state.
    pub fn read<R>(
        self: &Arc<Self>,
        py: Python<'_>,
        read: impl FnOnce(&mut T) -> R,
    ) -> PyResult<R> {
        Ok(read(self.taken(py)?.state()))
    }

    /// What `work` returns of the state, without the GIL on so many threads.
    pub fn work<R: Send + 'static>(
        self: &Arc<Self>,
        py: Python<'_>,
        threads: usize,
        work: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> PyResult<R> {
        let mut taken = self.taken(py)?;
        run_on(py, threads, move || work(taken.state()))
    }

    /// The state, once nobody else has it. Whoever waits holds no thread of a
    /// pool, which another's work may need.
    pub fn taken(self: &Arc<Self>, py: Python<'_>) -> PyResult<StateGuard<T>> {
        /// How often signals are looked at.
        const SIGNALS: Duration = Duration::from_millis(50);
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

/// A state that goes back when it is dropped, also where work was abandoned.
pub struct StateGuard<T> {
    /// There until it is dropped.
    state: Option<T>,
    shared: Arc<SharedState<T>>,
}

impl<T> StateGuard<T> {
    /// The state.
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
