//! Welding: vertices at the same place become one.

use std::collections::HashMap;

/// The distinct points in the order of their first appearance, and for each
/// point the index of its representative. `-0.0` equals `0.0`.
pub fn distinct_points(points: &[[f64; 3]]) -> (Vec<[f64; 3]>, Vec<u32>) {
    let mut seen = HashMap::new();
    let mut distinct = Vec::new();
    let index = points
        .iter()
        .map(|p| {
            // Adding 0.0 turns -0.0 into 0.0 and changes nothing else.
            let key = p.map(|x| (x + 0.0).to_bits());
            *seen.entry(key).or_insert_with(|| {
                distinct.push(*p);
                distinct.len() as u32 - 1
            })
        })
        .collect();
    (distinct, index)
}
