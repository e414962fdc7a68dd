//! Contacts and nearest points as VTK drawings.

use crate::output::Drawing;
use tangere::closest::{PatchPoint, SurfaceDistance};
use tangere::contact::{Contact, Feature};
use tangere_front::answer::{Column, Format, Table};
use tangere_io::vtk::{Cells, Field, PolyData, UnstructuredGrid};

/// Values of the cell field `what` of a drawn contact: a contact point (0), the line between the
/// two contact points (1), or the contact patch on one body (2).
const POINT: i32 = 0;
const BETWEEN: i32 = 1;
const PATCH: i32 = 2;

/// Draws a contact: its two points, the line between them, and the contact patch on both bodies.
/// Points have fields for their body, the kind and index of their feature, gap and normal; cells
/// have fields for what they show, gap and normal.
pub fn contact(c: &Contact, corners: &[PatchPoint]) -> PolyData {
    let only = PatchPoint {
        point_a: c.point_a,
        point_b: c.point_b,
        gap: c.gap,
        feature_a: c.feature_a,
        feature_b: c.feature_b,
    };
    // First come the points of the contact, then the corners on `a`, then those on `b`.
    let on_a = |p: &PatchPoint| (p.point_a, 0, p.feature_a, p.gap);
    let on_b = |p: &PatchPoint| (p.point_b, 1, p.feature_b, p.gap);
    let mut rows: Vec<([f64; 3], i32, Feature, f64)> = vec![on_a(&only), on_b(&only)];
    rows.extend(corners.iter().map(on_a));
    rows.extend(corners.iter().map(on_b));

    let count = corners.len() as u32;
    let [first, second] = [2..2 + count, 2 + count..2 + 2 * count];
    let mut lines: Vec<Vec<u32>> = vec![vec![0, 1]];
    let mut polygons: Vec<Vec<u32>> = Vec::new();
    match count {
        0 | 1 => {}
        2 => lines.extend([first.collect(), second.collect()]),
        _ => polygons.extend([first.collect(), second.collect()]),
    }
    let verts = Cells::uniform(&[[0], [1]]);
    let whats = [POINT, POINT, BETWEEN].into_iter();
    let patches = lines.len() - 1 + polygons.len();
    let whats: Vec<i32> = whats.chain(std::iter::repeat_n(PATCH, patches)).collect();
    let cells = whats.len();
    PolyData {
        points: rows.iter().map(|row| row.0).collect(),
        verts,
        lines: chained(&lines),
        polys: chained(&polygons),
        ..PolyData::default()
    }
    .with_point_data(Field::scalar("body", column(&rows, |row| row.1)))
    .with_point_data(Field::scalar(
        "kind",
        column(&rows, |row| row.2.kind as i32),
    ))
    .with_point_data(Field::scalar("index", column(&rows, |row| row.2.index)))
    .with_point_data(Field::scalar("gap", column(&rows, |row| row.3)))
    .with_point_data(Field::vector("normal", vec![c.normal; rows.len()]))
    .with_cell_data(Field::scalar("what", whats))
    .with_cell_data(Field::scalar("gap", vec![c.gap; cells]))
    .with_cell_data(Field::vector("normal", vec![c.normal; cells]))
}

/// Draws for every step a line between the two contact points. The columns of the table become
/// fields of the lines.
pub fn steps<T>(contacts: &[Contact], table: &Table<T>) -> PolyData {
    step_lines(contacts.iter().map(|c| [c.point_a, c.point_b]), table)
}

/// Draws the nearest points of two surfaces and the line between them.
pub fn distance(found: &SurfaceDistance) -> PolyData {
    PolyData {
        points: vec![found.point_a, found.point_b],
        verts: Cells::uniform(&[[0], [1]]),
        lines: Cells::uniform(&[[0, 1]]),
        ..PolyData::default()
    }
    .with_point_data(Field::scalar("body", vec![0, 1]))
    .with_point_data(Field::scalar("face", vec![found.face_a, found.face_b]))
    .with_cell_data(Field::scalar("distance", vec![found.distance; 3]))
}

/// Draws for every step of a motion a line between the nearest points of two surfaces. The columns
/// of `table` become fields of the lines.
pub fn distances(found: &[SurfaceDistance], table: &Table<SurfaceDistance>) -> PolyData {
    step_lines(found.iter().map(|d| [d.point_a, d.point_b]), table)
}

/// Draws for every step of a motion a line between the two points of `ends`. The columns of `table`
/// become fields of the lines.
fn step_lines<T>(ends: impl Iterator<Item = [[f64; 3]; 2]>, table: &Table<T>) -> PolyData {
    let points: Vec<[f64; 3]> = ends.flatten().collect();
    let steps: Vec<u32> = (0..points.len() as u32 / 2).collect();
    let lines: Vec<[u32; 2]> = steps.iter().map(|i| [2 * i, 2 * i + 1]).collect();
    let mut data = PolyData {
        points,
        lines: Cells::uniform(&lines),
        ..PolyData::default()
    }
    .with_cell_data(Field::scalar("step", steps));
    data.cell_data.extend(table.fields());
    data
}

/// Draws nearest points: in a VTU file the query points with every column of the answer, the nearest
/// point too; otherwise lines to the nearest points.
pub fn nearest<T: Copy>(
    format: Format,
    points: &[[f64; 3]],
    found: &[T],
    columns: &[Column<T>],
    foot: fn(&T) -> [f64; 3],
) -> Drawing {
    if format != Format::Vtu {
        return Drawing::Poly(feet(points, found, columns, foot));
    }
    let mut data = UnstructuredGrid::from_points(points.to_vec());
    data.point_data = Table::new(columns, found).fields();
    let feet = found.iter().map(foot).collect();
    Drawing::Grid(data.with_point_data(Field::vector("point", feet)))
}

/// Draws the query points, the point of the surface nearest to each, and a line between the two.
/// The columns of the answer become fields of the lines and of their end points.
fn feet<T: Copy>(
    points: &[[f64; 3]],
    found: &[T],
    columns: &[Column<T>],
    foot: fn(&T) -> [f64; 3],
) -> PolyData {
    let count = found.len() as u32;
    let lines: Vec<[u32; 2]> = (0..count).map(|i| [i, count + i]).collect();
    let ends: Vec<u8> = (0..2 * count).map(|i| u8::from(i >= count)).collect();
    let mut data = PolyData {
        points: points
            .iter()
            .copied()
            .chain(found.iter().map(foot))
            .collect(),
        lines: Cells::uniform(&lines),
        ..PolyData::default()
    }
    .with_point_data(Field::scalar("foot", ends));
    let twice = found.repeat(2);
    data.point_data.extend(Table::new(columns, &twice).fields());
    data.cell_data = Table::new(columns, found).fields();
    data
}

fn column<R, T>(rows: &[R], value: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

fn chained(cells: &[Vec<u32>]) -> Cells {
    let mut chained = Cells::default();
    for cell in cells {
        chained.indices.extend(cell);
        chained.ends.push(chained.indices.len());
    }
    chained
}
