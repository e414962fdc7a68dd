#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_io::vtk::xml::points;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(cloud) = points(bytes) {
        for field in &cloud.fields {
            assert_eq!(field.values.len(), cloud.points.len() * field.components);
        }
    }
});
