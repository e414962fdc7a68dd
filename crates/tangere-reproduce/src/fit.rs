//! Least-squares fits of growth laws to measurements.

/// Returns the exponent `e` of `y = f x^e`, by least squares in logarithms; `None` if fewer than
/// two points are positive and differ in `x`.
pub fn exponent(points: &[[f64; 2]]) -> Option<f64> {
    let logs: Vec<[f64; 2]> = points
        .iter()
        .filter(|p| p[0] > 0.0 && p[1] > 0.0)
        .map(|p| p.map(f64::ln))
        .collect();
    let count = logs.len() as f64;
    let mean = |k: usize| logs.iter().map(|p| p[k]).sum::<f64>() / count;
    let (mx, my) = (mean(0), mean(1));
    let (mut xx, mut xy) = (0.0, 0.0);
    for [x, y] in logs {
        xx += (x - mx) * (x - mx);
        xy += (x - mx) * (y - my);
    }
    (xx > 0.0).then(|| xy / xx)
}

/// Fits `t = a n + b c` to rows `[n, c, t]` by least squares of the relative errors. Returns the
/// costs `[a, b]`, neither of them negative.
pub fn costs(rows: &[[f64; 3]]) -> [f64; 2] {
    // Minimise the sum of (a n/t + b c/t - 1)^2.
    let [mut nn, mut nc, mut cc, mut n1, mut c1] = [0.0; 5];
    for &[n, c, t] in rows.iter().filter(|row| row[2] > 0.0) {
        let (n, c) = (n / t, c / t);
        nn += n * n;
        nc += n * c;
        cc += c * c;
        n1 += n;
        c1 += c;
    }
    let determinant = nn * cc - nc * nc;
    let both = [
        (n1 * cc - c1 * nc) / determinant,
        (c1 * nn - n1 * nc) / determinant,
    ];
    if determinant > 0.0 && both.iter().all(|x| *x >= 0.0) {
        return both;
    }
    // A negative cost is set to 0 and the other one fitted alone.
    match c1 * c1 * nn > n1 * n1 * cc {
        true => [0.0, c1 / cc],
        false if nn > 0.0 => [n1 / nn, 0.0],
        false => [0.0, 0.0],
    }
}

/// Fits `t = sum of c_k n_k` to rows of four numbers `n` and `t` by least squares of the relative
/// errors. Returns the costs `c`, none of them negative.
pub fn non_negative(rows: &[([f64; 4], f64)]) -> [f64; 4] {
    // Minimise |A c - 1|^2 with rows n/t. Columns are scaled to length 1.
    let mut scaled: Vec<[f64; 4]> = rows
        .iter()
        .filter(|(_, t)| *t > 0.0)
        .map(|(n, t)| n.map(|x| x / t))
        .collect();
    let sizes: [f64; 4] =
        std::array::from_fn(|k| scaled.iter().map(|a| a[k] * a[k]).sum::<f64>().sqrt());
    for row in &mut scaled {
        *row = std::array::from_fn(|k| {
            if sizes[k] > 0.0 {
                row[k] / sizes[k]
            } else {
                0.0
            }
        });
    }
    let mut costs = [0.0; 4];
    // Each cost in turn is set to its best value; the sum of squares is convex, so this converges.
    for _ in 0..10_000 {
        for k in 0..4 {
            let residual = scaled.iter().map(|row| {
                let sum: f64 = (0..4).map(|j| row[j] * costs[j]).sum();
                row[k] * (1.0 - sum)
            });
            costs[k] = f64::max(0.0, costs[k] + residual.sum::<f64>());
        }
    }
    std::array::from_fn(|k| {
        if sizes[k] > 0.0 {
            costs[k] / sizes[k]
        } else {
            0.0
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_powers() {
        let points: Vec<[f64; 2]> = [1.0, 2.0, 5.0, 9.0]
            .map(|x: f64| [x, 3.0 * x.powf(1.5)])
            .into();
        assert!((exponent(&points).unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(exponent(&[[1.0, 2.0]]), None);
        assert_eq!(exponent(&[[1.0, 0.0], [2.0, 0.0]]), None);
        assert_eq!(exponent(&[]), None);
    }

    #[test]
    fn non_negative_costs_of_sums() {
        let of = |n: [f64; 4]| (n, 2.0 * n[0] + 0.5 * n[1] + 3.0 * n[3]);
        let rows = [
            of([1.0, 0.0, 2.0, 1.0]),
            of([5.0, 8.0, 1.0, 0.0]),
            of([2.0, 40.0, 7.0, 3.0]),
            of([9.0, 1.0, 0.0, 1.0]),
            of([1.0, 1.0, 9.0, 0.0]),
        ];
        let found = non_negative(&rows);
        for (found, expected) in found.into_iter().zip([2.0, 0.5, 0.0, 3.0]) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert_eq!(non_negative(&[]), [0.0; 4]);
    }

    #[test]
    fn costs_of_sums() {
        let row = |n: f64, c: f64| [n, c, 2.0 * n + 0.5 * c];
        let [a, b] = costs(&[row(1.0, 0.0), row(5.0, 8.0), row(2.0, 40.0)]);
        assert!((a - 2.0).abs() < 1e-9 && (b - 0.5).abs() < 1e-9, "{a} {b}");
        assert_eq!(costs(&[[2.0, 0.0, 6.0]]), [3.0, 0.0]);
        assert_eq!(costs(&[]), [0.0, 0.0]);
    }
}
