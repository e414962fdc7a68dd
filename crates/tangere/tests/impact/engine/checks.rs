//! Checks of an impact: bodies are moved to their positions at a time and tested there.

use super::bodies::{Thing, corners};
use super::oracle::{distance, first_common};
use nalgebra::Vector3;
use tangere::closest::triangle_distance;
use tangere::contact::Feature;
use tangere::impact::hierarchy::HierarchySettings;
use tangere::impact::{Body, Certificate, EngineSettings, Impact, ImpactContact, ImpactEngine};

/// Tolerance, relative to the size of bodies.
const NEAR: f64 = 1e-9;

/// The bodies of a test, and the end of the search.
pub struct Scene {
    pub things: Vec<Thing>,
    pub horizon: f64,
    pub separation: f64,
}

impl Scene {
    /// The result of the engine.
    pub fn impact(
        &self,
        hierarchy: &HierarchySettings,
        settings: &EngineSettings,
    ) -> Option<Impact> {
        let body = |thing: &Thing| Body::new(thing.shape(hierarchy), thing.motion());
        let settings = EngineSettings {
            separation: self.separation,
            ..*settings
        };
        let bodies = self.things.iter().map(body).collect();
        let mut engine = ImpactEngine::with_bodies(bodies, &settings).expect("sound");
        engine.next_contact(self.horizon).expect("sound")
    }

    /// Tolerance: rounding and a margin.
    fn tiny(&self) -> f64 {
        let of = |t: &Thing| t.place.amax() + t.center.amax() + t.extent().1;
        NEAR * self.things.iter().map(of).fold(self.separation, f64::max)
    }

    fn pair(&self, contact: &ImpactContact) -> (&Thing, &Thing) {
        let [a, b] = [contact.a, contact.b].map(|i| &self.things[i as usize]);
        (a, b)
    }

    fn apart(&self, (a, b): (&Thing, &Thing), time: f64) -> f64 {
        distance(a, b, time) - self.separation
    }

    pub fn check(&self, found: Option<&Impact>) {
        self.check_never_late(found);
        if let Some(impact) = found {
            self.check_not_invented(impact);
            impact.contacts.iter().for_each(|c| self.check_contact(c));
        }
    }

    /// Checks that nothing touches before the contact, or at all if there is none.
    fn check_never_late(&self, found: Option<&Impact>) {
        if found.is_some_and(|f| f.certificate == Certificate::Overlap) {
            return;
        }
        // The time itself is checked elsewhere.
        let until = found.map_or(self.horizon, |impact| impact.early * (1.0 - 1e-13));
        let near = (until - 1e-4 * self.horizon).max(0.0);
        for (b, of_b) in self.things.iter().enumerate() {
            for of_a in &self.things[..b] {
                let first = |times: [f64; 2], finest: f64| {
                    first_common(of_a, of_b, self.separation, times, finest * self.horizon)
                };
                let first = first([0.0, near], 1e-5).or_else(|| first([near, until], 1e-9));
                let early = found.map(|f| (f.early, f.certificate));
                assert_eq!(first, None, "late: {early:?}");
            }
        }
    }

    /// Checks that the bodies touch at the time of contact, and intersect just afterwards.
    fn check_not_invented(&self, found: &Impact) {
        let earliest = found.contacts.iter().map(|c| c.early).reduce(f64::min);
        assert_eq!(earliest, Some(found.early));
        for contact in &found.contacts {
            let pair = self.pair(contact);
            assert!(contact.early <= found.late, "not the first: {found:?}");
            assert!(contact.early <= contact.late);
            let apart = self.apart(pair, contact.early);
            let is_near = apart.abs() <= self.tiny();
            let later = |k: i32| contact.late + self.horizon * (10.0_f64.powi(k) - 1e-17);
            match contact.certificate {
                Certificate::Overlap => assert!(contact.early == 0.0 && apart <= 0.0),
                Certificate::Bracket | Certificate::Exact => {
                    let width = contact.late - contact.early;
                    assert!(is_near && width <= 1e-9 * self.horizon, "{contact:?}");
                    let meet = |k: i32| self.apart(pair, later(k)) <= 0.0;
                    assert!((-17..-5).any(meet), "they do not meet: {contact:?}");
                }
                Certificate::Touching => assert!(is_near && contact.late == f64::INFINITY),
                Certificate::Unresolved => panic!("nothing is that hard: {contact:?}"),
            }
        }
    }

    /// Checks that the contact points are on the features, and that the normal points from one body
    /// to the other.
    fn check_contact(&self, contact: &ImpactContact) {
        let (tiny, time) = (self.tiny(), contact.early);
        let normal = Vector3::from(contact.normal);
        assert!((normal.norm() - 1.0).abs() < 1e-12 && contact.a < contact.b);
        let c = contact;
        let sides = [
            (c.a, c.feature_a, c.face_a, c.xi_a, c.point_a, 1.0),
            (c.b, c.feature_b, c.face_b, c.xi_b, c.point_b, -1.0),
        ];
        for (body, feature, face, [u, v], point, sign) in sides {
            let thing = &self.things[body as usize];
            let away = off(thing, feature, point, time);
            assert!(away.abs() <= tiny, "{away} off the feature: {contact:?}");
            let of_face = &thing.faces[face as usize];
            assert!(corners(thing, feature).iter().all(|v| of_face.contains(v)));
            let points = thing.at(time);
            let [p, q, r] = of_face.map(|v| points[v as usize]);
            let there = p + (q - p) * u + (r - p) * v + normal * (sign * thing.radius);
            assert!((there - Vector3::from(point)).norm() <= tiny, "{contact:?}");
        }
        if contact.certificate == Certificate::Overlap {
            return;
        }
        let away = Vector3::from(contact.point_b) - Vector3::from(contact.point_a);
        assert!((contact.gap - self.separation).abs() <= tiny, "{contact:?}");
        let across = away - normal * contact.gap;
        assert!(across.norm() <= tiny, "{contact:?}");
        self.check_normal(contact);
    }

    /// Checks that just before contact the nearest points are on the sides given by the normal.
    fn check_normal(&self, contact: &ImpactContact) {
        let (a, b) = self.pair(contact);
        let speed = a.speed(contact.early) + b.speed(contact.early);
        let before = contact.early - 100.0 * self.tiny() / speed;
        let triangle = |thing: &Thing, face: u32| {
            let points = thing.at(before);
            thing.faces[face as usize].map(|v| points[v as usize].into())
        };
        let (ta, tb) = (triangle(a, contact.face_a), triangle(b, contact.face_b));
        let nearest = triangle_distance(ta, tb);
        let way = Vector3::from(nearest.point_b) - Vector3::from(nearest.point_a);
        if before > 0.0 && contact.certificate != Certificate::Touching {
            let along = Vector3::from(contact.normal).dot(&way) / way.norm();
            assert!(along > 1e-3, "{along}: {contact:?}");
        }
    }

    /// Checks that two results of one scene are both correct.
    pub fn check_alike(&self, one: Option<&Impact>, other: Option<&Impact>) {
        let (Some(one), Some(other)) = (one, other) else {
            assert_eq!(one, other);
            return;
        };
        if one.late < f64::INFINITY && other.late < f64::INFINITY {
            let tiny = 1e-14 * one.early;
            let alike = one.early <= other.late + tiny && other.early <= one.late + tiny;
            assert!(alike, "{one:?} {other:?}");
        } else {
            self.check(Some(other));
        }
    }
}

/// The distance of a point from a feature at a time.
fn off(thing: &Thing, feature: Feature, point: [f64; 3], time: f64) -> f64 {
    let (points, corners) = (thing.at(time), corners(thing, feature));
    let corner = |k: usize| points[corners[k.min(corners.len() - 1)] as usize].into();
    let triangle = [corner(0), corner(1), corner(2)];
    triangle_distance([point; 3], triangle).distance - thing.radius
}
