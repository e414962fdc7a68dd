//! Cells as large as the largest item; only items of neighbouring cells meet.
//!
//! O(n + pairs) when sizes are alike. leszczynski2004, section 2.1 (the linked
//! cell method).
//!
//! Deviates: no header and list arrays. Items are sorted into the order of
//! their cells, so that those of a row of cells lie side by side and eight are
//! tested at once, in f32 with room for rounding; what is too close to call is
//! decided in f64. Each pair of cells is met once (half of the stencil).

use super::Search;
use super::found::Found;
use super::lattice::Lattice;
use super::packing::Packed;
use super::scene::Scene;

/// The search through cells.
#[derive(Clone, Debug, Default)]
pub struct CellSearch<const D: usize> {
    balls: Lattice<D, 4>,
    boxes: Lattice<D, 6>,
}

impl<const D: usize> Search<D> for CellSearch<D> {
    fn update(&mut self, scene: &Scene<D>) {
        match Packed::new(scene) {
            Packed::Balls(items) => self.balls.update(items, scene, scene.measures(), |i| i),
            Packed::Boxes(items) => self.boxes.update(items, scene, scene.measures(), |i| i),
        }
    }

    fn method(&self) -> &'static str {
        "cells"
    }

    fn search(&mut self, scene: &Scene<D>, found: &mut Found) {
        match Packed::new(scene) {
            Packed::Balls(items) => self.balls.pairs(items, scene, found),
            Packed::Boxes(items) => self.boxes.pairs(items, scene, found),
        }
    }
}
