//! Certificates of contacts of convex bodies: right contacts pass, wrong ones fail, and the error
//! is reported.

use tangere::closest::{Claim, Tracker, certificate, exhaustive};
use tangere::contact::{Contact, ContactStatus, Feature};
use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

use super::scenes::{self, cuboid, hull};

/// Two bodies with their contact; the pose of the first is the identity.
struct Case {
    a: ConvexPolyhedron,
    b: ConvexPolyhedron,
    pose_b: Pose,
    contact: Contact,
}

/// The case of two bodies, whose contact is right.
fn case(a: ConvexPolyhedron, b: ConvexPolyhedron, pose_b: &str) -> Case {
    let pose_b = pose_b.parse().expect("a pose");
    let contact = Tracker::new().contact(&a, &Pose::identity(), &b, &pose_b);
    let case = Case {
        a,
        b,
        pose_b,
        contact,
    };
    assert_eq!(case.claim(&case.contact), None);
    case
}

impl Case {
    /// The claim of a contact that does not hold, and its error; `None` if all hold.
    fn claim(&self, contact: &Contact) -> Option<(Claim, f64)> {
        let proven = certificate(&self.a, &Pose::identity(), &self.b, &self.pose_b, contact);
        proven.err().map(|v| (v.claim, v.error))
    }

    /// Checks that a changed contact fails with this claim.
    fn expect(&self, change: impl Fn(&mut Contact), claim: Claim) {
        let mut contact = self.contact;
        change(&mut contact);
        let found = self.claim(&contact).map(|c| c.0);
        assert_eq!(found, Some(claim), "{contact:?}");
    }
}

/// Removes the bounds of a contact, so that claims about them do not fail first.
fn unbounded(contact: &mut Contact) {
    (contact.lower, contact.upper) = (f64::MIN, f64::MAX);
}

/// Moves a point along a vector.
fn moved(point: &mut [f64; 3], way: [f64; 3], by: f64) {
    *point = std::array::from_fn(|k| point[k] + by * way[k]);
}

#[test]
fn wrong_numbers_normals_and_features_are_found() {
    let cube = || cuboid([1.0; 3]);
    for pose in ["1.5,0.125,0.25", "0.75,0.125,0.25", "1,0.25,0.125"] {
        let case = case(cube(), cube(), pose);
        case.expect(|c| c.gap = f64::NAN, Claim::Numbers);
        case.expect(|c| c.upper = c.gap - 0.1, Claim::Numbers);
        case.expect(|c| c.lower = c.gap + 0.1, Claim::Numbers);
        case.expect(|c| c.normal = [1.0 + 1e-12, 0.0, 0.0], Claim::Normal);
        case.expect(|c| c.feature_a = Feature::face(77), Claim::PointA);
        case.expect(|c| c.feature_b = Feature::vertex(77), Claim::PointB);
        case.expect(|c| c.feature_a = Feature::edge(0), Claim::PointA);
        case.expect(
            |c| moved(&mut c.point_a, [1.0, 0.0, 0.0], 1e-9),
            Claim::PointA,
        );
        case.expect(
            |c| moved(&mut c.point_b, [0.0, 0.0, 1.0], 9.0),
            Claim::PointB,
        );
        case.expect(
            |c| moved(&mut c.point_b, [0.0, 0.0, 1.0], 1e-9),
            Claim::Between,
        );
        case.expect(
            |c| {
                c.gap += 1e-9;
                unbounded(c);
            },
            Claim::Between,
        );
    }
    let apart = case(cube(), cube(), "1.5,0.125,0.25");
    apart.expect(|c| c.status = ContactStatus::Penetrating, Claim::Status);
    apart.expect(|c| c.status = ContactStatus::Touching, Claim::Status);
    let deep = case(cube(), cube(), "0.75,0.125,0.25");
    deep.expect(|c| c.status = ContactStatus::Separated, Claim::Status);
}

#[test]
fn a_distance_between_other_points_is_found() {
    // Corners that are not the closest points.
    let case = case(cuboid([1.0; 3]), cuboid([1.0; 3]), "2,0,0");
    let mut contact = case.contact;
    let corners = case.a.vertices();
    let (i, j) = (7, 0);
    contact.point_a = corners[i];
    contact.point_b = case.pose_b.apply(corners[j]);
    contact.feature_a = Feature::vertex(i as u32);
    contact.feature_b = Feature::vertex(j as u32);
    let way: [f64; 3] = std::array::from_fn(|k| contact.point_b[k] - contact.point_a[k]);
    let gap = way.iter().map(|x| x * x).sum::<f64>().sqrt();
    (contact.gap, contact.normal) = (gap, way.map(|x| x / gap));
    unbounded(&mut contact);
    let (claim, error) = case.claim(&contact).expect("a violation");
    assert_eq!(claim, Claim::Lower);
    // The planes through these corners prove a smaller distance.
    assert!(error > 0.5);
}

#[test]
fn a_depth_that_is_not_the_least_is_found() {
    // The depth through the top is 0.875, through the side 0.25.
    let case = case(cuboid([1.0; 3]), cuboid([1.0; 3]), "0.75,0.25,0.125");
    assert_eq!(
        (case.contact.gap, case.contact.normal),
        (-0.25, [1.0, 0.0, 0.0])
    );
    let mut contact = case.contact;
    contact.gap = -0.875;
    contact.normal = [0.0, 0.0, 1.0];
    unbounded(&mut contact);
    let top = |z: f64| {
        let faces = 0..case.a.face_count() as u32;
        let mut found = faces.filter(|&f| case.a.normal(f) == [0.0, 0.0, z]);
        Feature::face(found.next().expect("a face"))
    };
    (contact.feature_a, contact.feature_b) = (top(1.0), top(-1.0));
    (contact.point_a, contact.point_b) = ([0.4, 0.4, 0.5], [0.4, 0.4, -0.375]);
    let (claim, error) = case.claim(&contact).expect("a violation");
    assert_eq!(claim, Claim::Upper);
    assert!((error - 0.625).abs() < 1e-12, "{error}");
    // Separated bodies have no depth at all.
    let apart: Pose = "3,0.25,0.125".parse().expect("a pose");
    moved(&mut contact.point_b, [1.0, 0.0, 0.0], 2.0);
    moved(&mut contact.point_a, [1.0, 0.0, 0.0], 2.0);
    assert!(certificate(&case.a, &Pose::identity(), &case.b, &apart, &contact).is_err());
}

#[test]
fn small_errors_are_found() {
    let (mut random, mut found) = (Random::new(21), 0);
    for _ in 0..200 {
        let (a, b) = (
            scenes::round(40, random.bits()),
            scenes::round(40, random.bits()),
        );
        let [pose_a, pose_b] =
            scenes::poses(&mut random, scenes::Placing::Anyhow(1.2), 1.0, [0.0; 3]);
        let contact = exhaustive(&a, &pose_a, &b, &pose_b);
        assert_eq!(certificate(&a, &pose_a, &b, &pose_b, &contact), Ok(()));
        // A larger distance, with matching points that are off their bodies.
        let mut wrong = contact;
        moved(&mut wrong.point_b, contact.normal, 1e-11);
        wrong.gap += 1e-11;
        unbounded(&mut wrong);
        found += usize::from(certificate(&a, &pose_a, &b, &pose_b, &wrong).is_err());
        // Along another normal.
        let mut wrong = contact;
        let aside = random.direction::<3>();
        let way: [f64; 3] = std::array::from_fn(|k| contact.normal[k] + 1e-4 * aside[k]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        wrong.normal = way.map(|x| x / length);
        found += usize::from(certificate(&a, &pose_a, &b, &pose_b, &wrong).is_err());
    }
    assert_eq!(found, 400);
}

#[test]
fn messages_state_the_error() {
    let case = case(cuboid([1.0; 3]), hull(&[[0.0; 3]]), "1,0,0");
    let mut contact = case.contact;
    contact.normal = [0.0, 1.0, 0.0];
    let violation = certificate(&case.a, &Pose::identity(), &case.b, &case.pose_b, &contact);
    let message = violation.expect_err("a violation").to_string();
    assert!(
        message.starts_with("does not hold: point_b - point_a is gap times normal; off by 7.07"),
        "{message}"
    );
}

#[test]
fn the_oracle_is_right_in_simple_cases() {
    let cube = cuboid([1.0; 3]);
    let gap = |a: &ConvexPolyhedron, b: &ConvexPolyhedron, pose: &str| {
        exhaustive(a, &Pose::identity(), b, &pose.parse().expect("a pose")).gap
    };
    assert_eq!(gap(&cube, &cube, "3,0,0"), 2.0);
    assert_eq!(gap(&cube, &cube, "4,5,1"), 5.0);
    assert_eq!(gap(&cube, &cube, "0.75,0.5,0"), -0.25);
    assert_eq!(gap(&cube, &cube, "0,0,0"), -1.0);
    assert_eq!(gap(&cube, &cube, "1,1,1"), 0.0);
    let point = hull(&[[0.0; 3]]);
    assert_eq!(gap(&point, &point, "2,3,6"), 7.0);
    assert_eq!(gap(&point, &point, "0,0,0"), 0.0);
    assert_eq!(gap(&cube, &point, "0.25,0.125,0"), -0.25);
    assert_eq!(gap(&point, &cube, "0.25,0.125,0"), -0.25);
    let segment = hull(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!(gap(&segment, &segment, "1,0,0"), 0.0);
    assert_eq!(gap(&segment, &segment, "5,0,0"), 3.0);
    assert_eq!(gap(&segment, &segment, "1,2,0"), 2.0);
    assert_eq!(gap(&segment, &point, "0.5,0,0"), 0.0);
    assert_eq!(gap(&segment, &cube, "0.5,0.25,0.125"), -0.25);
    let square = hull(&[[0.0; 3], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]]);
    assert_eq!(gap(&square, &square, "1,1,0"), 0.0);
    assert_eq!(gap(&square, &square, "5,6,0"), 5.0);
    assert_eq!(gap(&square, &square, "1,1,3"), 3.0);
    assert_eq!(gap(&square, &point, "1,1,0"), 0.0);
    assert_eq!(gap(&square, &cube, "1,1,0.25"), -0.25);
}
