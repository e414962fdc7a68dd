//! Test: the commands in the documents run, one after the other in one folder.

use super::*;

/// Returns all lines of the code blocks that begin with a command, in order.
fn commands(document: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(document)).expect("a document");
    // Every second part is a code block, which may begin with the name of its language.
    let blocks = text.split("```").skip(1).step_by(2);
    let commands = |block: &'_ str| -> Option<String> {
        let block = block.strip_prefix("sh").unwrap_or(block);
        let is_one = block.starts_with("\ntangere ") || block.starts_with("\nprintf ");
        is_one.then(|| block.to_owned())
    };
    blocks.filter_map(commands).collect()
}

#[cfg(unix)]
#[test]
fn documents_are_runnable() {
    for (document, least) in [
        ("docs/closest.md", 14),
        ("docs/impact.md", 9),
        ("README.md", 6),
        ("docs/commands.md", 20),
        ("docs/simulate.md", 7),
    ] {
        let folder = folder();
        let folder = folder.path();
        let program = tangere(folder, &[]).get_program().to_owned();
        let all = commands(document);
        // Experiments take a minute; the demo has a test of its own.
        let slow = ["tangere reproduce", "tangere demo"];
        let lines = all
            .lines()
            .filter(|line| !slow.iter().any(|start| line.starts_with(start)));
        let lines: Vec<&str> = lines.collect();
        let count = lines
            .iter()
            .filter(|line| line.starts_with("tangere "))
            .count();
        assert!(count >= least, "{document}: {count} commands");
        let script = format!(
            "set -e\ntangere() {{ '{}' -q \"$@\" || {{ echo \"failed: tangere $*\" >&2; exit 1; }} }}\n{}\n",
            program.to_string_lossy(),
            lines.join("\n")
        );
        put(folder, "script.sh", &script);
        let output = Command::new("sh")
            .arg("script.sh")
            .current_dir(folder)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{document}: {errors}");
        if document == "docs/closest.md" {
            let answer = String::from_utf8_lossy(&output.stdout);
            let text = "face,xi,eta,x,y,z,distance,gap,nx,ny,nz,residual,status\n\
                        0,0,0,0,0,0.5,3,3,0,0,1,0,proven\n";
            assert!(answer.contains(text), "{answer}");
        }
    }
}
