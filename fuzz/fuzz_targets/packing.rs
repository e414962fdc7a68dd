#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tangere::geometry::Pose;
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::overlap::{OverlapQuery, OverlapSettings};
use tangere::shape::Packing;
use tangere::{Error, generate};
use tangere_io::{TableFormat, packing_from_bytes};

/// A packing with the record of its body.
static BODY: LazyLock<Packing> = LazyLock::new(|| {
    let sphere = generate::sphere(1).expect("a sphere");
    pack_mesh(&sphere, &PackSettings::spheres(20)).expect("a packing")
});

/// Packings are valid, and bounds of the penetration volume are ordered.
fn check(packing: &Packing) {
    assert!(!packing.is_empty());
    assert!(packing.radii().iter().all(|&r| r > 0.0 && r.is_finite()));
    assert!(packing.record().iter().all(|x| x.is_finite()));
    let by = packing.radii()[0];
    let Ok(there) = Pose::from_translation([by, 0.0, 0.0]) else {
        return;
    };
    let mut query = OverlapQuery::new(OverlapSettings::default()).unwrap();
    let found = query.overlap(packing, &Pose::identity(), packing, &there);
    assert!(found.complete && found.lower >= 0.0, "{found:?}");
    assert!(
        found.lower <= found.volume && found.volume <= found.upper,
        "{found:?}"
    );
    assert!(found.upper.is_finite(), "{found:?}");
}

/// A packing of the body's spheres with numbers of its record replaced: an index (2 bytes) and a
/// number (8) each. The error contains the correct checksum.
fn of_changed_record(bytes: &[u8]) -> Option<Packing> {
    let mut record = BODY.record();
    for change in bytes.chunks_exact(10) {
        let (place, number) = change.split_at(2);
        let place = usize::from(u16::from_le_bytes(place.try_into().ok()?)) % record.len();
        record[place] = f64::from_le_bytes(number.try_into().ok()?);
    }
    let made = |record: &[f64]| {
        Packing::from_record(BODY.centers().to_vec(), BODY.radii().to_vec(), record)
    };
    match made(&record) {
        Ok(packing) => Some(packing),
        Err(Error::Argument {
            what: tangere::Argument::BodyChecksum,
            expected,
            ..
        }) => {
            *record.last_mut()? = expected.split(':').next()?.parse().ok()?;
            Some(made(&record).expect("nothing else is wrong"))
        }
        Err(_) => None,
    }
}

// The first byte chooses the format.
fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else {
        return;
    };
    let formats = [
        TableFormat::Npy,
        TableFormat::Vtp,
        TableFormat::Vtu,
        TableFormat::Csv,
    ];
    let packing = match formats.get(usize::from(first % 5)) {
        Some(&format) => packing_from_bytes("fuzz", bytes, format).ok(),
        None => of_changed_record(bytes),
    };
    if let Some(packing) = packing {
        check(&packing);
    }
});
