//! Collision record of a gas: who collides where and when, with the normal and the impulse.

use super::Gas;
use super::collision_rule::Impulse;
use crate::geometry::vector::dot;

/// A wall that a sphere of a gas collides with: a boundary of its [`Domain`](super::Domain).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// The axis of the normal of the wall.
    pub axis: u8,
    /// Whether the wall is the upper one along its axis.
    pub is_upper: bool,
}

/// The collision partner of a sphere of a gas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// A sphere with a higher index.
    Sphere(u32),
    /// A wall.
    Wall(Wall),
}

/// The record of a collision of two spheres of a gas, or of a sphere and a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The time of the collision.
    pub time: f64,
    /// The sphere; of two spheres the one with the lower index.
    pub a: u32,
    /// The sphere or wall that it collides with.
    pub partner: Partner,
    /// The contact point, in the first period.
    pub point: [f64; 3],
    /// The unit normal from the sphere to its partner.
    pub normal: [f64; 3],
    /// The impulse on the partner along the normal; the sphere gets the opposite one.
    pub impulse: f64,
}

impl Gas {
    /// Makes the collision record of two spheres; the one with the lower index comes first.
    pub(super) fn collision(&self, a: u32, b: u32, impulse: &Impulse) -> Collision {
        let (a, b, d) = match a < b {
            true => (a, b, impulse.d),
            false => (b, a, impulse.d.map(|x| -x)),
        };
        let distance = dot(d, d).sqrt();
        let normal = d.map(|x| x / distance);
        Collision {
            time: self.time(),
            a,
            partner: Partner::Sphere(b),
            point: self.point(a, normal),
            normal,
            impulse: impulse.factor * distance,
        }
    }

    /// Makes the collision record of a sphere and a wall.
    pub(super) fn wall_collision(&self, a: u32, wall: Wall, impulse: f64) -> Collision {
        let mut normal = [0.0; 3];
        normal[wall.axis as usize] = if wall.is_upper { 1.0 } else { -1.0 };
        Collision {
            time: self.time(),
            a,
            partner: Partner::Wall(wall),
            point: self.point(a, normal),
            normal,
            impulse,
        }
    }

    /// The contact point of a collision record, on the surface of sphere `a`, in world coordinates.
    fn point(&self, a: u32, normal: [f64; 3]) -> [f64; 3] {
        let sphere = &self.spheres[a as usize];
        let point = [0, 1, 2].map(|k| sphere.center[k] + sphere.radius * normal[k]);
        self.to_world(point)
    }
}
