//! Search for the pairs of moving balls that meet: that touch at some time.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use tangere::impact::trajectory::{
    Meeting, MovingBall, first_meeting_within, first_meetings_within, next_collisions,
};
use tangere_front::answers::impact::BallMeeting;
use tangere_front::inputs::integer_rows;
use tangere_io::{Error, Fault, Place};

/// Number of pairs of balls that are tested at once. Only those that meet are kept, which limits
/// memory.
const CHUNK: usize = 1 << 18;

pub enum Pairs {
    /// All pairs of balls with indices below this number, in ascending order, each with the lower
    /// index first.
    All(u32),
    Listed(PathBuf, Vec<[u32; 2]>),
}

impl Pairs {
    /// Returns all pairs of the balls.
    pub fn all(balls: &[MovingBall]) -> Result<Self, Failure> {
        let refused = |_| Failure::Input(format!("found {} balls, expected --pairs", balls.len()));
        u32::try_from(balls.len()).map(Pairs::All).map_err(refused)
    }

    /// Reads the pairs of balls to test from a file of row numbers.
    pub fn read(path: &Path, balls: &[MovingBall]) -> tangere_io::Result<Self> {
        let expected = "[N, 2], two row numbers of balls for each pair";
        let pairs: Vec<[u32; 2]> = integer_rows(path, expected)?;
        let is_missing = |pair: &[u32; 2]| pair.iter().any(|&i| i as usize >= balls.len());
        if let Some(row) = pairs.iter().position(is_missing) {
            let [a, b] = pairs[row];
            let expected = format!("row numbers below {}, the number of balls", balls.len());
            return Err(Error::Content {
                path: path.to_owned(),
                fault: Fault::new(Place::Item("row", row), format!("{a},{b}"), expected),
            });
        }
        Ok(Pairs::Listed(path.to_owned(), pairs))
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        match self {
            Pairs::All(count) => {
                let count = *count as usize;
                count * count.saturating_sub(1) / 2
            }
            Pairs::Listed(_, pairs) => pairs.len(),
        }
    }

    /// Finds the pairs of balls that meet no later than `until`, in the order of the pairs, and
    /// replaces the content of `met` by them.
    pub fn meetings(
        &self,
        balls: &[MovingBall],
        until: Option<f64>,
        hard: bool,
        met: &mut Vec<BallMeeting>,
    ) -> tangere::Result<()> {
        met.clear();
        let horizon = until.unwrap_or(f64::INFINITY);
        let mut found = Vec::new();
        let mut search = |first: usize, pairs: &[[u32; 2]]| {
            match hard {
                true => next_collisions(balls, pairs, &mut found),
                false => first_meetings_within(balls, pairs, horizon, &mut found),
            }
            .map_err(|error| after(error, first))?;
            for (&pair, &meeting) in pairs.iter().zip(&found) {
                if is_until(balls, pair, &meeting, horizon)? {
                    met.push(BallMeeting { pair, meeting });
                }
            }
            Ok(())
        };
        match self {
            Pairs::Listed(_, pairs) => {
                let mut chunks = pairs.chunks(CHUNK).enumerate();
                chunks.try_for_each(|(i, chunk)| search(CHUNK * i, chunk))
            }
            &Pairs::All(count) => {
                let mut all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
                let mut chunk = Vec::new();
                let mut first = 0;
                loop {
                    chunk.clear();
                    chunk.extend(all.by_ref().take(CHUNK));
                    if chunk.is_empty() {
                        return Ok(());
                    }
                    search(first, &chunk)?;
                    first += chunk.len();
                }
            }
        }
    }

    /// Returns the failure of a query. The message names the file of pairs, or that of the balls if
    /// all pairs are tested.
    pub fn named(&self, balls: &Path, error: tangere::Error) -> Failure {
        let path = match self {
            Pairs::All(_) => balls,
            Pairs::Listed(path, _) => path,
        };
        Failure::of_file(&path.display().to_string(), &error)
    }
}

/// Whether a pair of balls meets no later than `horizon`. `meeting` is its first meeting, with
/// bounds of the time. If the upper bound is later than `horizon`, the pair is tested again by a
/// search that ends at `horizon`.
fn is_until(
    balls: &[MovingBall],
    pair: [u32; 2],
    meeting: &Meeting,
    horizon: f64,
) -> tangere::Result<bool> {
    if !meeting.is_contact() || meeting.late <= horizon {
        return Ok(meeting.is_contact());
    }
    let [a, b] = pair.map(|i| balls[i as usize]);
    Ok(first_meeting_within(&a, &b, horizon)?.is_contact())
}

/// Returns the error of a chunk of items with its item index changed to the index among all items.
/// `first` is the index of the first item of the chunk.
fn after(error: tangere::Error, first: usize) -> tangere::Error {
    match error {
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => tangere::Error::item(what, first + index, found, expected),
        other => other,
    }
}
