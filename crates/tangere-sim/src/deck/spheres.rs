//! Columns of spheres: adding, copying and removing rows.

use crate::setup::Spheres;
use crate::vector::Vector;
use std::f64::consts::PI;

/// Volume over the cube of the radius.
pub(super) const BALL: f64 = 4.0 / 3.0 * PI;

/// Adds a sphere at rest with diameter 1 and density 1, as LAMMPS creates them.
pub(super) fn add(spheres: &mut Spheres, id: u64, kind: u32, position: Vector, image: [i32; 3]) {
    spheres.ids.push(id);
    spheres.kinds.push(kind);
    spheres.groups.push(1);
    spheres.positions.push(position);
    spheres.images.push(image);
    spheres.velocities.push([0.0; 3]);
    spheres.spins.push([0.0; 3]);
    spheres.radii.push(0.5);
    spheres.masses.push(BALL * 0.125);
    spheres.forces.push([0.0; 3]);
    spheres.torques.push([0.0; 3]);
}

/// Adds a copy of a row.
pub(super) fn copy(from: &Spheres, row: usize, to: &mut Spheres) {
    to.ids.push(from.ids[row]);
    to.kinds.push(from.kinds[row]);
    to.groups.push(from.groups[row]);
    to.positions.push(from.positions[row]);
    to.images.push(from.images[row]);
    to.velocities.push(from.velocities[row]);
    to.spins.push(from.spins[row]);
    to.radii.push(from.radii[row]);
    to.masses.push(from.masses[row]);
    to.forces.push(from.forces[row]);
    to.torques.push(from.torques[row]);
}

/// Keeps some rows.
pub(super) fn retain(spheres: &mut Spheres, keeps: &[bool]) {
    fn filtered<T>(column: &mut Vec<T>, keeps: &[bool]) {
        let mut own = keeps.iter();
        column.retain(|_| own.next().copied().unwrap_or(true));
    }
    filtered(&mut spheres.ids, keeps);
    filtered(&mut spheres.kinds, keeps);
    filtered(&mut spheres.groups, keeps);
    filtered(&mut spheres.positions, keeps);
    filtered(&mut spheres.images, keeps);
    filtered(&mut spheres.velocities, keeps);
    filtered(&mut spheres.spins, keeps);
    filtered(&mut spheres.radii, keeps);
    filtered(&mut spheres.masses, keeps);
    filtered(&mut spheres.forces, keeps);
    filtered(&mut spheres.torques, keeps);
}
