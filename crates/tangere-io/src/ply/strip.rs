//! Triangle strips of a PLY file: the element `tristrips` of Stanford's scans.
//!
//! A strip is a list of vertices of which each three neighbours are a triangle. -1 ends a strip, and
//! the next one begins. Every second triangle has the opposite order, so that all of a strip are
//! oriented alike: (v0, v1, v2), (v2, v1, v3), (v2, v3, v4), ... A triangle with a vertex twice is
//! dropped: strips are joined through such triangles.

use crate::polygons::Polygons;

/// The state of a strip while its vertices are read.
#[derive(Clone, Copy, Default)]
pub(super) struct Strip {
    /// The last two vertices; only those that were read count.
    last: [u32; 2],
    /// The number of vertices since the strip began.
    length: usize,
}

impl Strip {
    /// Ends the strip; the next vertex begins another.
    pub fn end(&mut self) {
        self.length = 0;
    }

    /// Adds a vertex, and the triangle that it completes to `polygons`.
    pub fn add(&mut self, vertex: u32, polygons: &mut Polygons) {
        let [a, b] = self.last;
        if self.length >= 2 && a != b && b != vertex && a != vertex {
            let triangle = match self.length % 2 {
                0 => [a, b, vertex],
                _ => [b, a, vertex],
            };
            polygons.indices.extend(triangle);
            polygons.ends.push(polygons.indices.len());
        }
        self.last = [b, vertex];
        self.length += 1;
    }
}
