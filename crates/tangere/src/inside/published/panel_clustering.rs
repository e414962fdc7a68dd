//! Settings of panel clustering: Taylor expansions of the kernel instead of spherical harmonics.
//! `muth2006`, section 2.1.2, after Hackbusch and Nowak (1989).
//!
//! | setting | in the paper | default |
//! |---|---|---|
//! | degree | highest degree of the Taylor series | log N, for N triangles |
//! | separation | `d` of eq. (16), for a cell that is the point alone | 1.5 |
//!
//! The method itself is in `multipole/panel_clustering.rs`: it shares the clusters of the fast multipole
//! method, and the evaluation of points that the error bound leaves open.

use crate::inside::{MultipoleSettings, MultipoleTrees};
use crate::settings::builders;

/// Settings of panel clustering, for [`Method::PanelClustering`](crate::inside::Method::PanelClustering).
///
/// ```
/// use tangere::generate;
/// use tangere::inside::{Inside, InsideSettings, InsideTest, Method, PublishedPanels, Side};
///
/// let settings = InsideSettings::default().with_method(Method::PanelClustering);
/// let panels = PublishedPanels::default().with_degree(6);
/// let mut test = Inside::new(settings.with_panels(panels))?;
/// test.update(&generate::sphere(3)?)?;
/// let mut sides = Vec::new();
/// test.classify(&[[0.0; 3], [0.9, 0.9, 0.0]], &mut sides)?;
/// assert_eq!(sides, [Side::Inside, Side::Outside]);
/// assert!(test.reason().starts_with("panel clustering by Taylor expansions of degree 6, 84 terms"));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedPanels {
    /// The degree of all Taylor expansions, up to [`PublishedPanels::DEGREE_MAX`]; log N for N
    /// triangles if `None`.
    pub degree: Option<usize>,
    /// The number `d` of eq. (16): a cluster is far from a point if the distance of its centre exceeds
    /// `d + 1` times its radius. Above 1.
    pub separation: f64,
}

impl Default for PublishedPanels {
    fn default() -> Self {
        PublishedPanels {
            degree: None,
            separation: MultipoleSettings::default().separation,
        }
    }
}

builders! {
    PublishedPanels {
        /// Sets the degree of all Taylor expansions; log N for N triangles if `None`.
        with_degree(degree: impl Into<Option<usize>>),
        /// Sets the number `d` of eq. (16), above 1.
        with_separation(separation: f64),
    }
}

impl PublishedPanels {
    /// The largest degree of Taylor expansions: beyond it terms of one degree lose too many digits as
    /// they cancel.
    pub const DEGREE_MAX: usize = 20;

    /// The settings of the multipole method that these are.
    pub(in crate::inside) fn settings(self) -> MultipoleSettings {
        MultipoleSettings::default()
            .with_trees(MultipoleTrees::Panels)
            .with_degree(self.degree)
            .with_separation(self.separation)
    }
}
