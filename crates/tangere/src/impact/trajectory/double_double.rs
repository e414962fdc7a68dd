//! Double-double arithmetic: numbers of about 106 bits as sums of two floats.

/// A double-double: the sum of two floats that do not overlap, about 106 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double(pub f64, pub f64);

/// The exact sum of two floats as a double-double (Knuth).
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> Double {
    let sum = a + b;
    let back = sum - a;
    Double(sum, (a - (sum - back)) + (b - back))
}

/// The exact sum of two floats, of which the first is the larger, as a double-double (Dekker).
#[inline]
fn quick_two_sum(a: f64, b: f64) -> Double {
    let sum = a + b;
    Double(sum, b - (sum - a))
}

/// The high and the low half of the mantissa of a float, for double-double products (Veltkamp
/// splitting).
#[inline]
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}

/// The exact product of two floats as a double-double (Dekker).
#[inline]
fn two_product(a: f64, b: f64) -> Double {
    let product = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    Double(product, ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0)
}

impl Double {
    /// The sum of two double-doubles. Its relative error is below 2^-104 if signs are equal;
    /// otherwise the error is below 2^-104 of the larger term.
    #[inline]
    pub fn plus(self, other: Double) -> Double {
        let high = two_sum(self.0, other.0);
        let low = two_sum(self.1, other.1);
        let sum = quick_two_sum(high.0, high.1 + low.0);
        quick_two_sum(sum.0, sum.1 + low.1)
    }

    /// The product of two double-doubles, with a relative error below 2^-100.
    #[inline]
    pub fn times(self, other: Double) -> Double {
        let product = two_product(self.0, other.0);
        quick_two_sum(product.0, product.1 + (self.0 * other.1 + self.1 * other.0))
    }

    /// The double-double of opposite sign.
    #[inline]
    pub fn negated(self) -> Double {
        Double(-self.0, -self.1)
    }
}
