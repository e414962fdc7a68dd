//! Cases of the broad phase benchmark.

use tangere::generate::{ParticleBox, Sizes};

/// The target of a case for the time of our methods.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A time in milliseconds.
    Milliseconds(f64),
    /// A speed-up over the fastest other library.
    Peers(f64),
    /// No target for this size.
    Nothing,
}

/// The particles of a case: spheres or discs.
#[derive(Clone, Debug)]
pub enum Scene {
    /// Discs.
    Plane(ParticleBox),
    /// Spheres.
    Space(ParticleBox),
}

/// A case of the broad phase benchmark, a line of its table.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the case.
    pub title: String,
    /// The particles of the case.
    pub scene: Scene,
    /// The target of the case.
    pub target: Target,
    /// The number of turns of each contestant.
    pub turns: usize,
    /// Whether the case also runs on two threads.
    pub big: bool,
}

/// Returns the number of items as text for the table.
pub fn count_name(n: usize) -> String {
    let exponent = n.max(1).ilog10();
    match n / 10usize.pow(exponent) {
        1 if n == 10usize.pow(exponent) => format!("1e{exponent}"),
        _ => n.to_string(),
    }
}

/// Returns all cases of particles at rest; at most 1e5 particles if `quick`.
pub fn cases(quick: bool) -> tangere::Result<Vec<Case>> {
    let mut cases = Vec::new();
    let mut add = |title: &str, scene: Scene, target: Target, big: bool| {
        let (Scene::Plane(settings) | Scene::Space(settings)) = &scene;
        let n = settings.count;
        cases.push(Case {
            title: format!("{title}, {}", count_name(n)),
            target,
            turns: match (quick, big) {
                (true, _) => 3,
                (false, true) => 5,
                (false, false) => 9,
            },
            big,
            scene,
        });
    };
    let small = 100_000;
    let large = if quick { small } else { 1_000_000 };
    let ms = Target::Milliseconds;
    let ms_large = |target| if quick { Target::Nothing } else { ms(target) };
    let space = |settings: fn(usize, usize, u64) -> ParticleBox, n| Scene::Space(settings(3, n, 0));
    let plane = |settings: fn(usize, usize, u64) -> ParticleBox, n| Scene::Plane(settings(2, n, 0));
    add("3D A", space(ParticleBox::test_a, small), ms(4.0), quick);
    if !quick {
        add(
            "3D A",
            space(ParticleBox::test_a, large),
            ms_large(70.0),
            true,
        );
    }
    add(
        "3D B",
        space(ParticleBox::test_b, large),
        ms_large(60.0),
        true,
    );
    add(
        "3D C",
        space(ParticleBox::test_c, large),
        ms_large(50.0),
        true,
    );
    add(
        "2D A",
        plane(ParticleBox::test_a, large),
        ms_large(50.0),
        true,
    );
    add(
        "2D C",
        plane(ParticleBox::test_c, large),
        ms_large(40.0),
        true,
    );
    for (name, sizes, ratio, target) in [
        ("log-uniform", Sizes::Log, 100.0, ms(10.0)),
        ("log-uniform", Sizes::Log, 1000.0, ms(10.0)),
        ("volume-weighted", Sizes::Volume, 100.0, Target::Peers(5.0)),
    ] {
        let title = format!("3D {name} sizes 1:{ratio}, two contacts each");
        let settings = sized(3, small, sizes, ratio, 2.0)?;
        add(&title, Scene::Space(settings), target, false);
    }
    let mut settings = ParticleBox::test_a(3, small, 0);
    settings.huge = Some(0.25 * settings.edge(3));
    add("3D A and one huge", Scene::Space(settings), ms(8.0), false);
    Ok(cases)
}

/// Returns the settings of particles with diameters up to 0.1 and a given mean number of contacts.
pub fn sized(
    dimension: usize,
    count: usize,
    sizes: Sizes,
    ratio: f64,
    contacts: f64,
) -> tangere::Result<ParticleBox> {
    ParticleBox {
        sizes,
        diameters: [0.1 / ratio, 0.1],
        ..ParticleBox::test_a(dimension, count, 0)
    }
    .with_contacts(dimension, contacts)
}
