//! Isosurface of a field at zero, by marching tetrahedra.
//!
//! The isosurface separates the inside of a field (negative values) from its outside. Cost: blocks
//! of the grid that the surface cannot touch are skipped after one evaluation of the field, so the
//! time is linear in the number of triangles, plus a small constant for each block.
//!
//! # The grid
//! Space is cut into tetrahedra with corners on a body-centred cubic lattice: all integer points
//! with three even or three odd coordinates, in units of half the edge of a cube. The tetrahedra
//! are all congruent and nearly regular. They are the six tetrahedra of Kuhn's division of a cube,
//! after its edges are mapped to the three lattice steps [`STEPS`]: each order of these steps,
//! walked from a node, passes the corners of one tetrahedron.
//!
//! # Why the surface is valid
//! Inside a tetrahedron the surface is one triangle or two, with corners on edges whose ends differ
//! in sign. So it is closed and manifold for any signs and does not intersect itself. Of the three
//! edges on which a triangle has its corners, two lie in a face of the tetrahedron and the third
//! leaves that face. So corners that keep a distance from the ends of their edges ([`CLEARANCE`])
//! are far from collinear, and stay so when coordinates are rounded to `f32`.

use rayon::prelude::*;

use super::reserved;
use crate::error::Result;
use crate::shape::TriMesh;

/// The edge length of a block of the isosurface grid, in cubes of the lattice.
const EDGE: usize = 4;

/// The number of lattice nodes of a block of the isosurface grid.
const NODES: usize = 2 * EDGE * EDGE * EDGE;

/// The number of lattice points, one every half cube, along each edge of the cube that contains the
/// tetrahedra of a block of the isosurface grid.
const REACH: usize = 2 * EDGE + 3;

/// The steps from a lattice node along the edges of its tetrahedra, in half cubes. The bits of the
/// index are the set of basic steps (entries 1, 2 and 4) whose sum the step is.
const STEPS: [[isize; 3]; 8] = [
    [0, 0, 0],
    [-1, 1, 1],
    [1, -1, 1],
    [0, 0, 2],
    [1, 1, -1],
    [0, 2, 0],
    [2, 0, 0],
    [1, 1, 1],
];

/// The least distance of a vertex of the isosurface from the ends of the lattice edge on which it
/// lies, as a share of the length of that edge.
const CLEARANCE: f64 = 0.15;

/// The number of iterations of the root search for the point at which the isosurface cuts a lattice
/// edge.
const ROOT_STEPS: usize = 3;

/// The state of a block of the grid that lies entirely inside of the isosurface.
const INSIDE: u32 = u32::MAX - 1;
/// The state of a block of the grid that lies entirely outside of the isosurface.
const OUTSIDE: u32 = u32::MAX;

/// A scalar field in space, with Lipschitz constant 2, whose isosurface at 0 is wanted.
pub(super) trait Field: Sync {
    /// The data from which the field is evaluated at points of one ball: for the field of a foam,
    /// the sites near the ball.
    type Part;

    /// Returns the data from which the field of an isosurface is evaluated at points of a ball.
    fn part(&self, center: [f64; 3], radius: f64) -> Self::Part;

    /// Returns the value of the field of an isosurface at a point, from the data of a ball that
    /// contains the point.
    fn value(&self, part: &Self::Part, point: [f64; 3]) -> f64;
}

/// A grid for an isosurface: the values of a field on the lattice nodes near the isosurface.
pub(super) struct Grid<'a, F> {
    field: &'a F,
    /// The position of the first lattice node of the isosurface grid.
    origin: [f64; 3],
    /// Half the edge length of a cube of the lattice of the isosurface grid.
    half: f64,
    /// The number of blocks of the isosurface grid along each axis.
    blocks: [usize; 3],
    /// For each block of the isosurface grid, its index in `active` if the isosurface may cut it.
    /// Otherwise [`INSIDE`] or [`OUTSIDE`].
    states: Vec<u32>,
    /// The active blocks, those that the isosurface may cut, each by its indices along the three
    /// axes.
    active: Vec<[usize; 3]>,
    /// The values of the field on the nodes of each active block (one that the isosurface may cut).
    values: Vec<[f32; NODES]>,
}

impl<'a, F: Field> Grid<'a, F> {
    /// Returns the grid of an isosurface: the values of a field on cubes with the edge length
    /// `cube` that fill the box from `min` to `max`. Outside of the box the field must be positive.
    pub fn new(field: &'a F, [min, max]: [[f64; 3]; 2], cube: f64) -> Result<Self> {
        let side = EDGE as f64 * cube;
        let mut grid = Self {
            field,
            origin: min,
            half: 0.5 * cube,
            blocks: [0, 1, 2].map(|k| ((max[k] - min[k]) / side).ceil().max(1.0) as usize),
            states: Vec::new(),
            active: Vec::new(),
            values: Vec::new(),
        };
        let [nx, ny, nz] = grid.blocks;
        let place = |block: usize| [block % nx, block / nx % ny, block / (nx * ny)];

        let (_, radius) = grid.ball([0; 3]);
        // The nodes of a block and their neighbours are within the ball, so where the value at the
        // centre exceeds this bound, none of them has the other sign.
        let uniform = 2.0 * radius;
        let mut states: Vec<u32> = reserved(nx * ny * nz)?;
        states.par_extend((0..nx * ny * nz).into_par_iter().map(|block| {
            let (center, radius) = grid.ball(place(block));
            match field.value(&field.part(center, radius), center) {
                v if v > uniform => OUTSIDE,
                v if v < -uniform => INSIDE,
                _ => 0,
            }
        }));
        for (block, state) in states.iter_mut().enumerate() {
            if *state == 0 {
                *state = grid.active.len() as u32;
                grid.active.push(place(block));
            }
        }
        let mut values = reserved(grid.active.len())?;
        values.par_extend(grid.active.par_iter().map(|&at| {
            let (center, radius) = grid.ball(at);
            let part = field.part(center, radius);
            std::array::from_fn(|node| {
                let place = node_place(node).map(|x| x as f64);
                field.value(&part, grid.point(at, place)) as f32
            })
        }));
        grid.states = states;
        grid.values = values;
        Ok(grid)
    }

    /// Returns the position in space of a point of a block of the isosurface grid. `at` are the
    /// indices of the block along the axes, and `place` the coordinates in the block, in half
    /// cubes.
    fn point(&self, at: [usize; 3], place: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| self.origin[k] + self.half * ((2 * EDGE * at[k]) as f64 + place[k]))
    }

    /// Returns the centre and radius of a ball around the nodes of a block of the isosurface grid
    /// and all edges that start from them.
    fn ball(&self, at: [usize; 3]) -> ([f64; 3], f64) {
        let middle = 0.5 * (2 * EDGE - 1) as f64;
        // The radius goes from the middle to the farthest node, and along an edge, which is at most
        // a cube long; it is rounded up.
        let radius = (3f64.sqrt() * middle + 2.0) * self.half * 1.000_001;
        (self.point(at, [middle; 3]), radius)
    }

    /// Returns the number of triangles of the isosurface.
    pub fn triangles(&self) -> usize {
        self.active
            .par_iter()
            .map(|&at| self.surroundings(at).triangles())
            .sum()
    }

    /// Returns the isosurface, with its vertices mapped by `place` and rounded to `f32`. A surface
    /// without triangles is an error.
    pub fn surface(&self, place: impl Fn([f64; 3]) -> [f64; 3] + Sync) -> Result<TriMesh> {
        // The result is counted, scanned and filled: first the edges of each node that the surface
        // cuts are counted.
        let mut cuts: Vec<[u8; NODES]> = reserved(self.active.len())?;
        cuts.par_extend(
            self.active
                .par_iter()
                .map(|&at| self.surroundings(at).cuts()),
        );
        let mut first: Vec<u32> = reserved(NODES * self.active.len())?;
        let mut sum = 0;
        for &cut in cuts.iter().flatten() {
            first.push(sum);
            sum += cut.count_ones();
        }
        let mut vertices = reserved(sum as usize)?;
        vertices.par_extend(
            (0..self.active.len())
                .into_par_iter()
                .flat_map_iter(|block| self.corners(block, &cuts[block]))
                .map(|p| place(p).map(|x| f64::from(x as f32))),
        );

        let vertex = |node: usize, step: usize| {
            let before = cuts[node / NODES][node % NODES] & ((1 << step) - 1);
            first[node] + before.count_ones()
        };
        let distance = |a: u32, b: u32| {
            let (a, b) = (vertices[a as usize], vertices[b as usize]);
            let squares = [0, 1, 2].map(|k| (a[k] - b[k]) * (a[k] - b[k]));
            squares[0] + squares[1] + squares[2]
        };
        let mut faces = reserved(self.triangles())?;
        faces.par_extend(self.active.par_iter().flat_map_iter(|&at| {
            let around = self.surroundings(at);
            let mut faces = Vec::new();
            around.for_each_polygon(|polygon| {
                let corner = |k: usize| {
                    let (local, step) = polygon[k];
                    vertex(around.nodes[local], step)
                };
                let [a, b, c] = [0, 1, 2].map(corner);
                if polygon.len() == 3 {
                    faces.push([a, b, c]);
                    return;
                }
                let d = corner(3);
                if distance(a, c) <= distance(b, d) {
                    faces.extend([[a, b, c], [a, c, d]]);
                } else {
                    faces.extend([[a, b, d], [b, c, d]]);
                }
            });
            faces
        }));
        TriMesh::new(vertices, faces)
    }

    /// Returns the vertices of the isosurface on the lattice edges that start at the nodes of a
    /// block. Bit `s` of `cuts[node]` is set if the isosurface cuts the edge of step `s` from that
    /// node.
    fn corners(&self, block: usize, cuts: &[u8; NODES]) -> Vec<[f64; 3]> {
        let at = self.active[block];
        let around = self.surroundings(at);
        let (center, radius) = self.ball(at);
        let part = self.field.part(center, radius);
        let mut corners = Vec::new();
        for (node, &cut) in cuts.iter().enumerate().filter(|(_, cut)| **cut != 0) {
            let start = node_place(node);
            let local = local_index(start.map(|x| x + 1));
            for step in (1..8).filter(|step| cut >> step & 1 == 1) {
                let point = |t: f64| {
                    let place = |k: usize| start[k] as f64 + t * STEPS[step][k] as f64;
                    self.point(at, [0, 1, 2].map(place))
                };
                let ends = [local, Surroundings::after(local, step)];
                let t = zero(
                    |t| self.field.value(&part, point(t)),
                    ends.map(|end| f64::from(around.values[end])),
                );
                corners.push(point(t.clamp(CLEARANCE, 1.0 - CLEARANCE)));
            }
        }
        corners
    }

    /// Returns the field values on all lattice nodes that the tetrahedra of a block of the
    /// isosurface grid touch.
    fn surroundings(&self, at: [usize; 3]) -> Surroundings {
        let mut around = Surroundings {
            values: [1.0; REACH * REACH * REACH],
            nodes: [usize::MAX; REACH * REACH * REACH],
        };
        // Local coordinates begin one half cube before the block.
        for z in 0..REACH {
            for y in (z % 2..REACH).step_by(2) {
                for x in (z % 2..REACH).step_by(2) {
                    let Some((block, node)) = self.find(at, [x, y, z]) else {
                        continue;
                    };
                    let local = local_index([x, y, z]);
                    match self.states[block] {
                        OUTSIDE => {}
                        INSIDE => around.values[local] = -1.0,
                        slot => {
                            around.values[local] = self.values[slot as usize][node];
                            around.nodes[local] = slot as usize * NODES + node;
                        }
                    }
                }
            }
        }
        around
    }

    /// Returns the index of a block of the isosurface grid, and the index in it of its node at
    /// `local`. These are coordinates in half cubes, counted from one half cube before the first
    /// node of block `at`. `None` beyond the grid, where the field is positive.
    fn find(&self, at: [usize; 3], local: [usize; 3]) -> Option<(usize, usize)> {
        let mut block = [0; 3];
        let mut place = [0; 3];
        for k in 0..3 {
            let global = (2 * EDGE * at[k] + local[k]).checked_sub(1)?;
            block[k] = global / (2 * EDGE);
            place[k] = global % (2 * EDGE);
            if block[k] >= self.blocks[k] {
                return None;
            }
        }
        Some((
            (block[2] * self.blocks[1] + block[1]) * self.blocks[0] + block[0],
            node_index(place),
        ))
    }
}

/// Returns the coordinates of a node in its block of the isosurface grid, in half cubes. Nodes with
/// even coordinates come first in the order of nodes, then those with odd coordinates.
fn node_place(node: usize) -> [usize; 3] {
    let odd = node / (NODES / 2);
    [node, node / EDGE, node / (EDGE * EDGE)].map(|x| 2 * (x % EDGE) + odd)
}

/// Returns the index of the node at these coordinates in its block of the isosurface grid: the
/// inverse of [`node_place`].
fn node_index(place: [usize; 3]) -> usize {
    let odd = place[0] % 2;
    let [x, y, z] = place.map(|x| x / 2);
    ((odd * EDGE + z) * EDGE + y) * EDGE + x
}

/// Returns the index of a point in the arrays of [`Surroundings`], the lattice points around a
/// block of the isosurface grid. Its coordinates are in half cubes.
fn local_index([x, y, z]: [usize; 3]) -> usize {
    (z * REACH + y) * REACH + x
}

/// The six tetrahedra of the isosurface grid that start at a node, each given by two indices into
/// [`STEPS`]: the steps from the node to the second and to the third corner of the tetrahedron.
/// Step 7 leads to the fourth corner. The first three tetrahedra have positive orientation.
const PATHS: [[usize; 2]; 6] = [[1, 3], [2, 6], [4, 5], [1, 5], [2, 3], [4, 6]];

/// A lattice edge that the isosurface cuts: the index of the node where it starts, in the arrays of
/// [`Surroundings`], and the index of its step in [`STEPS`].
type Edge = (usize, usize);

/// The field values on all lattice nodes that the tetrahedra of one block of the isosurface grid
/// touch.
struct Surroundings {
    values: [f32; REACH * REACH * REACH],
    /// For each node in and around a block of the isosurface grid, its index among the nodes of all
    /// active blocks (those that the isosurface may cut). `usize::MAX` for nodes of other blocks.
    nodes: [usize; REACH * REACH * REACH],
}

impl Surroundings {
    /// Iterates over the indices, in the arrays of [`Surroundings`], of those nodes that belong to
    /// the block of the isosurface grid, without those around it.
    fn own() -> impl Iterator<Item = usize> {
        (0..NODES).map(|node| local_index(node_place(node).map(|x| x + 1)))
    }

    /// Returns the index, in the arrays of [`Surroundings`], of the node that a step of [`STEPS`]
    /// from node `local` of the isosurface grid leads to.
    fn after(local: usize, step: usize) -> usize {
        let [x, y, z] = STEPS[step];
        let reach = REACH as isize;
        local.wrapping_add_signed((z * reach + y) * reach + x)
    }

    /// Returns whether a node, given by its local index, is inside of the isosurface: the field is
    /// negative.
    fn is_inside(&self, local: usize) -> bool {
        self.values[local] < 0.0
    }

    /// Returns a mask for each node of the block: bit `s` is set if the isosurface cuts the lattice
    /// edge of step `s` from the node, so that the field differs in sign at its ends.
    fn cuts(&self) -> [u8; NODES] {
        let mut cuts = [0; NODES];
        for (cut, local) in cuts.iter_mut().zip(Self::own()) {
            for step in 1..8 {
                let differs = self.is_inside(local) != self.is_inside(Self::after(local, step));
                *cut |= u8::from(differs) << step;
            }
        }
        cuts
    }

    /// Returns the number of triangles of the isosurface in the tetrahedra that start at nodes of
    /// this block.
    fn triangles(&self) -> usize {
        let mut count = 0;
        self.for_each_cut(|_, _, inside| count += [0, 1, 2, 1, 0][inside.count_ones() as usize]);
        count
    }

    /// Calls `visit(node, path, inside)` with each tetrahedron that the isosurface cuts: the local
    /// index of the node at which it starts, its index in [`PATHS`], and a bit for each corner, set
    /// if the corner is inside.
    fn for_each_cut(&self, mut visit: impl FnMut(usize, usize, u8)) {
        for local in Self::own() {
            let mut signs = 0u8;
            for step in 0..8 {
                signs |= u8::from(self.is_inside(Self::after(local, step))) << step;
            }
            if signs == 0 || signs == u8::MAX {
                continue;
            }
            for (path, &[b, c]) in PATHS.iter().enumerate() {
                let bit = |step: usize| signs >> step & 1;
                let inside = bit(0) | bit(b) << 1 | bit(c) << 2 | bit(7) << 3;
                if inside != 0 && inside != 15 {
                    visit(local, path, inside);
                }
            }
        }
    }

    /// Calls `visit` with each triangle or quadrangle in which the isosurface cuts a tetrahedron.
    /// Each of its corners is given by the lattice edge on which it lies. Corners are
    /// counterclockwise as seen from outside.
    fn for_each_polygon(&self, mut visit: impl FnMut(&[Edge])) {
        self.for_each_cut(|local, path, inside| {
            let steps = [0, PATHS[path][0], PATHS[path][1], 7];
            let edge = |a: usize, b: usize| {
                let (from, to) = (steps[a.min(b)], steps[a.max(b)]);
                (Self::after(local, from), to ^ from)
            };
            // If the tetrahedron has positive orientation, corners `i`, `j`, `k`, `l` are in an
            // order of positive orientation. Then the normal of `(ij, ik, il)` points away from
            // `i`, and that of `(ik, il, jl, jk)` from `i`, `j` to `k`, `l`.
            let positive = path < 3;
            let lone = inside.count_ones() != 2;
            let [i, j, k, l] = match inside {
                0b0001 | 0b1110 | 0b0011 => [0, 1, 2, 3],
                0b0010 | 0b1101 => [1, 0, 3, 2],
                0b0100 | 0b1011 | 0b1100 => [2, 3, 0, 1],
                0b1000 | 0b0111 => [3, 2, 1, 0],
                0b0101 => [0, 2, 3, 1],
                0b1001 => [0, 3, 1, 2],
                0b0110 => [1, 2, 0, 3],
                _ => [1, 3, 2, 0],
            };
            if lone {
                let mut polygon = [edge(i, j), edge(i, k), edge(i, l)];
                let outward = inside.count_ones() == 1;
                if outward != positive {
                    polygon.reverse();
                }
                visit(&polygon);
            } else {
                let mut polygon = [edge(i, k), edge(i, l), edge(j, l), edge(j, k)];
                if !positive {
                    polygon.reverse();
                }
                visit(&polygon);
            }
        });
    }
}

/// Finds where the isosurface cuts an edge: a zero in `[0, 1]` of a function with values of
/// different sign at the ends, by the Illinois variant of the false position. For the fields here
/// the error is of the order of 1e-3 of the edge or less, which is too small to be seen.
fn zero(f: impl Fn(f64) -> f64, [mut f0, mut f1]: [f64; 2]) -> f64 {
    let (mut t0, mut t1) = (0.0, 1.0);
    let mut t = f0 / (f0 - f1);
    let mut last_was_first = None;
    for _ in 0..ROOT_STEPS {
        let value = f(t);
        let replaces_first = (value < 0.0) == (f0 < 0.0);
        // An end that stays twice loses half its weight.
        let halved = last_was_first == Some(replaces_first);
        if replaces_first {
            (t0, f0) = (t, value);
            if halved {
                f1 *= 0.5;
            }
        } else {
            (t1, f1) = (t, value);
            if halved {
                f0 *= 0.5;
            }
        }
        last_was_first = Some(replaces_first);
        if f0 == f1 {
            break;
        }
        t = t0 + (t1 - t0) * f0 / (f0 - f1);
    }
    t
}
