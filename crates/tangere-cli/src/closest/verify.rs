//! Comparison of distances with brute force: over all pairs of triangles, or over all faces for
//! each point.
//!
//! Faces whose bounding sphere is farther than the distance found are skipped: they are no nearer.

use super::points::Answers;
use crate::failure::Failure;
use crate::sample::Sample;
use rayon::prelude::*;
use tangere::closest::{FaceStatus, PreparedFace, Projection, SurfaceDistance, triangle_distance};
use tangere::geometry::triangle::closest_on_triangle;
use tangere::geometry::{Ball, Pose};
use tangere::shape::TriMesh;
use tangere_front::inputs::surface::Surface;
use tangere_front::text::first_of;

/// Compares the distance of the surfaces `a` and `b` at each pose, and the two faces at that
/// distance, with brute force over all pairs of triangles. If there are too many pairs, only a
/// sample of the faces of `a` is tested. Of equally near pairs of faces the one with the lowest
/// indices is expected. Returns the sample.
pub fn surfaces(
    a: &TriMesh,
    b: &TriMesh,
    poses_b: &[Pose],
    found: &[SurfaceDistance],
) -> Result<Sample, Failure> {
    let sample = Sample::new(a.faces().len(), b.faces().len() * poses_b.len());
    for (pose_b, found) in poses_b.iter().zip(found) {
        surfaces_at(a, b, pose_b, found, &sample)?;
    }
    Ok(sample)
}

/// Compares the distance of two surfaces at one pose, and the two faces at that distance, with
/// brute force: the faces of `a` in the sample are tested against all faces of `b`.
fn surfaces_at(
    a: &TriMesh,
    b: &TriMesh,
    pose_b: &Pose,
    found: &SurfaceDistance,
    sample: &Sample,
) -> Result<(), Failure> {
    type Nearest = (f64, u32, u32);
    fn nearer(x: Nearest, y: Nearest) -> Nearest {
        match y.0 < x.0 || y.0 == x.0 && (y.1, y.2) < (x.1, x.2) {
            true => y,
            false => x,
        }
    }
    const NONE: Nearest = (f64::INFINITY, 0, 0);
    let of_pair = |i: usize, j: usize| {
        let moved = b.triangle(j).map(|p| pose_b.apply(p));
        let distance = triangle_distance(a.triangle(i), moved).distance;
        (distance, i as u32, j as u32)
    };
    let balls: Vec<Ball<3>> = (0..b.faces().len())
        .map(|j| around(b.triangle(j).map(|p| pose_b.apply(p))))
        .collect();
    // Pairs whose bounding spheres are farther apart than the distance found are not nearer.
    let of_face = |i: usize| {
        let own = around(a.triangle(i));
        let may_be_nearer = |ball: &Ball<3>| {
            let offset: [f64; 3] = std::array::from_fn(|k| ball.center[k] - own.center[k]);
            let apart = offset.iter().map(|x| x * x).sum::<f64>().sqrt();
            apart - own.radius - ball.radius <= found.distance * (1.0 + 1e-9) + 1e-9 * apart
        };
        (balls.iter().enumerate())
            .filter(|(_, ball)| may_be_nearer(ball))
            .map(|(j, _)| of_pair(i, j))
            .fold(NONE, nearer)
    };
    let least = (sample.items().into_par_iter())
        .map(of_face)
        .reduce(|| NONE, nearer);
    // The pair that was found is always compared.
    let own = of_pair(found.face_a as usize, found.face_b as usize);
    let expected = nearer(least, own);
    match (found.distance, found.face_a, found.face_b) == expected {
        true => Ok(()),
        false => Err(Failure::internal(format_args!(
            "distance {:?} of faces {} and {}, expected {:?} of faces {} and {}",
            found.distance, found.face_a, found.face_b, expected.0, expected.1, expected.2
        ))),
    }
}

/// Returns a ball that contains a triangle.
fn around(corners: [[f64; 3]; 3]) -> Ball<3> {
    let center = std::array::from_fn(|k| corners.iter().map(|p| p[k] / 3.0).sum());
    Ball::about(center, &corners)
}

/// Tolerance for the comparison of two distances. It is a fraction of a sum: the distance plus the
/// longest edge of the bounding box of the surface.
const CLOSE: f64 = 1e-12;

/// Maximum number of points with a wrong answer that an error lists.
const NAMED: usize = 5;

/// The computed distance of a point from a face, and a lower bound of the true distance.
type Bracket = [f64; 2];

/// Compares nearest points, or faces within a distance, with brute force. Returns the sample of
/// query points that was compared. The error names query points with wrong answers.
pub fn points(
    name: &str,
    given: &Surface,
    points: &[[f64; 3]],
    answers: &Answers,
    within: Option<f64>,
) -> Result<Sample, Failure> {
    let bounds = match given {
        Surface::Triangles(mesh) => mesh.bounds(),
        Surface::Faces(mesh) => mesh.bounds(),
    };
    let size = bounds.extent().into_iter().fold(0.0, f64::max);
    let prepared: Vec<(Ball<3>, PreparedFace)> = match given {
        Surface::Triangles(_) => Vec::new(),
        Surface::Faces(mesh) => (0..mesh.len())
            .into_par_iter()
            .map(|f| (mesh.face_ball(f), PreparedFace::new(&mesh.face(f))))
            .collect(),
    };
    // For a face farther than `far` the exact distance is not needed: any two numbers beyond `far`
    // are returned.
    let bracket = |f: usize, y: [f64; 3], far: f64| -> Bracket {
        let Some((ball, face)) = prepared.get(f) else {
            let Surface::Triangles(mesh) = given else {
                return [f64::NAN; 2];
            };
            let nearest = closest_on_triangle(y, mesh.triangle(f));
            return [nearest.distance_squared.sqrt(); 2];
        };
        let offset: [f64; 3] = std::array::from_fn(|k| y[k] - ball.center[k]);
        let from_center = offset.iter().map(|x| x * x).sum::<f64>().sqrt();
        if from_center - ball.radius > far {
            return [from_center - ball.radius; 2];
        }
        match face.nearest(y) {
            Ok(p) if p.status == FaceStatus::Proven => [p.distance; 2],
            Ok(p) => [p.distance, p.lower],
            // Points were checked when they were read.
            Err(_) => [f64::NAN; 2],
        }
    };
    let sample = Sample::new(points.len(), given.len());
    let compared = sample.items();
    let complaint = |&i: &usize| -> Option<String> {
        let y = points[i];
        match (answers, within) {
            (Answers::Within(rows), Some(h)) => {
                let close = CLOSE * (h + size);
                let row = rows.row(i);
                let mut all = (0..given.len())
                    .map(|f| bracket(f, y, h + close))
                    .enumerate();
                let is_wrong = |(f, [most, least]): &(usize, Bracket)| {
                    let is_found = row.binary_search(&(*f as u32)).is_ok();
                    let is_clear = *most < h - close || *least > h + close;
                    is_clear && is_found != (*most < h)
                };
                let (f, [most, _]) = all.find(is_wrong)?;
                let what = if most < h { "not found" } else { "found" };
                Some(format!("{i}: face {f} at {most} is {what}"))
            }
            _ => {
                let (face, distance, lower) = match answers {
                    Answers::Triangles(found) => {
                        (found[i].face, found[i].distance, found[i].distance)
                    }
                    Answers::Faces(found) => (found[i].face, found[i].distance, found[i].lower),
                    Answers::Within(_) => return None,
                };
                let close = CLOSE * (distance + size);
                let all = (0..given.len()).map(|f| bracket(f, y, distance + close)[0]);
                let least = all.fold(f64::INFINITY, f64::min);
                let own = bracket(face as usize, y, f64::INFINITY)[0];
                let is_right = (distance - least).abs() <= close && (distance - own).abs() <= close;
                (!(is_right && lower <= least + close))
                    .then(|| format!("{i}: found {distance} at face {face}, expected {least}"))
            }
        }
    };
    let complaints: Vec<String> = compared.par_iter().filter_map(complaint).collect();
    if complaints.is_empty() {
        return Ok(sample);
    }
    let named = first_of(complaints.iter(), NAMED);
    let (wrong, all) = (complaints.len(), compared.len());
    Err(Failure::internal(format_args!(
        "{name}: {wrong} of {all} points differ from brute force over all faces: {named}"
    )))
}

/// Tolerance for the comparison of a local minimum with the nearest point, a fraction as [`CLOSE`]:
/// iterations end at steps of 1e-12.
const LOCAL: f64 = 1e-9;

/// Compares the local minima of SQP as published with the proven nearest points of all faces.
/// Returns the sample of query points that was compared, and how many of their distances are too
/// large. That a distance is too small, or its lower bound too large, is an error.
pub fn local_minima(
    name: &str,
    given: &Surface,
    points: &[[f64; 3]],
    answers: &Answers,
) -> Result<(Sample, usize), Failure> {
    let (Surface::Faces(mesh), Answers::Faces(found)) = (given, answers) else {
        return Ok((Sample::new(0, 0), 0));
    };
    let size = mesh.bounds().extent().into_iter().fold(0.0, f64::max);
    let faces: Vec<(Ball<3>, PreparedFace)> = (0..mesh.len())
        .into_par_iter()
        .map(|f| (mesh.face_ball(f), PreparedFace::new(&mesh.face(f))))
        .collect();
    // Faces farther than the distance found are not nearer.
    let least = |y: [f64; 3], far: f64| {
        let near = faces.iter().filter(|(ball, _)| {
            let offset: [f64; 3] = std::array::from_fn(|k| y[k] - ball.center[k]);
            offset.iter().map(|x| x * x).sum::<f64>().sqrt() - ball.radius <= far
        });
        let bounds = near.filter_map(|(_, face)| face.nearest(y).ok());
        let ends = bounds.map(|p| match p.status {
            FaceStatus::Proven => [p.distance; 2],
            FaceStatus::Bracketed => [p.lower, p.distance],
        });
        ends.fold([f64::INFINITY; 2], |[a, b], [c, d]| [a.min(c), b.min(d)])
    };
    let sample = Sample::new(points.len(), mesh.len());
    let compared = sample.items().into_par_iter().map(|i| {
        let Projection {
            distance, lower, ..
        } = found[i];
        let close = LOCAL * (distance + size);
        let [least, most] = least(points[i], distance + close);
        let is_wrong = distance < least - close || lower > most + close;
        (is_wrong, distance > most + close)
    });
    let compared: Vec<(bool, bool)> = compared.collect();
    match compared.iter().position(|&(is_wrong, _)| is_wrong) {
        Some(i) => Err(Failure::internal(format_args!(
            "{name}: point {}: found {}, which is not a distance to the surface",
            sample.items()[i],
            found[sample.items()[i]].distance
        ))),
        None => {
            let local = compared.iter().filter(|(_, is_local)| *is_local).count();
            Ok((sample, local))
        }
    }
}
