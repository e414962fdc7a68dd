//! Cost models of `leszczynski2004` (sections 2.1 and 2.2), fitted to measurements, and the memory
//! of both methods.

use super::claims::{COSTS_LINKED, COSTS_LIST, MEMORY};
use super::plain::{Phases, linked, list};
use super::{Effort, TESTS};
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding, word};
use crate::fit::costs;
use serde_json::json;
use tangere::generate::particles;

/// The largest accepted spread of a fit: the largest quotient of measured and fitted time, divided
/// by the smallest.
const SPREAD: f64 = 2.0;

/// The paper's numbers of tests of linked cells over n p, in the plane and in space.
const TESTED: [f64; 2] = [4.5, 13.5];

/// A search: the test and the dimension, the number of particles, the model's number of tests, and
/// the phases.
struct Search {
    name: String,
    count: usize,
    /// The number of tests in the model: nt for the list, the pairs in contact; 4.5 n p or 13.5 n p for
    /// linked cells.
    model: f64,
    phases: Phases,
}

impl Search {
    /// Returns the time of the model without sorting.
    fn seconds(&self) -> f64 {
        self.phases.prepare + self.phases.search
    }
}

fn searches<const D: usize>(
    effort: &Effort,
    lists: &mut Vec<Search>,
    cells: &mut Vec<Search>,
) -> Result<(), Error> {
    // Below some thousand particles a search is too short for the clock.
    let counts = effort.counts().into_iter();
    let counts: Vec<usize> = match effort.is_least() {
        true => counts.collect(),
        false => counts.filter(|n| (5000..=50_000).contains(n)).collect(),
    };
    for count in counts {
        for (test, make) in TESTS {
            let settings = make(D, count, 1);
            let spheres = particles::<D>(&settings)?;
            let repeated = |search: &dyn Fn() -> Phases| {
                (1..effort.turns.max(3)).fold(search(), |least, _| least.least(search()))
            };
            let name = |method: &str| format!("{D}D {test} {method}");
            let phases = repeated(&|| list(&spheres));
            lists.push(Search {
                name: name("list"),
                count,
                model: phases.contacts as f64,
                phases,
            });
            for occupancy in [1.0, 5.0, 10.0] {
                let contacts = phases.contacts;
                let phases = repeated(&|| linked(&spheres, settings.edge(D), occupancy));
                if phases.contacts != contacts {
                    let message = format!(
                        "linked cells found {} contacts, expected {contacts} as found by the list",
                        phases.contacts
                    );
                    return Err(Error::Failed(message));
                }
                let cell_count = (phases.stored - count) as f64;
                let held = count as f64 / cell_count;
                cells.push(Search {
                    name: name(&format!("LCM{occupancy}")),
                    count,
                    model: TESTED[D - 2] * count as f64 * held,
                    phases,
                });
            }
        }
    }
    Ok(())
}

/// A model of times: the number of tests of a search, the costs of a particle and of a test fitted to
/// all searches, and the spread of the quotients of measured and modelled times.
struct Model {
    tests: fn(&Search) -> f64,
    costs: [f64; 2],
    spread: f64,
}

impl Model {
    fn new(searches: &[Search], tests: fn(&Search) -> f64) -> Self {
        let rows: Vec<[f64; 3]> = searches
            .iter()
            .map(|s| [s.count as f64, tests(s), s.seconds()])
            .collect();
        let mut model = Self {
            tests,
            costs: costs(&rows),
            spread: f64::NAN,
        };
        let quotients = || searches.iter().map(|s| model.quotient(s));
        let most = quotients().fold(0.0, f64::max);
        model.spread = most / quotients().fold(f64::INFINITY, f64::min);
        model
    }

    /// Returns the time of the model, to which sorting adds its own.
    fn seconds(&self, search: &Search) -> f64 {
        let [a, b] = self.costs;
        a * search.count as f64 + search.phases.sort + b * (self.tests)(search)
    }

    fn quotient(&self, search: &Search) -> f64 {
        (search.seconds() + search.phases.sort) / self.seconds(search)
    }
}

fn data(searches: &[Search], model: &Model) -> Data {
    let row = |s: &Search| {
        vec![
            word(&s.name),
            Cell::Count(s.count),
            Cell::Count(s.phases.tests),
            Cell::Count(s.phases.contacts),
            Cell::Number(s.model),
            Cell::Seconds(s.phases.prepare),
            Cell::Seconds(s.phases.sort),
            Cell::Seconds(s.phases.search),
            Cell::Seconds(model.seconds(s)),
            Cell::Number(model.quotient(s)),
        ]
    };
    Data {
        head: vec![
            "scene",
            "particles",
            "tests",
            "contacts",
            "tests of the model",
            "prepare",
            "sort",
            "search",
            "model",
            "measured / model",
        ],
        rows: searches.iter().map(row).collect(),
    }
}

pub fn all(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let (mut lists, mut cells) = (Vec::new(), Vec::new());
    searches::<2>(effort, &mut lists, &mut cells)?;
    searches::<3>(effort, &mut lists, &mut cells)?;
    let model = |claim, searches: &[Search], published: &str, remark: String| {
        let model = Model::new(searches, |s| s.model);
        let tested = Model::new(searches, |s| s.phases.tests as f64);
        Finding {
            published: json!(published),
            measured: json!({
                "nanoseconds a particle": 1e9 * model.costs[0],
                "nanoseconds a test": 1e9 * model.costs[1],
                "spread": model.spread,
                "spread with the number of pairs tested": tested.spread,
            }),
            checks: vec![Check::number(
                "largest over smallest quotient of measured time and model",
                model.spread,
                at_most(SPREAD),
            )],
            remark,
            data: data(searches, &model),
            ..Finding::of(claim)
        }
    };
    let tested = Model::new(&lists, |s| s.phases.tests as f64).spread;
    let per_particle = |s: &Search| s.phases.stored as f64 / s.count as f64;
    let rows = lists
        .iter()
        .chain(&cells)
        .filter(|s| s.name.contains(" A "));
    let most = lists.iter().map(per_particle).fold(0.0, f64::max);
    let memory = Finding {
        published: json!("two one-dimensional matrices, the dimension of each np"),
        measured: json!({"numbers a particle": most}),
        checks: vec![Check::number("numbers stored per particle, list", most, [2.0; 2]).printed_number("two matrices of np numbers", [2.0; 2])],
        remark: "Linked cells store a header of as many numbers as cells and a list of n numbers: 2 numbers per particle with \
            one particle per cell, fewer with more. The list is small, but not smaller."
            .into(),
        data: Data {
            head: vec!["scene", "particles", "numbers stored", "per particle"],
            rows: rows
                .map(|s| {
                    let stored = Cell::Count(s.phases.stored);
                    vec![word(&s.name), Cell::Count(s.count), stored, Cell::Number(per_particle(s))]
                })
                .collect(),
        },
        ..Finding::of(&MEMORY)
    };
    Ok(vec![
        model(
            &COSTS_LINKED,
            &cells,
            "np t_cell + 4.5 np p_avg t_test in 2D, np t_cell + 13.5 np p_avg t_test in 3D",
            "Linked cells as printed, in 2D and 3D, with one pair of costs fitted to all of them. The model has no cost of \
             a cell: a visit to each neighbour takes time even if it is empty, which shows with one particle per cell in 3D."
                .into(),
        ),
        model(
            &COSTS_LIST,
            &lists,
            "np t_l + t_sort + nt t_test",
            format!(
                "Algorithm 1 as printed. The time of sorting, which the model leaves open, is measured and part of both times. The text \
                 calls nt the pairs that are eventually in contact; algorithm 1 tests many more, and with their number as nt the \
                 quotient varies by a factor of {tested:.2} only."
            ),
        ),
        memory,
    ])
}
