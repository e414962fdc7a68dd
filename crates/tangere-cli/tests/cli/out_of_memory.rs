//! Running out of memory: exit code 1 and one line of the program, whichever allocation fails.

use super::*;

const SCENE: &str = "until = 1.0\n\
    [[body]]\nshape = { file = \"a.stl\" }\n\
    [[body]]\nshape = { file = \"a.stl\" }\nposition = [4, 0, 0]\nvelocity = [-9, 0, 0]\n";

/// Runs the program with a limit of address space in kilobytes, as `ulimit -v` sets it. Returns
/// `None` if the limit cannot be set, or if the program cannot even be loaded.
fn limited(folder: &Path, kilobytes: u64, arguments: &[&str]) -> Option<Output> {
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -v \"$1\" || exit 126; shift; exec \"$0\" \"$@\"",
        ])
        .arg(env!("CARGO_BIN_EXE_tangere"))
        .arg(kilobytes.to_string())
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    (!matches!(output.status.code(), Some(126 | 127))).then_some(output)
}

#[cfg(target_os = "linux")]
#[test]
fn every_subcommand_ends_with_one_line() {
    let folder = folder_with(&[("scene.toml", SCENE)]);
    let folder = folder.path();
    done(
        folder,
        &["-q", "generate", "sphere", "--level", "5", "-o", "a.stl"],
    );
    let particles = ["-q", "generate", "particles", "--count", "60000", "-o"];
    done(folder, &[&particles[..], &["p.npy"]].concat());
    let crystal = ["-q", "generate", "crystal", "--count", "16000", "-o"];
    done(folder, &[&crystal[..], &["c.npy"]].concat());
    let inputs = files(folder);
    let commands: [&[&str]; 11] = [
        &["pairs", "p.npy", "-o", "out.npy"],
        &["inside", "a.stl", "--grid", "60", "-o", "out.csv"],
        &["closest", "a.stl", "a.stl", "--pose-b", "3,0,0"],
        &[
            "intersect",
            "a.stl",
            "a.stl",
            "--pose-b",
            "0.1,0,0",
            "-o",
            "out.npy",
        ],
        &["overlap", "a.stl", "a.stl", "--pose-b", "0.5,0,0"],
        &["pack", "a.stl", "--spheres", "2000", "-o", "out.npy"],
        &["impact", "scene.toml"],
        &["gas", "c.npy", "--temperature", "1", "--events", "1e3"],
        &["generate", "foam", "--triangles", "100000", "-o", "out.stl"],
        &["info", "a.stl", "--self-intersections"],
        &["convert", "a.stl", "out.obj"],
    ];
    // From the least limit with which the program can be loaded, in megabytes.
    let runs = |most: &u64| {
        limited(folder, most << 10, &["--version"]).is_some_and(|run| run.status.success())
    };
    let Some(least) = (1..1000).find(runs) else {
        println!("skipped: no limit of address space");
        return;
    };
    for arguments in commands {
        let (mut failed, mut reported) = (0, 0);
        for more in [0, 12, 18, 21, 24, 28, 34, 45, 80, 200] {
            let Some(output) = limited(folder, (least + more) << 10, arguments) else {
                continue;
            };
            let errors = String::from_utf8(output.stderr).unwrap();
            let code = output.status.code();
            let case = format!("{arguments:?} + {more} MB: {:?}: {errors}", output.status);
            if code == Some(0) {
                let made = files(folder)
                    .into_iter()
                    .filter(|file| !inputs.contains(file));
                made.for_each(|file| std::fs::remove_file(folder.join(file)).unwrap());
                continue;
            }
            assert_eq!(code, Some(1), "{case}");
            // The C library and Rust's runtime print lines of their own where they find no memory for
            // themselves, one for each thread that runs out at the same moment, piece by piece.
            let foreign = [
                "Fatal glibc error: ",
                "memory allocation of ",
                "fatal runtime error: ",
            ];
            if !foreign.iter().any(|text| errors.contains(text)) {
                assert_eq!(errors.lines().count(), 1, "{case}");
                assert!(errors.starts_with("tangere: error: "), "{case}");
                reported += 1;
            }
            assert_eq!(files(folder), inputs, "{case}");
            failed += 1;
        }
        assert!(failed > 0, "{arguments:?} never ran out of memory");
        assert!(reported > 0, "{arguments:?} never reported it");
    }
}
