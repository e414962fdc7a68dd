//! Thermodynamic output: `thermo`, `thermo_style`, `thermo_modify`, and its keywords, which formulas know
//! too.

use super::args::Args;
use super::book::{Book, Lost};
use super::computes::{mean_pressure, pressure, temperature};
use super::error::Problem;
use super::now::Now;
use super::printf::{Format, Number};
use super::reduce::split_index;
use crate::vector::dot;
use std::fmt::Write as _;

/// Keywords and the heads of their columns.
const KEYWORDS: [(&str, &str); 58] = [
    ("step", "Step"),
    ("elapsed", "Elapsed"),
    ("elaplong", "Elaplong"),
    ("dt", "Dt"),
    ("time", "Time"),
    ("cpu", "CPU"),
    ("atoms", "Atoms"),
    ("temp", "Temp"),
    ("press", "Press"),
    ("pe", "PotEng"),
    ("ke", "KinEng"),
    ("etotal", "TotEng"),
    ("evdwl", "E_vdwl"),
    ("ecoul", "E_coul"),
    ("epair", "E_pair"),
    ("ebond", "E_bond"),
    ("eangle", "E_angle"),
    ("edihed", "E_dihed"),
    ("eimp", "E_impro"),
    ("emol", "E_mol"),
    ("elong", "E_long"),
    ("enthalpy", "Enthalpy"),
    ("vol", "Volume"),
    ("density", "Density"),
    ("lx", "Lx"),
    ("ly", "Ly"),
    ("lz", "Lz"),
    ("xlo", "Xlo"),
    ("xhi", "Xhi"),
    ("ylo", "Ylo"),
    ("yhi", "Yhi"),
    ("zlo", "Zlo"),
    ("zhi", "Zhi"),
    ("xy", "Xy"),
    ("xz", "Xz"),
    ("yz", "Yz"),
    ("xlat", "Xlat"),
    ("ylat", "Ylat"),
    ("zlat", "Zlat"),
    ("pxx", "Pxx"),
    ("pyy", "Pyy"),
    ("pzz", "Pzz"),
    ("pxy", "Pxy"),
    ("pxz", "Pxz"),
    ("pyz", "Pyz"),
    ("fmax", "Fmax"),
    ("fnorm", "Fnorm"),
    ("nbuild", "Nbuild"),
    ("ndanger", "Ndanger"),
    ("cella", "Cella"),
    ("cellb", "Cellb"),
    ("cellc", "Cellc"),
    ("cellalpha", "CellAlpha"),
    ("cellbeta", "CellBeta"),
    ("cellgamma", "CellGamma"),
    ("part", "Part"),
    ("timeremain", "TimeoutLeft"),
    ("cpuremain", "CPULeft"),
];

/// The columns of `thermo_style one`.
const ONE: [&str; 6] = ["step", "temp", "epair", "emol", "etotal", "press"];

/// The values of `thermo_style multi`.
const MULTI: [&str; 12] = [
    "etotal", "ke", "temp", "pe", "ebond", "eangle", "edihed", "eimp", "evdwl", "ecoul", "elong",
    "press",
];

/// What is printed while a simulation runs.
#[derive(Clone, Debug)]
pub(super) struct Thermo {
    /// Every how many steps; 0 for the first and the last only.
    pub every: u64,
    fields: Vec<String>,
    is_multi: bool,
    norm: Option<bool>,
    line: Option<Vec<Format>>,
    int: Option<Format>,
    float: Option<Format>,
    columns: Vec<(usize, Format)>,
}

impl Default for Thermo {
    fn default() -> Self {
        Self {
            every: 0,
            fields: ONE.map(String::from).to_vec(),
            is_multi: false,
            norm: None,
            line: None,
            int: None,
            float: None,
            columns: Vec::new(),
        }
    }
}

impl Thermo {
    /// The command `thermo_style`.
    pub fn set_style(book: &mut Book, args: &mut Args) -> Result<(), Problem> {
        let style = args.word("a style")?;
        let mut thermo = Self {
            every: book.thermo.every,
            ..Self::default()
        };
        match style {
            "one" => {}
            "multi" => {
                thermo.fields = MULTI.map(String::from).to_vec();
                thermo.is_multi = true;
            }
            "custom" => {
                thermo.fields = book.expanded(args.rest())?;
                *args = Args::new(&[]);
                if thermo.fields.is_empty() {
                    return Err(Problem::missing("a keyword of thermo_style custom"));
                }
                for field in &thermo.fields {
                    check_field(field)?;
                }
            }
            other => {
                let known = ["one", "multi", "custom"];
                return Err(Problem::unknown(other, "a style of thermo", &known));
            }
        }
        args.end()?;
        book.thermo = thermo;
        Ok(())
    }

    /// The command `thermo_modify`.
    pub fn modify(book: &mut Book, args: &mut Args) -> Result<(), Problem> {
        if args.is_empty() {
            return Err(Problem::missing("a keyword of thermo_modify"));
        }
        while let Some(word) = args.next() {
            match word {
                "lost" => {
                    book.lost = match args.word("ignore, warn or error")? {
                        "ignore" => Lost::Ignore,
                        "warn" => Lost::Warn,
                        "error" => Lost::Error,
                        other => return Err(Problem::new(other, "ignore, warn or error")),
                    }
                }
                "lost/bond" | "temp" | "press" => {
                    args.word("a value")?;
                }
                "norm" => book.thermo.norm = Some(args.yes_no("norm")?),
                "flush" => {
                    args.yes_no("flush")?;
                }
                "line" => match args.word("one or multi")? {
                    "one" => book.thermo.is_multi = false,
                    "multi" => book.thermo.is_multi = true,
                    other => return Err(Problem::new(other, "one or multi")),
                },
                "format" => book.thermo.set_format(args)?,
                other => {
                    let known = ["lost", "norm", "flush", "line", "format", "temp", "press"];
                    let expected = "a keyword of thermo_modify";
                    return Err(Problem::unknown(other, expected, &known));
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
                self.line = Some(formats?);
            }
            "int" => self.int = Some(Format::parse(args.word("a format")?)?),
            "float" => self.float = Some(Format::parse(args.word("a format")?)?),
            column => {
                let column: usize = column
                    .parse()
                    .map_err(|_| Problem::new(column, "line, int, float, none or a column"))?;
                if column == 0 || column > self.fields.len() {
                    let expected = format!("a column from 1 to {}", self.fields.len());
                    return Err(Problem::new(column.to_string(), expected));
                }
                let format = Format::parse(args.word("a format")?)?;
                self.columns.push((column - 1, format));
            }
        }
        Ok(())
    }

    /// Whether its values need contacts.
    pub fn needs_contacts(&self, book: &Book) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| book.text_needs_contacts(field, 0))
    }

    /// Whether extensive values are divided by the number of spheres.
    fn norm(&self, book: &Book) -> bool {
        self.norm.unwrap_or(book.units.name == "lj")
    }

    /// The line with the heads of columns.
    pub fn header(&self) -> String {
        let mut out = String::new();
        if self.is_multi {
            return out;
        }
        for field in &self.fields {
            let head = head(field);
            let width = if is_integer(field) { 11 } else { 14 };
            let _ = write!(out, "{head:^width$} ");
        }
        out.pop();
        out.push('\n');
        out
    }

    /// The line of a moment.
    pub fn row(&self, now: &Now, seconds: f64) -> Result<String, Problem> {
        let mut out = String::new();
        if self.is_multi {
            let step = now.clock.step;
            let seconds = Format::parse("%12.7g")?.print(Number::Real(seconds));
            let _ = write!(
                out,
                "------------ Step {step:14} ----- CPU = {seconds} (sec) -------------"
            );
        }
        for (i, field) in self.fields.iter().enumerate() {
            let number = match field.as_str() {
                "cpu" => Number::Real(seconds),
                field => value(now, field)?,
            };
            let format = self.format(i, field)?;
            if self.is_multi {
                if i % 3 == 0 {
                    out.push('\n');
                }
                let _ = write!(out, "{:<8} = ", head(field));
            }
            out.push_str(&format.print(number));
            out.push(' ');
        }
        out.pop();
        out.push('\n');
        Ok(out)
    }

    fn format(&self, i: usize, field: &str) -> Result<Format, Problem> {
        let of_column = self.columns.iter().rev().find(|(column, _)| *column == i);
        let of_line = self.line.as_ref().and_then(|line| line.get(i));
        let (own, default) = match is_integer(field) {
            true if self.is_multi => (&self.int, "%14d"),
            true => (&self.int, "%10d "),
            false if self.is_multi => (&self.float, "%14.4f"),
            false => (&self.float, "% -14.8g"),
        };
        let own = own.as_ref().or(of_line);
        match of_column.map(|(_, format)| format).or(own) {
            Some(format) => Ok(format.clone()),
            None => Format::parse(default),
        }
    }
}

/// Whether the values of a field are integers.
fn is_integer(field: &str) -> bool {
    matches!(
        field,
        "step" | "elapsed" | "elaplong" | "atoms" | "nbuild" | "ndanger" | "part"
    )
}

fn head(field: &str) -> &str {
    let own = KEYWORDS.iter().find(|(keyword, _)| *keyword == field);
    own.map_or(field, |(_, head)| head)
}

/// An error unless a field is a keyword or a reference.
pub(super) fn check_field(field: &str) -> Result<(), Problem> {
    let is_reference = ["c_", "f_", "v_"]
        .iter()
        .any(|kind| field.starts_with(kind));
    if is_reference || KEYWORDS.iter().any(|(keyword, _)| *keyword == field) {
        return Ok(());
    }
    let known = KEYWORDS.map(|(keyword, _)| keyword);
    let expected = "a keyword of thermo_style custom, c_ID, f_ID or v_name";
    Err(Problem::unknown(field, expected, &known))
}

/// The value of a field.
pub(super) fn value(now: &Now, field: &str) -> Result<Number, Problem> {
    if KEYWORDS.iter().any(|(keyword, _)| *keyword == field) {
        return keyword(now, field);
    }
    check_field(field)?;
    let number = now.number_formula(field)?;
    if let Some(name) = field.strip_prefix("c_") {
        let (id, index) = split_index(name)?;
        let count = now.spheres.ids.len() as f64;
        if index.is_none()
            && count > 0.0
            && now.book.compute(id)?.is_extensive()
            && now.book.thermo.norm(now.book)
        {
            return Ok(Number::Real(number / count));
        }
    }
    Ok(Number::Real(number))
}

/// The value of a keyword.
pub(super) fn keyword(now: &Now, word: &str) -> Result<Number, Problem> {
    let (book, spheres, cell) = (now.book, now.spheres, &now.setup.cell);
    let count = spheres.ids.len();
    let elapsed = now.clock.step.saturating_sub(book.span[0]) as i64;
    let kinetic = || -> f64 {
        let masses = spheres.masses.iter().zip(&spheres.velocities);
        masses.map(|(m, v)| 0.5 * m * dot(*v, *v)).sum()
    };
    let per_norm = |x: f64| match book.thermo.norm(book) && count > 0 {
        true => x / count as f64,
        false => x,
    };
    let bounds = || book.bounds(cell, spheres);
    let size = |k: usize| {
        let [low, high] = bounds()[k];
        high - low
    };
    let length = |k: usize| dot(cell.edges[k], cell.edges[k]).sqrt();
    let angle = |j: usize, k: usize| {
        let cosine = dot(cell.edges[j], cell.edges[k]) / (length(j) * length(k));
        libm::acos(cosine).to_degrees()
    };
    let mean = || -> Result<f64, Problem> { Ok(mean_pressure(now, pressure(now, true)?)) };
    let forces = || spheres.forces.iter().flatten();
    Ok(Number::Real(match word {
        "step" => return Ok(Number::Integer(now.clock.step as i64)),
        "elapsed" | "elaplong" => return Ok(Number::Integer(elapsed)),
        "atoms" => return Ok(Number::Integer(count as i64)),
        "nbuild" | "ndanger" | "part" => return Ok(Number::Integer(0)),
        "dt" => now.setup.step,
        "time" => now.clock.time,
        "temp" => temperature(now, 1),
        "press" => mean()?,
        "ke" | "etotal" => per_norm(kinetic()),
        "pe" | "evdwl" | "ecoul" | "epair" | "ebond" | "eangle" | "edihed" | "eimp" | "emol"
        | "elong" | "cpu" | "timeremain" | "cpuremain" => 0.0,
        "enthalpy" => per_norm(kinetic() + mean()? * book.volume(cell, spheres)),
        "vol" => book.volume(cell, spheres),
        "density" => spheres.masses.iter().sum::<f64>() / book.volume(cell, spheres),
        "lx" => size(0),
        "ly" => size(1),
        "lz" => size(2),
        "xlo" => bounds()[0][0],
        "xhi" => bounds()[0][1],
        "ylo" => bounds()[1][0],
        "yhi" => bounds()[1][1],
        "zlo" => bounds()[2][0],
        "zhi" => bounds()[2][1],
        "xy" => cell.edges[1][0],
        "xz" => cell.edges[2][0],
        "yz" => cell.edges[2][1],
        "xlat" => book.lattice.spacing[0],
        "ylat" => book.lattice.spacing[1],
        "zlat" => book.lattice.spacing[2],
        "pxx" => pressure(now, true)?[0],
        "pyy" => pressure(now, true)?[1],
        "pzz" => pressure(now, true)?[2],
        "pxy" => pressure(now, true)?[3],
        "pxz" => pressure(now, true)?[4],
        "pyz" => pressure(now, true)?[5],
        "fmax" => forces().fold(0.0, |most: f64, f| most.max(f.abs())),
        "fnorm" => forces().map(|f| f * f).sum::<f64>().sqrt(),
        "cella" => length(0),
        "cellb" => length(1),
        "cellc" => length(2),
        "cellalpha" => angle(1, 2),
        "cellbeta" => angle(0, 2),
        "cellgamma" => angle(0, 1),
        _ => {
            let known = KEYWORDS.map(|(keyword, _)| keyword);
            let expected = "a keyword of thermo_style custom, a function or a variable";
            return Err(Problem::unknown(word, expected, &known));
        }
    }))
}

/// Keywords whose values need contacts.
pub(super) const OF_CONTACTS: [&str; 8] = [
    "press", "enthalpy", "pxx", "pyy", "pzz", "pxy", "pxz", "pyz",
];
