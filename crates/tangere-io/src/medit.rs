//! Reader of MEDIT's text format (`.mesh`): vertices and elements under keywords.
//!
//! Reads vertices in two or three dimensions, edges, triangles,
//! quadrilaterals, tetrahedra, hexahedra, prisms and pyramids, and the quadratic
//! edges, triangles, quadrilaterals and tetrahedra (`EdgesP2` and so on), whose
//! nodes come in VTK's order. Hexahedra list their corners in VTK's order. Markers and
//! attributes (corners, ridges, required items, normals, tangents) are skipped.
//! Each item ends with a reference number, which is not kept.
//!
//! Lines may end after any word; `#` begins a comment. The binary kind (`.meshb`)
//! is not read.

use crate::elements::{Elements, Kind};
use crate::error::{Fault, Place};
use crate::text::{Lines, integer, number, quoted, words};
use tangere::shape::{FaceKind as F, VolumeKind as V};

/// The number of bytes of the shortest vertex line in space, `0 0 0 0` with its line end. The last
/// number is the reference number. Memory is reserved for at most as many vertices as fit the file.
const SHORTEST_VERTEX: usize = 8;

/// Iterator over the words of a MEDIT file, with the number of the current line.
struct Words<'a> {
    lines: Lines<'a>,
    line: &'a [u8],
    number: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = words(self.line).next() {
                // The offset of the word in the line, after blanks.
                let start = word.as_ptr() as usize - self.line.as_ptr() as usize;
                self.line = &self.line[start + word.len()..];
                return Some(word);
            }
            let line = self.lines.next()?.without_comment();
            (self.line, self.number) = (line.bytes, line.number);
        }
    }

    fn fault(&self, found: impl std::fmt::Display, expected: impl Into<String>) -> Fault {
        Fault::new(Place::Line(self.number.max(1)), found, expected)
    }

    fn expected(&mut self, expected: &str) -> Result<&'a [u8], Fault> {
        self.next()
            .ok_or_else(|| self.fault("the end of the file", expected))
    }

    fn integer<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, Fault> {
        let word = self.expected(expected)?;
        integer(word).ok_or_else(|| self.fault(quoted(word), expected))
    }

    /// Parses the next word as the number of items; it must fit 32 bits. `what` describes it in
    /// errors.
    fn count(&mut self, what: &str) -> Result<usize, Fault> {
        let count: u32 = self.integer(what)?;
        Ok(count as usize)
    }
}

/// Returns the nodes and elements of a MEDIT file.
pub(crate) fn parse(bytes: &[u8]) -> Result<Elements, Fault> {
    let mut words = Words {
        lines: Lines::new(bytes),
        line: &[],
        number: 0,
    };
    const HEADER: &str = "MeshVersionFormatted";
    let word = words.expected(HEADER)?;
    if word != HEADER.as_bytes() {
        return Err(words.fault(quoted(word), HEADER));
    }
    let version: u32 = words.integer("the version of the format, 1 to 4")?;
    if !(1..=4).contains(&version) {
        return Err(words.fault(version, "the version of the format, 1 to 4"));
    }
    let mut elements = Elements::default();
    let mut dimension = None;
    let mut has_vertices = false;
    while let Some(keyword) = words.next() {
        if let Some((kind, what)) = element_kind(keyword) {
            if !has_vertices {
                let expected = "Vertices before the elements";
                return Err(words.fault(quoted(keyword), expected));
            }
            add_elements(&mut words, &mut elements, kind, what)?;
            continue;
        }
        match keyword {
            b"Dimension" => {
                const EXPECTED: &str = "2 or 3 dimensions";
                dimension = match words.integer(EXPECTED)? {
                    n @ (2 | 3) => Some(n),
                    n => return Err(words.fault(n, EXPECTED)),
                };
            }
            b"Vertices" => {
                let Some(dimension) = dimension else {
                    return Err(words.fault("Vertices", "Dimension before the vertices"));
                };
                if has_vertices {
                    return Err(words.fault("Vertices again", "vertices once"));
                }
                has_vertices = true;
                add_vertices(&mut words, &mut elements, dimension)?;
            }
            b"End" => return finished(elements, has_vertices, &words),
            _ => {
                let Some(numbers) = decoration(keyword) else {
                    return Err(words.fault(
                        format!("the keyword {}", quoted(keyword)),
                        "vertices or elements of first order, EdgesP2, TrianglesP2, \
                         QuadrilateralsQ2 or TetrahedraP2",
                    ));
                };
                let count = words.count("a number of items")?;
                for _ in 0..count.saturating_mul(numbers) {
                    let word = words.expected("a number")?;
                    number(word, words.number)?;
                }
                if count > 0 {
                    let name = String::from_utf8_lossy(keyword).into_owned();
                    elements.unkept.push(name);
                }
            }
        }
    }
    finished(elements, has_vertices, &words)
}

fn finished(elements: Elements, has_vertices: bool, words: &Words) -> Result<Elements, Fault> {
    match has_vertices {
        true => Ok(elements),
        false => Err(words.fault("the end of the mesh", "Vertices")),
    }
}

fn element_kind(keyword: &[u8]) -> Option<(Kind, &'static str)> {
    Some(match keyword {
        b"Edges" => (Kind::Face(F::Seg2), "edge"),
        b"EdgesP2" => (Kind::Face(F::Seg3), "edge"),
        b"Triangles" => (Kind::Face(F::Tri3), "triangle"),
        b"TrianglesP2" => (Kind::Face(F::Tri6), "triangle"),
        b"Quadrilaterals" => (Kind::Face(F::Quad4), "quadrilateral"),
        b"QuadrilateralsQ2" => (Kind::Face(F::Quad9), "quadrilateral"),
        b"Tetrahedra" => (Kind::Volume(V::Tet4), "tetrahedron"),
        b"TetrahedraP2" => (Kind::Volume(V::Tet10), "tetrahedron"),
        b"Hexahedra" => (Kind::Volume(V::Hex8), "hexahedron"),
        b"Prisms" | b"Pentahedra" => (Kind::Volume(V::Wedge6), "prism"),
        b"Pyramids" => (Kind::Volume(V::Pyramid5), "pyramid"),
        _ => return None,
    })
}

/// Returns how many values an item has under a keyword of markers or attributes, so that they can
/// be skipped. `None` for any other keyword.
fn decoration(keyword: &[u8]) -> Option<usize> {
    Some(match keyword {
        b"Corners"
        | b"Ridges"
        | b"RequiredVertices"
        | b"RequiredEdges"
        | b"RequiredTriangles"
        | b"RequiredQuadrilaterals" => 1,
        b"NormalAtVertices" | b"TangentAtVertices" => 2,
        b"Normals" | b"Tangents" | b"NormalAtTriangleVertices" | b"TangentAtEdges" => 3,
        _ => return None,
    })
}

fn add_vertices(words: &mut Words, elements: &mut Elements, dimension: u32) -> Result<(), Fault> {
    let count = words.count("the number of vertices")?;
    let room = words.lines.rest().len() / SHORTEST_VERTEX + 1;
    elements.nodes.reserve(count.min(room));
    for i in 0..count {
        let mut point = [0.0; 3];
        for x in &mut point[..dimension as usize] {
            let word = words.expected(&format!("vertex {i} of the {count} announced"))?;
            *x = number(word, words.number)?;
        }
        words.integer::<i64>("the reference of a vertex")?;
        elements.nodes.push(point);
    }
    Ok(())
}

fn add_elements(
    words: &mut Words,
    elements: &mut Elements,
    kind: Kind,
    what: &str,
) -> Result<(), Fault> {
    let count = words.count("a number of elements")?;
    let nodes = elements.nodes.len();
    for i in 0..count {
        let mut own = [0; 27];
        for node in &mut own[..kind.nodes()] {
            let word = words.expected(&format!("{what} {i} of the {count} announced"))?;
            *node = match integer::<u32>(word) {
                Some(k) if k >= 1 && k as usize <= nodes => k - 1,
                _ => {
                    return Err(words.fault(
                        quoted(word),
                        format!("a vertex from 1 to {nodes}, the number of vertices"),
                    ));
                }
            };
        }
        words.integer::<i64>("the reference of an element")?;
        elements.push(kind, own[..kind.nodes()].iter().copied());
    }
    Ok(())
}
