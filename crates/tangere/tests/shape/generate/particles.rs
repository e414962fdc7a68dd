//! Generators of random particles and crystals.

use super::surface::hash_of;
use tangere::generate::{ParticleBox, Sizes, crystal, particles};
use tangere::shape::Spheres;

/// The number of pairs that overlap, per particle, by brute force.
fn contact_ratio<const D: usize>(spheres: &Spheres<D>) -> f64 {
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let mut contacts = 0;
    for i in 0..spheres.len() {
        for j in 0..i {
            let reach = radii[i] + radii[j];
            let gap: f64 = (0..D)
                .map(|k| (centers[i][k] - centers[j][k]).powi(2))
                .sum();
            contacts += usize::from(gap <= reach * reach);
        }
    }
    contacts as f64 / spheres.len() as f64
}

/// leszczynski2004, section 3: contacts per particle.
#[test]
fn contact_ratios_of_the_paper() {
    let count = 8_000;
    let plane = |settings: ParticleBox| contact_ratio(&particles::<2>(&settings).unwrap());
    let space = |settings: ParticleBox| contact_ratio(&particles::<3>(&settings).unwrap());
    let cases = [
        (plane(ParticleBox::test_a(2, count, 1)), 0.87),
        (plane(ParticleBox::test_b(2, count, 2)), 0.19),
        (plane(ParticleBox::test_c(2, count, 3)), 0.02),
        (space(ParticleBox::test_a(3, count, 4)), 0.90),
        (space(ParticleBox::test_b(3, count, 5)), 0.10),
        (space(ParticleBox::test_c(3, count, 6)), 0.0048),
    ];
    for (ratio, paper) in cases {
        // The paper's numbers are rounded to a percent, and where ours are
        // counted they scatter like the root of the count.
        let scatter = 4.0 * (paper / count as f64).sqrt() + 0.02 * paper;
        let rounded = if paper < 0.01 { 0.0 } else { 0.005 };
        assert!(
            (ratio - paper).abs() < scatter + rounded,
            "{ratio}, paper {paper}"
        );
    }
}

/// Contacts of a particle are twice the pairs.
#[test]
fn particles_have_the_requested_number_of_contacts() {
    for sizes in [Sizes::Uniform, Sizes::Log, Sizes::Volume] {
        for (diameters, contacts) in [([0.05, 0.1], 2.0), ([0.005, 0.1], 2.0), ([0.1, 0.1], 20.0)] {
            let settings = ParticleBox {
                count: 4_000,
                diameters,
                density: 1.0,
                seed: 8,
                sizes,
                huge: None,
            };
            let plane = settings.clone().with_contacts(2, contacts).unwrap();
            let space = settings.with_contacts(3, contacts).unwrap();
            let found = [
                2.0 * contact_ratio(&particles::<2>(&plane).unwrap()),
                2.0 * contact_ratio(&particles::<3>(&space).unwrap()),
            ];
            for found in found {
                // What the walls cut off is 10% in the case of equal sizes.
                let scatter = if diameters[0] == diameters[1] {
                    0.03
                } else {
                    0.1
                };
                assert!(
                    (found / contacts - 1.0).abs() < scatter,
                    "{sizes} {diameters:?}: {found} contacts, expected {contacts}"
                );
            }
        }
    }
}

#[test]
fn contacts_that_cannot_be() {
    let settings = |diameters| ParticleBox {
        diameters,
        ..ParticleBox::test_a(3, 100, 0)
    };
    for contacts in [f64::NAN, -1.0, 0.0, 100.0, f64::INFINITY] {
        assert!(settings([0.05, 0.1]).with_contacts(3, contacts).is_err());
    }
    assert!(settings([0.0, 0.0]).with_contacts(3, 1.0).is_err());
    assert!(settings([0.1, 0.05]).with_contacts(3, 1.0).is_err());
    assert!(settings([0.1, 0.1]).with_contacts(4, 1.0).is_err());
    // Points and extremely different sizes are fine.
    for diameters in [[0.0, 1.0], [1e-300, 1.0], [1e-9, 1e-9]] {
        let density = settings(diameters).with_contacts(2, 1.0).unwrap().density;
        assert!(density > 0.0 && density.is_finite(), "{diameters:?}");
    }
}

fn settings(sizes: Sizes) -> ParticleBox {
    ParticleBox {
        count: 20_000,
        diameters: [0.001, 1.0],
        density: 50.0,
        seed: 9,
        sizes,
        huge: None,
    }
}

#[test]
fn centers_fill_the_box() {
    let settings = settings(Sizes::Uniform);
    let edge = settings.edge(3);
    assert!((settings.count as f64 / edge.powi(3) / settings.density - 1.0).abs() < 1e-12);
    let spheres = particles::<3>(&settings).unwrap();
    for k in 0..3 {
        let x: Vec<f64> = spheres.centers().iter().map(|c| c[k]).collect();
        assert!(x.iter().all(|x| (0.0..=edge).contains(x)));
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        assert!((mean / edge - 0.5).abs() < 4.0 * (1.0 / 12.0 / x.len() as f64).sqrt());
    }
}

/// The part of the particles, or of their volume, in each of ten classes.
fn classes(values: impl Iterator<Item = (f64, f64)>) -> [f64; 10] {
    let mut sums = [0.0; 10];
    for (place, weight) in values {
        sums[((10.0 * place) as usize).min(9)] += weight;
    }
    let total: f64 = sums.iter().sum();
    sums.map(|s| s / total)
}

#[test]
fn diameters_are_distributed_as_said() {
    let diameters = |sizes: Sizes| -> Vec<f64> {
        let spheres = particles::<3>(&settings(sizes)).unwrap();
        spheres.radii().iter().map(|r| 2.0 * r).collect()
    };
    let logarithm = |d: f64| (d / 0.001).ln() / 1000f64.ln();
    let uniform = diameters(Sizes::Uniform);
    for part in classes(uniform.iter().map(|d| ((d - 0.001) / 0.999, 1.0))) {
        assert!((part - 0.1).abs() < 0.01);
    }
    let log = diameters(Sizes::Log);
    for part in classes(log.iter().map(|&d| (logarithm(d), 1.0))) {
        assert!((part - 0.1).abs() < 0.01);
    }
    // Large particles are few, so only classes with enough of them are compared.
    let mut volume = settings(Sizes::Volume);
    volume.diameters = [0.1, 1.0];
    volume.count = 200_000;
    let spheres = particles::<3>(&volume).unwrap();
    let weighted = spheres.radii().iter().map(|r| 2.0 * r);
    let parts = classes(weighted.map(|d| ((d / 0.1).ln() / 10f64.ln(), d.powi(3))));
    for part in parts {
        assert!((part - 0.1).abs() < 0.02, "{parts:?}");
    }
    for sizes in [Sizes::Uniform, Sizes::Log, Sizes::Volume] {
        let inside = |d: &f64| (0.001..=1.0).contains(d);
        assert!(diameters(sizes).iter().all(inside));
    }
}

#[test]
fn one_huge_among_many() {
    let mut settings = ParticleBox::test_b(2, 101, 5);
    let without = particles::<2>(&settings).unwrap();
    settings.huge = Some(5.64);
    let with = particles::<2>(&settings).unwrap();
    assert_eq!(with.radii()[100], 2.82);
    assert_eq!(with.centers()[100], [0.5 * settings.edge(2); 2]);
    assert_eq!(with.centers()[..100], without.centers()[..100]);
    assert_eq!(with.radii()[..100], without.radii()[..100]);
}

#[test]
fn names_of_sizes() {
    for (sizes, name) in [
        (Sizes::Uniform, "uniform"),
        (Sizes::Log, "log"),
        (Sizes::Volume, "volume"),
    ] {
        assert_eq!(sizes.to_string(), name);
        assert_eq!(name.parse::<Sizes>(), Ok(sizes));
    }
    let message = "Log".parse::<Sizes>().unwrap_err().to_string();
    assert_eq!(
        message,
        "sizes: found \"Log\", expected one of uniform, log, volume"
    );
}

#[test]
fn settings_out_of_range() {
    let refused = |change: fn(&mut ParticleBox), expected: &str| {
        let mut settings = ParticleBox::test_a(2, 10, 0);
        change(&mut settings);
        let message = particles::<2>(&settings).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    refused(|s| s.diameters = [0.2, 0.1], "diameters: found 0.2,0.1");
    refused(|s| s.diameters = [-0.1, 0.1], "diameters: found -0.1,0.1");
    refused(
        |s| s.diameters = [f64::NAN, 0.1],
        "diameters: found NaN,0.1",
    );
    refused(
        |s| s.diameters = [0.1, f64::NAN],
        "diameters: found 0.1,NaN",
    );
    refused(
        |s| s.diameters = [0.1, f64::INFINITY],
        "diameters: found 0.1,inf",
    );
    refused(|s| s.density = 0.0, "density: found 0");
    refused(|s| s.density = -1.0, "density: found -1");
    refused(|s| s.density = f64::NAN, "density: found NaN");
    refused(|s| s.density = 1e-300, "density: found 1e-300");
    refused(|s| s.density = f64::INFINITY, "density: found inf");
    refused(|s| s.huge = Some(-1.0), "huge: found -1");
    refused(|s| s.huge = Some(f64::NAN), "huge: found NaN");
    refused(
        |s| s.count = usize::MAX,
        "count: found 18446744073709551615",
    );
    refused(
        |s| (s.count, s.huge) = (0, Some(1.0)),
        "huge: found a count of 0",
    );
    refused(
        |s| (s.diameters, s.sizes) = ([0.0, 1.0], Sizes::Log),
        "diameters: found 0,1, expected LO > 0 when sizes are log",
    );
    refused(
        |s| (s.diameters, s.sizes) = ([0.0, 1.0], Sizes::Volume),
        "diameters: found 0,1, expected LO > 0 when sizes are volume",
    );
}

#[test]
fn limits_of_the_settings() {
    assert!(
        particles::<3>(&ParticleBox::test_a(3, 0, 0))
            .unwrap()
            .is_empty()
    );
    for sizes in [Sizes::Uniform, Sizes::Log, Sizes::Volume] {
        let mut same = ParticleBox::test_a(3, 100, 0);
        (same.diameters, same.sizes) = ([0.3, 0.3], sizes);
        let spheres = particles::<3>(&same).unwrap();
        assert!(spheres.radii().iter().all(|&r| r == 0.15));
        // Ratios far beyond what can be computed with squares and cubes.
        same.diameters = [1e-80, 1e50];
        particles::<3>(&same).unwrap();
    }
    let mut points = ParticleBox::test_a(2, 100, 0);
    points.diameters = [0.0, 0.0];
    assert!(
        particles::<2>(&points)
            .unwrap()
            .radii()
            .iter()
            .all(|&r| r == 0.0)
    );
}

#[test]
fn same_bits_everywhere() {
    let hash = |sizes| {
        let mut settings = ParticleBox::test_a(3, 1_000, 77);
        settings.sizes = sizes;
        let (centers, radii) = particles::<3>(&settings).unwrap().into_parts();
        hash_of(centers.into_iter().flatten().chain(radii).map(f64::to_bits))
    };
    let hashes = [Sizes::Uniform, Sizes::Log, Sizes::Volume].map(hash);
    let expected = [
        0xfd1b_c25a_9d5d_100e,
        0x883e_9f14_bd75_0fdf,
        0x6514_25d4_8462_0f97,
    ];
    assert_eq!(hashes, expected, "{hashes:#x?}");
}

/// The least distance of two centres, across the ends of the unit box as well, and the diameter.
fn nearest<const D: usize>(spheres: &Spheres<D>) -> (f64, f64) {
    let centers = spheres.centers();
    let mut least = f64::INFINITY;
    for (i, a) in centers.iter().enumerate() {
        for b in &centers[..i] {
            let along = |k: usize| {
                let d = a[k] - b[k];
                d - d.round()
            };
            least = least.min((0..D).map(|k| along(k) * along(k)).sum());
        }
    }
    (least.sqrt(), 2.0 * spheres.radii()[0])
}

#[test]
fn crystals_do_not_overlap() {
    let pi = std::f64::consts::PI;
    for count in [1, 2, 3, 4, 5, 31, 32, 33, 500, 1000] {
        let spheres = crystal::<3>(count, 0.05).unwrap();
        assert_eq!(spheres.len(), count);
        let (distance, diameter) = nearest(&spheres);
        assert!(distance > diameter);
        let filled = pi / 6.0 * diameter.powi(3) * count as f64;
        assert!((filled - 0.05).abs() < 1e-12);
        let discs = crystal::<2>(count, 0.05).unwrap();
        let (distance, diameter) = nearest(&discs);
        assert!(distance > diameter);
        assert!((pi / 4.0 * diameter.powi(2) * count as f64 - 0.05).abs() < 1e-12);
    }
    // As full as it gets.
    let (distance, diameter) = nearest(&crystal::<3>(256, 0.7404).unwrap());
    assert!(distance >= diameter && distance < 1.0001 * diameter);
    let error = crystal::<3>(256, 0.75).unwrap_err().to_string();
    assert!(
        error.contains("filled: found 0.75, expected a number above 0 and at most 0.7405"),
        "{error}"
    );
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(crystal::<2>(9, bad).is_err());
    }
    assert!(crystal::<3>(0, 0.1).is_err());
}
