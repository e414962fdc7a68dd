//! Lin's walk from any two features, `schinner1995`: its iterations against the bound `O(n^2)`, n the
//! number of features of a body.
//!
//! Walks start from random features, from those farthest from the other body, and from a search for
//! the worst start. Small bodies have every pair of features as a start. Bodies are hulls of random
//! points on an ellipsoid, and prisms: a walk around the rim of a prism passes all of its sides, so
//! that it takes about as many iterations as there are features.

use super::claims::ANY_START;
use super::pair::APART;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding, word};
use crate::fit::exponent;
use serde_json::json;
use tangere::closest::{LinWalk, certificate};
use tangere::contact::Feature;
use tangere::generate::{self, Random};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The numbers of faces of the bodies, from the smallest of the text to the largest.
const FACES: [usize; 8] = [4, 8, 20, 40, 100, 200, 400, 920];

/// The most faces of prisms: their caps have as many sides, so that closest points take longer.
const PRISM_FACES: usize = 200;

/// Bodies with at most so many features have every pair of them as a start.
const ALL_STARTS: usize = 26;

/// A kind of body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hull,
    Prism,
}

impl Kind {
    const ALL: [Kind; 2] = [Kind::Hull, Kind::Prism];

    fn name(self) -> &'static str {
        match self {
            Kind::Hull => "hull",
            Kind::Prism => "prism",
        }
    }

    /// Returns a body with so many faces; `None` if there is none of this kind.
    fn body(self, faces: usize, seed: u64) -> tangere::Result<Option<ConvexPolyhedron>> {
        match self {
            Kind::Hull => ConvexPolyhedron::from_mesh(&generate::hull(faces, seed)?).map(Some),
            Kind::Prism if !(5..=PRISM_FACES).contains(&faces) => Ok(None),
            Kind::Prism => {
                let sides = faces - 2;
                let corner = |i: usize| {
                    let angle = std::f64::consts::TAU * (i / 2) as f64 / sides as f64;
                    let z = if i.is_multiple_of(2) { -0.2 } else { 0.2 };
                    [0.9 * angle.cos(), 0.9 * angle.sin(), z]
                };
                let corners: Vec<[f64; 3]> = (0..2 * sides).map(corner).collect();
                ConvexPolyhedron::hull(&corners).map(Some)
            }
        }
    }
}

/// Returns all features of a body: vertices, edges, faces.
fn features(body: &ConvexPolyhedron) -> Vec<Feature> {
    let vertices = (0..body.vertex_count() as u32).map(Feature::vertex);
    let edges = (0..body.edge_count() as u32).map(Feature::edge);
    let faces = (0..body.face_count() as u32).map(Feature::face);
    vertices.chain(edges).chain(faces).collect()
}

/// Two bodies apart from each other, and the worst walk between their features.
struct Scene {
    bodies: [ConvexPolyhedron; 2],
    poses: [Pose; 2],
    features: [Vec<Feature>; 2],
    walk: LinWalk,
    worst: Worst,
}

/// The worst of many walks.
#[derive(Clone, Copy)]
struct Worst {
    starts: usize,
    iterations: u32,
    tests: u64,
    at: [Feature; 2],
    /// The numbers of walks that were trapped, and of contacts without a proof.
    trapped: usize,
    unproven: usize,
}

impl Scene {
    fn new(bodies: [ConvexPolyhedron; 2], poses: [Pose; 2]) -> Self {
        let all = bodies.each_ref().map(features);
        Self {
            worst: Worst {
                starts: 0,
                iterations: 0,
                tests: 0,
                at: [all[0][0], all[1][0]],
                trapped: 0,
                unproven: 0,
            },
            features: all,
            walk: LinWalk::new(),
            bodies,
            poses,
        }
    }

    /// Walks from two features.
    fn start(&mut self, at: [Feature; 2]) {
        let ([a, b], [pose_a, pose_b]) = (&self.bodies, &self.poses);
        let found = self.walk.contact_from(at, a, pose_a, b, pose_b);
        let worst = &mut self.worst;
        worst.starts += 1;
        worst.trapped += usize::from(found.trapped);
        let proof = certificate(a, pose_a, b, pose_b, &found.contact);
        worst.unproven += usize::from(proof.is_err());
        worst.tests = worst.tests.max(found.tests);
        if found.iterations > worst.iterations {
            (worst.iterations, worst.at) = (found.iterations, at);
        }
    }

    /// Returns of every kind of feature of a body the one farthest from the other body's centre.
    fn farthest(&self, k: usize) -> Vec<Feature> {
        let body = &self.bodies[k];
        let other = self.poses[1 - k].apply(self.bodies[1 - k].center());
        let away = |v: u32| {
            let p = self.poses[k].apply(body.vertex(v));
            (0..3).map(|i| (p[i] - other[i]).powi(2)).sum::<f64>()
        };
        let least = |vertices: &mut dyn Iterator<Item = u32>| {
            vertices.map(away).fold(f64::INFINITY, f64::min)
        };
        let farthest = |count: usize, distance: &dyn Fn(u32) -> f64| {
            (0..count as u32).max_by(|&a, &b| distance(a).total_cmp(&distance(b)))
        };
        let vertex = farthest(body.vertex_count(), &away);
        let edge = farthest(body.edge_count(), &|e| {
            least(&mut body.edge_vertices(e).into_iter())
        });
        let face = farthest(body.face_count(), &|f| least(&mut body.face_vertices(f)));
        let kinds = [
            vertex.map(Feature::vertex),
            edge.map(Feature::edge),
            face.map(Feature::face),
        ];
        kinds.into_iter().flatten().collect()
    }

    /// Walks from all chosen starts: every pair if the bodies are small; otherwise random ones and
    /// the farthest ones, and then a search that replaces one feature of the worst start at a time.
    fn search(&mut self, tries: usize, random: &mut Random) {
        let [a, b] = self.features.clone();
        if a.len().max(b.len()) <= ALL_STARTS {
            for &f in &a {
                for &g in &b {
                    self.start([f, g]);
                }
            }
            return;
        }
        let mut any = |list: &[Feature]| list[(random.unit() * list.len() as f64) as usize];
        for _ in 0..tries {
            self.start([any(&a), any(&b)]);
        }
        for f in self.farthest(0) {
            for g in self.farthest(1) {
                self.start([f, g]);
            }
        }
        for _ in 0..2 {
            let [f, g] = self.worst.at;
            for _ in 0..tries / 2 {
                self.start([any(&a), g]);
                self.start([f, any(&b)]);
            }
        }
    }
}

/// Returns a rotation about a random axis, then a translation.
fn random_pose(random: &mut Random, translation: [f64; 3]) -> tangere::Result<Pose> {
    let q = loop {
        let q: [f64; 4] = std::array::from_fn(|_| 2.0 * random.unit() - 1.0);
        let square: f64 = q.iter().map(|x| x * x).sum();
        if (0.1..1.0).contains(&square) {
            break q.map(|x| x / square.sqrt());
        }
    };
    let [x, y, z] = translation;
    Pose::from_numbers(&[x, y, z, q[0], q[1], q[2], q[3]])
}

/// A row of the table: the worst walks of one kind and size over all poses.
struct Row {
    kind: Kind,
    faces: usize,
    features: usize,
    worst: Worst,
}

fn measured(effort: &Effort) -> Result<Vec<Row>, Error> {
    let (poses, tries) = match (effort.is_least(), effort.is_quick()) {
        (true, _) => (1, 20),
        (_, true) => (3, 60),
        _ => (12, 600),
    };
    let mut rows: Vec<Row> = Vec::new();
    let mut random = Random::new(7);
    for kind in Kind::ALL {
        for faces in FACES {
            let mut row: Option<Row> = None;
            for seed in 0..poses {
                let pair = [
                    kind.body(faces, 2 * seed + 1)?,
                    kind.body(faces, 2 * seed + 2)?,
                ];
                let [Some(a), Some(b)] = pair else { continue };
                let poses = [
                    random_pose(&mut random, [0.0; 3])?,
                    random_pose(&mut random, [APART, 0.0, 0.0])?,
                ];
                let mut scene = Scene::new([a, b], poses);
                scene.search(tries, &mut random);
                let (features, found) = (scene.features[0].len(), scene.worst);
                let row = row.get_or_insert(Row {
                    kind,
                    faces,
                    features,
                    worst: Worst { starts: 0, ..found },
                });
                let worst = &mut row.worst;
                worst.starts += found.starts;
                worst.iterations = worst.iterations.max(found.iterations);
                worst.tests = worst.tests.max(found.tests);
                if seed > 0 {
                    worst.trapped += found.trapped;
                    worst.unproven += found.unproven;
                }
            }
            rows.extend(row);
        }
    }
    Ok(rows)
}

/// Returns the points of one kind of body: features against a count.
fn points(rows: &[Row], kind: Kind, count: impl Fn(&Worst) -> f64) -> Vec<[f64; 2]> {
    let rows = rows.iter().filter(|row| row.kind == kind);
    rows.map(|row| [row.features as f64, count(&row.worst)])
        .collect()
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let rows = measured(effort)?;
    let iterations = |w: &Worst| f64::from(w.iterations);
    let tests = |w: &Worst| w.tests as f64;
    let growth = |kind: Kind, count: fn(&Worst) -> f64| {
        exponent(&points(&rows, kind, count)).unwrap_or(f64::NAN)
    };
    let share = rows.iter().map(|row| {
        let n = row.features as f64;
        iterations(&row.worst) / (n * n)
    });
    let mut checks = vec![
        Check::number(
            "most iterations over n^2, of all bodies",
            share.fold(0.0, f64::max),
            at_most(1.0),
        )
        .printed("O(n^2)"),
    ];
    for kind in Kind::ALL {
        for (what, count) in [
            ("most iterations", iterations as fn(&Worst) -> f64),
            ("most closest points computed", tests),
        ] {
            checks.push(Check::number(
                format!("exponent of the {what} against n, {}s", kind.name()),
                growth(kind, count),
                at_most(2.0),
            ));
        }
    }
    let sum = |count: fn(&Worst) -> usize| rows.iter().map(|row| count(&row.worst)).sum::<usize>();
    let (starts, trapped) = (sum(|w| w.starts), sum(|w| w.trapped));
    checks.push(Check::fact("no walk is trapped", trapped == 0));
    checks.push(Check::fact(
        "every contact is proven by its certificate",
        sum(|w| w.unproven) == 0,
    ));
    let cells = rows.iter().map(|row| {
        let n = row.features as f64;
        vec![
            word(row.kind.name()),
            Cell::Count(row.faces),
            Cell::Count(row.features),
            Cell::Count(row.worst.starts),
            Cell::Count(row.worst.iterations as usize),
            Cell::Count(row.worst.tests as usize),
            Cell::Number(iterations(&row.worst) / (n * n)),
        ]
    });
    let mut curves: Vec<Curve> = Vec::new();
    for kind in Kind::ALL {
        for (what, count, dashed) in [
            ("iterations", iterations as fn(&Worst) -> f64, false),
            ("closest points computed", tests, true),
        ] {
            curves.push(Curve {
                name: format!("{}s, {what}", kind.name()),
                points: points(&rows, kind, count),
                dashed,
            });
        }
    }
    let bound = points(&rows, Kind::Hull, |_| 1.0).into_iter();
    curves.push(Curve {
        name: "n^2".into(),
        points: bound.map(|[n, _]| [n, n * n]).collect(),
        dashed: true,
    });
    Ok(vec![Finding {
        published: json!("O(n^2) time from any pair of features, n = number of features"),
        measured: json!({
            "exponent of iterations, hulls": growth(Kind::Hull, iterations),
            "exponent of iterations, prisms": growth(Kind::Prism, iterations),
            "walks": starts,
        }),
        checks,
        remark: format!(
            "{starts} walks of LinWalk between bodies {APART} apart in random orientations: from random features, from \
             those farthest from the other body, and from a search for the worst start; from every pair of features of \
             bodies with at most {ALL_STARTS}. Counts do not depend on the machine. A walk computes closest points for each \
             neighbour beyond a violated plane, and for all features of a body where one has no neighbour."
        ),
        data: Data {
            head: vec![
                "body",
                "faces",
                "features n",
                "starts",
                "most iterations",
                "most closest points",
                "iterations / n^2",
            ],
            rows: cells.collect(),
        },
        plots: vec![Plot {
            title: "Worst walk from any two features".into(),
            x: Axis {
                name: "features of a body",
                unit: Unit::Count,
            },
            y: Axis {
                name: "count",
                unit: Unit::Count,
            },
            even: false,
            curves,
        }],
        ..Finding::of(&ANY_START)
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prisms_have_their_features() {
        let prism = Kind::Prism.body(20, 1).unwrap().unwrap();
        assert_eq!(features(&prism).len(), 20 + 3 * 18 + 2 * 18);
        assert!(Kind::Prism.body(4, 1).unwrap().is_none());
    }

    #[test]
    fn the_far_side_takes_many_iterations() {
        let body = || Kind::Prism.body(100, 1).unwrap().unwrap();
        let poses = ["0,0,0", "2.1,0,0"].map(|pose| pose.parse().unwrap());
        let mut scene = Scene::new([body(), body()], poses);
        for f in scene.farthest(0) {
            for g in scene.farthest(1) {
                scene.start([f, g]);
            }
        }
        assert!(scene.worst.iterations > 50, "{}", scene.worst.iterations);
        assert_eq!((scene.worst.trapped, scene.worst.unproven), (0, 0));
    }
}
