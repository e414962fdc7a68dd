#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_io::parse_dump;

fuzz_target!(|bytes: &[u8]| {
    // A dump has at least one frame, with ids in ascending order; particles are validated.
    if let Ok(frames) = parse_dump(bytes) {
        assert!(!frames.is_empty());
        for frame in frames {
            assert!(frame.ids().is_none_or(|ids| ids.is_sorted_by(|a, b| a < b)));
            let _ = frame.particles();
        }
    }
});
