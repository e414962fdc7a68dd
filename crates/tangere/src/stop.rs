//! Cancellation of a query from another thread.
//!
//! Run a query [`during`](Stop::during) a [`Stop`], and keep a clone of the stop. Long loops check
//! it chunk by chunk. Once the stop is requested, the query returns [`Error::Stopped`] without a
//! result. The object that was queried stays valid and can be queried again.

use crate::error::{Error, Result};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The stop that can cancel the work on this thread.
    static CURRENT: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// Cancels work from another thread.
///
/// ```
/// use tangere::inside::{InsideSettings, InsideTest, RayTree};
/// use tangere::{Error, generate, stop::Stop};
///
/// let mut test = RayTree::new(InsideSettings::default())?;
/// test.update(&generate::sphere(2)?)?;
/// let (stop, mut sides) = (Stop::new(), Vec::new());
/// stop.request(); // Usually from another thread.
/// let stopped = stop.during(|| test.classify(&[[0.0; 3]], &mut sides));
/// assert_eq!((stopped, sides.len()), (Err(Error::Stopped), 0));
/// test.classify(&[[0.0; 3]], &mut sides)?;
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop {
    requested: Arc<AtomicBool>,
}

impl Stop {
    /// Returns a stop that is not yet requested.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests the stop, permanently.
    pub fn request(&self) {
        self.requested.store(true, Ordering::Relaxed);
    }

    /// Returns whether the stop was requested.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// Runs work that this stop can cancel: queries started by `work` on this thread, also where
    /// other threads execute them.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Restores the previous stop, also after a panic.
        struct Before(Option<Stop>);
        impl Drop for Before {
            fn drop(&mut self) {
                CURRENT.replace(self.0.take());
            }
        }
        let _before = Before(CURRENT.replace(Some(self.clone())));
        work()
    }
}

/// Returns whether a stop of the work on this thread was requested. Loops over many queries check
/// this between queries.
///
/// ```
/// use tangere::stop::{self, Stop};
///
/// let stop = Stop::new();
/// stop.request();
/// assert!(stop.during(stop::is_requested) && !stop::is_requested());
/// ```
pub fn is_requested() -> bool {
    CURRENT.with_borrow(|stop| stop.as_ref().is_some_and(Stop::is_requested))
}

/// The stop that a query checks. It is read on the thread that starts the query, because worker
/// threads may belong to other work.
#[derive(Clone, Debug)]
pub(crate) struct Current(Option<Stop>);

impl Current {
    /// Returns the stop of the work on this thread.
    pub(crate) fn new() -> Self {
        Current(CURRENT.with_borrow(Clone::clone))
    }

    /// Returns whether the stop of the query was requested.
    #[inline]
    pub(crate) fn is_requested(&self) -> bool {
        self.0.as_ref().is_some_and(Stop::is_requested)
    }

    /// Returns [`Error::Stopped`] if the stop of the query was requested. It is called at the end
    /// of a query, whose result may be incomplete.
    pub(crate) fn checked(&self) -> Result<()> {
        match self.is_requested() {
            true => Err(Error::Stopped),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_that_of_the_work_within() {
        let (outer, inner) = (Stop::new(), Stop::new());
        inner.request();
        assert_eq!(Current::new().checked(), Ok(()));
        outer.during(|| {
            assert_eq!(Current::new().checked(), Ok(()));
            let seen = inner.during(|| Current::new().checked());
            assert_eq!(seen, Err(Error::Stopped));
            let panicked = std::panic::catch_unwind(|| {
                inner.during(|| std::panic::resume_unwind(Box::new(())))
            });
            assert!(panicked.is_err());
            assert_eq!(Current::new().checked(), Ok(()));
            outer.request();
            assert_eq!(Current::new().checked(), Err(Error::Stopped));
            let elsewhere = std::thread::spawn(|| Current::new().checked());
            assert_eq!(elsewhere.join().unwrap(), Ok(()));
        });
        assert_eq!(Current::new().checked(), Ok(()));
    }
}
