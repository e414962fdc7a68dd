//! Speed of Tangere beside its peers, in one run, on one thread.
//!
//! `cargo xtask bench [NAME ...] [--quick]`; without a name, everything.

mod files;
mod pairs;
mod timing;
mod tree;

type Subject = (
    &'static str,
    fn(bool) -> Result<(), Box<dyn std::error::Error>>,
);

const SUBJECTS: [Subject; 3] = [
    ("files", files::run),
    ("tree", tree::run),
    ("pairs", pairs::run),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, names): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let known = SUBJECTS.map(|(name, _)| name);
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("unknown benchmark {unknown:?}, expected one of {known:?}").into());
    }
    if let Some(unknown) = options.iter().find(|&option| option != "--quick") {
        return Err(format!("unknown option {unknown:?}, expected --quick").into());
    }
    let quick = !options.is_empty();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for (name, run) in SUBJECTS {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            // The error cannot leave the pool's thread as it is.
            pool.install(|| run(quick).map_err(|error| error.to_string()))?;
        }
    }
    Ok(())
}
