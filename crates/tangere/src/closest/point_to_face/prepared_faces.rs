//! Prepared faces: nearest points of many finite element faces to many points.
//!
//! Queries to faces of one kind are solved eight at a time in lanes, in the order in which they
//! come; kinds may be mixed. A result has the same bits as that of [`PreparedFace::nearest`],
//! whatever the other queries are.

use super::face_point::FacePoint;
use super::face_row::{Block, blocks, row};
use super::prepared_face::PreparedFace;
use super::solve_lanes::{Lanes, UNKNOWN, solve_eight};
use crate::error::{Argument, Error, Result};
use crate::geometry::{COORDINATE_MAX, COORDINATE_MIN, check_points};
use crate::memory;
use crate::shape::{Face, FaceKind, FaceMesh};
use crate::simd::{LANES, widest};
use rayon::prelude::*;

/// The number of queries in a parallel task.
const CHUNK: usize = 512;
const _: () = assert!(CHUNK.is_multiple_of(LANES));

/// Many finite element faces prepared for nearest-point queries.
///
/// ```
/// use tangere::closest::PreparedFaces;
/// use tangere::shape::{Face, FaceKind};
///
/// let square = [[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.]];
/// let triangle = [[1., -1., 0.], [3., -1., 0.], [1., 1., 0.]];
/// let faces = PreparedFaces::from_faces(&[
///     Face::new(FaceKind::Quad4, &square)?,
///     Face::new(FaceKind::Tri3, &triangle)?,
/// ]);
/// let mut found = Vec::new();
/// faces.nearest_all(&[0, 1], &[[0.5, 0.5, 2.0], [0.0, 0.0, 0.0]], &mut found)?;
/// assert_eq!((found[0].xi, found[0].distance), ([0.5, 0.5], 2.0));
/// assert_eq!((found[1].point, found[1].active), ([1.0, 0.0, 0.0], 0b100));
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PreparedFaces {
    kinds: Vec<FaceKind>,
    /// For each face the index in `rows` of the first block of its face row.
    starts: Vec<usize>,
    rows: Vec<Block>,
    /// The kind of all prepared faces if they have the same kind, otherwise `None`.
    only: Option<FaceKind>,
}

impl PreparedFaces {
    /// Prepares all faces of a mesh of finite element faces.
    pub fn new(mesh: &FaceMesh) -> Self {
        let mut faces = Self::default();
        faces.update(mesh);
        faces
    }

    /// Prepares many faces of any kinds.
    pub fn from_faces(faces: &[Face]) -> Self {
        let mut prepared = Self::default();
        prepared.fill(faces.len(), |i| faces[i]);
        prepared
    }

    /// Replaces the prepared faces by those of a mesh. No memory is allocated if the mesh has the
    /// same number of faces of each kind.
    pub fn update(&mut self, mesh: &FaceMesh) {
        self.fill(mesh.len(), |i| mesh.face(i));
    }

    /// Replaces the prepared faces by `count` others: `face(i)` is face `i`.
    fn fill(&mut self, count: usize, face: impl Fn(usize) -> Face) {
        self.kinds.clear();
        self.starts.clear();
        self.rows.clear();
        for i in 0..count {
            let face = face(i);
            let kind = face.kind();
            self.kinds.push(kind);
            self.starts.push(self.rows.len());
            self.rows.extend_from_slice(&row(&face)[..blocks(kind)]);
        }
        let first = self.kinds.first().copied();
        self.only = first.filter(|first| self.kinds.iter().all(|kind| kind == first));
    }

    /// The number of prepared faces.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are no prepared faces.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The kind of one of the prepared faces.
    pub fn kind(&self, face: usize) -> FaceKind {
        self.kinds[face]
    }

    /// The nearest point of each prepared face `faces[i]` to its own point `points[i]`. It is
    /// fastest if faces of one kind follow each other.
    ///
    /// # Errors
    /// When there are not as many points as faces, the index of a face is out of range, or a
    /// coordinate is not finite, too large, or too small but not 0; `found` is then unchanged.
    pub fn nearest_all(
        &self,
        faces: &[u32],
        points: &[[f64; 3]],
        found: &mut Vec<FacePoint>,
    ) -> Result<()> {
        if faces.len() != points.len() {
            return Err(Error::argument(
                Argument::Points,
                format!("{} points", points.len()),
                format!("{}, one for each face", faces.len()),
            ));
        }
        if !are_valid(points) {
            check_points(Argument::Point, points)?;
        }
        self.check_faces(faces)?;
        self.answer(faces, |i| points[i], found)
    }

    /// The nearest point of each prepared face `faces[i]` to one point.
    ///
    /// # Errors
    /// As [`PreparedFaces::nearest_all`].
    pub fn nearest_of_each(
        &self,
        faces: &[u32],
        point: [f64; 3],
        found: &mut Vec<FacePoint>,
    ) -> Result<()> {
        check_points(Argument::Point, &[point])?;
        self.check_faces(faces)?;
        self.answer(faces, |_| point, found)
    }

    /// Checks that the indices of prepared faces are in range.
    fn check_faces(&self, faces: &[u32]) -> Result<()> {
        match faces.iter().position(|&f| f as usize >= self.len()) {
            None => Ok(()),
            Some(index) => Err(Error::item(
                Argument::FaceNumber,
                index,
                faces[index].to_string(),
                format!("less than {}, the number of faces", self.len()),
            )),
        }
    }

    /// Computes the point of prepared face `faces[i]` nearest to `point(i)`, for every `i`, on all
    /// threads.
    fn answer(
        &self,
        faces: &[u32],
        point: impl Fn(usize) -> [f64; 3] + Sync,
        found: &mut Vec<FacePoint>,
    ) -> Result<()> {
        let more = faces.len().saturating_sub(found.len());
        memory::reserve(found, more, Argument::Points)?;
        found.resize(faces.len(), UNKNOWN);
        if faces.len() <= CHUNK {
            self.answer_here(faces, point, found);
            return Ok(());
        }
        let chunks = faces.par_chunks(CHUNK).zip(found.par_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(chunk, (faces, found))| {
            self.answer_here(faces, |i| point(CHUNK * chunk + i), found);
        });
        Ok(())
    }

    /// Computes the point of prepared face `faces[i]` nearest to `point(i)`, for every `i`, on this
    /// thread.
    fn answer_here(
        &self,
        faces: &[u32],
        point: impl Fn(usize) -> [f64; 3],
        found: &mut [FacePoint],
    ) {
        if let Some(kind) = self.only {
            let stride = blocks(kind);
            let groups = faces.chunks(LANES).zip(found.chunks_mut(LANES));
            for (group, (faces, found)) in groups.enumerate() {
                let lanes = Lanes::new(faces.len(), |j| {
                    let start = stride * faces[j] as usize;
                    (&self.rows[start..start + stride], point(LANES * group + j))
                });
                solve_eight(kind, &lanes, found);
            }
            return;
        }
        answer_mixed(found, |i| {
            let face = faces[i] as usize;
            (self.kinds[face], &self.rows[self.starts[face]..], point(i))
        });
    }
}

/// The nearest points of prepared faces, computed eight at a time. `question(i)` returns a face and
/// its query point, which must be valid; `found[i]` receives the result.
pub(in crate::closest) fn nearest_together<'a>(
    question: impl Fn(usize) -> (&'a PreparedFace, [f64; 3]),
    found: &mut [FacePoint],
) {
    answer_mixed(found, |i| {
        let (face, point) = question(i);
        (face.face().kind(), face.row(), point)
    });
}

/// Solves queries to prepared faces of any kinds. `question(i)` returns the kind of a face, its
/// face row and the query point; `found[i]` receives the result.
fn answer_mixed<'a>(
    found: &mut [FacePoint],
    question: impl Fn(usize) -> (FaceKind, &'a [Block], [f64; 3]),
) {
    // Queries of each kind, collected until there are eight.
    let mut waiting = [([0; LANES], 0); FaceKind::ALL.len()];
    let solve = |kind, questions: &[usize], found: &mut [FacePoint]| {
        let lanes = Lanes::new(questions.len(), |j| {
            let (_, row, point) = question(questions[j]);
            (row, point)
        });
        let mut answers = [UNKNOWN; LANES];
        solve_eight(kind, &lanes, &mut answers[..questions.len()]);
        for (&question, answer) in questions.iter().zip(answers) {
            found[question] = answer;
        }
    };
    for i in 0..found.len() {
        let (kind, ..) = question(i);
        let (questions, count) = &mut waiting[kind as usize];
        questions[*count] = i;
        *count += 1;
        if *count == LANES {
            solve(kind, &questions[..], found);
            *count = 0;
        }
    }
    for (kind, (questions, count)) in FaceKind::ALL.into_iter().zip(&waiting) {
        if *count > 0 {
            solve(kind, &questions[..*count], found);
        }
    }
}

/// Whether all coordinates of the query points of prepared faces are valid. All points are tested
/// even after an invalid one: without an early exit the test is faster.
fn are_valid(points: &[[f64; 3]]) -> bool {
    widest(|| {
        let mut invalid = 0;
        for x in points.as_flattened() {
            let size = x.abs();
            let is_valid = (size <= COORDINATE_MAX) & ((size >= COORDINATE_MIN) | (size == 0.0));
            invalid |= u64::from(!is_valid);
        }
        invalid == 0
    })
}
