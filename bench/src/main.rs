//! Benchmarks of Tangere against other libraries, in one run, on one thread.
//!
//! `cargo xtask bench [NAME ...] [--quick] [--only=TEXT] [--no-peers]` runs the named benchmarks;
//! without a name, all but `instructions`. That one compares instruction counts with recorded ones,
//! or records them with `--bless`.

mod convex;
mod curves;
mod files;
mod impact;
mod inside;
mod instructions;
mod overlap;
mod pairs;
mod scene;
mod simulate;
mod surfaces;
mod timing;
mod tree;

use test_support::allocations::Counting;

/// The counting allocator, by which some benchmarks report memory.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The result of a benchmark; errors are texts for the user.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The options of the command line.
#[derive(Clone, Debug)]
struct Options {
    /// Whether input is small, so that each benchmark takes about a minute.
    quick: bool,
    /// If set, only cases whose title contains this text run.
    only: Option<String>,
    /// Whether other libraries (peers) also run.
    peers: bool,
    /// Whether the counted instructions replace the recorded ones.
    bless: bool,
}

impl Options {
    fn selects(&self, title: &str) -> bool {
        self.only.as_ref().is_none_or(|text| title.contains(text))
    }
}

type Subject = (&'static str, fn(&Options) -> Outcome);

const SUBJECTS: [Subject; 12] = [
    ("files", |options| files::run(options.quick)),
    ("tree", |options| tree::run(options.quick)),
    ("pairs", pairs::run),
    ("inside", inside::run),
    ("convex", convex::run),
    ("surfaces", surfaces::run),
    ("overlap", overlap::run),
    ("impact", impact::run),
    ("scene", scene::run),
    ("simulate", simulate::run),
    ("curves", curves::run),
    (INSTRUCTIONS, instructions::run),
];

/// The name of the benchmark that runs only if it is named: it compares instructions with counts
/// recorded on another machine.
const INSTRUCTIONS: &str = "instructions";

fn main() -> Outcome {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let given: Vec<String> = std::env::args().skip(1).collect();
    if let [first, kernel] = &given[..]
        && first == instructions::KERNEL
    {
        let run = || instructions::run_kernel(kernel).map_err(|error| error.to_string());
        return Ok(pool.install(run)?);
    }
    let (arguments, names): (Vec<String>, Vec<String>) =
        given.into_iter().partition(|a| a.starts_with('-'));
    let known = SUBJECTS.map(|(name, _)| name);
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("unknown benchmark {unknown:?}, expected one of {known:?}").into());
    }
    let mut options = Options {
        quick: false,
        only: None,
        peers: true,
        bless: false,
    };
    for argument in &arguments {
        match (argument.as_str(), argument.strip_prefix("--only=")) {
            ("--quick", _) => options.quick = true,
            ("--no-peers", _) => options.peers = false,
            ("--bless", _) => options.bless = true,
            (_, Some(text)) => options.only = Some(text.into()),
            (unknown, None) => {
                let expected = "--quick, --only=TEXT, --no-peers or --bless";
                return Err(format!("unknown option {unknown:?}, expected {expected}").into());
            }
        }
    }
    for (name, run) in SUBJECTS {
        let is_named = names.iter().any(|given| given == name);
        if is_named || names.is_empty() && name != INSTRUCTIONS {
            // The error is not `Send`: it leaves the pool's thread as text.
            pool.install(|| run(&options).map_err(|error| error.to_string()))?;
        }
    }
    Ok(())
}
