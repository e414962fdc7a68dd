//! Collision record of a gas: who collides where and when, with the normal and the impulse.

use super::Gas;
use super::collision_rule::Impulse;
use crate::geometry::vector::dot;

/// A wall that a sphere of a gas collides with: a boundary of its [`Domain`](super::Domain).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Index, from 0 to 2, of the axis to which the wall is normal.
    pub axis: u8,
    /// Whether the wall is the upper one along its axis.
    pub is_upper: bool,
}

/// The collision partner of a sphere of a gas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// Index of another sphere, higher than that of the sphere itself.
    Sphere(u32),
    /// A wall of the domain of the gas.
    Wall(Wall),
}

/// The record of a collision of two spheres of a gas, or of a sphere and a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The time at which the spheres, or the sphere and the wall, collide.
    pub time: f64,
    /// Index of the sphere that collides; of two spheres the lower index.
    pub a: u32,
    /// The other sphere or the wall that sphere `a` collides with.
    pub partner: Partner,
    /// The contact point of the collision, wrapped into the first period of the domain.
    pub point: [f64; 3],
    /// The unit normal of the contact, from sphere `a` to its partner.
    pub normal: [f64; 3],
    /// The impulse that the partner gets, along the normal; sphere `a` gets the opposite one.
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

    /// The contact point of a collision record, on the surface of sphere `a`, in world coordinates,
    /// wrapped into the first period of the domain.
    fn point(&self, a: u32, normal: [f64; 3]) -> [f64; 3] {
        let sphere = &self.spheres[a as usize];
        let point = [0, 1, 2].map(|k| sphere.center[k] + sphere.radius * normal[k]);
        self.to_world(point)
    }
}
