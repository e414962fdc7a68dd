//! Algorithm 1 of `aragon2013`, corrected, with bounding spheres only: a priority queue of pairs of
//! bounding spheres, keyed by their time of impact (eq. 12).
//!
//! *Deviates:* as printed the queue is never popped, and for equal volumes both hierarchies are
//! descended, so that pairs occur twice; here the larger sphere is descended, or the first of two
//! equal ones. The engine of the library does the same with tighter volumes and continues to
//! faces. This version reproduces the paper's numbers with its spheres, which are nested: the
//! sphere of a node contains those of its children.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tangere::geometry::Ball;
use tangere::impact::hierarchy::{Construction, Hierarchy, HierarchySettings, Volume};
use tangere::impact::trajectory::{MovingBall, first_meeting};
use tangere::shape::TriMesh;

/// The hierarchy settings of the paper: binary trees, built bottom-up to minimise the volume of
/// bounding spheres.
pub const BOTTOM_UP: HierarchySettings = HierarchySettings {
    construction: Construction::BottomUp,
    volume: Volume::Ball,
    branching: 2,
};

/// A hierarchy with the paper's nested bounding spheres.
pub struct SphereTree {
    pub hierarchy: Hierarchy,
    pub balls: Vec<Ball<3>>,
}

impl SphereTree {
    /// Builds the hierarchy of spheres bottom-up, as in the paper.
    pub fn new(mesh: &TriMesh) -> tangere::Result<Self> {
        let hierarchy = Hierarchy::of_mesh(mesh, &BOTTOM_UP)?;
        let nodes = hierarchy.nodes();
        let mut balls: Vec<Ball<3>> = nodes.iter().map(|node| node.ball).collect();
        // A node precedes its children.
        for (i, node) in nodes.iter().enumerate().rev() {
            let joined = node.children().map(|child| balls[child]).reduce(joined);
            balls[i] = joined.unwrap_or(balls[i]);
        }
        Ok(Self { hierarchy, balls })
    }
}

/// Returns the smallest sphere around two spheres, up to rounding.
fn joined(a: Ball<3>, b: Ball<3>) -> Ball<3> {
    let apart: [f64; 3] = std::array::from_fn(|k| b.center[k] - a.center[k]);
    let distance = apart.iter().map(|x| x * x).sum::<f64>().sqrt();
    if distance + b.radius <= a.radius {
        return a;
    }
    if distance + a.radius <= b.radius {
        return b;
    }
    let radius = 0.5 * (distance + a.radius + b.radius);
    let share = (radius - a.radius) / distance;
    Ball {
        center: std::array::from_fn(|k| a.center[k] + share * apart[k]),
        radius,
    }
}

/// Trajectory of a body that does not rotate.
#[derive(Clone, Copy)]
pub struct Trajectory {
    pub place: [f64; 3],
    pub velocity: [f64; 3],
    pub acceleration: [f64; 3],
}

impl Trajectory {
    pub fn at(&self, t: f64) -> [f64; 3] {
        std::array::from_fn(|k| {
            self.place[k] + (self.velocity[k] + 0.5 * self.acceleration[k] * t) * t
        })
    }

    /// Returns where a ball that moves with the body is at time `t`; `ball` is given in the body's
    /// own frame.
    pub fn moved(&self, ball: &Ball<3>, t: f64) -> Ball<3> {
        let at = self.at(t);
        Ball {
            center: std::array::from_fn(|k| ball.center[k] + at[k]),
            radius: ball.radius,
        }
    }
}

/// A pair popped from the queue, and the time of impact of its spheres.
#[derive(Clone, Copy)]
pub struct PoppedPair {
    pub time: f64,
    pub nodes: [u32; 2],
    /// Whether both nodes of the pair are leaves.
    pub is_last: bool,
}

/// Returns all pairs popped from the queue up to the time `until`, in order of time, and the number
/// of pairs of spheres whose time of impact was computed.
pub fn popped_pairs(
    bodies: [(&SphereTree, &Trajectory); 2],
    until: f64,
) -> tangere::Result<(Vec<PoppedPair>, usize)> {
    let mut tried = 0;
    let mut meeting = |nodes: [u32; 2]| {
        let ball = |k: usize| {
            let (tree, flight) = bodies[k];
            let ball = flight.moved(&tree.balls[nodes[k] as usize], 0.0);
            MovingBall::new(
                ball.center,
                flight.velocity,
                flight.acceleration,
                ball.radius,
            )
        };
        tried += 1;
        tangere::Result::Ok(first_meeting(&ball(0)?, &ball(1)?).early)
    };
    // Times are not negative, so their bits have the same order.
    let mut queue = BinaryHeap::from([Reverse((meeting([0, 0])?.to_bits(), [0, 0]))]);
    let mut popped_pairs = Vec::new();
    while let Some(Reverse((bits, nodes))) = queue.pop() {
        let time = f64::from_bits(bits);
        if time > until {
            break;
        }
        let node = |k: usize| &bodies[k].0.hierarchy.nodes()[nodes[k] as usize];
        let radius = |k: usize| bodies[k].0.balls[nodes[k] as usize].radius;
        let is_last = node(0).is_leaf() && node(1).is_leaf();
        popped_pairs.push(PoppedPair {
            time,
            nodes,
            is_last,
        });
        if is_last {
            continue;
        }
        let is_larger = radius(0) >= radius(1);
        let descended = usize::from(node(0).is_leaf() || !(is_larger || node(1).is_leaf()));
        for child in node(descended).children() {
            let mut pair = nodes;
            pair[descended] = child as u32;
            // Rounding could make the time of a child earlier than that of its parent.
            let time = meeting(pair)?.max(time);
            if time < f64::INFINITY {
                queue.push(Reverse((time.to_bits(), pair)));
            }
        }
    }
    Ok((popped_pairs, tried))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangere::generate;

    #[test]
    fn times_grow_and_end_at_leaves() {
        let tree = SphereTree::new(&generate::sphere(2).unwrap()).unwrap();
        for (node, ball) in tree.hierarchy.nodes().iter().zip(&tree.balls) {
            assert!(ball.radius >= 0.999_999 * node.ball.radius);
        }
        let flight = |x: f64, v: f64| Trajectory {
            place: [x, 0.0, 0.0],
            velocity: [v, 0.0, 0.0],
            acceleration: [0.0; 3],
        };
        let (a, b) = (flight(0.0, 1.0), flight(10.0, -1.0));
        let (popped_pairs, tried) = popped_pairs([(&tree, &a), (&tree, &b)], 4.0).unwrap();
        assert!(
            popped_pairs
                .windows(2)
                .all(|pair| pair[0].time <= pair[1].time)
        );
        assert!(popped_pairs[0].time <= 4.0 && popped_pairs.iter().any(|popped| popped.is_last));
        assert!(tried > popped_pairs.len() && popped_pairs.len() < 128 * 128);
    }
}
