//! Broad-phase finders of all methods, for tests that compare them.

use tangere::pairs::{BroadPhase, Dimension, Method, PairFinder, PairSettings, Shells, Space};

/// A finder and its name.
pub type Named<const D: usize> = (&'static str, Box<dyn PairFinder<D>>);

/// Returns one finder of each broad-phase method, brute force first. The last, named `corner`, is
/// one more finder of sorted distances ([`Shells`]), with the paper's single reference point.
pub fn methods<const D: usize>(settings: PairSettings<D>) -> Vec<Named<D>>
where
    Space: Dimension<D>,
{
    const VALID: &str = "valid settings";
    let named = |method: Method| {
        let finder = BroadPhase::new(settings.with_method(method)).expect(VALID);
        let finder: Box<dyn PairFinder<D>> = Box::new(finder);
        (method.name(), finder)
    };
    let others = Method::ALL.into_iter().filter(|&m| m != Method::Brute);
    let mut methods: Vec<Named<D>> = std::iter::once(Method::Brute)
        .chain(others)
        .map(named)
        .collect();
    let corner = Shells::from_corner(settings).expect(VALID);
    methods.push(("corner", Box::new(corner)));
    methods
}
