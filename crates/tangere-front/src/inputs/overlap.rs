//! Settings of sphere packings, and the budget of a search for the penetration volume.

use std::time::Duration;
use tangere::overlap::pack::PackSettings;
use tangere::overlap::{Budget, Method};
use tangere::{Argument, Error, Result};

/// Default number of spheres of a sphere packing.
pub const SPHERES: usize = 4000;

/// Returns the settings of a sphere packing. The default settings, which have no limit, are
/// replaced by a limit of [`SPHERES`] spheres; others are returned unchanged.
pub fn with_default_limit(settings: PackSettings) -> PackSettings {
    match settings == PackSettings::default() {
        true => PackSettings::spheres(SPHERES),
        false => settings,
    }
}

/// Returns the budget of the search for the penetration volume at each pose, in microseconds or in
/// units of work. `None` if neither is given.
///
/// # Errors
/// When both are given, microseconds are not above 0 or exceed 1e12, or the method cannot stop
/// early.
pub fn budget(
    microseconds: Option<f64>,
    work: Option<u64>,
    method: Method,
) -> Result<Option<Budget>> {
    let budget = match (microseconds, work) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => {
            let found = "another budget beside it";
            return Err(Error::argument(
                Argument::BudgetWork,
                found,
                "one of the two",
            ));
        }
        (Some(t), None) if t > 0.0 && t <= 1e12 => Budget::Time(Duration::from_secs_f64(1e-6 * t)),
        (Some(t), None) => {
            let expected = "microseconds, more than 0 and at most 1e12";
            return Err(Error::argument(Argument::BudgetUs, t, expected));
        }
        (None, Some(work)) => Budget::Work(work),
    };
    match method {
        Method::Auto | Method::Grid => Ok(Some(budget)),
        method => {
            let (found, expected) = (
                format!("{method} with a budget"),
                "auto or grid, which can end early",
            );
            Err(Error::argument(Argument::Method, found, expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_for_methods_that_end_early() {
        let time = Budget::Time(Duration::from_micros(5));
        assert_eq!(budget(None, None, Method::Brute), Ok(None));
        assert_eq!(budget(Some(5.0), None, Method::Auto), Ok(Some(time)));
        assert_eq!(
            budget(None, Some(7), Method::Grid),
            Ok(Some(Budget::Work(7)))
        );
        let refused = |us, work, method| match budget(us, work, method) {
            Err(Error::Argument { what, .. }) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(Some(5.0), None, Method::Brute), Argument::Method);
        assert_eq!(
            refused(Some(5.0), Some(1), Method::Auto),
            Argument::BudgetWork
        );
        for bad in [0.0, -1.0, 2e12, f64::NAN, f64::INFINITY] {
            assert_eq!(refused(Some(bad), None, Method::Auto), Argument::BudgetUs);
        }
    }

    #[test]
    fn packings_end() {
        assert_eq!(
            with_default_limit(PackSettings::default()).spheres,
            Some(SPHERES)
        );
        let some = PackSettings {
            filling: Some(0.5),
            ..PackSettings::default()
        };
        assert_eq!(with_default_limit(some), some);
    }
}
