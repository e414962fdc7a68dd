//! The places where a sphere may touch a surface, in a list of fixed capacity: queries allocate nothing.

use crate::vector::Vector;

/// A place where a sphere may touch the surface of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfacePoint {
    /// From the point of the surface to the centre of the sphere.
    pub way: Vector,
    /// The length of `way`.
    pub distance: f64,
    /// The radius of curvature for the effective radius: negative where the surface is hollow, infinite
    /// where it is flat. A cylinder counts twice its radius, as it is curved along one direction only.
    pub curvature_radius: f64,
    /// Which face of the region it is: contacts with different faces have histories of their own.
    pub face: u32,
    /// The velocity of the surface there, of a region that moves.
    pub velocity: Vector,
}

impl SurfacePoint {
    /// A place of a flat face at rest.
    pub(super) fn flat(way: Vector, distance: f64, face: u32) -> Self {
        Self {
            way,
            distance,
            curvature_radius: f64::INFINITY,
            face,
            velocity: [0.0; 3],
        }
    }

    /// The same with a radius of curvature.
    pub(super) fn curved(self, curvature_radius: f64) -> Self {
        Self {
            curvature_radius,
            ..self
        }
    }
}

/// A list of surface points of fixed capacity.
#[derive(Clone, Debug)]
pub struct SurfacePoints {
    points: [SurfacePoint; Self::CAPACITY],
    count: usize,
}

impl SurfacePoints {
    /// The number of points it has room for.
    pub const CAPACITY: usize = 32;

    /// An empty list.
    pub fn new() -> Self {
        Self {
            points: [SurfacePoint::default(); Self::CAPACITY],
            count: 0,
        }
    }

    /// Removes all points.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a point if there is room.
    pub(super) fn push(&mut self, point: SurfacePoint) {
        if let Some(place) = self.points.get_mut(self.count) {
            *place = point;
            self.count += 1;
        }
    }

    /// Changes the points from `first` on, and keeps those for which the function returns true.
    pub(super) fn retain_from(
        &mut self,
        first: usize,
        mut keeps: impl FnMut(&mut SurfacePoint) -> bool,
    ) {
        let mut kept = first;
        for i in first..self.count {
            let mut point = self.points[i];
            if keeps(&mut point) {
                self.points[kept] = point;
                kept += 1;
            }
        }
        self.count = kept;
    }
}

impl Default for SurfacePoints {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Deref for SurfacePoints {
    type Target = [SurfacePoint];

    fn deref(&self) -> &[SurfacePoint] {
        self.points.get(..self.count).unwrap_or_default()
    }
}
