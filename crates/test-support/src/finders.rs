//! Broad-phase finders of all methods, for tests that compare them.

use tangere::pairs::{Method, PairFinder, PairSettings, Shells, finder};

/// A finder and its name.
pub type Named<const D: usize> = (&'static str, Box<dyn PairFinder<D>>);

/// Brute force, then all other methods, and shells as published.
pub fn methods<const D: usize>(settings: PairSettings<D>) -> Vec<Named<D>> {
    const VALID: &str = "valid settings";
    let named = |method: Method| (method.name(), finder(method, settings).expect(VALID));
    let others = Method::ALL.into_iter().filter(|&m| m != Method::Brute);
    let mut methods: Vec<Named<D>> = std::iter::once(Method::Brute)
        .chain(others)
        .map(named)
        .collect();
    let corner = Shells::from_corner(settings).expect(VALID);
    methods.push(("corner", Box::new(corner)));
    methods
}
