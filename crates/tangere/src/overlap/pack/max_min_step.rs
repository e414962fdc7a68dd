//! Max-min step: the step that maximises the least of a few linear distances.
//!
//! Near a point, distances are linear: `value + normal . step`. An active-set method maximises the
//! least of them. The active distances are those that are least. Of the convex hull of their
//! normals, the point nearest to the origin is the direction of the next move: along it all active
//! distances grow equally, and as fast as possible. The direction changes when another distance
//! becomes active, and the maximum is found when the hull contains the origin.

use crate::geometry::vector::{cross, dot, minus};

/// A distance linearised at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinearDistance {
    pub value: f64,
    /// The gradient of the distance, a unit vector.
    pub normal: [f64; 3],
}

/// The largest number of changes of the active set. About five are usual.
const TURNS: usize = 24;

/// Squared lengths of gradients below this are taken as 0: the slope is below a millionth.
const FLAT: f64 = 1e-12;

/// Returns the max-min step: the step, no longer than `longest`, that maximises the least distance,
/// and that distance in the linear model.
pub(super) fn step_up(sites: &[LinearDistance], longest: f64) -> ([f64; 3], f64) {
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

/// Returns the direction of the max-min step: of the convex hull of up to four normals, the point
/// that is nearest to the origin. Also returns the mask of the normals that span the smallest face
/// with this point.
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

/// Returns the projection of the origin to the plane of a triangle of normals, if it lies in the
/// triangle, for the max-min step.
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

/// Returns whether a tetrahedron of normals contains the origin: then the max-min step is at its
/// maximum.
fn contains_origin(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> bool {
    let det = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| dot(a, cross(b, c));
    let parts = [det(b, d, c), det(a, c, d), det(a, d, b), det(a, b, c)];
    parts.iter().all(|&x| x > 1e-12) || parts.iter().all(|&x| x < -1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    fn unit(random: &mut Random) -> [f64; 3] {
        loop {
            let v = [0; 3].map(|_| 2.0 * random.unit() - 1.0);
            let square = dot(v, v);
            if square > 0.01 && square < 1.0 {
                return v.map(|x| x / square.sqrt());
            }
        }
    }

    #[test]
    fn the_nearest_point_of_a_hull_is_before_all_others() {
        let mut random = Random::new(1);
        let mut within = 0;
        for i in 0..4000 {
            let mut points: Vec<[f64; 3]> = (0..1 + i % 4).map(|_| unit(&mut random)).collect();
            if i % 5 == 0 {
                points[i % (1 + i % 4)] = points[0];
            }
            let (v, support) = nearest_of_hull(&points);
            // No point lies on the origin's side of the plane that goes through the nearest point
            // and is normal to it.
            for &p in &points {
                assert!(dot(p, v) >= dot(v, v) - 1e-9, "{points:?}");
            }
            assert!(support > 0 && support < 1 << points.len());
            within += usize::from(dot(v, v) == 0.0);
        }
        assert!(within > 50);
    }

    #[test]
    fn steps_lead_to_the_top() {
        let mut random = Random::new(2);
        for i in 0..2000 {
            let sites: Vec<LinearDistance> = (0..2 + i % 12)
                .map(|_| LinearDistance {
                    value: 1.0 + random.unit(),
                    normal: unit(&mut random),
                })
                .collect();
            let least = |step: [f64; 3]| {
                let values = sites.iter().map(|s| s.value + dot(s.normal, step));
                values.fold(f64::INFINITY, f64::min)
            };
            let (step, height) = step_up(&sites, 0.7);
            assert!(dot(step, step).sqrt() < 0.7 + 1e-9);
            assert!((least(step) - height).abs() < 1e-9);
            assert!(height >= least([0.0; 3]));
            // No point nearby is higher, unless the step has the largest length allowed.
            if dot(step, step).sqrt() < 0.69 {
                for _ in 0..20 {
                    let way = unit(&mut random);
                    let beside = std::array::from_fn(|k| step[k] + 1e-3 * way[k]);
                    assert!(least(beside) < height + 1e-6);
                }
            }
        }
    }
}
