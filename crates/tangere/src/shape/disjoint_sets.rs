//! Disjoint sets (union-find), for the components of a mesh.

/// A partition of the numbers `0..len` into disjoint sets, each represented by its least member.
pub(crate) struct DisjointSets {
    parents: Vec<u32>,
}

impl DisjointSets {
    /// Returns the partition of `0..len` into disjoint sets of one member each.
    pub(crate) fn new(len: usize) -> Self {
        DisjointSets {
            parents: (0..len as u32).collect(),
        }
    }

    /// Returns the leader of the disjoint set that contains `x`: its least member. The path of
    /// links from `x` to the leader is shortened on the way.
    pub(crate) fn leader(&mut self, mut x: u32) -> u32 {
        while self.parents[x as usize] != x {
            let above = self.parents[self.parents[x as usize] as usize];
            self.parents[x as usize] = above;
            x = above;
        }
        x
    }

    /// Joins the disjoint sets that contain `x` and `y` into one (union).
    pub(crate) fn join(&mut self, x: u32, y: u32) {
        let (x, y) = (self.leader(x), self.leader(y));
        self.parents[x.max(y) as usize] = x.min(y);
    }

    /// Returns whether `x` leads its disjoint set: it is the least member.
    pub(crate) fn leads(&self, x: u32) -> bool {
        self.parents[x as usize] == x
    }
}
