//! Finite element meshes as read from a file: nodes, elements of all dimensions, and
//! the surface extracted from them.
//!
//! The surface of volume elements is their boundary. Surface elements beside them usually repeat
//! that boundary, in some files together with interfaces, and are only counted. Some meshes,
//! however, fill more than the body, for example its convex hull, and contain the surface of the
//! body as triangles. The surface elements are therefore the surface if they are closed and
//! oriented, some of them are not faces of the boundary, and some faces of the boundary are not
//! among them. Without volume elements the surface elements are the surface, and without those the
//! segments.

use crate::error::Fault;
use crate::polygons::Polygons;
use std::collections::HashSet;
use tangere::Argument;
use tangere::shape::face::VolumeBoundary;
use tangere::shape::{FaceKind, FaceMesh, VolumeKind, VolumeMesh};

/// Elements of one dimension; the node indices of all elements are in one array.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementList<K> {
    /// The kind of each element.
    pub kinds: Vec<K>,
    /// The node indices of all elements, one element after another.
    pub indices: Vec<u32>,
}

impl<K> Default for ElementList<K> {
    fn default() -> Self {
        ElementList {
            kinds: Vec::new(),
            indices: Vec::new(),
        }
    }
}

impl<K> ElementList<K> {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}

/// The kind of an element of any dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A point, which is skipped.
    Point,
    /// A segment, triangle or quadrilateral.
    Face(FaceKind),
    /// A volume element.
    Volume(VolumeKind),
}

impl Kind {
    pub fn nodes(self) -> usize {
        match self {
            Kind::Point => 1,
            Kind::Face(kind) => kind.nodes(),
            Kind::Volume(kind) => kind.nodes(),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Point => "point",
            Kind::Face(kind) => kind.name(),
            Kind::Volume(kind) => kind.name(),
        }
    }
}

/// Position of an element in the lists of [`Elements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementPlace {
    /// A point, which is not kept.
    Point,
    /// The index in [`Elements::segments`].
    Segment(u32),
    /// The index in [`Elements::surface`].
    Surface(u32),
    /// The index in [`Elements::volumes`].
    Volume(u32),
}

/// A face that belongs to a named surface of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedFace {
    /// A face of a volume element: the index of the element and the number of the face.
    OfVolume(u32, u8),
    /// A surface element by its index, and whether its orientation is reversed.
    Element(u32, bool),
    /// A segment by its index, and whether its orientation is reversed.
    Segment(u32, bool),
    /// An edge of a surface element, by the index of the element and the number of the edge; it is
    /// a face of a plane body.
    Edge(u32, u8),
    /// All faces of a volume element, given by its index, that no other element shares.
    Exterior(u32),
}

/// A named surface of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSurface {
    /// The name, as it is written in the file.
    pub name: String,
    /// The faces of the surface.
    pub faces: Vec<NamedFace>,
}

/// Nodes and elements of a file; the nodes of each element are in VTK's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elements {
    /// The nodes.
    pub nodes: Vec<[f64; 3]>,
    /// Segments.
    pub segments: ElementList<FaceKind>,
    /// Triangles and quadrilaterals.
    pub surface: ElementList<FaceKind>,
    /// Volume elements.
    pub volumes: ElementList<VolumeKind>,
    /// The named surfaces.
    pub surfaces: Vec<NamedSurface>,
    /// Descriptions of the content of the file that was not read.
    pub unkept: Vec<String>,
}

/// The surface extracted from [`Elements`].
#[derive(Clone, Debug, PartialEq)]
pub struct ElementSurface {
    /// The faces, with the nodes that they use.
    pub mesh: FaceMesh,
    /// The number of volume elements that the surface bounds.
    pub volumes: usize,
    /// The number of volume elements that are numbered inside out or have no volume.
    pub inverted: usize,
    /// Descriptions of the content of the file that is not part of the surface: `12 segments`.
    pub unkept: Vec<String>,
}

impl Elements {
    /// Appends an element; returns its position.
    pub(crate) fn push(&mut self, kind: Kind, nodes: impl Iterator<Item = u32>) -> ElementPlace {
        let (list, place): (_, fn(u32) -> ElementPlace) = match kind {
            Kind::Point => return ElementPlace::Point,
            Kind::Volume(kind) => {
                self.volumes.kinds.push(kind);
                self.volumes.indices.extend(nodes);
                return ElementPlace::Volume(self.volumes.len() as u32 - 1);
            }
            Kind::Face(kind) if kind.dimension() == 1 => {
                self.segments.kinds.push(kind);
                (&mut self.segments, ElementPlace::Segment)
            }
            Kind::Face(kind) => {
                self.surface.kinds.push(kind);
                (&mut self.surface, ElementPlace::Surface)
            }
        };
        list.indices.extend(nodes);
        place(list.len() as u32 - 1)
    }

    /// Extracts the surface: the boundary of the volume elements, or a closed surface of surface
    /// elements inside them; without volume elements the surface elements, and without those the
    /// segments.
    ///
    /// # Errors
    /// When there are no elements, or they form no valid mesh.
    pub fn into_surface(mut self) -> tangere::Result<ElementSurface> {
        let mut unkept = std::mem::take(&mut self.unkept);
        let mut passed_over = |count: usize, what: &str| {
            if count > 0 {
                unkept.push(format!("{count} {what}"));
            }
        };
        if !self.volumes.is_empty() {
            passed_over(self.segments.len(), "segments");
            let count = self.volumes.len();
            let list = self.volumes;
            let volumes = VolumeMesh::new(self.nodes, list.kinds, list.indices)?;
            let boundary = volumes.boundary()?;
            if let Some(mesh) = surface_within(&volumes, &self.surface, &boundary) {
                passed_over(count, "volume elements, which go beyond the surface");
                return Ok(ElementSurface {
                    mesh,
                    volumes: 0,
                    inverted: 0,
                    unkept,
                });
            }
            passed_over(self.surface.len(), "faces beside the volume elements");
            passed_over(boundary.inverted.len(), "elements numbered inside out");
            return Ok(ElementSurface {
                mesh: boundary.mesh,
                volumes: count,
                inverted: boundary.inverted.len(),
                unkept,
            });
        }
        let list = if self.surface.is_empty() {
            self.segments
        } else {
            passed_over(self.segments.len(), "segments");
            self.surface
        };
        let (mesh, _) = FaceMesh::new(self.nodes, list.kinds, list.indices)?.compacted()?;
        Ok(ElementSurface {
            mesh,
            volumes: 0,
            inverted: 0,
            unkept,
        })
    }

    /// Returns a surface by its name in the file, case-insensitive.
    ///
    /// # Errors
    /// When the file has no surface of that name, or it is not a valid mesh.
    pub fn named_surface(&self, name: &str) -> tangere::Result<FaceMesh> {
        let wanted = |surface: &&NamedSurface| surface.name.eq_ignore_ascii_case(name);
        let Some(surface) = self.surfaces.iter().find(wanted) else {
            let names: Vec<_> = self.surfaces.iter().map(|s| s.name.as_str()).collect();
            let expected = match names.is_empty() {
                true => "no name, as the file names no surfaces".to_owned(),
                false => format!("one of {}", names.join(", ")),
            };
            return Err(tangere::Error::argument(
                Argument::Surface,
                format!("{name:?}"),
                expected,
            ));
        };
        let volumes = match self.volumes.is_empty() {
            true => None,
            false => Some(VolumeMesh::new(
                self.nodes.clone(),
                self.volumes.kinds.clone(),
                self.volumes.indices.clone(),
            )?),
        };
        let exterior = |face: &NamedFace| matches!(face, NamedFace::Exterior(_));
        let open = match &volumes {
            Some(volumes) if surface.faces.iter().any(exterior) => volumes.open_faces()?.0,
            _ => Vec::new(),
        };
        let (starts, segment_starts) = (starts(&self.surface), starts(&self.segments));
        let (mut kinds, mut indices) = (Vec::new(), Vec::new());
        for &face in &surface.faces {
            match (face, &volumes) {
                (NamedFace::OfVolume(element, face), Some(volumes)) => {
                    let (element, face) = (element as usize, face as usize);
                    kinds.push(volumes.append_outward_face(element, face, &mut indices));
                }
                (NamedFace::Exterior(element), Some(volumes)) => {
                    let from = open.partition_point(|&(e, _)| e < element);
                    for &(e, f) in open[from..].iter().take_while(|&&(e, _)| e == element) {
                        kinds.push(volumes.append_outward_face(
                            e as usize,
                            f as usize,
                            &mut indices,
                        ));
                    }
                }
                (NamedFace::Element(i, turned), _) => {
                    append_face(&self.surface, &starts, i, turned, &mut kinds, &mut indices);
                }
                (NamedFace::Edge(i, edge), _) => {
                    let kind = self.surface.kinds[i as usize];
                    let nodes = &self.surface.indices[starts[i as usize]..];
                    let (ends, middle) = kind.edge(usize::from(edge));
                    indices.extend(ends.into_iter().chain(middle).map(|k| nodes[k]));
                    kinds.push(match middle {
                        Some(_) => FaceKind::Seg3,
                        None => FaceKind::Seg2,
                    });
                }
                (NamedFace::Segment(i, turned), _) => {
                    let list = &self.segments;
                    append_face(list, &segment_starts, i, turned, &mut kinds, &mut indices);
                }
                (NamedFace::OfVolume(..) | NamedFace::Exterior(_), None) => {}
            }
        }
        Ok(FaceMesh::new(self.nodes.clone(), kinds, indices)?
            .compacted()?
            .0)
    }
}

/// Returns the surface elements as a mesh if they are closed and oriented, some are not faces of
/// the boundary of the volume elements, and some faces of that boundary are not among them; `None`
/// otherwise.
fn surface_within(
    volumes: &VolumeMesh,
    list: &ElementList<FaceKind>,
    boundary: &VolumeBoundary,
) -> Option<FaceMesh> {
    if list.is_empty() {
        return None;
    }
    let nodes = volumes.nodes().to_vec();
    let mesh = FaceMesh::new(nodes, list.kinds.clone(), list.indices.clone()).ok()?;
    let corners = |mesh: &FaceMesh, face: usize, number: &dyn Fn(u32) -> u32| {
        let mut corners = [u32::MAX; 4];
        let nodes = &mesh.nodes_of(face)[..mesh.kind(face).corners()];
        for (corner, &node) in corners.iter_mut().zip(nodes) {
            *corner = number(node);
        }
        corners.sort_unstable();
        corners
    };
    let own = |node: u32| node;
    let listed: HashSet<_> = (0..mesh.len()).map(|f| corners(&mesh, f, &own)).collect();
    let of_volume = |node: u32| boundary.nodes[node as usize];
    let outer: HashSet<_> = (0..boundary.mesh.len())
        .map(|f| corners(&boundary.mesh, f, &of_volume))
        .collect();
    if listed.is_subset(&outer) || outer.is_subset(&listed) {
        return None;
    }
    let topology = mesh.topology();
    let is_surface = topology.is_closed() && topology.is_oriented();
    is_surface
        .then(|| mesh.compacted().ok())?
        .map(|(mesh, _)| mesh)
}

/// Returns for each element the position of its first node in `list.indices`.
fn starts(list: &ElementList<FaceKind>) -> Vec<usize> {
    let mut end = 0;
    let next = |kind: &FaceKind| {
        let start = end;
        end += kind.nodes();
        start
    };
    list.kinds.iter().map(next).collect()
}

fn append_face(
    list: &ElementList<FaceKind>,
    starts: &[usize],
    place: u32,
    turned: bool,
    kinds: &mut Vec<FaceKind>,
    indices: &mut Vec<u32>,
) {
    let kind = list.kinds[place as usize];
    let start = starts[place as usize];
    let nodes = &list.indices[start..start + kind.nodes()];
    kinds.push(kind);
    match turned {
        true => indices.extend(kind.turned().iter().map(|&k| nodes[k])),
        false => indices.extend_from_slice(nodes),
    }
}

/// Converts the surface to polygons. Quadratic faces are split at their nodes, so that the
/// polygons interpolate all nodes and stay conforming: a triangle into four, a
/// quadrilateral with a centre node into four, one without into four corner
/// triangles and the quadrilateral between them.
pub(crate) fn polygons_of(elements: Elements) -> Result<Polygons, Fault> {
    let has_faces = !(elements.surface.is_empty() && elements.volumes.is_empty());
    if !has_faces {
        let mut unkept = elements.unkept;
        if !elements.segments.is_empty() {
            unkept.push(format!("{} segments", elements.segments.len()));
        }
        return Ok(Polygons {
            vertices: elements.nodes,
            unkept,
            ..Polygons::default()
        });
    }
    let surface = elements.into_surface().map_err(Fault::of_library)?;
    let mut polygons = Polygons {
        unkept: surface.unkept,
        ..Polygons::default()
    };
    let mesh = surface.mesh;
    for (f, kind) in mesh.kinds().iter().enumerate() {
        polygons.curved += usize::from(kind.degree() == 2);
        let nodes = mesh.nodes_of(f);
        for piece in pieces(*kind) {
            let corners = piece.iter().map(|&k| nodes[usize::from(k)]);
            polygons.indices.extend(corners);
            polygons.ends.push(polygons.indices.len());
        }
    }
    polygons.vertices = mesh.into_parts().0;
    Ok(polygons)
}

/// Returns the polygons of a face as lists of its nodes.
fn pieces(kind: FaceKind) -> &'static [&'static [u8]] {
    match kind {
        FaceKind::Seg2 | FaceKind::Seg3 => &[],
        FaceKind::Tri3 => &[&[0, 1, 2]],
        FaceKind::Quad4 => &[&[0, 1, 2, 3]],
        FaceKind::Tri6 => &[&[0, 3, 5], &[3, 1, 4], &[5, 4, 2], &[3, 4, 5]],
        FaceKind::Quad8 => &[
            &[0, 4, 7],
            &[4, 1, 5],
            &[5, 2, 6],
            &[6, 3, 7],
            &[4, 5, 6, 7],
        ],
        FaceKind::Quad9 => &[&[0, 4, 8, 7], &[4, 1, 5, 8], &[8, 5, 2, 6], &[7, 8, 6, 3]],
    }
}
