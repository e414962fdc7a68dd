//! Signal handlers that remove unfinished files.

/// Makes SIGINT and SIGTERM remove unfinished files before they end the program as usual, so that
/// its parent sees the signal. Only Unix has these signals; elsewhere nothing changes.
///
/// The signals end the program even if it was started with them ignored.
pub fn remove_unfinished_on_signals() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        use signal_hook::low_level::emulate_default_handler;
        // Without a handler the program still works.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let ended = || emulate_default_handler(signal).is_ok();
                if !tangere_io::remove_unfinished_then(ended) {
                    std::process::exit(128 + signal);
                }
            }
        });
    }
}
