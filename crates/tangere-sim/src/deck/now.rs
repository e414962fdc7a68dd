//! A moment of a simulation, as variables, computes and output see it.

use super::book::Book;
use super::computes::Value;
use super::engine::{Clock, Contact};
use super::error::Problem;
use crate::setup::{Setup, Spheres};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How deep variables may refer to each other, and parentheses nest.
const DEEPEST: u32 = 64;

/// A moment of a simulation. Values of computes are kept, so that each is computed once.
pub(super) struct Now<'a> {
    pub book: &'a Book,
    pub setup: &'a Setup,
    pub spheres: &'a Spheres,
    pub clock: Clock,
    /// Contacts, if they are known.
    pub contacts: Option<&'a [Contact]>,
    kept: RefCell<BTreeMap<String, Rc<Value>>>,
    depth: Cell<u32>,
    /// Whether a formula for each sphere is computed.
    pub is_atom_formula: Cell<bool>,
}

impl<'a> Now<'a> {
    pub fn new(
        book: &'a Book,
        setup: &'a Setup,
        spheres: &'a Spheres,
        clock: Clock,
        contacts: Option<&'a [Contact]>,
    ) -> Self {
        Self {
            book,
            setup,
            spheres,
            clock,
            contacts,
            kept: RefCell::new(BTreeMap::new()),
            depth: Cell::new(0),
            is_atom_formula: Cell::new(false),
        }
    }

    /// The same state at another time.
    pub fn at(&self, clock: Clock) -> Now<'a> {
        Now::new(self.book, self.setup, self.spheres, clock, self.contacts)
    }

    /// Contacts, or an error where they are not known.
    pub fn known_contacts(&self) -> Result<&'a [Contact], Problem> {
        self.contacts.ok_or_else(|| {
            Problem::new(
                "a value of contacts outside of a run",
                "a value that is known between runs: read it by thermo_style, dump or fix ave/time",
            )
        })
    }

    /// The value of a compute.
    pub fn compute(&self, id: &str) -> Result<Rc<Value>, Problem> {
        if let Some(value) = self.kept.borrow().get(id) {
            return Ok(value.clone());
        }
        let value = self.deeper(id, || self.book.compute(id)?.value(self))?;
        let value = Rc::new(value);
        self.kept.borrow_mut().insert(id.to_string(), value.clone());
        Ok(value)
    }

    /// Guards against variables that refer to themselves.
    pub fn deeper<T>(
        &self,
        what: &str,
        inner: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.depth.get() >= DEEPEST {
            let found = format!("{what} nested {DEEPEST} deep");
            return Err(Problem::new(found, "no circular references"));
        }
        self.depth.set(self.depth.get() + 1);
        let result = inner();
        self.depth.set(self.depth.get() - 1);
        result
    }
}
