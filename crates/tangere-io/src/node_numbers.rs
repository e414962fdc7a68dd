//! Map from node or element numbers (tags) of a file to indices.
//!
//! Numbers may have gaps and come in any order. Consecutive numbers, the common
//! case, take no memory and no search.

/// Map from node or element numbers of a file to indices.
#[derive(Default)]
pub(crate) struct Tags {
    count: u32,
    /// The first node or element number. As long as all numbers are consecutive, the index of a
    /// number is its difference from the first.
    first: u64,
    /// All node or element numbers with their indices, once they are not consecutive; otherwise
    /// empty. `finish` sorts them by number.
    listed: Vec<(u64, u32)>,
}

impl Tags {
    /// Assigns the next index to a node or element number.
    pub fn push(&mut self, tag: u64) {
        if self.count == 0 {
            self.first = tag;
        }
        let counts_up = self.first.checked_add(u64::from(self.count)) == Some(tag);
        if self.listed.is_empty() && !counts_up {
            let before = (0..self.count).map(|place| (self.first + u64::from(place), place));
            self.listed.extend(before);
        }
        if !(self.listed.is_empty() && counts_up) {
            self.listed.push((tag, self.count));
        }
        self.count += 1;
    }

    /// Sorts the node or element numbers; must be called after the last one and before
    /// [`Tags::place`]. Returns a number that occurs twice, if there is one.
    pub fn finish(&mut self) -> Option<u64> {
        self.listed.sort_unstable();
        let twice = self.listed.windows(2).find(|pair| pair[0].0 == pair[1].0);
        twice.map(|pair| pair[0].0)
    }

    /// Returns the index of a node or element number; `None` if the file does not define it.
    #[inline]
    pub fn place(&self, tag: u64) -> Option<u32> {
        if self.listed.is_empty() {
            let place = tag.checked_sub(self.first)?;
            return (place < u64::from(self.count)).then_some(place as u32);
        }
        let at = self.listed.binary_search_by_key(&tag, |&(tag, _)| tag);
        at.ok().map(|at| self.listed[at].1)
    }

    /// Returns the number of node or element numbers in the map.
    pub fn len(&self) -> usize {
        self.count as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_any_order() {
        let lists: [&[u64]; 5] = [
            &[],
            &[7, 8, 9],
            &[7, 8, 3, 100],
            &[u64::MAX, 0],
            &[u64::MAX - 1, u64::MAX],
        ];
        for list in lists {
            let mut tags = Tags::default();
            list.iter().for_each(|&tag| tags.push(tag));
            assert_eq!(tags.finish(), None);
            assert_eq!(tags.len(), list.len());
            for tag in [0, 1, 3, 7, 8, 9, 10, 100, u64::MAX - 1, u64::MAX] {
                let place = list.iter().position(|&other| other == tag);
                assert_eq!(tags.place(tag), place.map(|place| place as u32), "{list:?}");
            }
        }
        let mut tags = Tags::default();
        [5, 6, 5].into_iter().for_each(|tag| tags.push(tag));
        assert_eq!(tags.finish(), Some(5));
    }
}
