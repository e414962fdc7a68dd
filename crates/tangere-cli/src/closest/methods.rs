//! Methods for two convex bodies: what each of them returns, and how its answers are listed.

use tangere::closest::{LinContact, LinWalk, Tracker, certificate};
use tangere::contact::{Contact, ContactStatus};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use tangere_front::answer::{Column, Summary};
use tangere_front::answers::closest::{CONTACT, COUNTS, LIN_CONTACT, LIN_COUNTS};

/// A convex body with its pose.
type Body<'a> = (&'a ConvexPolyhedron, &'a Pose);

/// The answer of a method for one pose.
pub trait Answer: Sized + 'static {
    /// What a method keeps from pose to pose.
    type Search: Default;

    /// The columns of the answer.
    const COLUMNS: &'static [Column<Self>];

    /// Finds the contact of two bodies, from that of the pose before.
    fn found(search: &mut Self::Search, a: Body, b: Body) -> Self;

    /// The contact itself.
    fn contact(&self) -> &Contact;

    /// Verifies the answer: proves it, or compares it with brute force. The error says what does not
    /// hold.
    fn verify(&self, a: Body, b: Body) -> Result<(), String>;

    /// What the verification of the answer shows, in words.
    fn proof(&self) -> &'static str;

    /// Adds counts of the work of all poses to a summary.
    fn add_counts(search: &Self::Search, summary: &mut Summary);
}

/// Tracked closest features, GJK and EPA.
impl Answer for Contact {
    type Search = Tracker;

    const COLUMNS: &'static [Column<Self>] = CONTACT;

    fn found(search: &mut Tracker, (a, pose_a): Body, (b, pose_b): Body) -> Self {
        search.contact(a, pose_a, b, pose_b)
    }

    fn contact(&self) -> &Contact {
        self
    }

    fn verify(&self, (a, pose_a): Body, (b, pose_b): Body) -> Result<(), String> {
        certificate(a, pose_a, b, pose_b, self).map_err(|violation| violation.to_string())
    }

    fn proof(&self) -> &'static str {
        match self.status {
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

    fn add_counts(search: &Tracker, summary: &mut Summary) {
        summary.row(COUNTS, &search.counts());
    }
}

/// Lin's walk as published.
impl Answer for LinContact {
    type Search = LinWalk;

    const COLUMNS: &'static [Column<Self>] = LIN_CONTACT;

    fn found(search: &mut LinWalk, (a, pose_a): Body, (b, pose_b): Body) -> Self {
        search.contact(a, pose_a, b, pose_b)
    }

    fn contact(&self) -> &Contact {
        &self.contact
    }

    fn verify(&self, (a, pose_a): Body, (b, pose_b): Body) -> Result<(), String> {
        self.compare(a, pose_a, b, pose_b)
    }

    fn proof(&self) -> &'static str {
        "equal to all pairs of features"
    }

    fn add_counts(search: &LinWalk, summary: &mut Summary) {
        summary.row(LIN_COUNTS, &search.counts());
    }
}
