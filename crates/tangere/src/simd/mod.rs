//! SIMD: batches of eight lanes (four where noted), in f32 and f64, with masks.
//!
//! | file | what |
//! |---|---|
//! | `plain_f32x8` | eight lanes of f32 as plain arrays, and masks of lanes |
//! | `widest` | plain loops compiled for AVX2 where the machine has it |
//! | `f32x8` | eight lanes of f32 in registers, for conservative filters |
//! | `f64x4` | four lanes of f64 in registers, for the parts of f32 kernels that need f64 |
//! | `f64x8` | eight lanes of f64 in registers, with the same bits on every machine |
//! | `arctangent` | `atan2` of eight lanes of f64 |
//! | `prefetch` | loads an item into the cache before it is read |

mod arctangent;
mod f32x8;
mod f64x4;
mod f64x8;
mod plain_f32x8;
mod prefetch;
mod widest;

pub(crate) use arctangent::atan2;
#[cfg(test)]
pub(crate) use f32x8::Portable;
pub(crate) use f32x8::{Kernel, Vector, run_widest};
pub(crate) use f64x4::Doubles;
#[cfg(test)]
pub(crate) use f64x8::run_each;
pub use f64x8::{LANES, One, RealKernel, Reals, run_reals};
pub(crate) use f64x8::{Wide, load_all, run_one, run_wide, scaled_all, splat_all};
pub(crate) use plain_f32x8::{F32x8, Lanes, Mask};
pub use prefetch::{prefetch, prefetch_lines};
pub(crate) use widest::widest;
