//! Steps of a task, run in order until one fails.

use crate::{Stop, root};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A program with its arguments, environment variables and folder, to be run, or printed as a shell
/// command.
pub struct Invocation {
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
    /// The folder that is put first in `PATH`.
    programs: Option<PathBuf>,
    folder: PathBuf,
}

impl Invocation {
    /// Returns the invocation of a program in the workspace folder.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            variables: Vec::new(),
            programs: None,
            folder: root().to_owned(),
        }
    }

    /// Returns the invocation of `cargo` with these arguments, separated by spaces.
    pub fn cargo(arguments: &str) -> Self {
        Self::new("cargo").words(arguments)
    }

    /// Adds arguments separated by spaces.
    pub fn words(mut self, arguments: &str) -> Self {
        let words = arguments.split_whitespace().map(OsString::from);
        self.arguments.extend(words);
        self
    }

    /// Adds one argument.
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Sets an environment variable.
    pub fn variable(mut self, name: &'static str, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name, value.as_ref().to_owned()));
        self
    }

    /// Puts a folder first in the `PATH` of the program.
    pub fn with_programs_of(mut self, folder: impl AsRef<Path>) -> Self {
        self.programs = Some(folder.as_ref().to_owned());
        self
    }

    /// Runs the program in another folder.
    pub fn within(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = folder.as_ref().to_owned();
        self
    }

    /// Returns the invocation as a [`Command`] of the standard library.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder);
        if let Some(programs) = &self.programs {
            let others = std::env::var_os("PATH").unwrap_or_default();
            let folders = std::iter::once(programs.clone()).chain(std::env::split_paths(&others));
            // Fails only for a folder with a colon in its name.
            if let Ok(path) = std::env::join_paths(folders) {
                command.env("PATH", path);
            }
        }
        command
    }

    /// Runs the program with its output hidden; returns whether it starts and succeeds.
    pub fn succeeds(&self) -> bool {
        matches!(self.command().output(), Ok(output) if output.status.success())
    }

    /// Runs the program with its output shown; an error if it fails.
    pub fn run(&self) -> Result<(), Stop> {
        match self.command().status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Stop::Failure(format!(
                "{status}; repeat it with\n    {self}"
            ))),
            Err(error) => Err(Stop::Failure(format!("{error}; tried to run\n    {self}"))),
        }
    }
}

/// Writes the invocation as a user types it in a shell in the workspace folder.
impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.folder != root() {
            write!(f, "cd {} && ", quoted(self.folder.as_os_str()))?;
        }
        if let Some(programs) = &self.programs {
            write!(f, "PATH={}:$PATH ", quoted(programs.as_os_str()))?;
        }
        for (name, value) in &self.variables {
            write!(f, "{name}={} ", quoted(value))?;
        }
        f.write_str(&quoted(&self.program))?;
        for argument in &self.arguments {
            write!(f, " {}", quoted(argument))?;
        }
        Ok(())
    }
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A step of a task: a named list of commands.
pub struct Step {
    name: &'static str,
    commands: Vec<Invocation>,
    /// Whether the step runs at the same time as the steps before it.
    early: bool,
}

impl Step {
    /// Returns a step of these commands. [`run_all`] leaves out a step without commands.
    pub fn new(name: &'static str, commands: impl IntoIterator<Item = Invocation>) -> Self {
        Self {
            name,
            commands: commands.into_iter().collect(),
            early: false,
        }
    }

    /// Lets the step start at once, in parallel with the steps before it; the steps after it wait
    /// for its end.
    pub fn early(mut self) -> Self {
        self.early = true;
        self
    }

    /// Runs the commands of the step, and calls `announce` before each. Returns the elapsed
    /// seconds.
    fn run(&self, announce: impl Fn(&Invocation)) -> Result<f64, Stop> {
        let begin = Instant::now();
        for command in &self.commands {
            announce(command);
            command.run()?;
        }
        Ok(begin.elapsed().as_secs_f64())
    }
}

/// Runs steps in order, with headings and times, and stops at the first that fails.
pub fn run_all(what: &str, mut steps: Vec<Step>) -> Result<(), Stop> {
    steps.retain(|step| !step.commands.is_empty());
    let start = Instant::now();
    let mut times = Vec::new();
    std::thread::scope(|scope| {
        let heading = |k: usize, step: &Step, command: &Invocation| {
            let (count, seconds) = (steps.len(), start.elapsed().as_secs_f64());
            let name = step.name;
            eprintln!(
                "\n==> [{}/{count}] {name} (at {seconds:.0} s): {command}",
                k + 1
            );
        };
        let mut running: Vec<_> = steps
            .iter()
            .enumerate()
            .map(|(k, step)| {
                let run = move || step.run(|command| heading(k, step, command));
                step.early.then(|| scope.spawn(run))
            })
            .collect();
        for (k, step) in steps.iter().enumerate() {
            let begin = Instant::now();
            let ended = match running[k].take().map(|thread| thread.join()) {
                Some(Ok(ended)) => ended,
                Some(Err(_)) => Err(Stop::Failure("its thread panicked".into())),
                None => step.run(|command| heading(k, step, command)),
            };
            let seconds = ended.map_err(|stop| match stop {
                Stop::Failure(message) => Stop::Failure(format!(
                    "{what}: step {} of {}, {}, failed: {message}",
                    k + 1,
                    steps.len(),
                    step.name,
                )),
                usage => usage,
            })?;
            let waited = begin.elapsed().as_secs_f64();
            times.push(match step.early {
                true => format!(
                    "{} {seconds:.1} s beside others, {waited:.1} s waited",
                    step.name
                ),
                false => format!("{} {seconds:.1} s", step.name),
            });
        }
        Ok(())
    })?;
    eprintln!(
        "\nxtask: {what}: all {} steps passed in {:.0} s ({})",
        steps.len(),
        start.elapsed().as_secs_f64(),
        times.join(", "),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_as_typed() {
        let doc = Invocation::cargo("doc --no-deps").variable("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(
            doc.to_string(),
            "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps"
        );
        let pip = Invocation::new("pip").with_programs_of("a b");
        assert_eq!(pip.to_string(), "PATH='a b':$PATH pip");
        assert_eq!(
            Invocation::new("a b")
                .argument("it's")
                .argument("")
                .to_string(),
            r"'a b' 'it'\''s' ''"
        );
    }

    #[test]
    fn stops_at_the_first_failure() {
        let step = |name, arguments| Step::new(name, [Invocation::cargo(arguments)]);
        let steps = vec![
            step("good", "--version"),
            step("bad", "no-such-command-here"),
        ];
        match run_all("task", steps) {
            Err(Stop::Failure(message)) => {
                assert!(message.contains("step 2 of 2, bad"), "{message}");
                assert!(message.contains("cargo no-such-command-here"), "{message}");
            }
            _ => panic!("a command that fails must stop the task"),
        }
        assert!(run_all("task", vec![step("good", "--version")]).is_ok());
    }

    #[test]
    fn early_steps_are_waited_for() {
        let step = |name, arguments| Step::new(name, [Invocation::cargo(arguments)]);
        let good = || step("good", "--version");
        assert!(run_all("task", vec![good(), good().early()]).is_ok());
        let bad = step("bad", "no-such-command-here").early();
        match run_all("task", vec![good(), bad, good()]) {
            Err(Stop::Failure(message)) => assert!(message.contains("step 2 of 3, bad")),
            _ => panic!("an early step that fails must stop the task"),
        }
    }

    #[test]
    fn steps_without_commands_are_left_out() {
        assert!(run_all("task", vec![Step::new("nothing", [])]).is_ok());
    }
}
