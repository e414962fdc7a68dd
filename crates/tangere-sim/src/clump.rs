//! Clumps: spheres that move as one rigid body.

use crate::error::{Error, Result};
use crate::mass_properties::{MassProperties, mass_properties};
use crate::setup::Cell;
use crate::vector::{Vector, cross, dot, minus, plus, times};
use serde::{Deserialize, Serialize};

/// How far spheres of a clump in a flat system may be out of the plane, relative to its size: rounding.
const FLATNESS: f64 = 1e-9;

/// A sphere of a clump.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The id of the sphere.
    pub id: u64,
    /// Its centre in the frame of the clump: the principal axes at the centre of mass.
    pub offset: Vector,
}

/// Spheres that move as one rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clump {
    /// The id of the body.
    pub id: u64,
    /// Its spheres, in ascending order of ids.
    pub members: Vec<Member>,
    /// The mass.
    pub mass: f64,
    /// The moments of inertia about the principal axes.
    pub inertia: Vector,
    /// The centre of mass, within the periodic cell.
    pub position: Vector,
    /// How many cells it has left behind along each edge.
    pub image: [i32; 3],
    /// The velocity of the centre of mass.
    pub velocity: Vector,
    /// The rotation from the frame of the clump to space: a quaternion w, x, y, z.
    pub orientation: [f64; 4],
    /// The angular momentum about the centre of mass, along axes of space.
    pub angular_momentum: Vector,
}

impl Clump {
    /// A clump of spheres with one density, at rest. `spheres` are ids, centres in space and radii.
    ///
    /// # Errors
    /// When there is no sphere.
    pub fn new(id: u64, spheres: &[(u64, Vector, f64)], density: f64) -> Result<Self> {
        if spheres.is_empty() {
            return Err(Error::invalid("clump", "no sphere", "at least one"));
        }
        let balls: Vec<(Vector, f64)> = spheres.iter().map(|&(_, c, r)| (c, r)).collect();
        Ok(Self::of(id, spheres, density, &mass_properties(&balls)))
    }

    /// A clump of spheres with known mass properties, at rest.
    pub(crate) fn of(
        id: u64,
        spheres: &[(u64, Vector, f64)],
        density: f64,
        properties: &MassProperties,
    ) -> Self {
        let back = conjugate(properties.axes);
        let mut members: Vec<Member> = spheres
            .iter()
            .map(|&(id, center, _)| Member {
                id,
                offset: rotated(back, minus(center, properties.center)),
            })
            .collect();
        members.sort_unstable_by_key(|member| member.id);
        Self {
            id,
            members,
            mass: density * properties.volume,
            inertia: times(properties.moments, density),
            position: properties.center,
            image: [0; 3],
            velocity: [0.0; 3],
            orientation: properties.axes,
            angular_momentum: [0.0; 3],
        }
    }

    /// Sets the angular velocity.
    pub fn set_spin(&mut self, spin: Vector) {
        let own = rotated(conjugate(self.orientation), spin);
        let momentum = std::array::from_fn(|k| self.inertia[k] * own[k]);
        self.angular_momentum = rotated(self.orientation, momentum);
    }

    /// The angular velocity.
    pub fn spin(&self) -> Vector {
        let own = rotated(conjugate(self.orientation), self.angular_momentum);
        let spin = std::array::from_fn(|k| own[k] / self.inertia[k]);
        rotated(self.orientation, spin)
    }

    /// Kinetic energy of translation and of rotation.
    pub fn kinetic_energy(&self) -> [f64; 2] {
        [
            0.5 * self.mass * dot(self.velocity, self.velocity),
            0.5 * dot(self.angular_momentum, self.spin()),
        ]
    }

    /// Makes the normal of a flat system, z, a principal axis, as it is but for rounding where all spheres are in
    /// one plane, and takes away motion out of the plane.
    pub fn flatten(&mut self) {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let axes = axes.map(|axis| rotated(self.orientation, axis));
        let steepest = axes
            .into_iter()
            .max_by(|a, b| a[2].abs().total_cmp(&b[2].abs()));
        let axis = steepest.unwrap_or([0.0, 0.0, 1.0]);
        let normal = [0.0, 0.0, 1.0_f64.copysign(axis[2])];
        // The least rotation from one unit vector to another, of which half the angle is taken by adding 1.
        let [x, y, z] = cross(axis, normal);
        let turn = [1.0 + dot(axis, normal), x, y, z];
        let scale = 1.0 / turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        let arms: Vec<Vector> = self.members.iter().map(|member| self.arm(member)).collect();
        self.orientation = product(turn.map(|x| scale * x), self.orientation);
        let back = conjugate(self.orientation);
        for (member, [x, y, _]) in self.members.iter_mut().zip(arms) {
            member.offset = rotated(back, [x, y, 0.0]);
        }
        self.velocity[2] = 0.0;
        let [_, _, momentum] = self.angular_momentum;
        self.angular_momentum = [0.0, 0.0, momentum];
    }

    /// Whether all spheres are in one plane with the normal z and move in it.
    pub(crate) fn is_flat(&self) -> bool {
        let arms = self.members.iter().map(|member| self.arm(member));
        let [mut wide, mut high] = [0.0_f64; 2];
        for [x, y, z] in arms {
            wide = wide.max(x.abs()).max(y.abs());
            high = high.max(z.abs());
        }
        let out = [
            self.velocity[2],
            self.angular_momentum[0],
            self.angular_momentum[1],
        ];
        high <= FLATNESS * wide && out == [0.0; 3]
    }

    /// Half a kick by a force and a torque about the centre of mass.
    pub(crate) fn kick(&mut self, force: Vector, torque: Vector, half: f64) {
        self.velocity = plus(self.velocity, times(force, half / self.mass));
        self.angular_momentum = plus(self.angular_momentum, times(torque, half));
    }

    /// Moves on without forces: rotation by rotations about the principal axes in turn, forth and back,
    /// each of which is exact (McLachlan 1993; Reich 1994). It is symplectic and reversible, and keeps the
    /// angular momentum.
    pub(crate) fn drift(&mut self, step: f64) {
        self.position = plus(self.position, times(self.velocity, step));
        let mut momentum = rotated(conjugate(self.orientation), self.angular_momentum);
        let half = 0.5 * step;
        for (axis, time) in [(0, half), (1, half), (2, step), (1, half), (0, half)] {
            let angle = time * momentum[axis] / self.inertia[axis];
            let (sine, cosine) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
            let mut turn = [cosine, 0.0, 0.0, 0.0];
            turn[1 + axis] = sine;
            self.orientation = product(self.orientation, turn);
            // The frame turns, the momentum stays.
            momentum = rotated(conjugate(turn), momentum);
        }
        let square: f64 = self.orientation.iter().map(|x| x * x).sum();
        let scale = 1.0 / square.sqrt();
        self.orientation = self.orientation.map(|x| scale * x);
    }

    /// Takes the centre of mass back into the cell.
    pub(crate) fn wrap(&mut self, cell: &Cell) {
        let image = cell.image_of(self.position);
        if image != [0; 3] {
            self.position = minus(self.position, cell.shift(image));
            self.image = std::array::from_fn(|k| self.image[k].saturating_add(image[k]));
        }
    }

    /// The arm of a member: from the centre of mass to its centre.
    pub(crate) fn arm(&self, member: &Member) -> Vector {
        rotated(self.orientation, member.offset)
    }
}

/// The product of two quaternions: the second rotation, then the first.
pub(crate) fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([s, x, y, z], [t, u, v, w]) = (a, b);
    [
        s * t - x * u - y * v - z * w,
        s * u + x * t + y * w - z * v,
        s * v - x * w + y * t + z * u,
        s * w + x * v - y * u + z * t,
    ]
}

fn conjugate([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [w, -x, -y, -z]
}

/// A vector, rotated by a unit quaternion: `v + 2 q x (q x v + w v)`.
pub(crate) fn rotated([w, x, y, z]: [f64; 4], v: Vector) -> Vector {
    let q = [x, y, z];
    let inner = plus(cross(q, v), times(v, w));
    plus(v, times(cross(q, inner), 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A top without torque keeps its angular momentum exactly, and its energy within bounds.
    #[test]
    fn a_free_top_keeps_energy_and_momentum() {
        let spheres = [
            (1, [0.0, 0.0, 0.0], 0.5),
            (2, [1.2, 0.0, 0.0], 0.3),
            (3, [0.0, 0.9, 0.1], 0.2),
        ];
        let mut clump = Clump::new(9, &spheres, 1.0).unwrap();
        clump.set_spin([0.3, 2.0, 0.2]);
        let [_, first] = clump.kinetic_energy();
        let momentum = clump.angular_momentum;
        let (mut least, mut most) = (first, first);
        for _ in 0..200_000 {
            clump.drift(1e-2);
            let [_, energy] = clump.kinetic_energy();
            (least, most) = (least.min(energy), most.max(energy));
        }
        assert_eq!(clump.angular_momentum, momentum);
        assert!((most - least) / first < 1e-3, "{}", (most - least) / first);
        let [_, last] = clump.kinetic_energy();
        assert!((last / first - 1.0).abs() < 1e-3);
    }
}
