//! Figure 1 and theorem 3.2 of `weller2014`: worst-case numbers of intersecting pairs of polygons
//! and of spheres.

use super::claims::{FIGURE_1, THEOREM};
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding, word};
use crate::fit::exponent;
use serde_json::json;
use std::collections::BTreeMap;
use tangere::closest::TriangleTree;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::overlap::{OverlapQuery, OverlapSettings};
use tangere::shape::{Packing, TriMesh};
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The smallest and the largest exponent of growth that is accepted as quadratic.
const QUADRATIC: [f64; 2] = [1.8, 2.2];
/// The largest exponent of growth that is accepted as O(n), an upper bound.
const LINEAR: f64 = 1.1;
/// The smallest and the largest exponent of growth that is accepted as none.
const NONE: [f64; 2] = [-0.1, 0.1];

/// The number of polygons or spheres of a body, and the number of intersecting pairs with another
/// body.
struct Counts {
    size: usize,
    pairs: usize,
}

pub fn polyhedra(effort: &Effort) -> Result<Vec<Finding>, Error> {
    // The copy is rotated by a quarter turn about the height, so that every ridge crosses all
    // ridges of the other.
    let turned: Pose = "0,0,0,0.7071067811865476,0,0,0.7071067811865476".parse()?;
    let sizes: &[u32] = match effort.largest {
        0..4000 => &[5, 10, 20],
        4000..=20_000 => &[10, 20, 40, 80],
        _ => &[10, 20, 40, 80, 160],
    };
    let mut polygons = Vec::new();
    for &size in sizes {
        let mesh = generate::chazelle(size)?;
        let tree = TriangleTree::new(&mesh);
        let mut found = Vec::new();
        tree.intersections(
            &tree,
            &about_middle(&mesh.bounds().center(), &turned)?,
            &mut found,
        )?;
        polygons.push(Counts {
            size: mesh.faces().len(),
            pairs: found.len(),
        });
    }
    // Too few spheres of nearly equal size do not show the growth law: they must fill the body.
    let mesh = generate::chazelle(10)?;
    let mut query = OverlapQuery::new(OverlapSettings::default())?;
    let mut spheres = Vec::new();
    let mut counts = effort.counts();
    counts.retain(|&n| (1000..=20_000).contains(&n));
    if effort.is_quick() {
        counts = vec![1000, 2000, 4000];
    }
    if effort.is_least() {
        counts = vec![50, 100];
    }
    for count in counts {
        let packing = pack_mesh(&mesh, &PackSettings::spheres(count))?;
        let pose = about_middle(&mesh.bounds().center(), &turned)?;
        spheres.push(Counts {
            size: packing.len(),
            pairs: query
                .overlap(&packing, &Pose::identity(), &packing, &pose)
                .pairs,
        });
    }
    // The same number of spheres in the same polyhedron of more and more polygons.
    let mut others = Vec::new();
    let fixed = if effort.is_least() { 50 } else { 1000 };
    let mut mesh = mesh;
    for refinement in 0..3 {
        if refinement > 0 {
            mesh = refined(&mesh)?;
        }
        let packing = pack_mesh(&mesh, &PackSettings::spheres(fixed))?;
        let pose = about_middle(&mesh.bounds().center(), &turned)?;
        others.push(Counts {
            size: mesh.faces().len(),
            pairs: query
                .overlap(&packing, &Pose::identity(), &packing, &pose)
                .pairs,
        });
    }
    Ok(vec![
        figure_1(&polygons, &spheres, &others),
        theorem(&spheres, &mut query, effort)?,
    ])
}

/// Returns the same surface with every triangle divided into four.
fn refined(mesh: &TriMesh) -> tangere::Result<TriMesh> {
    let mut vertices = mesh.vertices().to_vec();
    let mut middles = BTreeMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            let [p, q] = [a.min(b), a.max(b)].map(|v| mesh.vertices()[v as usize]);
            vertices.push(std::array::from_fn(|k| 0.5 * (p[k] + q[k])));
            (vertices.len() - 1) as u32
        })
    };
    let mut faces = Vec::new();
    for &[a, b, c] in mesh.faces() {
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        faces.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    TriMesh::new(vertices, faces)
}

/// Returns the pose that applies the rotation of `turn` about the point `middle`.
fn about_middle(middle: &[f64; 3], turn: &Pose) -> tangere::Result<Pose> {
    let turned = turn.rotate(*middle);
    Pose::new(
        turn.rotation(),
        std::array::from_fn(|k| middle[k] - turned[k]),
    )
}

fn points(counts: &[Counts]) -> Vec<[f64; 2]> {
    counts
        .iter()
        .map(|c| [c.size as f64, c.pairs as f64])
        .collect()
}

fn figure_1(polygons: &[Counts], spheres: &[Counts], others: &[Counts]) -> Finding {
    let [of_polygons, of_spheres, of_others] =
        [polygons, spheres, others].map(|counts| exponent(&points(counts)));
    let rows = |what: &'static str, counts: &[Counts]| {
        let row = move |c: &Counts| vec![word(what), Cell::Count(c.size), Cell::Count(c.pairs)];
        counts.iter().map(row).collect::<Vec<_>>()
    };
    let number =
        |what: &str, e: Option<f64>, accepted| Check::number(what, e.unwrap_or(f64::NAN), accepted);
    Finding {
        published: json!("quadratic in the polygons, linear in the spheres"),
        measured: json!({
            "exponent by polygons": of_polygons,
            "exponent by spheres": of_spheres,
            "exponent of the pairs of spheres by polygons": of_others,
        }),
        checks: vec![
            number("exponent of pairs by polygons", of_polygons, QUADRATIC),
            number("exponent of pairs of spheres by spheres", of_spheres, at_most(LINEAR)),
            number("exponent of pairs of spheres by polygons", of_others, NONE),
        ],
        remark: "A polyhedron and its copy rotated by a right angle about its height; then packings of it with more and more spheres; then \
            packings with the same number of spheres of the same polyhedron, its triangles divided into four once and twice."
            .into(),
        data: Data {
            head: vec!["what", "number", "pairs"],
            rows: [
                rows("triangles", polygons),
                rows("spheres", spheres),
                rows("spheres by triangles", others),
            ]
            .concat(),
        },
        plots: vec![Plot {
            title: "Two Chazelle polyhedra".into(),
            x: Axis {
                name: "triangles or spheres",
                unit: Unit::Count,
            },
            y: Axis {
                name: "pairs that meet",
                unit: Unit::Count,
            },
            even: false,
            curves: [
                ("triangles", polygons),
                ("spheres", spheres),
                ("pairs of spheres by triangles", others),
            ]
                .map(|(name, counts)| Curve {
                    name: name.into(),
                    points: points(counts),
                    dashed: false,
                })
                .into(),
        }],
        ..Finding::of(&FIGURE_1)
    }
}

/// Counts the overlapping pairs of worst-case packings. A lattice of equal spheres is tested
/// against one large sphere, and against a copy shifted so that every sphere overlaps eight.
fn theorem(
    chazelle: &[Counts],
    query: &mut OverlapQuery,
    effort: &Effort,
) -> Result<Finding, Error> {
    let large = Packing::new(vec![[0.0; 3]], vec![1.0])?;
    let mut crowds = Vec::new();
    for n in [10, 20, 40, 80] {
        if n * n * n > 2 * effort.largest {
            break;
        }
        // The small spheres form a cube of touching spheres, at the surface of the large one and
        // inside it.
        let r = 1.0 / n as f64;
        let place = |i: usize| (2 * i + 1) as f64 * r - 1.0;
        let centers: Vec<[f64; 3]> = (0..n * n * n)
            .map(|i| [place(i % n), place(i / n % n), place(i / n / n)])
            .collect();
        let radii = vec![r * (1.0 - 1e-12); centers.len()];
        let crowd = Packing::new(centers, radii)?;
        let found = query.overlap(&crowd, &Pose::identity(), &large, &Pose::identity());
        crowds.push(["crowd", "one sphere"].map(|_| Counts {
            size: crowd.len(),
            pairs: found.pairs,
        }));
        // The packing is also tested against a copy shifted by half a spacing: every sphere
        // intersects eight.
        let aside = Pose::from_translation([r; 3])?;
        let found = query.overlap(&crowd, &Pose::identity(), &crowd, &aside);
        if let Some([_, own]) = crowds.last_mut() {
            own.pairs = found.pairs;
        }
    }
    let rows = crowds.iter().flat_map(|[one, own]| {
        [
            ("one large sphere", one),
            ("itself between the places", own),
        ]
        .map(|(against, c)| (against, c.size, c.pairs))
    });
    let rows: Vec<(&str, usize, usize)> = rows
        .chain(
            chazelle
                .iter()
                .map(|c| ("Chazelle's polyhedron", c.size, c.pairs)),
        )
        .collect();
    let most = rows
        .iter()
        .map(|r| r.2 as f64 / r.1 as f64)
        .fold(0.0, f64::max);
    // A sphere intersects at most 27 disjoint ones of the other packing that are not smaller: moved and
    // shrunk to its size they fit into a sphere of three times its radius.
    let bound = 2.0 * 27.0;
    Ok(Finding {
        published: json!("O(n)"),
        measured: json!({"pairs a sphere, at most": most}),
        checks: vec![Check::number("pairs per sphere, most of all packings", most, at_most(bound))],
        remark: "Equal spheres on a lattice against one large sphere, and against a copy shifted so that each \
            sphere lies between eight; and the Chazelle polyhedra."
            .into(),
        data: Data {
            head: vec!["against", "spheres", "pairs", "pairs a sphere"],
            rows: rows
                .iter()
                .map(|&(against, n, pairs)| {
                    vec![
                        word(against),
                        Cell::Count(n),
                        Cell::Count(pairs),
                        Cell::Number(pairs as f64 / n as f64),
                    ]
                })
                .collect(),
        },
        ..Finding::of(&THEOREM)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refined_surfaces_are_the_same() {
        let mesh = generate::chazelle(5).unwrap();
        let finer = refined(&mesh).unwrap();
        assert_eq!(finer.faces().len(), 4 * mesh.faces().len());
        assert!(finer.closure().closed);
        let [a, b] = [&mesh, &finer].map(|mesh| mesh.bounds().extent());
        assert_eq!(a, b);
    }
}
