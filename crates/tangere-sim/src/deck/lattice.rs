//! Lattices: `lattice`, and the lattice units of other commands.

use super::args::Args;
use super::book::Book;
use super::error::Problem;
use crate::vector::{Vector, cross, dot};

/// A lattice of points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lattice {
    /// The edges of the unit cell, scaled.
    pub edges: [Vector; 3],
    /// The points of the unit cell, in units of its edges.
    pub basis: Vec<Vector>,
    /// Where the first point is.
    pub origin: Vector,
    /// The spacings along x, y and z: the units of `units lattice`.
    pub spacing: Vector,
}

impl Default for Lattice {
    /// `lattice none 1.0`: no points, units of 1.
    fn default() -> Self {
        Self {
            edges: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            basis: Vec::new(),
            origin: [0.0; 3],
            spacing: [1.0; 3],
        }
    }
}

/// The styles that are read.
pub(super) const STYLES: [&str; 10] = [
    "none", "sc", "bcc", "fcc", "hcp", "diamond", "sq", "sq2", "hex", "custom",
];

impl Lattice {
    /// The command `lattice`.
    pub fn parse(args: &mut Args, book: &Book) -> Result<Self, Problem> {
        let style = args.word("a style of lattices")?;
        let scale = args.number("the scale of the lattice")?;
        if scale <= 0.0 {
            return Err(Problem::new(scale.to_string(), "a scale above 0"));
        }
        let root3 = 3.0_f64.sqrt();
        let mut edges = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let half = 0.5;
        let mut basis: Vec<Vector> = match style {
            "none" | "custom" => Vec::new(),
            "sc" | "sq" => vec![[0.0; 3]],
            "bcc" => vec![[0.0; 3], [half; 3]],
            "sq2" | "hex" => vec![[0.0; 3], [half, half, 0.0]],
            "fcc" | "diamond" => {
                let mut points = vec![
                    [0.0; 3],
                    [half, half, 0.0],
                    [half, 0.0, half],
                    [0.0, half, half],
                ];
                if style == "diamond" {
                    let more: Vec<Vector> = points.iter().map(|p| p.map(|x| x + 0.25)).collect();
                    points.extend(more);
                }
                points
            }
            "hcp" => vec![
                [0.0; 3],
                [half, half, 0.0],
                [half, 5.0 / 6.0, half],
                [0.0, 1.0 / 3.0, half],
            ],
            other => return Err(Problem::unknown(other, "a style of lattices", &STYLES)),
        };
        match style {
            "hex" => edges[1][1] = root3,
            "hcp" => (edges[1][1], edges[2][2]) = (root3, (8.0_f64 / 3.0).sqrt()),
            _ => {}
        }
        let mut origin = [0.0; 3];
        let mut spacing = None;
        while let Some(word) = args.next() {
            match word {
                "origin" => origin = args.vector("the origin")?,
                "spacing" => spacing = Some(args.vector("the spacings")?),
                "a1" => edges[0] = args.vector("an edge")?,
                "a2" => edges[1] = args.vector("an edge")?,
                "a3" => edges[2] = args.vector("an edge")?,
                "basis" => basis.push(args.vector("a point of the basis")?),
                other => {
                    let known = ["origin", "spacing", "a1", "a2", "a3", "basis"];
                    return Err(Problem::unknown(other, "a keyword of lattice", &known));
                }
            }
        }
        if style == "none" {
            return Ok(Self {
                spacing: [scale; 3],
                ..Self::default()
            });
        }
        let volume = dot(edges[0], cross(edges[1], edges[2])).abs();
        if volume == 0.0 || basis.is_empty() {
            return Err(Problem::new(
                format!("{} points in a cell of volume {volume}", basis.len()),
                "a basis and edges that span a volume",
            ));
        }
        // In reduced units the scale is a density: points per volume, in 2D per area.
        let scale = match book.units.name {
            "lj" => libm::pow(basis.len() as f64 / volume / scale, 1.0 / book.dimension()),
            _ => scale,
        };
        let edges = edges.map(|edge| edge.map(|x| scale * x));
        let spacing = match spacing {
            Some(spacing) => spacing.map(|x| x * scale),
            // The extent of the unit cell.
            None => std::array::from_fn(|k| {
                let corners = (0..8).map(|corner| {
                    (0..3)
                        .filter(|edge| corner >> edge & 1 == 1)
                        .map(|edge: usize| edges[edge][k])
                        .sum::<f64>()
                });
                let low = corners.clone().fold(f64::INFINITY, f64::min);
                corners.fold(f64::NEG_INFINITY, f64::max) - low
            }),
        };
        Ok(Self {
            edges,
            basis,
            origin,
            spacing,
        })
    }

    /// The place of a point of the lattice, counted in edges.
    pub fn place(&self, at: Vector) -> Vector {
        std::array::from_fn(|k| {
            (0..3)
                .map(|edge| (at[edge] + self.origin[edge]) * self.edges[edge][k])
                .sum()
        })
    }
}
