//! Distance and penetration depth of two convex bodies (GJK, EPA), at one pose or along a motion.

use super::methods::Answer;
use super::{Closest, draw};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::times::Times;
use std::path::PathBuf;
use tangere::closest::{LinContact, Method, Patch, PatchPoint};
use tangere::contact::{Contact, ContactStatus};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::closest::PATCH_POINT;
use tangere_front::inputs::convex::ConvexSource;
use tangere_front::text;

/// File formats in which contacts are written, with a row for each pose.
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
    /// The poses of the second body: one, or one for each step of its motion.
    poses_b: Vec<Pose>,
}

/// Reads two convex bodies, finds their contacts, and writes them.
pub fn run(options: &Closest, b: &PathBuf, console: &Console) -> Result<(), Failure> {
    match options.method {
        Method::Lin => run_by::<LinContact>(options, b, console),
        _ => run_by::<Contact>(options, b, console),
    }
}

/// Runs the query by the method whose answers are `A`.
fn run_by<A: Answer>(options: &Closest, b: &PathBuf, console: &Console) -> Result<(), Failure> {
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
    let mut answers: Vec<A> = Vec::with_capacity(poses_b.len());
    let mut search = A::Search::default();
    for turn in 0..options.common.repeat {
        if turn > 0 {
            bodies = times.set_up(made).map_err(Failure::reading)?;
        }
        search = A::Search::default();
        console.timed("querying", || {
            times.query(|| bodies.follow(&mut search, &mut answers));
        });
    }
    let contacts: Vec<Contact> = answers.iter().map(|answer| *answer.contact()).collect();
    if options.verify {
        console.timed("proving", || bodies.verify(&answers)).0?;
    }
    let table = Table::new(A::COLUMNS, &answers).numbered(motion.column());
    let patch = match motion.poses {
        None => bodies.patch(&contacts[0]),
        Some(_) => Vec::new(),
    };
    let mut summary = Summary::default();
    summary.line("a", described(&bodies.a));
    summary.line("b", described(&bodies.b));
    match motion.poses {
        None => of_pose(&answers[0], &patch, &mut summary),
        Some(_) => {
            of_motion(&contacts, &mut summary);
            A::add_counts(&search, &mut summary);
        }
    }
    times.add_to(&mut summary);
    if options.verify {
        let proof = match motion.poses {
            None => answers[0].proof(),
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
    /// Computes the contact at every pose of the second body, each search starting from the contact
    /// at the previous pose.
    fn follow<A: Answer>(&self, search: &mut A::Search, answers: &mut Vec<A>) {
        let a = (&self.a, &self.pose_a);
        let found = |pose_b| A::found(search, a, (&self.b, pose_b));
        answers.clear();
        answers.extend(self.poses_b.iter().map(found));
    }

    /// Returns the corners of the contact patch of the two bodies at the first pose.
    fn patch(&self, contact: &Contact) -> Vec<PatchPoint> {
        let mut patch = Patch::new();
        patch.update(&self.a, &self.pose_a, &self.b, &self.poses_b[0], contact);
        patch.points().to_vec()
    }

    /// Verifies every answer. The error names the first pose whose answer does not hold.
    fn verify<A: Answer>(&self, answers: &[A]) -> Result<(), Failure> {
        for (i, (pose_b, answer)) in self.poses_b.iter().zip(answers).enumerate() {
            let verified = answer.verify((&self.a, &self.pose_a), (&self.b, pose_b));
            verified.map_err(|what| Failure::internal(format_args!("pose {i}: {what}")))?;
        }
        Ok(())
    }
}

/// Adds the contact at a single pose to the summary, with its contact patch.
fn of_pose<A: Answer>(answer: &A, patch: &[PatchPoint], summary: &mut Summary) {
    summary.row(A::COLUMNS, answer);
    let contact = answer.contact();
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
fn of_motion(contacts: &[Contact], summary: &mut Summary) {
    let statuses = contacts.iter().map(|contact| contact.status);
    summary
        .count("poses", contacts.len())
        .span("gap", contacts.iter().map(|contact| contact.gap), false)
        .tally("status", &STATUSES, ContactStatus::name, statuses);
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
