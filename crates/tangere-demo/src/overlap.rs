//! Demo of `overlap`: penetration volume of two bodies by sphere packings.

use super::scene::front;
use super::section::{Figure, Section};
use crate::Error;
use serde_json::{Value, json};
use std::time::Instant;
use tangere::generate;
use tangere::geometry::Pose;
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::overlap::{OverlapQuery, OverlapSettings, exact_volume};
use tangere::shape::{Packing, Solid, TriMesh};
use tangere_front::text::{self, Table};
use tangere_render::picture::{Color, Picture, Scene, View};

/// Number of spheres with which the knot is packed.
const SPHERES: usize = 3000;
/// Translations of the copy of the knot along x, as fractions of the extent of the packing along x.
const STEPS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];
/// Index in `STEPS` of the translation that a picture shows.
const SHOWN: usize = 2;

const SHELL: Color = Color([150, 164, 184]);
const SMALL: Color = Color([244, 208, 120]);
const LARGE: Color = Color([188, 84, 52]);
const FIRST: Color = Color([120, 140, 170]);
const SECOND: Color = Color([196, 180, 156]);
const SHARED: Color = Color([214, 70, 40]);

/// Returns the section of `overlap`: packs a knot with spheres, and moves a copy of it step by
/// step.
pub fn section(width: usize) -> Result<Section, Error> {
    let knot = generate::knot(20_000)?;
    let start = Instant::now();
    let packing = pack_mesh(&knot, &PackSettings::spheres(SPHERES))?;
    let packed = start.elapsed().as_secs_f64();
    let bounds = packing.bounds();
    let apart = bounds.max[0] - bounds.min[0];
    let turn = |share: f64| -> tangere::Result<Pose> {
        let angle = 0.3_f64;
        let numbers = [share * apart, 0.0, 0.0, angle.cos(), 0.0, angle.sin(), 0.0];
        Pose::from_numbers(&numbers)
    };
    let mut query = OverlapQuery::new(OverlapSettings::default())?;
    let (mut rows, mut steps, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    let (here, solid) = (Pose::identity(), Solid::new(&knot)?);
    for (i, share) in STEPS.into_iter().enumerate() {
        let pose = turn(share)?;
        query.overlap(&packing, &here, &packing, &pose);
        let start = Instant::now();
        let found = query.overlap(&packing, &here, &packing, &pose);
        let seconds = start.elapsed().as_secs_f64();
        let exact = exact_volume(&solid, &here, &solid, &pose)?;
        let percent = |volume: f64| format!("{:.2}%", 100.0 * volume / packing.body_volume());
        rows.push(vec![
            format!("{:.0}%", 100.0 * share),
            percent(exact),
            percent(found.volume),
            percent(found.lower),
            percent(found.upper),
            text::count(found.pairs as u64),
            text::seconds(seconds),
        ]);
        steps.push(json!({
            "moved": share * apart,
            "exact": exact,
            "volume": found.volume,
            "lower": found.lower,
            "upper": found.upper,
            "force": found.force,
            "pairs": found.pairs,
            "seconds": seconds,
        }));
        if i == SHOWN {
            query.pairs(&packing, &here, &packing, &pose, &mut pairs);
        }
    }
    let figures = vec![
        cut_open(&knot, &packing, width)?,
        shared(&packing, &turn(STEPS[SHOWN])?, &pairs, width),
    ];
    Ok(Section {
        name: "overlap",
        title: "Penetration volume",
        explanation: format!(
            "A sphere packing fills a knot with {} disjoint spheres, each the largest that fits: \
             {:.1}% of its volume in {}. The intersection of the spheres of two knots is a lower \
             bound of their penetration volume; the unfilled space that the other knot may reach \
             gives an upper bound and an estimate. The exact volume is integrated from the \
             triangles, for comparison. Volumes are relative to that of a knot.",
            text::count(SPHERES as u64),
            100.0 * packing.filling(),
            text::seconds(packed),
        ),
        figures,
        table: Table {
            head: vec![
                "shift",
                "exact volume",
                "estimate",
                "lower bound",
                "upper bound",
                "pairs",
                "time",
            ],
            rows,
        },
        json: json!({
            "spheres": packing.len(),
            "filling": packing.filling(),
            "seconds_pack": packed,
            "steps": Value::Array(steps),
        }),
        cell_data: Vec::new(),
    })
}

/// Draws half of the surface of the knot, and all spheres of its packing.
fn cut_open(knot: &TriMesh, packing: &Packing, width: usize) -> Result<Figure, Error> {
    let behind = knot.faces().iter().copied().filter(|face| {
        let at = face.map(|v| knot.vertices()[v as usize]);
        at.iter().map(|p| p[0] - 0.3 * p[1]).sum::<f64>() < 0.0
    });
    let half = TriMesh::new(knot.vertices().to_vec(), behind.collect())?;
    let mut scene = Scene::default();
    scene.add_mesh(&half, |p| p, |_| SHELL);
    let largest = packing.radii().iter().copied().fold(0.0, f64::max);
    for (&center, &radius) in packing.centers().iter().zip(packing.radii()) {
        let share = (radius / largest).sqrt() as f32;
        scene.add_ball(center, radius, SMALL.mix(LARGE, share));
    }
    Ok(Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 9 / 20])),
        caption: format!(
            "A knot without half of its surface, and the {} spheres that fill {:.1}% of it",
            text::count(packing.len() as u64),
            100.0 * packing.filling()
        ),
    })
}

/// Draws a sphere packing and its copy at `pose`. The spheres of `pairs`, which overlap, have their
/// own colour.
fn shared(packing: &Packing, pose: &Pose, pairs: &[[u32; 2]], width: usize) -> Figure {
    let mut met = [vec![false; packing.len()], vec![false; packing.len()]];
    for &[a, b] in pairs {
        met[0][a as usize] = true;
        met[1][b as usize] = true;
    }
    let mut scene = Scene::default();
    for (i, (&center, &radius)) in packing.centers().iter().zip(packing.radii()).enumerate() {
        let color = |met: bool, own: Color| if met { SHARED } else { own };
        scene.add_ball(center, radius, color(met[0][i], FIRST));
        scene.add_ball(pose.apply(center), radius, color(met[1][i], SECOND));
    }
    Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 9 / 20])),
        caption: format!(
            "The knot and its copy: {} pairs of spheres overlap (red)",
            text::count(pairs.len() as u64)
        ),
    }
}

fn view(size: [usize; 2]) -> View {
    front(size, 0.06, false)
}
