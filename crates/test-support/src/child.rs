//! Tests in a child process: the test program runs itself again with one test only.

use std::process::Command;

/// The environment variable that is set for the child process: its value is the name of the test
/// that the child runs.
const VARIABLE: &str = "TANGERE_TEST_ALONE";

/// Runs the rest of a test in a child process, which runs no other tests. The macro is the first
/// statement of the test. In the parent process it returns from the test once the child has passed:
///
/// ```
/// use test_support::alone;
///
/// // With the attribute `test`.
/// fn what_counts_allocations() {
///     alone!();
///     // Only the child comes here.
/// }
/// ```
#[macro_export]
macro_rules! alone {
    () => {
        fn here() {}
        if $crate::child::has_passed(::std::any::type_name_of_val(&here)) {
            return;
        }
    };
}

/// Runs a test in a child process and returns true once it has passed. In the child itself it
/// returns false and runs nothing. `name_within` is the path of a function that is nested in the
/// test, such as `program::modules::test::here`; it gives the name of the test.
///
/// # Panics
/// When the child fails, or runs other tests than this one.
pub fn has_passed(name_within: &str) -> bool {
    let path = name_within.rsplit_once("::").map_or("", |(test, _)| test);
    let name = path.split_once("::").map_or("", |(_, name)| name);
    if std::env::var_os(VARIABLE).is_some_and(|test| test == name) {
        return false;
    }
    let program = std::env::current_exe().expect("a program that can be started again");
    let output = Command::new(program)
        .args([name, "--exact", "--include-ignored", "--nocapture"])
        .arg("--test-threads=1")
        .env(VARIABLE, name)
        .output()
        .expect("a program that can be started again");
    let [out, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(
        output.status.success() && out.contains("1 passed; 0 failed"),
        "{name} alone: {}\n{out}\n{errors}",
        output.status
    );
    // The output is captured by the test harness, as that of the test itself.
    print!("{out}");
    true
}
