//! Convex bodies and poses that are hard for the narrow phase in different ways.

use tangere::geometry::Pose;
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

/// The convex hull of points.
pub fn hull(points: &[[f64; 3]]) -> ConvexPolyhedron {
    ConvexPolyhedron::hull(points).expect("a hull")
}

/// The convex hull of points on an ellipsoid, with this number of triangles.
pub fn round(faces: usize, seed: u64) -> ConvexPolyhedron {
    let mut random = Random::new(seed);
    let points: Vec<[f64; 3]> = (0..faces / 2 + 2)
        .map(|_| {
            let [x, y, z] = random.direction();
            [0.5 * x, 0.45 * y, 0.4 * z]
        })
        .collect();
    hull(&points)
}

/// A cuboid with these edge lengths.
pub fn cuboid(size: [f64; 3]) -> ConvexPolyhedron {
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|i| std::array::from_fn(|k| size[k] * (f64::from(i >> k & 1) - 0.5)))
        .collect();
    hull(&corners)
}

/// A regular polygon of radius 0.5 if there is one height, a prism if there are two.
pub fn polygon(corners: usize, heights: &[f64]) -> ConvexPolyhedron {
    let points: Vec<[f64; 3]> = heights
        .iter()
        .flat_map(|&z| {
            (0..corners).map(move |k| {
                let angle = std::f64::consts::TAU * k as f64 / corners as f64;
                [0.5 * angle.cos(), 0.5 * angle.sin(), z]
            })
        })
        .collect();
    hull(&points)
}

/// The convex hull of a few points of a lattice.
pub fn lattice(random: &mut Random) -> ConvexPolyhedron {
    let count = 1 + random.below(10);
    let points: Vec<[f64; 3]> = (0..count)
        .map(|_| std::array::from_fn(|_| random.below(4) as f64 - 1.0))
        .collect();
    hull(&points)
}

/// A body scaled and translated in its own coordinates.
pub fn resized(shape: &ConvexPolyhedron, scale: f64, offset: [f64; 3]) -> ConvexPolyhedron {
    let points: Vec<[f64; 3]> = shape
        .vertices()
        .iter()
        .map(|v| std::array::from_fn(|k| scale * v[k] + offset[k]))
        .collect();
    hull(&points)
}

/// One body of each kind, of about unit size, with its name.
pub fn bodies() -> Vec<(String, ConvexPolyhedron)> {
    let mut all: Vec<(String, ConvexPolyhedron)> = [4, 8, 20, 40, 60, 100]
        .iter()
        .map(|&n| (format!("round {n}"), round(n, n as u64)))
        .collect();
    let mut random = Random::new(5);
    let sliver: Vec<[f64; 3]> = (0..12)
        .map(|_| {
            let [x, y, z] = random.direction();
            [x, 1e-6 * y, 1e-6 * z]
        })
        .collect();
    let tetrahedron = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    for (name, shape) in [
        ("cube", cuboid([1.0; 3])),
        ("brick", cuboid([1.0, 0.5, 0.25])),
        ("tetrahedron", hull(&tetrahedron)),
        ("prism 3", polygon(3, &[-0.4, 0.4])),
        ("prism 6", polygon(6, &[-0.4, 0.4])),
        ("prism 40", polygon(40, &[-0.4, 0.4])),
        ("point", hull(&[[0.1, 0.2, 0.3]])),
        ("segment", hull(&[[-0.5, 0.0, 0.1], [0.5, 0.2, 0.0]])),
        ("axis", hull(&[[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]])),
        ("triangle", hull(&tetrahedron[..3])),
        ("square", polygon(4, &[0.0])),
        ("disc 30", polygon(30, &[0.0])),
        ("needle", cuboid([1.0, 1e-6, 1e-6])),
        ("plate", cuboid([1.0, 1.0, 1e-6])),
        ("sliver", hull(&sliver)),
    ] {
        all.push((name.to_string(), shape));
    }
    all
}

/// A pose from its translation and quaternion.
pub fn pose(translation: [f64; 3], quaternion: [f64; 4]) -> Pose {
    let ([x, y, z], [qw, qx, qy, qz]) = (translation, quaternion);
    Pose::from_numbers(&[x, y, z, qw, qx, qy, qz]).expect("a valid pose")
}

/// The quaternion of one of the 24 rotations that permute the axes.
pub fn turn(random: &mut Random) -> [f64; 4] {
    let half = 0.5_f64.sqrt();
    match random.below(3) {
        0 => {
            let mut q = [0.0; 4];
            q[random.below(4)] = 1.0;
            q
        }
        1 => [0; 4].map(|_| if random.below(2) == 0 { 0.5 } else { -0.5 }),
        _ => {
            let mut q = [0.0; 4];
            let first = random.below(4);
            q[first] = half;
            q[(first + 1 + random.below(3)) % 4] = if random.below(2) == 0 { half } else { -half };
            q
        }
    }
}

/// The quaternion of a rotation by a small angle.
pub fn nudge(random: &mut Random, angle: f64) -> [f64; 4] {
    let [x, y, z] = random.direction();
    let (sine, cosine) = (0.5 * angle).sin_cos();
    [cosine, sine * x, sine * y, sine * z]
}

/// How the poses of two bodies are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placing {
    /// Random rotations; the centers are at most this multiple of the size apart.
    Anyhow(f64),
    /// The bodies are on a lattice, rotated by right angles.
    Lattice,
    /// The bodies are on a lattice, then rotated and moved by this little.
    Nearly(f64),
    /// The bodies have the same center.
    Concentric,
}

/// Poses of two bodies of about this size.
pub fn poses(random: &mut Random, placing: Placing, size: f64, at: [f64; 3]) -> [Pose; 2] {
    let moved = |by: [f64; 3]| std::array::from_fn(|k| at[k] + size * by[k]);
    let on_lattice = |random: &mut Random| -> [f64; 3] {
        std::array::from_fn(|_| 0.25 * (random.below(13) as f64 - 6.0))
    };
    match placing {
        Placing::Anyhow(most) => {
            let distance = most * random.unit();
            let way = random.direction::<3>().map(|x| distance * x);
            let turns = [random.direction(), random.direction()];
            [pose(at, turns[0]), pose(moved(way), turns[1])]
        }
        Placing::Lattice => {
            let turns = [turn(random), turn(random)];
            let by = on_lattice(random);
            [pose(at, turns[0]), pose(moved(by), turns[1])]
        }
        Placing::Nearly(angle) => {
            let by = on_lattice(random);
            let little = random.direction::<3>();
            let by = std::array::from_fn(|k| by[k] + angle * little[k]);
            let (still, nudged) = (turn(random), nudge(random, angle));
            [
                pose(at, still),
                pose(at, still).compose(&pose([0.0; 3], nudged)),
            ]
            .map(|p| p.to_numbers())
            .map(|n| [n[3], n[4], n[5], n[6]])
            .into_iter()
            .zip([at, moved(by)])
            .map(|(q, t)| pose(t, q))
            .collect::<Vec<_>>()
            .try_into()
            .expect("two poses")
        }
        Placing::Concentric => {
            let turns = [random.direction(), random.direction()];
            [pose(at, turns[0]), pose(at, turns[1])]
        }
    }
}

/// The second pose moved along `normal` so that the gap changes from `gap` to `wanted`.
pub fn closer(second: &Pose, normal: [f64; 3], gap: f64, wanted: f64) -> Pose {
    let numbers = second.to_numbers();
    let t = std::array::from_fn(|k| numbers[k] + (wanted - gap) * normal[k]);
    pose(t, [numbers[3], numbers[4], numbers[5], numbers[6]])
}
