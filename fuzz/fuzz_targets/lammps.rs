#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_io::parse_dump;

fuzz_target!(|bytes: &[u8]| {
    // Particles are validated when they are made; steps of a dump are never none.
    if let Ok(steps) = parse_dump(bytes) {
        assert!(!steps.is_empty());
    }
});
