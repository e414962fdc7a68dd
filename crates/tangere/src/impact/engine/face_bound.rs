//! Lower bound of the time of impact of two faces by AABBs, k-DOPs or OBBs built on the fly
//! (`aragon2013`, 3.2.1 to 3.2.4).
//!
//! Each of these polytopes is an intersection of slabs. Along the normal of each slab the gap of
//! both faces bounds the time of impact; the axis along which the gap closes last gives the bound.
//! Slabs are computed from the corners of the faces, so no volume is stored. Eight faces of one
//! body are tested at once, in lanes.

use super::gap_bound::U;
use super::lane_vectors::{across, length, product, turned, unit, vector_product};
use super::last_axis::LikelyLastAxis;
use super::mover::Mover;
use super::relative_frame::{RelativeFrame, Side};
use crate::geometry::vector::{cross, direction, minus};
use crate::simd::{LANES, One, RealKernel, Reals, run_one, run_reals};

/// Kind of bounding volume of single faces. The volumes of two faces are compared before the narrow
/// phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refinement {
    /// No bounding volumes of single faces: only those of the hierarchy are compared.
    None,
    /// Axis-aligned bounding boxes.
    Aabb,
    /// Slabs along 7 directions: the coordinate axes, and the directions from the centre of a cube
    /// to its corners.
    Dop14,
    /// Slabs along 9 directions: the coordinate axes, and the directions from the centre of a cube
    /// to the midpoints of its edges.
    Dop18,
    /// Slabs along 13 directions: the coordinate axes, and the directions from the centre of a cube
    /// to its corners and to the midpoints of its edges.
    Dop26,
    /// Oriented bounding boxes along an edge and the normal of each face.
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
    /// All six kinds of bounding volume of single faces, from the loosest to the tightest.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Aabb,
        Self::Dop14,
        Self::Dop18,
        Self::Dop26,
        Self::Obb,
    ];

    /// The name of the volumes of the face bound: `"none"`, `"aabb"`, `"14-dop"`, `"18-dop"`,
    /// `"26-dop"` or `"obb"`.
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

    /// The slab axes of the face bound that do not depend on the faces, as unit vectors, in up to
    /// three groups: coordinate axes, then directions to the corners and to the edges of a cube.
    /// Empty for OBBs and [`Self::None`].
    pub(super) fn directions(self) -> &'static [&'static [[f64; 3]]] {
        match self {
            Self::None | Self::Obb => &[],
            Self::Aabb => &[&AXES],
            Self::Dop14 => &[&AXES, &CORNERS],
            Self::Dop18 => &[&AXES, &EDGES],
            Self::Dop26 => &[&AXES, &CORNERS, &EDGES],
        }
    }

    /// Face bound of eight faces of body `of`: how long the volume of each stays separated from the
    /// volume of face `other` of the other body, counted from the time of the frame.
    pub(super) fn separated_for(
        self,
        frame: &RelativeFrame,
        movers: [&Mover; 2],
        of: usize,
        faces: [u32; LANES],
        other: u32,
    ) -> [f64; LANES] {
        run_reals(self.of(frame, movers, of, faces, other))
    }

    /// Face bound of two faces: how long their volumes stay separated, counted from the time of the
    /// frame.
    pub(super) fn pair_separated_for(
        self,
        frame: &RelativeFrame,
        movers: [&Mover; 2],
        [a, b]: [u32; 2],
    ) -> f64 {
        run_one(self.of(frame, movers, 0, [a; LANES], b))[0]
    }

    /// The SIMD kernel of the face bound for faces of body `of` and face `other` of the other body.
    fn of<'a>(
        self,
        frame: &'a RelativeFrame,
        movers: [&'a Mover; 2],
        of: usize,
        faces: [u32; LANES],
        other: u32,
    ) -> Refined<'a> {
        Refined {
            refinement: self,
            frame,
            movers,
            of,
            faces,
            other,
        }
    }
}

/// SIMD kernel of the face bound: tests the volumes of eight faces of body `of` against the volume
/// of face `other` of the other body.
struct Refined<'a> {
    refinement: Refinement,
    frame: &'a RelativeFrame,
    movers: [&'a Mover; 2],
    of: usize,
    faces: [u32; LANES],
    other: u32,
}

/// Eight moving faces of a body in lanes: positions and velocities of their corners, relative to
/// the centre of the other body.
struct Faces<V> {
    corners: [[V; 3]; 3],
    velocities: [[V; 3]; 3],
    /// For each of the eight faces, an upper bound of the acceleration of a corner relative to the
    /// centre of its body.
    bend: V,
}

impl<V: Reals> Faces<V> {
    /// The moving faces of a body in lanes, for the face bound; `motion` is position and velocity
    /// of the body relative to the other.
    #[inline(always)]
    fn new(mover: &Mover, side: &Side, faces: [u32; LANES], motion: [[f64; 3]; 2]) -> Self {
        let inner = &*mover.body.shape.inner;
        let zero = V::splat(0.0);
        let (mut corners, mut velocities) = ([[zero; 3]; 3], [[zero; 3]; 3]);
        let mut farthest = zero;
        for i in 0..3 {
            let (mut points, mut rates) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
            for lane in 0..LANES {
                let v = inner.faces[faces[lane] as usize][i] as usize;
                for k in 0..3 {
                    points[k][lane] = inner.points[v][k];
                }
                if let Some(deformation) = &mover.body.deformation {
                    for k in 0..3 {
                        rates[k][lane] = deformation.rates[v][k];
                    }
                }
            }
            let (mut arm, mut velocity) = ([zero; 3], [zero; 3]);
            for k in 0..3 {
                velocity[k] = V::load(&rates[k]);
                let position = V::load(&points[k]) - V::splat(side.center[k]);
                arm[k] = velocity[k].mul_add(V::splat(side.elapsed), position);
            }
            let middle = turned(&side.axes, &arm);
            if side.turning > 0.0 {
                velocity = across(&side.spin, &middle);
                farthest = farthest.max(length(&arm));
            }
            for k in 0..3 {
                corners[i][k] = V::splat(motion[0][k]) + middle[k];
                velocities[i][k] = V::splat(motion[1][k]) + velocity[k];
            }
        }
        Faces {
            corners,
            velocities,
            bend: farthest * V::splat(side.turning * side.turning * (1.0 + 16.0 * U)),
        }
    }
}

/// Eight faces of one body in lanes, and one face of the other body, repeated in all lanes.
struct Both<V> {
    own: Faces<V>,
    corners: [[V; 3]; 3],
    velocities: [[V; 3]; 3],
    /// The distance at which the faces count as touching, plus a bound of rounding errors. The
    /// distance is the separation that the engine settings give, plus the radius of each body that
    /// is a ball.
    closed: V,
    /// Acceleration of the body of the eight faces relative to the other body.
    acceleration: [f64; 3],
    bend: V,
}

impl<V: Reals> Both<V> {
    /// Updates the face bound of moving faces by their gaps along the axes `n`, one in each lane.
    /// An axis may point from either body to the other. A degenerate axis is NaN and changes
    /// nothing.
    #[inline(always)]
    fn consider(&self, n: [V; 3], likeliest: &mut LikelyLastAxis<V>) {
        let zero = V::splat(0.0);
        let ([own_least, own_most], [least, most]) =
            (ends(&n, &self.own.corners), ends(&n, &self.corners));
        let (ahead, behind) = (own_least - most, least - own_most);
        let is_behind = ahead.below(behind);
        let gap = V::select(is_behind, behind, ahead) - self.closed;
        if V::bits(zero.below(gap)) == 0 {
            return;
        }
        let ([own_least, own_most], [least, most]) =
            (ends(&n, &self.own.velocities), ends(&n, &self.velocities));
        let rate = V::select(is_behind, least - own_most, own_least - most);
        let a = product(&self.acceleration, &n);
        likeliest.consider(gap, rate, V::select(is_behind, zero - a, a) - self.bend);
    }
}

/// The least and the largest dot product of each axis of the face bound with three vectors: the
/// corners of a moving face, or their velocities.
#[inline(always)]
fn ends<V: Reals>(n: &[V; 3], v: &[[V; 3]; 3]) -> [V; 2] {
    let mut along = [V::splat(0.0); 3];
    for i in 0..3 {
        along[i] = n[2].mul_add(v[i][2], n[1].mul_add(v[i][1], n[0] * v[i][0]));
    }
    let [x, y, z] = along;
    [x.min(y).min(z), x.max(y).max(z)]
}

impl RealKernel for Refined<'_> {
    type Output = [f64; LANES];

    /// The face bound in lanes, along the fixed axes and, for OBBs, those of the faces.
    #[inline(always)]
    fn run<V: Reals>(self) -> [f64; LANES] {
        let (frame, of) = (self.frame, self.of);
        let to_b = if of == 1 { 1.0 } else { -1.0 };
        let motion = [frame.away, frame.velocity].map(|v| v.map(|x| to_b * x));
        let own = Faces::<V>::new(self.movers[of], &frame.sides[of], self.faces, motion);
        let other_side = &frame.sides[1 - of];
        let at = [self.other; LANES];
        let one = Faces::<One>::new(self.movers[1 - of], other_side, at, [[0.0; 3]; 2]);
        let zero = V::splat(0.0);
        let (mut corners, mut velocities) = ([[zero; 3]; 3], [[zero; 3]; 3]);
        for i in 0..3 {
            for k in 0..3 {
                corners[i][k] = V::splat(one.corners[i][k].0);
                velocities[i][k] = V::splat(one.velocities[i][k].0);
            }
        }
        let radii = self.movers.map(|m| m.body.shape.inner.radius);
        let closed = V::splat(radii[0] + radii[1] + frame.separation + frame.slack);
        let acceleration = frame.acceleration.map(|x| to_b * x);
        let bend = own.bend + V::splat(one.bend.0);
        let both = Both {
            own,
            corners,
            velocities,
            closed,
            acceleration,
            bend,
        };
        let turning = frame.sides[0].turning.max(frame.sides[1].turning);
        let mut likeliest = LikelyLastAxis::new(turning);
        for directions in self.refinement.directions() {
            for n in *directions {
                both.consider(
                    [V::splat(n[0]), V::splat(n[1]), V::splat(n[2])],
                    &mut likeliest,
                );
            }
        }
        if self.refinement == Refinement::Obb {
            let t = [0, 1, 2].map(|i: usize| one.corners[i].map(|x| x.0));
            let (u, v) = (minus(t[1], t[0]), minus(t[2], t[0]));
            let normal = cross(u, v);
            for n in [normal, u, cross(normal, u)]
                .into_iter()
                .filter_map(direction)
            {
                both.consider(
                    [V::splat(n[0]), V::splat(n[1]), V::splat(n[2])],
                    &mut likeliest,
                );
            }
            for n in axes(&both.own.corners) {
                both.consider(n, &mut likeliest);
            }
        }
        let mut times = [0.0; LANES];
        likeliest.closing_times().store(&mut times);
        times
    }
}

/// Axes of the OBBs of moving faces, for the face bound: an edge, the normal and their cross
/// product.
#[inline(always)]
fn axes<V: Reals>(t: &[[V; 3]; 3]) -> [[V; 3]; 3] {
    let zero = V::splat(0.0);
    let (mut u, mut v) = ([zero; 3], [zero; 3]);
    for k in 0..3 {
        (u[k], v[k]) = (t[1][k] - t[0][k], t[2][k] - t[0][k]);
    }
    let u = unit(u);
    let normal = unit(vector_product(&u, &v));
    [normal, u, vector_product(&normal, &u)]
}
