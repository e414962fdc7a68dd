#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_io::parse_dump;

fuzz_target!(|bytes: &[u8]| {
    // Particles are validated on construction; a dump has at least one step.
    if let Ok(steps) = parse_dump(bytes) {
        assert!(!steps.is_empty());
    }
});
