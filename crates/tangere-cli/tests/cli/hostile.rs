//! Hostile input: what would be rounded, blocks, never ends or destroys files is refused.

use super::*;

/// A dump of one frame with two atoms that touch; the first has the id `id`.
fn dump(id: &str, box_of_x: &str) -> String {
    frame(1, id, box_of_x, "0.5")
}

fn frame(step: u32, id: &str, box_of_x: &str, radius: &str) -> String {
    format!(
        "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n\
         {box_of_x}\n0 9\n0 9\nITEM: ATOMS id mol x y z radius\n{id} 5 1 1 1 0.5\n\
         3 7 1.5 1 1 {radius}\n"
    )
}

/// 2^53 + 1, which float64 rounds.
const LARGE: &str = "9007199254740993";

#[test]
fn integers_are_not_rounded() {
    let text = dump(LARGE, "0 9").replace("3 7 1.5", "3 -9007199254740993 1.5");
    let folder = folder_with(&[("ids.dump", &dump(LARGE, "0 9")), ("mol.dump", &text)]);
    let folder = folder.path();
    let mol = text.replace(LARGE, "4").replace("-4", "-9007199254740993");
    put(folder, "mol.dump", &mol);
    let convert = |dump, out| ["convert", dump, out];
    let pairs = ["pairs", "ids.dump", "--as", "contacts", "-o"];
    let words = format!("ids.dump: found the atom id {LARGE}, expected at most 9007199254740992");
    for out in ["a.npy", "a.{step}.npy"] {
        refuses(folder, &[&pairs[..], &[out]].concat(), &words);
    }
    assert_eq!(files(folder), ["ids.dump", "mol.dump"]);
    // What keeps them is written, and read back as integers.
    done(folder, &convert("ids.dump", "a.npy"));
    for (dump, text) in [
        ("ids.dump", LARGE.to_owned()),
        ("mol.dump", format!("-{LARGE}")),
    ] {
        for out in ["a.csv", "a.vtp", "a.vtu", "a.{step}.csv", "a.pvd"] {
            done(folder, &convert(dump, out));
            let written = match out {
                "a.pvd" => "a.1.vtp".into(),
                _ => out.replace("{step}", "1"),
            };
            // From each format into the next.
            let mut from: String = written;
            for extension in ["csv", "tsv", "vtp", "vtu", "txt"] {
                let next = format!("again.{extension}");
                done(folder, &["convert", &from, &next]);
                from = next;
            }
            done(folder, &convert("again.txt", "last.csv"));
            let rows = std::fs::read_to_string(folder.join("last.csv")).unwrap();
            assert!(
                rows.contains(&format!(",{text}")),
                "{dump} to {out}: {rows}"
            );
        }
    }
    done(folder, &[&pairs[..], &["a.csv"]].concat());
    let rows = std::fs::read_to_string(folder.join("a.csv")).unwrap();
    assert!(rows.contains(&format!("\n3,{LARGE},")), "{rows}");
}

#[test]
fn all_frames_are_written_or_none() {
    // The second frame has an invalid radius.
    let run = frame(1, "4", "0 9", "0.5") + &frame(2, "4", "0 9", "1e99");
    let folder = folder_with(&[("run.dump", &run), ("good.dump", &dump("4", "0 9"))]);
    let folder = folder.path();
    let before = files(folder);
    for out in ["a.{step}.csv", "a.pvd"] {
        assert_eq!(run_code(folder, &["convert", "run.dump", out]), Some(2));
        // The name of the series is refused before the first frame.
        let bad = out.replace('a', "a\u{1}");
        for command in [
            &["convert", "good.dump", &bad][..],
            &["pairs", "good.dump", "-o", &bad],
        ] {
            refuses(folder, command, "without control characters");
        }
        assert_eq!(files(folder), before, "{out}");
    }
    done(folder, &["pairs", "good.dump", "-o", "a.pvd"]);
    assert_eq!(files(folder), ["a.1.vtp", "a.pvd", "good.dump", "run.dump"]);
}

fn run_code(folder: &Path, arguments: &[&str]) -> Option<i32> {
    run(folder, arguments).status.code()
}

#[test]
fn boxes_of_dumps_are_named_by_their_line() {
    let folder = folder();
    let folder = folder.path();
    for (bounds, words) in [
        (
            "9 0",
            "a.dump: line 6: found \"9 0\", expected a lower bound",
        ),
        (
            "0 1e-200",
            "a.dump: line 5: found a box with the periodic length 0 of 1e-200, expected 0 for an \
             open edge, or a length from 4.9e-91 to 1.6e60",
        ),
    ] {
        put(folder, "a.dump", &dump("4", bounds));
        refuses(folder, &["pairs", "a.dump"], words);
    }
}

#[test]
fn values_of_options_are_refused_by_their_parser() {
    let folder = folder_with(&[("a.toml", "")]);
    let folder = folder.path();
    for (arguments, words) in [
        (
            &["impact", "a.toml", "--work", "-1"][..],
            "expected a whole number from 1",
        ),
        (&["pairs", "a.csv", "--max-pairs", "-1"], "invalid"),
    ] {
        let error = refused(folder, arguments, 2);
        assert!(error.contains(words) && !error.contains("tip"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn scenes_read_regular_files_only() {
    let scene = "[[body]]\nshape = { file = \"pipe.stl\" }\n";
    let folder = folder_with(&[("scene.toml", scene)]);
    let folder = folder.path();
    let made = Command::new("mkfifo").arg(folder.join("pipe.stl")).status();
    assert!(made.unwrap().success());
    let arguments = ["impact", "scene.toml", "--until", "1"];
    let words = "found a pipe, a socket or a device, expected a regular file";
    refuses(folder, &arguments, words);
    std::fs::remove_file(folder.join("pipe.stl")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("pipe.stl")).unwrap();
    refuses(
        folder,
        &[&arguments[..], &["--follow-links"]].concat(),
        words,
    );
}

#[cfg(unix)]
#[test]
fn hard_links_to_an_input_are_found() {
    let folder = folder_with(&[("a.csv", "x,y,z,radius\n0,0,0,1\n")]);
    let folder = folder.path();
    std::fs::hard_link(folder.join("a.csv"), folder.join("b.csv")).unwrap();
    let words = "b.csv: found the file that is read, expected another to write";
    refuses(folder, &["pairs", "a.csv", "-o", "b.csv"], words);
}

#[test]
fn one_column_of_sizes_counts() {
    let folder = folder();
    let folder = folder.path();
    for names in ["r,radius", "Radius,diameter", "r,diameter"] {
        put(folder, "a.csv", &format!("x,y,z,{names}\n0,0,0,1,2\n"));
        for command in [
            &["pairs", "a.csv"][..],
            &["gas", "a.csv", "--until", "1"],
            &["meetings", "a.csv"],
        ] {
            refuses(folder, command, "expected one column of sizes");
        }
    }
    put(folder, "a.obj", CUBE);
    put(folder, "poses.csv", "x,y,z,tx\n0,0,0,1\n");
    let closest = ["closest", "a.obj", "a.obj", "--poses", "poses.csv"];
    refuses(
        folder,
        &closest,
        "columns: found x and tx, expected one column of tx",
    );
}

#[test]
fn what_is_no_number_is_no_empty_table() {
    let folder = folder_with(&[("a.obj", CUBE), ("p.csv", "nothing\n")]);
    let folder = folder.path();
    for command in [
        &["inside", "a.obj", "p.csv"][..],
        &["closest", "a.obj", "--points", "p.csv"],
    ] {
        refuses(folder, command, "p.csv: columns: found nothing, expected");
    }
}

#[test]
fn poses_that_round_a_mesh_flat_are_refused() {
    let folder = folder_with(&[("a.obj", CUBE), ("far.csv", "tx,ty,tz\n0,0,0\n0,1e59,0\n")]);
    let folder = folder.path();
    for command in ["closest", "intersect"] {
        let both = [command, "a.obj", "a.obj"];
        for pose in ["--pose-a", "--pose-b"] {
            let words = "pose: found a translation of 1e16, expected at most 2.8e14 times the size";
            let far = [&both[..], &[pose, "1e16,0,0"]].concat();
            if command == "closest" && pose == "--pose-b" {
                refuses(folder, &far, "found a translation of 1e16");
            } else {
                refuses(folder, &far, words);
            }
            done(folder, &[&both[..], &[pose, "1e14,0,0"]].concat());
        }
        let motion = [&both[..], &["--poses", "far.csv"]].concat();
        refuses(folder, &motion, "pose 1: found a translation of 1e59");
    }
}

#[test]
fn a_gas_that_never_ends_is_refused() {
    let gas = "x,y,z,radius,vx,vy,vz\n0,0,0,1,1e60,0,0\n3,0,0,1,-1e60,1e59,0\n";
    let folder = folder_with(&[("g.csv", gas)]);
    let folder = folder.path();
    let run = ["gas", "g.csv", "--periodic", "10,10,10", "--until", "1"];
    refuses(
        folder,
        &run,
        "in which sphere 0 with the speed 1e60 crosses a length of 10 too often",
    );
    done(folder, &[&run[..], &["--events", "10"]].concat());
}
