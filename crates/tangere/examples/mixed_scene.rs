//! A scene of every kind of shape: its contacts, patches and queries.
//!
//! `cargo run --release -p tangere --example mixed_scene`

use tangere::generate;
use tangere::geometry::Pose;
use tangere::scene::{Body, Patches, Scene, SceneSettings, Shape};
use tangere::shape::ConvexPolyhedron;

fn main() -> tangere::Result<()> {
    let mut scene = Scene::new(SceneSettings::default().with_margin(0.05))?;
    let at = |x: f64, y: f64, z: f64| Pose::from_translation([x, y, z]);

    // A table top without thickness.
    let table = Shape::wall(&generate::plate([6.0, 6.0], [4, 4])?);
    scene.add(Body::new(table).fixed())?;
    let ball = Shape::sphere(0.5)?;
    let hull = generate::hull(40, 1)?;
    let grain = Shape::convex(ConvexPolyhedron::hull(hull.vertices())?);
    let dumbbell = Shape::compound(&[
        (ball.clone(), at(0.0, 0.0, 0.75)?),
        (ball.clone(), at(0.0, 0.0, -0.75)?),
        (Shape::capsule(0.2, 1.5)?, Pose::identity()),
    ])?;
    scene.add(Body::new(ball).at(at(0.0, 0.0, 0.49)?))?;
    scene.add(Body::new(Shape::cuboid([1.0; 3])?).at(at(0.9, 0.0, 0.5)?))?;
    scene.add(Body::new(dumbbell).at(at(-1.5, 0.0, 1.25)?))?;
    scene.add(Body::new(grain).at(at(2.0, 0.5, 1.0)?))?;

    scene.update()?;
    let mut patches = Patches::default();
    scene.patches(&mut patches);
    for (i, contact) in scene.contacts().iter().enumerate() {
        let found = &contact.contact;
        println!(
            "bodies {} and {}: gap {:.3}, {} on {}, {} corners",
            contact.a,
            contact.b,
            found.gap,
            found.feature_a,
            found.feature_b,
            patches.of(i).len()
        );
    }
    let near = scene.queries()?.nearest(&[[0.0, 0.0, 3.0]])?;
    println!(
        "nearest to (0, 0, 3): body {:?} at {:.3}",
        near[0].body, near[0].gap
    );
    assert!(scene.verify()?.is_empty());
    Ok(())
}
