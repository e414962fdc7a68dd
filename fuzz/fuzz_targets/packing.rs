#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_io::{TableFormat, packing_from_bytes};

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
    let format = formats[usize::from(first % 4)];
    if let Ok(packing) = packing_from_bytes("fuzz", bytes, format) {
        assert!(!packing.is_empty());
        assert!(packing.radii().iter().all(|&r| r > 0.0 && r.is_finite()));
        assert!(packing.record().iter().all(|x| x.is_finite()));
    }
});
