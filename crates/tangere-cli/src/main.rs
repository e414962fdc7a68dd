//! The program `tangere`.
fn main() {}
