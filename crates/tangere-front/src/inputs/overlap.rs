//! Packings of bodies, and how much a search of their overlap may take.

use std::path::Path;
use std::time::Duration;
use tangere::overlap::pack::PackSettings;
use tangere::overlap::{Budget, Method};

/// So many spheres are packed if nothing else ends the packing.
pub const SPHERES: usize = 4000;

/// The settings, or [`SPHERES`] if they end nothing.
pub fn ending(settings: PackSettings) -> PackSettings {
    match settings == PackSettings::default() {
        true => PackSettings::spheres(SPHERES),
        false => settings,
    }
}

/// Whether two names are those of one file.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// An argument that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its name in Python; that of the option has dashes.
    pub name: &'static str,
    /// What was found.
    pub found: String,
    /// What would have been accepted.
    pub expected: &'static str,
}

/// How much the search of each pose may take: microseconds or units of work.
///
/// # Errors
/// When both are given, microseconds are not more than 0 and at most 1e12, or the method is none
/// that can end early.
pub fn budget(
    microseconds: Option<f64>,
    work: Option<u64>,
    method: Method,
) -> Result<Option<Budget>, Refused> {
    let refused = |name, found: String, expected| {
        Err(Refused {
            name,
            found,
            expected,
        })
    };
    let budget = match (microseconds, work) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => {
            return refused(
                "budget_work",
                "budget_us beside it".into(),
                "one of the two",
            );
        }
        (Some(t), None) if t > 0.0 && t <= 1e12 => Budget::Time(Duration::from_secs_f64(1e-6 * t)),
        (Some(t), None) => {
            let expected = "microseconds, more than 0 and at most 1e12";
            return refused("budget_us", t.to_string(), expected);
        }
        (None, Some(work)) => Budget::Work(work),
    };
    match method {
        Method::Auto | Method::Grid => Ok(Some(budget)),
        method => refused(
            "method",
            format!("{method} with a budget"),
            "auto or grid, which can end early",
        ),
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
        let name = |budget: Result<_, Refused>| budget.unwrap_err().name;
        assert_eq!(name(budget(Some(5.0), None, Method::Brute)), "method");
        assert_eq!(
            name(budget(Some(5.0), Some(1), Method::Auto)),
            "budget_work"
        );
        for bad in [0.0, -1.0, 2e12, f64::NAN, f64::INFINITY] {
            assert_eq!(name(budget(Some(bad), None, Method::Auto)), "budget_us");
        }
    }

    #[test]
    fn packings_end() {
        assert_eq!(ending(PackSettings::default()).spheres, Some(SPHERES));
        let some = PackSettings {
            filling: Some(0.5),
            ..PackSettings::default()
        };
        assert_eq!(ending(some), some);
    }
}
