//! Figures 3 and 4 and section 3.2 of `aragon2013`: volumes and heights of hierarchies of bounding
//! spheres and boxes.

use super::bodies::{is_fine, jet, motorcycle};
use super::body_hierarchies::{BRANCHING, BuiltHierarchy, Subject, ball_volume, data};
use super::pictures;
use crate::Effort;
use crate::Error;
use crate::finding::{Cell, Data, Finding, word};
use serde_json::{Map, Value, json};
use tangere::impact::hierarchy::{Construction, Volume};
use tangere_front::text::three_digits;
use tangere_render::html::Figure;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The level of the hierarchy shown in Figs. 3e and 3f of the paper: so many levels below the root.
const LEVEL: usize = 12;

/// The paper's depths of leaves (minimum, mean and maximum) for the motorcycle and for the jet.
const PUBLISHED: [[f64; 3]; 2] = [[8.0, 18.0, 38.0], [8.0, 18.0, 43.0]];

/// The range of the mean leaf depth that is accepted as the paper's 18.
const MEAN: std::ops::RangeInclusive<f64> = 15.0..=21.0;
/// The ratio of the largest leaf depth to the height of a balanced tree that a hierarchy must reach
/// to count as unbalanced.
const UNBALANCED: f64 = 2.0;

/// The largest factor by which the mean leaf depths of box and sphere hierarchies may differ for
/// the claim to hold.
const ALIKE: f64 = 1.25;

/// The largest ratio of the mean leaf depth to the height of a balanced tree that is accepted for
/// hierarchies built top-down.
const BALANCED: f64 = 1.35;

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let is_fine = is_fine(effort);
    let subjects = [
        Subject::new("motorcycle", motorcycle(is_fine)?, effort)?,
        Subject::new("jet", jet(is_fine)?, effort)?,
    ];
    let width = if is_fine { 420 } else { 40 };
    Ok(vec![
        figure_3(&subjects, width),
        heights(&subjects),
        figure_4(&subjects, width)?,
        branching(&subjects),
    ])
}

fn named(subjects: &[Subject], value: impl Fn(&Subject) -> Value) -> Value {
    let pairs = subjects.iter().map(|s| (s.name.into(), value(s)));
    Value::Object(pairs.collect::<Map<String, Value>>())
}

fn figure_3(subjects: &[Subject], width: usize) -> Finding {
    let volume = |subject: &Subject, construction| {
        subject
            .binary(construction, Volume::Ball)
            .report
            .ball_volume
    };
    // The levels are the root, the twelfth and the leaves.
    let levels = |subject: &Subject| {
        let hierarchy = &subject.bottom_up(Volume::Ball).hierarchy;
        [0, LEVEL, usize::MAX].map(|depth| ball_volume(hierarchy.level(depth)))
    };
    let ratios: Vec<f64> = subjects
        .iter()
        .map(|s| volume(s, Construction::TopDown) / volume(s, Construction::BottomUp))
        .collect();
    let is_closer = subjects.iter().all(|s| levels(s)[0] > levels(s)[1]);
    let mut figures = Vec::new();
    for subject in subjects {
        let hierarchy = &subject.bottom_up(Volume::Ball).hierarchy;
        let faces = subject.mesh.faces().len();
        let name = subject.name;
        for (picture, caption) in [
            (
                pictures::mesh(&subject.mesh, width),
                format!("A {name} of {faces} faces"),
            ),
            (
                pictures::balls(hierarchy.level(usize::MAX), width),
                "Bounding spheres of the leaves".into(),
            ),
            (
                pictures::balls(hierarchy.level(LEVEL), width),
                format!("Bounding spheres {LEVEL} levels below the root"),
            ),
        ] {
            figures.push(Figure { picture, caption });
        }
    }
    let curve = |subject: &Subject, construction: Construction| {
        let made = subject.binary(construction, Volume::Ball);
        let level = |depth| {
            let volume = ball_volume(made.hierarchy.level(depth));
            [depth as f64, volume]
        };
        Curve {
            name: format!("{}, {construction}", subject.name),
            points: (1..=made.report.height_max).map(level).collect(),
            dashed: construction == Construction::TopDown,
        }
    };
    let curves = subjects
        .iter()
        .flat_map(|s| [Construction::BottomUp, Construction::TopDown].map(|c| curve(s, c)));
    Finding {
        name: "Figure 3",
        claim: "Bounding spheres twelve levels below the root fit a body more closely than that of the root, and \
            bottom-up construction gives the hierarchy with the least volume."
            .into(),
        published: json!({"construction with the least volume": "bottom-up"}),
        measured: named(subjects, |s| {
            json!({
                "balls of all nodes, m^3": {
                    "bottom-up": volume(s, Construction::BottomUp),
                    "top-down": volume(s, Construction::TopDown),
                },
                "root, twelfth level and leaves, m^3": levels(s),
            })
        }),
        holds: is_closer && ratios.iter().all(|ratio| *ratio >= 1.0),
        remark: format!(
            "Built top-down, all spheres together have {} (motorcycle) and {} (jet) times the volume of those built \
             bottom-up. The paper cites Omohundro, who compares with other splits. Spheres here bound the points \
             below them rather than the spheres, which makes them smaller. The spheres of the leaves have more volume in \
             total than those of the twelfth level, because they overlap more: faces are flat. The paper's meshes are not \
             public: bodies are assembled from parts with faces of a millimetre to a metre.",
            three_digits(ratios[0]),
            three_digits(ratios[1]),
        ),
        data: data(
            subjects
                .iter()
                .flat_map(|s| Construction::ALL.map(|c| (s, s.binary(c, Volume::Ball)))),
        ),
        plots: vec![Plot {
            title: "Volume of the spheres of a level, and of leaves above it".into(),
            x: Axis {
                name: "levels below the root",
                unit: Unit::Count,
            },
            y: Axis {
                name: "cubic metres",
                unit: Unit::Number,
            },
            even: false,
            curves: curves.collect(),
        }],
        pictures: figures,
    }
}

fn heights(subjects: &[Subject]) -> Finding {
    let is_alike = |subject: &Subject| {
        let [least, mean, most] = subject.bottom_up(Volume::Ball).heights();
        let balanced = subject.balanced(2);
        MEAN.contains(&mean) && least < balanced && most >= UNBALANCED * balanced
    };
    let numbers =
        |heights: [f64; 3]| json!({"least": heights[0], "mean": heights[1], "largest": heights[2]});
    let curve = |subject: &Subject| {
        let nodes = subject.bottom_up(Volume::Ball).hierarchy.nodes();
        let mut depths = vec![0; nodes.len()];
        let mut leaves = vec![0; subject.bottom_up(Volume::Ball).report.height_max + 1];
        for (i, node) in nodes.iter().enumerate() {
            for child in node.children() {
                depths[child] = depths[i] + 1;
            }
            leaves[depths[i]] += usize::from(node.is_leaf());
        }
        let points = leaves.iter().enumerate();
        Curve {
            name: subject.name.into(),
            points: points.map(|(d, n)| [d as f64, *n as f64]).collect(),
            dashed: false,
        }
    };
    let rows = subjects.iter().zip(PUBLISHED).map(|(subject, published)| {
        let [least, mean, most] = subject.bottom_up(Volume::Ball).heights();
        vec![
            word(subject.name),
            Cell::Count(subject.mesh.faces().len()),
            Cell::Count(subject.balanced(2) as usize),
            Cell::Count(published[0] as usize),
            Cell::Count(least as usize),
            Cell::Count(published[1] as usize),
            Cell::Number(mean),
            Cell::Count(published[2] as usize),
            Cell::Count(most as usize),
        ]
    });
    Finding {
        name: "section 3.2, heights",
        claim: "Bottom-up hierarchies of spheres are not balanced: leaves of the motorcycle's have depths from 8 to 38, \
            18 on average, those of the jet's from 8 to 43, 18 on average."
            .into(),
        published: json!({"motorcycle": numbers(PUBLISHED[0]), "jet": numbers(PUBLISHED[1])}),
        measured: named(subjects, |s| numbers(s.bottom_up(Volume::Ball).heights())),
        holds: subjects.iter().all(is_alike),
        remark: format!(
            "A balanced binary tree over as many faces has the height {}. The spread of depths depends on how much \
             faces differ in size, and the bodies are not the paper's. Criterion: the mean is between {} and {}, and the \
             largest depth at least {UNBALANCED} times the height of a balanced tree.",
            subjects[0].balanced(2),
            MEAN.start(),
            MEAN.end(),
        ),
        data: Data {
            head: vec![
                "body",
                "faces",
                "balanced",
                "published least",
                "least",
                "published mean",
                "mean",
                "published largest",
                "largest",
            ],
            rows: rows.collect(),
        },
        plots: vec![Plot {
            title: "Leaves at each depth, spheres, bottom-up".into(),
            x: Axis {
                name: "levels below the root",
                unit: Unit::Count,
            },
            y: Axis {
                name: "leaves",
                unit: Unit::Count,
            },
            even: false,
            curves: subjects.iter().map(curve).collect(),
        }],
        pictures: Vec::new(),
    }
}

fn figure_4(subjects: &[Subject], width: usize) -> Result<Finding, Error> {
    let ratio = |subject: &Subject| {
        subject.bottom_up(Volume::Box).report.height_mean
            / subject.bottom_up(Volume::Ball).report.height_mean
    };
    let leaves = |subject: &Subject| {
        let hierarchy = &subject.bottom_up(Volume::Box).hierarchy;
        let boxes = hierarchy.level(usize::MAX);
        let boxes: f64 = boxes
            .map(|n| n.bounds.extent().iter().product::<f64>())
            .sum();
        [boxes, ball_volume(hierarchy.level(usize::MAX))]
    };
    let mut figures = Vec::new();
    for subject in subjects {
        let hierarchy = &subject.bottom_up(Volume::Box).hierarchy;
        figures.push(Figure {
            picture: pictures::boxes(hierarchy.level(usize::MAX), width)?,
            caption: format!("Boxes at the leaves of the {}", subject.name),
        });
    }
    let shares: Vec<f64> = subjects
        .iter()
        .map(|s| leaves(s)[0] / leaves(s)[1])
        .collect();
    let rows = subjects.iter().flat_map(|s| {
        let binary = s.made.iter().filter(|m| m.settings.branching == 2);
        binary.map(move |m| (s, m))
    });
    Ok(Finding {
        name: "Figure 4",
        claim: "Hierarchies of axis-aligned boxes (AABB) are built in the same way as those of spheres."
            .into(),
        published: json!({"mean height, boxes to balls": "about 1"}),
        measured: named(subjects, |s| {
            json!({
                "mean height, boxes to balls": ratio(s),
                "boxes of the leaves, m^3": leaves(s)[0],
                "balls of the same leaves, m^3": leaves(s)[1],
            })
        }),
        holds: subjects
            .iter()
            .all(|s| (1.0 / ALIKE..=ALIKE).contains(&ratio(s))),
        remark: format!(
            "Boxes around faces have {} (motorcycle) and {} (jet) of the volume of spheres around them. Criterion: mean \
             heights differ by less than a factor of {ALIKE}.",
            percent(shares[0]),
            percent(shares[1]),
        ),
        data: data(rows),
        plots: Vec::new(),
        pictures: figures,
    })
}

fn percent(share: f64) -> String {
    format!("{}%", three_digits(100.0 * share))
}

fn branching(subjects: &[Subject]) -> Finding {
    let ratio = |(subject, made): (&Subject, &BuiltHierarchy)| {
        made.report.height_mean / subject.balanced(made.settings.branching)
    };
    let all = || {
        subjects
            .iter()
            .flat_map(|s| s.made.iter().map(move |m| (s, m)))
    };
    let of = |construction: Construction| {
        all()
            .filter(move |(_, m)| m.settings.construction == construction)
            .map(ratio)
    };
    let most = |construction| of(construction).fold(0.0, f64::max);
    let curve = |construction: Construction, volume: Volume| Curve {
        name: format!("{construction}, {volume}"),
        points: subjects[0]
            .by(construction, volume)
            .map(|m| [m.settings.branching as f64, m.report.height_mean])
            .collect(),
        dashed: construction == Construction::TopDown,
    };
    let balanced = Curve {
        name: "balanced".into(),
        points: BRANCHING
            .map(|k| [k as f64, subjects[0].balanced(k)])
            .into(),
        dashed: false,
    };
    let curves = Construction::ALL
        .into_iter()
        .flat_map(|c| Volume::ALL.map(|v| curve(c, v)));
    Finding {
        name: "section 2, K-ary trees",
        claim: "A balanced tree with K children per node has the height log_K of the number of faces, rounded up.".into(),
        published: json!({"mean height to that of a balanced tree": 1}),
        measured: json!({
            "mean height to that of a balanced tree, at most": {
                "top-down": most(Construction::TopDown),
                "bottom-up": most(Construction::BottomUp),
            },
        }),
        holds: most(Construction::TopDown) <= BALANCED,
        remark: format!(
            "K-ary trees come from binary ones: a node replaces its child of largest volume by that child's children until \
             it has K, so that trees stay as unbalanced as binary ones. Mean heights are at most {} times that of a balanced \
             tree if built top-down, {} times if built bottom-up. Criterion: at most {BALANCED} for top-down trees, which are \
             built to be balanced.",
            three_digits(most(Construction::TopDown)),
            three_digits(most(Construction::BottomUp)),
        ),
        data: data(all()),
        plots: vec![Plot {
            title: "Mean height of the motorcycle's hierarchies".into(),
            x: Axis {
                name: "children a node",
                unit: Unit::Count,
            },
            y: Axis {
                name: "mean height",
                unit: Unit::Number,
            },
            even: false,
            curves: curves.chain([balanced]).collect(),
        }],
        pictures: Vec::new(),
    }
}
