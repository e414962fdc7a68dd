#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_io::parse_csv;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(table) = parse_csv(bytes) {
        assert_eq!(table.values.len(), table.len() * table.columns);
        assert!(table.values.iter().all(|x| x.is_finite()));
        assert!(table.names.is_none_or(|names| names.len() == table.columns));
    }
});
