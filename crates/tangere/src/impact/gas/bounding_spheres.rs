//! Bounding spheres of a gas: each sphere is inside a larger one, fixed until the sphere leaves it;
//! spheres whose bounding spheres overlap are neighbours.

use super::hierarchical_grid::Ball;
use super::setup::Check;
use super::{Gas, skin};
use crate::error::Result;
use crate::geometry::vector::dot;

/// If a sphere has left its bounding sphere without a collision, it gets a new bounding sphere
/// whose centre is ahead of it along its velocity, by this fraction of the skin. The skin is the
/// radius of the bounding sphere minus the radius of the sphere.
const AHEAD: f64 = 0.9;

impl Gas {
    /// Sets the bounding spheres of all spheres of the gas, and inserts them into the hierarchical
    /// grid.
    pub(super) fn assign_balls(&mut self) {
        let domain = &self.settings.domain;
        let centers: Vec<[f64; 3]> = self.spheres.iter().map(|sphere| sphere.center).collect();
        let radii: Vec<f64> = self.radii().collect();
        skin::skins(&centers, &radii, domain.shortest_period(), &mut self.skins);
        let balls = self.spheres.iter().zip(&self.skins);
        let balls = balls.map(|(sphere, &skin)| Ball::new(sphere.center, sphere.radius, skin));
        let is_point = |i: u32| radii[i as usize] == 0.0;
        self.cells.fill(balls, is_point, domain);
    }

    /// Fills the neighbour lists with the pairs of spheres whose bounding spheres overlap.
    pub(super) fn find_neighbors(&mut self, check: Check) -> Result<()> {
        self.neighbors.clear(self.spheres.len());
        for a in 0..self.spheres.len() as u32 {
            self.cells
                .overlapping(a, &self.settings.domain, &mut self.near);
            self.near.retain(|&(b, _)| a < b);
            if check == Check::Overlaps {
                self.check_overlap(a)?;
            }
            for &(b, image) in &self.near {
                self.neighbors.add_pair(a, b, image);
            }
        }
        Ok(())
    }

    /// Gives a sphere of the gas that has left its bounding sphere a new one, and finds its new
    /// neighbours.
    pub(super) fn assign_ball(&mut self, a: u32) {
        let i = a as usize;
        let skin = self.cells.ball(a).skin;
        let sphere = &mut self.spheres[i];
        sphere.move_to(self.now, &self.half);
        let mut center = sphere.center;
        let speed = dot(sphere.velocity, sphere.velocity).sqrt();
        // A sphere that crossed its bounding sphere without a collision will probably do so again.
        if self.versions[i] == self.settled[i] && speed > 0.0 {
            let ahead = AHEAD * skin / speed;
            center = [0, 1, 2].map(|k| center[k] + ahead * sphere.velocity[k]);
        }
        let shift = self.settings.domain.shift_of(center);
        if shift != [0.0; 3] {
            // Images are relative to the new position.
            for k in 0..3 {
                sphere.center[k] += shift[k];
                center[k] += shift[k];
            }
            self.versions[i] = self.versions[i].wrapping_add(1);
        }
        self.settled[i] = self.versions[i];
        self.cells.put(a, center);
        self.neighbors.remove_pairs(a);
        self.cells
            .overlapping(a, &self.settings.domain, &mut self.near);
        for &(b, image) in self.near.iter().filter(|near| near.0 != a) {
            self.neighbors.add_pair(a, b, image);
        }
    }
}
