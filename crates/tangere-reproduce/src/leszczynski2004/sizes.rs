//! Tables 1 to 3 of `leszczynski2004`: times of a sorted list of particles and of linked cells; and
//! the paper's conclusion about the dispersion of particle sizes.

use super::super::Effort;
use super::super::finding::{Cell, Data, Finding, word};
use super::super::timing::{Work, race};
use super::{list, pairs};
use crate::Error;
use serde_json::{Map, Value, json};
use tangere::generate::{ParticleBox, particles};
use tangere::pairs::{LinkedCells, PairFinder};
use tangere::shape::Spheres;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// A table of the paper: times of the broad phase by a list of particles sorted by distance, and by
/// linked cells.
struct Published {
    name: &'static str,
    claim: &'static str,
    remark: &'static str,
    count: usize,
    diameters: [f64; 2],
    huge: Option<f64>,
    /// The edge lengths of the box with which the table is measured; several if the paper does not
    /// publish the length.
    boxes: &'static [f64],
    list: f64,
    /// The name, the number of cells and the published seconds of each variant of linked cells.
    linked: &'static [(&'static str, usize, f64)],
    /// The number of boxes of random particles over which the measurements are averaged; several if
    /// a box has few particles.
    scenes: u64,
}

const TABLES: [Published; 3] = [
    Published {
        name: "table 1",
        claim: "For 10 000 discs with diameters from 0.02 to 1, linked cells take longer the more \
            particles a cell holds: the sorted list is slower than LCM100 and faster than LCM204, \
            LCM625 and LCM1111.",
        remark: "Cells of LCM100 are as large as the largest disc, so the box has an edge of 10.",
        count: 10_000,
        diameters: [0.02, 1.0],
        huge: None,
        boxes: &[10.0],
        list: 1.627,
        linked: &[
            ("LCM100", 100, 1.141),
            ("LCM204", 49, 2.296),
            ("LCM625", 16, 8.828),
            ("LCM1111", 9, 12.332),
        ],
        scenes: 1,
    },
    Published {
        name: "table 2",
        claim: "For 100 discs with diameters from 0.1 to 2, the sorted list is faster than LCM11, LCM25 \
            and LCM100, which take longer the more particles a cell holds.",
        remark: "The box is not published; 3 x 3 cells as large as the largest disc need an edge of \
                 6, and 4 x 4 would fit from 8 on. Repeats are not published, so only ratios can be \
                 compared. The 2 x 2 cells of LCM25 are all neighbours, so that they test as many pairs \
                 as one cell.",
        count: 100,
        diameters: [0.1, 2.0],
        huge: None,
        boxes: &[6.0, 7.5],
        list: 0.37,
        linked: &[("LCM11", 9, 1.01), ("LCM25", 4, 1.4), ("LCM100", 1, 1.59)],
        scenes: 20,
    },
    Published {
        name: "table 3",
        claim: "For 100 discs with diameters from 0.1 to 0.3 and a large one of 5.64, the sorted list \
            is faster than linked cells, which are a single cell.",
        remark: "The box is not published. An edge of 10, where the large disc covers a quarter, would \
            explain its diameter; the smallest possible edge is 5.64. Repeats are not published, so \
            only ratios can be compared.",
        count: 101,
        diameters: [0.1, 0.3],
        huge: Some(5.64),
        boxes: &[10.0, 5.64],
        list: 0.197,
        linked: &[("LCM101", 1, 1.38)],
        scenes: 20,
    },
];

/// Measurements in boxes of one edge length. Item 0 of `seconds` and of `tests` is the time and the
/// number of pair tests of the paper's sorted list of particles; the other items are those of each
/// variant of linked cells.
struct Measured {
    edge: f64,
    seconds: Vec<f64>,
    tests: Vec<usize>,
}

impl Published {
    fn scenes(&self, edge: f64) -> tangere::Result<Vec<Spheres<2>>> {
        let settings = |seed| ParticleBox {
            count: self.count,
            diameters: self.diameters,
            density: self.count as f64 / (edge * edge),
            seed,
            sizes: Default::default(),
            huge: self.huge,
        };
        (0..self.scenes)
            .map(|seed| particles(&settings(seed)))
            .collect()
    }

    fn linked(&self, cells: usize) -> tangere::Result<LinkedCells<2>> {
        LinkedCells::with_occupancy(Default::default(), self.count as f64 / cells as f64)
    }

    fn measured(&self, edge: f64, turns: usize) -> Result<Measured, Error> {
        let scenes = self.scenes(edge)?;
        let mut out = Vec::new();
        let mut tests = vec![0; 1 + self.linked.len()];
        let mut finders: Vec<Box<dyn PairFinder<2>>> = Vec::new();
        let mut own = list::<2>()?;
        for scene in &scenes {
            pairs(&mut own, scene, &mut out)?;
            tests[0] += own.tests();
        }
        finders.push(Box::new(own));
        for (i, &(_, cells, _)) in self.linked.iter().enumerate() {
            let mut linked = self.linked(cells)?;
            for scene in &scenes {
                pairs(&mut linked, scene, &mut out)?;
                tests[i + 1] += linked.tests();
            }
            finders.push(Box::new(linked));
        }
        let scenes = &scenes;
        let work = |mut finder: Box<dyn PairFinder<2>>| -> Work<'_> {
            let mut out = Vec::new();
            Box::new(move || {
                let mut found = 0;
                for scene in scenes {
                    found += pairs(finder.as_mut(), scene, &mut out)?;
                }
                Ok(found)
            })
        };
        let contestants: Vec<Work<'_>> = finders.into_iter().map(work).collect();
        let seconds = race(turns, &mut [contestants])?.concat();
        let each = scenes.len();
        Ok(Measured {
            edge,
            seconds: seconds.into_iter().map(|s| s / each as f64).collect(),
            tests: tests.into_iter().map(|t| t / each).collect(),
        })
    }

    /// Whether the linked cells with index `i` in the measurements are slower than the paper's
    /// sorted list of particles. If the times differ by less than a tenth, then the number of pair
    /// tests decides.
    fn loses(measured: &Measured, i: usize) -> bool {
        let ratio = measured.seconds[i] / measured.seconds[0];
        match (0.9..=1.1).contains(&ratio) {
            true => measured.tests[i] > measured.tests[0],
            false => ratio > 1.0,
        }
    }

    /// Whether the same variants of linked cells as in the paper are faster than the sorted list of
    /// particles, and whether more particles per cell never mean fewer pair tests. The second
    /// condition compares tests, because times of methods with equal tests differ by noise.
    fn holds(&self, measured: &Measured) -> bool {
        let mut linked = self.linked.iter().enumerate();
        linked.all(|(i, (_, _, s))| (*s > self.list) == Self::loses(measured, i + 1))
            && measured.tests[1..].is_sorted()
    }

    fn finding(&self, effort: &Effort) -> Result<Finding, Error> {
        let boxes = self.boxes.iter();
        let all = boxes
            .map(|&edge| self.measured(edge, effort.turns))
            .collect::<Result<Vec<Measured>, Error>>()?;
        let mut rows = Vec::new();
        let mut objects = Map::new();
        for measured in &all {
            let names = std::iter::once(("list", self.list))
                .chain(self.linked.iter().map(|&(name, _, s)| (name, s)));
            let mut ratios = Map::new();
            for (i, (name, published)) in names.enumerate() {
                let ratio = measured.seconds[i] / measured.seconds[0];
                rows.push(vec![
                    Cell::Number(measured.edge),
                    word(name),
                    Cell::Seconds(published),
                    Cell::Seconds(measured.seconds[i]),
                    Cell::Count(measured.tests[i]),
                    Cell::Number(published / self.list),
                    Cell::Number(ratio),
                    Cell::Number(measured.tests[i] as f64 / measured.tests[0] as f64),
                ]);
                ratios.insert(name.into(), json!(ratio));
            }
            objects.insert(format!("box {}", measured.edge), Value::Object(ratios));
        }
        let published = std::iter::once(("list", 1.0)).chain(
            self.linked
                .iter()
                .map(|&(name, _, s)| (name, s / self.list)),
        );
        let published: Map<String, Value> = published
            .map(|(name, ratio)| (name.into(), json!(ratio)))
            .collect();
        Ok(Finding {
            name: self.name,
            claim: self.claim.into(),
            published: Value::Object(published),
            measured: Value::Object(objects),
            holds: all.iter().all(|measured| self.holds(measured)),
            remark: format!(
                "{} Ratios are relative to the list; those of tests do not depend on the machine and \
                 decide where times are within a tenth. Times include work that both methods share, \
                 such as sorting the contacts, which brings ratios closer to 1.",
                self.remark
            ),
            data: Data {
                head: vec![
                    "box",
                    "method",
                    "published",
                    "measured",
                    "tests",
                    "published ratio",
                    "measured ratio",
                    "ratio of tests",
                ],
                rows,
            },
            pictures: Vec::new(),
            plots: self.plot(&all).into_iter().collect(),
        })
    }

    /// Plots the times and the numbers of pair tests of linked cells, relative to those of the
    /// sorted list of particles, against the number of particles per cell. `None` if there is only
    /// one variant of linked cells.
    fn plot(&self, all: &[Measured]) -> Option<Plot> {
        if self.linked.len() < 2 {
            return None;
        }
        let held = |cells: usize| self.count as f64 / cells as f64;
        let published = Curve {
            name: "published".into(),
            points: self
                .linked
                .iter()
                .map(|&(_, cells, s)| [held(cells), s / self.list])
                .collect(),
            dashed: false,
        };
        let curve = |name: &str, measured: &Measured, values: &[f64], dashed: bool| Curve {
            name: match all.len() {
                1 => name.into(),
                _ => format!("{name}, box {}", measured.edge),
            },
            points: (self.linked.iter().zip(&values[1..]))
                .map(|(&(_, cells, _), x)| [held(cells), x / values[0]])
                .collect(),
            dashed,
        };
        let mut curves = vec![published];
        for measured in all {
            let tests: Vec<f64> = measured.tests.iter().map(|&t| t as f64).collect();
            curves.push(curve("measured", measured, &measured.seconds, false));
            curves.push(curve("tests", measured, &tests, true));
        }
        Some(Plot {
            title: format!(
                "{}: above 1 the sorted list is faster",
                self.name.replace('t', "T")
            ),
            x: Axis {
                name: "particles in a cell",
                unit: Unit::Count,
            },
            y: Axis {
                name: "linked cells / list",
                unit: Unit::Number,
            },
            even: true,
            curves,
        })
    }
}

/// Measures Tables 1, 2 and 3.
pub fn tables(effort: &Effort) -> Result<Vec<Finding>, Error> {
    TABLES.iter().map(|table| table.finding(effort)).collect()
}

/// Measures the statement of section 4 about the dispersion of sizes: particles of equal size
/// against particles of different sizes with the same mean.
pub fn dispersion(effort: &Effort) -> Result<Vec<Finding>, Error> {
    // The sizes of table 1, and all equal to its mean diameter.
    const SIZES: [[f64; 2]; 2] = [[0.51, 0.51], [0.02, 1.0]];
    let scene = |diameters| {
        let settings = ParticleBox::test_a(2, effort.largest.min(10_000), 1);
        particles::<2>(&ParticleBox {
            diameters,
            ..settings
        })
    };
    let scenes = [scene(SIZES[0])?, scene(SIZES[1])?];
    let mut groups: Vec<Vec<Work<'_>>> = Vec::new();
    let mut tests = Vec::new();
    for spheres in &scenes {
        let mut own = list::<2>()?;
        // The number of cells is the largest that the largest particle allows.
        let mut linked = LinkedCells::<2>::with_occupancy(Default::default(), 1.0)?;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        pairs(&mut own, spheres, &mut a)?;
        pairs(&mut linked, spheres, &mut b)?;
        tests.push([own.tests(), linked.tests()]);
        groups.push(vec![
            Box::new(move || pairs(&mut own, spheres, &mut a)),
            Box::new(move || pairs(&mut linked, spheres, &mut b)),
        ]);
    }
    let seconds = race(effort.turns, &mut groups)?;
    let ratios = [0, 1].map(|m| tests[1][m] as f64 / tests[0][m] as f64);
    let times = [0, 1].map(|m| seconds[1][m] / seconds[0][m]);
    let rows = ["list", "linked cells"]
        .iter()
        .enumerate()
        .map(|(m, name)| {
            vec![
                word(*name),
                Cell::Seconds(seconds[0][m]),
                Cell::Seconds(seconds[1][m]),
                Cell::Number(times[m]),
                Cell::Count(tests[0][m]),
                Cell::Count(tests[1][m]),
                Cell::Number(ratios[m]),
            ]
        });
    Ok(vec![Finding {
        name: "conclusion, dispersion",
        claim: "The dispersion of sizes influences the time of linked cells, but not that of the \
            sorted list."
            .into(),
        published: json!({"list": "no influence", "linked cells": "some influence"}),
        measured: json!({
            "ratio of tests": {"list": ratios[0], "linked cells": ratios[1]},
            "ratio of times": {"list": times[0], "linked cells": times[1]},
        }),
        holds: (0.8..1.25).contains(&ratios[0]) && ratios[1] > 1.5 && times[0] < times[1],
        remark:
            "Discs in a box of density 100, all with a diameter of 0.51, then with diameters from \
             0.02 to 1. The list tests a disc against those that begin within its diameter, so its \
             tests depend on the mean diameter alone; cells must be as large as the largest disc. \
             Times include writing the contacts, 15% more of them where sizes differ. Criterion: the \
             list's tests change by less than a quarter, those of linked cells by more than half."
                .into(),
        data: Data {
            head: vec![
                "method",
                "time alike",
                "time dispersed",
                "ratio of times",
                "tests alike",
                "tests dispersed",
                "ratio of tests",
            ],
            rows: rows.collect(),
        },
        pictures: Vec::new(),
        plots: Vec::new(),
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_those_of_the_tables() {
        for table in &TABLES {
            for &edge in table.boxes {
                let scenes = table.scenes(edge).unwrap();
                for &(name, cells, _) in table.linked {
                    let mut linked = table.linked(cells).unwrap();
                    for scene in &scenes {
                        linked.update(scene.into()).unwrap();
                        let made: usize = linked.cells().iter().product();
                        assert_eq!(made, cells, "{}: {name} in a box of {edge}", table.name);
                    }
                }
            }
        }
    }

    #[test]
    fn who_wins_decides() {
        let measured = |seconds: [f64; 5], tests: [usize; 5]| Measured {
            edge: 10.0,
            seconds: seconds.into(),
            tests: tests.into(),
        };
        let [first, ..] = &TABLES;
        let grows = [2, 1, 3, 3, 4];
        assert!(first.holds(&measured([1.0, 0.8, 2.0, 1.95, 3.0], grows)));
        assert!(first.holds(&measured([1.0, 1.05, 2.0, 1.95, 3.0], grows)));
        assert!(!first.holds(&measured([1.0, 1.2, 2.0, 3.0, 4.0], grows)));
        assert!(!first.holds(&measured([1.0, 0.8, 2.0, 3.0, 4.0], [2, 1, 4, 3, 5])));
    }
}
