//! Random particles in a box: the benchmarks of leszczynski2004 (section 3).
//!
//! They are reproducible input for `pairs`. Cost: linear in the number of particles.
//!
//! Centres are uniform in the box `[0, nx]^D` whose edge follows from the number density,
//! `count / nx^D = density`. Particles may overlap: the tests count contacts.
//!
//! *Deviates:* the paper draws diameters uniformly in an interval. Log-uniform and volume-weighted
//! diameters and one huge particle are added here, because methods differ most where sizes do
//! (tables 1 to 3 of the paper hint at that).

use super::random::Random;
use super::reserved;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::COORDINATE_MAX;
use crate::names::names;
use crate::shape::Spheres;

/// The distribution of the random diameters of particles in the interval `[lo, hi]` of diameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sizes {
    /// Diameters are distributed uniformly in the interval.
    #[default]
    Uniform,
    /// The logarithms of diameters are distributed uniformly. So all octaves of diameters have the
    /// same expected number of particles.
    Log,
    /// The particles of each octave of diameters have the same expected total volume (in 2D: area).
    /// The density of the distribution of diameters `d` is proportional to `d^-(D+1)`: there are
    /// few large and many small particles.
    Volume,
}

names! {
    Sizes, Sizes {
        Uniform = "uniform",
        Log = "log",
        Volume = "volume",
    }
}

/// Parameters of random particles in a box.
#[derive(Clone, Debug, PartialEq)]
pub struct ParticleBox {
    /// The number of particles.
    pub count: usize,
    /// The smallest and the largest diameter of the particles, except the huge one.
    pub diameters: [f64; 2],
    /// The number of particles in a unit of volume (in 2D: area).
    pub density: f64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The distribution of the diameters.
    pub sizes: Sizes,
    /// The diameter of one huge particle, if there is to be one. It is the last of the `count`
    /// particles and lies in the middle of the box. The other particles are the same with and
    /// without it.
    pub huge: Option<f64>,
}

impl ParticleBox {
    /// Returns the particles of test A of leszczynski2004, crowded: diameters 0.05 to 0.1. The
    /// number of contacts in the paper is 87% (2D) and 90% (3D) of the number of particles.
    pub fn test_a(dimension: usize, count: usize, seed: u64) -> Self {
        Self::test(dimension, count, seed, [0.05, 0.1])
    }

    /// Returns the particles of test B of leszczynski2004: diameters 0.02 to 0.05. The number of
    /// contacts in the paper is 19% (2D) and 10% (3D) of the number of particles.
    pub fn test_b(dimension: usize, count: usize, seed: u64) -> Self {
        Self::test(dimension, count, seed, [0.02, 0.05])
    }

    /// Returns the particles of test C of leszczynski2004, sparse: diameters 0.005 to 0.02. The
    /// number of contacts in the paper is 2% of the number of particles in 2D. For 3D the paper
    /// prints 4%; its own data give 0.48%, which is `density / 2` times the mean volume in which
    /// two particles touch.
    pub fn test_c(dimension: usize, count: usize, seed: u64) -> Self {
        Self::test(dimension, count, seed, [0.005, 0.02])
    }

    /// Returns the particles of a test of leszczynski2004, with a density of 100 in 2D and 1000 in
    /// 3D.
    fn test(dimension: usize, count: usize, seed: u64, diameters: [f64; 2]) -> Self {
        Self {
            count,
            diameters,
            density: std::iter::repeat_n(10.0, dimension).product(),
            seed,
            sizes: Sizes::Uniform,
            huge: None,
        }
    }

    /// Returns the edge of the box of particles in `dimension` dimensions.
    pub fn edge(&self, dimension: usize) -> f64 {
        root(self.count as f64 / self.density, dimension)
    }

    /// Rejects invalid settings of particles. The error names the first invalid setting.
    pub(super) fn check(&self, dimension: usize) -> Result<()> {
        let [lo, hi] = self.diameters;
        if !(lo <= hi && lo >= 0.0 && hi <= COORDINATE_MAX) {
            return Err(Error::argument(
                Argument::Diameters,
                format!("{},{}", number(lo), number(hi)),
                "two finite numbers, 0 <= LO <= HI",
            ));
        }
        if lo == 0.0 && self.sizes != Sizes::Uniform {
            return Err(Error::argument(
                Argument::Diameters,
                format!("{},{}", number(lo), number(hi)),
                format!("LO > 0 when sizes are {}", self.sizes),
            ));
        }
        if !(self.density > 0.0 && self.density.is_finite()) {
            return Err(Error::argument(
                Argument::Density,
                number(self.density),
                "a finite number above 0",
            ));
        }
        // Indices of particles are u32.
        if self.count > u32::MAX as usize {
            return Err(Error::argument(
                Argument::Count,
                self.count,
                format!("0 to {}", u32::MAX),
            ));
        }
        if self.edge(dimension) > COORDINATE_MAX {
            return Err(Error::argument(
                Argument::Density,
                number(self.density),
                format!("a box with an edge of at most {COORDINATE_MAX:e}"),
            ));
        }
        match self.huge {
            Some(d) if !(0.0..=COORDINATE_MAX).contains(&d) => Err(Error::argument(
                Argument::Huge,
                number(d),
                "a finite diameter that is not negative",
            )),
            Some(_) if self.count == 0 => Err(Error::argument(
                Argument::Huge,
                "a count of 0",
                "at least one particle, the huge one",
            )),
            _ => Ok(()),
        }
    }

    /// Iterates over the diameters of particles that the random numbers of the seed give. For each
    /// particle, the numbers for the coordinates of its centre are drawn first and skipped.
    pub(super) fn drawn(&self, dimension: usize) -> impl Iterator<Item = f64> {
        let mut random = Random::new(self.seed);
        (0..self.count).map(move |_| {
            for _ in 0..dimension {
                random.unit();
            }
            self.diameter(random.unit(), dimension)
        })
    }

    /// Returns the diameter of a particle at which the cumulative distribution of diameters is `u`,
    /// in `[0, 1)`.
    fn diameter(&self, u: f64, dimension: usize) -> f64 {
        let [lo, hi] = self.diameters;
        let d = match self.sizes {
            Sizes::Uniform => lo + u * (hi - lo),
            Sizes::Log => lo * libm::exp(u * libm::log(hi / lo)),
            // The cumulative distribution of the density `d^-(D+1)` is
            // `u = (lo^-D - d^-D) / (lo^-D - hi^-D)`.
            Sizes::Volume => {
                let ratio: f64 = std::iter::repeat_n(lo / hi, dimension).product();
                lo / root(1.0 - u * (1.0 - ratio), dimension)
            }
        };
        d.clamp(lo, hi)
    }
}

/// Returns the `dimension`-th root of `x`: the edge of the box of particles, if `x` is its volume.
/// The functions of the `libm` crate are computed in Rust and so give the same bits everywhere,
/// unlike those of the platforms.
fn root(x: f64, dimension: usize) -> f64 {
    match dimension {
        1 => x,
        2 => x.sqrt(),
        3 => libm::cbrt(x),
        _ => libm::pow(x, 1.0 / dimension as f64),
    }
}

/// Returns random particles: discs (`D = 2`) or spheres (`D = 3`) at random positions in a box.
///
/// # Errors
/// If the diameters are not an interval of finite numbers from 0 up (above 0
/// for `Log` and `Volume`), the density is not positive, the count is above
/// `u32::MAX`, or there is a huge particle but the count is 0.
///
/// ```
/// use tangere::generate::{ParticleBox, particles};
/// let discs = particles::<2>(&ParticleBox::test_a(2, 1000, 42))?;
/// assert_eq!(discs.len(), 1000);
/// # Ok::<(), tangere::Error>(())
/// ```
pub fn particles<const D: usize>(settings: &ParticleBox) -> Result<Spheres<D>> {
    settings.check(D)?;
    let edge = settings.edge(D);
    let mut centers = reserved(settings.count)?;
    let mut radii = reserved(settings.count)?;
    let mut random = Random::new(settings.seed);
    for _ in 0..settings.count {
        centers.push(std::array::from_fn(|_| edge * random.unit()));
        radii.push(0.5 * settings.diameter(random.unit(), D));
    }
    if let (Some(d), Some(center), Some(radius)) =
        (settings.huge, centers.last_mut(), radii.last_mut())
    {
        *center = [0.5 * edge; D];
        *radius = 0.5 * d;
    }
    Spheres::new(centers, radii)
}
