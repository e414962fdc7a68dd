//! Number of threads of a pool.

/// The environment variable with the largest number of threads of a pool.
pub const THREADS_VARIABLE: &str = "TANGERE_MAX_THREADS";

/// Returns the number of threads of the pool for a caller that asks for `asked` threads; 0 stands
/// for one per core.
///
/// More threads than cores gain nothing, and waking a thousand of them costs more than a small
/// query. So there are at most twice as many threads as cores, or the number in the environment
/// variable `TANGERE_MAX_THREADS`. Answers do not depend on the number of threads.
pub fn threads(asked: usize) -> usize {
    asked.min(most())
}

/// Returns the largest number of threads of a pool.
fn most() -> usize {
    let named = std::env::var(THREADS_VARIABLE).ok();
    match named.and_then(|text| text.trim().parse().ok()) {
        Some(most @ 1..) => most,
        _ => 2 * std::thread::available_parallelism().map_or(1, usize::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_have_at_most_twice_as_many_threads_as_cores() {
        let cores = std::thread::available_parallelism().unwrap().get();
        if std::env::var_os(THREADS_VARIABLE).is_none() {
            assert_eq!([0, 1, 2 * cores].map(threads), [0, 1, 2 * cores]);
            assert_eq!(threads(1000 + 2 * cores), 2 * cores);
        }
    }
}
