//! Columns of spheres in storage order: what a step reads and writes, cache line by cache line.
//!
//! A row is an index into the columns. Rows are sorted along columns through space, so that spheres
//! that touch are near each other in memory; nothing that is computed depends on their order.

use super::strays::IN_ALL;
use crate::setup::{Cell, Spheres};
use crate::vector::{Vector, minus};
use tangere::simd::LANES;

/// Position, radius, velocity and inverse mass of a sphere: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Line {
    /// The centre and the radius.
    pub place: [f64; 4],
    /// The velocity and the inverse mass: 0 for frozen spheres.
    pub motion: [f64; 4],
}

impl Line {
    /// The place, then the motion.
    #[inline(always)]
    pub fn lanes(&self) -> &[f64; LANES] {
        // SAFETY: a line is eight doubles without padding, in this order (`repr(C)`).
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    /// The place, then the motion.
    #[inline(always)]
    pub fn lanes_mut(&mut self) -> &mut [f64; LANES] {
        // SAFETY: as above; any eight doubles are a line.
        unsafe { &mut *std::ptr::from_mut(self).cast() }
    }

    pub fn position(&self) -> Vector {
        let [x, y, z, _] = self.place;
        [x, y, z]
    }
    pub fn velocity(&self) -> Vector {
        let [x, y, z, _] = self.motion;
        [x, y, z]
    }
}

/// Angular velocity and inverse moment of inertia of a sphere.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(crate) struct Spin(pub [f64; 4]);

impl Spin {
    pub fn vector(&self) -> Vector {
        let [x, y, z, _] = self.0;
        [x, y, z]
    }
}

/// How a row moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mobility {
    /// It does not move.
    #[default]
    Still,
    /// By the forces on it.
    Integrated,
    /// As an action prescribes, by the number of the action.
    Prescribed(u16),
    /// With its clump.
    Member,
}

/// The columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub ids: Vec<u64>,
    pub lines: Vec<Line>,
    pub spins: Vec<Spin>,
    pub kinds: Vec<u32>,
    pub groups: Vec<u32>,
    pub masses: Vec<f64>,
    pub images: Vec<[i32; 3]>,
    pub mobilities: Vec<Mobility>,
    /// Forces and torques of the last step whose end was observed; empty during a long run.
    pub forces: Vec<Vector>,
    pub torques: Vec<Vector>,
    /// The positions for which the list of pairs was made; empty while one is made.
    pub references: Vec<Vector>,
    /// The number of the clump of each row; empty without clumps.
    pub clumps: Vec<u32>,
}

impl Columns {
    pub fn new(spheres: &Spheres) -> Self {
        let count = spheres.ids.len();
        let lines = (0..count).map(|i| {
            let ([x, y, z], [u, v, w]) = (spheres.positions[i], spheres.velocities[i]);
            Line {
                place: [x, y, z, spheres.radii[i]],
                motion: [u, v, w, 1.0 / spheres.masses[i]],
            }
        });
        let spins = spheres.spins.iter().map(|&[x, y, z]| Spin([x, y, z, 0.0]));
        Self {
            ids: spheres.ids.clone(),
            lines: lines.collect(),
            spins: spins.collect(),
            kinds: spheres.kinds.clone(),
            groups: spheres.groups.clone(),
            masses: spheres.masses.clone(),
            images: spheres.images.clone(),
            mobilities: vec![Mobility::Still; count],
            forces: spheres.forces.clone(),
            torques: spheres.torques.clone(),
            references: spheres.positions.clone(),
            clumps: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// The rows in ascending order of ids.
    pub fn by_id(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..self.len() as u32).collect();
        if !self.ids.is_sorted() {
            rows.sort_unstable_by_key(|&row| self.ids[row as usize]);
        }
        rows
    }

    /// The spheres in ascending order of ids.
    pub fn spheres(&self) -> Spheres {
        let rows = self.by_id();
        fn column<T, U>(rows: &[u32], of: &[T], f: impl Fn(&T) -> U) -> Vec<U> {
            rows.iter().map(|&row| f(&of[row as usize])).collect()
        }
        // Those that were not kept are 0.
        fn vectors(rows: &[u32], of: &[Vector]) -> Vec<Vector> {
            let at = |&row: &u32| of.get(row as usize).copied().unwrap_or_default();
            rows.iter().map(at).collect()
        }
        let lines = &self.lines;
        Spheres {
            ids: column(&rows, &self.ids, |&x| x),
            kinds: column(&rows, &self.kinds, |&x| x),
            groups: column(&rows, &self.groups, |&x| x),
            positions: column(&rows, lines, Line::position),
            images: column(&rows, &self.images, |&x| x),
            velocities: column(&rows, lines, Line::velocity),
            spins: column(&rows, &self.spins, Spin::vector),
            radii: column(&rows, lines, |line| line.place[3]),
            masses: column(&rows, &self.masses, |&x| x),
            forces: vectors(&rows, &self.forces),
            torques: vectors(&rows, &self.torques),
        }
    }

    /// Sorts rows along columns through space. Returns, for each old row, its new one; none if the order
    /// stays.
    pub fn sort(&mut self) -> Option<Vec<u32>> {
        let order = column_order(&self.lines);
        if order.is_sorted() {
            return None;
        }
        fn reordered<T: Copy>(column: &mut Vec<T>, order: &[u32]) {
            if !column.is_empty() {
                *column = order.iter().map(|&row| column[row as usize]).collect();
            }
        }
        reordered(&mut self.ids, &order);
        reordered(&mut self.lines, &order);
        reordered(&mut self.spins, &order);
        reordered(&mut self.kinds, &order);
        reordered(&mut self.groups, &order);
        reordered(&mut self.masses, &order);
        reordered(&mut self.images, &order);
        reordered(&mut self.mobilities, &order);
        reordered(&mut self.forces, &order);
        reordered(&mut self.torques, &order);
        reordered(&mut self.references, &order);
        let mut rows = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            rows[old as usize] = new;
        }
        Some(rows)
    }

    /// Frees forces and torques.
    pub fn forget_forces(&mut self) {
        (self.forces, self.torques) = (Vec::new(), Vec::new());
    }

    /// Makes room for forces and torques.
    pub fn expect_forces(&mut self) {
        let count = self.len();
        self.forces.resize(count, [0.0; 3]);
        self.torques.resize(count, [0.0; 3]);
    }

    /// A bound of the rounding of positions near the present ones, with as much to spare.
    pub fn rounding(&self) -> f64 {
        let places = self.lines.iter().flat_map(|line| line.place);
        8.0 * f64::EPSILON * places.fold(0.0_f64, |a, x| a.max(x.abs()))
    }

    /// The speed that all spheres but strays do not exceed.
    pub fn common_speed(&self) -> f64 {
        let moving = self.lines.iter().map(|line| {
            let [x, y, z] = line.velocity();
            x * x + y * y + z * z
        });
        let mut squares: Vec<f64> = moving.collect();
        let strays = squares.len() / IN_ALL;
        let Some(last) = squares.len().checked_sub(strays + 1) else {
            return 0.0;
        };
        let (_, square, _) = squares.select_nth_unstable_by(last, f64::total_cmp);
        square.sqrt()
    }

    /// The squares of the ways of all spheres since their places of reference.
    fn ways(&self) -> impl Iterator<Item = f64> {
        let ways = self.lines.iter().zip(&self.references);
        ways.map(|(line, reference)| {
            let [x, y, z] = minus(line.position(), *reference);
            x * x + y * y + z * z
        })
    }

    /// The longest way of a sphere since its place of reference.
    pub fn farthest(&self) -> f64 {
        self.ways().fold(0.0, f64::max).sqrt()
    }

    /// The rows whose way is longer than this, and the longest way of the others.
    pub fn beyond(&self, way: f64) -> (Vec<u32>, f64) {
        let (mut rows, mut rest) = (Vec::new(), 0.0_f64);
        for (row, square) in (0..).zip(self.ways()) {
            match square > way * way {
                true => rows.push(row),
                false => rest = rest.max(square),
            }
        }
        (rows, rest.sqrt())
    }

    /// The first sphere whose position is not finite, or farther away than the broad phase resolves.
    pub fn astray(&self) -> Option<u64> {
        let rows = self.lines.iter().zip(&self.ids);
        let astray = rows.filter(|(line, _)| is_astray(line));
        astray.map(|(_, &id)| id).min()
    }

    /// Whether the sphere of a row is astray or outside of the cell.
    pub fn has_left(&self, row: u32, cell: &Cell) -> bool {
        let line = &self.lines[row as usize];
        is_astray(line) || !cell.holds(line.position())
    }

    /// The first sphere that is outside of the cell along an edge with a border.
    pub fn lost(&self, cell: &Cell) -> Option<u64> {
        let rows = self.lines.iter().zip(&self.ids);
        let lost = rows.filter(|(line, _)| !cell.holds(line.position()));
        lost.map(|(_, &id)| id).min()
    }
}

/// Whether a position is not finite, or farther away than the broad phase resolves.
fn is_astray(line: &Line) -> bool {
    !line.position().iter().all(|x| x.abs() <= 1e60)
}

/// The number of cells along the sides of a column, as a power of two: a layer of cells across it has about a
/// thousand spheres, of which three layers fit the second level of caches.
const COLUMN_BITS: u32 = 4;

/// Rows in the order of cells that have a few spheres each: layer by layer along columns, which run along the
/// longest edge of the system. Most spheres that touch are then in the same layer or the next one, and a
/// sweep over the rows meets all of them within a window that stays in the cache. (Along a Z-order curve as
/// many are near, but those that are not are anywhere.)
fn column_order(lines: &[Line]) -> Vec<u32> {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for line in lines {
        for k in 0..3 {
            low[k] = low[k].min(line.place[k]);
            high[k] = high[k].max(line.place[k]);
        }
    }
    let extent = minus(high, low);
    let volume: f64 = extent.iter().filter(|&&x| x > 0.0).product();
    let spread = extent.iter().filter(|&&x| x > 0.0).count().max(1);
    // About four spheres a cell; a thousand cells along an edge at most.
    let wanted = libm::pow(
        volume * 4.0 / lines.len().max(1) as f64,
        1.0 / spread as f64,
    );
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| extent[j].total_cmp(&extent[i]));
    let size = wanted.max(extent[axes[0]] / 1023.0).max(f64::MIN_POSITIVE);
    let key = |line: &Line| -> u64 {
        let [along, b, c] = axes.map(|k| {
            let at = (line.place[k] - low[k]) / size;
            (at as u64).min(1023)
        });
        let column = |at: u64| at >> COLUMN_BITS;
        let within = |at: u64| at & ((1 << COLUMN_BITS) - 1);
        let numbers = [column(b), column(c), along, within(b), within(c)];
        let bits = [
            10 - COLUMN_BITS,
            10 - COLUMN_BITS,
            10,
            COLUMN_BITS,
            COLUMN_BITS,
        ];
        let numbers = numbers.into_iter().zip(bits);
        numbers.fold(0, |key, (number, bits)| key << bits | number)
    };
    let mut keyed: Vec<u64> = (0..)
        .zip(lines)
        .map(|(row, line): (u64, _)| key(line) << 32 | row)
        .collect();
    keyed.sort_unstable();
    keyed.iter().map(|&key| key as u32).collect()
}
