//! Who might touch: the cases of the speed table, all methods and peers.

use crate::timing::{contestant, race};
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use tangere::generate::{ParticleBox, Sizes, particles};
use tangere::pairs::{Method, PairFinder, PairSettings, finder};
use tangere::shape::Spheres;

fn answer<const D: usize>(
    finder: &mut dyn PairFinder<D>,
    spheres: &Spheres<D>,
    out: &mut Vec<[u32; 2]>,
) -> usize {
    // Every turn starts anew: nothing but memory is kept from the one before.
    let none: (&[[f64; D]], &[f64]) = (&[], &[]);
    finder.update(none.into()).expect("no spheres");
    finder.update(spheres.into()).expect("valid spheres");
    finder.pairs(out).expect("no limit");
    out.len()
}

fn compare<const D: usize>(title: &str, spheres: &Spheres<D>, turns: usize) -> tangere::Result<()> {
    let settings = PairSettings::<D>::default();
    let methods = [
        Method::Auto,
        Method::Cells,
        Method::Grid,
        Method::Tree,
        Method::Sweep,
        Method::Shells,
    ];
    let boxes: Vec<ParryAabb> = match D {
        3 => spheres
            .centers()
            .iter()
            .zip(spheres.radii())
            .map(|(c, r)| {
                let p: [f64; 3] = std::array::from_fn(|k| c[k.min(D - 1)]);
                ParryAabb::new(p.map(|x| x - r).into(), p.map(|x| x + r).into())
            })
            .collect(),
        _ => Vec::new(),
    };
    let mut workspace = BvhWorkspace::default();
    let mut found = Vec::new();
    let mut contestants = Vec::new();
    for method in methods {
        let mut finder = finder::<D>(method, settings)?;
        let mut out = Vec::new();
        contestants.push(contestant(method.name(), move || {
            answer(finder.as_mut(), spheres, &mut out)
        }));
    }
    if D == 3 {
        contestants.push(contestant("parry, tree built anew", || {
            let bvh = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.iter().copied().enumerate());
            found.clear();
            let (centers, radii) = (spheres.centers(), spheres.radii());
            bvh.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
                let (i, j) = (a as usize, b as usize);
                let square: f64 = (0..D)
                    .map(|k| (centers[i][k] - centers[j][k]).powi(2))
                    .sum();
                if square <= (radii[i] + radii[j]).powi(2) {
                    found.push([a.min(b), a.max(b)]);
                }
            });
            found.sort_unstable();
            found.len()
        }));
    }
    race(title, turns, spheres.len(), &mut contestants);
    Ok(())
}

pub fn run(quick: bool) -> Result<(), Box<dyn std::error::Error>> {
    let million = if quick { 100_000 } else { 1_000_000 };
    compare(
        "3D A, 1e5",
        &particles::<3>(&ParticleBox::test_a(3, 100_000, 0))?,
        9,
    )?;
    compare(
        "3D A, 1e6",
        &particles::<3>(&ParticleBox::test_a(3, million, 0))?,
        5,
    )?;
    compare(
        "3D B, 1e6",
        &particles::<3>(&ParticleBox::test_b(3, million, 0))?,
        5,
    )?;
    compare(
        "3D C, 1e6",
        &particles::<3>(&ParticleBox::test_c(3, million, 0))?,
        5,
    )?;
    compare(
        "2D A, 1e6",
        &particles::<2>(&ParticleBox::test_a(2, million, 0))?,
        5,
    )?;
    compare(
        "2D C, 1e6",
        &particles::<2>(&ParticleBox::test_c(2, million, 0))?,
        5,
    )?;
    for (sizes, ratio) in [
        (Sizes::Log, 100.0),
        (Sizes::Log, 1000.0),
        (Sizes::Volume, 100.0),
    ] {
        let mut settings = ParticleBox::test_a(3, 100_000, 0);
        settings.sizes = sizes;
        settings.diameters = [0.1 / ratio, 0.1];
        let title = format!("3D {sizes} sizes 1:{ratio}, 1e5");
        compare(&title, &particles::<3>(&settings)?, 5)?;
    }
    let mut settings = ParticleBox::test_a(3, 100_000, 0);
    settings.huge = Some(0.25 * settings.edge(3));
    compare("3D A, 1e5, one huge", &particles::<3>(&settings)?, 5)?;
    Ok(())
}
