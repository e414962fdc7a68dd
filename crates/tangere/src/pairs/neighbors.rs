//! Neighbour lists in CSR form, from sorted pairs.

/// Neighbour lists of `items` items from sorted pairs, as offsets and indices (CSR): the neighbours
/// of item `i` are `indices[offsets[i]..offsets[i + 1]]`, in ascending order. Each item of a pair
/// is a neighbour of the other. Linear in items and pairs. `pairs` must be sorted, as finders
/// return them. Panics if a pair has an item that does not exist.
///
/// ```
/// let (offsets, indices) = tangere::pairs::neighbors(4, &[[0, 2], [0, 3], [1, 2]]);
/// assert_eq!(offsets, [0, 2, 3, 5, 6]);
/// assert_eq!(indices, [2, 3, 2, 0, 1, 0]);
/// ```
pub fn neighbors(items: usize, pairs: &[[u32; 2]]) -> (Vec<usize>, Vec<u32>) {
    let mut offsets = vec![0; items + 1];
    for &i in pairs.as_flattened() {
        offsets[i as usize + 1] += 1;
    }
    for i in 0..items {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let mut indices = vec![0; 2 * pairs.len()];
    // Lower partners first: sorted by second item, they come in the order of the first.
    for by_second in [true, false] {
        for &[a, b] in pairs {
            let (item, partner) = if by_second { (b, a) } else { (a, b) };
            indices[next[item as usize]] = partner;
            next[item as usize] += 1;
        }
    }
    (offsets, indices)
}
