//! Limits, progress and cancellation of a sphere packing.

use super::bodies::{block, check};
use tangere::overlap::pack::{MeshContainer, PackSettings, pack_mesh, pack_with_progress};
use tangere::stop::Stop;
use tangere::{Error, generate};

#[test]
fn the_first_end_that_is_reached_counts() {
    let knot = generate::knot(1000).unwrap();
    let half = pack_mesh(&knot, &PackSettings::filling(0.65)).unwrap();
    let last = half.radii()[half.len() - 1];
    assert!(half.filling() >= 0.65);
    let volume = 4.0 / 3.0 * std::f64::consts::PI * last.powi(3);
    assert!(half.filled_volume() - volume < 0.65 * half.body_volume());

    let small = pack_mesh(&knot, &PackSettings::smallest(0.2)).unwrap();
    assert!(small.radii().iter().all(|&r| r >= 0.2));
    let all = PackSettings {
        spheres: Some(10),
        filling: Some(0.99),
        smallest: Some(1e-3),
    };
    let ten = pack_mesh(&knot, &all).unwrap();
    assert_eq!(ten.len(), 10);
    // More spheres go on where fewer end.
    let twenty = pack_mesh(&knot, &PackSettings::spheres(20)).unwrap();
    assert_eq!(ten.centers(), &twenty.centers()[..10]);
}

#[test]
fn progress_goes_from_0_to_1() {
    let mut container = MeshContainer::new(&block([1.0; 3])).unwrap();
    for settings in [
        PackSettings::spheres(300),
        PackSettings::filling(0.7),
        PackSettings::smallest(0.03),
    ] {
        let mut reported = Vec::new();
        pack_with_progress(&mut container, &settings, &mut |share| reported.push(share)).unwrap();
        assert!(reported.len() > 10, "{settings:?}");
        assert!(reported.is_sorted(), "{settings:?}: {reported:?}");
        assert_eq!(
            (reported[0] < 0.5, reported[reported.len() - 1]),
            (true, 1.0)
        );
    }
}

#[test]
fn a_stop_ends_work() {
    let mesh = block([1.0; 3]);
    let mut container = MeshContainer::new(&mesh).unwrap();
    let settings = PackSettings::spheres(500);
    let stop = Stop::new();
    let mut reported = 0;
    let ended = stop.during(|| {
        pack_with_progress(&mut container, &settings, &mut |_| {
            reported += 1;
            stop.request();
        })
    });
    assert_eq!((ended.err(), reported), (Some(Error::Stopped), 1));
    let again = pack_with_progress(&mut container, &settings, &mut |_| ()).unwrap();
    check(&mesh, &again);
}
