//! Keys of scenes for contacts: named shapes, solids, copies, periodic cells.

use super::parsed;
use tangere::geometry::Pose;
use tangere::pairs::Mask;
use tangere::scene::Shape;
use tangere_io::read_scene;
use tangere_io::scene::ShapeSource;

#[test]
fn every_key_is_read() {
    let scene = parsed(
        r#"
margin = 0.5
periodic = { lengths = [10, 10, 0], tilt = [1, 0, 0], origin = [0, 0, -1] }

[[shape]]
name = "ball"
sphere = { radius = 0.5 }
scale = 2

[[shape]]
name = "club"
compound = [
  { shape = "ball", position = [0, 0, 1] },
  { shape = { capsule = { radius = 0.25, length = 1 } }, rotation = "x:90" },
]

[[body]]
name = "floor"
shape = { half_space = { normal = [0, 0, 2] } }
fixed = true

[[body]]
name = "row"
shape = "ball"
id = 10
group = 3
mask = [0x1, 2]
material = "steel"
position = [1, 0, 0]
repeat = { count = 3, step = [0, 2, 0] }

[[body]]
shape = "club"
fill = { box = [0, 0, 0, 1, 2, 3], count = 2, seed = 4 }

[[body]]
shape = { sphere = { radius = 1.0 } }
"#,
    );
    assert_eq!(scene.margin, 0.5);
    let cell = scene.periodic.unwrap();
    assert_eq!(cell.lengths(), [10.0, 10.0, 0.0]);
    assert_eq!(cell.tilts(), [1.0, 0.0, 0.0]);
    assert_eq!(cell.origin(), [0.0, 0.0, -1.0]);
    let names: Vec<&str> = scene.bodies.iter().map(|body| &body.name[..]).collect();
    assert_eq!(
        names,
        [
            "floor", "row 0", "row 1", "row 2", "body 4", "body 5", "body 6"
        ]
    );
    let ids: Vec<u64> = scene.bodies.iter().map(|body| body.id).collect();
    assert_eq!(ids, [0, 10, 11, 12, 13, 14, 15]);
    let row = &scene.bodies[3];
    assert_eq!(row.pose.translation(), [1.0, 4.0, 0.0]);
    assert_eq!(
        (row.group, row.mask),
        (
            3,
            Mask {
                member: 1,
                meets: 2
            }
        )
    );
    assert_eq!(row.material.as_deref(), Some("steel"));
    let club = &scene.bodies[4];
    assert_eq!((club.group, club.mask), (0, Mask::ALL));
    assert_ne!(club.pose, scene.bodies[5].pose);
    let shapes: Vec<usize> = scene.bodies.iter().map(|body| body.shape).collect();
    assert_eq!(shapes, [0, 1, 1, 1, 2, 2, 3]);
    let made = scene.make_contact_shapes().unwrap();
    let bounds = |shape: &Shape| shape.bounds(&Pose::identity());
    assert!((bounds(&made[1]).max[0] - 1.0).abs() < 1e-14);
    assert_eq!(made[2].parts().len(), 2);
    assert!((bounds(&made[2]).max[2] - 2.0).abs() < 1e-14);
    assert!(
        (bounds(&made[2]).max[1] - 1.0).abs() < 1e-14,
        "{:?}",
        bounds(&made[2])
    );
    let error = scene.make_shapes().unwrap_err().to_string();
    assert!(
        error.contains("found a half-space, expected a surface or a ball"),
        "{error}"
    );
}

#[test]
fn a_pose_depends_on_seed_and_number_alone() {
    let poses = |count: usize, seed: u64| {
        let scene = parsed(&format!(
            "body = [{{ shape = {{ ball = {{ radius = 1 }} }}, \
             fill = {{ box = [0, 0, 0, 1, 1, 1], count = {count}, seed = {seed} }} }}]"
        ));
        let bodies = scene.bodies.iter();
        bodies
            .map(|body| body.pose.to_numbers())
            .collect::<Vec<_>>()
    };
    let many = poses(20, 7);
    assert_eq!(poses(5, 7)[..], many[..5]);
    assert_ne!(poses(5, 8)[..], many[..5]);
    assert_eq!(poses(5, 0), poses(5, 0));
}

#[test]
fn scaled_compounds_are_scaled_as_one() {
    let text = "body = [{ shape = { scale = 2, compound = [\
        { shape = { box = { size = 1 }, scale = 3 }, position = [0, 0, 1] }] } }]";
    let made = parsed(text).make_contact_shapes().unwrap();
    let bounds = made[0].bounds(&Pose::identity());
    assert!((bounds.max[2] - 5.0).abs() < 1e-13 && (bounds.max[0] - 3.0).abs() < 1e-13);
}

#[test]
fn files_are_solids_walls_or_hulls() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(folder.join("open.obj"), open).unwrap();
    let closed = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(folder.join("closed.obj"), closed).unwrap();
    std::fs::write(
        folder.join("points.csv"),
        "0,0,0\n1,0,0\n0,1,0\n0,0,1\n0.1,0.1,0.1\n",
    )
    .unwrap();
    let made = |shape: &str| {
        let path = folder.join("scene.toml");
        std::fs::write(&path, format!("[[body]]\nshape = {{ {shape} }}\n")).unwrap();
        let shapes = read_scene(&path).and_then(|scene| scene.make_contact_shapes());
        shapes
            .map(|shapes| shapes[0].name())
            .map_err(|error| error.to_string())
    };
    assert_eq!(made("file = \"closed.obj\"").unwrap(), "mesh");
    assert_eq!(made("file = \"open.obj\", wall = true").unwrap(), "mesh");
    assert_eq!(
        made("convex = \"points.csv\"").unwrap(),
        "convex polyhedron"
    );
    assert_eq!(
        made("convex = \"closed.obj\", scale = 2").unwrap(),
        "convex polyhedron"
    );
    assert_eq!(made("hull = { faces = 20 }").unwrap(), "convex polyhedron");
    assert_eq!(made("sphere = { level = 2 }").unwrap(), "mesh");
    assert_eq!(made("box = { size = 1 }").unwrap(), "box");
    let error = made("file = \"open.obj\"").unwrap_err();
    let words =
        "line 2: surface: found an open one, of 3 boundary edges, expected a closed one, or";
    assert!(error.contains(words), "{error}");
    for kind in ["tri3", "quad4", "tri6", "quad8", "quad9"] {
        let error = made(&format!("sphere = {{ level = 2, kind = \"{kind}\" }}")).unwrap_err();
        let words = "found finite element faces, expected triangles: a sphere without `kind`";
        assert!(error.contains(words), "{error}");
    }
    let error = made("convex = \"no.stl\"").unwrap_err();
    assert!(
        error.contains("line 2: ") && error.contains("no.stl"),
        "{error}"
    );
}

#[test]
fn a_sphere_without_level_is_exact() {
    let scene = parsed("body = [{ shape = { sphere = { radius = 0.5 } } }]");
    assert_eq!(scene.shapes[0].source, ShapeSource::Ball { radius: 0.5 });
}
