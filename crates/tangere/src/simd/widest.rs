//! Plain loops compiled for the widest vectors of the machine (AVX2 dispatch).

/// Calls `work`, a plain loop, compiled for the widest vectors that this machine has. Functions
/// that `work` calls must be inlined into it to profit. Products and sums are fused only where
/// `mul_add` asks for it, so that the bits are the same on every machine.
#[inline(always)]
pub(crate) fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        use std::arch::is_x86_feature_detected as has;
        if has!("avx2") && has!("fma") {
            // SAFETY: the line above found the instructions that `with_avx2` needs.
            return unsafe { with_avx2(work) };
        }
    }
    work()
}
