//! Node containment of moving bodies: which nodes of one body are inside another.
//!
//! The collision test of `muth2006`, section 2: a broad phase finds pairs of near bodies, then
//! every node (vertex) of one body is tested against the other. Here the broad phase is
//! [`crate::pairs`] with one AABB for each body: that of the body's own box, moved by its pose. A
//! body keeps its set-up wherever it moves: nodes are transformed into its own frame. Each body is
//! set up once; a step costs a query of the nodes within the boxes of near bodies.
//!
//! A node `x` of body `b` is tested in the frame of body `a` at `a.inverse().apply(b.apply(x))`,
//! with the arithmetic of [`Pose`]; for this point the answer is exact if the method is. Bodies may
//! also touch with edges alone, without a node of either inside the other: see `closest`.

use super::{Inside, InsideSettings, InsideTest, Side};
use crate::error::{Argument, Error, Result};
use crate::geometry::{Aabb, Pose};
use crate::memory;
use crate::pairs::{BroadPhase, Items, PairFinder, PairSettings};
use crate::shape::TriMesh;

/// A node (mesh vertex) of one body that is inside another body or on the surface of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Intrusion {
    /// The index of the body that has the intruding node inside it or on its surface.
    pub body: u32,
    /// The index of the body to which the intruding node belongs.
    pub other: u32,
    /// The intruding node: the index of a vertex of body `other`.
    pub node: u32,
    /// The side of the surface of `body` on which the node lies: `Inside` or `OnSurface`.
    pub side: Side,
}

/// Moving bodies, each with its own containment test.
///
/// ```
/// use tangere::generate;
/// use tangere::geometry::Pose;
/// use tangere::inside::{Bodies, InsideSettings};
///
/// let mut bodies = Bodies::new(InsideSettings::default())?;
/// let sphere = generate::sphere(2)?;
/// bodies.add(&sphere)?;
/// bodies.add(&sphere)?;
/// let at = |x| Pose::from_translation([x, 0.0, 0.0]);
/// let mut found = Vec::new();
/// bodies.intrusions(&[at(0.0)?, at(1.75)?], &mut found)?;
/// assert!(found.iter().any(|hit| (hit.body, hit.other) == (0, 1)));
/// assert!(found.iter().any(|hit| (hit.body, hit.other) == (1, 0)));
/// bodies.intrusions(&[at(0.0)?, at(2.25)?], &mut found)?;
/// assert!(found.is_empty());
/// # Ok::<(), tangere::Error>(())
/// ```
pub struct Bodies {
    settings: InsideSettings,
    bodies: Vec<Body>,
    finder: BroadPhase<3>,
    lower: Vec<[f64; 3]>,
    upper: Vec<[f64; 3]>,
    pairs: Vec<[u32; 2]>,
    nodes: Vec<u32>,
    points: Vec<[f64; 3]>,
    sides: Vec<Side>,
    confidence: f64,
}

/// A moving body: its containment test and its nodes (mesh vertices), in its own frame.
struct Body {
    test: Inside,
    bounds: Aabb<3>,
    /// The nodes of the body: the indices of those vertices of its mesh that belong to a triangle.
    nodes: Vec<u32>,
    positions: Vec<[f64; 3]>,
}

impl std::fmt::Debug for Bodies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bodies")
            .field("settings", &self.settings)
            .field("bodies", &self.bodies.len())
            .finish_non_exhaustive()
    }
}

impl Bodies {
    /// A set of moving bodies, without a body yet; each added body will use the method of the
    /// settings.
    ///
    /// # Errors
    /// When the accuracy is not between 0 and 1.
    pub fn new(settings: InsideSettings) -> Result<Self> {
        Ok(Bodies {
            settings: settings.checked()?,
            bodies: Vec::new(),
            finder: BroadPhase::new(PairSettings::default())?,
            lower: Vec::new(),
            upper: Vec::new(),
            pairs: Vec::new(),
            nodes: Vec::new(),
            points: Vec::new(),
            sides: Vec::new(),
            confidence: 1.0,
        })
    }

    /// Adds a moving body, given in its own frame, and returns its index.
    ///
    /// # Errors
    /// When the method cannot guarantee its answers for the surface.
    pub fn add(&mut self, mesh: &TriMesh) -> Result<u32> {
        let mut test = Inside::new(self.settings)?;
        test.update(mesh)?;
        let mut nodes = mesh.faces().as_flattened().to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        self.bodies.push(Body {
            test,
            bounds: mesh.bounds(),
            positions: nodes.iter().map(|&v| mesh.vertices()[v as usize]).collect(),
            nodes,
        });
        Ok(self.bodies.len() as u32 - 1)
    }

    /// The number of moving bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no moving bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The containment test of a moving body, which reports its method and the reason for it.
    /// `None` if no body has the index `body`.
    pub fn test(&self, body: u32) -> Option<&dyn InsideTest> {
        Some(&self.bodies.get(body as usize)?.test)
    }

    /// The confidence in the answers of the last call of [`Bodies::intrusions`]: the least over all
    /// tested nodes, 1 if there were none.
    pub fn confidence(&self) -> f64 {
        self.confidence
    }

    /// Writes to `out` all nodes (mesh vertices) of the moving bodies that are, at the given poses,
    /// inside another body or on its surface, sorted by body, other body and node.
    ///
    /// # Errors
    /// When there are not as many poses as bodies, or a pose takes a body out of the range of valid
    /// coordinates; `out` is empty then.
    pub fn intrusions(&mut self, poses: &[Pose], out: &mut Vec<Intrusion>) -> Result<()> {
        out.clear();
        self.confidence = 1.0;
        let found = self.found(poses, out);
        if found.is_err() {
            out.clear();
        }
        found
    }

    /// Appends to `out` all nodes (mesh vertices) of bodies that are, at the given poses, inside
    /// another body or on its surface. After an error `out` may hold a part of them.
    fn found(&mut self, poses: &[Pose], out: &mut Vec<Intrusion>) -> Result<()> {
        if poses.len() != self.bodies.len() {
            return Err(Error::argument(
                Argument::Poses,
                poses.len(),
                format!("{}, one for each body", self.bodies.len()),
            ));
        }
        self.lower.clear();
        self.upper.clear();
        for (body, pose) in self.bodies.iter().zip(poses) {
            let bounds = body.bounds.transformed(pose);
            self.lower.push(bounds.min);
            self.upper.push(bounds.max);
        }
        let (lower, upper) = (&self.lower[..], &self.upper[..]);
        self.finder.update(Items::Boxes { lower, upper })?;
        self.finder.pairs(&mut self.pairs)?;
        for pair in 0..self.pairs.len() {
            let [a, b] = self.pairs[pair];
            self.nodes_within(a, b, poses, out)?;
            self.nodes_within(b, a, poses, out)?;
        }
        out.sort_unstable();
        Ok(())
    }

    /// Appends the nodes of the moving body `other` that are inside `body` or on its surface to
    /// `out`.
    fn nodes_within(
        &mut self,
        body: u32,
        other: u32,
        poses: &[Pose],
        out: &mut Vec<Intrusion>,
    ) -> Result<()> {
        let [to_world, to_frame] = [poses[other as usize], poses[body as usize].inverse()];
        let bounds = self.bodies[body as usize].bounds;
        self.nodes.clear();
        self.points.clear();
        let from = &self.bodies[other as usize];
        for (&node, &position) in from.nodes.iter().zip(&from.positions) {
            let point = to_frame.apply(to_world.apply(position));
            // Points outside the box are outside the body.
            if bounds.contains(point) {
                self.nodes.push(node);
                self.points.push(point);
            }
        }
        if self.points.is_empty() {
            return Ok(());
        }
        let test = &mut self.bodies[body as usize].test;
        test.classify(&self.points, &mut self.sides)?;
        self.confidence = self.confidence.min(test.confidence());
        memory::reserve(out, self.nodes.len(), Argument::Contacts)?;
        let found = self.nodes.iter().zip(&self.sides);
        out.extend(
            found
                .filter(|&(_, &side)| side != Side::Outside)
                .map(|(&node, &side)| Intrusion {
                    body,
                    other,
                    node,
                    side,
                }),
        );
        Ok(())
    }
}
