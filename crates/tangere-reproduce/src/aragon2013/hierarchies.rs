//! Figures 3 and 4 and section 3.2 of `aragon2013`: volumes and heights of hierarchies of bounding
//! spheres and boxes.

use super::bodies::{is_fine, jet, motorcycle};
use super::body_hierarchies::{BRANCHING, Subject, ball_volume, data};
use super::claims::{self, FIGURE_3, FIGURE_4, HEIGHTS};
use super::pictures;
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_least};
use crate::finding::{Cell, Data, Finding, printed, word};
use serde_json::{Map, Value, json};
use tangere::impact::hierarchy::{Construction, Volume};
use tangere_front::text::three_digits;
use tangere_render::html::Figure;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The level of the hierarchy shown in Figs. 3e and 3f of the paper: so many levels below the root.
const LEVEL: usize = 12;

/// The paper's depths of leaves (minimum, mean and maximum) for the motorcycle and for the jet.
const PUBLISHED: [[f64; 3]; 2] = [[8.0, 18.0, 38.0], [8.0, 18.0, 43.0]];

/// The least difference of the depths of leaves of a tree that is not balanced, in heights of a
/// balanced tree: half of what follows from the paper, 38 - 8 at a height of 15.
const UNBALANCED: f64 = 1.0;

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let is_fine = is_fine(effort);
    let subjects = [
        Subject::new("motorcycle", motorcycle(is_fine)?, effort)?,
        Subject::new("jet", jet(is_fine)?, effort)?,
    ];
    let width = if is_fine { 420 } else { 40 };
    let mut findings = vec![figure_3(&subjects, width)];
    findings.extend(heights(&subjects));
    findings.push(figure_4(&subjects, width)?);
    findings.push(branching(&subjects));
    Ok(findings)
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
    let over =
        |s: &Subject, construction| volume(s, construction) / volume(s, Construction::BottomUp);
    let ratios: Vec<f64> = subjects
        .iter()
        .map(|s| over(s, Construction::TopDown))
        .collect();
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
            dashed: construction != Construction::BottomUp,
        }
    };
    let curves = subjects
        .iter()
        .flat_map(|s| Construction::ALL.map(|c| curve(s, c)));
    Finding {
        checks: subjects
            .iter()
            .zip(&ratios)
            .flat_map(|(s, &ratio)| {
                let online = over(s, Construction::Online);
                [
                    Check::above(format!("top-down / bottom-up, {}", s.name), [ratio; 2], 1.0),
                    Check::above(
                        format!("online insertion / bottom-up, {}", s.name),
                        [online; 2],
                        1.0,
                    ),
                ]
            })
            .collect(),
        measured: named(subjects, |s| {
            json!({
                "balls of all nodes, m^3": {
                    "bottom-up": volume(s, Construction::BottomUp),
                    "top-down": volume(s, Construction::TopDown),
                    "online insertion": volume(s, Construction::Online),
                },
                "root, twelfth level and leaves, m^3": levels(s),
            })
        }),
        remark: format!(
            "Built top-down, all spheres together have {} (motorcycle) and {} (jet) times the volume of those built \
             bottom-up: on the motorcycle the margin is small. The paper cites Omohundro, who compares with other splits and bodies. Spheres here bound the points \
             below them rather than the spheres, which makes them smaller. The spheres of the leaves have more volume in \
             total than those of the twelfth level, because they overlap more: faces are flat. The paper's meshes are not \
             given: bodies are assembled from parts with faces of a millimetre to a metre.",
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
        ..Finding::of(&FIGURE_3)
    }
}

fn heights(subjects: &[Subject]) -> Vec<Finding> {
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
    let rows = || {
        subjects.iter().zip(PUBLISHED).map(|(subject, published)| {
            let [least, mean, most] = subject.bottom_up(Volume::Ball).heights();
            vec![
                word(subject.name),
                Cell::Count(subject.mesh.faces().len()),
                Cell::Count(subject.balanced(2) as usize),
                printed(published[0], "", 1.0),
                Cell::Count(least as usize),
                printed(published[1], "", 1.0),
                Cell::Number(mean),
                printed(published[2], "", 1.0),
                Cell::Count(most as usize),
            ]
        })
    };
    let data = || Data {
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
        rows: rows().collect(),
    };
    let measured = || named(subjects, |s| numbers(s.bottom_up(Volume::Ball).heights()));
    let plot = || Plot {
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
    };
    let heights = Finding {
        published: json!({"motorcycle": numbers(PUBLISHED[0]), "jet": numbers(PUBLISHED[1])}),
        measured: measured(),
        open: Some(
            "The depths are those of the paper's two meshes, which are not given; the bodies here have other shapes. The \
             motorcycle has as many faces as the paper's has elements, the number of elements of the jet is not printed."
                .into(),
        ),
        remark: "The spread of depths depends on how much faces differ in size.".into(),
        data: data(),
        plots: vec![plot()],
        ..Finding::of(&HEIGHTS)
    };
    let spread = |s: &Subject| {
        let [least, _, most] = s.bottom_up(Volume::Ball).heights();
        [(most - least) / s.balanced(2), most / s.balanced(2)]
    };
    let motorcycle = subjects.first().map_or([f64::NAN; 2], spread);
    let unbalanced = Finding {
        published: json!({"least and largest depth, mean height": {"motorcycle": numbers(PUBLISHED[0])}}),
        measured: json!({
            "depths": measured(),
            "(largest - least depth) / balanced height": named(subjects, |s| json!(spread(s)[0])),
            "height / balanced height": named(subjects, |s| json!(spread(s)[1])),
        }),
        checks: vec![
            Check::above(
                "height / height of a balanced tree, motorcycle",
                [motorcycle[1]; 2],
                1.0,
            )
            .printed("maximum depth 38"),
            Check::number(
                "(largest - least depth) / balanced height, motorcycle",
                motorcycle[0],
                at_least(UNBALANCED),
            )
            .printed("depths 8 and 38"),
        ],
        remark: format!(
            "A balanced binary tree over as many faces has the height {} (motorcycle) and {} (jet). The text says so of the \
             motorcycle; the jet is shown beside it. Its depths differ by {} balanced heights.",
            subjects[0].balanced(2),
            subjects[1].balanced(2),
            three_digits(spread(&subjects[1])[0]),
        ),
        data: data(),
        plots: vec![plot()],
        ..Finding::of(&claims::UNBALANCED)
    };
    vec![heights, unbalanced]
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
        measured: named(subjects, |s| {
            json!({
                "mean height, boxes to balls": ratio(s),
                "boxes of the leaves, m^3": leaves(s)[0],
                "balls of the same leaves, m^3": leaves(s)[1],
            })
        }),
        open: Some(
            "The text says that its method was applied again and shows the leaves in a figure; it states no number and no \
             property of these hierarchies."
                .into(),
        ),
        remark: format!(
            "The engine merges the pair of boxes with the least joint surface area, where it merges the pair of spheres with \
             the least joint volume. Boxes around faces have {} (motorcycle) and {} (jet) of the volume of spheres around them.",
            percent(shares[0]),
            percent(shares[1]),
        ),
        data: data(rows),
        pictures: figures,
        ..Finding::of(&FIGURE_4)
    })
}

fn percent(share: f64) -> String {
    format!("{}%", three_digits(100.0 * share))
}

fn branching(subjects: &[Subject]) -> Finding {
    let all = || {
        subjects
            .iter()
            .flat_map(|s| s.made.iter().map(move |m| (s, m)))
    };
    // The most of the heights, or of the mean depths, over the height of a balanced tree.
    let most = |construction: Construction, depth: usize| {
        let of = all().filter(|(_, m)| m.settings.construction == construction);
        of.map(|(s, m)| m.heights()[depth] / s.balanced(m.settings.branching))
            .fold(0.0, f64::max)
    };
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
    let curves = [Construction::TopDown, Construction::BottomUp]
        .into_iter()
        .flat_map(|c| Volume::ALL.map(|v| curve(c, v)));
    Finding {
        published: json!("log_K of the number of faces, rounded up"),
        measured: json!({
            "height to that of a balanced tree, at most": {
                "top-down": most(Construction::TopDown, 2),
                "bottom-up": most(Construction::BottomUp, 2),
            },
            "mean depth to that height, at most": {
                "top-down": most(Construction::TopDown, 1),
                "bottom-up": most(Construction::BottomUp, 1),
            },
        }),
        open: Some(
            "The sentence defines the height of a balanced tree and says nothing of the trees that are built; the \
             constructions of the paper and of the engine do not balance them."
                .into(),
        ),
        remark: format!(
            "K-ary trees come from binary ones: a node replaces its child of largest volume by that child's children until \
             it has K, so that trees stay as unbalanced as binary ones. Heights are at most {} times that of a balanced \
             tree if built top-down, {} times if built bottom-up; mean depths {} and {} times.",
            three_digits(most(Construction::TopDown, 2)),
            three_digits(most(Construction::BottomUp, 2)),
            three_digits(most(Construction::TopDown, 1)),
            three_digits(most(Construction::BottomUp, 1)),
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
        ..Finding::of(&claims::BRANCHING)
    }
}
