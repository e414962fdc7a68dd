//! SIMD: batches of eight lanes, in f32 and f64, with masks.
//!
//! | file | what |
//! |---|---|
//! | `plain_f32x8` | eight lanes of f32 as plain arrays, and masks of lanes |
//! | `f32x8` | eight lanes of f32 in registers, for conservative filters |
//! | `f64x8` | eight lanes of f64 in registers, with the same bits on every machine |
//! | `arctangent` | `atan2` of eight lanes of f64 |

mod arctangent;
mod f32x8;
mod f64x8;
mod plain_f32x8;

pub(crate) use arctangent::atan2;
#[cfg(test)]
pub(crate) use f32x8::Portable;
pub(crate) use f32x8::{Doubles, Kernel, Vector, run_widest};
#[cfg(test)]
pub(crate) use f64x8::run_each;
pub(crate) use f64x8::{
    LANES, One, RealKernel, Reals, Wide, load_all, run_one, run_reals, run_wide, scaled_all,
    splat_all,
};

pub(crate) use plain_f32x8::{F32x8, Lanes, Mask};

/// Prefetches the first and last byte of an item that will be read soon; an index out of range does
/// nothing.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(item).cast::<i8>();
        // SAFETY: a prefetch changes nothing and faults on no address; SSE is part
        // of every x86-64.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(start);
            if size_of::<T>() > 8 {
                _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(size_of::<T>() - 1));
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

/// Calls `work` compiled for the widest vectors that this machine has. Functions that `work` calls
/// must be inlined into it to profit.
#[inline(always)]
pub(crate) fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the line above found the instructions that `with_avx2` needs.
            return unsafe { with_avx2(work) };
        }
    }
    work()
}
