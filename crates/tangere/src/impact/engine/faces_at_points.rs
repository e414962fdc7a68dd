//! The faces around each point of a body shape, for the normals and the first faces of contacts at
//! vertices and edges.

/// For each point of a body shape, the faces that have it as a corner, ascending.
#[derive(Clone, Debug)]
pub(super) struct FacesAtPoints {
    /// Where the faces of each point end in `faces`; those of the next point begin there.
    ends: Vec<usize>,
    faces: Vec<u32>,
}

impl FacesAtPoints {
    /// The faces around each of `points` points, by counting.
    pub(super) fn new(points: usize, faces: &[[u32; 3]]) -> Self {
        let mut ends = vec![0; points + 1];
        for &point in faces.iter().flatten() {
            ends[point as usize + 1] += 1;
        }
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        // Until the faces of a point are entered, its end is where they begin.
        let mut entered = vec![0; 3 * faces.len()];
        for (face, corners) in faces.iter().enumerate() {
            for &point in corners {
                entered[ends[point as usize]] = face as u32;
                ends[point as usize] += 1;
            }
        }
        FacesAtPoints {
            ends,
            faces: entered,
        }
    }

    /// The faces at a point.
    pub(super) fn of(&self, point: u32) -> &[u32] {
        let point = point as usize;
        let start = if point == 0 { 0 } else { self.ends[point - 1] };
        &self.faces[start..self.ends[point]]
    }
}
