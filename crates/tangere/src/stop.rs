//! Work that ends early because nobody waits for it any more.
//!
//! Whoever starts a question does so [`during`](Stop::during) a stop, and keeps the
//! stop. Long loops look at it chunk by chunk, and once it was asked for, a question
//! that is under way ends in [`Error::Stopped`], without an answer. What was set up
//! before stays as it was, and may be asked again.

use crate::error::{Error, Result};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The stop of the work that this thread does.
    static CURRENT: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// Ends work from another thread.
///
/// ```
/// use tangere::inside::{InsideSettings, InsideTest, RayTree};
/// use tangere::{Error, generate, stop::Stop};
///
/// let mut test = RayTree::new(InsideSettings::default())?;
/// test.update(&generate::sphere(2)?)?;
/// let (stop, mut sides) = (Stop::new(), Vec::new());
/// stop.ask(); // As a rule another thread does.
/// let asked = stop.during(|| test.classify(&[[0.0; 3]], &mut sides));
/// assert_eq!((asked, sides.len()), (Err(Error::Stopped), 0));
/// test.classify(&[[0.0; 3]], &mut sides)?;
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop {
    asked: Arc<AtomicBool>,
}

impl Stop {
    /// A stop that has not been asked for.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks work to end, for good.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Whether work is to end.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Does work that ends early if asked to: questions that are asked within, on this
    /// thread, whichever threads then answer them.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Puts back what was there, after a panic as well.
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

/// Whether the work that this thread does is to end: what loops over many questions look at
/// between them.
///
/// ```
/// use tangere::stop::{self, Stop};
///
/// let stop = Stop::new();
/// stop.ask();
/// assert!(stop.during(stop::is_asked) && !stop::is_asked());
/// ```
pub fn is_asked() -> bool {
    CURRENT.with_borrow(|stop| stop.as_ref().is_some_and(Stop::is_asked))
}

/// What a question looks at while it is answered. It is taken where the question is
/// asked: threads that help may have been lent by other work.
#[derive(Clone, Debug)]
pub(crate) struct Current(Option<Stop>);

impl Current {
    /// That of the work that this thread does.
    pub(crate) fn new() -> Self {
        Current(CURRENT.with_borrow(Clone::clone))
    }

    /// Whether the rest may be left undone.
    #[inline]
    pub(crate) fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(Stop::is_asked)
    }

    /// The end of a question whose rest may have been left undone.
    pub(crate) fn checked(&self) -> Result<()> {
        match self.is_asked() {
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
        inner.ask();
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
            outer.ask();
            assert_eq!(Current::new().checked(), Err(Error::Stopped));
            let elsewhere = std::thread::spawn(|| Current::new().checked());
            assert_eq!(elsewhere.join().unwrap(), Ok(()));
        });
        assert_eq!(Current::new().checked(), Ok(()));
    }
}
