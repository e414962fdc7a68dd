//! Closest features of two rotating polyhedra: the table and figure 6 of `schinner1995`.
//!
//! The paper specifies neither its shapes nor their rotation from call to call. Shapes here are
//! hulls of random points on an ellipsoid, whose faces are triangles as in the paper (3F + 2
//! features for F faces). All sizes rotate at one rate, at which Lin's walk takes one iteration for
//! the largest body in about as many calls as in the paper.

use super::claims::{FIGURE_6, TABLE};
use super::pair::{APART, Pair};
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_least};
use crate::finding::{Cell, Data, Finding, maybe, printed};
use crate::fit::exponent;
use crate::timing::{FEWEST_BATCHES, exponent_interval, without_one};
use serde_json::{Map, Value, json};
use tangere_front::text::three_digits;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// A row of the paper's table: the number of faces of a polyhedron, its number of features (column
/// "tot."), the numbers of searches for the closest features, out of 100,000, that take 1, 2, 3, and
/// 4 or more iterations, and the microseconds per search.
type Row = (usize, usize, [u64; 4], f64);

const PUBLISHED: [Row; 13] = [
    (4, 14, [98_290, 1430, 259, 20], 63.0),
    (8, 26, [99_803, 196, 0, 2], 83.0),
    (20, 62, [99_497, 465, 36, 2], 71.0),
    (32, 98, [99_703, 296, 0, 1], 69.0),
    (40, 122, [99_702, 222, 75, 1], 72.0),
    (80, 242, [99_164, 737, 97, 2], 76.0),
    (100, 302, [99_563, 292, 144, 1], 70.0),
    (140, 422, [99_486, 436, 77, 1], 63.0),
    (160, 482, [99_442, 549, 8, 1], 70.0),
    (200, 602, [99_361, 630, 8, 1], 78.0),
    (400, 1202, [98_907, 1057, 35, 1], 74.0),
    (600, 1802, [98_271, 1667, 57, 5], 78.0),
    (920, 2762, [97_661, 2217, 112, 10], 58.0),
];

/// A number of faces beyond those in the paper, measured in addition.
const BEYOND: usize = 10_000;

/// The share of searches for the closest features that take one iteration in the row of 920 faces of
/// the paper's table.
const SHARE: f64 = 0.97661;

/// The angle, in radians, by which a body rotates between two calls: about that at which Lin's walk
/// takes one iteration in [`SHARE`] of the calls at 920 faces.
const RATE: f64 = 0.0007;

/// The rotation rates to compare, in radians per call of the tracker of closest features.
const RATES: [f64; 10] = [
    0.0001, 0.0002, 0.0005, RATE, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05,
];

/// The least share of the calls that is normal.
const NORMALLY: f64 = 0.99;

/// The numbers of faces of the bodies with which rotation rates are compared.
const RATE_FACES: [usize; 5] = [4, 20, 100, 920, BEYOND];

/// The exponents of time against the number of features that are accepted as constant time.
const FLAT: [f64; 2] = [-0.1, 0.1];

pub fn rotating(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let calls = match effort.is_quick() {
        true => effort.largest / 2,
        false => effort.largest,
    };
    let faces = PUBLISHED.iter().map(|row| row.0).chain([BEYOND]);
    let mut pairs = faces
        .map(Pair::new)
        .collect::<tangere::Result<Vec<Pair>>>()?;
    // Until the times decide.
    for turn in 1..=effort.most_batches() {
        for pair in &mut pairs {
            pair.timed(calls, RATE)?;
            pair.walked(calls, RATE)?;
        }
        if turn >= FEWEST_BATCHES && figure(&pairs).is_decided() {
            break;
        }
    }
    for pair in &mut pairs {
        pair.counted = pair.followed(calls, RATE)?;
        pair.proven(calls, RATE)?;
    }
    Ok(vec![
        table(&pairs, calls),
        figure(&pairs),
        rates(&pairs, calls)?,
    ])
}

fn published(faces: usize) -> Option<&'static Row> {
    PUBLISHED.iter().find(|row| row.0 == faces)
}

fn table(pairs: &[Pair], calls: usize) -> Finding {
    let row = |pair: &Pair| {
        let published = published(pair.faces);
        let mut cells = vec![Cell::Count(pair.faces), Cell::Count(pair.features())];
        cells.extend(pair.walked.map(|n| Cell::Count(n as usize)));
        cells.push(Cell::Seconds(pair.walk_seconds()));
        cells.push(Cell::Count(pair.counted.steps[0] as usize));
        cells.push(Cell::Count(pair.counted.kept as usize));
        cells.push(Cell::Seconds(pair.seconds()));
        for k in 0..4 {
            cells.push(published.map_or(Cell::Nothing, |row| Cell::Count(row.2[k] as usize)));
        }
        cells.push(published.map_or(Cell::Nothing, |row| printed(row.3, " us", 1e-6)));
        cells
    };
    let as_printed = || pairs.iter().filter(|pair| pair.faces != BEYOND);
    let least = as_printed().map(Pair::walked_share).fold(1.0, f64::min);
    let tracked = as_printed()
        .map(|pair| pair.counted.share())
        .fold(1.0, f64::min);
    let beyond = pairs.iter().rfind(|pair| pair.faces == BEYOND);
    let unproven = pairs.iter().map(|pair| calls - pair.proven).sum::<usize>();
    let compared = pairs.iter().map(|pair| pair.compared).sum::<usize>();
    let error = pairs.iter().map(|pair| pair.error).fold(0.0, f64::max);
    let by_faces = |rows: Vec<(usize, [u64; 4], f64)>, most: &str, time: &str| -> Value {
        let calls = format!("calls in 1, 2, 3, and {most} iterations");
        let object = |(faces, steps, seconds): (usize, [u64; 4], f64)| {
            (
                format!("{faces} faces"),
                json!({&calls: steps, time: seconds}),
            )
        };
        Value::Object(rows.into_iter().map(object).collect::<Map<String, Value>>())
    };
    Finding {
        published: by_faces(
            PUBLISHED.iter().map(|row| (row.0, row.2, row.3)).collect(),
            "4- (read as 4 or more)",
            "microseconds, read as those of a call",
        ),
        measured: by_faces(
            pairs
                .iter()
                .map(|p| (p.faces, p.walked, p.walk_seconds()))
                .collect(),
            "4 or more",
            "seconds of a call of Lin's walk",
        ),
        checks: vec![
            Check::fact("every answer is proven by its certificate", unproven == 0),
            Check::fact(
                "bodies have the published numbers of features",
                as_printed().all(|pair| {
                    published(pair.faces).is_some_and(|row| row.1 == pair.features())
                }),
            ),
        ],
        open: Some(
            "How often closest features change depends on the shapes and on how far they rotate between calls, neither of which is \
             published; here the rate is set from the row of 920 faces, so that a comparison of the rows would judge this \
             choice."
                .into(),
        ),
        remark: format!(
            "{calls} calls for each size. Each body rotates by {RATE} rad between calls, about the rate at which Lin's walk takes \
             one iteration in 97.661% of them at 920 faces, about an axis that itself rotates, the centres \
             {APART} apart, for hulls on an ellipsoid of semi-axes 1, 3/4 and 1/2. The minimum share of \
             Lin's walk in one iteration is {} up to 920 faces, and {} at {BEYOND}, a size not in the paper. \
             Tracker, which the engine uses, takes one step in at least {} of the calls: it precomputes the \
             features that it expects next, so that it may take one step although the features change; this \
             cost is included in its time. In the text the rows of 4 and of 8 faces sum to 99999 and 100001. {}; {compared} of them were compared \
             with brute force over all pairs of features, and differ by at most {} of the size of the \
             bodies.",
            percent(least),
            beyond.map_or("-".into(), |pair| percent(pair.walked_share())),
            percent(tracked),
            match unproven {
                0 => "All answers are proven by their certificates".into(),
                n => format!("{n} answers are not proven by their certificates"),
            },
            three_digits(error),
        ),
        data: Data {
            head: vec![
                "faces",
                "features",
                "1 iteration",
                "2",
                "3",
                "4 or more",
                "time of Lin's walk",
                "1 step of Tracker",
                "same features",
                "time of Tracker",
                "published 1",
                "published 2",
                "published 3",
                "published 4-",
                "published time (read as that of a call)",
            ],
            rows: pairs.iter().map(row).collect(),
        },
        ..Finding::of(&TABLE)
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

fn figure(pairs: &[Pair]) -> Finding {
    let measured: Vec<[f64; 2]> = pairs
        .iter()
        .map(|pair| [pair.features() as f64, pair.seconds()])
        .collect();
    let printed_points: Vec<[f64; 2]> = PUBLISHED
        .iter()
        .map(|row| [row.1 as f64, 1e-6 * row.3])
        .collect();
    let to_largest = &measured[..printed_points.len()];
    let spread = |points: &[[f64; 2]]| {
        let times = || points.iter().map(|p| p[1]);
        times().fold(0.0, f64::max) / times().fold(f64::INFINITY, f64::min)
    };
    let [grown, grown_published] = [to_largest, &printed_points].map(exponent);
    let beyond = measured[measured.len() - 1][1] / measured[printed_points.len() - 1][1];
    let rows = pairs
        .iter()
        .zip(&measured)
        .map(|(pair, &[features, seconds])| {
            let published = published(pair.faces);
            vec![
                Cell::Count(pair.faces),
                Cell::Count(features as usize),
                Cell::Seconds(pair.walk_seconds()),
                Cell::Seconds(seconds),
                published.map_or(Cell::Nothing, |row| printed(row.3, " us", 1e-6)),
                maybe(Cell::Number, published.map(|row| 1e-6 * row.3 / seconds)),
            ]
        });
    let decades = (printed_points[printed_points.len() - 1][0] / printed_points[0][0]).log10();
    let as_printed = &pairs[..printed_points.len()];
    let check = |name: &str, of: fn(&Pair) -> &[f64]| {
        let times: Vec<Vec<f64>> = as_printed
            .iter()
            .map(|pair| without_one(of(pair)))
            .collect();
        let runs = times.iter().map(Vec::len).min().unwrap_or(0);
        let exponents = (0..runs).filter_map(|run| {
            let points = as_printed.iter().zip(&times);
            let points = points.map(|(pair, times)| [pair.features() as f64, times[run]]);
            exponent(&points.collect::<Vec<_>>())
        });
        Check::interval(
            format!(
                "exponent of the time of {name} against the number of features, 4 to 920 faces"
            ),
            exponent_interval(&exponents.collect::<Vec<f64>>(), decades),
            FLAT,
        )
    };
    let walked: Vec<[f64; 2]> = pairs
        .iter()
        .map(|pair| [pair.features() as f64, pair.walk_seconds()])
        .collect();
    let walks_grown = exponent(&walked[..printed_points.len()]);
    Finding {
        published: json!({
            "features (column tot.)": PUBLISHED.map(|row| row.1),
            "microseconds, read as those of a call": PUBLISHED.map(|row| row.3),
        }),
        measured: json!({
            "exponent of the time of Lin's walk": walks_grown,
            "exponent of the time of Tracker": grown,
            "most / least": spread(to_largest),
        }),
        checks: vec![
            check("Lin's walk", |pair| &pair.walks),
            check("Tracker", |pair| &pair.runs),
        ],
        remark: format!(
            "The published microseconds are read as those of a call. Up to 920 faces the time of Tracker grows with the number of features to the power of {} (fitted to the \
             published times: {}), and the slowest size takes {:.2} times as long as the fastest ({:.2}). At {BEYOND} faces a call takes {beyond:.2} times as long as at 920.",
            shown(grown),
            shown(grown_published),
            spread(to_largest),
            spread(&printed_points),
        ),
        data: Data {
            head: vec![
                "faces",
                "features",
                "time of Lin's walk",
                "time of Tracker",
                "published time (read as that of a call)",
                "published / Tracker",
            ],
            rows: rows.collect(),
        },
        plots: vec![Plot {
            title: "CPU time of a call against the number of features of a body".into(),
            x: Axis {
                name: "features",
                unit: Unit::Count,
            },
            y: Axis {
                name: "time",
                unit: Unit::Seconds,
            },
            even: false,
            curves: vec![
                Curve {
                    name: "Lin's walk".into(),
                    points: walked,
                    dashed: false,
                },
                Curve {
                    name: "Tracker".into(),
                    points: measured,
                    dashed: false,
                },
                Curve {
                    name: "published, IBM Power 2, read as times of a call".into(),
                    points: printed_points,
                    dashed: true,
                },
            ],
        }],
        ..Finding::of(&FIGURE_6)
    }
}

fn shown(exponent: Option<f64>) -> String {
    exponent.map_or("-".into(), |e| format!("{e:.2}"))
}

/// Returns the rotation rate at which the share of some calls, such as those that take more than
/// one iteration, is `rest`. It is interpolated in logarithms between `points`, each a measured
/// rate and its share. `None` if `rest` is outside the range of the shares.
fn rate_of(points: &[[f64; 2]], rest: f64) -> Option<f64> {
    let pair = points
        .windows(2)
        .find(|pair| pair[0][1] <= rest && rest <= pair[1][1])?;
    let [[r0, s0], [r1, s1]] = [pair[0], pair[1]].map(|p| p.map(f64::ln));
    if !s0.is_finite() || s1 <= s0 {
        return Some(r1.exp());
    }
    Some((r0 + (r1 - r0) * (rest.ln() - s0) / (s1 - s0)).exp())
}

fn rates(pairs: &[Pair], calls: usize) -> Result<Finding, Error> {
    let mut rows = Vec::new();
    let mut curves = Vec::new();
    let mut falls = Map::new();
    let mut reproducing = None;
    let (mut walks, mut walked, mut trackers) = (Vec::new(), Map::new(), Map::new());
    for pair in pairs.iter().filter(|pair| RATE_FACES.contains(&pair.faces)) {
        let (mut points, mut tracked) = (Vec::new(), Vec::new());
        let (mut walk, mut least, mut fewest) = (Vec::new(), 1f64, 1f64);
        for rate in RATES {
            // Walks are long where motions are large, and these are not judged.
            let calls = if rate > RATE { calls / 10 } else { calls };
            let iterations = pair.iterations(calls, rate)?;
            let counted = pair.followed(calls, rate)?;
            let all = counted.calls();
            let share = |n: u64| n as f64 / all;
            let mut row = vec![Cell::Count(pair.faces), Cell::Number(rate)];
            row.extend(iterations.map(|n| Cell::Share(share(n))));
            row.push(Cell::Share(share(counted.steps[0] + counted.steps[1])));
            row.push(Cell::Share(counted.kept_share()));
            rows.push(row);
            points.push([rate, 1.0 - share(iterations[0])]);
            tracked.push([rate, 1.0 - counted.share()]);
            let few = share(iterations[0] + iterations[1]);
            if rate <= RATE {
                least = least.min(share(counted.steps[0] + counted.steps[1]));
                fewest = fewest.min(few);
            }
            // The text's table ends at 920 faces.
            if rate <= RATE && pair.faces != BEYOND {
                let what = format!(
                    "share in one or two iterations of Lin's walk, {} faces, {rate} rad per call, least of rates up to the table's",
                    pair.faces
                );
                walk.push(Check::number(what, few, at_least(NORMALLY)).percent());
            }
        }
        walks.extend(Check::worst(walk));
        walked.insert(pair.faces.to_string(), json!(fewest));
        trackers.insert(pair.faces.to_string(), json!(least));
        let fall = rate_of(&points, 1.0 - SHARE);
        falls.insert(pair.faces.to_string(), json!(fall));
        if pair.faces == 920 {
            reproducing = fall;
            curves.push(Curve {
                name: "920 faces, Tracker".into(),
                points: tracked,
                dashed: true,
            });
        }
        curves.push(Curve {
            name: format!("{} faces", pair.faces),
            points,
            dashed: false,
        });
    }
    let number = |rate: Option<f64>| rate.map_or("-".into(), three_digits);
    let list: Vec<String> = falls
        .iter()
        .map(|(faces, rate)| format!("{} rad at {faces}", number(rate.as_f64())))
        .collect();
    Ok(Finding {
        published: json!("normally 1 or 2 iterations"),
        measured: json!({
            "rate at which 97.661% of calls take one iteration at 920 faces": reproducing,
            "rate above which less than 97.661% take one iteration, by faces": falls,
            "least share in one or two iterations of Lin's walk up to the rate of the table, by faces": walked,
            "least share in one or two steps of Tracker up to the rate of the table, by faces": trackers,
        }),
        checks: walks,
        remark: format!(
            "How often the closest features change depends on the motion alone, and Lin's walk needs a second iteration whenever \
             they do. At 920 faces it takes one iteration in 97.661% of the calls, the paper's share, at {} rad per \
             call; the table uses {RATE}. Less than 97.661% of the calls take one iteration above {} faces. {BEYOND} faces are more \
             than the paper has, and are not judged. Tracker, the engine's own method, is shown beside Lin's walk and not judged.",
            number(reproducing),
            list.join(", "),
        ),
        data: Data {
            head: vec![
                "faces",
                "rate",
                "1 iteration",
                "2",
                "3",
                "4 or more",
                "Tracker in 1 or 2 steps",
                "same features",
            ],
            rows,
        },
        plots: vec![Plot {
            title: "Share of the calls that take Lin's walk more than one iteration, against the rotation rate"
                .into(),
            x: Axis {
                name: "radians a call",
                unit: Unit::Number,
            },
            y: Axis {
                name: "part of the calls",
                unit: Unit::Number,
            },
            even: false,
            curves,
        }],
        ..Finding::of(&super::claims::RATES)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_rows_are_whole() {
        for (faces, features, steps, _) in PUBLISHED {
            // The rows sum to 100000 up to 1; the column "tot." is the number of features.
            let sum: u64 = steps.iter().sum();
            assert!(sum.abs_diff(100_000) <= 1, "{faces}: {sum}");
            let pair = Pair::new(faces).unwrap();
            assert_eq!(pair.features(), features);
        }
    }

    #[test]
    fn rates_between_those_tried() {
        let points = [[0.001, 0.01], [0.01, 0.1], [0.1, 0.5]];
        assert!((rate_of(&points, 0.025).unwrap() - 0.0025).abs() < 1e-12);
        assert_eq!(rate_of(&points, 0.6), None);
        assert_eq!(
            rate_of(&[[0.001, 0.0], [0.01, 0.1]], 0.05),
            Some(0.01f64.ln().exp())
        );
    }
}
