#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_io::parse_npy;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(array) = parse_npy(bytes) {
        let empty = array.shape.contains(&0);
        let count = if empty {
            0
        } else {
            array.shape.iter().product()
        };
        assert_eq!(array.values.len(), count);
        assert!(array.values.iter().all(|x| x.is_finite()));
    }
});
