//! Triangle packet: distances from a point to eight triangles in lanes, in f32 with a proven error
//! bound.
//!
//! Every triangle has axes of its own: x along its longest side, from one end of it, y toward the
//! third corner, z along the normal. Its height splits it into two right triangles. For a point on
//! the left of the height, the nearest point is in the left half: the segment to a point of the
//! right half would cross the line of the height, and there the height, or its nearer end, is
//! nearer. So the point is mirrored into one half with legs `L` and `H` and hypotenuse `l`, with
//! the right angle at the origin and `x >= 0`:
//!
//! ```text
//! y < 0:    the square is  max(x - L, 0)^2 + y^2;
//! y >= 0:   s = (H (x - L) + L y) / l   to the line of the hypotenuse, outward,
//!           t = (H y - L (x - L)) / l   along it,
//!           the square is  max(s, 0)^2 + max(-t, t - l, 0)^2,
//! ```
//!
//! and `z^2` is added. Both formulas are distances from convex sets, so each changes by no more
//! than the point moves, and they agree at `y = 0`: where rounding picks the wrong one, the error
//! is no more than rounding.
//!
//! **Error.** With `u = 2^-24`, the point `p` and the corner `a` are rounded by `u` of themselves,
//! their difference `q` once more, axes by `u`, products with them by `3 u |q|`: coordinates are
//! off by at most `6 u (|p| + |a|)`. Lengths of the triangle are off by `u` of its size `b`, the
//! direction of the hypotenuse by `3 u`, products with it by `3 u`: `s`, `t`, `x` and `y` are off
//! by at most `16 u (|p| + |a| + b)` in all, and their root of squares by `32 u (|p| + |a| + b)`,
//! its own rounding included. [`MARGIN`] is twice that. The distance in f64 is off by a few `2^-53`
//! of these lengths.

use crate::closest::obb_tree::{MARGIN, TINY, across};
use crate::geometry::vector::{cross, dot, minus};
use crate::simd::Vector;

/// In lanes of a packet that have no triangle, each coordinate of the stored corner is this: far
/// from all points, but its square does not overflow.
const AWAY: f32 = 1e18;

/// A packet: up to eight triangles in lanes, for their distances from a point.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Packet {
    corner: [[f32; 8]; 3],
    axes: [[[f32; 8]; 3]; 3],
    /// The lengths of the two parts of the longest side of each triangle, before and after the foot
    /// of the height; indexed by part and lane.
    legs: [[f32; 8]; 2],
    height: [f32; 8],
    /// Inverse lengths of the hypotenuses of the two right triangles into which the height splits
    /// each triangle of the packet; indexed by right triangle and lane.
    inverse: [[f32; 8]; 2],
    /// For each lane the index of its triangle in the mesh.
    pub faces: [u32; 8],
    /// Mask of the lanes that have a triangle.
    pub used: u32,
    /// Bound of the error of distances in f32: the part that comes from the coordinates of the
    /// triangles, the largest of all lanes. The part that comes from the query point is added by
    /// the search.
    pub margin: f32,
}

impl Packet {
    /// A packet of one to eight triangles in lanes. Their coordinates are at most 1 in magnitude,
    /// and `faces` are their indices in the mesh.
    pub fn new(triangles: &[[[f64; 3]; 3]], faces: &[u32]) -> Self {
        let mut packet = Packet {
            corner: [[AWAY; 8]; 3],
            axes: [[[0.0; 8]; 3]; 3],
            legs: [[0.0; 8]; 2],
            height: [1.0; 8],
            inverse: [[1.0; 8]; 2],
            faces: [u32::MAX; 8],
            used: 0,
            margin: 0.0,
        };
        for k in 0..3 {
            packet.axes[k][k] = [1.0; 8];
        }
        for (i, (&triangle, &face)) in triangles.iter().zip(faces).enumerate().take(8) {
            let flat = Flat::new(triangle);
            for k in 0..3 {
                packet.corner[k][i] = flat.corner[k] as f32;
                for j in 0..3 {
                    packet.axes[k][j][i] = flat.axes[k][j] as f32;
                }
            }
            for half in 0..2 {
                packet.legs[half][i] = flat.legs[half] as f32;
                let (leg, height) = (flat.legs[half], flat.height);
                let hypotenuse = (leg * leg + height * height).sqrt();
                packet.inverse[half][i] = (1.0 / hypotenuse) as f32;
            }
            packet.height[i] = flat.height as f32;
            packet.faces[i] = face;
            packet.used |= 1 << i;
            let size: f64 =
                flat.corner.iter().map(|x| x.abs()).sum::<f64>() + (flat.legs[0] + flat.legs[1]);
            packet.margin = packet.margin.max(size as f32 * MARGIN + TINY);
        }
        packet
    }

    /// The squared distances from a point to the triangles of the packet, in lanes.
    #[inline(always)]
    pub fn squares<V: Vector>(&self, p: [V; 3]) -> V {
        let q0 = p[0].sub(V::load(&self.corner[0]));
        let q1 = p[1].sub(V::load(&self.corner[1]));
        let q2 = p[2].sub(V::load(&self.corner[2]));
        let along = |axis: &[[f32; 8]; 3]| {
            let last = V::load(&axis[2]).mul(q2);
            let both = V::load(&axis[1]).mul_add(q1, last);
            V::load(&axis[0]).mul_add(q0, both)
        };
        let (x, y, z) = (
            along(&self.axes[0]),
            along(&self.axes[1]),
            along(&self.axes[2]),
        );
        let zero = V::splat(0.0);
        let (first, second) = (V::load(&self.legs[0]), V::load(&self.legs[1]));
        let beyond = x.sub(first);
        let leg = beyond.by_sign(first, second);
        let inverse = beyond.by_sign(V::load(&self.inverse[0]), V::load(&self.inverse[1]));
        let height = V::load(&self.height);
        let w = beyond.abs().sub(leg);
        let out = height.mul_add(w, leg.mul(y)).mul(inverse);
        let along = height.mul(y).sub(leg.mul(w)).mul(inverse);
        let hypotenuse = height.mul_add(height, leg.mul(leg)).mul(inverse);
        let over = along.sub(hypotenuse).max(zero.sub(along)).max(zero);
        let out = out.max(zero);
        let above = out.mul_add(out, over.mul(over));
        let side = w.max(zero);
        let below = side.mul_add(side, y.mul(y));
        z.mul_add(z, y.by_sign(below, above))
    }
}

/// A triangle in axes of its own: x along its longest side, y toward the third corner, z along the
/// normal.
struct Flat {
    corner: [f64; 3],
    axes: [[f64; 3]; 3],
    legs: [f64; 2],
    height: f64,
}

impl Flat {
    /// The axes and lengths of one triangle of a packet.
    fn new(triangle: [[f64; 3]; 3]) -> Self {
        let square = |k: usize| {
            let edge = minus(triangle[(k + 1) % 3], triangle[k]);
            dot(edge, edge)
        };
        let squares = [square(0), square(1), square(2)];
        let longest = (1..3).fold(0, |l, k| if squares[k] > squares[l] { k } else { l });
        let [a, b, c] = [0, 1, 2].map(|k| triangle[(longest + k) % 3]);
        let base = squares[longest].sqrt();
        let tiny = f64::from(TINY);
        if base < tiny {
            return Flat {
                corner: a,
                axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                legs: [0.0; 2],
                height: tiny,
            };
        }
        let x = minus(b, a).map(|d| d / base);
        let rest = minus(c, a);
        let foot = dot(x, rest).clamp(0.0, base);
        let rest = std::array::from_fn(|k| rest[k] - foot * x[k]);
        let height = dot(rest, rest).sqrt();
        let y = across(x, rest);
        Flat {
            corner: a,
            axes: [x, y, cross(x, y)],
            legs: [foot, base - foot],
            height: height.max(tiny),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::triangle::closest_on_triangle;
    use crate::simd::{Kernel, Portable, run_widest};
    use test_support::Random;

    struct Squares<'a>(&'a Packet, [f32; 3]);

    impl Kernel for Squares<'_> {
        type Output = [f32; 8];
        fn run<V: Vector>(self) -> [f32; 8] {
            let mut out = [0.0; 8];
            let squares = self.0.squares(self.1.map(V::splat));
            squares.store(&mut out);
            out
        }
    }

    /// Triangle `i` of a random series with triangles of all sizes, among them needles, caps and
    /// points.
    fn triangle(i: usize, random: &mut Random) -> [[f64; 3]; 3] {
        let size = [1.0, 1e-2, 1e-5, 1e-9, 1e-20][i % 5] * 0.3;
        let mut point = |size: f64| random.vector(size);
        let (a, ab, ac) = (point(0.6), point(size), point(size));
        let thin = [1.0, 1e-4, 1e-8, 1e-12, 0.0][i / 5 % 5];
        let on = [0.0, 0.5, 1.0, -0.7][i / 25 % 4];
        let at = |v: f64, w: f64| std::array::from_fn(|k| a[k] + v * ab[k] + w * ac[k]);
        let mut corners = [a, at(1.0, 0.0), at(on, thin)];
        corners.rotate_left(i / 100 % 3);
        if i.is_multiple_of(97) {
            [a; 3]
        } else {
            corners
        }
    }

    #[test]
    fn distances_are_off_by_less_than_half_the_margin() {
        let mut random = Random::new(7);
        let (mut worst, mut total) = (0.0f64, 0);
        for i in 0..4000 {
            let triangles: Vec<_> = (0..1 + i % 8)
                .map(|k| triangle(8 * i + k, &mut random))
                .collect();
            let faces: Vec<u32> = (0..triangles.len() as u32).collect();
            let packet = Packet::new(&triangles, &faces);
            assert_eq!(packet.used.count_ones() as usize, triangles.len());
            let [a, b, c] = triangles[i % triangles.len()];
            let reach = [0.0, 1e-7, 1e-3, 1.0, 100.0][i % 5];
            let on = [a, b, c, std::array::from_fn(|k| (a[k] + b[k]) / 2.0)][i / 5 % 4];
            let p: [f64; 3] = on.map(|x| x + reach * random.signed());
            let packed = p.map(|x| x as f32);
            let error = packed.iter().map(|x| x.abs()).sum::<f32>() * MARGIN + TINY;
            let squares = run_widest(Squares(&packet, packed));
            let portable = Squares(&packet, packed).run::<Portable>();
            for (k, &triangle) in triangles.iter().enumerate() {
                let exact = closest_on_triangle(p, triangle).distance_squared.sqrt();
                for square in [squares[k], portable[k]] {
                    let off = (f64::from(square).sqrt() - exact).abs();
                    worst = worst.max(off / f64::from(error + packet.margin));
                    total += 1;
                }
            }
            for k in triangles.len()..8 {
                assert!(squares[k] > 1e30);
            }
        }
        assert!(total > 30_000);
        assert!(worst > 1e-3 && worst < 0.5, "{worst}");
    }

    #[test]
    fn axes_are_at_right_angles() {
        let mut random = Random::new(8);
        for i in 0..3000 {
            let flat = Flat::new(triangle(i, &mut random));
            for j in 0..3 {
                for k in 0..3 {
                    let unit = f64::from(u8::from(j == k));
                    assert!(
                        (dot(flat.axes[j], flat.axes[k]) - unit).abs() < 1e-12,
                        "{i}"
                    );
                }
            }
        }
    }
}
