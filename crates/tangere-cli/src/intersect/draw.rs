//! Intersecting triangles as a VTK drawing.

use super::Surfaces;
use std::collections::BTreeMap;
use tangere::closest::Intersection;
use tangere::geometry::IntersectionKind;
use tangere_io::vtk::{Cells, Field, PolyData};

/// The triangles that intersect one triangle: their number and the lowest index among them. Of the
/// kinds of these intersections, `kind` is the first in the order crossing, touching, coplanar.
struct Partners {
    count: u32,
    partner: u32,
    kind: IntersectionKind,
}

/// Draws each triangle that intersects another, once, with fields about the triangles that it
/// intersects.
pub fn drawn(surfaces: &Surfaces, pairs: &[Intersection]) -> PolyData {
    // Keys are surface and face; self-intersections are all of surface 0.
    let mut met: BTreeMap<(u8, u32), Partners> = BTreeMap::new();
    let mut meet = |surface: u8, face: u32, partner: u32, kind: IntersectionKind| {
        let one = met.entry((surface, face)).or_insert(Partners {
            count: 0,
            partner,
            kind,
        });
        one.count += 1;
        one.partner = one.partner.min(partner);
        one.kind = one.kind.min(kind);
    };
    let other = u8::from(surfaces.b.is_some());
    for pair in pairs {
        meet(0, pair.a, pair.b, pair.kind);
        meet(other, pair.b, pair.a, pair.kind);
    }
    let corners = met.keys().flat_map(|&(surface, face)| match &surfaces.b {
        Some(b) if surface == 1 => b.triangle(face as usize).map(|p| surfaces.pose_b.apply(p)),
        _ => surfaces.a.triangle(face as usize),
    });
    let triangles: Vec<[u32; 3]> = (0..met.len() as u32)
        .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
        .collect();
    let of_keys = |value: fn(&(u8, u32)) -> u32| -> Vec<u32> { met.keys().map(value).collect() };
    let of_met = |value: fn(&Partners) -> u32| -> Vec<u32> { met.values().map(value).collect() };
    PolyData {
        points: corners.collect(),
        polys: Cells::uniform(&triangles),
        ..PolyData::default()
    }
    .with_cell_data(Field::scalar("surface", of_keys(|key| u32::from(key.0))))
    .with_cell_data(Field::scalar("face", of_keys(|key| key.1)))
    .with_cell_data(Field::scalar("partners", of_met(|met| met.count)))
    .with_cell_data(Field::scalar("partner", of_met(|met| met.partner)))
    .with_cell_data(Field::scalar("kind", of_met(|met| met.kind as u32)))
}
