//! Polygon triangulation by ear clipping.
//!
//! A polygon is projected along the axis on which its normal (Newell's sum) is largest; all
//! decisions are then exact signs of areas in the plane. A strictly convex polygon of `n` vertices
//! costs O(n). Any other polygon is clipped ear by ear, where a tree finds the reflex vertices in
//! an ear: about O(n log n), and O(n sqrt n) if most ears are slivers among many vertices.
//!
//! A simple polygon always has an ear of positive area that no other vertex
//! touches, and clipping it leaves a simple polygon. Polygons that touch or cross
//! themselves may run out of such ears; then the best remaining ear is clipped, so
//! that there are always `n - 2` triangles and every edge of the polygon is an edge
//! of exactly one of them.

use crate::ear_blockers::{Blockers, Within};
use robust::{Coord, orient2d};
use std::collections::VecDeque;

/// Triangulator of polygons, which reuses its memory from polygon to polygon.
#[derive(Default)]
pub(crate) struct Triangulation {
    /// The vertices of the current polygon, projected to a plane, and mirrored if necessary so that
    /// the polygon is counterclockwise.
    points: Vec<[f64; 2]>,
    before: Vec<u32>,
    after: Vec<u32>,
    /// The stamp of each corner: a version number, increased when the corner is queued anew or
    /// clipped. A queue entry with an older stamp is void.
    stamps: Vec<u32>,
    /// The corners that may block an ear: reflex or flat, and not yet clipped.
    blockers: Blockers,
    /// Queues of corners, one queue for each quality of ear ([`Ear`]), the best first. An entry is
    /// the index of a corner and the stamp that the corner had when it was queued.
    queues: [VecDeque<(u32, u32)>; 5],
}

/// Quality of the ear of a corner, the triangle of the corner and its two neighbours in the
/// polygon. The best quality is first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ear {
    /// Ear of positive area, with no vertex inside it or on its border.
    Clear,
    /// Ear of positive area, with vertices on its border but none inside it.
    Touched,
    /// Ear of positive area, with vertices inside it.
    Crossed,
    /// Ear of zero area.
    Flat,
    /// Ear of negative area: the corner is reflex.
    Reflex,
}

impl Triangulation {
    /// Appends the triangles of one polygon.
    pub fn append(
        &mut self,
        vertices: &[[f64; 3]],
        polygon: &[u32],
        triangles: &mut Vec<[u32; 3]>,
    ) {
        let n = polygon.len();
        let is_convex = n <= 3 || !self.project(vertices, polygon) || self.is_convex();
        if is_convex {
            triangles.extend(
                polygon
                    .windows(2)
                    .skip(1)
                    .map(|pair| [polygon[0], pair[0], pair[1]]),
            );
        } else {
            self.cut_ears(polygon, triangles);
        }
    }

    /// Fills `points` with the projected vertices of the polygon; returns false if one of its
    /// vertex indices is out of range.
    fn project(&mut self, vertices: &[[f64; 3]], polygon: &[u32]) -> bool {
        self.points.clear();
        let corner = |i: usize| vertices.get(polygon[i] as usize).copied();
        let Some(origin) = corner(0) else {
            return false;
        };
        let mut normal = [0.0; 3];
        let mut previous = [0.0; 3];
        for i in 1..polygon.len() {
            let Some(p) = corner(i) else { return false };
            // Coordinates relative to a corner avoid cancellation far from the origin.
            let q: [f64; 3] = std::array::from_fn(|k| p[k] - origin[k]);
            for (k, x) in normal.iter_mut().enumerate() {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                *x += previous[i] * q[j] - previous[j] * q[i];
            }
            previous = q;
        }
        // Without a normal (collinear vertices, or loops that cancel) any axis is as good as the
        // last.
        let mut axis = 2;
        for k in [1, 0] {
            if normal[k].abs() > normal[axis].abs() {
                axis = k;
            }
        }
        let (mut i, mut j) = ((axis + 1) % 3, (axis + 2) % 3);
        if normal[axis] < 0.0 {
            (i, j) = (j, i);
        }
        // Adding 0.0 turns -0.0 into 0.0, so that equal values compare equal in the total order.
        let point = |&v: &u32| vertices.get(v as usize).map(|p| [p[i] + 0.0, p[j] + 0.0]);
        self.points.extend(polygon.iter().filter_map(point));
        true
    }

    /// Whether the polygon turns left at every corner and winds once.
    fn is_convex(&self) -> bool {
        let p = &self.points;
        let n = p.len();
        let at = |i: usize| p[if i < n { i } else { i - n }];
        let turns_left = (0..n).all(|i| side(at(i), at(i + 1), at(i + 2)) > 0.0);
        // Edges point forward or backward in the order of coordinates. A polygon
        // that turns left throughout changes direction twice per full turn, so a
        // star, which winds more than once, is detected without angles.
        let forward = |i: usize| at(i + 1) > at(i);
        let changes =
            || (0..n).filter(|&i| forward(i) != forward(if i + 1 < n { i + 1 } else { 0 }));
        turns_left && changes().count() == 2
    }

    fn cut_ears(&mut self, polygon: &[u32], triangles: &mut Vec<[u32; 3]>) {
        self.start();
        let mut left = polygon.len();
        let mut live = 0;
        while left > 3 {
            let Some((quality, corner)) = self.next_queued() else {
                break;
            };
            let ear = self.ear(corner) as usize;
            if ear > quality {
                // The ear is worse than when it was queued, which happens only for a polygon that
                // is not simple: the corner is queued again with its new quality.
                let entry = (corner as u32, self.stamps[corner]);
                self.queues[ear].push_back(entry);
                continue;
            }
            let (a, c) = (self.before[corner] as usize, self.after[corner] as usize);
            triangles.push([polygon[a], polygon[corner], polygon[c]]);
            self.after[a] = c as u32;
            self.before[c] = a as u32;
            self.blockers.set(corner, false);
            self.stamps[corner] += 1;
            left -= 1;
            live = a;
            for neighbour in [a, c] {
                self.update(neighbour);
            }
        }
        let mut last = [self.before[live] as usize, live, self.after[live] as usize];
        let smallest = (0..3).min_by_key(|&k| last[k]).unwrap_or(0);
        last.rotate_left(smallest);
        triangles.push(last.map(|i| polygon[i]));
    }

    fn start(&mut self) {
        let n = self.points.len();
        self.before.clear();
        self.before.extend((0..n).map(|i| ((i + n - 1) % n) as u32));
        self.after.clear();
        self.after.extend((0..n).map(|i| ((i + 1) % n) as u32));
        self.stamps.clear();
        self.stamps.resize(n, 0);
        self.blockers.reset(&self.points);
        for i in 0..n {
            let blocks = self.turn(i) <= 0.0;
            self.blockers.set(i, blocks);
        }
        self.queues.iter_mut().for_each(VecDeque::clear);
        for i in 0..n {
            let ear = self.ear(i) as usize;
            self.queues[ear].push_back((i as u32, 0));
        }
    }

    /// Returns the quality of the best ear that is queued, and its corner; `None` if all queues are
    /// empty. First in, first out spreads the cuts around the polygon instead of making a fan of
    /// slivers.
    fn next_queued(&mut self) -> Option<(usize, usize)> {
        for (quality, queue) in self.queues.iter_mut().enumerate() {
            while let Some((corner, stamp)) = queue.pop_front() {
                if self.stamps[corner as usize] == stamp {
                    return Some((quality, corner as usize));
                }
            }
        }
        None
    }

    /// Updates a corner after a neighbour was clipped: whether it may block ears, and the quality
    /// with which it is queued.
    fn update(&mut self, corner: usize) {
        let blocks = self.turn(corner) <= 0.0;
        self.blockers.set(corner, blocks);
        self.stamps[corner] += 1;
        let ear = self.ear(corner) as usize;
        self.queues[ear].push_back((corner as u32, self.stamps[corner]));
    }

    /// Returns a number that is positive if the polygon turns left at a corner, negative if it
    /// turns right and 0 if it is straight.
    fn turn(&self, corner: usize) -> f64 {
        let [a, b, c] = self.triangle(corner);
        side(a, b, c)
    }

    fn triangle(&self, corner: usize) -> [[f64; 2]; 3] {
        [
            self.before[corner] as usize,
            corner,
            self.after[corner] as usize,
        ]
        .map(|i| self.points[i])
    }

    fn ear(&mut self, corner: usize) -> Ear {
        let [a, b, c] = self.triangle(corner);
        let turn = side(a, b, c);
        if turn < 0.0 {
            return Ear::Reflex;
        }
        // Overflow may make the value NaN.
        if turn == 0.0 || turn.is_nan() {
            return Ear::Flat;
        }
        match self.blockers.within(&self.points, [a, b, c]) {
            Within::Nothing => Ear::Clear,
            Within::Border => Ear::Touched,
            Within::Inside => Ear::Crossed,
        }
    }
}

/// Returns a number that is positive if `c` lies to the left of the line from `a` to `b`; its sign
/// is exact.
pub(crate) fn side(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let [a, b, c] = [a, b, c].map(|[x, y]| Coord { x, y });
    orient2d(a, b, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(points: &[[f64; 3]]) -> Vec<[u32; 3]> {
        let polygon: Vec<u32> = (0..points.len() as u32).collect();
        let mut triangles = Vec::new();
        Triangulation::default().append(points, &polygon, &mut triangles);
        triangles
    }

    fn flat(points: &[[f64; 2]]) -> Vec<[f64; 3]> {
        points.iter().map(|&[x, y]| [x, y, 0.0]).collect()
    }

    fn areas(points: &[[f64; 2]], triangles: &[[u32; 3]]) -> Vec<f64> {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            side(a, b, c) / 2.0
        };
        triangles.iter().map(area).collect()
    }

    /// Checks that the triangles cover a polygon of `n` vertices: every edge of the polygon occurs
    /// once, and every other edge once in each direction.
    fn assert_covers(n: usize, triangles: &[[u32; 3]]) {
        assert_eq!(triangles.len(), n - 2);
        let mut edges: Vec<_> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
            .collect();
        for i in 0..n as u32 {
            let edge = (i, (i + 1) % n as u32);
            let place = edges.iter().position(|&other| other == edge);
            edges.swap_remove(place.expect("an edge of the polygon"));
        }
        let mut forward: Vec<_> = edges.iter().filter(|(a, b)| a < b).copied().collect();
        let mut backward: Vec<_> = edges.iter().filter(|(a, b)| a > b).collect();
        backward.sort();
        let mut backward: Vec<_> = backward.into_iter().map(|&(a, b)| (b, a)).collect();
        forward.sort();
        backward.sort();
        assert_eq!(forward, backward);
    }

    fn assert_exact(points: &[[f64; 2]]) {
        let triangles = cut(&flat(points));
        assert_covers(points.len(), &triangles);
        let areas = areas(points, &triangles);
        assert!(areas.iter().all(|&area| area > 0.0), "{areas:?}");
        let n = points.len();
        let whole: f64 = (0..n)
            .map(|i| {
                let ([a, b], [c, d]) = (points[i], points[(i + 1) % n]);
                (a * d - b * c) / 2.0
            })
            .sum();
        let sum: f64 = areas.iter().sum();
        assert!((sum - whole).abs() <= 1e-9 * whole, "{sum} {whole}");
    }

    #[test]
    fn convex_polygons_are_cut_from_their_first_vertex() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(cut(&flat(&square)), [[0, 1, 2], [0, 2, 3]]);
        let turned: Vec<_> = square.iter().rev().map(|&[x, y]| [y, 0.0, x]).collect();
        assert_eq!(cut(&turned), [[0, 1, 2], [0, 2, 3]]);
        let lines = [[0.0; 3], [1.0, 0.0, 0.0]];
        assert!(cut(&lines).is_empty() && cut(&lines[..1]).is_empty() && cut(&[]).is_empty());
    }

    #[test]
    fn simple_polygons_are_covered_exactly() {
        let arrow = [[0.0, 0.0], [4.0, -3.0], [1.0, 0.0], [4.0, 3.0]];
        assert_exact(&arrow);
        let midpoint = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 2.0]];
        assert_exact(&midpoint);
        let mut comb = vec![[100.0, 5.0], [0.0, 5.0]];
        for i in 0..100 {
            comb.push([f64::from(i), 0.0]);
            comb.push([f64::from(i) + 0.5, 4.0]);
        }
        assert_exact(&comb);
        // The polygon is a spiral, whose corners are reflex on one side and convex on the other.
        let arm = |i: i32, r: f64| {
            let angle = f64::from(i) * 0.2;
            [angle.cos() * (angle + r), angle.sin() * (angle + r)]
        };
        let out = (0..300).map(|i| arm(i, 3.0));
        let spiral: Vec<_> = out.chain((0..300).rev().map(|i| arm(i, 1.0))).collect();
        assert_exact(&spiral);
    }

    #[test]
    fn a_polygon_with_a_bridge_to_its_hole_is_covered_exactly() {
        let outer = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0], [0.0, 0.0]];
        let hole = [[3.0, 3.0], [3.0, 6.0], [6.0, 6.0], [6.0, 3.0], [3.0, 3.0]];
        let points: Vec<_> = outer.into_iter().chain(hole).collect();
        let triangles = cut(&flat(&points));
        assert_covers(points.len(), &triangles);
        let areas = areas(&points, &triangles);
        assert!(areas.iter().all(|&area| area >= 0.0));
        assert_eq!(areas.iter().sum::<f64>(), 72.0);
    }

    #[test]
    fn degenerate_polygons_still_have_all_their_triangles() {
        let same = [[1.0; 3]; 6];
        assert_covers(6, &cut(&same));
        let line: Vec<_> = (0..7).map(|i| [f64::from(i), 0.0, 0.0]).collect();
        assert_covers(7, &cut(&line));
        let star: Vec<_> = (0..5)
            .map(|i| (f64::from(i) * 0.8 * std::f64::consts::PI).sin_cos())
            .map(|(y, x)| [x, y, 0.0])
            .collect();
        assert_covers(5, &cut(&star));
        let crossed = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        assert_covers(4, &cut(&flat(&crossed)));
        let huge = [[-1e300, 0.0], [1e300, -1e300], [1e299, 0.0], [1e300, 1e300]];
        assert_covers(4, &cut(&flat(&huge)));
    }

    #[test]
    fn vertices_that_do_not_exist_are_left_to_the_mesh() {
        let mut triangles = Vec::new();
        Triangulation::default().append(&[[0.0; 3]; 2], &[0, 1, 7, 9], &mut triangles);
        assert_eq!(triangles, [[0, 1, 7], [0, 7, 9]]);
    }

    #[test]
    fn long_polygons_avoid_quadratic_time() {
        let n = 100_000;
        let tooth = |i: i32| [f64::from(i), if i % 2 == 1 { 1.0 } else { 0.1 }];
        let mut comb: Vec<_> = (0..n).rev().map(tooth).collect();
        comb.extend([[0.0, -1.0], [f64::from(n), -1.0]]);
        let triangles = cut(&flat(&comb));
        assert_eq!(triangles.len(), comb.len() - 2);
        assert!(areas(&comb, &triangles).iter().all(|&area| area > 0.0));
        // The vertices coincide with three points again and again, also with stops along the edges.
        let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let winding: Vec<u32> = (0..100_000).map(|i| i % 3).collect();
        let halting: Vec<u32> = (0..100_000).map(|i| i / 7 % 3).collect();
        let level: Vec<_> = (0..100_000)
            .map(|i| [f64::from(i % 1000), 0.0, 0.0])
            .collect();
        assert_eq!(cut(&level).len(), 99_998);
        for polygon in [winding, halting] {
            let mut triangles = Vec::new();
            Triangulation::default().append(&vertices, &polygon, &mut triangles);
            assert_eq!(triangles.len(), polygon.len() - 2);
        }
    }

    proptest! {
        #[test]
        fn polygons_seen_from_a_point_are_covered_exactly(
            radii in prop::collection::vec(1..9_u32, 4..60),
        ) {
            let n = radii.len() as f64;
            let points: Vec<_> = radii
                .iter()
                .enumerate()
                .map(|(i, &r)| {
                    let (y, x) = (std::f64::consts::TAU * i as f64 / n).sin_cos();
                    [x * f64::from(r), y * f64::from(r)]
                })
                .collect();
            assert_exact(&points);
        }

        #[test]
        fn any_polygon_has_all_its_triangles(
            points in prop::collection::vec(prop::array::uniform3(-2..3_i8), 3..40),
        ) {
            let points: Vec<_> = points.iter().map(|p| p.map(f64::from)).collect();
            assert_covers(points.len(), &cut(&points));
        }
    }
}
