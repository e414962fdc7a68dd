//! Sections 4.3, 5 and 5.1 of `weller2014`: occupancy, overflow and memory of the paper's hash table,
//! and the tables that it names beside it.

use super::claims::{COLLISIONS, MEMORY, MORTON, OVERFLOW, PERFECT_HASH};
use super::scene::{Scene, rotating_copy};
use crate::Effort;
use crate::Error;
use crate::check::{Check, at_most};
use crate::finding::{Cell, Data, Finding, IN_WORDS, word};
use crate::timing::{Batch, Work, least, race, ratio_interval, without_one};
use serde_json::json;
use tangere::geometry::Pose;
use tangere::overlap::{Method, OverlapQuery, OverlapSettings, TableReport};
use tangere::shape::Packing;
use tangere_front::text;
use tangere_render::plot::{Axis, Curve, Plot, Unit};

/// The largest share of cells with spheres that share a bucket which is not notable.
const NOTABLE: f64 = 0.05;
/// Bytes of a sphere in single precision, which is assumed here: three coordinates and a radius.
const SPHERE_BYTES: f64 = 16.0;

/// The tables of one packing.
struct Tables {
    body: &'static str,
    spheres: usize,
    djb2: TableReport,
    perfect: TableReport,
    morton: TableReport,
    /// The bytes of a voxel map of the packing's box: a bit for each voxel as wide as the smallest
    /// sphere.
    voxels: f64,
}

impl Tables {
    fn new(body: &'static str, packing: &Packing) -> Result<Self, Error> {
        let report = |method| {
            let report = packing.table_report(method);
            report.ok_or_else(|| Error::Failed(format!("method {method} has no table")))
        };
        let width = 2.0
            * packing
                .radii()
                .iter()
                .copied()
                .fold(f64::INFINITY, f64::min);
        let along = packing.bounds().extent().map(|x| (x / width).ceil());
        Ok(Self {
            body,
            spheres: packing.len(),
            djb2: report(Method::Djb2)?,
            perfect: report(Method::PerfectHash)?,
            morton: report(Method::Morton)?,
            voxels: along.iter().product::<f64>() / 8.0,
        })
    }

    fn name(&self) -> String {
        let count = text::count(self.spheres as u64);
        format!("{}, {count} spheres", self.body)
    }

    fn colliding(&self) -> f64 {
        self.djb2.colliding as f64 / self.djb2.cells as f64
    }

    /// The memory of the paper's table, and of the spheres in its precision.
    fn memory(&self) -> f64 {
        self.djb2.bytes as f64 + SPHERE_BYTES * self.spheres as f64
    }
}

fn reports(scenes: &[Scene]) -> Result<Vec<Tables>, Error> {
    let mut tables = Vec::new();
    for scene in scenes {
        for packing in &scene.packings {
            tables.push(Tables::new(scene.name, packing)?);
        }
    }
    Ok(tables)
}

/// Returns the findings about the paper's hash table.
pub fn tables(scenes: &[Scene]) -> Result<Vec<Finding>, Error> {
    let tables = reports(scenes)?;
    Ok(vec![overflow(&tables), collisions(&tables)])
}

/// Returns the findings about memory and the tables that the paper names beside its own.
pub fn other_tables(scenes: &[Scene], effort: &Effort) -> Result<Vec<Finding>, Error> {
    let tables = reports(scenes)?;
    // The smallest and the largest packing of the first body.
    let packings = scenes.first().map_or(&[][..], |scene| &scene.packings);
    let (Some(small), Some(packing)) = (packings.first(), packings.last()) else {
        return Err(Error::Failed("there is no packing".into()));
    };
    Ok(vec![
        memory(&tables),
        perfect_hash(&tables, small)?,
        morton(&tables, packing, effort)?,
    ])
}

fn data(tables: &[Tables], names: &[&'static str], cells: impl Fn(&Tables) -> Vec<Cell>) -> Data {
    let row = |t: &Tables| {
        let mut row = vec![word(t.body), Cell::Count(t.spheres)];
        row.extend(cells(t));
        row
    };
    Data {
        head: [&["body", "spheres"], names].concat(),
        rows: tables.iter().map(row).collect(),
    }
}

fn plot(tables: &[Tables], title: &str, y: Axis, of: &dyn Fn(&Tables) -> f64) -> Plot {
    let curve = |of_body: &[Tables]| Curve {
        name: of_body[0].body.into(),
        points: of_body.iter().map(|t| [t.spheres as f64, of(t)]).collect(),
        dashed: false,
    };
    Plot {
        title: title.into(),
        x: Axis {
            name: "spheres",
            unit: Unit::Count,
        },
        y,
        even: false,
        curves: tables
            .chunk_by(|a, b| a.body == b.body)
            .map(curve)
            .collect(),
    }
}

fn count(name: &'static str) -> Axis {
    Axis {
        name,
        unit: Unit::Count,
    }
}

fn overflow(tables: &[Tables]) -> Finding {
    let checks = tables.iter().map(|t| {
        let what = format!("entries that overflow, {}, most of all", t.name());
        Check::number(what, t.djb2.overflowing as f64, at_most(0.0))
    });
    let most = |of: fn(&Tables) -> usize| tables.iter().map(of).max().unwrap_or(0);
    Finding {
        published: json!({"bucket size": 24, "hash table": "16 MByte", "kissing number": 12}),
        measured: json!({
            "most spheres of a cell": most(|t| t.djb2.fullest_cell),
            "most entries of a bucket": most(|t| t.djb2.fullest_bucket),
            "entries that overflow, most": most(|t| t.djb2.overflowing),
        }),
        checks: Check::worst(checks)
            .map(|check| check.printed("overflow avoided"))
            .into_iter()
            .collect(),
        remark: "The paper's table: buckets of 24 spheres and 16 MByte. Assumed here: 16 MiB, and indices of 4 bytes, so that there are 174762 buckets. A \
            sphere is stored in every cell of its level that it meets. The hash adds neighbouring coordinates with \
            small factors (33), so that cells of different rows often share a bucket; the method here keeps what \
            overflows in a sorted list."
            .into(),
        data: data(
            tables,
            &["cells", "entries", "most in a cell", "most in a bucket", "overflow"],
            |t| {
                let r = &t.djb2;
                let counts = [
                    r.cells,
                    r.entries,
                    r.fullest_cell,
                    r.fullest_bucket,
                    r.overflowing,
                ];
                counts.map(Cell::Count).into()
            },
        ),
        plots: vec![plot(
            tables,
            "Most entries of a bucket; 24 fit",
            count("entries"),
            &|t| t.djb2.fullest_bucket as f64,
        )],
        open: (!tables.iter().any(|t| t.spheres == 60_000))
            .then(|| "60000 spheres are not packed in a quick run.".into()),
        ..Finding::of(&OVERFLOW)
    }
}

fn collisions(tables: &[Tables]) -> Finding {
    let checks = tables.iter().map(|t| {
        let what = format!(
            "share of cells that share a bucket, {}, most of all",
            t.name()
        );
        Check::number(what, t.colliding(), at_most(NOTABLE)).percent()
    });
    Finding {
        published: IN_WORDS.into(),
        measured: json!({"share, most": tables.iter().map(Tables::colliding).fold(0.0, f64::max)}),
        checks: Check::worst(checks).into_iter().collect(),
        remark: "Cells with spheres whose bucket another such cell has, too.".into(),
        data: data(tables, &["cells", "buckets", "colliding", "share"], |t| {
            vec![
                Cell::Count(t.djb2.cells),
                Cell::Count(t.djb2.buckets),
                Cell::Count(t.djb2.colliding),
                Cell::Share(t.colliding()),
            ]
        }),
        plots: vec![plot(
            tables,
            "Share of cells that share a bucket",
            Axis {
                name: "share",
                unit: Unit::Number,
            },
            &Tables::colliding,
        )],
        ..Finding::of(&COLLISIONS)
    }
}

fn memory(tables: &[Tables]) -> Finding {
    let most = tables.iter().map(|t| t.spheres).max().unwrap_or(0);
    let finest = tables.iter().filter(|t| t.spheres == most);
    let checks = finest.map(|t| {
        let what = format!(
            "memory of the paper's table / voxel map, {}, most of all",
            t.name()
        );
        Check::number(what, t.memory() / t.voxels, at_most(1.0))
    });
    let megabytes = |bytes: f64| Cell::Number(bytes / 1e6);
    Finding {
        published: json!({"hash table": "16 MByte"}),
        measured: json!({
            "table to voxel map": tables.iter().map(|t| t.memory() / t.voxels).collect::<Vec<_>>(),
            "perfect hash to voxel map": tables
                .iter()
                .map(|t| t.perfect.bytes as f64 / t.voxels)
                .collect::<Vec<_>>(),
        }),
        checks: Check::worst(checks).into_iter().collect(),
        remark: "The table of fixed size and the spheres, 16 bytes each in single precision, which is assumed here, against a bit for \
            each voxel of the packing's box, with voxels as wide as the smallest sphere. The points of the other body, \
            which a voxmap needs, are left out. Megabytes."
            .into(),
        data: data(
            tables,
            &["djb2 and spheres", "perfect hash", "Morton", "voxel map"],
            |t| {
                let of = [
                    t.memory(),
                    t.perfect.bytes as f64,
                    t.morton.bytes as f64,
                    t.voxels,
                ];
                of.map(megabytes).into()
            },
        ),
        plots: vec![plot(
            tables,
            "Memory of the paper's table, relative to that of a voxel map",
            Axis {
                name: "quotient",
                unit: Unit::Number,
            },
            &|t| t.memory() / t.voxels,
        )],
        ..Finding::of(&MEMORY)
    }
}

fn query(method: Method) -> tangere::Result<OverlapQuery> {
    OverlapQuery::new(OverlapSettings::default().with_method(method))
}

fn perfect_hash(tables: &[Tables], packing: &Packing) -> Result<Finding, Error> {
    let (mut hashed, mut brute) = (query(Method::PerfectHash)?, query(Method::Brute)?);
    let mut unlike = 0;
    let poses = rotating_copy(packing, 4)?;
    for pose in &poses {
        let mut lists = [Vec::new(), Vec::new()];
        let here = Pose::identity();
        hashed.pairs(packing, &here, packing, pose, &mut lists[0]);
        brute.pairs(packing, &here, packing, pose, &mut lists[1]);
        unlike += usize::from(lists[0] != lists[1]);
    }
    let colliding = tables.iter().map(|t| t.perfect.colliding).max();
    let probes = tables.iter().map(|t| t.perfect.probes).max();
    let number = |n: Option<usize>| n.map_or(f64::NAN, |n| n as f64);
    Ok(Finding {
        published: IN_WORDS.into(),
        measured: json!({"cells that share a bucket": colliding, "buckets read per cell": probes}),
        checks: vec![
            Check::number(
                "cells that share a bucket, most of all",
                number(colliding),
                at_most(0.0),
            ),
            Check::number(
                "buckets read per cell, most of all",
                number(probes),
                at_most(1.0),
            ),
            Check::fact("the same pairs as brute force", unlike == 0),
        ],
        remark: format!(
            "Hash and displace, made in advance for the cells of each packing: {} times as many buckets as cells. Pairs \
             are compared at {} poses of the smallest packing of the first body.",
            1.25,
            poses.len()
        ),
        data: data(tables, &["cells", "buckets", "MB"], |t| {
            vec![
                Cell::Count(t.perfect.cells),
                Cell::Count(t.perfect.buckets),
                Cell::Number(t.perfect.bytes as f64 / 1e6),
            ]
        }),
        plots: vec![plot(
            tables,
            "Cells of the perfect hash",
            count("cells"),
            &|t| t.perfect.cells as f64,
        )],
        ..Finding::of(&PERFECT_HASH)
    })
}

/// The methods whose queries race: those with a published table, and the grid of the library.
const RACERS: [Method; 4] = [
    Method::Djb2,
    Method::PerfectHash,
    Method::Morton,
    Method::Grid,
];

fn morton(tables: &[Tables], packing: &Packing, effort: &Effort) -> Result<Finding, Error> {
    let poses = rotating_copy(packing, if effort.is_least() { 2 } else { 8 })?;
    let work = |method| -> tangere::Result<Work<'_>> {
        let (mut query, packing, poses) = (query(method)?, packing.clone(), &poses);
        Ok(Box::new(move || {
            let here = Pose::identity();
            let pairs = poses
                .iter()
                .map(|pose| query.overlap(&packing, &here, &packing, pose).pairs);
            Ok(pairs.sum())
        }))
    };
    let make = || {
        let group = RACERS.into_iter().map(work);
        Ok(vec![group.collect::<tangere::Result<Vec<_>>>()?])
    };
    let ratio = |batches: &[Batch], k: usize| {
        let batches = without_one(batches);
        let ratios = batches.iter().map(|batch| batch[0][k] / batch[0][0]);
        ratio_interval(&ratios.collect::<Vec<f64>>())
    };
    let batches = race(make, effort.batch, |_| true)?;
    let seconds = &least(&batches)[0];
    let rows = RACERS
        .iter()
        .zip(seconds)
        .enumerate()
        .map(|(k, (method, s))| {
            vec![
                word(method.name()),
                Cell::Seconds(s / poses.len() as f64),
                Cell::Number(s / seconds[0]),
                Cell::Number(ratio(&batches, k)[0]),
                Cell::Number(ratio(&batches, k)[1]),
            ]
        });
    let probes = tables.iter().map(|t| t.morton.probes).max();
    Ok(Finding {
        published: IN_WORDS.into(),
        measured: json!({
            "seconds a query": RACERS
                .iter()
                .zip(seconds)
                .map(|(m, s)| (m.name().to_owned(), json!(s / poses.len() as f64)))
                .collect::<serde_json::Map<_, _>>(),
            "time of a query, Morton / DJB2": ratio(&batches, 2),
            "buckets read per cell with spheres, Morton, most": probes,
        }),
        open: Some(
            "The text expects it of a better hash function that it does not specify; Morton codes are named as probably an option, so \
             that one table with them neither confirms nor refutes it."
                .into(),
        ),
        remark: format!(
            "{} poses of the first body with {} spheres, on one thread. Cells half as wide hold fewer spheres, but a sphere \
             meets up to 27 of them.",
            poses.len(),
            packing.len()
        ),
        data: Data {
            head: vec!["method", "a query", "over DJB2", "from", "to"],
            rows: rows.collect(),
        },
        plots: vec![Plot {
            title: "A query at each pose, by table: 1 DJB2, 2 perfect hash, 3 Morton, 4 grid"
                .into(),
            x: count("table"),
            y: Axis {
                name: "a query",
                unit: Unit::Seconds,
            },
            even: true,
            curves: vec![Curve {
                name: "mean of all poses".into(),
                points: (1..)
                    .zip(seconds)
                    .map(|(k, s)| [f64::from(k), s / poses.len() as f64])
                    .collect(),
                dashed: false,
            }],
        }],
        ..Finding::of(&MORTON)
    })
}
