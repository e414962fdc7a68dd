#![no_main]

use libfuzzer_sys::fuzz_target;
use tangere_fuzz::{check_elements, check_mesh};
use tangere_io::MeshFormat;

fuzz_target!(|bytes: &[u8]| {
    check_mesh(bytes, MeshFormat::Mesh);
    check_elements(bytes, MeshFormat::Mesh);
});
