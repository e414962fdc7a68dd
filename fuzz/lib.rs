//! Invariants that every reader must satisfy for arbitrary bytes. Run a target, such as `stl`,
//! with `cargo +nightly fuzz run stl`.

use tangere_io::{MeshFormat, parse_elements, parse_mesh};

/// A reader returns finite vertices and indices in range, or a fault; the mesh has
/// all triangles of the polygons, or there is an error.
pub fn check_mesh(bytes: &[u8], format: MeshFormat) {
    let Ok(polygons) = parse_mesh(bytes, format) else {
        return;
    };
    let count = polygons.vertices.len();
    let mut coordinates = polygons.vertices.as_flattened().iter();
    assert!(coordinates.all(|x| x.is_finite()));
    assert!(polygons.indices.iter().all(|&i| (i as usize) < count));
    assert_eq!(
        polygons.ends.last().copied().unwrap_or(0),
        polygons.indices.len()
    );
    let corners = polygons.iter().map(<[u32]>::len);
    let triangles: usize = corners.map(|n| n.saturating_sub(2)).sum();
    if let Ok((mesh, welded)) = polygons.into_mesh() {
        assert_eq!(mesh.faces().len(), triangles);
        assert_eq!(mesh.vertices().len() + welded, count);
    }
}

/// Elements have the number of nodes of their kind, all in range; surfaces, also
/// named ones, are meshes or errors.
pub fn check_elements(bytes: &[u8], format: MeshFormat) {
    let Ok(elements) = parse_elements(bytes, format) else {
        return;
    };
    let count = elements.nodes.len();
    let lists = [&elements.segments, &elements.surface];
    for list in lists {
        let nodes: usize = list.kinds.iter().map(|kind| kind.nodes()).sum();
        assert_eq!(nodes, list.indices.len());
        assert!(list.indices.iter().all(|&i| (i as usize) < count));
    }
    let nodes: usize = elements.volumes.kinds.iter().map(|kind| kind.nodes()).sum();
    assert_eq!(nodes, elements.volumes.indices.len());
    assert!(
        elements
            .volumes
            .indices
            .iter()
            .all(|&i| (i as usize) < count)
    );
    for surface in elements.surfaces.iter().take(3) {
        let _ = elements.named_surface(&surface.name);
    }
    if let Ok(surface) = elements.into_surface() {
        surface.mesh.report();
    }
}
