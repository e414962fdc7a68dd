//! Reader of Abaqus input (`.inp`): nodes, elements, element sets and surfaces.
//!
//! Reads `*NODE`, `*ELEMENT`, `*ELSET` (with `GENERATE`), and `*SURFACE` of element faces. Skips
//! everything else that a simulation needs, except what would change the mesh: `*INCLUDE`,
//! generated or copied nodes and elements, coordinate systems, and moved instances are errors
//! that name them. A file may have one part and one instance of it. Nodes of the assembly are
//! reference points, which are skipped. Keywords and names are case-insensitive. Cost: one pass;
//! node and element numbers may have gaps.
//!
//! Abaqus lists the nodes of an element in VTK's order, except the face and centre nodes of
//! `C3D27`, see [`kind`].

mod keyword;
mod kind;
mod sets;

use crate::elements::{ElementPlace, Elements, Kind, NamedSurface};
use crate::error::{Fault, Place};
use crate::node_numbers::Tags;
use crate::text::{Line, Lines, integer, number, quoted};
use keyword::{Keyword, fields};
use sets::{Sets, SurfaceLine};

/// What has been read from an Abaqus file so far.
#[derive(Default)]
struct Reading {
    elements: Elements,
    nodes: Tags,
    /// Map from the number of an element in the file to its index in `places`, the list of the
    /// positions of all elements.
    tags: Tags,
    places: Vec<ElementPlace>,
    /// The kind of each element and its line in the file, kept until all nodes are read. The node
    /// numbers of these elements are in `numbers`, one element after another.
    waiting: Vec<(Kind, usize)>,
    numbers: Vec<u64>,
    sets: Sets,
    surfaces: Vec<(String, Vec<SurfaceLine>)>,
    /// Whether the current lines are in the assembly, outside of any instance. Nodes there are
    /// reference points and are skipped.
    in_assembly: bool,
    instances: usize,
}

/// The keyword that the current data lines belong to.
enum Block {
    Nodes,
    Elements {
        kind: Kind,
        set: Option<String>,
    },
    Set {
        name: String,
        generate: bool,
    },
    Surface,
    /// An instance of a part. Its data lines are an error, because they would move it.
    Instance,
    PassedOver,
}

/// Returns the nodes and elements of an Abaqus file.
pub(crate) fn parse(bytes: &[u8]) -> Result<Elements, Fault> {
    let mut reading = Reading::default();
    let mut block = Block::PassedOver;
    let mut lines = Lines::new(bytes);
    let mut seen = false;
    while let Some(line) = lines.next() {
        if line.bytes.starts_with(b"**") || line.is_blank() {
            continue;
        }
        if let Some(keyword) = Keyword::of(line, &mut lines)? {
            block = reading.begin(&keyword)?;
            seen = true;
            continue;
        }
        if !seen {
            return Err(line.fault(quoted(line.bytes), "a keyword after *"));
        }
        match &block {
            Block::Nodes => reading.add_node(line)?,
            Block::Elements { kind, set } => reading.add_element(line, &mut lines, *kind, set)?,
            Block::Set { name, generate } => reading.sets.add(line, name, *generate)?,
            Block::Surface => {
                let surface = SurfaceLine::of(line)?;
                if let Some((_, faces)) = reading.surfaces.last_mut() {
                    faces.push(surface);
                }
            }
            Block::Instance => {
                return Err(line.fault(quoted(line.bytes), "an instance that is not moved"));
            }
            Block::PassedOver => {}
        }
    }
    reading.finished(&lines)
}

impl Reading {
    fn begin(&mut self, keyword: &Keyword) -> Result<Block, Fault> {
        let line = keyword.line;
        match keyword.name.as_str() {
            "NODE" | "ELEMENT" if self.in_assembly => {
                self.elements
                    .unkept
                    .push("items of the assembly".to_owned());
                Ok(Block::PassedOver)
            }
            "ASSEMBLY" | "END INSTANCE" => {
                self.in_assembly = true;
                Ok(Block::PassedOver)
            }
            "END ASSEMBLY" => {
                self.in_assembly = false;
                Ok(Block::PassedOver)
            }
            "INSTANCE" if self.instances > 0 => {
                Err(line.fault("another *INSTANCE", "one instance"))
            }
            "INSTANCE" => {
                self.instances += 1;
                self.in_assembly = false;
                Ok(Block::Instance)
            }
            "NODE" => match keyword.parameter("SYSTEM") {
                None => Ok(Block::Nodes),
                Some(system) if system.eq_ignore_ascii_case("R") => Ok(Block::Nodes),
                Some(system) => Err(line.fault(
                    format!("nodes in the system {system:?}"),
                    "rectangular coordinates",
                )),
            },
            "ELEMENT" => {
                let Some(name) = keyword.parameter("TYPE") else {
                    return Err(line.fault("*ELEMENT without TYPE", "the type of the elements"));
                };
                let Some(kind) = kind::of_name(name) else {
                    return Err(line.fault(
                        format!("the element type {name:?}"),
                        "a solid, shell, membrane, surface or rigid element, \
                         or a straight truss or beam",
                    ));
                };
                let set = keyword.parameter("ELSET").map(str::to_ascii_uppercase);
                Ok(Block::Elements { kind, set })
            }
            "ELSET" => match keyword.parameter("ELSET") {
                Some(name) => Ok(Block::Set {
                    name: name.to_ascii_uppercase(),
                    generate: keyword.has("GENERATE"),
                }),
                None => Err(line.fault("*ELSET without ELSET", "the name of the set")),
            },
            "NSET" => match keyword.parameter("NSET") {
                // Node-based surfaces have no faces, so node sets are not needed.
                Some(_) => Ok(Block::PassedOver),
                None => Err(line.fault("*NSET without NSET", "the name of the set")),
            },
            "SURFACE" => {
                let Some(name) = keyword.parameter("NAME") else {
                    return Err(line.fault("*SURFACE without NAME", "the name of the surface"));
                };
                let kind = keyword.parameter("TYPE").unwrap_or("ELEMENT");
                if !kind.eq_ignore_ascii_case("ELEMENT") || keyword.parameter("COMBINE").is_some() {
                    self.elements.unkept.push(format!("the surface {name}"));
                    return Ok(Block::PassedOver);
                }
                self.surfaces.push((name.to_owned(), Vec::new()));
                Ok(Block::Surface)
            }
            "PART" if self.nodes.len() > 0 => Err(line.fault("another *PART", "one part")),
            "INCLUDE" | "NGEN" | "NCOPY" | "NFILL" | "NMAP" | "ELGEN" | "ELCOPY" | "SYSTEM"
            | "SUBMODEL" | "IMPORT" => Err(line.fault(
                format!("*{}", keyword.name),
                "nodes and elements written out in this file",
            )),
            _ => Ok(Block::PassedOver),
        }
    }

    fn add_node(&mut self, line: Line) -> Result<(), Fault> {
        let mut words = fields(line.bytes);
        let word = words.next().unwrap_or_default();
        let Some(tag) = integer(word) else {
            return Err(line.fault(quoted(word), "the number of a node"));
        };
        let mut point = [0.0; 3];
        let mut given = 0;
        for (x, word) in point.iter_mut().zip(words.by_ref()) {
            // Omitted coordinates are 0.
            if !word.is_empty() {
                *x = number(word, line.number)?;
            }
            given += 1;
        }
        if given == 0 {
            return Err(line.fault("a node without coordinates", "one to three coordinates"));
        }
        self.nodes.push(tag);
        self.elements.nodes.push(point);
        Ok(())
    }

    /// Reads an element from a data line. If the line ends with a comma, the element continues on
    /// the next.
    fn add_element(
        &mut self,
        line: Line,
        lines: &mut Lines,
        kind: Kind,
        set: &Option<String>,
    ) -> Result<(), Fault> {
        let mut words = fields(line.bytes);
        let word = words.next().unwrap_or_default();
        let Some(tag) = integer::<u64>(word) else {
            return Err(line.fault(quoted(word), "the number of an element"));
        };
        let mut count = 0;
        let mut here = line;
        loop {
            for word in words.by_ref().filter(|word| !word.is_empty()) {
                let Some(node) = integer::<u64>(word) else {
                    return Err(here.fault(quoted(word), "the number of a node"));
                };
                self.numbers.push(node);
                count += 1;
            }
            let goes_on = here.bytes.trim_ascii_end().ends_with(b",");
            if count >= kind.nodes() || !goes_on {
                break;
            }
            here = match lines.clone().next() {
                Some(next) if !next.bytes.starts_with(b"*") => {
                    lines.next();
                    next
                }
                _ => break,
            };
            words = fields(here.bytes);
        }
        if count != kind.nodes() {
            return Err(line.fault(
                format!("an element of {count} nodes"),
                format!("{}, the nodes of a {}", kind.nodes(), kind.name()),
            ));
        }
        self.tags.push(tag);
        self.waiting.push((kind, line.number));
        if let Some(set) = set {
            self.sets.add_one(set, tag);
        }
        Ok(())
    }

    /// Replaces the node numbers, element numbers and set names of the file by indices, and returns
    /// the mesh.
    fn finished(mut self, lines: &Lines) -> Result<Elements, Fault> {
        if self.nodes.len() == 0 {
            return Err(lines.end_fault("*NODE with nodes"));
        }
        for (tags, what, part) in [
            (&mut self.nodes, "node", Place::Part("*NODE")),
            (&mut self.tags, "element", Place::Part("*ELEMENT")),
        ] {
            if let Some(tag) = tags.finish() {
                let found = format!("{what} {tag} twice");
                return Err(Fault::new(part, found, format!("a number for each {what}")));
            }
        }
        let mut numbers = self.numbers.as_slice();
        for &(kind, line) in &self.waiting {
            let (own, rest) = numbers.split_at(kind.nodes());
            numbers = rest;
            let mut nodes = [0; 27];
            for (node, &tag) in nodes.iter_mut().zip(own) {
                *node = self.nodes.place(tag).ok_or_else(|| {
                    let place = Place::Line(line);
                    let count = self.nodes.len();
                    let expected = format!("the number of one of the {count} nodes");
                    Fault::new(place, format!("node {tag}"), expected)
                })?;
            }
            let order = (0..kind.nodes()).map(|k| nodes[kind::order(kind, k)]);
            self.places.push(self.elements.push(kind, order));
        }
        // A set may be used repeatedly and contain other sets. The budget limits the elements
        // visited over all surfaces; a file that exceeds it is refused.
        let mut budget = 16 * self.tags.len() + 1_000_000;
        for (name, lines) in std::mem::take(&mut self.surfaces) {
            let mut faces = Vec::new();
            for line in &lines {
                self.named_faces(line, &mut budget, &mut faces)?;
            }
            self.elements.surfaces.push(NamedSurface { name, faces });
        }
        Ok(self.elements)
    }
}
