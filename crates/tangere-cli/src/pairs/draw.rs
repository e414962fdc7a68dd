//! Pairs and contacts as VTK lines between centres.

use super::search::Found;
use std::collections::HashMap;
use tangere_front::answer::Table;
use tangere_front::answers::pairs;
use tangere_front::finder::Contacts;
use tangere_front::inputs::{Cell, Frame};
use tangere_io::vtk::{Cells, Field, PolyData};

/// Draws a line for each contact, from the centre of the first item to that of the second or, in a
/// periodic cell, of its image that touches the first: no line crosses the cell. Its fields are the
/// gap, the normal and the image. With `--every-image` each touching image has a line. Points have
/// the number of their neighbours as a field.
pub fn contacts(frame: &Frame, found: &Found, cell: Option<Cell>, ids: Option<&[u64]>) -> PolyData {
    let mut touching = vec![0i32; frame.len()];
    for &i in found.pairs.as_flattened() {
        touching[i as usize] += 1;
    }
    let mut fields = match &found.contacts {
        Contacts::Plane(contacts) => Table::new(pairs::Contacts::<2>::COLUMNS, contacts).fields(),
        Contacts::Space(contacts) => Table::new(pairs::Contacts::<3>::COLUMNS, contacts).fields(),
    };
    // Viewers colour by the first field, which should be the gap, not the image.
    fields.rotate_left(1);
    let mut points = Points::new(&[frame]);
    let lines: Vec<[u32; 2]> = (found.contacts.pairs().into_iter())
        .zip(images(&found.contacts))
        .map(|([a, b], image)| [a, points.image(b, image, cell)])
        .collect();
    let mut data = points.data(&lines, cell);
    let fields_of_points = [Some(Field::scalar("neighbors", points.each(&touching)))];
    let ids = ids.map(|ids| ids.iter().map(|&id| id as i64).collect::<Vec<i64>>());
    let ids = ids.map(|ids| Field::scalar("id", points.each(&ids)));
    let fields_of_points = fields_of_points.into_iter().chain([ids]).flatten();
    data.point_data.extend(fields_of_points);
    data.cell_data.extend(fields);
    data
}

/// Draws a line between the centres of each pair of an item and one of `others`, in a periodic cell
/// the nearest image of it; points have the field `set`, 0 for items and 1 for `others`.
pub fn between(frame: &Frame, others: &Frame, pairs: &[[u32; 2]], cell: Option<Cell>) -> PolyData {
    let after = frame.len() as u32;
    let mut sets = vec![0i32; frame.len()];
    sets.resize(frame.len() + others.len(), 1);
    let mut points = Points::new(&[frame, others]);
    let lines: Vec<[u32; 2]> = pairs
        .iter()
        .map(|&[a, b]| {
            let b = after + b;
            let image = cell.map_or([0; 3], |cell| points.nearest(a, b, cell));
            [a, points.image(b, image, cell)]
        })
        .collect();
    let mut data = points.data(&lines, cell);
    data.point_data
        .push(Field::scalar("set", points.each(&sets)));
    data
}

/// Returns the image of the second item of each contact, with 0 along z in the plane.
fn images(contacts: &Contacts) -> Vec<[i32; 3]> {
    match contacts {
        Contacts::Plane(contacts) => (contacts.iter().map(|c| c.image))
            .map(|[x, y]| [x, y, 0])
            .collect(),
        Contacts::Space(contacts) => contacts.iter().map(|c| c.image).collect(),
    }
}

/// Returns the translation to an image of a cell.
fn shift(cell: Cell, image: [i32; 3]) -> [f64; 3] {
    match cell {
        Cell::Plane(cell) => {
            let [x, y] = cell.shift([image[0], image[1]]);
            [x, y, 0.0]
        }
        Cell::Space(cell) => cell.shift(image),
    }
}

/// The points of a drawing: the centres of items, then images of some of them.
struct Points {
    places: Vec<[f64; 3]>,
    radii: Option<Vec<f64>>,
    /// The number of items, which come before the images.
    items: usize,
    /// The item that each image is of.
    of: Vec<u32>,
    /// The points of the images drawn so far, by item and image.
    drawn: HashMap<(u32, [i32; 3]), u32>,
}

impl Points {
    /// Returns the centres of the items of all frames, one frame after another.
    fn new(frames: &[&Frame]) -> Self {
        let places: Vec<_> = frames.iter().flat_map(|frame| frame.middles()).collect();
        let radii: Option<Vec<&[f64]>> = frames.iter().map(|frame| frame.radii()).collect();
        Points {
            items: places.len(),
            places,
            radii: radii.map(|radii| radii.concat()),
            of: Vec::new(),
            drawn: HashMap::new(),
        }
    }

    /// Returns the point of an image of item `b`; the item itself if it is not shifted.
    fn image(&mut self, b: u32, image: [i32; 3], cell: Option<Cell>) -> u32 {
        let Some(cell) = cell.filter(|_| image != [0; 3]) else {
            return b;
        };
        *self.drawn.entry((b, image)).or_insert_with(|| {
            let shift = shift(cell, image);
            let place = self.places[b as usize];
            self.places
                .push(std::array::from_fn(|k| place[k] + shift[k]));
            self.of.push(b);
            (self.places.len() - 1) as u32
        })
    }

    /// Returns the image of item `b` that is nearest to item `a`.
    ///
    /// The displacement is reduced edge by edge, from the last to the first, as the edges are a
    /// triangular matrix. In a tilted cell a neighbour of the image found may be nearer.
    fn nearest(&self, a: u32, b: u32, cell: Cell) -> [i32; 3] {
        let [lengths, ..] = cell.numbers();
        let (a, b) = (self.places[a as usize], self.places[b as usize]);
        let from = |image: [i32; 3]| {
            let shift = shift(cell, image);
            std::array::from_fn(|k| b[k] + shift[k] - a[k])
        };
        let mut image = [0; 3];
        for (k, &length) in lengths.iter().enumerate().rev() {
            let gap: [f64; 3] = from(image);
            if length > 0.0 {
                // A cast of a float saturates; items are at most a million cells away.
                image[k] = -(gap[k] / length).round() as i32;
            }
        }
        let squared = |image: [i32; 3]| from(image).iter().map(|x: &f64| x * x).sum::<f64>();
        let (home, mut best) = (image, (squared(image), image));
        for i in 0..27 {
            let near: [i32; 3] = std::array::from_fn(|k| {
                let step = i / 3_i32.pow(k as u32) % 3 - 1;
                let repeats = lengths.get(k).is_some_and(|&length| length > 0.0);
                home[k] + if repeats { step } else { 0 }
            });
            let distance = squared(near);
            if distance < best.0 {
                best = (distance, near);
            }
        }
        best.1
    }

    /// Returns the value of each point: those of the items, then for each image that of its item.
    fn each<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let images = self.of.iter().map(|&b| values[b as usize]);
        values.iter().copied().chain(images).collect()
    }

    /// Returns the drawing of the points and of lines between them. In a periodic cell points have
    /// the field `is_image`.
    fn data(&self, lines: &[[u32; 2]], cell: Option<Cell>) -> PolyData {
        let mut data = PolyData {
            points: self.places.clone(),
            lines: Cells::uniform(lines),
            ..PolyData::default()
        };
        if let Some(radii) = &self.radii {
            data = data.with_point_data(Field::scalar("radius", self.each(radii)));
        }
        if cell.is_some() {
            let mut is_image = vec![0i32; self.items];
            is_image.resize(self.places.len(), 1);
            data = data.with_point_data(Field::scalar("is_image", is_image));
        }
        data
    }
}
