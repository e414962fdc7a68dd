//! Speed of Tangere beside its peers, in one run.

mod files;
mod timing;
mod tree;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| -> Result<(), String> {
        files::run(false).map_err(|e| e.to_string())?;
        tree::run(false).map_err(|e| e.to_string())
    })?;
    Ok(())
}
