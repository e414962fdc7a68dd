//! Oracle of the impact engine: distances by brute force over all triangles, at times as fine as
//! needed.

use super::bodies::Thing;
use nalgebra::Vector3;
use tangere::closest::triangle_distance;

/// Triangles with a ball around each.
struct Triangles {
    corners: Vec<[[f64; 3]; 3]>,
    balls: Vec<(Vector3<f64>, f64)>,
}

impl Triangles {
    fn new(points: &[Vector3<f64>], faces: &[[u32; 3]]) -> Self {
        let of = |face: &[u32; 3]| face.map(|v| points[v as usize].into());
        let corners: Vec<[[f64; 3]; 3]> = faces.iter().map(of).collect();
        let ball = |t: &[[f64; 3]; 3]| {
            let t = t.map(Vector3::from);
            let middle = (t[0] + t[1] + t[2]) / 3.0;
            (
                middle,
                t.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max),
            )
        };
        let balls = corners.iter().map(ball).collect();
        Triangles { corners, balls }
    }
}

/// The least distance of two surfaces, 0 if they have a common point.
pub fn distance_of(points: [&[Vector3<f64>]; 2], faces: [&[[u32; 3]]; 2]) -> f64 {
    let [a, b] = [0, 1].map(|i| Triangles::new(points[i], faces[i]));
    let mut pairs = Vec::with_capacity(a.balls.len() * b.balls.len());
    let mut most = f64::INFINITY;
    for (i, (p, r)) in a.balls.iter().enumerate() {
        for (j, (q, s)) in b.balls.iter().enumerate() {
            let away = (q - p).norm();
            let least = (away - r - s) * (1.0 - 1e-12);
            most = most.min(away);
            if least <= most {
                pairs.push((least, i, j));
            }
        }
    }
    pairs.retain(|pair| pair.0 <= most);
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut least = f64::INFINITY;
    for (bound, i, j) in pairs {
        if bound > least || least == 0.0 {
            break;
        }
        least = least.min(triangle_distance(a.corners[i], b.corners[j]).distance);
    }
    least
}

/// Distance of two bodies at a time; negative for balls that overlap.
pub fn distance(a: &Thing, b: &Thing, time: f64) -> f64 {
    let points = [a.at(time), b.at(time)];
    let apart = distance_of([&points[0], &points[1]], [&a.faces, &b.faces]);
    apart - a.radius - b.radius
}

/// The first sampled time at which the distance of two bodies is at most a separation.
///
/// At a distance `d` and speeds of at most `v` there is no contact for `d / v`, so samples are that
/// far apart, or the finest step.
pub fn first_common(
    a: &Thing,
    b: &Thing,
    separation: f64,
    [from, to]: [f64; 2],
    finest: f64,
) -> Option<f64> {
    let speed = a.speed(to) + b.speed(to);
    let mut time = from;
    loop {
        let apart = distance(a, b, time) - separation;
        if apart <= 0.0 {
            return Some(time);
        }
        if time >= to {
            return None;
        }
        let step = (0.999 * apart / speed).max(finest);
        time = (time + step).min(to);
    }
}
