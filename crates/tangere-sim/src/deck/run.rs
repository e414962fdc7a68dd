//! Runs of a deck: the setup of a run, and what is written while it goes on.

use super::book::{Book, State};
use super::engine::{Changes, Clock, Contact, Engine, Observer};
use super::error::Problem;
use super::files::{Output, Outputs};
use super::fixes::Kind;
use super::now::Now;
use crate::setup::{Action, Effect, Setup, Spheres};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

/// Where text goes: the writer of the caller and the file of `log`.
pub(super) struct Log<'a> {
    pub writer: &'a mut dyn Write,
    pub file: Option<&'a mut Output>,
    pub outputs: Arc<Outputs>,
}

impl Log<'_> {
    pub fn write(&mut self, text: &str) -> Result<(), Problem> {
        if self.outputs.is_silent() {
            return Ok(());
        }
        let failed = |error: std::io::Error| Problem::new(format!("{error}"), "a log to write to");
        self.writer.write_all(text.as_bytes()).map_err(failed)?;
        match &mut self.file {
            Some(file) => file.write(text),
            None => Ok(()),
        }
    }
}

/// Runs steps from the present state. Returns the contacts at the end, if something needs them.
pub(super) fn run(
    book: &mut Book,
    state: &mut State,
    engine: &mut dyn Engine,
    steps: u64,
    log: Log,
) -> Result<Option<Vec<Contact>>, Problem> {
    book.needs_cell()?;
    let first = state.clock.step;
    let last = first
        .checked_add(steps)
        .ok_or_else(|| Problem::new(steps.to_string(), "fewer steps"))?;
    book.span = [first, last];
    super::cells::refresh(book, state);
    super::cells::check_inside(book, state)?;
    state.setup.laws = book.pairs.laws(book.kinds)?;
    let mut dynamic = Vec::new();
    let mut actions = Vec::new();
    {
        let now = Now::new(book, &state.setup, &state.spheres, state.clock, None);
        for (at, fix) in book.fixes.iter().enumerate() {
            if let Some(effect) = fix.effect(&now)? {
                let changes = fix.changes(book);
                if changes > Changes::Never {
                    dynamic.push((at, actions.len(), changes));
                }
                actions.push(Action {
                    name: fix.id.clone(),
                    group: fix.group,
                    since: fix.since,
                    effect,
                });
            }
        }
    }
    state.setup.actions = actions;
    let needs_contacts = {
        let own = book.computes.iter().any(|c| c.needs_contacts(book));
        own || book.thermo.needs_contacts(book)
    };
    let count = state.spheres.ids.len();
    let mut watch = Watch {
        book,
        log,
        first,
        last,
        dynamic,
        started: Instant::now(),
        needs_contacts,
        contacts: None,
    };
    watch.log.write(&watch.book.thermo.header())?;
    engine.run(
        &mut state.setup,
        &mut state.spheres,
        &mut state.clock,
        steps,
        &mut watch,
    )?;
    let seconds = watch.started.elapsed().as_secs_f64();
    let line =
        format!("Loop time of {seconds:.6} on 1 procs for {steps} steps with {count} atoms\n");
    watch.log.write(&line)?;
    let contacts = watch.contacts.take();
    if let Some(file) = watch.log.file {
        file.flush()?;
    }
    for fix in &mut book.fixes {
        match &mut fix.kind {
            Kind::Average(average) => average.flush()?,
            Kind::Print {
                file: Some(file), ..
            } => file.flush()?,
            _ => {}
        }
    }
    Ok(contacts)
}

/// What is written while a simulation runs.
struct Watch<'a, 'l> {
    book: &'a mut Book,
    log: Log<'l>,
    first: u64,
    last: u64,
    /// Fixes whose effects change: number of the fix, of the action, and how.
    dynamic: Vec<(usize, usize, Changes)>,
    started: Instant,
    needs_contacts: bool,
    contacts: Option<Vec<Contact>>,
}

impl Watch<'_, '_> {
    fn thermo_is_due(&self, step: u64) -> bool {
        let every = self.book.thermo.every;
        step == self.first || step == self.last || (every > 0 && step.is_multiple_of(every))
    }

    /// Numbers of the dumps that write at a step.
    fn due_dumps(&self, step: u64) -> Vec<usize> {
        let is_setup = step == self.first;
        let dumps = self.book.dumps.iter().enumerate();
        let due = dumps.filter(|(_, dump)| dump.is_due(step, is_setup));
        due.map(|(i, _)| i).collect()
    }
}

impl Observer for Watch<'_, '_> {
    fn next_step(&self, step: u64) -> Option<u64> {
        if step >= self.last {
            return None;
        }
        let mut next = self.last;
        let every = self.book.thermo.every;
        if let Some(rows) = step.checked_div(every) {
            next = next.min((rows + 1) * every);
        }
        for dump in &self.book.dumps {
            next = next.min(dump.next_step(step));
        }
        for fix in &self.book.fixes {
            match &fix.kind {
                Kind::Average(average) => next = next.min(average.next_step(step)),
                Kind::Print { every, .. } => next = next.min((step / every + 1) * every),
                _ => {}
            }
        }
        Some(next)
    }

    fn wants_contacts(&self, step: u64) -> bool {
        if !self.needs_contacts {
            return false;
        }
        let book = &*self.book;
        let of_dumps = self.due_dumps(step);
        step == self.last
            || (self.thermo_is_due(step) && book.thermo.needs_contacts(book))
            || of_dumps
                .into_iter()
                .any(|i| book.dumps[i].needs_contacts(book))
            || book.fixes.iter().any(|fix| match &fix.kind {
                Kind::Average(average) => {
                    let mut inputs = average.inputs().iter();
                    average.samples(step) && inputs.any(|text| book.text_needs_contacts(text, 0))
                }
                Kind::Print { every, .. } => step.is_multiple_of(*every),
                _ => false,
            })
    }

    fn changes(&self) -> Changes {
        let changes = self.dynamic.iter().map(|(.., changes)| *changes);
        changes.max().unwrap_or(Changes::Never)
    }

    fn before_forces(
        &mut self,
        clock: Clock,
        setup: &mut Setup,
        spheres: &Spheres,
    ) -> Result<(), Problem> {
        let mut effects: Vec<(usize, Effect)> = Vec::new();
        {
            let now = Now::new(self.book, setup, spheres, clock, None);
            for (fix, action, _) in &self.dynamic {
                if let Some(effect) = self.book.fixes[*fix].effect(&now)? {
                    effects.push((*action, effect));
                }
            }
        }
        for (action, effect) in effects {
            if let Some(action) = setup.actions.get_mut(action) {
                action.effect = effect;
            }
        }
        Ok(())
    }

    fn observe(
        &mut self,
        clock: Clock,
        setup: &Setup,
        spheres: &Spheres,
        contacts: &[Contact],
    ) -> Result<(), Problem> {
        let step = clock.step;
        let known = self.wants_contacts(step).then_some(contacts);
        // Means first: other output may read them.
        let mut means = Vec::new();
        {
            let now = Now::new(self.book, setup, spheres, clock, known);
            for (i, fix) in self.book.fixes.iter().enumerate() {
                if let Kind::Average(average) = &fix.kind
                    && average.samples(step)
                    && fix.last != Some(step)
                {
                    means.push((i, average.read(&now)?));
                }
            }
        }
        for (i, values) in means {
            let fix = &mut self.book.fixes[i];
            fix.last = Some(step);
            if let Kind::Average(average) = &mut fix.kind {
                average.add(step, values)?;
            }
        }
        let mut prints = Vec::new();
        let mut snapshots = Vec::new();
        let mut row = None;
        {
            let now = Now::new(self.book, setup, spheres, clock, known);
            for (i, fix) in self.book.fixes.iter().enumerate() {
                if let Kind::Print { every, text, .. } = &fix.kind
                    && step.is_multiple_of(*every)
                    && fix.last != Some(step)
                {
                    prints.push((i, now.replaced(text, true)? + "\n"));
                }
            }
            for i in self.due_dumps(step) {
                snapshots.push((i, self.book.dumps[i].snapshot(&now)?));
            }
            if self.thermo_is_due(step) {
                let seconds = match step == self.first {
                    true => 0.0,
                    false => self.started.elapsed().as_secs_f64(),
                };
                row = Some(self.book.thermo.row(&now, seconds)?);
            }
        }
        for (i, text) in prints {
            let fix = &mut self.book.fixes[i];
            fix.last = Some(step);
            if let Kind::Print {
                file, is_on_screen, ..
            } = &mut fix.kind
            {
                if *is_on_screen {
                    self.log.write(&text)?;
                }
                if let Some(file) = file {
                    file.write(&text)?;
                }
            }
        }
        for (i, text) in snapshots {
            let (folder, outputs) = (&self.book.folder, &self.book.outputs);
            self.book.dumps[i].write(folder, outputs, step, &text)?;
        }
        if let Some(row) = row {
            self.log.write(&row)?;
        }
        if step == self.last && known.is_some() {
            self.contacts = Some(contacts.to_vec());
        }
        Ok(())
    }

    fn memo(&self) -> BTreeMap<String, Vec<f64>> {
        let mut memo = BTreeMap::new();
        for fix in &self.book.fixes {
            let last = fix.last.map_or(-1.0, |step| step as f64);
            memo.insert(format!("last {}", fix.id), vec![last]);
            if let Kind::Average(average) = &fix.kind {
                memo.insert(format!("mean {}", fix.id), average.memo());
            }
        }
        memo
    }

    fn set_memo(&mut self, memo: &BTreeMap<String, Vec<f64>>) {
        for fix in &mut self.book.fixes {
            if let Some([last]) = memo.get(&format!("last {}", fix.id)).map(Vec::as_slice) {
                fix.last = (*last >= 0.0).then_some(*last as u64);
            }
            if let (Kind::Average(average), Some(numbers)) =
                (&mut fix.kind, memo.get(&format!("mean {}", fix.id)))
            {
                average.set_memo(numbers);
            }
        }
    }

    fn skip(
        &mut self,
        clock: Clock,
        _: &Setup,
        _: &Spheres,
        contacts: &[Contact],
    ) -> Result<(), Problem> {
        for dump in &mut self.book.dumps {
            dump.last = Some(clock.step);
        }
        self.contacts = self.needs_contacts.then(|| contacts.to_vec());
        Ok(())
    }

    fn resume(
        &mut self,
        clock: Clock,
        _: &Setup,
        _: &Spheres,
        _: &[Contact],
    ) -> Result<(), Problem> {
        let Book {
            dumps,
            folder,
            outputs,
            ..
        } = &mut *self.book;
        for dump in dumps {
            dump.resume(folder, outputs, clock.step);
        }
        outputs.speak();
        Ok(())
    }
}
