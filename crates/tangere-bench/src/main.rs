//! Speed of Tangere beside its peers, in one run.

mod timing;
mod tree;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| tree::run(false))?;
    Ok(())
}
