//! Pairs and contacts as VTK lines between centres.

use super::LastStep;
use tangere_front::answer::Table;
use tangere_front::answers::pairs;
use tangere_front::finder::Contacts;
use tangere_front::inputs::Frame;
use tangere_io::vtk::{Cells, Field, PolyData};

/// Draws a line between the centres of the two items of each pair. Its fields are the gap, the
/// normal and the image: which periodic image of the second item touches the first. The line ends
/// at the second item itself, not at its image, so that it may cross the cell. With `--every-image`
/// each touching image has a line. Points have the number of their neighbours as a field.
pub fn contacts(frame: &Frame, found: &LastStep) -> PolyData {
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
    let data = drawn(&[frame], &found.contacts.pairs());
    let mut data = data.with_point_data(Field::scalar("neighbors", touching));
    data.cell_data.extend(fields);
    data
}

/// Draws a line between the centres of each pair of an item and one of `others`; points have the
/// field `set`, 0 for items and 1 for `others`.
pub fn between(frame: &Frame, others: &Frame, pairs: &[[u32; 2]]) -> PolyData {
    let after = frame.len() as u32;
    let pairs: Vec<[u32; 2]> = pairs.iter().map(|[a, b]| [*a, after + b]).collect();
    let mut sets = vec![0i32; frame.len()];
    sets.resize(frame.len() + others.len(), 1);
    drawn(&[frame, others], &pairs).with_point_data(Field::scalar("set", sets))
}

/// Draws points at the centres of the items of all `frames`, with their radii, and a line for each
/// pair. The indices in `pairs` count the items of all frames, one frame after another.
fn drawn(frames: &[&Frame], pairs: &[[u32; 2]]) -> PolyData {
    let data = PolyData {
        points: frames.iter().flat_map(|frame| frame.middles()).collect(),
        lines: Cells::uniform(pairs),
        ..PolyData::default()
    };
    let radii: Option<Vec<&[f64]>> = frames.iter().map(|frame| frame.radii()).collect();
    match radii {
        None => data,
        Some(radii) => data.with_point_data(Field::scalar("radius", radii.concat())),
    }
}
