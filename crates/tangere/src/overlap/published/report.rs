//! Occupancy and memory of a published table of cells.

/// Occupancy and memory of one of the tables of [`Method::PUBLISHED`](crate::overlap::Method), of
/// the spheres of one packing.
///
/// ```
/// use tangere::overlap::Method;
/// use tangere::shape::Packing;
///
/// let two = Packing::new(vec![[0.0; 3], [4.0, 0.0, 0.0]], vec![1.0, 2.0])?;
/// let report = two.table_report(Method::Djb2).unwrap();
/// assert_eq!((report.buckets, report.capacity), (174_762, Some(24)));
/// assert_eq!(report.overflowing, 0);
/// assert_eq!(two.table_report(Method::Grid), None);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableReport {
    /// The number of buckets of the hash table.
    pub buckets: usize,
    /// The number of spheres that fit into a bucket; `None` if there is no such limit.
    pub capacity: Option<usize>,
    /// The number of cells that hold spheres.
    pub cells: usize,
    /// The number of entries: a sphere is stored in each cell of its level that its AABB meets.
    pub entries: usize,
    /// The largest number of entries of a cell.
    pub fullest_cell: usize,
    /// The largest number of entries of a bucket.
    pub fullest_bucket: usize,
    /// The number of cells that share a bucket with another cell or, with closed hashing, that do
    /// not lie in the bucket of their hash.
    pub colliding: usize,
    /// The number of entries that do not fit into their bucket.
    pub overflowing: usize,
    /// The largest number of buckets that a search of one cell reads.
    pub probes: usize,
    /// The memory of the table in bytes, with the overflow, without the spheres themselves.
    pub bytes: usize,
}
