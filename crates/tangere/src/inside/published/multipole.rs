//! Settings of the fast multipole method as published: degree of expansions, separation of clusters
//! and depth of the trees. muth2006, section 2.1.
//!
//! | setting | in the paper | default |
//! |---|---|---|
//! | degree | `p` of eq. (13), the same for all expansions | log N, for N triangles |
//! | separation | `d` of eq. (16) | 1.5 |
//! | depth | `L`, the same for both trees | pre-chosen |
//!
//! With these settings the clusters of triangles and the cells of points are octrees of one depth
//! (`multipole/level_tree.rs`), chosen as in the paper (`multipole/tree_depth.rs`), instead of
//! adaptive trees with degrees that follow from the error.
//!
//! *Deviates:* the error bound of each point counts. Where it leaves the side open the point is
//! evaluated again, and where it exceeds the accuracy of winding numbers too; so sides and winding
//! numbers are those of all other methods, whatever the settings. An accuracy near 1 leaves winding
//! numbers as the expansions have them.

use crate::error::{Argument, Error, Result};
use crate::inside::{MultipoleSettings, MultipoleTrees};
use crate::settings::builders;
use std::fmt;
use std::str::FromStr;

/// The depth of the two trees of the multipole method as published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PublishedDepth {
    /// Well chosen (WC): balances set-up and evaluation. It follows from the triangles and the
    /// number of points, which must be known before.
    WellChosen,
    /// Pre-chosen (PC): clusters have about log^2 N triangles if the surface has N.
    #[default]
    PreChosen,
    /// This number of levels below the root.
    Levels(u32),
}

impl fmt::Display for PublishedDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PublishedDepth::WellChosen => f.pad("well-chosen"),
            PublishedDepth::PreChosen => f.pad("pre-chosen"),
            PublishedDepth::Levels(levels) => write!(f, "{levels}"),
        }
    }
}

impl FromStr for PublishedDepth {
    type Err = Error;

    /// Reads `well-chosen` (or `worst`, for WC), `pre-chosen` (or `practical`, for PC), or a number
    /// of levels.
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "well-chosen" | "worst" => Ok(PublishedDepth::WellChosen),
            "pre-chosen" | "practical" => Ok(PublishedDepth::PreChosen),
            _ => text.parse().map(PublishedDepth::Levels).map_err(|_| {
                let expected = "well-chosen, pre-chosen or a number of levels";
                Error::argument(Argument::MultipoleDepth, format!("{text:?}"), expected)
            }),
        }
    }
}

/// Settings of the multipole method as published, instead of adaptive trees.
///
/// ```
/// use tangere::generate;
/// use tangere::inside::{
///     Inside, InsideSettings, InsideTest, Method, PublishedDepth, PublishedMultipole, Side,
/// };
///
/// let published = PublishedMultipole::default()
///     .with_degree(8)
///     .with_depth(PublishedDepth::Levels(2));
/// let settings = InsideSettings::default().with_method(Method::Multipole);
/// let mut test = Inside::new(settings.with_multipole(published))?;
/// test.update(&generate::sphere(3)?)?;
/// let mut sides = Vec::new();
/// test.classify(&[[0.0; 3], [0.9, 0.9, 0.0]], &mut sides)?;
/// assert_eq!(sides, [Side::Inside, Side::Outside]);
/// assert!(test.reason().starts_with("fast multipoles of degree 8 on 2 levels"));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedMultipole {
    /// The degree of all expansions; log N for N triangles if `None`.
    pub degree: Option<usize>,
    /// The number `d` of eq. (16): a cluster and a cell are far from each other if the distance of
    /// their centres exceeds `d + 1` times the larger radius. Above 1.
    pub separation: f64,
    /// The depth of the trees.
    pub depth: PublishedDepth,
}

impl Default for PublishedMultipole {
    fn default() -> Self {
        PublishedMultipole {
            degree: None,
            separation: MultipoleSettings::default().separation,
            depth: PublishedDepth::default(),
        }
    }
}

builders! {
    PublishedMultipole {
        /// Sets the degree of all expansions; log N for N triangles if `None`.
        with_degree(degree: impl Into<Option<usize>>),
        /// Sets the number `d` of eq. (16), above 1.
        with_separation(separation: f64),
        /// Sets the depth of the trees.
        with_depth(depth: PublishedDepth),
    }
}

impl PublishedMultipole {
    /// The settings of the multipole method that these are, for so many points.
    pub(in crate::inside) fn settings(self, points: Option<usize>) -> Result<MultipoleSettings> {
        let trees = match (self.depth, points) {
            (PublishedDepth::PreChosen, _) => MultipoleTrees::PreChosen,
            (PublishedDepth::Levels(levels), _) => MultipoleTrees::Depth(levels),
            (PublishedDepth::WellChosen, Some(points)) => MultipoleTrees::WellChosen { points },
            (PublishedDepth::WellChosen, None) => {
                let expected = "a number of points that is known before, or another depth";
                let found = "well-chosen without it";
                return Err(Error::argument(Argument::MultipoleDepth, found, expected));
            }
        };
        Ok(MultipoleSettings::default()
            .with_trees(trees)
            .with_degree(self.degree)
            .with_separation(self.separation))
    }
}
