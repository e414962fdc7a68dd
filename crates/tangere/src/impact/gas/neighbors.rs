//! Which spheres are near which: for each a list, in which both know where the other has them.
//!
//! To link and to unlink two takes constant time, however long their lists are: a large sphere among
//! small ones has many.

/// A sphere near another one, in one of its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbor {
    /// The other sphere.
    pub other: u32,
    /// Where the first one is in the list of the other.
    back: u32,
    /// Which image of the other is near.
    pub image: [i8; 3],
}

/// The neighbours of all spheres.
#[derive(Clone, Debug, Default)]
pub(super) struct NeighborLists {
    lists: Vec<Vec<Neighbor>>,
}

impl NeighborLists {
    /// Forgets all, for so many spheres.
    pub fn clear(&mut self, count: usize) {
        self.lists.truncate(count);
        self.lists.iter_mut().for_each(Vec::clear);
        self.lists.resize_with(count, Vec::new);
    }

    /// The neighbours of a sphere.
    #[inline]
    pub fn of(&self, sphere: u32) -> &[Neighbor] {
        &self.lists[sphere as usize]
    }

    /// Links a sphere and an image of another one.
    pub fn link(&mut self, a: u32, b: u32, image: [i8; 3]) {
        let places = [a, b].map(|i| self.lists[i as usize].len() as u32);
        self.lists[a as usize].push(Neighbor {
            other: b,
            back: places[1],
            image,
        });
        self.lists[b as usize].push(Neighbor {
            other: a,
            back: places[0],
            image: image.map(|n| -n),
        });
    }

    /// Unlinks a sphere from all others.
    pub fn unlink(&mut self, sphere: u32) {
        while let Some(link) = self.lists[sphere as usize].pop() {
            let list = &mut self.lists[link.other as usize];
            list.swap_remove(link.back as usize);
            // The last one of that list took the place, and its other must know.
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
    fn both_know_where_the_other_has_them() {
        const COUNT: u32 = 12;
        let mut random = Random::new(9);
        let mut neighbors = NeighborLists::default();
        neighbors.clear(COUNT as usize);
        let mut expected: Vec<(u32, u32, i8)> = Vec::new();
        for _ in 0..3000 {
            let a = random.below(COUNT as usize) as u32;
            if random.below(4) == 0 {
                neighbors.unlink(a);
                expected.retain(|pair| pair.0 != a && pair.1 != a);
            } else {
                let b = (a + 1 + random.below(COUNT as usize - 1) as u32) % COUNT;
                // Several images of one sphere may be near.
                let image = random.below(3) as i8 - 1;
                neighbors.link(a, b, [image, 0, 0]);
                expected.extend([(a, b, image), (b, a, -image)]);
            }
            let mut found = Vec::new();
            for a in 0..COUNT {
                for (place, link) in neighbors.of(a).iter().enumerate() {
                    found.push((a, link.other, link.image[0]));
                    let back = neighbors.of(link.other)[link.back as usize];
                    assert_eq!((back.other, back.back as usize), (a, place));
                }
            }
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
