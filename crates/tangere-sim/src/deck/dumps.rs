//! Snapshots in LAMMPS' text format: `dump`, `dump_modify`, `write_dump`.

use super::args::Args;
use super::attributes::{self, Attribute};
use super::book::Book;
use super::error::Problem;
use super::files::{Output, Outputs};
use super::now::Now;
use super::printf::{Format, Number};
use super::reduce::{Column, column};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Snapshots of a group, every so many steps.
#[derive(Debug)]
pub(super) struct Dump {
    pub id: String,
    group: u32,
    style: Style,
    pub every: u64,
    /// The name of the file; `*` stands for the step.
    name: String,
    file: Option<Output>,
    fields: Vec<String>,
    line: Option<Vec<Format>>,
    int: Option<Format>,
    float: Option<Format>,
    columns: Vec<(usize, Format)>,
    sort: Option<Sort>,
    writes_first: bool,
    appends: bool,
    pads: usize,
    label: String,
    has_units: bool,
    has_time: bool,
    /// The step of the last snapshot.
    pub last: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Custom,
    Atom,
    Local,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Id,
    Column { index: usize, is_descending: bool },
}

/// The styles that are read.
pub(super) const STYLES: [&str; 3] = ["custom", "atom", "local"];

impl Dump {
    /// The arguments of `dump`, or of `write_dump`, which has neither ID nor interval.
    pub fn parse(args: &mut Args, book: &Book, is_single: bool) -> Result<Self, Problem> {
        let id = match is_single {
            true => "write_dump".to_string(),
            false => args.word("the ID of the dump")?.to_string(),
        };
        let group = book.group(args.word("the group of the dump")?)?;
        let style = match args.word("the style of the dump")? {
            "custom" => Style::Custom,
            "atom" => Style::Atom,
            "local" => Style::Local,
            other => return Err(Problem::unknown(other, "a style of dumps", &STYLES)),
        };
        let every = match is_single {
            true => 1,
            false => args.count("a number of steps")?,
        };
        if every == 0 {
            return Err(Problem::new("0", "a number of steps above 0"));
        }
        let name = args.word("a file")?.to_string();
        super::files::path_of(book, &name)?;
        let mut fields = Vec::new();
        while let Some(word) = args.peek().filter(|word| *word != "modify") {
            fields.push(word.to_string());
            args.next();
        }
        let fields = match style {
            Style::Atom if fields.is_empty() => {
                ["id", "type", "xs", "ys", "zs"].map(String::from).to_vec()
            }
            Style::Atom => return Err(Problem::surplus(&fields[0])),
            _ if fields.is_empty() => return Err(Problem::missing("a column")),
            _ => book.expanded(&fields)?,
        };
        for field in &fields {
            check_field(field, style)?;
        }
        let mut dump = Self {
            id,
            group,
            style,
            every,
            name,
            file: None,
            fields,
            line: None,
            int: None,
            float: None,
            columns: Vec::new(),
            sort: None,
            writes_first: false,
            appends: false,
            pads: 0,
            label: if style == Style::Local {
                "ENTRIES"
            } else {
                "ATOMS"
            }
            .to_string(),
            has_units: false,
            has_time: false,
            last: None,
        };
        if args.take("modify") {
            dump.modify(args)?;
        }
        args.end()?;
        Ok(dump)
    }

    /// The arguments of `dump_modify` after the ID.
    pub fn modify(&mut self, args: &mut Args) -> Result<(), Problem> {
        if args.is_empty() {
            return Err(Problem::missing("a keyword of dump_modify"));
        }
        while let Some(word) = args.next() {
            match word {
                "every" => {
                    self.every = args.count("a number of steps")?;
                    if self.every == 0 {
                        return Err(Problem::new("0", "a number of steps above 0"));
                    }
                }
                "first" => self.writes_first = args.yes_no("first")?,
                "append" => self.appends = args.yes_no("append")?,
                "pad" => self.pads = args.count("a width")?.min(64) as usize,
                "units" => self.has_units = args.yes_no("units")?,
                "time" => self.has_time = args.yes_no("time")?,
                "label" => self.label = args.word("a label")?.to_string(),
                "flush" | "pbc" | "buffer" => {
                    args.yes_no(word)?;
                }
                "scale" => {
                    let scaled = args.yes_no("scale")?;
                    if self.style == Style::Atom {
                        for (field, axis) in self.fields[2..].iter_mut().zip(["x", "y", "z"]) {
                            *field = format!("{axis}{}", if scaled { "s" } else { "" });
                        }
                    }
                }
                "image" => {
                    let has_images = args.yes_no("image")?;
                    if self.style == Style::Atom {
                        self.fields.truncate(5);
                        if has_images {
                            self.fields.extend(["ix", "iy", "iz"].map(String::from));
                        }
                    }
                }
                "sort" => {
                    self.sort = match args.word("off, id or a column")? {
                        "off" => None,
                        "id" => Some(Sort::Id),
                        word => {
                            let column = super::args::integer(word, "off, id or a column")?;
                            let index = column.unsigned_abs() as usize;
                            if index < 1 || index > self.fields.len() {
                                let expected = format!("a column from 1 to {}", self.fields.len());
                                return Err(Problem::new(word, expected));
                            }
                            Some(Sort::Column {
                                index: index - 1,
                                is_descending: column < 0,
                            })
                        }
                    }
                }
                "format" => self.set_format(args)?,
                other => {
                    let known = [
                        "every", "first", "append", "pad", "units", "time", "label", "flush",
                        "pbc", "scale", "image", "sort", "format",
                    ];
                    return Err(Problem::unknown(other, "a keyword of dump_modify", &known));
                }
            }
        }
        Ok(())
    }

    fn set_format(&mut self, args: &mut Args) -> Result<(), Problem> {
        match args.word("line, int, float, none or a column")? {
            "none" => {
                (self.line, self.int, self.float) = (None, None, None);
                self.columns.clear();
            }
            "line" => {
                let text = args.word("formats of all columns")?;
                let formats: Result<Vec<Format>, Problem> =
                    text.split_whitespace().map(Format::parse).collect();
                let formats = formats?;
                if formats.len() != self.fields.len() {
                    let expected = format!("{} formats", self.fields.len());
                    return Err(Problem::new(text, expected));
                }
                self.line = Some(formats);
            }
            "int" => self.int = Some(Format::parse(args.word("a format")?)?),
            "float" => self.float = Some(Format::parse(args.word("a format")?)?),
            word => {
                let column = super::args::count(word, "line, int, float, none or a column")?;
                let column = column as usize;
                if column < 1 || column > self.fields.len() {
                    let expected = format!("a column from 1 to {}", self.fields.len());
                    return Err(Problem::new(word, expected));
                }
                let format = Format::parse(args.word("a format")?)?;
                self.columns.push((column - 1, format));
            }
        }
        Ok(())
    }

    /// Whether its columns need contacts.
    pub fn needs_contacts(&self, book: &Book) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| book.text_needs_contacts(field, 0))
    }

    /// Whether a snapshot is written at a step; `is_setup` at the start of a run.
    pub fn is_due(&self, step: u64, is_setup: bool) -> bool {
        if self.last == Some(step) {
            return false;
        }
        step.is_multiple_of(self.every) || (is_setup && self.writes_first && self.last.is_none())
    }

    /// The next step after this one with a snapshot.
    pub fn next_step(&self, step: u64) -> u64 {
        (step / self.every + 1) * self.every
    }

    /// The text of a snapshot.
    pub fn snapshot(&self, now: &Now) -> Result<String, Problem> {
        let rows = self.rows(now)?;
        let mut out = String::new();
        let (book, cell) = (now.book, &now.setup.cell);
        let what = if self.style == Style::Local {
            &self.label
        } else {
            "ATOMS"
        };
        if self.has_units {
            let _ = writeln!(out, "ITEM: UNITS\n{}", book.units.name);
        }
        if self.has_time {
            let time = Format::parse("%.16g")?.print(Number::Real(now.clock.time));
            let _ = writeln!(out, "ITEM: TIME\n{time}");
        }
        let _ = writeln!(out, "ITEM: TIMESTEP\n{}", now.clock.step);
        let _ = writeln!(out, "ITEM: NUMBER OF {what}\n{}", rows.len());
        let letters = book.boundary.map(|ends| ends.map(|end| end.letter()));
        let letters = letters.map(|[low, high]| format!("{low}{high}")).join(" ");
        let format = Format::parse("%-1.16e")?;
        let number = |x: f64| format.print(Number::Real(x));
        let mut bounds = book.bounds(cell, now.spheres);
        if book.is_triclinic {
            let [xy, xz, yz] = [cell.edges[1][0], cell.edges[2][0], cell.edges[2][1]];
            let least = |own: [f64; 3]| own.into_iter().fold(0.0, f64::min);
            let most = |own: [f64; 3]| own.into_iter().fold(0.0, f64::max);
            bounds[0][0] += least([xy, xz, xy + xz]);
            bounds[0][1] += most([xy, xz, xy + xz]);
            bounds[1][0] += yz.min(0.0);
            bounds[1][1] += yz.max(0.0);
            let _ = writeln!(out, "ITEM: BOX BOUNDS xy xz yz {letters}");
            for ([low, high], tilt) in bounds.into_iter().zip([xy, xz, yz]) {
                let _ = writeln!(out, "{} {} {}", number(low), number(high), number(tilt));
            }
        } else {
            let _ = writeln!(out, "ITEM: BOX BOUNDS {letters}");
            for [low, high] in bounds {
                let _ = writeln!(out, "{} {}", number(low), number(high));
            }
        }
        let _ = writeln!(out, "ITEM: {what} {}", self.fields.join(" "));
        let formats: Result<Vec<Format>, Problem> =
            (0..self.fields.len()).map(|i| self.format(i)).collect();
        let formats = formats?;
        for row in rows {
            for (number, format) in row.into_iter().zip(&formats) {
                out.push_str(&format.print(number));
                out.push(' ');
            }
            out.pop();
            out.push('\n');
        }
        Ok(out)
    }

    /// The numbers of a snapshot.
    fn rows(&self, now: &Now) -> Result<Vec<Vec<Number>>, Problem> {
        let spheres = now.spheres;
        let mut columns = Vec::new();
        for field in &self.fields {
            let attribute = Attribute::parse(field).filter(|_| self.style != Style::Local);
            if let Some(attribute) = attribute {
                columns.push(Source::Attribute(attribute));
                continue;
            }
            let found = match (column(now, field)?, self.style) {
                (Column::Spheres(numbers), Style::Custom | Style::Atom) => numbers,
                (Column::Contacts(numbers), Style::Local) => numbers,
                (_, Style::Local) => {
                    let expected = "values of pairs: compute pair/local or property/local";
                    return Err(Problem::new(field, expected));
                }
                _ => return Err(Problem::new(field, "values of atoms")),
            };
            columns.push(Source::Numbers(found));
        }
        let chosen: Vec<usize> = match self.style {
            Style::Local => {
                let lengths = columns.iter().filter_map(|column| match column {
                    Source::Numbers(numbers) => Some(numbers.len()),
                    Source::Attribute(_) => None,
                });
                let (least, most) = (lengths.clone().min(), lengths.max());
                if least != most {
                    let found = "columns of different lengths";
                    return Err(Problem::new(found, "computes of the same group"));
                }
                (0..least.unwrap_or(0)).collect()
            }
            _ => (0..spheres.ids.len())
                .filter(|&i| spheres.groups[i] & self.group != 0)
                .collect(),
        };
        let mut chosen = chosen;
        if self.sort == Some(Sort::Id) && self.style != Style::Local {
            chosen.sort_by_key(|&i| spheres.ids[i]);
        }
        let number = |i: usize, column: &Source| match column {
            Source::Numbers(numbers) => Number::Real(numbers.get(i).copied().unwrap_or_default()),
            Source::Attribute(attribute) => attribute.value(now, i),
        };
        let mut rows: Vec<Vec<Number>> = chosen
            .into_iter()
            .map(|i| columns.iter().map(|column| number(i, column)).collect())
            .collect();
        if let Some(Sort::Column {
            index,
            is_descending,
        }) = self.sort
        {
            let key = |row: &Vec<Number>| row.get(index).map_or(0.0, |number| number.value());
            rows.sort_by(|a, b| key(a).total_cmp(&key(b)));
            if is_descending {
                rows.reverse();
            }
        }
        Ok(rows)
    }

    fn format(&self, i: usize) -> Result<Format, Problem> {
        let attribute = Attribute::parse(&self.fields[i]).filter(|_| self.style != Style::Local);
        let is_integer = attribute.is_some_and(Attribute::is_integer);
        let own = self.columns.iter().rev().find(|(column, _)| *column == i);
        let line = self.line.as_ref().and_then(|line| line.get(i));
        let (kind, default) = match is_integer {
            true => (&self.int, "%d"),
            false => (&self.float, "%g"),
        };
        match own.map(|(_, format)| format).or(line).or(kind.as_ref()) {
            Some(format) => Ok(format.clone()),
            None => Format::parse(default),
        }
    }

    /// Writes the text of a snapshot to its file.
    pub fn write(
        &mut self,
        folder: &Path,
        outputs: &Arc<Outputs>,
        step: u64,
        text: &str,
    ) -> Result<(), Problem> {
        if self.name.contains('*') {
            let number = format!("{step:0>width$}", width = self.pads);
            let name = self.name.replacen('*', &number, 1);
            // A file of its own for each snapshot: never part of one that was cut.
            let path = folder.join(name);
            outputs.take_cut(&path);
            self.file = Some(Output::at(path, false, outputs));
        }
        let file = self.whole_file(folder, outputs);
        file.write(text)?;
        file.flush()?;
        self.last = Some(step);
        Ok(())
    }

    /// The state from which a run goes on, in which the snapshot of this step is written.
    pub fn resume(&mut self, folder: &Path, outputs: &Arc<Outputs>, step: u64) {
        self.last = Some(step);
        if !self.name.contains('*') {
            self.whole_file(folder, outputs);
        }
    }

    /// The file of all snapshots, or of the last one.
    fn whole_file(&mut self, folder: &Path, outputs: &Arc<Outputs>) -> &mut Output {
        let appends = self.appends;
        self.file
            .get_or_insert_with(|| Output::at(folder.join(&self.name), appends, outputs))
    }
}

/// Where the numbers of a column come from.
enum Source {
    Attribute(Attribute),
    Numbers(Vec<f64>),
}

fn check_field(field: &str, style: Style) -> Result<(), Problem> {
    if ["c_", "f_", "v_"]
        .iter()
        .any(|kind| field.starts_with(kind))
    {
        return Ok(());
    }
    match style {
        Style::Local => Err(Problem::new(field, "c_ID or c_ID[i]")),
        _ if attributes::is_known(field) => Ok(()),
        _ => {
            let expected = "a property of atoms, c_ID, f_ID or v_name";
            Err(Problem::unknown(field, expected, &attributes::NAMES))
        }
    }
}
