//! Hash table from the indices of mesh vertices to their indices among the corners of the triangles
//! of one cluster.

/// A hash table from the indices of mesh vertices to their indices among the corners of a cluster's
/// triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct CornerIndices {
    /// The slots of the hash table, with open addressing. Each has the index of a mesh vertex, then
    /// its index among the corners of the cluster's triangles.
    slots: Vec<(u32, u16)>,
}

impl CornerIndices {
    const FREE: u32 = u32::MAX;

    /// Clears the table of corner indices and makes it large enough for the corners of `faces`
    /// triangles.
    pub(super) fn clear(&mut self, faces: usize) {
        self.slots.clear();
        let size = (6 * faces).next_power_of_two();
        self.slots.resize(size, (Self::FREE, 0));
    }

    /// The index of the mesh vertex `vertex` among the corners of a cluster's triangles. If it has
    /// none yet, then it gets the index `new`.
    #[inline]
    pub(super) fn index_of(&mut self, vertex: u32, new: u16) -> u16 {
        let mask = self.slots.len() - 1;
        let mut i = (vertex.wrapping_mul(0x9e37_79b9) >> 7) as usize & mask;
        loop {
            let slot = &mut self.slots[i];
            if slot.0 == vertex {
                return slot.1;
            }
            if slot.0 == Self::FREE {
                *slot = (vertex, new);
                return new;
            }
            i = (i + 1) & mask;
        }
    }
}
