//! What observers read of a simulation: contacts, kinetic energy, the hash of the state.

use super::Simulation;
use crate::contact_row::ContactRow;
use crate::engine::columns::Mobility;
use crate::engine::contact_block::way_of;
use crate::state_hash::{bits, mixed};
use crate::vector::{Vector, length, plus, times};
use rayon::prelude::*;

impl Simulation {
    /// The contacts of spheres, sorted by ids and image.
    pub fn contacts(&self) -> Vec<ContactRow> {
        let columns = &self.columns;
        let rows = self.list.touching().map(|(block, index, kept)| {
            let (pair, image) = (block.pairs[index], block.image(index));
            let way = way_of(&columns.lines, &self.setup.cell, pair, image);
            let distance = length(way);
            let normal = times(way, 1.0 / distance);
            let [a, b] = pair.map(|row| &columns.lines[row as usize]);
            let gap = distance - (a.place[3] + b.place[3]);
            let [sx, sy, sz, _] = kept.shear;
            ContactRow {
                a: columns.ids[pair[0] as usize],
                b: columns.ids[pair[1] as usize],
                image: image.map(i32::from),
                normal,
                gap,
                point: plus(a.position(), times(normal, a.place[3] + 0.5 * gap)),
                force: kept.account.force,
                shear: [sx, sy, sz],
            }
        });
        let mut rows: Vec<ContactRow> = rows.collect();
        rows.sort_unstable_by_key(|row| (row.a, row.b, row.image));
        rows
    }

    /// Kinetic energy of translation and of rotation. Sums are in the order of ids.
    pub fn kinetic_energy(&self) -> [f64; 2] {
        let columns = &self.columns;
        let mut sums = [0.0; 2];
        for body in &self.clumps.bodies {
            let [translation, rotation] = body.kinetic_energy();
            sums[0] += translation;
            sums[1] += rotation;
        }
        for row in columns.by_id() {
            let row = row as usize;
            if columns.mobilities[row] == Mobility::Member {
                continue;
            }
            let (v, w) = (columns.lines[row].velocity(), columns.spins[row].vector());
            let (mass, radius) = (columns.masses[row], columns.lines[row].place[3]);
            let square = |v: Vector| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            sums[0] += 0.5 * mass * square(v);
            sums[1] += 0.5 * 0.4 * mass * radius * radius * square(w);
        }
        sums
    }

    /// A hash of the state by ids: the same for any number of threads, order of storage, and restarts.
    pub fn hash(&self) -> u64 {
        let columns = &self.columns;
        let rows = (0..columns.len()).into_par_iter().map(|row| {
            let (line, spin) = (&columns.lines[row], columns.spins[row].0);
            let image = columns.images[row].map(|n| n as u64);
            let [x, y, z, r] = line.place.map(bits);
            let [u, v, w, _] = line.motion.map(bits);
            let [a, b, c, _] = spin.map(bits);
            let id = columns.ids[row];
            let kind = u64::from(columns.kinds[row]);
            let [i, j, k] = image;
            mixed(&[id, kind, i, j, k, x, y, z, r, u, v, w, a, b, c])
        });
        let spheres = rows.reduce(|| 0, u64::wrapping_add);
        let mut sum = mixed(&[self.step, bits(self.time)]).wrapping_add(spheres);
        let histories = self.histories();
        for pair in &histories.pairs {
            let [i, j, k] = pair.image.map(|n| n as u64);
            let [s, t, u, v] = pair.shear.map(bits);
            let [p, q, r, w] = pair.roll.map(bits);
            let [a, b] = pair.ids;
            sum = sum.wrapping_add(mixed(&[a, b, i, j, k, s, t, u, v, p, q, r, w]));
        }
        for body in &self.clumps.bodies {
            let [a, b, c, d] = body.orientation.map(bits);
            let [x, y, z] = body.position.map(bits);
            let [u, v, w] = body.velocity.map(bits);
            let [p, q, r] = body.angular_momentum.map(bits);
            let [i, j, k] = body.image.map(|n| n as u64);
            let words = [body.id, i, j, k, a, b, c, d, x, y, z, u, v, w, p, q, r];
            sum = sum.wrapping_add(mixed(&words));
        }
        let names = self.setup.wall_names();
        for contact in &histories.walls {
            let wall = names.iter().position(|name| *name == contact.wall);
            let wall = !(wall.unwrap_or(names.len()) as u64);
            let [s, t, u, v] = contact.shear.map(bits);
            let [p, q, r, w] = contact.roll.map(bits);
            let face = u64::from(contact.face);
            sum = sum.wrapping_add(mixed(&[wall, contact.id, face, s, t, u, v, p, q, r, w]));
        }
        sum
    }
}
