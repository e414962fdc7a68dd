//! Bounding volume hierarchies (BVH) of boxes and bounding spheres over the faces of a body.
//!
//! A [`Hierarchy`] has one item, usually a face, in each leaf. Every node has a box and a ball
//! around all points of the items below it (`aragon2013`, 3.2, Figs. 3 and 4). Items are sets of
//! points, so the volumes contain their convex hulls.
//!
//! [`Construction::BottomUp`] is the paper's; [`Construction::TopDown`] takes less than half of its
//! time. Which has the smaller total volume depends on the body: bottom-up where faces differ much
//! in size or cross each other; top-down, by up to a third, on surfaces with faces of similar size,
//! and by more where the faces are parallel to the axes. [`Hierarchy::report`] compares them.
//!
//! [`Construction::Online`] inserts items one after the other (Omohundro); it is slower than both, and
//! its volumes are larger than those built bottom-up. Use it to check the paper or to teach.
//!
//! All build a binary hierarchy. For `K` children a node it is collapsed: the child of largest
//! volume is replaced by its own children until a node has `K`. Time is O(n log n), about 1 µs a
//! face top-down and 3 µs bottom-up, memory O(n). Nothing is recursive, so hierarchies may be
//! arbitrarily deep. Results are deterministic for any number of threads.
//!
//! *Deviates:*
//! - The paper's balls contain those of their children. Here balls contain the points below them,
//!   which makes them smaller: a ball need not contain those of its children. The root's is the
//!   smallest enclosing ball, up to rounding.
//! - Every node has a ball and a box; the paper builds the hierarchy again for each kind of volume.

mod bottom_up;
mod bounding_ball;
mod collapse;
mod fit_volumes;
mod normalized_items;
mod online_insertion;
mod report;
mod settings;
mod top_down;

pub use report::HierarchyReport;
pub use settings::{Construction, HierarchySettings, Volume};

use crate::error::{Argument, Error, Result};
use crate::geometry::{Aabb, Ball};
use crate::shape::TriMesh;
use fit_volumes::Points;
use normalized_items::NormalizedItems;

/// A node of a [`Hierarchy`].
///
/// Box and ball certainly contain every point of every item below the node. The box contains the
/// boxes of the children; the ball need not contain their balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The bounding box of all points of the items below the node.
    pub bounds: Aabb<3>,
    /// A bounding sphere of all points of the items below the node.
    pub ball: Ball<3>,
    /// Index of the first child of the node among all nodes; for a leaf, the index of its item.
    pub first: u32,
    /// Number of children of the node; 0 for a leaf.
    pub count: u32,
}

impl Node {
    /// A placeholder for a node of a hierarchy: its box is empty, and it has no children.
    const EMPTY: Self = Node {
        bounds: Aabb::EMPTY,
        ball: Ball {
            center: [0.0; 3],
            radius: 0.0,
        },
        first: 0,
        count: 0,
    };

    /// Whether a node of the hierarchy is a leaf, with an item and no children.
    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.count == 0
    }

    /// The indices of the children of a node of the hierarchy; empty for a leaf.
    #[inline]
    pub fn children(&self) -> std::ops::Range<usize> {
        match self.count {
            0 => 0..0,
            count => self.first as usize..self.first as usize + count as usize,
        }
    }
}

/// A bounding volume hierarchy (BVH) over items.
///
/// ```
/// use tangere::generate;
/// use tangere::impact::hierarchy::{Hierarchy, HierarchySettings};
///
/// let sphere = generate::sphere(4)?;
/// let binary = HierarchySettings::default().with_branching(2);
/// let hierarchy = Hierarchy::of_mesh(&sphere, &binary)?;
/// let nodes = hierarchy.nodes();
/// assert_eq!(nodes.len(), 2 * sphere.faces().len() - 1);
/// assert!(nodes[0].ball.radius < 1.0 + 1e-7);
/// for child in &nodes[nodes[0].children()] {
///     assert_eq!(nodes[0].bounds.union(&child.bounds), nodes[0].bounds);
/// }
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hierarchy {
    settings: HierarchySettings,
    nodes: Vec<Node>,
    points: Points,
}

impl Hierarchy {
    /// Builds the bounding volume hierarchy of `count` items; `points(i)` returns the points of
    /// item `i`.
    ///
    /// # Errors
    /// When there are no items or more than 2^31, when an item has no points or a point whose
    /// coordinates are not [valid](crate::geometry::is_valid_coordinate), when the branching is out
    /// of range, or when [stopped](crate::stop::Stop).
    pub fn new<P: AsRef<[[f64; 3]]>>(
        count: usize,
        points: impl Fn(usize) -> P,
        settings: &HierarchySettings,
    ) -> Result<Self> {
        settings.checked()?;
        if count == 0 || count > 1 << 31 {
            let expected = "from 1 to 2147483648 items";
            return Err(Error::argument(Argument::Items, count, expected));
        }
        let frame = NormalizedItems::new(count, &points)?;
        let mut nodes = match settings.construction {
            Construction::TopDown => top_down::nodes(frame.items, settings.volume)?,
            Construction::BottomUp => bottom_up::nodes(&frame, settings.volume)?,
            Construction::Online => online_insertion::nodes(&frame, settings.volume)?,
        };
        let mut gathered = Points::new(&nodes);
        gathered.gather(&nodes, &points)?;
        gathered.fit(&mut nodes);
        if settings.branching > 2 {
            nodes = collapse::collapsed(&nodes, settings);
            gathered = Points::new(&nodes);
        }
        gathered.clear();
        Ok(Self {
            settings: *settings,
            nodes,
            points: gathered,
        })
    }

    /// Builds the bounding volume hierarchy of the triangles of a surface.
    ///
    /// # Errors
    /// When the branching is out of range, or when [stopped](crate::stop::Stop).
    pub fn of_mesh(mesh: &TriMesh, settings: &HierarchySettings) -> Result<Self> {
        Self::new(mesh.faces().len(), |face| mesh.triangle(face), settings)
    }

    /// Refits the volumes of the hierarchy after items have moved. The topology stays, so volumes
    /// grow looser as items move away from their neighbours. From the second call on nothing is
    /// allocated, unless there are more points.
    ///
    /// # Errors
    /// When an item has no points or invalid coordinates; the hierarchy then does not change.
    pub fn refit<P: AsRef<[[f64; 3]]>>(&mut self, points: impl Fn(usize) -> P) -> Result<()> {
        self.points.gather(&self.nodes, &points)?;
        self.points.fit(&mut self.nodes);
        Ok(())
    }

    /// The nodes of the hierarchy: the root is the first, every node precedes its children,
    /// siblings are contiguous, and all descendants of a node lie in one range.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes of the hierarchy at a depth, and all leaves at smaller depths. Together they
    /// contain every item once. Fig. 3 of `aragon2013` shows depth 12.
    pub fn level(&self, depth: usize) -> impl Iterator<Item = &Node> {
        let nodes = self.nodes();
        let mut open = vec![(0, 0)];
        std::iter::from_fn(move || {
            loop {
                let (index, steps): (usize, usize) = open.pop()?;
                let node = &nodes[index];
                if steps == depth || node.is_leaf() {
                    return Some(node);
                }
                open.extend(node.children().rev().map(|child| (child, steps + 1)));
            }
        })
    }

    /// The settings that the hierarchy was built with.
    pub fn settings(&self) -> &HierarchySettings {
        &self.settings
    }
}
