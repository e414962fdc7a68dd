//! Broad-phase finders of all methods, for tests that compare them.

use tangere::pairs::{BroadPhase, Dimension, Method, PairFinder, PairSettings, Shells, Space};

/// The name of a broad-phase method, and a finder of that method.
pub type Named<const D: usize> = (&'static str, Box<dyn PairFinder<D>>);

/// Returns one finder of each broad-phase method, with its name, brute force first. At the end is a
/// second finder of sorted distances ([`Shells`]), named `corner`. It sorts by distances to a
/// single reference point, the lower corner of the bounds (leszczynski2004).
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
