//! Results of every query as a `Contact`: `point_b - point_a = gap * normal`, and the bounds hold.

use tangere::closest::{MeshSurface, Tracker, TriangleTree};
use tangere::contact::{Contact, ContactStatus, Feature};
use tangere::generate;
use tangere::geometry::Pose;
use tangere::impact::{Body, EngineSettings, ImpactEngine, RigidMotion};
use tangere::inside::{Bodies, InsideSettings, Side};
use tangere::pairs::{BroadPhase, Items, PairFinder, PairSettings, Periodic};
use tangere::shape::ConvexPolyhedron;

/// A pose that only translates.
fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation([x, y, z]).expect("finite numbers")
}

/// Checks what holds of every contact.
fn check(contact: &Contact) {
    assert!(
        contact.lower <= contact.gap && contact.gap <= contact.upper,
        "{contact:?}"
    );
    for k in 0..3 {
        let across = contact.point_b[k] - contact.point_a[k];
        assert!(
            (across - contact.gap * contact.normal[k]).abs() < 1e-12,
            "{contact:?}"
        );
    }
}

#[test]
fn spheres_in_a_periodic_cell() {
    let cell = Periodic::new([4.0, 4.0, 4.0]).unwrap();
    let (centers, radii) = ([[0.25, 2.0, 2.0], [3.5, 2.0, 2.0]], [0.5, 0.5]);
    let items: Items<'_, 3> = (&centers[..], &radii[..]).into();
    let mut finder = BroadPhase::new(PairSettings::default().with_periodic(cell)).unwrap();
    finder.update(items).unwrap();
    let mut found = Vec::new();
    finder.contacts(&mut found).unwrap();
    let contact = found[0].contact(items, Some(&cell)).unwrap();
    check(&contact);
    assert_eq!(contact.gap, -0.25);
    assert_eq!(contact.status, ContactStatus::Penetrating);
    assert_eq!(
        (contact.point_a, contact.normal),
        ([-0.25, 2.0, 2.0], [-1.0, 0.0, 0.0])
    );
    // Items that the pair is not of are an error.
    assert!(
        found[0]
            .contact((&centers[..1], &radii[..1]).into(), None)
            .is_err()
    );
}

#[test]
fn boxes_in_the_plane() {
    let (lower, upper) = ([[0.0, 0.0], [1.0, 1.0]], [[1.0, 3.0], [2.0, 2.0]]);
    let items = Items::Boxes {
        lower: &lower,
        upper: &upper,
    };
    let mut finder = BroadPhase::new(PairSettings::default()).unwrap();
    finder.update(items).unwrap();
    let mut found = Vec::new();
    finder.contacts(&mut found).unwrap();
    let contact = found[0].contact(items, None).unwrap();
    check(&contact);
    assert_eq!(contact.status, ContactStatus::Touching);
    assert_eq!(
        (contact.point_a, contact.normal),
        ([1.0, 1.5, 0.0], [1.0, 0.0, 0.0])
    );
}

#[test]
fn meshes_apart_and_crossing() {
    let tree = TriangleTree::new(&generate::box_mesh([1.0; 3], [1; 3]).unwrap());
    let apart = Contact::from(tree.distance(&tree, &at(3.0, 0.0, 0.0)));
    check(&apart);
    assert_eq!((apart.gap, apart.normal), (2.0, [1.0, 0.0, 0.0]));
    assert_eq!(apart.status, ContactStatus::Separated);
    let crossing = Contact::from(tree.distance(&tree, &at(0.5, 0.5, 0.5)));
    check(&crossing);
    assert_eq!(crossing.status, ContactStatus::Penetrating);
    assert_eq!(
        (crossing.normal, crossing.lower),
        ([0.0; 3], f64::NEG_INFINITY)
    );
    let touching = Contact::from(tree.distance(&tree, &at(1.0, 0.0, 0.0)));
    check(&touching);
    assert_eq!(touching.status, ContactStatus::Touching);
    let small = TriangleTree::new(&generate::box_mesh([0.5; 3], [1; 3]).unwrap());
    let inside = Contact::from(tree.distance(&small, &at(0.125, 0.0, 0.0)));
    check(&inside);
    assert_eq!((inside.gap, inside.normal), (-0.125, [1.0, 0.0, 0.0]));
    assert_eq!(inside.status, ContactStatus::Penetrating);
}

#[test]
fn nodes_inside_a_body() {
    let mesh = generate::box_mesh([2.0; 3], [1; 3]).unwrap();
    let mut bodies = Bodies::new(InsideSettings::default()).unwrap();
    bodies.add(&mesh).unwrap();
    bodies.add(&mesh).unwrap();
    let there = at(1.75, 1.5, 1.0);
    let mut found = Vec::new();
    bodies
        .intrusions(&[Pose::identity(), there], &mut found)
        .unwrap();
    let surface = MeshSurface::new(&mesh);
    let deep: Vec<_> = found
        .iter()
        .filter(|hit| hit.body == 0 && hit.side == Side::Inside)
        .collect();
    assert!(!deep.is_empty());
    for hit in deep {
        let node = there.apply(mesh.vertices()[hit.node as usize]);
        let contact = hit.contact(&surface, node).unwrap();
        check(&contact);
        assert_eq!(contact.feature_b, Feature::vertex(hit.node));
        assert_eq!((contact.gap, contact.normal), (-0.25, [1.0, 0.0, 0.0]));
    }
}

/// The contact at the time of impact agrees with the distance at that time.
#[test]
fn the_first_contact_in_motion() {
    let mesh = generate::box_mesh([1.0; 3], [1; 3]).unwrap();
    let flying = RigidMotion::new(at(0.0, 0.0, 0.0), [1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]).unwrap();
    let mut engine = ImpactEngine::new(EngineSettings::default()).unwrap();
    let still = RigidMotion::at_rest(at(4.0, 0.25, 0.25));
    let bodies = vec![
        Body::rigid(mesh.clone(), flying).unwrap(),
        Body::rigid(mesh.clone(), still).unwrap(),
    ];
    engine.update(bodies.clone()).unwrap();
    let impact = engine.next_contact(10.0).unwrap().unwrap();
    assert!(impact.early <= 3.0 && 3.0 <= impact.late);
    let contact = Contact::from(impact.contacts[0]);
    assert!(contact.lower <= contact.gap && contact.gap <= contact.upper && contact.gap < 1e-12);
    assert_eq!(contact.status, ContactStatus::Touching);
    assert_eq!(contact.normal, [1.0, 0.0, 0.0]);
    let hull = ConvexPolyhedron::from_mesh(&mesh).unwrap();
    let there = at(impact.early, 0.0, 0.0);
    let tracked = Tracker::new().contact(&hull, &there, &hull, &at(4.0, 0.25, 0.25));
    assert!(tracked.gap.abs() < 1e-12 && tracked.normal == contact.normal);
    // The engine takes new bodies as a new one would.
    engine.advance(1.0).unwrap();
    engine.update(bodies).unwrap();
    assert_eq!(
        (engine.time(), engine.next_contact(10.0).unwrap().unwrap()),
        (0.0, impact)
    );
}
