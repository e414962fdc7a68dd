//! Two convex bodies, at one pose or at every step of a motion.

use super::{Closest, draw};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::question::Times;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Instant;
use tangere::closest::{Counts, Patch, PatchPoint, Tracker, certificate};
use tangere::contact::{Contact, ContactStatus};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use tangere_front::answer::{Format, Summary, Table};
use tangere_front::answers::closest::{CONTACT, COUNTS, PATCH_POINT};
use tangere_front::inputs::convex::ConvexSource;
use tangere_front::text;

/// Formats of the answer at one pose, and of those of a motion.
const OF_POSE: &[Format] = &[Format::Vtp, Format::Json];
const OF_MOTION: &[Format] = &[
    Format::Npy,
    Format::Csv,
    Format::Standard,
    Format::Vtp,
    Format::Json,
];

const STATUSES: [ContactStatus; 4] = [
    ContactStatus::Separated,
    ContactStatus::Touching,
    ContactStatus::Penetrating,
    ContactStatus::Bracketed,
];

/// The bodies and where they are.
struct Bodies {
    a: ConvexPolyhedron,
    b: ConvexPolyhedron,
    pose_a: Pose,
    /// One, or one for each step of a motion.
    poses_b: Vec<Pose>,
}

/// Reads, asks, and writes.
pub fn run(options: &Closest, b: &PathBuf, console: &Console) -> Result<(), Failure> {
    let (json, motion) = (options.manner.json, &options.motion);
    let formats = match motion.poses {
        None => OF_POSE,
        Some(_) => OF_MOTION,
    };
    let paths = [&options.a, b];
    let inputs = paths.into_iter().chain(&motion.poses);
    let target = Target::new(options.out.as_deref(), formats, json, inputs)?;
    let mut times = Times::default();
    let mut sources = Vec::new();
    for path in paths {
        let what = format!("reading {}", path.display());
        let (source, seconds) = console.timed(&what, || ConvexSource::read(path, options.faces));
        times.read += seconds;
        sources.push(source.map_err(Failure::reading)?);
    }
    let poses_b = motion.read(options.poses.pose_b, &mut times, console)?;
    let start = Instant::now();
    let body = |k: usize| sources[k].body(paths[k]).map_err(Failure::reading);
    let mut bodies = Bodies {
        a: body(0)?,
        b: body(1)?,
        pose_a: options.poses.pose_a.unwrap_or_default(),
        poses_b,
    };
    times.setup = start.elapsed().as_secs_f64();
    let (mut contacts, mut counts) = (Vec::with_capacity(bodies.poses_b.len()), Counts::default());
    times.query = f64::INFINITY;
    for turn in 0..options.manner.repeat {
        if turn > 0 {
            let start = Instant::now();
            (bodies.a, bodies.b) = (body(0)?, body(1)?);
            times.setup = times.setup.min(start.elapsed().as_secs_f64());
        }
        let mut tracker = Tracker::new();
        let (seconds, _) = console.timed("asking", || follow(&bodies, &mut tracker, &mut contacts));
        times.query = times.query.min(seconds);
        counts = tracker.counts();
    }
    if options.verify {
        let (proven, _) = console.timed("proving", || verify(&bodies, &contacts));
        proven?;
    }
    let table = Table::new(CONTACT, &contacts);
    let patch = match motion.poses {
        None => patch(&bodies, &contacts[0]),
        Some(_) => Vec::new(),
    };
    let mut summary = Summary::default();
    summary.line("a", described(&bodies.a));
    summary.line("b", described(&bodies.b));
    match motion.poses {
        None => of_pose(&table, &contacts[0], &patch, &mut summary),
        Some(_) => of_motion(&contacts, counts, &mut summary),
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

/// Asks for every pose; gives the seconds it took.
fn follow(bodies: &Bodies, tracker: &mut Tracker, contacts: &mut Vec<Contact>) -> f64 {
    let (a, pose_a, b) = (&bodies.a, &bodies.pose_a, &bodies.b);
    let poses = bodies.poses_b.iter();
    let start = Instant::now();
    contacts.clear();
    contacts.extend(poses.map(|pose_b| tracker.contact(a, pose_a, b, pose_b)));
    start.elapsed().as_secs_f64()
}

/// The corners of the contact patch.
fn patch(bodies: &Bodies, contact: &Contact) -> Vec<PatchPoint> {
    let mut patch = Patch::new();
    let pose_b = &bodies.poses_b[0];
    patch.update(&bodies.a, &bodies.pose_a, &bodies.b, pose_b, contact);
    patch.points().to_vec()
}

/// What is reported of one contact.
fn of_pose(table: &Table<Contact>, contact: &Contact, patch: &[PatchPoint], summary: &mut Summary) {
    if let Some(object) = table.json().pop() {
        summary.extend(object, table.lines(0));
    }
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

/// What is reported of all contacts of a motion.
fn of_motion(contacts: &[Contact], counts: Counts, summary: &mut Summary) {
    let gaps = contacts.iter().map(|contact| contact.gap);
    let least = gaps.clone().fold(f64::INFINITY, f64::min);
    let most = gaps.fold(f64::NEG_INFINITY, f64::max);
    let [from, to] = [least, most].map(text::number);
    summary.count("poses", contacts.len()).both(
        "gap",
        json!({ "least": least, "most": most }),
        "gap",
        format!("{from} to {to}"),
    );
    let mut statuses = Map::new();
    for status in STATUSES {
        let count = contacts.iter().filter(|c| c.status == status).count();
        statuses.insert(status.name().to_owned(), count.into());
        if count > 0 {
            summary.line(status.name(), text::count(count as u64));
        }
    }
    summary.member("status", Value::Object(statuses));
    let counts = [counts];
    let table = Table::new(COUNTS, &counts);
    if let Some(object) = table.json().pop() {
        summary.extend(object, table.lines(0));
    }
}

/// What the certificate proves.
fn proof(contact: &Contact) -> &'static str {
    match contact.status {
        ContactStatus::Separated => {
            "planes between the bodies, their points and Voronoi regions prove the gap"
        }
        ContactStatus::Touching => "planes across the normal and the points prove the contact",
        ContactStatus::Penetrating => {
            "planes across the normal and a ball within the difference prove the depth"
        }
        ContactStatus::Bracketed => "both bounds are proven",
    }
}

/// A body in a few words.
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

/// Proves all answers.
fn verify(bodies: &Bodies, contacts: &[Contact]) -> Result<(), Failure> {
    for (i, (pose_b, contact)) in bodies.poses_b.iter().zip(contacts).enumerate() {
        certificate(&bodies.a, &bodies.pose_a, &bodies.b, pose_b, contact)
            .map_err(|violation| Failure::internal(format_args!("pose {i}: {violation}")))?;
    }
    Ok(())
}
