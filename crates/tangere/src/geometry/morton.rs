//! Morton codes: the bits of integer coordinates, interleaved.

/// Spaces the bits of a coordinate below 2^21 for a Morton code: two zeros between neighbouring
/// bits.
#[inline]
pub(crate) fn spaced(mut x: u64) -> u64 {
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}
