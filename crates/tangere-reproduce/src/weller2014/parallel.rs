//! Sections 4.2 and 4.3 of `weller2014`: parallel construction of the hash table, with exclusive writes
//! to its buckets, gives the table of one thread.

use super::claims::PARALLEL;
use super::scene::{Scene, rotating_copy};
use crate::Error;
use crate::check::Check;
use crate::finding::{Cell, Data, Finding, word};
use serde_json::json;
use tangere::geometry::Pose;
use tangere::overlap::{Method, Overlap, OverlapQuery, OverlapSettings, TableReport};
use tangere::shape::Packing;

/// The numbers of threads; the first one is the serial construction.
const THREADS: [usize; 4] = [1, 2, 3, 8];
/// The number of poses of the rotating copy.
const POSES: usize = 4;

/// What a table gives: its report, and at each pose the pairs and the bits of the sums.
#[derive(PartialEq)]
struct Outcome {
    report: TableReport,
    pairs: Vec<Vec<[u32; 2]>>,
    sums: Vec<[u64; 7]>,
}

fn query(method: Method) -> tangere::Result<OverlapQuery> {
    OverlapQuery::new(OverlapSettings::default().with_method(method))
}

/// Returns the bits of volume, force and torque.
fn bits(found: &Overlap) -> [u64; 7] {
    let ([fx, fy, fz], [tx, ty, tz]) = (found.force, found.torque);
    [found.lower, fx, fy, fz, tx, ty, tz].map(f64::to_bits)
}

/// Constructs the table of a packing on all threads of the pool, and asks for pairs and overlaps.
fn constructed(packing: &Packing, poses: &[Pose]) -> Result<Outcome, Error> {
    // A new packing has no table yet.
    let packing = Packing::new(packing.centers().to_vec(), packing.radii().to_vec())?;
    let report = packing.table_report(Method::Djb2);
    let mut query = query(Method::Djb2)?;
    let here = Pose::identity();
    let (mut pairs, mut sums) = (Vec::new(), Vec::new());
    for pose in poses {
        let mut list = Vec::new();
        query.pairs(&packing, &here, &packing, pose, &mut list);
        pairs.push(list);
        sums.push(bits(&query.overlap(&packing, &here, &packing, pose)));
    }
    Ok(Outcome {
        report: report.ok_or_else(|| Error::Failed("method djb2 has no table".into()))?,
        pairs,
        sums,
    })
}

/// Returns the pairs at each pose by brute force.
fn by_brute_force(packing: &Packing, poses: &[Pose]) -> Result<Vec<Vec<[u32; 2]>>, Error> {
    let mut brute = query(Method::Brute)?;
    let pairs = poses.iter().map(|pose| {
        let mut list = Vec::new();
        brute.pairs(packing, &Pose::identity(), packing, pose, &mut list);
        list
    });
    Ok(pairs.collect())
}

pub fn construction(scenes: &[Scene]) -> Result<Finding, Error> {
    let pools = THREADS.map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| Error::Failed(format!("a thread: {error}")))
    });
    let pools = pools.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut rows = Vec::new();
    // The numbers of packings with another table, other pairs and other sums, for each number of
    // threads.
    let (mut unlike, mut wrong, mut compared) = ([[0; 3]; THREADS.len()], 0, 0);
    for scene in scenes {
        for (i, packing) in scene.packings.iter().enumerate() {
            let poses = rotating_copy(packing, POSES)?;
            let mut outcomes = Vec::new();
            for pool in &pools {
                outcomes.push(pool.install(|| constructed(packing, &poses))?);
            }
            let serial = &outcomes[0];
            for (unlike, outcome) in unlike.iter_mut().zip(&outcomes) {
                unlike[0] += usize::from(outcome.report != serial.report);
                unlike[1] += usize::from(outcome.pairs != serial.pairs);
                unlike[2] += usize::from(outcome.sums != serial.sums);
            }
            // Brute force is quadratic: the smallest packing of each body.
            if i == 0 {
                wrong += usize::from(by_brute_force(packing, &poses)? != serial.pairs);
            }
            compared += 1;
            rows.push(vec![
                word(scene.name),
                Cell::Count(packing.len()),
                Cell::Count(serial.report.entries),
                Cell::Count(serial.report.fullest_bucket),
                Cell::Count(serial.pairs.iter().map(Vec::len).sum()),
                Cell::Count(outcomes.iter().filter(|o| *o == serial).count()),
            ]);
        }
    }
    let others = || THREADS.into_iter().zip(unlike).skip(1);
    let checks = others().flat_map(|(threads, [tables, pairs, sums])| {
        [
            (
                format!("the same table on {threads} threads as on one"),
                tables,
            ),
            (
                format!("the same pairs on {threads} threads as on one"),
                pairs,
            ),
            (
                format!("the same bits of volume, force and torque on {threads} threads as on one"),
                sums,
            ),
        ]
        .map(|(what, unlike)| Check::fact(what, unlike == 0))
    });
    let checks = checks.chain([Check::fact(
        "the pairs are those of brute force",
        wrong == 0,
    )]);
    let measured = others().map(|(threads, [tables, pairs, sums])| {
        let numbers = json!({"tables": tables, "pairs": pairs, "sums": sums});
        (format!("{threads} threads"), numbers)
    });
    Ok(Finding {
        checks: checks.collect(),
        measured: json!({
            "packings": compared,
            "threads": THREADS,
            "packings that differ from one thread": measured.collect::<serde_json::Map<_, _>>(),
        }),
        remark: format!(
            "Each of {compared} packings is constructed anew on 1, 2, 3 and 8 threads, more than processors or not, and asked at {POSES} poses \
             of its rotating copy. A sphere's place in a bucket comes from an atomic counter, an exclusive write; the buckets are sorted \
             afterwards, so that their content does not depend on the order of the writes. A table is compared by its report: cells, entries, \
             fullest bucket, collisions, overflow and memory; its content is compared entry by entry in a test of the library \
             (overlap/published/djb2.rs). The text has at most a constant number of writes for each bucket; the most of a bucket are in \
             the table, and not judged, because the constant is not printed."
        ),
        data: Data {
            head: vec![
                "body",
                "spheres",
                "writes",
                "most writes of a bucket",
                "pairs",
                "constructions alike",
            ],
            rows,
        },
        ..Finding::of(&PARALLEL)
    })
}
