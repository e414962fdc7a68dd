//! TOML parser of scenes: tables of keys, values and line numbers.
//!
//! `toml_parser` parses the syntax and emits events, which become a tree here. TOML 1.1 restricts
//! redefinition: each key occurs once, each table header once, and inline tables cannot be
//! extended. Cost: linear in the text.
//!
//! *Deviates* from TOML:
//! - nesting and the number of keys are limited, well above what scenes need: [`DEPTH_MAX`] and
//!   [`KEYS_MAX`];
//! - integers may have any size; beyond 38 digits they are read as floats;
//! - dates are not validated, as no key accepts one.

use super::value::{Entry, Origin, Table, Value};
use crate::error::{Fault, Place};
use crate::text::{check_utf8_mark, quoted};
use std::borrow::Cow;
use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, ValidateWhitespace, parse_document};
use toml_parser::{ErrorSink, Expected, ParseError, Raw, Source, Span};

/// Maximum depth of nested brackets and braces, and maximum number of parts of a dotted key.
const DEPTH_MAX: usize = 8;

/// Maximum number of keys of one table. The tables of scenes have about ten.
const KEYS_MAX: usize = 100;

/// Parses a TOML text and returns its root table. The line of the root table, which errors about
/// missing keys name, is the last line of the text.
pub(super) fn parse(bytes: &[u8]) -> Result<Table, Fault> {
    check_utf8_mark(bytes)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let found = format!("the byte {:#04x}", bytes.get(at).copied().unwrap_or(0));
        Fault::new(Place::Line(line_of(bytes, at)), found, "UTF-8")
    })?;
    let source = Source::new(text);
    // Lists of numbers have more tokens than the parser reserves for; if this reservation
    // fails, the vector grows as needed.
    let mut tokens = Vec::new();
    let _ = tangere::memory::try_reserve(&mut tokens, text.len() / 5 * 3);
    tokens.extend(source.lex());
    let mut tree = Tree::new(text);
    let mut error: Option<ParseError> = None;
    let mut receiver = ValidateWhitespace::new(&mut tree, source);
    parse_document(&tokens, &mut receiver, &mut error);
    if let Some(error) = error {
        return Err(syntax_fault(text, &error));
    }
    tree.root.line = line_of(bytes, bytes.len()).max(1);
    match tree.fault {
        Some(fault) => Err(fault),
        None => Ok(tree.root),
    }
}

/// Returns the number, counted from 1, of the line that contains byte `at`.
fn line_of(bytes: &[u8], at: usize) -> usize {
    let before = &bytes[..at.min(bytes.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

/// Converts an error of `toml_parser` about the syntax to a fault.
fn syntax_fault(text: &str, error: &ParseError) -> Fault {
    let span = error.unexpected().or(error.context());
    let (start, end) = span.map_or((text.len(), text.len()), |s| (s.start(), s.end()));
    let rest = text.get(start..).unwrap_or_default();
    let marked = text.get(start..end).unwrap_or_default();
    let line = marked.lines().next().unwrap_or_default();
    let found = match (line, rest.chars().next()) {
        (_, None) => "the end of the file".to_owned(),
        ("", Some('\n' | '\r')) => "the end of the line".to_owned(),
        ("", Some(next)) => quoted(next.encode_utf8(&mut [0; 4]).as_bytes()),
        (line, _) => quoted(line.as_bytes()),
    };
    let expected: Vec<String> = error
        .expected()
        .unwrap_or_default()
        .iter()
        .map(|expected| match expected {
            Expected::Literal("\n") => "a new line".to_owned(),
            Expected::Literal(text) => format!("`{}`", text.escape_debug()),
            Expected::Description(text) => (*text).to_owned(),
            _ => "something else".to_owned(),
        })
        .collect();
    let expected = match (expected.is_empty(), error.expected()) {
        (false, _) => expected.join(", "),
        (true, Some(_)) => "nothing".to_owned(),
        (true, None) => "TOML".to_owned(),
    };
    Fault::new(
        Place::Line(line_of(text.as_bytes(), start)),
        format!("{found} ({})", error.description()),
        expected,
    )
}

/// One part of a dotted TOML key, and its line.
struct Key {
    text: String,
    line: usize,
}

/// An array or inline table whose closing bracket is not read yet, and the key whose value it is.
struct Open {
    value: Value,
    keys: Vec<Key>,
}

/// The tree of tables under construction, which receives the events of `toml_parser`.
struct Tree<'i> {
    text: &'i str,
    root: Table,
    /// The parts of the key in the latest table header. The keys after the header belong to its
    /// table.
    header: Vec<Key>,
    /// The parts of the key whose value is read next.
    keys: Vec<Key>,
    open: Vec<Open>,
    /// The number of the line that contains byte `counted`. Line ends have been counted up to that
    /// byte.
    line: usize,
    counted: usize,
    fault: Option<Fault>,
}

impl<'i> Tree<'i> {
    fn new(text: &'i str) -> Self {
        Tree {
            text,
            root: Table {
                origin: Origin::Header,
                ..Table::default()
            },
            header: Vec::new(),
            keys: Vec::new(),
            open: Vec::new(),
            line: 1,
            counted: 0,
            fault: None,
        }
    }

    /// Returns the number of the line that contains byte `at`. From call to call `at` must not
    /// decrease, because line ends are counted onward from the last call.
    fn line_at(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let between = bytes.get(self.counted..at).unwrap_or_default();
        self.line += between.iter().filter(|&&byte| byte == b'\n').count();
        self.counted = self.counted.max(at);
        self.line
    }

    fn keep(&mut self, result: Result<(), Fault>) {
        if let Err(fault) = result {
            self.fault.get_or_insert(fault);
        }
    }

    fn start_header(&mut self, span: Span) {
        self.keys.clear();
        self.open.clear();
        self.line_at(span.start());
    }

    fn end_header(&mut self, is_list: bool) {
        self.header = std::mem::take(&mut self.keys);
        if self.fault.is_none() {
            let result = define(&mut self.root, &self.header, is_list);
            self.keep(result);
        }
    }

    /// Begins an array or inline table. Reports an error and returns false if it is nested too
    /// deeply.
    fn start(&mut self, value: Value, span: Span, error: &mut dyn ErrorSink) -> bool {
        if self.open.len() >= DEPTH_MAX {
            let words = "brackets and braces are nested too deeply";
            error.report_error(ParseError::new(words).with_unexpected(span));
        }
        let keys = std::mem::take(&mut self.keys);
        self.open.push(Open { value, keys });
        self.open.len() <= DEPTH_MAX
    }

    fn end(&mut self) {
        if let Some(Open { value, keys }) = self.open.pop() {
            self.keys = keys;
            self.place(value);
        }
    }

    /// Puts a complete value into the innermost open list or table; if none is open, into the table
    /// of the latest header.
    fn place(&mut self, value: Value) {
        let keys = std::mem::take(&mut self.keys);
        if self.fault.is_some() {
            return;
        }
        let result = match self.open.last_mut().map(|open| &mut open.value) {
            Some(Value::List(list)) => {
                list.push(value);
                Ok(())
            }
            Some(Value::Table(table)) => insert(table, keys, value),
            _ => reached(&mut self.root, &self.header).and_then(|at| insert(at, keys, value)),
        };
        self.keep(result);
    }
}

impl EventReceiver for Tree<'_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.start_header(span);
    }

    fn std_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.end_header(false);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.start_header(span);
    }

    fn array_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.end_header(true);
    }

    fn inline_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        let line = self.line_at(span.start());
        let table = Table {
            line,
            ..Table::default()
        };
        self.start(Value::Table(table), span, error)
    }

    fn inline_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.end();
    }

    fn array_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.start(Value::List(Vec::new()), span, error)
    }

    fn array_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.end();
    }

    fn simple_key(&mut self, span: Span, kind: Option<Encoding>, error: &mut dyn ErrorSink) {
        let line = self.line_at(span.start());
        let raw = self.text.get(span.start()..span.end()).unwrap_or_default();
        let mut key = Cow::Borrowed("");
        Raw::new_unchecked(raw, kind, span).decode_key(&mut key, error);
        if self.keys.len() >= DEPTH_MAX {
            let words = "the key has too many parts";
            error.report_error(ParseError::new(words).with_unexpected(span));
            return;
        }
        self.keys.push(Key {
            text: key.into_owned(),
            line,
        });
    }

    fn scalar(&mut self, span: Span, kind: Option<Encoding>, error: &mut dyn ErrorSink) {
        let raw = self.text.get(span.start()..span.end()).unwrap_or_default();
        let mut text = Cow::Borrowed("");
        let kind = Raw::new_unchecked(raw, kind, span).decode_scalar(&mut text, error);
        let number = |text: &str| match text.parse() {
            Ok(x) => Value::Number(x),
            Err(_) => Value::Other(raw.to_owned()),
        };
        self.place(match kind {
            ScalarKind::String => Value::Text(text.into_owned()),
            ScalarKind::Boolean(flag) => Value::Flag(flag),
            ScalarKind::DateTime => Value::Other(raw.to_owned()),
            ScalarKind::Float => number(&text),
            ScalarKind::Integer(radix) => {
                let radix = radix.value();
                match i128::from_str_radix(&text, radix) {
                    Ok(n) => Value::Integer(n),
                    // An integer of more than 38 digits is read as a float.
                    Err(_) if radix == 10 => number(&text),
                    Err(_) => Value::Other(raw.to_owned()),
                }
            }
        });
    }
}

/// Returns a fault at the line of a key.
fn key_fault(key: &Key, found: &str, expected: impl Into<String>) -> Fault {
    let found = format!("key {} {found}", quoted(key.text.as_bytes()));
    Fault::new(Place::Line(key.line), found, expected)
}

fn twice(key: &Key, before: usize) -> Fault {
    let several = match key.text.as_str() {
        "body" => ", or [[body]] for each of several",
        _ => "",
    };
    key_fault(
        key,
        "again",
        format!("it once: line {before} has it{several}"),
    )
}

/// Returns the entry of a key in a table, and whether it is new. A missing entry is added, with the
/// value that `make` returns.
fn entry<'t>(
    table: &'t mut Table,
    key: &Key,
    make: impl FnOnce() -> Value,
) -> Result<(&'t mut Entry, bool), Fault> {
    let found = table.entries.iter().position(|one| one.key == key.text);
    if let Some(place) = found {
        return Ok((&mut table.entries[place], false));
    }
    if table.entries.len() >= KEYS_MAX {
        let expected = format!("at most {KEYS_MAX} keys in a table");
        return Err(key_fault(
            key,
            &format!("after {KEYS_MAX} others"),
            expected,
        ));
    }
    let new = table.entries.len();
    table.entries.push(Entry {
        line: key.line,
        key: key.text.clone(),
        value: make(),
    });
    Ok((&mut table.entries[new], true))
}

fn table_of(key: &Key, origin: Origin) -> Value {
    Value::Table(Table {
        line: key.line,
        entries: Vec::new(),
        origin,
    })
}

/// Returns the table that a table header leads to at a key with this `value`: the value itself if
/// it is a table, or the last table if it is an array of tables. `None` for an inline table, which
/// a header cannot extend, and for any other value.
fn extensible(value: &mut Value) -> Option<&mut Table> {
    let table = match value {
        Value::Table(table) => table,
        Value::List(list) => match list.last_mut()? {
            Value::Table(table) => table,
            _ => return None,
        },
        _ => return None,
    };
    (table.origin != Origin::Inline).then_some(table)
}

/// Returns the table at the path of a table header. Tables of the path that are missing are
/// created.
fn reached<'t>(root: &'t mut Table, path: &[Key]) -> Result<&'t mut Table, Fault> {
    path.iter().try_fold(root, |table, key| {
        let (entry, _) = entry(table, key, || table_of(key, Origin::Implied))?;
        let before = entry.line;
        extensible(&mut entry.value).ok_or_else(|| {
            let expected = format!("a table; line {before} makes it another value");
            key_fault(key, "in a header", expected)
        })
    })
}

/// Defines the table of a table header: the table at `path`, or with `is_list` (a header in double
/// brackets) a new element of the array of tables at `path`.
fn define(root: &mut Table, path: &[Key], is_list: bool) -> Result<(), Fault> {
    let Some((last, path)) = path.split_last() else {
        return Ok(());
    };
    let table = reached(root, path)?;
    if is_list {
        let (entry, is_new) = entry(table, last, || Value::List(Vec::new()))?;
        // An array in brackets is complete; only an array of table headers can be extended.
        let grows = is_new || extensible(&mut entry.value).is_some();
        return match &mut entry.value {
            Value::List(list) if grows => {
                list.push(table_of(last, Origin::Header));
                Ok(())
            }
            _ => Err(twice(last, entry.line)),
        };
    }
    let (entry, _) = entry(table, last, || table_of(last, Origin::Implied))?;
    match &mut entry.value {
        Value::Table(table) if table.origin == Origin::Implied => {
            table.origin = Origin::Header;
            table.line = last.line;
            Ok(())
        }
        _ => Err(twice(last, entry.line)),
    }
}

/// Inserts a value into a table under a key, dotted or not.
fn insert(table: &mut Table, keys: Vec<Key>, value: Value) -> Result<(), Fault> {
    let Some((last, path)) = keys.split_last() else {
        return Ok(());
    };
    let table = path.iter().try_fold(table, |table, key| {
        let (entry, _) = entry(table, key, || table_of(key, Origin::Dotted))?;
        match &mut entry.value {
            Value::Table(table) if matches!(table.origin, Origin::Dotted | Origin::Implied) => {
                table.origin = Origin::Dotted;
                Ok(table)
            }
            _ => Err(twice(key, entry.line)),
        }
    })?;
    match entry(table, last, || value)? {
        (_, true) => Ok(()),
        (entry, false) => Err(twice(last, entry.line)),
    }
}
