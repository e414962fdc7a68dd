//! How deep the trees of `muth2006` are to be (section 2.1.4): from the number of
//! triangles alone, or from that of the points as well.

/// The depth at which a cluster of a surface, which fills a quarter of the
/// octants of each level, has no more than `leaf` of the triangles.
pub(super) fn pre_chosen(faces: usize, leaf: usize) -> u32 {
    let mut depth = 0;
    // Six squares of a cube.
    let mut per = faces as f64 / 3.0;
    while per > leaf as f64 && depth < 8 {
        depth += 1;
        per *= 0.25;
    }
    depth.max(1)
}

/// The depth that costs least, set-up and evaluation together.
pub(super) fn well_chosen(faces: usize, points: usize, degree: usize, separation: f64) -> u32 {
    let total = |depth: u32| Cost::new(faces, degree, separation, depth).total(points);
    (1..=8)
        .min_by(|&a, &b| total(a).total_cmp(&total(b)))
        .unwrap_or(1)
}

/// What the method of the paper costs, in units of a term of a conversion.
struct Cost {
    set_up: f64,
    point: f64,
}

impl Cost {
    /// Of a surface of `faces` triangles in trees of some depth. Constants are those of
    /// this implementation, measured.
    fn new(faces: usize, degree: usize, separation: f64, depth: u32) -> Self {
        let coefficients = ((degree + 1) * (degree + 1)) as f64;
        // Cells along an edge; clusters cover about three squares of the cube's
        // surface, cells near it fill a layer on both sides.
        let cells = 2f64.powi(depth as i32);
        let clusters = 3.0 * cells * cells;
        let reach = separation + 1.0;
        let near = (clusters * (2.0 * reach + 1.0)).min(cells * cells * cells);
        // Clusters that are near a parent and not the cell: a ring.
        let ring = 3.0 * 4.0 * reach * reach;
        let neighbours = (4.0 * reach * reach).min(clusters);
        let triangles = faces as f64 / clusters * neighbours;
        let share = near / (cells * cells * cells);
        Cost {
            set_up: 30.0 * faces as f64
                + near * ring * coefficients * coefficients
                + clusters * coefficients * coefficients,
            point: 4.0 * coefficients + 7.0 * triangles * share + 100.0,
        }
    }

    fn total(&self, points: usize) -> f64 {
        self.set_up + self.point * points as f64
    }
}
