//! Contacts of solids and meshes against a search that shares nothing with the narrow phase: distances
//! of all pairs of triangles, walks from every triangle to the local minimum of the distance, and the
//! translation of every contact applied.

use super::at;
use tangere::closest::triangle_distance;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::geometry::triangle::closest_on_triangle;
use tangere::scene::{Body, Scene, SceneContact, SceneSettings, Shape};
use tangere::shape::{ConvexPolyhedron, TriMesh};
use test_support::Random;
use test_support::vectors::{cross, distance, dot, minus, plus, times};

type Point = [f64; 3];
type Triangle = [Point; 3];

/// The rounding of a distance that is compared, for bodies of size 1.
const EXACT: f64 = 1e-9;

/// How near a walk comes to the place where it would end.
const WALKED: f64 = 1e-6;

/// A solid: a convex core, by the triangles of its surface, and a radius around it.
struct Solid {
    shape: Shape,
    core: Vec<Triangle>,
    radius: f64,
}

impl Solid {
    fn random(random: &mut Random) -> Self {
        let radius = random.between(0.03, 0.3);
        match random.below(4) {
            0 => Self {
                shape: Shape::sphere(radius).unwrap(),
                core: vec![[[0.0; 3]; 3]],
                radius,
            },
            1 => {
                let length = random.between(0.05, 0.6);
                let [low, high] = [-0.5, 0.5].map(|s| [0.0, 0.0, s * length]);
                Self {
                    shape: Shape::capsule(radius, length).unwrap(),
                    core: vec![[low, high, high]],
                    radius,
                }
            }
            2 => {
                let size = [0; 3].map(|_| random.between(0.1, 0.8));
                let mesh = generate::box_mesh(size, [1; 3]).unwrap();
                Self {
                    shape: Shape::cuboid(size).unwrap(),
                    core: triangles(&mesh),
                    radius: 0.0,
                }
            }
            _ => {
                let faces = 4 + 2 * random.below(12);
                let mesh = generate::hull(faces, random.bits() >> 32).unwrap();
                let small = |t: Triangle| t.map(|p| times(p, 0.4));
                let core: Vec<Triangle> = triangles(&mesh).into_iter().map(small).collect();
                Self {
                    shape: Shape::convex(ConvexPolyhedron::hull(&core.concat()).unwrap()),
                    core,
                    radius: 0.0,
                }
            }
        }
    }

    fn moved(&self, pose: &Pose) -> Vec<Triangle> {
        let moved = |t: &Triangle| t.map(|p| pose.apply(p));
        self.core.iter().map(moved).collect()
    }
}

/// A hilly wall, a ball, a block or a knot; and whether it is solid.
fn random_mesh(random: &mut Random) -> (TriMesh, bool) {
    match random.below(4) {
        0 => {
            let flat = generate::plate([2.0, 2.0], [6, 6]).unwrap();
            let hilly = |v: &Point| [v[0], v[1], v[2] + random.between(-0.2, 0.2)];
            let vertices = flat.vertices().iter().map(hilly).collect();
            (
                TriMesh::new(vertices, flat.faces().to_vec()).unwrap(),
                false,
            )
        }
        1 => (generate::sphere(2).unwrap(), true),
        2 => (
            generate::box_mesh([1.6, 1.2, 0.5], [3, 2, 1]).unwrap(),
            true,
        ),
        _ => (generate::knot(400).unwrap(), true),
    }
}

fn triangles(mesh: &TriMesh) -> Vec<Triangle> {
    let faces = 0..mesh.faces().len();
    faces.map(|face| mesh.triangle(face)).collect()
}

/// The distance of two sets of triangles.
fn apart(x: &[Triangle], y: &[Triangle]) -> f64 {
    let pairs = x.iter().flat_map(|&s| y.iter().map(move |&t| (s, t)));
    let distances = pairs.map(|(s, t)| triangle_distance(s, t).distance);
    distances.fold(f64::INFINITY, f64::min)
}

/// The point of some triangles nearest to `p`.
fn nearest(p: Point, triangles: impl Iterator<Item = Triangle>) -> Point {
    let found = triangles.map(|t| closest_on_triangle(p, t));
    let nearest = found.min_by(|x, y| x.distance_squared.total_cmp(&y.distance_squared));
    nearest.unwrap().point
}

/// Walks from a point of a mesh to a local minimum of the distance from a core: to the nearest point
/// of the core, back to the nearest point of the triangles around, and so on. Returns the points of
/// mesh and core; `None` if the walk does not end.
fn walk(start: Point, mesh: &[Triangle], core: &[Triangle]) -> Option<[Point; 2]> {
    let mut p = start;
    for _ in 0..4000 {
        let q = nearest(p, core.iter().copied());
        let here = |t: &&Triangle| distance(closest_on_triangle(p, **t).point, p) < EXACT;
        let next = nearest(q, mesh.iter().filter(here).copied());
        if distance(next, p) < 1e-13 {
            return Some([p, q]);
        }
        p = next;
    }
    None
}

/// Whether a triangle has a point in a convex solid, given by its surface.
fn crosses(t: &Triangle, core: &[Triangle]) -> bool {
    let is_inside = |p: Point| {
        core.len() > 3 && {
            let center = times(
                core.concat().into_iter().fold([0.0; 3], plus),
                1.0 / (3 * core.len()) as f64,
            );
            core.iter().all(|[a, b, c]| {
                let normal = cross(minus(*b, *a), minus(*c, *a));
                let side = |p: Point| dot(normal, minus(p, *a));
                side(p) * side(center) > 0.0
            })
        }
    };
    t.iter().any(|&p| is_inside(p)) || apart(&[*t], core) == 0.0
}

fn campaign(cases: usize, seed: u64) {
    const MARGIN: f64 = 0.15;
    let mut random = Random::new(seed);
    let [mut separated, mut crossed, mut walked] = [0; 3];
    for case in 0..cases {
        let (mesh, is_solid) = random_mesh(&mut random);
        let solid = Solid::random(&mut random);
        let place = random.vector(1.3);
        let pose = random.pose(place);
        let mut scene = Scene::new(SceneSettings::default().with_margin(MARGIN)).unwrap();
        let body = match is_solid {
            true => Shape::solid(&mesh).unwrap(),
            false => Shape::wall(&mesh),
        };
        scene
            .add(Body::new(body).at(at(0.0, 0.0, 0.0)).fixed())
            .unwrap();
        scene.add(Body::new(solid.shape.clone()).at(pose)).unwrap();
        scene.update().unwrap();
        let contacts = scene.contacts();
        let (mesh, core) = (triangles(&mesh), solid.moved(&pose));
        let least = apart(&mesh, &core);
        let contained = is_solid && {
            let inside = scene.queries().unwrap().containing(&[core[0][0]]).unwrap();
            inside.of(0).contains(&0)
        };
        if least > 0.0 && !contained {
            separated += 1;
            check_apart(
                case,
                (&mesh, &core),
                least - solid.radius,
                MARGIN,
                contacts,
                solid.radius,
            );
            walked += check_minima(
                case,
                (&mesh, is_solid),
                &core,
                [solid.radius, MARGIN],
                contacts,
            );
        } else if least == 0.0 {
            crossed += 1;
            check_crossing(case, &mesh, &core, solid.radius, contacts);
        }
    }
    assert!(separated > cases / 4 && crossed > cases / 10 && walked > cases);
}

/// Contacts of bodies whose cores are apart: the least gap is the distance, and all points are on the
/// bodies.
fn check_apart(
    case: usize,
    (mesh, core): (&[Triangle], &[Triangle]),
    gap: f64,
    margin: f64,
    contacts: &[SceneContact],
    radius: f64,
) {
    let least = contacts
        .iter()
        .map(|c| c.contact.gap)
        .fold(f64::INFINITY, f64::min);
    match gap <= margin {
        true => assert!(
            (least - gap).abs() < EXACT,
            "case {case}: {least} instead of {gap}"
        ),
        false => assert!(contacts.is_empty(), "case {case}: {contacts:?}"),
    }
    for contact in contacts.iter().map(|c| c.contact) {
        let on_core = minus(contact.point_b, times(contact.normal, -radius));
        for (p, surface) in [(contact.point_a, mesh), (on_core, core)] {
            let off = distance(nearest(p, surface.iter().copied()), p);
            assert!(off < EXACT, "case {case}: {off} {contact:?}");
        }
    }
}

/// Every local minimum of the distance that a walk finds is a contact. Returns the number of walks.
fn check_minima(
    case: usize,
    (mesh, is_solid): (&[Triangle], bool),
    core: &[Triangle],
    [radius, margin]: [f64; 2],
    contacts: &[SceneContact],
) -> usize {
    let mut walked = 0;
    for t in mesh {
        let start = times(t.iter().copied().fold([0.0; 3], plus), 1.0 / 3.0);
        // Walks go downhill by no more than the way to the core.
        let near = triangle_distance(*t, [start; 3]).point_a;
        if distance(near, nearest(near, core.iter().copied())) > radius + margin + 0.5 {
            continue;
        }
        let Some([p, q]) = walk(start, mesh, core) else {
            continue;
        };
        let way = distance(p, q);
        let normal = times(minus(q, p), 1.0 / way);
        let faces_it = |t: &Triangle| {
            let around = distance(closest_on_triangle(p, *t).point, p) < EXACT;
            let up = cross(minus(t[1], t[0]), minus(t[2], t[0]));
            !around || dot(up, normal) > WALKED * dot(up, up).sqrt()
        };
        // From the inner side of a solid, no surface is touched.
        if way - radius > margin - WALKED || (is_solid && !mesh.iter().all(faces_it)) {
            continue;
        }
        walked += 1;
        let is_found = contacts.iter().map(|c| c.contact).any(|contact| {
            (contact.gap - (way - radius)).abs() < WALKED
                && dot(contact.normal, normal) > 1.0 - 1e-4
        });
        assert!(
            is_found,
            "case {case}: no contact at {p:?}, gap {}",
            way - radius
        );
    }
    walked
}

/// Of every triangle that a core crosses there is a contact whose translation separates the two.
fn check_crossing(
    case: usize,
    mesh: &[Triangle],
    core: &[Triangle],
    radius: f64,
    contacts: &[SceneContact],
) {
    for t in mesh.iter().filter(|t| crosses(t, core)) {
        let separates = |c: &SceneContact| {
            let way = times(c.contact.normal, 0.0 - c.contact.gap + EXACT);
            let moved: Vec<Triangle> = core.iter().map(|t| t.map(|p| plus(p, way))).collect();
            !crosses(t, &moved) && apart(&[*t], &moved) > radius - 2.0 * EXACT
        };
        let is_separated = contacts.iter().any(separates);
        assert!(
            is_separated,
            "case {case}: {t:?} stays crossed by {core:?} {contacts:#?}"
        );
    }
}

#[test]
fn contacts_with_meshes_are_those_of_an_independent_search() {
    campaign(60, 1);
}

#[test]
#[ignore = "some minutes: cargo xtask test --long"]
fn contacts_with_meshes_in_many_cases() {
    campaign(5_000, 2);
}
