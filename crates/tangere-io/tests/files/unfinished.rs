//! Removal of unfinished files, in its own process because it affects all writers
//! of the process.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::io::Write;
use tangere_io::{remove_unfinished_then, write_atomically};
use test_support::alone;

#[test]
fn what_is_unfinished_is_removed_and_what_is_complete_stays() {
    alone!();
    let folder = tempfile::tempdir().unwrap();
    let count = || std::fs::read_dir(folder.path()).unwrap().count();
    let [old, new] = ["old.txt", "new.txt"].map(|name| folder.path().join(name));
    write_atomically(&old, |out| out.write_all(b"old")).unwrap();
    for path in [&old, &new] {
        let removed = write_atomically(path, |out| {
            out.write_all(b"half")?;
            out.flush()?;
            assert_eq!(count(), 2);
            remove_unfinished_then(|| assert_eq!(count(), 1));
            Ok(())
        });
        assert!(removed.is_err());
        assert_eq!(count(), 1);
        assert_eq!(std::fs::read(&old).unwrap(), b"old");
    }
    write_atomically(&new, |out| out.write_all(b"new")).unwrap();
    assert_eq!(count(), 2);
}
