//! Nearest points as all faces tell them one by one, for comparison.
//!
//! A face whose ball is farther than what was told is not solved for: it is no nearer.

use super::Answers;
use super::input::Given;
use crate::question::Sample;
use rayon::prelude::*;
use tangere::closest::{FaceStatus, PreparedFace};
use tangere::geometry::Ball;
use tangere::geometry::triangle::closest_on_triangle;

/// Distances this close, relative to themselves and the size of the surface, are equal.
const CLOSE: f64 = 1e-12;

/// So many points are named.
const NAMED: usize = 5;

/// The distance of a face, and what it is not less than.
type Bracket = [f64; 2];

/// Compares answers; gives the points that were compared, or names some whose answer is wrong.
pub fn answers(
    given: &Given,
    points: &[[f64; 3]],
    answers: &Answers,
    within: Option<f64>,
) -> Result<Sample, String> {
    let bounds = match given {
        Given::Triangles(mesh) => mesh.bounds(),
        Given::Faces(mesh) => mesh.bounds(),
    };
    let size = bounds.extent().into_iter().fold(0.0, f64::max);
    let prepared: Vec<(Ball<3>, PreparedFace)> = match given {
        Given::Triangles(_) => Vec::new(),
        Given::Faces(mesh) => (0..mesh.len())
            .into_par_iter()
            .map(|f| (mesh.face_ball(f), PreparedFace::new(&mesh.face(f))))
            .collect(),
    };
    // Of a face that is farther than `far` any bounds will do that are, too.
    let bracket = |f: usize, y: [f64; 3], far: f64| -> Bracket {
        let Some((ball, face)) = prepared.get(f) else {
            let Given::Triangles(mesh) = given else {
                return [f64::NAN; 2];
            };
            let nearest = closest_on_triangle(y, mesh.triangle(f));
            return [nearest.distance_squared.sqrt(); 2];
        };
        let way: [f64; 3] = std::array::from_fn(|k| y[k] - ball.center[k]);
        let from_center = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        if from_center - ball.radius > far {
            return [from_center - ball.radius; 2];
        }
        match face.nearest(y) {
            Ok(p) if p.status == FaceStatus::Proven => [p.distance; 2],
            Ok(p) => [p.distance, p.lower],
            // Points were looked at when they were read.
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
                    let is_told = row.binary_search(&(*f as u32)).is_ok();
                    let is_clear = *most < h - close || *least > h + close;
                    is_clear && is_told != (*most < h)
                };
                let (f, [most, _]) = all.find(is_wrong)?;
                let told = if most < h { "not found" } else { "found" };
                Some(format!("{i}: face {f} at {most} is {told}"))
            }
            _ => {
                let (face, told, lower) = match answers {
                    Answers::Triangles(found) => {
                        (found[i].face, found[i].distance, found[i].distance)
                    }
                    Answers::Faces(found) => (found[i].face, found[i].distance, found[i].lower),
                    Answers::Within(_) => return None,
                };
                let close = CLOSE * (told + size);
                let all = (0..given.len()).map(|f| bracket(f, y, told + close)[0]);
                let least = all.fold(f64::INFINITY, f64::min);
                let own = bracket(face as usize, y, f64::INFINITY)[0];
                let is_right = (told - least).abs() <= close && (told - own).abs() <= close;
                (!(is_right && lower <= least + close))
                    .then(|| format!("{i}: found {told} at face {face}, expected {least}"))
            }
        }
    };
    let complaints: Vec<String> = compared.par_iter().filter_map(complaint).collect();
    if complaints.is_empty() {
        return Ok(sample);
    }
    let rest = if complaints.len() > NAMED {
        ", …"
    } else {
        ""
    };
    let named = complaints[..complaints.len().min(NAMED)].join(", ");
    let (wrong, all) = (complaints.len(), compared.len());
    Err(format!(
        "{wrong} of {all} points differ from what every face tells: {named}{rest}"
    ))
}
