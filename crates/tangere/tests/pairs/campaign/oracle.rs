//! Oracle of the broad phase: every method against brute force, and brute force against plain loops
//! that share nothing with the library but the contact rule.

use super::scenes::{Film, Frame};
use tangere::pairs::{Dimension, Space};
use tangere::pairs::{Items, PairContact, PairFinder, PairSettings, Periodic, neighbors};
use test_support::finders::methods;

type Answer<T> = Result<Vec<T>, String>;

/// The bits of a contact, so that -0 differs from 0.
type Bits<const D: usize> = ([u32; 2], [i32; D], u64, [u64; D]);

/// All answers of a finder for a frame; errors as their messages.
#[derive(Debug, PartialEq)]
pub struct Outcome<const D: usize> {
    pub update: Result<(), String>,
    pub pairs: Answer<[u32; 2]>,
    pub contacts: Answer<Bits<D>>,
    pub between: Answer<[u32; 2]>,
    /// The pairs once more, to check that queries change nothing.
    pub again: Answer<[u32; 2]>,
}

pub fn bits<const D: usize>(contact: &PairContact<D>) -> Bits<D> {
    let normal = contact.normal.map(f64::to_bits);
    (contact.pair, contact.image, contact.gap.to_bits(), normal)
}

pub fn outcome<const D: usize>(
    finder: &mut dyn PairFinder<D>,
    items: Items<'_, D>,
    others: Option<Items<'_, D>>,
) -> Outcome<D> {
    // Old contents of the buffers must not show.
    let (mut pairs, mut between, mut again) = (vec![[7, 7]], vec![[8, 8]], vec![[9, 9]]);
    let mut contacts = Vec::new();
    let text = |e: tangere::Error| e.to_string();
    let update = finder.update(items).map_err(text);
    let pairs = finder.pairs(&mut pairs).map(|()| pairs).map_err(text);
    let contacts = match finder.contacts(&mut contacts) {
        Ok(()) => Ok(contacts.iter().map(bits).collect()),
        Err(error) => Err(text(error)),
    };
    let between = match others {
        Some(others) => finder
            .query(others, &mut between)
            .map(|()| between)
            .map_err(text),
        None => Ok(Vec::new()),
    };
    let again = finder.pairs(&mut again).map(|()| again).map_err(text);
    Outcome {
        update,
        pairs,
        contacts,
        between,
        again,
    }
}

/// The first difference of two lists.
fn difference<T: PartialEq + std::fmt::Debug>(found: &Answer<T>, expected: &Answer<T>) -> String {
    match (found, expected) {
        (Ok(found), Ok(expected)) => {
            let same = found
                .iter()
                .zip(expected)
                .take_while(|(f, e)| f == e)
                .count();
            format!(
                "{} of {} expected, number {same} is {:?} instead of {:?}",
                found.len(),
                expected.len(),
                found.get(same),
                expected.get(same),
            )
        }
        _ => format!(
            "{:?} instead of {:?}",
            found.as_ref().map(Vec::len),
            expected.as_ref().map(Vec::len),
        ),
    }
}

/// The numbers of pairs, contacts and errors that a film covered.
#[derive(Debug, Default)]
pub struct Tally {
    pub frames: usize,
    pub pairs: usize,
    pub between: usize,
    pub across: usize,
    pub refused: usize,
}

/// The number of items above which the fast methods are compared with one another only.
const BRUTE: usize = 6000;

/// Runs a film through all methods and compares their answers.
pub fn check<const D: usize>(film: &Film<D>, tally: &mut Tally) -> Result<(), String>
where
    Space: Dimension<D>,
{
    let mut finders = methods(film.settings);
    if film.frames.iter().any(|frame| frame.len() > BRUTE) {
        finders.retain(|(name, _)| !["brute", "corner"].contains(name));
    }
    for (n, frame) in film.frames.iter().enumerate() {
        // The query runs only now and then, as it costs as much as all the rest.
        let others = (n % 2 == film.frames.len() % 2 || n == 0).then(|| film.others.items());
        let mut expected: Option<Outcome<D>> = None;
        for (name, finder) in &mut finders {
            let found = outcome(finder.as_mut(), frame.items(), others);
            let Some(expected) = &expected else {
                plain(film, frame, others.is_some(), &found)
                    .map_err(|e| format!("frame {n}, {name}: {e}"))?;
                tally.frames += 1;
                tally.refused += usize::from(found.update.is_err());
                tally.pairs += found.pairs.as_ref().map_or(0, Vec::len);
                tally.between += found.between.as_ref().map_or(0, Vec::len);
                let across = |c: &&Bits<D>| c.1 != [0; D];
                tally.across += found
                    .contacts
                    .as_ref()
                    .map_or(0, |c| c.iter().filter(across).count());
                expected = Some(found);
                continue;
            };
            if found == *expected {
                continue;
            }
            let what = if found.update != expected.update {
                format!(
                    "update: {:?} instead of {:?}",
                    found.update, expected.update
                )
            } else if found.pairs != expected.pairs {
                format!("pairs: {}", difference(&found.pairs, &expected.pairs))
            } else if found.contacts != expected.contacts {
                format!(
                    "contacts: {}",
                    difference(&found.contacts, &expected.contacts)
                )
            } else if found.between != expected.between {
                format!("query: {}", difference(&found.between, &expected.between))
            } else {
                format!(
                    "pairs, repeated: {}",
                    difference(&found.again, &expected.again)
                )
            };
            let (count, kind) = (frame.len(), matches!(frame, Frame::Boxes(..)));
            return Err(format!(
                "frame {n} of {count} items, boxes {kind}, {name}, {what}"
            ));
        }
    }
    Ok(())
}

/// The most items for plain loops, which are slow.
const PLAIN: usize = 1000;

/// Compares brute force with plain loops.
fn plain<const D: usize>(
    film: &Film<D>,
    frame: &Frame<D>,
    queried: bool,
    found: &Outcome<D>,
) -> Result<(), String> {
    let limit = |pairs: Vec<[u32; 2]>| match pairs.len() <= film.settings.most {
        true => Ok(pairs),
        false => Err(format!(
            "pairs: found at least {}, expected at most {}",
            film.settings.most + 1,
            film.settings.most
        )),
    };
    if let Err(error) = &found.update {
        let empty = found.pairs == Ok(Vec::new()) && found.contacts == Ok(Vec::new());
        return match !film.fits && empty {
            true => Ok(()),
            false => Err(format!("{error}, and then {:?}", found.pairs)),
        };
    }
    if frame.len() > PLAIN {
        return Ok(());
    }
    let space = PeriodicSpace::new(&film.settings);
    let mut pairs = Vec::new();
    for a in 0..frame.len() {
        for b in a + 1..frame.len() {
            if space.touch(frame, a, frame, b) {
                pairs.push([a as u32, b as u32]);
            }
        }
    }
    let items = frame.len();
    let (offsets, indices) = neighbors(items, &pairs);
    let mut lists = vec![Vec::new(); items];
    for &[a, b] in &pairs {
        lists[a as usize].push(b);
        lists[b as usize].push(a);
    }
    for (i, list) in lists.iter_mut().enumerate() {
        list.sort_unstable();
        if indices[offsets[i]..offsets[i + 1]] != list[..] {
            return Err(format!("neighbours of {i}: {list:?} expected"));
        }
    }
    let pairs = limit(pairs);
    if found.pairs != pairs {
        return Err(format!("pairs: {}", difference(&found.pairs, &pairs)));
    }
    if let (Ok(contacts), Ok(pairs)) = (&found.contacts, &pairs) {
        if !contacts.iter().map(|c| c.0).eq(pairs.iter().copied()) {
            return Err("contacts are not those of pairs".into());
        }
        for contact in contacts {
            space.measure(frame, contact)?;
        }
    }
    // Query items of another kind, or too large for the cell, are rejected.
    let mixed =
        matches!(frame, Frame::Boxes(..)) != matches!(film.others, Frame::Boxes(..)) && items > 0;
    if !queried || mixed || (found.between.is_err() && !film.fits) {
        let refused = !queried || found.between.is_err();
        return if refused {
            Ok(())
        } else {
            Err("other kinds were not refused".into())
        };
    }
    let mut between = Vec::new();
    for a in 0..items {
        for b in 0..film.others.len() {
            if space.touch(frame, a, &film.others, b) {
                between.push([a as u32, b as u32]);
            }
        }
    }
    let between = limit(between);
    match found.between == between {
        true => Ok(()),
        false => Err(format!("query: {}", difference(&found.between, &between))),
    }
}

/// The contact rule, evaluated in periodic space for every image that could matter.
struct PeriodicSpace<const D: usize> {
    margin: f64,
    cell: Option<Periodic<D>>,
}

impl<const D: usize> PeriodicSpace<D> {
    fn new(settings: &PairSettings<D>) -> Self {
        PeriodicSpace {
            margin: settings.margin,
            cell: settings.periodic,
        }
    }

    /// The images of `b` that can be near `a`: along every edge the nearest image and those beside
    /// it, found from the last edge to the first, as an edge has no component along the axes after
    /// its own.
    fn images(&self, from: [f64; D], to: [f64; D]) -> impl Iterator<Item = [i32; D]> {
        let cell = self.cell;
        let numbers = if cell.is_some() {
            3usize.pow(D as u32)
        } else {
            1
        };
        (0..numbers).filter_map(move |number| {
            let mut image = [0; D];
            let Some(cell) = &cell else {
                return Some(image);
            };
            let mut rest = number;
            for k in (0..D).rev() {
                let step = (rest % 3) as i32 - 1;
                rest /= 3;
                if !cell.repeats(k) {
                    // Once is enough.
                    if step != 0 {
                        return None;
                    }
                    continue;
                }
                let mut unit = [0; D];
                unit[k] = 1;
                let apart = (to[k] - from[k]) + cell.shift(image)[k];
                image[k] = step - (apart / cell.shift(unit)[k]).round() as i32;
            }
            Some(image)
        })
    }

    fn near(
        &self,
        one: &Frame<D>,
        a: usize,
        two: &Frame<D>,
        b: usize,
    ) -> impl Iterator<Item = [i32; D]> {
        let place = |frame: &Frame<D>, i: usize| match frame {
            Frame::Spheres(centers, _) => centers[i],
            Frame::Boxes(lower, _) => lower[i],
        };
        self.images(place(one, a), place(two, b))
    }

    fn touch(&self, one: &Frame<D>, a: usize, two: &Frame<D>, b: usize) -> bool {
        let shift = |image| self.cell.map_or([0.0; D], |cell| cell.shift(image));
        let margin = self.margin;
        self.near(one, a, two, b).any(|image| {
            let s = shift(image);
            match (one, two) {
                (Frame::Spheres(p, r), Frame::Spheres(q, t)) => {
                    let d: [f64; D] = std::array::from_fn(|k| (q[b][k] - p[a][k]) + s[k]);
                    let square = (1..D).fold(d[0] * d[0], |sum, k| sum + d[k] * d[k]);
                    let reach = r[a] + t[b] + margin;
                    square <= reach * reach
                }
                (Frame::Boxes(l, u), Frame::Boxes(m, v)) => (0..D).all(|k| {
                    (m[b][k] - u[a][k]) + s[k] <= margin && (l[a][k] - v[b][k]) - s[k] <= margin
                }),
                _ => false,
            }
        })
    }

    /// The gap and normal of a pair in an image.
    fn gap(&self, frame: &Frame<D>, pair: [u32; 2], image: [i32; D]) -> (f64, [f64; D]) {
        let [a, b] = pair.map(|i| i as usize);
        let s = self.cell.map_or([0.0; D], |cell| cell.shift(image));
        let mut normal = [0.0; D];
        normal[0] = 1.0;
        match frame {
            Frame::Spheres(p, r) => {
                let d: [f64; D] = std::array::from_fn(|k| (p[b][k] - p[a][k]) + s[k]);
                let distance = d.iter().map(|x| x * x).sum::<f64>().sqrt();
                if distance > 0.0 {
                    normal = d.map(|x| x / distance);
                }
                (distance - (r[a] + r[b]), normal)
            }
            Frame::Boxes(l, u) => {
                let mut widest = f64::NEG_INFINITY;
                for k in 0..D {
                    let sides = [(l[b][k] - u[a][k]) + s[k], (l[a][k] - u[b][k]) - s[k]];
                    for (gap, sign) in sides.into_iter().zip([1.0, -1.0]) {
                        if gap > widest {
                            widest = gap;
                            normal = [0.0; D];
                            normal[k] = sign;
                        }
                    }
                }
                (widest, normal)
            }
        }
    }

    /// Checks the image, gap and normal of a contact.
    fn measure(&self, frame: &Frame<D>, contact: &Bits<D>) -> Result<(), String> {
        let &(pair, image, gap, normal) = contact;
        let (gap, normal) = (f64::from_bits(gap), normal.map(f64::from_bits));
        let (expected, direction) = self.gap(frame, pair, image);
        let off = normal
            .iter()
            .zip(direction)
            .map(|(x, y)| (x - y).abs())
            .fold(0.0, f64::max);
        let [a, b] = pair.map(|i| i as usize);
        let nearest = self.near(frame, a, frame, b);
        let least = nearest
            .map(|n| self.gap(frame, pair, n).0)
            .fold(f64::INFINITY, f64::min);
        let room = match frame {
            Frame::Spheres(_, r) => 1e-14 * (r[a] + r[b] + expected.abs()),
            Frame::Boxes(..) => 0.0,
        };
        match (gap - expected).abs() <= room && off <= 1e-14 && gap <= least + room {
            true => Ok(()),
            false => Err(format!(
                "contact {pair:?} in {image:?}: gap {gap} along {normal:?} instead of {expected} along {direction:?}, at least {least}"
            )),
        }
    }
}
