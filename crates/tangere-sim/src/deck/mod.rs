//! LAMMPS input decks of granular simulations, read and run as they are.
//!
//! [`Deck::open`] reads a deck and checks all its commands before anything runs; [`Deck::run`] executes
//! them, with an [`Engine`] for `run`. What is read, and what differs from LAMMPS, is listed in
//! `docs/lammps.md`.
//!
//! | file | what |
//! |---|---|
//! | `lines`, `args`, `printf` | text to commands and words; arguments; numbers as C prints them |
//! | `check`, `commands` | what is checked before anything runs; commands that define or change something |
//! | `book`, `now` | what a deck has defined; a moment of a simulation, with which values are computed |
//! | `variables`, `boolean`, `references` | variables and formulas; conditions of `if` |
//! | `cells`, `lattice`, `regions` | the box, lattices, regions |
//! | `create`, `data`, `group`, `set`, `velocity`, `random` | spheres |
//! | `models`, `pairs`, `fixes` | laws, and what acts on spheres |
//! | `computes`, `reduce`, `attributes`, `thermo`, `dumps`, `files` | values and output |
//! | `run`, `engine`, `runner` | runs, what they need of a simulation, and the simulation that has it |
//! | `folder` | decks in a folder: checkpoints, resumption, report |
//! | `control` | `include`, `jump`, `if`, and where the deck is |

mod args;
mod attributes;
mod book;
mod boolean;
mod cells;
mod check;
mod commands;
mod computes;
mod control;
mod create;
mod data;
mod dumps;
mod engine;
mod error;
mod files;
mod fixes;
mod folder;
mod group;
mod lattice;
mod lines;
mod models;
mod now;
mod pairs;
mod printf;
mod random;
mod reduce;
mod references;
mod regions;
mod run;
mod runner;
mod set;
mod spheres;
mod thermo;
mod variables;
mod velocity;

pub use engine::{Changes, Clock, Contact, Engine, Observer};
pub use error::{Error, Problem};
pub use files::Outputs;
pub use folder::{RunOptions, run_deck};
pub use runner::{Runner, Unwatched, Watch};

use crate::setup::{Setup, Spheres};
use args::Args;
use book::{Book, State, empty_setup};
use control::Place;
use files::Output;
use now::Now;
use run::Log;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a deck is read and run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder of output files; the present one if it is empty.
    pub folder: PathBuf,
    /// Commands to skip.
    pub ignore: Vec<String>,
    /// Variables that are set before the first command, as by LAMMPS' `-var`.
    pub variables: Vec<(String, Vec<String>)>,
    /// The files that the deck writes.
    pub outputs: Arc<Outputs>,
}

/// A deck: its commands, and the simulation they have made so far.
#[derive(Debug)]
pub struct Deck {
    name: String,
    book: Book,
    state: State,
    place: Place,
    options: Options,
    log: Option<Output>,
    /// Contacts at the end of the last run, while the state is still that.
    contacts: Option<Vec<Contact>>,
}

/// What a command asks for.
enum Request {
    Nothing,
    Run(u64),
    Quit,
}

impl Deck {
    /// Reads a deck and checks its commands.
    ///
    /// # Errors
    /// A file that cannot be read, or the first command that is unknown or wrong whatever comes before.
    pub fn open(path: &Path, options: Options) -> Result<Self, Error> {
        let name = path.display().to_string();
        let text = files::read(path).map_err(|problem| Error {
            file: name.clone(),
            line: 0,
            command: String::new(),
            problem,
        })?;
        let inputs = path.parent().unwrap_or(Path::new(""));
        Self::from_text(&name, &text, inputs, options)
    }

    /// Checks the commands of a text. Files that it reads are below `inputs`.
    ///
    /// # Errors
    /// The first command that is unknown, or wrong whatever comes before.
    pub fn from_text(
        name: &str,
        text: &str,
        inputs: &Path,
        options: Options,
    ) -> Result<Self, Error> {
        let rules = check::Rules {
            ignored: &options.ignore,
            inputs,
        };
        check::check_text(&rules, name, text, 0)?;
        let mut book = Book::new(
            inputs.to_path_buf(),
            options.folder.clone(),
            Arc::clone(&options.outputs),
        );
        for (name, values) in &options.variables {
            book.variables.preset(name, values);
        }
        Ok(Self {
            name: name.to_string(),
            book,
            state: empty_state(),
            place: Place::new(name, text),
            options,
            log: None,
            contacts: None,
        })
    }

    /// Runs the deck to its end. Text of `print` and `thermo` goes to `log`.
    ///
    /// # Errors
    /// The first command that fails.
    pub fn run(&mut self, engine: &mut dyn Engine, log: &mut dyn Write) -> Result<(), Error> {
        while let Some(steps) = self.next_run(log)? {
            self.run_steps(engine, steps, log)?;
        }
        Ok(())
    }

    /// Executes commands up to the next `run`, and returns its number of steps; none at the end.
    ///
    /// # Errors
    /// The first command that fails.
    pub fn next_run(&mut self, log: &mut dyn Write) -> Result<Option<u64>, Error> {
        while let Some(line) = self.place.next() {
            match self.execute(&line, log) {
                Ok(Request::Nothing) => {}
                Ok(Request::Run(steps)) => return Ok(Some(steps)),
                Ok(Request::Quit) => break,
                Err(problem) => return Err(self.place.error(problem)),
            }
        }
        if let Some(file) = &mut self.log {
            file.flush().map_err(|problem| self.place.error(problem))?;
        }
        Ok(None)
    }

    /// Runs steps with what is defined so far, and writes what the deck asks for.
    ///
    /// # Errors
    /// What ends the run, at the command last executed.
    pub fn run_steps(
        &mut self,
        engine: &mut dyn Engine,
        steps: u64,
        log: &mut dyn Write,
    ) -> Result<(), Error> {
        let log = Log {
            writer: log,
            file: self.log.as_mut(),
            outputs: Arc::clone(&self.options.outputs),
        };
        let result = run::run(&mut self.book, &mut self.state, engine, steps, log);
        match result {
            Ok(contacts) => {
                self.contacts = contacts;
                Ok(())
            }
            Err(problem) => Err(self.place.error(problem)),
        }
    }

    /// The name of the deck.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The setup so far: laws and actions are those of the last run.
    pub fn setup(&self) -> &Setup {
        &self.state.setup
    }

    /// The spheres.
    pub fn spheres(&self) -> &Spheres {
        &self.state.spheres
    }

    /// Step and time.
    pub fn clock(&self) -> Clock {
        self.state.clock
    }

    /// The bit of a group in [`Spheres::groups`]; none if there is no such group.
    pub fn group(&self, name: &str) -> Option<u32> {
        self.book.group(name).ok()
    }

    /// The number that a formula has now, such as `ke`, `c_1` or `2*v_x`.
    ///
    /// # Errors
    /// If it has none.
    pub fn number(&self, formula: &str) -> Result<f64, Problem> {
        self.now().number_formula(formula)
    }

    fn now(&self) -> Now<'_> {
        let State {
            setup,
            spheres,
            clock,
        } = &self.state;
        Now::new(&self.book, setup, spheres, *clock, self.contacts.as_deref())
    }

    /// Where text goes.
    fn log_to<'a>(&'a mut self, writer: &'a mut dyn Write) -> Log<'a> {
        Log {
            writer,
            file: self.log.as_mut(),
            outputs: Arc::clone(&self.options.outputs),
        }
    }

    /// Executes a command.
    fn execute(&mut self, text: &str, log: &mut dyn Write) -> Result<Request, Problem> {
        let replaced = self.now().replaced(text, false)?;
        let words = lines::words(&replaced)?;
        let Some((command, words)) = words.split_first() else {
            return Ok(Request::Nothing);
        };
        let command = command.text.as_str();
        if self.options.ignore.iter().any(|own| own == command) {
            return Ok(Request::Nothing);
        }
        self.place.set_command(&replaced);
        check::check_command(command, words)?;
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        let mut args = Args::new(&texts);
        match command {
            "run" => return self.read_run(&mut args).map(Request::Run),
            "quit" => return Ok(Request::Quit),
            "include" => {
                let name = args.word("a file")?;
                args.end()?;
                let text = files::text_of(&self.book, name)?;
                self.place.enter(name, &text)?;
            }
            "label" => {}
            "jump" => {
                let file = args.word("a file or SELF")?;
                let label = args.next();
                args.end()?;
                let text = match file {
                    "SELF" => None,
                    name => Some((name, files::text_of(&self.book, name)?)),
                };
                self.place.jump(text, label)?;
            }
            "next" => {
                if self.book.variables.advance(args.rest())? {
                    self.place.skip_next_jump();
                }
            }
            "if" => {
                let commands = {
                    let now = self.now();
                    control::chosen(&now, words)?
                };
                self.place.insert(commands);
            }
            "print" => {
                let text = args.word("a text")?;
                let text = self.now().replaced(text, true)? + "\n";
                self.print(&text, &mut args, log)?;
            }
            "variable" => self.book.variables.define(&mut args)?,
            "clear" => {
                let variables = std::mem::take(&mut self.book.variables);
                let (inputs, folder) = (self.book.inputs.clone(), self.book.folder.clone());
                let outputs = Arc::clone(&self.options.outputs);
                self.book = Book::new(inputs, folder, outputs);
                self.book.variables = variables;
                self.state = empty_state();
            }
            "log" => {
                let name = args.word("a file or none")?;
                let appends = args.take("append");
                args.end()?;
                self.log = match name {
                    "none" => None,
                    name => Some(Output::new(&self.book, name, appends)?),
                };
            }
            "create_atoms" => {
                let count = create::create(&mut args, &mut self.book, &mut self.state)?;
                self.log_to(log)
                    .write(&format!("Created {count} atoms\n"))?;
            }
            "delete_atoms" => {
                let count = create::delete(&mut args, &self.book, &mut self.state)?;
                let left = self.state.spheres.ids.len();
                let line = format!("Deleted {count} atoms, new total = {left}\n");
                self.log_to(log).write(&line)?;
            }
            "read_data" => {
                let count = data::read_data(&mut args, &mut self.book, &mut self.state)?;
                self.log_to(log).write(&format!("Read {count} atoms\n"))?;
            }
            "write_dump" => {
                let mut dump = dumps::Dump::parse(&mut args, &self.book, true)?;
                let text = dump.snapshot(&self.now())?;
                let (folder, outputs) = (&self.book.folder, &self.book.outputs);
                dump.write(folder, outputs, self.state.clock.step, &text)?;
            }
            _ => commands::define(command, &mut args, &mut self.book, &mut self.state)?,
        }
        Ok(Request::Nothing)
    }

    /// The arguments of `run`.
    fn read_run(&mut self, args: &mut Args) -> Result<u64, Problem> {
        let mut steps = args.count("a number of steps")?;
        let mut every = None;
        while let Some(word) = args.next() {
            match word {
                "upto" => {
                    let now = self.state.clock.step;
                    steps = steps.checked_sub(now).ok_or_else(|| {
                        let found = format!("step {steps} at step {now}");
                        Problem::new(found, "a step to come")
                    })?;
                }
                "start" | "stop" => {
                    args.count("a step")?;
                }
                "pre" | "post" => {
                    args.yes_no(word)?;
                }
                "every" => {
                    let count = args.count("a number of steps")?;
                    every = Some((count, args.rest().to_vec()));
                    *args = Args::new(&[]);
                }
                other => {
                    let known = ["upto", "start", "stop", "pre", "post", "every"];
                    return Err(Problem::unknown(other, "a keyword of run", &known));
                }
            }
        }
        let Some((count, commands)) = every else {
            return Ok(steps);
        };
        if count == 0 || steps / count > 1_000_000 {
            return Err(Problem::new(count.to_string(), "a number of steps above 0"));
        }
        let mut inner = Vec::new();
        let mut left = steps.saturating_sub(count);
        let commands = commands.into_iter().filter(|command| command != "NULL");
        let commands: Vec<String> = commands.collect();
        inner.extend(commands.iter().cloned());
        while left > 0 {
            let own = left.min(count);
            inner.push(format!("run {own}"));
            inner.extend(commands.iter().cloned());
            left -= own;
        }
        self.place.insert(inner);
        Ok(steps.min(count))
    }

    fn print(&mut self, text: &str, args: &mut Args, log: &mut dyn Write) -> Result<(), Problem> {
        let mut is_on_screen = true;
        while let Some(word) = args.next() {
            match word {
                "file" | "append" => {
                    let name = args.word("a file")?;
                    let mut file = Output::new(&self.book, name, word == "append")?;
                    file.write(text)?;
                    file.flush()?;
                }
                "screen" => is_on_screen = args.yes_no("screen")?,
                "universe" => {
                    args.yes_no("universe")?;
                }
                other => {
                    let known = ["file", "append", "screen", "universe"];
                    return Err(Problem::unknown(other, "a keyword of print", &known));
                }
            }
        }
        match is_on_screen {
            true => self.log_to(log).write(text),
            false => Ok(()),
        }
    }
}

fn empty_state() -> State {
    State {
        setup: empty_setup(),
        spheres: Spheres::default(),
        clock: Clock::default(),
    }
}
