//! The way up between walls and spheres: the largest of the least of a few distances.
//!
//! Near a point, distances are linear: `value + normal . step`. The step that makes the least
//! of them largest is found by walking: with the active ones (the least of all) it goes
//! along the point of the hull of their normals that is nearest to the origin, for in that direction all of
//! them grow alike, and as fast as can be; until another becomes active, or the hull contains
//! the origin, and nothing is uphill any more.

use crate::geometry::vector::{cross, dot, minus};

/// A distance near a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub value: f64,
    /// A unit vector: where it grows.
    pub normal: [f64; 3],
}

/// Changes of the active set, after which a walk ends where it is. Five or so are usual.
const TURNS: usize = 24;

/// Squares of lengths below this are none: the way is up by less than a millionth of its length.
const FLAT: f64 = 1e-12;

/// A step no longer than `longest` and the least distance it leads to, if distances are linear.
pub(super) fn step_up(sites: &[Site], longest: f64) -> ([f64; 3], f64) {
    let mut step = [0.0; 3];
    let Some(first) = (0..sites.len()).reduce(|a, b| {
        if sites[b].value < sites[a].value {
            b
        } else {
            a
        }
    }) else {
        return (step, 0.0);
    };
    let mut height = sites[first].value;
    let mut active = [first, 0, 0, 0];
    let mut count = 1;
    for _ in 0..TURNS {
        let normals: [[f64; 3]; 4] =
            std::array::from_fn(|i| sites[active[i.min(count - 1)]].normal);
        let (way, support) = nearest_of_hull(&normals[..count]);
        let rise = dot(way, way);
        if rise < FLAT {
            break;
        }
        let kept = active;
        let before = count;
        count = 0;
        for i in 0..before {
            if support >> i & 1 == 1 {
                active[count] = kept[i];
                count += 1;
            }
        }
        // |step + s way| = longest.
        let (ahead, square) = (dot(step, way), dot(step, step));
        let room = (longest * longest - square).max(0.0);
        let mut far = ((ahead * ahead + rise * room).sqrt() - ahead) / rise;
        let mut hit = None;
        for (j, site) in sites.iter().enumerate() {
            let slower = rise - dot(site.normal, way);
            if slower > 1e-9 * rise && !active[..count].contains(&j) {
                let above = site.value + dot(site.normal, step) - height;
                let until = above.max(0.0) / slower;
                if until < far {
                    far = until;
                    hit = Some(j);
                }
            }
        }
        for k in 0..3 {
            step[k] += far * way[k];
        }
        height += far * rise;
        match hit {
            Some(j) if count < 4 => {
                active[count] = j;
                count += 1;
            }
            _ => break,
        }
    }
    (step, height)
}

/// The point nearest to the origin in the hull of up to four points, and the points, as
/// bits, of the least face that contains it.
pub(super) fn nearest_of_hull(points: &[[f64; 3]]) -> ([f64; 3], u32) {
    let n = points.len();
    let mut best = (f64::INFINITY, [0.0; 3], 0);
    let mut offer = |v: [f64; 3], support: u32| {
        let square = dot(v, v);
        if square < best.0 {
            best = (square, v, support);
        }
    };
    for a in 0..n {
        offer(points[a], 1 << a);
        for b in a + 1..n {
            let edge = minus(points[b], points[a]);
            let (along, square) = (-dot(points[a], edge), dot(edge, edge));
            if along > 0.0 && along < square {
                let t = along / square;
                let v = std::array::from_fn(|k| points[a][k] + t * edge[k]);
                offer(v, 1 << a | 1 << b);
            }
            for c in b + 1..n {
                if let Some(v) = nearest_within(points[a], points[b], points[c]) {
                    offer(v, 1 << a | 1 << b | 1 << c);
                }
            }
        }
    }
    if let &[a, b, c, d] = points
        && contains_origin(a, b, c, d)
    {
        return ([0.0; 3], 15);
    }
    (best.1, best.2)
}

/// The foot of the origin on the plane of a triangle, if it is within the triangle.
fn nearest_within(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Option<[f64; 3]> {
    let normal = cross(minus(b, a), minus(c, a));
    let square = dot(normal, normal);
    if square < 1e-20 {
        return None;
    }
    let inside = dot(normal, cross(a, b)) >= 0.0
        && dot(normal, cross(b, c)) >= 0.0
        && dot(normal, cross(c, a)) >= 0.0;
    let t = dot(a, normal) / square;
    inside.then(|| normal.map(|x| t * x))
}

fn contains_origin(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> bool {
    let det = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| dot(a, cross(b, c));
    let parts = [det(b, d, c), det(a, c, d), det(a, d, b), det(a, b, c)];
    parts.iter().all(|&x| x > 1e-12) || parts.iter().all(|&x| x < -1e-12)
}
