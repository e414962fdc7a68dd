//! Signal handlers that remove unfinished files.

/// From now on SIGINT and SIGTERM remove files that are not complete, and then
/// end the program as they would have without this, so that its parent sees the
/// signal. Elsewhere than on Unix nothing is changed.
///
/// A program that was started with one of them ignored is ended by it all the same.
pub fn remove_unfinished_on_signals() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        use signal_hook::low_level::emulate_default_handler;
        // Without a handler the program works all the same.
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
