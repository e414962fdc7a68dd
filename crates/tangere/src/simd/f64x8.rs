//! Eight lanes of f64, with the same bits on every machine.
//!
//! For kernels that compute the same for eight items at a time: they are written once, for any
//! [`Reals`], and [`run_reals`] runs them with the widest registers that the machine has.
//!
//! Every operation is rounded by IEEE 754, lane by lane. A product with a sum is always fused
//! ([`Reals::mul_add`]), in software where a machine has no such instruction. There are eight lanes
//! on every machine, so that sums over lanes, too, do not depend on the machine.

use std::ops::{Add, Mul, Sub};

mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use scalar::One;
pub(crate) use scalar::run_one;

/// The constant of the fast inverse square root: the bit pattern of `x`, shifted right by one, is
/// subtracted from it and leaves the bit pattern of an approximation of `1 / sqrt(x)`. Of all
/// constants, this one gives the smallest relative error.
const MAGIC: u64 = 0x5fe6_eb50_c7b5_37a9;

/// The mask of the exponent bits of an f64.
const EXPONENT: u64 = 0x7ff0_0000_0000_0000;

/// The sum of the bit patterns of a power of two and of its inverse as f64. Subtracting the pattern
/// of one from it gives that of the other.
const INVERSE: u64 = 0x7fe0_0000_0000_0000;

/// The number of lanes of [`Reals`].
pub const LANES: usize = 8;

/// Eight lanes of f64 in the registers of some machine.
pub trait Reals: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// The mask type of eight f64 lanes: whether a condition holds in each lane.
    type Mask: Copy;
    /// Returns eight f64 lanes with the same value.
    fn splat(x: f64) -> Self;
    /// Loads eight f64 lanes.
    fn load(values: &[f64; LANES]) -> Self;
    /// Loads the first four of eight f64 lanes; the others are 0.
    fn load_half(values: &[f64; LANES / 2]) -> Self;
    /// Returns eight f64 lanes with the first and the last four exchanged.
    fn swapped_halves(self) -> Self;
    /// Stores eight f64 lanes.
    fn store(self, out: &mut [f64; LANES]);
    /// Returns `self * factor + term` in each f64 lane, rounded once.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// Returns `term - self * factor` in each f64 lane, rounded once.
    fn neg_mul_add(self, factor: Self, term: Self) -> Self;
    /// Returns the quotient in each f64 lane.
    fn div(self, other: Self) -> Self;
    /// Returns the square root of each f64 lane.
    fn sqrt(self) -> Self;
    /// Returns the absolute value of each f64 lane.
    fn abs(self) -> Self;
    /// Returns an approximation of `1 / sqrt(self)` in each f64 lane, with a relative error of up
    /// to 3.5%, if `self` is normal and positive. The bit pattern of `self`, shifted right by one,
    /// is subtracted from a constant.
    fn rough_inverse_sqrt(self) -> Self;
    /// Returns, in each f64 lane, the inverse of the largest power of two that is not above
    /// `self`, if `self` is normal and below 2^1023; 2^1023 for 0 and subnormal numbers.
    fn inverse_power(self) -> Self;
    /// Returns the mask of the eight f64 lanes where `self < other`.
    fn below(self, other: Self) -> Self::Mask;
    /// Returns, in each f64 lane, `self` where the mask is set, else 0.
    fn only(self, mask: Self::Mask) -> Self;
    /// Returns, in each f64 lane, `yes` where the mask is set, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Returns the lesser of each two of eight f64 lanes; `other` where either is NaN.
    fn min(self, other: Self) -> Self;
    /// Returns the greater of each two of eight f64 lanes; `other` where either is NaN.
    fn max(self, other: Self) -> Self;
    /// Returns the transpose of an 8 x 8 matrix, in f64 lanes: lane `j` of row `i` of the result is
    /// entry `i` of `rows[j]`.
    fn transposed(rows: [&[f64; LANES]; LANES]) -> [Self; LANES];
    /// Returns the transpose of an 8 x 8 matrix of f64 lanes: lane `j` of the result `i` is lane `i` of
    /// `rows[j]`.
    fn transpose(rows: [Self; LANES]) -> [Self; LANES];
    /// As [`transposed`](Self::transposed), with rows whose first and last four entries are in
    /// different places.
    fn transposed_halves(
        low: [&[f64; LANES / 2]; LANES],
        high: [&[f64; LANES / 2]; LANES],
    ) -> [Self; LANES];
    /// Returns the mask of the lanes where both are set.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns the mask of the lanes where one of both is set.
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns the mask of the eight f64 lanes where `a` is set and `b` is not.
    fn and_not(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns the mask of eight f64 lanes as an integer, with one bit for each lane.
    fn bits(mask: Self::Mask) -> u32;

    /// Lists which of sixteen values are at most `limit`, in order, counted from `first`. Returns how many
    /// there are; the rest of `out` has any numbers.
    #[inline(always)]
    fn list_at_most(
        values: &[f32; 2 * LANES],
        limit: f32,
        first: u32,
        out: &mut [u32; 2 * LANES],
    ) -> usize {
        let mut any = false;
        for value in values {
            any |= *value <= limit;
        }
        let mut count = 0;
        if any {
            // Without a branch for each.
            for (number, value) in (first..).zip(values) {
                out[count % (2 * LANES)] = number;
                count += usize::from(*value <= limit);
            }
        }
        count
    }

    /// Returns `1 / sqrt(self)` in each f64 lane, to a few units in the last place, if `self` is
    /// normal and positive; NaN for 0. It takes a third of the time of a square root.
    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        let half = self * Self::splat(0.5);
        let mut y = self.rough_inverse_sqrt();
        // The errors of Newton's iteration are 3.5e-2, 1.8e-3, 4.9e-6, 3.6e-11, 2e-21.
        for _ in 0..4 {
            let rest = half.neg_mul_add(y * y, Self::splat(0.5));
            y = y.mul_add(rest, y);
        }
        y
    }

    /// Returns the sum of the eight f64 lanes, in a fixed order.
    #[inline(always)]
    fn sum(self) -> f64 {
        let mut v = [0.0; LANES];
        self.store(&mut v);
        ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))
    }
}

// Arrays are not mapped by closures: `array::map` is not always inlined, and code that
// is not inlined is compiled without the wide registers.

/// Loads several rows of eight f64 lanes.
#[inline(always)]
pub(crate) fn load_all<V: Reals, const N: usize>(lanes: &[[f64; LANES]; N]) -> [V; N] {
    let mut out = [V::splat(0.0); N];
    for i in 0..N {
        out[i] = V::load(&lanes[i]);
    }
    out
}

/// Broadcasts each of several numbers to eight f64 lanes.
#[inline(always)]
pub(crate) fn splat_all<V: Reals, const N: usize>(values: [f64; N]) -> [V; N] {
    let mut out = [V::splat(0.0); N];
    for i in 0..N {
        out[i] = V::splat(values[i]);
    }
    out
}

/// Multiplies several rows of eight f64 lanes by one factor.
#[inline(always)]
pub(crate) fn scaled_all<V: Reals, const N: usize>(mut values: [V; N], factor: V) -> [V; N] {
    for value in &mut values {
        *value = *value * factor;
    }
    values
}

/// Eight complex numbers in memory, for f64 lanes: the eight real parts, then the eight imaginary
/// parts.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Wide(pub(crate) [[f64; LANES]; 2]);

impl Wide {
    /// Loads the eight complex numbers into f64 lanes, real parts first.
    #[inline(always)]
    pub(crate) fn load<V: Reals>(&self) -> [V; 2] {
        load_all(&self.0)
    }

    /// Stores f64 lanes of real and of imaginary parts as eight complex numbers.
    #[inline(always)]
    pub(crate) fn store<V: Reals>(&mut self, [re, im]: [V; 2]) {
        re.store(&mut self.0[0]);
        im.store(&mut self.0[1]);
    }
}

/// A kernel: work that is compiled for each kind of [`Reals`]. Functions that it calls must be
/// inlined into it to profit.
pub trait RealKernel {
    /// What the kernel returns.
    type Output;
    /// Runs the kernel with eight f64 lanes of the type `V`.
    fn run<V: Reals>(self) -> Self::Output;
}

/// Runs a kernel of eight f64 lanes with the widest registers that this machine has.
#[inline(always)]
pub fn run_reals<K: RealKernel>(kernel: K) -> K::Output {
    run_wide(kernel).unwrap_or_else(|kernel| kernel.run::<Plain>())
}

/// Runs a kernel of eight f64 lanes with AVX-512 or AVX2 registers, or returns the kernel if this
/// machine has neither.
#[inline(always)]
pub(crate) fn run_wide<K: RealKernel>(kernel: K) -> Result<K::Output, K> {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
        fn with_avx512<K: RealKernel>(kernel: K) -> K::Output {
            kernel.run::<x86::Avx512>()
        }
        #[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
        fn with_avx2<K: RealKernel>(kernel: K) -> K::Output {
            kernel.run::<x86::Avx2>()
        }
        match registers() {
            // SAFETY: they were found to be there.
            Registers::Avx512 => return Ok(unsafe { with_avx512(kernel) }),
            // SAFETY: they were found to be there.
            Registers::Avx2 => return Ok(unsafe { with_avx2(kernel) }),
            Registers::Narrow => {}
        }
    }
    Err(kernel)
}

/// The kinds of registers in which a machine can hold eight f64 lanes, from narrow to wide.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(u8)]
enum Registers {
    Narrow = 1,
    Avx2,
    Avx512,
}

/// Returns the kind of the widest registers that this machine has for eight f64 lanes. After the
/// first call this is a single load from memory, because kernels may be as short as a hundred
/// instructions.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn registers() -> Registers {
    use std::sync::atomic::{AtomicU8, Ordering};
    static FOUND: AtomicU8 = AtomicU8::new(0);
    /// Finds the kind of the widest registers of this machine for eight f64 lanes, from its
    /// instructions.
    #[cold]
    fn find() -> Registers {
        use std::arch::is_x86_feature_detected as has;
        let is_wide = has!("avx2")
            && has!("fma")
            && has!("popcnt")
            && has!("bmi1")
            && has!("bmi2")
            && has!("lzcnt");
        let found = match (is_wide, has!("avx512f")) {
            (true, true) => Registers::Avx512,
            (true, false) => Registers::Avx2,
            _ => Registers::Narrow,
        };
        FOUND.store(found as u8, Ordering::Relaxed);
        found
    }
    match FOUND.load(Ordering::Relaxed) {
        3 => Registers::Avx512,
        2 => Registers::Avx2,
        1 => Registers::Narrow,
        _ => find(),
    }
}

/// Runs a kernel of eight f64 lanes with registers of each kind that this machine has.
#[cfg(test)]
pub(crate) fn run_each<K: RealKernel + Clone>(kernel: K) -> Vec<K::Output> {
    #[allow(unused_mut)]
    let mut outputs = Vec::from_iter(run_wide(kernel.clone()).ok());
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        #[target_feature(enable = "avx2,fma")]
        fn with_avx2<K: RealKernel>(kernel: K) -> K::Output {
            kernel.run::<x86::Avx2>()
        }
        if has!("avx2") && has!("fma") {
            // SAFETY: the line above found the instructions that `with_avx2` needs.
            outputs.push(unsafe { with_avx2(kernel) });
        }
    }
    outputs
}

/// Eight lanes of f64 as a plain array, for any machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain([f64; LANES]);

impl Plain {
    /// Returns `f(self, other)` in each of the eight f64 lanes.
    #[inline(always)]
    fn map2(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Plain(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Add for Plain {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map2(other, |a, b| a + b)
    }
}

impl Sub for Plain {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map2(other, |a, b| a - b)
    }
}

impl Mul for Plain {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.map2(other, |a, b| a * b)
    }
}

impl Reals for Plain {
    type Mask = u32;
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Plain([x; LANES])
    }
    #[inline(always)]
    fn load(values: &[f64; LANES]) -> Self {
        Plain(*values)
    }
    #[inline(always)]
    fn load_half(values: &[f64; LANES / 2]) -> Self {
        Plain(std::array::from_fn(|i| {
            values.get(i).copied().unwrap_or(0.0)
        }))
    }
    #[inline(always)]
    fn swapped_halves(self) -> Self {
        Plain(std::array::from_fn(|i| self.0[(i + LANES / 2) % LANES]))
    }
    #[inline(always)]
    fn store(self, out: &mut [f64; LANES]) {
        *out = self.0;
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Plain(std::array::from_fn(|i| {
            self.0[i].mul_add(factor.0[i], term.0[i])
        }))
    }
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        Plain(std::array::from_fn(|i| {
            (-self.0[i]).mul_add(factor.0[i], term.0[i])
        }))
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.map2(other, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Plain(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Plain(self.0.map(f64::abs))
    }
    #[inline(always)]
    fn rough_inverse_sqrt(self) -> Self {
        Plain(
            self.0
                .map(|x| f64::from_bits(MAGIC.wrapping_sub(x.to_bits() >> 1))),
        )
    }
    #[inline(always)]
    fn inverse_power(self) -> Self {
        let inverse = |x: f64| f64::from_bits(INVERSE.wrapping_sub(x.to_bits() & EXPONENT));
        Plain(self.0.map(inverse))
    }
    #[inline(always)]
    fn below(self, other: Self) -> u32 {
        (0..LANES).fold(0, |bits, i| bits | u32::from(self.0[i] < other.0[i]) << i)
    }
    #[inline(always)]
    fn only(self, mask: u32) -> Self {
        Plain(std::array::from_fn(|i| {
            if mask >> i & 1 == 1 { self.0[i] } else { 0.0 }
        }))
    }
    #[inline(always)]
    fn select(mask: u32, yes: Self, no: Self) -> Self {
        Plain(std::array::from_fn(|i| {
            if mask >> i & 1 == 1 {
                yes.0[i]
            } else {
                no.0[i]
            }
        }))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.map2(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.map2(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn transposed(rows: [&[f64; LANES]; LANES]) -> [Self; LANES] {
        std::array::from_fn(|i| Plain(std::array::from_fn(|j| rows[j][i])))
    }
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        Self::transposed(std::array::from_fn(|j| &rows[j].0))
    }
    #[inline(always)]
    fn transposed_halves(
        low: [&[f64; LANES / 2]; LANES],
        high: [&[f64; LANES / 2]; LANES],
    ) -> [Self; LANES] {
        const HALF: usize = LANES / 2;
        std::array::from_fn(|i| {
            Plain(std::array::from_fn(|j| match i < HALF {
                true => low[j][i],
                false => high[j][i - HALF],
            }))
        })
    }
    #[inline(always)]
    fn and(a: u32, b: u32) -> u32 {
        a & b
    }
    #[inline(always)]
    fn or(a: u32, b: u32) -> u32 {
        a | b
    }
    #[inline(always)]
    fn and_not(a: u32, b: u32) -> u32 {
        a & !b
    }
    #[inline(always)]
    fn bits(mask: u32) -> u32 {
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernel of a test: applies all operations of f64 lanes to three rows of numbers.
    #[derive(Clone)]
    struct All([[f64; LANES]; 3]);

    impl RealKernel for All {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<V: Reals>(self) -> Vec<u64> {
            let [a, b, c] = load_all::<V, 3>(&self.0);
            let less = a.below(b);
            let positive = V::splat(0.0).below(c);
            let mut found = Vec::new();
            for x in [
                a + b,
                a - b,
                a * b,
                a.mul_add(b, c),
                a.neg_mul_add(b, c),
                a.div(b),
                a.abs().sqrt(),
                b.abs().inverse_sqrt(),
                c.inverse_power(),
                a.only(less),
                b.only(V::and(less, positive)),
                c.only(V::and_not(positive, less)),
                V::select(V::or(less, positive), a, b),
                a.min(b),
                a.max(b),
                V::load_half(&[1.0, 2.0, 3.0, 4.0]),
                a.swapped_halves(),
            ] {
                let mut out = [0.0; LANES];
                x.store(&mut out);
                found.extend(out.map(f64::to_bits));
            }
            let values = std::array::from_fn(|i| match i {
                5 => f32::NAN,
                i => (7 * i % 16) as f32,
            });
            for limit in [-1.0, 6.5, 7.0, f32::INFINITY] {
                let mut listed = [0; 2 * LANES];
                let count = V::list_at_most(&values, limit, 100, &mut listed);
                found.extend(listed[..count].iter().map(|&n| u64::from(n)));
                found.push(u64::MAX);
            }
            let rows: [[f64; LANES]; LANES] =
                std::array::from_fn(|j| std::array::from_fn(|i| (8 * j + i) as f64));
            let columns = V::transposed(std::array::from_fn(|j| &rows[j]));
            for (i, column) in columns.into_iter().enumerate() {
                let mut out = [0.0; LANES];
                column.store(&mut out);
                assert_eq!(out, std::array::from_fn(|j| (8 * j + i) as f64));
            }
            found.push(u64::from(V::bits(less)));
            found.push(a.sum().to_bits());
            found
        }
    }

    /// Kernel of a test: multiplies each number twice by its inverse square root in f64 lanes,
    /// which should give 1.
    struct Ones([f64; LANES]);

    impl RealKernel for Ones {
        type Output = [f64; LANES];

        #[inline(always)]
        fn run<V: Reals>(self) -> [f64; LANES] {
            let x = V::load(&self.0);
            let y = x.inverse_sqrt();
            let mut out = [0.0; LANES];
            (x * y * y).store(&mut out);
            out
        }
    }

    #[test]
    fn inverse_roots_are_accurate() {
        for exponent in -40..40 {
            let from = 10f64.powi(7 * exponent);
            let x = std::array::from_fn(|i| from * (1.0 + 0.37 * i as f64));
            for one in run_reals(Ones(x)) {
                assert!((one - 1.0).abs() < 2e-15, "{x:?}: {one}");
            }
        }
    }

    /// Kernel of a test: multiplies each number by its [`Reals::inverse_power`] in f64 lanes.
    struct Scaled([f64; LANES]);

    impl RealKernel for Scaled {
        type Output = [f64; LANES];

        #[inline(always)]
        fn run<V: Reals>(self) -> [f64; LANES] {
            let x = V::load(&self.0);
            let mut out = [0.0; LANES];
            (x * x.inverse_power()).store(&mut out);
            out
        }
    }

    #[test]
    fn inverse_powers_leave_one_to_two() {
        let x = [1.0, 1.5, 2.0, 3.0, 7e-300, 5e300, f64::MIN_POSITIVE, 0.0];
        let expected = [1.0, 1.5, 1.0, 1.5];
        let found = run_reals(Scaled(x));
        assert_eq!(found[..4], expected);
        assert!(
            found[..7].iter().all(|x| (1.0..2.0).contains(x)),
            "{found:?}"
        );
        assert_eq!(found[7], 0.0);
    }

    #[test]
    fn lanes_have_the_same_bits_on_all_machines() {
        let a = [1.0, -0.0, 1e-300, 3.0, -7.5, 1e300, 0.1, 2.0];
        let b = [3.0, 1.0, 1e-20, 3.0, 0.3, -1e10, 0.7, -2.0];
        let c = [-3.0, 0.0, 5.0, 0.1, 1e16, 1.0, -0.07, 4.0];
        let plain = All([a, b, c]).run::<Plain>();
        for found in run_each(All([a, b, c])) {
            assert_eq!(found, plain, "registers and plain arrays");
        }
    }
}
