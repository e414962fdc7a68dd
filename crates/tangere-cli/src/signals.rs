//! Signal handlers that remove unfinished files.

/// Makes SIGINT, SIGTERM and SIGHUP remove unfinished files before they end the program as usual,
/// so that its parent sees the signal. Only Unix has these signals; elsewhere nothing changes.
///
/// SIGINT and SIGTERM end the program even if it was started with them ignored; SIGHUP stays ignored
/// if it was, as under `nohup`. SIGXFSZ (a file beyond `ulimit -f`) ends nothing: the write fails
/// with an ordinary error. SIGABRT, with which the C library ends a program that has no memory, is
/// exit code 1.
pub fn remove_unfinished_on_signals() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
        use signal_hook::iterator::Signals;
        use signal_hook::low_level::{self, emulate_default_handler};
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        // A handler that does nothing but set a flag, which nobody reads.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        // The C library aborts, after a line of its own, where it finds no memory for itself.
        // SAFETY: to end the process is all that the handler does, which any handler may do.
        let _ = unsafe { low_level::register(SIGABRT, || low_level::exit(1)) };
        // Without a handler the program still works.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        if !is_ignored(SIGHUP) {
            // Without it a closed terminal leaves unfinished files.
            let _ = signals.add_signal(SIGHUP);
        }
        // Where no thread can be started, the program ends at once, since it has no pool.
        let _ = std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                let ended = || emulate_default_handler(signal).is_ok();
                if !tangere_io::remove_unfinished_then(ended) {
                    std::process::exit(128 + signal);
                }
            }
        });
    }
}

/// Whether the program was started with a signal ignored, as Linux reports it. On other systems
/// this is not known, and the signal is taken to be ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}
