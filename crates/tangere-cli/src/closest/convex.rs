//! Distance and penetration depth of two convex bodies (GJK, EPA), at one pose or along a motion.

use super::{Closest, draw};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::times::Times;
use std::path::PathBuf;
use tangere::closest::{Counts, Patch, PatchPoint, Tracker, certificate};
use tangere::contact::{Contact, ContactStatus};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::closest::{CONTACT, COUNTS, PATCH_POINT};
use tangere_front::inputs::convex::ConvexSource;
use tangere_front::text;

/// Formats of contacts: a row for each pose.
const FORMATS: &[Format] = &[Format::Npy, Format::Csv, Format::Vtp, Format::Json];

const STATUSES: [ContactStatus; 4] = [
    ContactStatus::Separated,
    ContactStatus::Touching,
    ContactStatus::Penetrating,
    ContactStatus::Bracketed,
];

/// Two convex bodies and their poses.
struct Bodies {
    a: ConvexPolyhedron,
    b: ConvexPolyhedron,
    pose_a: Pose,
    /// The pose of the second body, or one for each step of a motion.
    poses_b: Vec<Pose>,
}

/// Reads two convex bodies, finds their contacts, and writes them.
pub fn run(options: &Closest, b: &PathBuf, console: &Console) -> Result<(), Failure> {
    let (json, motion) = (options.common.json, &options.motion);
    let paths = [&options.a, b];
    let inputs = paths.into_iter().chain(&motion.poses);
    let target = Target::new(options.out.as_deref(), FORMATS, json, inputs)?;
    let mut times = Times::default();
    let mut read =
        |path: &PathBuf| times.read(path, console, || ConvexSource::read(path, options.faces));
    let sources = [read(paths[0])?, read(paths[1])?];
    let poses_b = motion.read(options.poses.pose_b, &mut times, console)?;
    let made = || -> tangere_io::Result<Bodies> {
        Ok(Bodies {
            a: sources[0].body(paths[0])?,
            b: sources[1].body(paths[1])?,
            pose_a: options.poses.pose_a.unwrap_or_default(),
            poses_b: poses_b.clone(),
        })
    };
    let mut bodies = times.set_up(made).map_err(Failure::reading)?;
    let (mut contacts, mut counts) = (Vec::with_capacity(poses_b.len()), Counts::default());
    for turn in 0..options.common.repeat {
        if turn > 0 {
            bodies = times.set_up(made).map_err(Failure::reading)?;
        }
        let mut tracker = Tracker::new();
        console.timed("querying", || {
            times.query(|| bodies.follow(&mut tracker, &mut contacts));
        });
        counts = tracker.counts();
    }
    if options.verify {
        console.timed("proving", || bodies.verify(&contacts)).0?;
    }
    let table = Table::new(CONTACT, &contacts);
    let patch = match motion.poses {
        None => bodies.patch(&contacts[0]),
        Some(_) => Vec::new(),
    };
    let mut summary = Summary::default();
    summary.line("a", described(&bodies.a));
    summary.line("b", described(&bodies.b));
    match motion.poses {
        None => of_pose(&contacts[0], &patch, &mut summary),
        Some(_) => of_motion(&contacts, &counts, &mut summary),
    }
    times.add_to(&mut summary);
    if options.verify {
        let proof = match motion.poses {
            None => proof(&contacts[0]),
            Some(_) => "every answer is proven",
        };
        summary.both("verified", true, "verified", proof);
    }
    if let Some(target) = &target {
        let object = || match motion.poses {
            None => summary.json(),
            Some(_) => summary.clone().member("contacts", table.json()).json(),
        };
        let drawn = || match motion.poses {
            None => draw::contact(&contacts[0], &patch),
            Some(_) => draw::steps(&contacts, &table),
        };
        target.write(&table, object, drawn, console)?;
    }
    let head = format!("{} and {}", options.a.display(), b.display());
    output::report(&summary, &head, json, target.as_ref(), console)
}

impl Bodies {
    /// Tracks the contact through all poses.
    fn follow(&self, tracker: &mut Tracker, contacts: &mut Vec<Contact>) {
        let found = |pose_b| tracker.contact(&self.a, &self.pose_a, &self.b, pose_b);
        contacts.clear();
        contacts.extend(self.poses_b.iter().map(found));
    }

    /// Returns the corners of the contact patch.
    fn patch(&self, contact: &Contact) -> Vec<PatchPoint> {
        let mut patch = Patch::new();
        patch.update(&self.a, &self.pose_a, &self.b, &self.poses_b[0], contact);
        patch.points().to_vec()
    }

    /// Verifies every contact by its certificate: a proof of the distance or depth that shares no
    /// code with the search. The error names the first pose whose certificate is violated.
    fn verify(&self, contacts: &[Contact]) -> Result<(), Failure> {
        for (i, (pose_b, contact)) in self.poses_b.iter().zip(contacts).enumerate() {
            certificate(&self.a, &self.pose_a, &self.b, pose_b, contact)
                .map_err(|violation| Failure::internal(format_args!("pose {i}: {violation}")))?;
        }
        Ok(())
    }
}

/// Adds one contact to the summary.
fn of_pose(contact: &Contact, patch: &[PatchPoint], summary: &mut Summary) {
    summary.row(CONTACT, contact);
    if contact.gap < 0.0 {
        summary.line("depth", text::number(0.0 - contact.gap));
    }
    let error = (contact.upper - contact.lower).abs();
    summary.line("error", format!("at most {error:.1e}"));
    let shape = match patch.len() {
        0 | 1 => "a point".into(),
        2 => "a segment".into(),
        n => format!("a polygon of {n} corners"),
    };
    let corners = Table::new(PATCH_POINT, patch).json();
    summary.both("patch", corners, "patch", shape);
}

/// Adds the contacts of a motion to the summary.
fn of_motion(contacts: &[Contact], counts: &Counts, summary: &mut Summary) {
    let statuses = contacts.iter().map(|contact| contact.status);
    summary
        .count("poses", contacts.len())
        .span("gap", contacts.iter().map(|contact| contact.gap), false)
        .tally("status", &STATUSES, ContactStatus::name, statuses)
        .row(COUNTS, counts);
}

/// Returns what the certificate of a contact proves, in words.
fn proof(contact: &Contact) -> &'static str {
    match contact.status {
        ContactStatus::Separated => {
            "planes between the bodies, their points and Voronoi regions prove the gap"
        }
        ContactStatus::Touching => "planes across the normal and the points prove the contact",
        ContactStatus::Penetrating => {
            "planes across the normal and a ball within the Minkowski difference prove the depth"
        }
        ContactStatus::Bracketed => "both bounds are proven",
    }
}

/// Describes a convex body in a few words.
fn described(body: &ConvexPolyhedron) -> String {
    let kind = match body.dimension() {
        0 => "a point",
        1 => "a segment",
        2 => "a flat polygon",
        _ => "a polyhedron",
    };
    format!(
        "{kind}: {}, {}, {}",
        text::counted(body.vertex_count(), "vertex", "vertices"),
        text::counted(body.edge_count(), "edge", "edges"),
        text::counted(body.face_count(), "face", "faces"),
    )
}
