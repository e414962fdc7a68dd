//! Conventions of all subcommands: exit codes, standard output, help, threads.

use super::*;
use std::io::Read;
use std::process::Stdio;

#[test]
fn wrong_usage() {
    let folder = folder();
    let cases: [&[&str]; 16] = [
        &[],
        &["frobnicate"],
        &["info"],
        &["info", "a.stl", "b.stl"],
        &["info", "a.stl", "--frobnicate"],
        &["--threads", "many", "info", "a.stl"],
        &["--threads", "-1", "info", "a.stl"],
        &["--threads", "99999999", "info", "a.stl"],
        &["-q", "-v", "info", "a.stl"],
        &["convert", "a.stl"],
        &["convert", "a.stl", "b.stl", "--translate", "1,2"],
        &["convert", "a.stl", "b.stl", "--scale", "nan"],
        &["generate", "sphere"],
        &["generate", "particles", "--dim", "4"],
        &["generate", "particles", "--json"],
        &["completions", "cmd"],
    ];
    for arguments in cases {
        if !arguments.is_empty() {
            refused(folder.path(), arguments, 2);
            continue;
        }
        // Without arguments the help is printed as an error.
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    let wrong = ["info", "a.stl", "--jsn"];
    refuses(folder.path(), &wrong, "'--jsn'");
    refuses(folder.path(), &wrong, "tip: ");
    refuses(
        folder.path(),
        &["generate", "sphere"],
        "not provided: --out <FILE>",
    );
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn help_and_version() {
    let folder = folder();
    let version = done(folder.path(), &["--version"]);
    assert_eq!(
        version.trim(),
        concat!("tangere ", env!("CARGO_PKG_VERSION"))
    );
    for command in [
        "info",
        "generate",
        "convert",
        "pairs",
        "closest",
        "intersect",
        "overlap",
        "pack",
        "ccd",
        "meetings",
        "gas",
        "reproduce",
        "demo",
        "completions",
    ] {
        let help = done(folder.path(), &[command, "--help"]);
        assert!(help.contains("Examples:\n  tangere "), "{command}: {help}");
        assert!(help.contains("--threads"), "{command}: {help}");
    }
    assert!(done(folder.path(), &["--help"]).contains("Exit codes:"));
}

#[test]
fn completions_of_shells() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = done(folder.path(), &["completions", shell]);
        assert!(
            script.contains("tangere") && script.contains("convert"),
            "{shell}"
        );
    }
    let script = done(folder.path(), &["completions", "bash"]);
    assert!(script.contains("uniform log volume"), "values of --sizes");
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_unfinished_file() {
    use std::os::unix::process::ExitStatusExt;
    let mut signals = vec![("INT", 2), ("TERM", 15)];
    // Under nohup SIGHUP is ignored, by the program as well.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    if ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 == 0) {
        signals.push(("HUP", 1));
    }
    for (name, number) in signals {
        let folder = folder();
        // The text of so many particles takes seconds to write.
        let arguments = ["generate", "particles", "--count", "2e6", "-o", "a.csv"];
        let mut child = tangere(folder.path(), &arguments)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while files(folder.path()).is_empty() {
            assert!(child.try_wait().unwrap().is_none(), "it wrote nothing");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(files(folder.path())[0].ends_with(".part"));
        let sent = std::process::Command::new("kill")
            .args([format!("-{name}"), child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(files(folder.path()), [""; 0]);
    }
}

#[cfg(unix)]
#[test]
fn a_limit_of_file_sizes_is_an_ordinary_error() {
    let folder = folder();
    for name in ["a.csv", "a.npy", "a.vtp"] {
        // In blocks of 512 bytes or of a kilobyte.
        let script = format!("ulimit -f 4; exec \"$0\" generate particles --count 5000 -o {name}");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_tangere")])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(
            error.starts_with(&format!("tangere: error: {name}: ")),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!(files(folder.path()), [""; 0]);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = folder();
    put(folder.path(), "cube.obj", CUBE);
    let cases: [&[&str]; 5] = [
        &["info", "cube.obj"],
        &["info", "cube.obj", "--json"],
        &["completions", "bash"],
        &["--help"],
        // The output is longer than the buffer of a pipe, so that writing always meets the closed
        // end.
        &["generate", "particles", "--count", "20000"],
    ];
    for arguments in cases {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = tangere(folder.path(), arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = String::new();
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_to_string(&mut errors).unwrap();
        assert_eq!(
            child.wait().unwrap().code(),
            Some(0),
            "{arguments:?}: {errors}"
        );
        assert_eq!(errors, "", "{arguments:?}");
    }
}

#[test]
fn a_closed_standard_error_is_no_error() {
    let folder = folder();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = tangere(folder.path(), &["-v", "generate", "sphere", "-o", "a.stl"])
        .stderr(writer)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = tangere(folder.path(), &["info", "none.stl"])
        .stderr(writer)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let folder = folder();
    let full = std::fs::File::options().write(true).open("/dev/full");
    let Ok(full) = full else {
        eprintln!("skipped: there is no /dev/full");
        return;
    };
    put(folder.path(), "cube.obj", CUBE);
    let output = tangere(folder.path(), &["info", "cube.obj"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("tangere: error: standard output: "),
        "{error}"
    );
}

#[test]
fn the_same_for_any_number_of_threads() {
    let folder = folder();
    let folder = folder.path();
    for threads in ["0", "1", "2", "7"] {
        let file = format!("foam{threads}.stl");
        done(
            folder,
            &[
                "--threads",
                threads,
                "generate",
                "foam",
                "--triangles",
                "3000",
                "-o",
                &file,
            ],
        );
        let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
        assert!(bytes(&file) == bytes("foam0.stl"), "{threads} threads");
        // A general option may also follow the subcommand.
        let mut report = json(
            folder,
            &["info", "foam0.stl", "--json", "--threads", threads],
        );
        let mut first = json(folder, &["info", "foam0.stl", "--json"]);
        report["seconds"].take();
        first["seconds"].take();
        assert_eq!(report, first);
    }
}

#[test]
fn verbose_prints_times_on_standard_error() {
    let folder = folder();
    put(folder.path(), "cube.obj", CUBE);
    let output = run(folder.path(), &["-v", "info", "cube.obj", "--json"]);
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("reading cube.obj: "), "{notes}");
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    assert!(run(folder.path(), &["info", "cube.obj"]).stderr.is_empty());
}

#[test]
fn names_in_errors_are_short_and_plain() {
    let folder = folder();
    let names: Vec<String> = (0..100_000).map(|i| format!("column{i}")).collect();
    put(folder.path(), "wide.csv", &format!("{}\n", names.join(",")));
    put(
        folder.path(),
        "red.csv",
        "\u{1b}[31mfoo,bar,baz,r\n0,0,0,1\n",
    );
    for (file, words) in [
        ("wide.csv", "(100000 in all)"),
        ("red.csv", r"\u{1b}[31mfoo, bar"),
    ] {
        let error = refused(folder.path(), &["info", file], 2);
        assert!(error.contains(words) && error.len() < 1000, "{error:.300}");
        assert!(!error.contains('\u{1b}'), "{error}");
    }
}
