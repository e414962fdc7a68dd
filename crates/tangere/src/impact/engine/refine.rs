//! Tighter volumes of leaves, made on the fly before faces themselves are touched (`aragon2013`, 3.2.1 to 3.2.4).
//!
//! Slabs along the directions of a polytope bound both faces at once, and the latest of the times at which a slab between them
//! closes bounds that of contact. They are those of the corners themselves, so no volume is stored.

use super::approach::Pair;
use super::frame::{Frame, Mover};

/// Which volumes are put around faces before their distance is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refinement {
    /// None: faces follow the volumes of the hierarchy.
    None,
    /// Boxes along the axes of the world.
    Aabb,
    /// Slabs along 7 directions: axes and corners of a cube.
    Dop14,
    /// Slabs along 9 directions: axes and edges.
    Dop18,
    /// Slabs along 13 directions: axes, corners and edges.
    Dop26,
    /// Boxes along the normals and edges of the faces.
    #[default]
    Obb,
}

const DIAGONAL: f64 = 0.577_350_269_189_625_8;
const SLANT: f64 = std::f64::consts::FRAC_1_SQRT_2;

const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

const CORNERS: [[f64; 3]; 4] = [
    [DIAGONAL, DIAGONAL, DIAGONAL],
    [DIAGONAL, DIAGONAL, -DIAGONAL],
    [DIAGONAL, -DIAGONAL, DIAGONAL],
    [-DIAGONAL, DIAGONAL, DIAGONAL],
];

const EDGES: [[f64; 3]; 6] = [
    [SLANT, SLANT, 0.0],
    [SLANT, -SLANT, 0.0],
    [SLANT, 0.0, SLANT],
    [SLANT, 0.0, -SLANT],
    [0.0, SLANT, SLANT],
    [0.0, SLANT, -SLANT],
];

impl Refinement {
    /// Every refinement, from the loosest to the tightest.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Aabb,
        Self::Dop14,
        Self::Dop18,
        Self::Dop26,
        Self::Obb,
    ];

    /// `"none"`, `"aabb"`, `"14-dop"`, `"18-dop"`, `"26-dop"` or `"obb"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Aabb => "aabb",
            Self::Dop14 => "14-dop",
            Self::Dop18 => "18-dop",
            Self::Dop26 => "26-dop",
            Self::Obb => "obb",
        }
    }

    /// The directions of slabs; those of [`Self::Obb`] are the faces' own.
    pub(super) fn fixed_directions(self) -> Option<&'static [&'static [[f64; 3]]]> {
        match self {
            Self::None => Some(&[]),
            Self::Aabb => Some(&[&AXES]),
            Self::Dop14 => Some(&[&AXES, &CORNERS]),
            Self::Dop18 => Some(&[&AXES, &EDGES]),
            Self::Dop26 => Some(&[&AXES, &CORNERS, &EDGES]),
            Self::Obb => None,
        }
    }

    /// How long the volumes of two faces stay apart.
    pub(super) fn apart(self, frame: &Frame, movers: [&Mover; 2], faces: [u32; 2]) -> f64 {
        let pair = Pair::new(frame, movers, faces);
        let apart = |n: [f64; 3]| pair.apart_loosely(n);
        match self.fixed_directions() {
            Some(sets) => {
                let directions = sets.iter().copied().flatten();
                directions.map(|&n| apart(n)).fold(0.0, f64::max)
            }
            None => pair.frames().map(apart).fold(0.0, f64::max),
        }
    }
}
