//! Neighbour lists of the spheres of a gas, with back references.
//!
//! Adding or removing a pair takes constant time, however long the lists are: a large sphere among
//! small ones has many neighbours.

/// An entry of the neighbour list of a sphere: a periodic image of another sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbor {
    /// Index of the other sphere.
    pub other: u32,
    /// Index of this pair in the neighbour list of the other sphere.
    back: u32,
    /// Number of periods along each axis by which the image of the other sphere is translated.
    pub image: [i8; 3],
}

/// The neighbour lists of all spheres of a gas.
#[derive(Clone, Debug, Default)]
pub(super) struct NeighborLists {
    lists: Vec<Vec<Neighbor>>,
}

impl NeighborLists {
    /// Empties the neighbour lists, and sets the number of spheres of the gas to `count`.
    pub fn clear(&mut self, count: usize) {
        self.lists.truncate(count);
        self.lists.iter_mut().for_each(Vec::clear);
        self.lists.resize_with(count, Vec::new);
    }

    /// The neighbour list of a sphere of the gas.
    #[inline]
    pub fn of(&self, sphere: u32) -> &[Neighbor] {
        &self.lists[sphere as usize]
    }

    /// Adds the pair of sphere `a` of the gas and an image of sphere `b` to the neighbour lists of
    /// both.
    pub fn add_pair(&mut self, a: u32, b: u32, image: [i8; 3]) {
        let lengths = [a, b].map(|i| self.lists[i as usize].len() as u32);
        self.lists[a as usize].push(Neighbor {
            other: b,
            back: lengths[1],
            image,
        });
        self.lists[b as usize].push(Neighbor {
            other: a,
            back: lengths[0],
            image: image.map(|n| -n),
        });
    }

    /// Removes all pairs of a sphere of the gas from its neighbour list and from the lists of its
    /// neighbours.
    pub fn remove_pairs(&mut self, sphere: u32) {
        while let Some(link) = self.lists[sphere as usize].pop() {
            let list = &mut self.lists[link.other as usize];
            list.swap_remove(link.back as usize);
            // The last entry of that list was moved: update its back reference.
            if let Some(moved) = list.get(link.back as usize).copied() {
                self.lists[moved.other as usize][moved.back as usize].back = link.back;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::Random;

    #[test]
    fn back_references_are_consistent() {
        const COUNT: u32 = 12;
        let mut random = Random::new(9);
        let mut neighbors = NeighborLists::default();
        neighbors.clear(COUNT as usize);
        let mut expected: Vec<(u32, u32, i8)> = Vec::new();
        for _ in 0..3000 {
            let a = random.below(COUNT as usize) as u32;
            if random.below(4) == 0 {
                neighbors.remove_pairs(a);
                expected.retain(|pair| pair.0 != a && pair.1 != a);
            } else {
                let b = (a + 1 + random.below(COUNT as usize - 1) as u32) % COUNT;
                // Several images of one sphere may be neighbours.
                let image = random.below(3) as i8 - 1;
                neighbors.add_pair(a, b, [image, 0, 0]);
                expected.extend([(a, b, image), (b, a, -image)]);
            }
            let mut found = Vec::new();
            for a in 0..COUNT {
                for (index, link) in neighbors.of(a).iter().enumerate() {
                    found.push((a, link.other, link.image[0]));
                    let back = neighbors.of(link.other)[link.back as usize];
                    assert_eq!((back.other, back.back as usize), (a, index));
                }
            }
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
