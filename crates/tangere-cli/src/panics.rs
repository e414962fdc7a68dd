//! Panics, which are bugs of the program: reported in one line, as any other error.

use std::panic::{PanicHookInfo, set_hook};
use std::sync::{Mutex, PoisonError};

/// What the first panic said, and where it happened.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Makes panics print nothing by themselves: [`crate::run`] reports the first of them.
pub fn report_panics_in_one_line() {
    set_hook(Box::new(|info| {
        let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| said(info));
    }));
}

fn said(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let message = (payload.downcast_ref::<&str>().copied())
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown");
    match info.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message.to_owned(),
    }
}

/// Returns the message of a panic that was caught, as the failure of a subcommand.
pub fn message() -> String {
    let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    let said = first.map_or_else(String::new, |said| format!(": {said}"));
    format!("internal error, please report it{said}")
}
