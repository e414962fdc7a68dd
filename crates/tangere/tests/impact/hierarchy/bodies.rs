//! Test items for hierarchies, most of them hard cases.

use test_support::Random;

pub type Triangle = [[f64; 3]; 3];

pub const KINDS: [&str; 16] = [
    "small faces",
    "large faces",
    "all sizes",
    "lattice",
    "same",
    "points",
    "one point",
    "grid",
    "plane of points",
    "line",
    "nested",
    "needles",
    "slivers",
    "offset",
    "tiny",
    "stray",
];

/// Items of a kind, `count` of them.
pub fn body(kind: &str, count: usize) -> Vec<Triangle> {
    let mut n = Random::new(count as u64);
    let side = (count as f64).sqrt().ceil() as usize;
    (0..count)
        .map(|i| {
            let f = i as f64;
            let at = [(i % side) as f64, (i / side) as f64, 0.0];
            let mut face = |size: f64| {
                let p = n.vector(1.0);
                [(); 3].map(|()| {
                    let d = n.vector(size);
                    std::array::from_fn(|k| p[k] + d[k])
                })
            };
            match kind {
                "small faces" => face(0.05),
                "large faces" => face(1.0),
                "all sizes" => face(0.5f64.powi((i % 40) as i32)),
                "lattice" => [(); 3].map(|()| n.lattice(4)),
                "same" => [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
                "points" => [n.vector(1.0); 3],
                "one point" => [[3.0, -7.0, 1e-3]; 3],
                "grid" => [at, [at[0] + 1.0, at[1], 0.0], [at[0], at[1] + 1.0, 0.0]],
                "plane of points" => [at; 3],
                "line" => [[f, 0.0, 0.0], [f + 1.0, 0.0, 0.0], [f, 0.0, 0.0]],
                "nested" => [[f, 0.0, 0.0], [-f, f, 0.0], [-f, -f, 1.0]],
                "needles" => {
                    let (p, k) = (n.vector(1.0), i % 3);
                    let mut q = p;
                    q[k] += 0.5;
                    [p, q, q]
                }
                "slivers" => {
                    let p = n.vector(1.0);
                    [p, [p[0] + 1e-9, p[1], p[2]], [p[0], 1.0, p[2]]]
                }
                "offset" => face(0.05).map(|p| [p[0] + 1e9, p[1] - 3e9, p[2] + 1e12]),
                "tiny" => face(0.05).map(|p| p.map(|x| x * 1e-85)),
                "stray" if i == 0 => [[1e50; 3]; 3],
                "stray" => face(0.05),
                other => panic!("no body {other}"),
            }
        })
        .collect()
}
