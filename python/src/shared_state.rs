//! A state that several threads of Python use in turn.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::run::run_on;

/// Where the state is while nobody works with it.
pub struct Slot<T> {
    state: Mutex<Option<T>>,
    returned: Condvar,
}

impl<T: Send + 'static> Slot<T> {
    /// A state that nobody works with yet.
    pub fn new(state: T) -> Arc<Self> {
        Arc::new(Slot {
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
    pub fn taken(self: &Arc<Self>, py: Python<'_>) -> PyResult<Taken<T>> {
        /// How often signals are looked at.
        const SIGNALS: Duration = Duration::from_millis(50);
        loop {
            let state = py.detach(|| {
                let slot = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = self
                    .returned
                    .wait_timeout_while(slot, SIGNALS, |state| state.is_none());
                wait.unwrap_or_else(PoisonError::into_inner).0.take()
            });
            if state.is_some() {
                let slot = self.clone();
                return Ok(Taken { state, slot });
            }
            py.check_signals()?;
        }
    }
}

/// A state that goes back when it is dropped, also where work was abandoned.
pub struct Taken<T> {
    /// There until it is dropped.
    state: Option<T>,
    slot: Arc<Slot<T>>,
}

impl<T> Taken<T> {
    /// The state.
    pub fn state(&mut self) -> &mut T {
        match &mut self.state {
            Some(state) => state,
            None => unreachable!("a state is taken with its slot"),
        }
    }
}

impl<T> Drop for Taken<T> {
    fn drop(&mut self) {
        let mut slot = (self.slot.state.lock()).unwrap_or_else(PoisonError::into_inner);
        *slot = self.state.take();
        drop(slot);
        self.slot.returned.notify_one();
    }
}
