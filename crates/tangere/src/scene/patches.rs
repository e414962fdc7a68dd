//! Contact patches (manifolds) of the contacts of a scene.
//!
//! The patch of two polyhedra, boxes or capsules is that of their cores, moved out by the radii
//! ([`closest::Patch`](crate::closest::Patch)); that of a solid over a half-space has the corners of the
//! face, edge or vertex that lies on the plane; that of a solid on a facet of a mesh those over the
//! facet (`mesh_patch`). A sphere has one point, and so has a contact with an edge or vertex of a mesh.

use rayon::prelude::*;

use super::candidate::{Candidate, NO_CONTACT};
use super::mesh_patch::{facet_patch, facet_under};
use super::pair_frame::PairFrame;
use super::pair_kind::PairKind;
use super::rounded::Rounded;
use super::shape::Element;
use super::{Scene, SceneContact};
use crate::closest::{Patch, PatchPoint, touching_feature};
use crate::contact::{Contact, Feature, FeatureKind};
use crate::geometry::vector::dot;
use crate::geometry::{Pose, flushed};

/// The number of contacts of a parallel task.
const CHUNK: usize = 256;

/// The patches of all contacts, in their order; memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    offsets: Vec<usize>,
    points: Vec<PatchPoint>,
    chunks: Vec<Chunk>,
}

#[derive(Clone, Debug, Default)]
struct Chunk {
    counts: Vec<usize>,
    points: Vec<PatchPoint>,
    patch: Patch,
}

impl Patches {
    /// For each contact where its corners begin; at the end the number of all corners.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The corners of all patches, contact by contact.
    pub fn points(&self) -> &[PatchPoint] {
        &self.points
    }

    /// The corners of the patch of a contact.
    ///
    /// # Panics
    /// If there is no contact of this number.
    pub fn of(&self, contact: usize) -> &[PatchPoint] {
        &self.points[self.offsets[contact]..self.offsets[contact + 1]]
    }
}

impl Scene {
    /// Computes the patches of all contacts of the last update: the corners of each contact area, in
    /// the world. Poses must not have changed since.
    pub fn patches(&self, out: &mut Patches) {
        let contacts = &self.contacts;
        let Patches {
            offsets,
            points,
            chunks,
        } = out;
        chunks.resize_with(contacts.len().div_ceil(CHUNK), Chunk::default);
        let view = View {
            bodies: &self.bodies,
            settings: &self.settings,
        };
        let work = chunks.par_iter_mut().zip(contacts.par_chunks(CHUNK));
        work.for_each(|(chunk, contacts)| {
            chunk.counts.clear();
            chunk.points.clear();
            for contact in contacts {
                let before = chunk.points.len();
                view.patch(contact, chunk);
                chunk.counts.push(chunk.points.len() - before);
            }
        });
        offsets.clear();
        points.clear();
        offsets.push(0);
        let mut end = 0;
        for chunk in chunks {
            points.extend_from_slice(&chunk.points);
            for count in &chunk.counts {
                end += count;
                offsets.push(end);
            }
        }
    }
}

struct View<'s> {
    bodies: &'s super::bodies::Bodies,
    settings: &'s super::SceneSettings,
}

impl View<'_> {
    /// Appends the corners of the patch of a contact.
    fn patch(&self, contact: &SceneContact, chunk: &mut Chunk) {
        let only = PatchPoint {
            point_a: contact.contact.point_a,
            point_b: contact.contact.point_b,
            gap: contact.contact.gap,
            feature_a: contact.contact.feature_a,
            feature_b: contact.contact.feature_b,
        };
        let slots = [contact.a, contact.b].map(|id| self.bodies.slot(id));
        let [Ok(a), Ok(b)] = slots else {
            // A body was removed after the update.
            chunk.points.push(only);
            return;
        };
        let parts = [(a, 0), (b, 1)]
            .map(|(slot, side)| &self.bodies.shapes[slot].parts()[contact.parts[side] as usize]);
        let candidate = Candidate {
            slots: [a, b].map(|slot| slot as u32),
            image: contact.image,
            kind: PairKind::Many,
            first_contact: NO_CONTACT,
        };
        let frame = PairFrame::new(self.bodies, self.settings, &candidate);
        let placed = [
            parts[0].placed(&frame.pose_a),
            parts[1].placed(&frame.pose_b),
        ];
        let first = chunk.points.len();
        match (&parts[0].element, &parts[1].element) {
            (Element::Rounded(x), Element::Rounded(y))
                if x.core().dimension() > 0 && y.core().dimension() > 0 =>
            {
                let local = frame.to_pair(&contact.contact);
                let radii = [x.radius(), y.radius()];
                let cores = moved_in(&local, radii);
                let patch = &mut chunk.patch;
                patch.update(x.core(), &placed[0], y.core(), &placed[1], &cores);
                let corners = patch.points().iter();
                chunk
                    .points
                    .extend(corners.map(|corner| moved_out(corner, local.normal, radii)));
            }
            (Element::Rounded(x), Element::HalfSpace(_)) => {
                let local = frame.to_pair(&contact.contact);
                over_plane(x, &placed[0], &local, &mut chunk.points);
            }
            (Element::HalfSpace(_), Element::Rounded(x)) => {
                let local = frame.to_pair(&contact.contact).mirrored();
                over_plane(x, &placed[1], &local, &mut chunk.points);
                for corner in &mut chunk.points[first..] {
                    *corner = corner.mirrored();
                }
            }
            (Element::Rounded(x), Element::Mesh(mesh)) => {
                let local = frame.to_pair(&contact.contact);
                if let Some(facet) = facet_under(x, mesh, &placed[1], &local) {
                    let (a, b) = ((x, &placed[0]), (&**mesh, &placed[1]));
                    let found = (facet, &local);
                    facet_patch(a, b, found, &mut chunk.patch, &mut chunk.points);
                }
            }
            (Element::Mesh(mesh), Element::Rounded(x)) => {
                let local = frame.to_pair(&contact.contact).mirrored();
                if let Some(facet) = facet_under(x, mesh, &placed[0], &local) {
                    let (a, b) = ((x, &placed[1]), (&**mesh, &placed[0]));
                    let found = (facet, &local);
                    facet_patch(a, b, found, &mut chunk.patch, &mut chunk.points);
                }
                for corner in &mut chunk.points[first..] {
                    *corner = corner.mirrored();
                }
                // Counterclockwise about the normal, which points the other way.
                chunk.points[first..].reverse();
            }
            _ => {}
        }
        if chunk.points.len() == first {
            chunk.points.push(only);
            return;
        }
        for corner in &mut chunk.points[first..] {
            corner.point_a = frame.placed(corner.point_a);
            corner.point_b = frame.placed(corner.point_b);
        }
    }
}

/// The contact of two cores from that of the rounded solids.
fn moved_in(contact: &Contact, [radius_a, radius_b]: [f64; 2]) -> Contact {
    let n = contact.normal;
    Contact {
        gap: contact.gap + (radius_a + radius_b),
        point_a: std::array::from_fn(|k| contact.point_a[k] - radius_a * n[k]),
        point_b: std::array::from_fn(|k| contact.point_b[k] + radius_b * n[k]),
        ..*contact
    }
}

fn moved_out(corner: &PatchPoint, n: [f64; 3], [radius_a, radius_b]: [f64; 2]) -> PatchPoint {
    PatchPoint {
        point_a: std::array::from_fn(|k| corner.point_a[k] + radius_a * n[k]),
        point_b: std::array::from_fn(|k| corner.point_b[k] - radius_b * n[k]),
        gap: corner.gap - (radius_a + radius_b),
        ..*corner
    }
}

/// Appends the corners of the feature of a rounded solid, which is `a`, that lies on the plane of a
/// half-space.
fn over_plane(x: &Rounded, pose: &Pose, contact: &Contact, out: &mut Vec<PatchPoint>) {
    let core = x.core();
    let down = contact.normal;
    let feature = touching_feature(core, contact.feature_a, pose.rotate_back(down));
    let plane = dot(down, contact.point_b);
    let mut push = |v: u32| {
        let vertex = pose.apply(core.vertex(v));
        let point_a: [f64; 3] = std::array::from_fn(|k| vertex[k] + x.radius() * down[k]);
        let gap = plane - dot(down, point_a);
        out.push(PatchPoint {
            point_a,
            point_b: flushed(std::array::from_fn(|k| point_a[k] + gap * down[k])),
            gap,
            feature_a: Feature::vertex(v),
            feature_b: contact.feature_b,
        });
    };
    match feature.kind {
        FeatureKind::Vertex => push(feature.index),
        FeatureKind::Edge => core.edge_vertices(feature.index).into_iter().for_each(push),
        FeatureKind::Face => core.face_vertices(feature.index).for_each(push),
    }
}
