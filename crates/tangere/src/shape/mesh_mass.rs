//! Mass properties of a closed triangle mesh: volume, centroid and inertia tensor in closed form.
//!
//! Cost: two passes over the triangles, on all threads.
//!
//! The solid is the signed sum of the tetrahedra between an origin and the triangles, with the
//! formulas of a tetrahedron that [`MassProperties`] of convex polyhedra use. The first pass has its
//! origin in the middle of the bounding box, so that a solid far from the origin of coordinates has
//! as many digits as one near it. The second pass takes second moments about the centroid, so that
//! nothing is subtracted.
//!
//! Where shells overlap, are nested or cross themselves, space counts as often as the surface winds
//! around it: the common part of two overlapping shells twice, a cavity not at all.

use super::{MassProperties, TriMesh};
use crate::geometry::vector::{cross, dot, minus};
use crate::parallel;

impl TriMesh {
    /// Computes the mass properties of the solid that the mesh encloses, at density 1: volume,
    /// centroid, and inertia tensor about the centroid. `None` unless the mesh is closed and
    /// oriented and encloses a volume. The volume is positive, also if normals point inward.
    ///
    /// Volumes and moments of inertia beyond the range of f64 are infinite or 0.
    ///
    /// ```
    /// use tangere::generate;
    ///
    /// let cube = generate::sponge(0)?.mass_properties().ok_or("open")?;
    /// assert_eq!((cube.volume, cube.centroid), (1.0, [0.5; 3]));
    /// assert!((cube.inertia[0][0] - 1.0 / 6.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mass_properties(&self) -> Option<MassProperties> {
        let closure = self.closure();
        if !(closure.closed && closure.oriented) {
            return None;
        }
        let (bounds, count) = (self.bounds(), self.faces().len());
        // Lengths are in units of about the size, so that powers neither overflow nor underflow.
        let size = bounds.extent().into_iter().fold(0.0, f64::max);
        let exponent = libm::ilogb(size).clamp(-1000, 1000);
        let unit = libm::scalbn(1.0, -exponent);
        let given = |x: f64, power: i32| libm::scalbn(x, power * exponent);
        let center = bounds.center();
        let placed = |f: usize| self.triangle(f).map(|p| minus(p, center).map(|x| x * unit));
        let [six, x, y, z] = parallel::sums(count, |f| {
            let [a, b, c] = placed(f);
            let d = dot(a, cross(b, c));
            let moment = |k: usize| d * (a[k] + b[k] + c[k]);
            [d, moment(0), moment(1), moment(2)]
        });
        // A sum that is not finite, or without volume, has no centroid.
        if !six.is_finite() || six == 0.0 {
            return None;
        }
        let centroid = [x, y, z].map(|m| m / (4.0 * six));
        let [xx, yy, zz, xy, xz, yz] = parallel::sums(count, |f| {
            let [a, b, c] = placed(f).map(|p| minus(p, centroid));
            let d = dot(a, cross(b, c)) / 120.0;
            let s = [0, 1, 2].map(|k| a[k] + b[k] + c[k]);
            let second =
                |i: usize, j: usize| d * (s[i] * s[j] + (a[i] * a[j] + b[i] * b[j] + c[i] * c[j]));
            [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|(i, j)| second(i, j))
        });
        let outward = six.signum();
        let tensor = [
            [yy + zz, -xy, -xz],
            [-xy, xx + zz, -yz],
            [-xz, -yz, xx + yy],
        ];
        Some(MassProperties {
            volume: given(six.abs() / 6.0, 3),
            centroid: [0, 1, 2].map(|k| center[k] + given(centroid[k], 1)),
            inertia: tensor.map(|row| row.map(|x| given(outward * x, 5) + 0.0)),
        })
    }
}
