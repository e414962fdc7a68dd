//! Verifies the answers of the convex benchmark: all by their certificates, some by brute force
//! over all pairs of features.

use super::motion::Motion;
use super::parry::{Parry, Past};
use crate::Outcome;
use rayon::prelude::*;
use tangere::closest::{Tracker, certificate, exhaustive};
use tangere::contact::ContactStatus;

/// The largest error of a gap of parry, relative to the size of the bodies, that is not counted as
/// wrong.
const WRONG: f64 = 1e-9;

/// The largest error of our gap, relative to the size of the bodies, that is not counted as wrong.
const ERROR_MAX: f64 = 1e-12;

/// The budget of brute force, in pairs of edges for each motion. For the first motion at least one
/// answer is compared.
const COMPARISONS: usize = 4_000_000;

/// The counts of the verification.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    answers: usize,
    /// The number of our answers that are not proven; `words` has the reasons for some of them.
    unproven: usize,
    words: Vec<String>,
    bracketed: usize,
    /// The number of gaps that were compared with brute force over all pairs of features; `worst`
    /// is the largest error, relative to the size of the bodies.
    compared: usize,
    worst: f64,
    /// The number of wrong answers of parry, without (cold) and with (warm) its last normal;
    /// `failed` is the number of NaN.
    wrong: [usize; 2],
    failed: [usize; 2],
}

impl Tally {
    /// Verifies the answers for all motions, on all threads. If `fresh`, every answer is found
    /// without temporal coherence.
    pub fn of(motions: &[Motion], peers: &[Parry], fresh: bool) -> Result<Self, String> {
        // Races run on one thread; this uses its own pool.
        let pool = rayon::ThreadPoolBuilder::new().build();
        let pool = pool.map_err(|error| error.to_string())?;
        let tallies: Vec<Tally> = pool.install(|| {
            let motions = motions.par_iter().enumerate();
            motions
                .map(|(i, motion)| Self::of_one(motion, peers.get(i), fresh, i == 0))
                .collect()
        });
        let mut all = Tally::default();
        for tally in &tallies {
            all.merge(tally);
        }
        Ok(all)
    }

    fn of_one(motion: &Motion, peer: Option<&Parry>, fresh: bool, is_first: bool) -> Self {
        let Motion { a, b, size, poses } = motion;
        let mut tally = Tally::default();
        let mut tracker = Tracker::new();
        let mut past = Past::new();
        let samples = COMPARISONS / (a.edge_count() * b.edge_count());
        let samples = samples.max(usize::from(is_first));
        let every = poses.len().checked_div(samples).map(|n| n.max(1));
        for (i, [pose_a, pose_b]) in poses.iter().enumerate() {
            if fresh {
                (tracker, past) = (Tracker::new(), Past::new());
            }
            let contact = tracker.contact(a, pose_a, b, pose_b);
            tally.answers += 1;
            tally.bracketed += usize::from(contact.status == ContactStatus::Bracketed);
            let mut fault = certificate(a, pose_a, b, pose_b, &contact)
                .err()
                .map(|violation| violation.to_string());
            if every.is_some_and(|every| i % every == 0) {
                let error = (contact.gap - exhaustive(a, pose_a, b, pose_b).gap).abs() / size;
                tally.compared += 1;
                tally.worst = tally.worst.max(error);
                if error > ERROR_MAX {
                    fault = fault.or(Some(format!("gap off by {error:e} of the size")));
                }
            }
            if let Some(fault) = fault {
                tally.unproven += 1;
                let faces = a.face_count();
                let words = format!("{faces} faces, {pose_a} and {pose_b}: {fault}");
                tally.words.push(words);
            }
            if let Some(parry) = peer {
                let gaps = [
                    parry.cold(&parry.poses[i]),
                    parry.warm(&parry.poses[i], &mut past),
                ];
                for (way, gap) in gaps.into_iter().enumerate() {
                    tally.failed[way] += usize::from(gap.is_nan());
                    tally.wrong[way] += usize::from((gap - contact.gap).abs() > WRONG * size);
                }
            }
        }
        tally
    }

    pub fn merge(&mut self, other: &Tally) {
        self.answers += other.answers;
        self.unproven += other.unproven;
        self.words.extend(other.words.iter().cloned());
        self.words.truncate(10);
        self.bracketed += other.bracketed;
        self.compared += other.compared;
        self.worst = self.worst.max(other.worst);
        for way in 0..2 {
            self.wrong[way] += other.wrong[way];
            self.failed[way] += other.failed[way];
        }
    }

    pub fn print(&self) {
        println!(
            "  {} answers: {} not proven, {} bracketed; {} beside all pairs of features, off by at most {:.0e} of the size",
            self.answers, self.unproven, self.bracketed, self.compared, self.worst
        );
        if self.wrong != [0; 2] || self.failed != [0; 2] {
            let [wrong, wrong_warm] = self.wrong;
            let [failed, failed_warm] = self.failed;
            println!(
                "  parry: {wrong} wrong and {failed} NaN; with its last normal {wrong_warm} and {failed_warm}"
            );
        }
        for words in &self.words {
            println!("  {words}");
        }
    }

    /// Returns an error if one of our answers is not proven.
    pub fn verdict(&self) -> Outcome {
        match self.unproven {
            0 => Ok(()),
            n => Err(format!("{n} answers are not proven").into()),
        }
    }
}
