//! Abaqus element sets, and the surfaces that are defined by element faces.

use super::keyword::fields;
use super::{Reading, kind};
use crate::elements::{ElementPlace, NamedFace};
use crate::error::{Fault, Place};
use crate::text::{Line, integer, quoted};
use std::collections::{HashMap, HashSet};

/// Abaqus element sets: a map from the name of a set, in upper case, to its members. Ranges of
/// element numbers are not expanded, because a range may be far longer than the list of elements.
#[derive(Default)]
pub(super) struct Sets {
    members: HashMap<String, Vec<Member>>,
}

enum Member {
    /// A range of element numbers: the first, the last, and the step from one number to the next.
    Range(u64, u64, u64),
    Set(String),
}

impl Sets {
    pub fn add_one(&mut self, name: &str, tag: u64) {
        let members = match self.members.get_mut(name) {
            Some(members) => members,
            None => self.members.entry(name.to_owned()).or_default(),
        };
        // Consecutive numbers make one range.
        if let Some(Member::Range(_, last, 1)) = members.last_mut()
            && last.checked_add(1) == Some(tag)
        {
            *last = tag;
            return;
        }
        members.push(Member::Range(tag, tag, 1));
    }

    /// Adds the element numbers and set names of a data line to the set `name`. With `generate` the
    /// line is a range: first number, last number and step.
    pub fn add(&mut self, line: Line, name: &str, generate: bool) -> Result<(), Fault> {
        if generate {
            const EXPECTED: &str = "the first number, the last and the step";
            let numbers: Option<Vec<u64>> = fields(line.bytes)
                .filter(|word| !word.is_empty())
                .map(integer)
                .collect();
            let range = match numbers.as_deref() {
                Some(&[from, to]) if from <= to => Member::Range(from, to, 1),
                Some(&[from, to, step]) if from <= to && step > 0 => Member::Range(from, to, step),
                _ => return Err(line.fault(quoted(line.bytes), EXPECTED)),
            };
            let members = self.members.entry(name.to_owned()).or_default();
            members.push(range);
            return Ok(());
        }
        for word in fields(line.bytes).filter(|word| !word.is_empty()) {
            match integer(word) {
                Some(tag) => self.add_one(name, tag),
                None => {
                    let other = set_name(word);
                    let members = self.members.entry(name.to_owned()).or_default();
                    members.push(Member::Set(other));
                }
            }
        }
        Ok(())
    }

    /// Calls `visit` for each element of the set `name` and of all sets it contains, directly or
    /// not; each set is visited once.
    fn visit(
        &self,
        reading: &Reading,
        name: &str,
        line: usize,
        visit: &mut impl FnMut(ElementPlace) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let fault = |found: String, expected: &str| Fault::new(Place::Line(line), found, expected);
        let mut seen = HashSet::from([name]);
        let mut waiting = vec![name];
        while let Some(name) = waiting.pop() {
            let Some(members) = self.members.get(name) else {
                return Err(fault(
                    format!("{name:?}"),
                    "the number of an element or the name of a set of elements",
                ));
            };
            for member in members {
                match member {
                    Member::Set(other) => {
                        if seen.insert(other) {
                            waiting.push(other);
                        }
                    }
                    &Member::Range(from, to, step) => {
                        let steps = (to - from) / step;
                        if steps >= reading.tags.len() as u64 {
                            return Err(fault(
                                format!("the numbers {from} to {to} in the set {name:?}"),
                                "numbers of elements",
                            ));
                        }
                        for k in 0..=steps {
                            visit(reading.element(from + k * step, line)?)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the name of an element set in upper case. Quotes are removed, and so is the name of an
/// instance before a dot.
fn set_name(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    let name = text.trim_matches('"');
    let name = name.rsplit_once('.').map_or(name, |(_, name)| name);
    name.to_ascii_uppercase()
}

/// A data line of a surface: an element number or the name of an element set, and which face of
/// each of these elements belongs to the surface.
pub(super) struct SurfaceLine {
    line: usize,
    what: Result<u64, String>,
    face: Side,
}

/// Which face of an element belongs to a surface. The file says this by a word: `S1` to `S6`, `E1`
/// to `E4`, `SPOS` or `SNEG`. Without a word it is all free faces.
#[derive(Clone, Copy)]
enum Side {
    /// All faces of the element that no other element shares.
    Free,
    Number(usize),
    Edge(usize),
    Positive,
    Negative,
}

impl SurfaceLine {
    pub fn of(line: Line) -> Result<Self, Fault> {
        let mut words = fields(line.bytes);
        let word = words.next().unwrap_or_default();
        if word.is_empty() {
            return Err(line.fault(quoted(line.bytes), "an element or a set of elements"));
        }
        let what = integer(word).ok_or_else(|| set_name(word));
        let word = words.next().unwrap_or_default();
        let face = match word.to_ascii_uppercase().as_slice() {
            b"" => Side::Free,
            b"SPOS" => Side::Positive,
            b"SNEG" => Side::Negative,
            [b'S', digit @ b'1'..=b'6'] => Side::Number(usize::from(digit - b'0')),
            [b'E', digit @ b'1'..=b'4'] => Side::Edge(usize::from(digit - b'0')),
            _ => {
                return Err(line.fault(
                    quoted(word),
                    "a face or an edge: S1 to S6, SPOS, SNEG, E1 to E4",
                ));
            }
        };
        Ok(SurfaceLine {
            line: line.number,
            what,
            face,
        })
    }

    /// Returns the face that this data line selects of the element at the position `place`.
    fn face(&self, reading: &Reading, place: ElementPlace) -> Result<NamedFace, Fault> {
        let fault = |found: String, expected: &str| {
            Err(Fault::new(Place::Line(self.line), found, expected))
        };
        match (place, self.face) {
            (ElementPlace::Volume(i), Side::Free) => Ok(NamedFace::Exterior(i)),
            (ElementPlace::Volume(i), Side::Number(number)) => {
                let kind = reading.elements.volumes.kinds[i as usize];
                match kind::face(kind, number) {
                    Some(face) => Ok(NamedFace::OfVolume(i, face)),
                    None => fault(
                        format!("the face S{number} of a {kind}"),
                        "a face that the element has",
                    ),
                }
            }
            (ElementPlace::Surface(i), Side::Positive | Side::Free) => {
                Ok(NamedFace::Element(i, false))
            }
            (ElementPlace::Surface(i), Side::Negative) => Ok(NamedFace::Element(i, true)),
            (ElementPlace::Segment(i), Side::Positive | Side::Free) => {
                Ok(NamedFace::Segment(i, false))
            }
            (ElementPlace::Segment(i), Side::Negative) => Ok(NamedFace::Segment(i, true)),
            // The faces of a plane body are its edges.
            (ElementPlace::Surface(i), Side::Number(number) | Side::Edge(number)) => {
                let kind = reading.elements.surface.kinds[i as usize];
                match number <= kind.corners() {
                    true => Ok(NamedFace::Edge(i, number as u8 - 1)),
                    false => fault(
                        format!("the edge {number} of a {kind}"),
                        "an edge that the element has",
                    ),
                }
            }
            (ElementPlace::Volume(_), _) => {
                fault("a side or edge of a shell".to_owned(), "S1 to S6")
            }
            (ElementPlace::Segment(_), Side::Number(_) | Side::Edge(_)) => {
                fault("a face of a truss or beam".to_owned(), "SPOS or SNEG")
            }
            (ElementPlace::Point, _) => fault("a point".to_owned(), "an element with faces"),
        }
    }
}

impl Reading {
    /// Returns the position in the lists of elements of the element with the number `tag`. `line`
    /// is the line in the file that an error names.
    fn element(&self, tag: u64, line: usize) -> Result<ElementPlace, Fault> {
        let place = self
            .tags
            .place(tag)
            .map(|place| self.places[place as usize]);
        place.ok_or_else(|| {
            Fault::new(
                Place::Line(line),
                format!("element {tag}"),
                format!("the number of one of the {} elements", self.tags.len()),
            )
        })
    }

    /// Appends the faces that a data line of a surface names to `faces`. `budget` is how many may
    /// still be appended, and is lowered by their number. It is an error if it is exceeded, because
    /// surfaces then repeat elements many times.
    pub(super) fn named_faces(
        &self,
        surface: &SurfaceLine,
        budget: &mut usize,
        faces: &mut Vec<NamedFace>,
    ) -> Result<(), Fault> {
        let mut add = |place| {
            *budget = budget.checked_sub(1).ok_or_else(|| {
                Fault::new(
                    Place::Line(surface.line),
                    "surfaces that repeat elements many times",
                    "each element at most a few times in surfaces",
                )
            })?;
            faces.push(surface.face(self, place)?);
            Ok(())
        };
        match &surface.what {
            Ok(tag) => add(self.element(*tag, surface.line)?),
            Err(name) => self.sets.visit(self, name, surface.line, &mut add),
        }
    }
}
