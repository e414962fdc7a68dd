//! Operations of the multipole method with the trees of `muth2006`, as its table 1 counts them.

/// Numbers of operations of the multipole method with the trees of `muth2006`: of the set-up, and of the
/// last call with points. Table 1 of the paper has the cost of each as a power of the degree.
///
/// ```
/// use tangere::generate;
/// use tangere::inside::{InsideSettings, InsideTest, Multipole, MultipoleSettings, MultipoleTrees};
///
/// let trees = MultipoleSettings::default().with_trees(MultipoleTrees::PreChosen);
/// let mut test = Multipole::with(InsideSettings::default().with_accuracy(0.9), trees)?;
/// test.update(&generate::sphere(4)?)?;
/// let mut winding = Vec::new();
/// test.winding(&[[0.0; 3], [0.9, 0.0, 0.0]], &mut winding)?;
/// let work = test.work().unwrap();
/// assert_eq!((work.triangles, work.points), (2048, 2));
/// assert!(work.near_triangles < 2 * 2048);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MultipoleWork {
    /// The degree p of all expansions.
    pub degree: usize,
    /// The number of triangles, whose coefficients are computed: N.
    pub triangles: usize,
    /// The number of clusters of triangles, whose moments are translated to their fathers.
    pub clusters: usize,
    /// The number of cells of the evaluation tree, to which local expansions are translated from
    /// their fathers.
    pub cells: usize,
    /// The number of conversions of the moments of a cluster to the local expansion of a cell.
    pub conversions: usize,
    /// The largest number of these conversions of one cluster.
    pub most_conversions: usize,
    /// The radius of the smallest cells of the evaluation tree, as a length in the coordinates of the
    /// mesh.
    pub cell_radius: f64,
    /// The number of points of the last call that lie in the evaluation tree: M.
    pub points: usize,
    /// The number of solid angles in the near fields of these points: of every triangle near the cell
    /// of a point.
    pub near_triangles: usize,
}
