//! `fix ave/time`: means over time, written to a file.
//!
//! `Nevery Nrepeat Nfreq`: at every multiple of `Nfreq`, the mean of `Nrepeat` values that are `Nevery`
//! steps apart, the last of them at that step.

use super::super::args::Args;
use super::super::computes::Value;
use super::super::error::Problem;
use super::super::files::Output;
use super::super::now::Now;
use super::super::printf::{Format, Number};
use std::collections::VecDeque;

/// Means of values over time.
#[derive(Debug)]
pub(in super::super) struct Average {
    every: u64,
    repeat: u64,
    frequency: u64,
    inputs: Vec<String>,
    start: u64,
    /// The step at which it was defined: windows begin there at the earliest.
    defined: u64,
    mode: Mode,
    file: Option<Output>,
    format: Format,
    /// Sums of the window under way, and their number.
    sums: Vec<f64>,
    count: u64,
    /// Means of former windows, for running means.
    windows: VecDeque<Vec<f64>>,
    running: (Vec<f64>, u64),
    /// The last means.
    means: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    One,
    Running,
    Window(usize),
}

impl Average {
    /// All that it remembers, as numbers.
    pub fn memo(&self) -> Vec<f64> {
        let lists = [&self.sums, &self.running.0, &self.means];
        let mut numbers = vec![self.count as f64, self.running.1 as f64];
        for list in lists.into_iter().chain(&self.windows) {
            numbers.push(list.len() as f64);
            numbers.extend(list);
        }
        numbers
    }

    /// Remembers what [`memo`](Self::memo) returned.
    pub fn set_memo(&mut self, numbers: &[f64]) {
        let [count, running, rest @ ..] = numbers else {
            return;
        };
        let mut rest = rest;
        let mut lists = Vec::new();
        while let Some((&length, all)) = rest.split_first() {
            let (list, left) = all.split_at((length as usize).min(all.len()));
            lists.push(list.to_vec());
            rest = left;
        }
        let mut lists = lists.into_iter();
        self.count = *count as u64;
        self.sums = lists.next().unwrap_or_default();
        self.running = (lists.next().unwrap_or_default(), *running as u64);
        self.means = lists.next().unwrap_or_default();
        self.windows = lists.collect();
    }

    pub fn parse(args: &mut Args, id: &str, now: &Now) -> Result<Self, Problem> {
        let book = now.book;
        let every = args.count("Nevery")?;
        let repeat = args.count("Nrepeat")?;
        let frequency = args.count("Nfreq")?;
        let fits = every > 0
            && repeat > 0
            && frequency > 0
            && frequency % every == 0
            && every
                .checked_mul(repeat)
                .is_some_and(|all| all <= frequency);
        if !fits {
            return Err(Problem::new(
                format!("{every} {repeat} {frequency}"),
                "Nfreq a multiple of Nevery and at least Nevery times Nrepeat",
            ));
        }
        let mut inputs = Vec::new();
        while let Some(word) = args.peek() {
            if !["c_", "f_", "v_"].iter().any(|kind| word.starts_with(kind)) {
                break;
            }
            inputs.push(word.to_string());
            args.next();
        }
        let inputs = book.expanded(&inputs)?;
        if inputs.is_empty() {
            return Err(Problem::missing("a value: c_ID, c_ID[i], f_ID or v_name"));
        }
        let mut average = Self {
            every,
            repeat,
            frequency,
            sums: vec![0.0; inputs.len()],
            means: vec![0.0; inputs.len()],
            running: (vec![0.0; inputs.len()], 0),
            inputs,
            start: 0,
            defined: now.clock.step,
            mode: Mode::One,
            file: None,
            format: Format::parse(" %g")?,
            count: 0,
            windows: VecDeque::new(),
        };
        let mut titles = [None, None];
        while let Some(word) = args.next() {
            match word {
                "file" | "append" => {
                    let name = args.word("a file")?;
                    average.file = Some(Output::new(book, name, word == "append")?);
                }
                "ave" => {
                    average.mode = match args.word("one, running or window")? {
                        "one" => Mode::One,
                        "running" => Mode::Running,
                        "window" => Mode::Window(args.count("a number")?.max(1) as usize),
                        other => return Err(Problem::new(other, "one, running or window")),
                    }
                }
                "start" => average.start = args.count("a step")?,
                "mode" => match args.word("scalar")? {
                    "scalar" => {}
                    other => return Err(Problem::new(other, "scalar: vectors are not averaged")),
                },
                "format" => average.format = Format::parse(args.word("a format")?)?,
                "title1" => titles[0] = Some(args.word("a title")?.to_string()),
                "title2" => titles[1] = Some(args.word("a title")?.to_string()),
                other => {
                    let known = [
                        "file", "append", "ave", "start", "mode", "format", "title1", "title2",
                    ];
                    return Err(Problem::unknown(other, "a keyword of fix ave/time", &known));
                }
            }
        }
        let [first, second] = titles;
        let columns = average.inputs.join(" ");
        let head = [
            first.unwrap_or_else(|| format!("# Time-averaged data for fix {id}")),
            second.unwrap_or_else(|| format!("# TimeStep {columns}")),
        ];
        if let Some(file) = &mut average.file {
            for line in head.iter().filter(|line| !line.is_empty()) {
                file.write(&format!("{line}\n"))?;
            }
        }
        Ok(average)
    }

    pub fn size(&self) -> usize {
        self.inputs.len()
    }

    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// Whether it reads values at a step.
    pub fn samples(&self, step: u64) -> bool {
        // The step of the next mean, and how far it is.
        let next = step.div_ceil(self.frequency) * self.frequency;
        let before = next - step;
        let window = (self.repeat - 1) * self.every;
        if next < self.start || next < self.defined + window {
            return false;
        }
        before.is_multiple_of(self.every) && before / self.every < self.repeat
    }

    /// The next step after this one at which it reads values.
    pub fn next_step(&self, step: u64) -> u64 {
        let length = (self.repeat - 1) * self.every;
        let least = (step + 1).max(self.start).max(self.defined + length);
        // The end of the window that is next or under way.
        let next = least.div_ceil(self.frequency) * self.frequency;
        let first = (step + 1).max(next - length);
        next - (next - first) / self.every * self.every
    }

    /// The values at a moment.
    pub fn read(&self, now: &Now) -> Result<Vec<f64>, Problem> {
        self.inputs
            .iter()
            .map(|input| now.number_formula(input))
            .collect()
    }

    /// Adds values of a step; at the end of a window writes their mean.
    pub fn add(&mut self, step: u64, values: Vec<f64>) -> Result<(), Problem> {
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += value;
        }
        self.count += 1;
        if !step.is_multiple_of(self.frequency) {
            return Ok(());
        }
        let count = self.count as f64;
        let window: Vec<f64> = self.sums.iter().map(|sum| sum / count).collect();
        self.sums.fill(0.0);
        self.count = 0;
        self.means = match self.mode {
            Mode::One => window,
            Mode::Running => {
                self.running.1 += 1;
                let sums = self.running.0.iter_mut().zip(window);
                let number = self.running.1 as f64;
                sums.map(|(sum, x)| {
                    *sum += x;
                    *sum / number
                })
                .collect()
            }
            Mode::Window(length) => {
                self.windows.push_back(window);
                if self.windows.len() > length {
                    self.windows.pop_front();
                }
                let number = self.windows.len() as f64;
                (0..self.inputs.len())
                    .map(|i| self.windows.iter().map(|own| own[i]).sum::<f64>() / number)
                    .collect()
            }
        };
        if let Some(file) = &mut self.file {
            let mut line = step.to_string();
            for mean in &self.means {
                line.push_str(&self.format.print(Number::Real(*mean)));
            }
            line.push('\n');
            file.write(&line)?;
        }
        Ok(())
    }

    /// Writes what is in memory to the file.
    pub fn flush(&mut self) -> Result<(), Problem> {
        match &mut self.file {
            Some(file) => file.flush(),
            None => Ok(()),
        }
    }

    /// The last means.
    pub fn value(&self) -> Value {
        match self.means.as_slice() {
            [only] => Value::Scalar(*only),
            _ => Value::Vector(self.means.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::book::{Book, empty_setup};
    use super::super::super::engine::Clock;
    use super::*;
    use crate::setup::Spheres;

    fn average(text: &str) -> Average {
        let words: Vec<String> = text.split_whitespace().map(String::from).collect();
        let book = Book::new("".into(), "".into(), Default::default());
        let (setup, spheres) = (empty_setup(), Spheres::default());
        let now = Now::new(&book, &setup, &spheres, Clock::default(), None);
        Average::parse(&mut Args::new(&words), "a", &now).unwrap()
    }

    #[test]
    fn steps_of_values() {
        let own = average("2 3 10 v_a");
        let steps: Vec<u64> = (0..=30).filter(|&step| own.samples(step)).collect();
        assert_eq!(steps, [6, 8, 10, 16, 18, 20, 26, 28, 30]);
        let mut step = 0;
        for expected in [6, 8, 10, 16, 18, 20, 26] {
            step = own.next_step(step);
            assert_eq!(step, expected);
        }
        let all = average("1 10 10 v_a");
        assert!((1..=20).all(|step| all.samples(step) && all.next_step(step) == step + 1));
    }

    #[test]
    fn means() {
        let mut own = average("1 2 2 v_a ave running");
        for (step, value) in [(1, 1.0), (2, 3.0), (3, 5.0), (4, 7.0)] {
            own.add(step, vec![value]).unwrap();
        }
        assert_eq!(own.value(), Value::Scalar(4.0));
        let mut own = average("1 2 2 v_a");
        for (step, value) in [(1, 1.0), (2, 3.0), (3, 5.0), (4, 7.0)] {
            own.add(step, vec![value]).unwrap();
        }
        assert_eq!(own.value(), Value::Scalar(6.0));
    }
}
