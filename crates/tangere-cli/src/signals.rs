//! Signal handlers that remove unfinished files.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Instant;

/// Whether a subcommand ends by itself when it is interrupted.
static IS_DEFERRED: AtomicBool = AtomicBool::new(false);

/// Milliseconds at which the subcommand last looked for a signal, and before that.
static LOOKS: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// The signal that a subcommand has to end for; 0 if there is none.
static RAISED: AtomicI32 = AtomicI32::new(0);

/// Signals that a subcommand ends for by itself, as long as this exists. A second signal ends the program
/// at once.
#[derive(Debug)]
pub struct Deferred(());

/// Lets the subcommand end by itself when it is interrupted.
pub fn deferred() -> Deferred {
    RAISED.store(0, Ordering::Relaxed);
    IS_DEFERRED.store(true, Ordering::Relaxed);
    Deferred(())
}

impl Deferred {
    /// Whether the program was interrupted. A subcommand that does not ask for long is ended at once.
    pub fn is_raised(&self) -> bool {
        LOOKS[1].store(LOOKS[0].swap(now(), Ordering::Relaxed), Ordering::Relaxed);
        RAISED.load(Ordering::Relaxed) != 0
    }

    /// Ends the program with the signal that interrupted it.
    pub fn raise(&self) {
        #[cfg(unix)]
        {
            let signal = RAISED.load(Ordering::Relaxed);
            if signal != 0 && signal_hook::low_level::emulate_default_handler(signal).is_err() {
                std::process::exit(128 + signal);
            }
        }
    }
}

/// Milliseconds since some time before.
fn now() -> u64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    // Above 0, which means never.
    BEGIN.get_or_init(Instant::now).elapsed().as_millis() as u64 + 1
}

/// Whether the subcommand asks for signals: it did so within two seconds, or five times its last interval.
#[cfg(unix)]
fn is_asking() -> bool {
    let [last, before] = [0, 1].map(|i| LOOKS[i].load(Ordering::Relaxed));
    let patience = 2000.max(5 * last.saturating_sub(before));
    last > 0 && now().saturating_sub(last) < patience
}

impl Drop for Deferred {
    fn drop(&mut self) {
        IS_DEFERRED.store(false, Ordering::Relaxed);
    }
}

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
                let is_first = RAISED.swap(signal, Ordering::Relaxed) == 0;
                if is_first && IS_DEFERRED.load(Ordering::Relaxed) && is_asking() {
                    continue;
                }
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
