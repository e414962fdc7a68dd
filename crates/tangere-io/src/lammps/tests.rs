use super::*;

fn step(bounds: &str, columns: &str, atoms: &[&str]) -> String {
    format!(
        "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS {bounds}\n\
         ITEM: ATOMS {columns}\n{}\n",
        atoms.len(),
        atoms.join("\n")
    )
}

const BOX: &str = "pp pp ff\n-1 1\n0 4\n0 8";

fn spheres(text: &str) -> Vec<Spheres<3>> {
    let steps = parse_dump(text.as_bytes()).unwrap();
    let particles = steps
        .into_iter()
        .map(|step| match step.particles().unwrap() {
            Particles::Spheres(spheres) => spheres,
            Particles::Discs(_) => panic!("discs"),
        });
    particles.collect()
}

#[test]
fn columns_are_chosen_by_name() {
    let text = step(
        BOX,
        "id type radius z y x",
        &["1 1 0.5 3 2 1", "2 1 1e-1 6 5 4"],
    );
    let expected = Spheres::new(vec![[1., 2., 3.], [4., 5., 6.]], vec![0.5, 0.1]).unwrap();
    assert_eq!(spheres(&text), std::slice::from_ref(&expected));
    let text = step(BOX, "xu yu zu diameter", &["1 2 3 1", "4 5 6 0.2"]);
    assert_eq!(spheres(&text), [expected]);
    let text = step(BOX, "x y radius", &["1 2 3"]);
    let discs = Spheres::new(vec![[1., 2.]], vec![3.]).unwrap();
    let read = parse_dump(text.as_bytes()).unwrap();
    assert_eq!(read[0].particles().unwrap(), Particles::Discs(discs));
    assert_eq!((read[0].step, read[0].dimension()), (7, Some(2)));
    let cell = DumpBox {
        origin: [-1.0, 0.0, 0.0],
        vectors: [[2.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 8.0]],
        bounds: [[-1.0, 1.0], [0.0, 4.0], [0.0, 8.0]],
        periodic: [true, true, false],
    };
    assert_eq!(read[0].cell, Some(cell));
}

#[test]
fn scaled_coordinates_are_those_of_the_box() {
    let text = step(BOX, "xs ys zs radius", &["0.5 0.25 0.75 1"]);
    assert_eq!(spheres(&text)[0].centers(), [[0.0, 1.0, 6.0]]);
    // The cell has the lengths 2, 4 and 8, the lower corner (-1, 0, 0) and the tilts xy = 1, xz
    // = -2, yz = 0.5: its bounding box goes from -1 - 2 to 1 + 1 in x and from 0 to 4.5 in y.
    let tilted = "xy xz yz pp pp pp\n-3 2 1\n0 4.5 -2\n0 8 0.5";
    let text = step(
        tilted,
        "xs ys zs radius",
        &["0 0 0 1", "1 1 1 1", "0.5 0.5 0 1"],
    );
    let expected = [[-1.0, 0.0, 0.0], [0.0, 4.5, 8.0], [0.5, 2.0, 0.0]];
    assert_eq!(spheres(&text)[0].centers(), expected);
    let cell = DumpBox {
        origin: [-1.0, 0.0, 0.0],
        vectors: [[2.0, 0.0, 0.0], [1.0, 4.0, 0.0], [-2.0, 0.5, 8.0]],
        bounds: [[-3.0, 2.0], [0.0, 4.5], [0.0, 8.0]],
        periodic: [false, true, false],
    };
    let text = text.replace("pp pp pp", "fs pp sm");
    assert_eq!(parse_dump(text.as_bytes()).unwrap()[0].cell, Some(cell));
}

#[test]
fn a_general_box_has_its_vectors() {
    let bounds = "abc origin pp ff pp\n2 0 0 -1\n1 4 0 0\n-2 0.5 8 0";
    let text = step(bounds, "xs ys zs radius", &["1 1 1 1"]);
    let frame = &parse_dump(text.as_bytes()).unwrap()[0];
    let cell = frame.cell.unwrap();
    assert_eq!(cell.bounds, [[-3.0, 2.0], [0.0, 4.5], [0.0, 8.0]]);
    assert_eq!(cell.periodic, [true, false, true]);
    let expected = ([2.0, 4.0, 8.0], [1.0, -2.0, 0.5]);
    assert_eq!(cell.lengths_and_tilts(), Some(expected));
    assert_eq!(frame.centers().unwrap(), [[0.0, 4.5, 8.0]]);
    let turned = text.replace("2 0 0 -1", "0 2 0 -1");
    let frame = &parse_dump(turned.as_bytes()).unwrap()[0];
    assert_eq!(frame.cell.unwrap().lengths_and_tilts(), None);
}

#[test]
fn atoms_are_sorted_by_id() {
    let columns = "id x y z radius element type vx";
    let first = ["9 0 0 0 1 Si 1 nan", "4 1 0 0 2 O 2 3"];
    let second = ["4 1 1 0 2 O 2 1", "5 7 7 7 3 Si 1 2", "9 0 1 0 1 1 1 3"];
    let text = step(BOX, columns, &first)
        + "ITEM: UNITS\nlj\nITEM: TIME\n0.5\n"
        + &step(BOX, columns, &second)
        + &step(BOX, columns, &[]);
    let frames = parse_dump(text.as_bytes()).unwrap();
    assert_eq!(frames[0].ids(), Some(&[4, 9][..]));
    assert_eq!(frames[1].ids(), Some(&[4, 5, 9][..]));
    assert_eq!(frames[0].radii().unwrap(), [2.0, 1.0]);
    assert_eq!(frames[1].centers().unwrap()[2], [0.0, 1.0, 0.0]);
    assert_eq!(
        frames.iter().map(|f| f.time).collect::<Vec<_>>(),
        [None, Some(0.5), None]
    );
    let words = |words: &[&str]| DumpColumn::Words(words.iter().map(|&w| w.into()).collect());
    assert_eq!(frames[0].column("element"), Some(&words(&["O", "Si"])));
    assert_eq!(frames[1].column("element"), Some(&words(&["O", "Si", "1"])));
    assert_eq!(
        frames[0].column("type"),
        Some(&DumpColumn::Integers(vec![2, 1]))
    );
    let Some(DumpColumn::Numbers(vx)) = frames[0].column("vx") else {
        panic!("numbers")
    };
    assert!(vx[0] == 3.0 && vx[1].is_nan());
    assert!(frames[2].is_empty() && frames[2].particles().is_ok());
    assert_eq!(frames[0].names_read(), ["x", "y", "z", "radius"]);
}

#[test]
fn frames_come_one_by_one() {
    let columns = "id x y z radius";
    let whole = step(BOX, columns, &["1 0 0 0 1"]).repeat(3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.dump");
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(
        read_dump(&path)
            .unwrap()
            .map(|frame| frame.unwrap().len())
            .sum::<usize>(),
        3
    );
    // The frames before a fault are returned; after it the iterator ends.
    std::fs::write(&path, format!("{whole}ITEM: TIMESTEP\n8\n")).unwrap();
    let frames: Vec<_> = read_dump(&path).unwrap().collect();
    assert_eq!(frames.len(), 4);
    let message = frames[3].as_ref().unwrap_err().to_string();
    let expected = "run.dump: line 32: found the end of the file, expected ITEM: ATOMS";
    assert!(message.ends_with(expected), "{message}");
    assert!(read_dump(folder.path().join("none")).is_err());
}

#[test]
fn faults_name_the_line() {
    for (text, part) in [
        (String::new(), "line 1: found the end of the file"),
        ("x y\n".into(), "line 1: found \"x y\""),
        ("ITEM: TIMESTEP\nsoon\n".into(), "line 2: found \"soon\""),
        ("ITEM: NUMBER OF ATOMS\n-1\n".into(), "line 2: found \"-1\""),
        (
            "ITEM: ATOMS x y z radius\n".into(),
            "line 1: found ITEM: ATOMS",
        ),
        (
            "ITEM: BOX BOUNDS pp pp pp\n1 2 3\n".into(),
            "line 2: found \"1 2 3\", expected 2 numbers",
        ),
        (
            "ITEM: BOX BOUNDS pp ff pq\n0 1\n".into(),
            "line 1: found \"pp ff pq\", expected the kinds of both ends",
        ),
        (
            "ITEM: BOX BOUNDS pp\n0 1\n".into(),
            "line 1: found \"pp\", expected the kinds of both ends",
        ),
        (
            "ITEM: BOX BOUNDS pp pp pp\n0 1\n4 3\n".into(),
            "line 3: found \"4 3\", expected a lower bound",
        ),
        (
            step(BOX, "id x y x radius", &["1 2 3 4 5"]),
            "line 9: found the column \"x\" twice, expected each column once",
        ),
        (
            step(BOX, "", &["1 2 3"]),
            "line 9: found ITEM: ATOMS, expected the names",
        ),
        (
            step(BOX, "x y z radius", &["1 2 3"]),
            "line 10: found 3 words, expected 4",
        ),
        (
            step(BOX, "x y z radius", &["1 2 nan 4"]),
            "line 10: found \"nan\"",
        ),
        (
            step(BOX, "x y z radius", &["1 2 3 -4"]),
            "line 10: found \"-4\"",
        ),
        (
            step(BOX, "id x y radius", &["a 1 2 3"]),
            "line 10: found \"a\"",
        ),
        (
            step(BOX, "id x y radius", &["-3 1 2 3"]),
            "line 10: found \"-3\", expected the id",
        ),
        (
            step(BOX, "x radius", &["1 2 3"]),
            "line 10: found 3 words, expected 2",
        ),
        (
            step(BOX, "id x", &["3 1", "2 1"]) + &step(BOX, "id x", &["3 1", "2 1", "3 2"]),
            "frame 1: found two atoms with the id 3 (step 7), expected each id once",
        ),
        (
            step(BOX, "x y z radius", &["0 0 0 1"]).replace("\n1\nITEM: BOX", "\n3\nITEM: BOX"),
            "line 10: found the end of the file, expected atom 1 of 3",
        ),
    ] {
        let message = parse_dump(text.as_bytes()).unwrap_err().to_string();
        assert!(message.contains(part), "{text:?}: {message}");
    }
}

#[test]
fn what_is_no_particle_is_named() {
    for (text, expected) in [
        (
            step(BOX, "id x y z radius", &["3 0 0 0 1", "8 1e99 2 3 4"]),
            "atom 8: found the centre [1e99, 2.0, 3.0] at step 7",
        ),
        (
            step(BOX, "x y z radius", &["1e99 2 3 4"]),
            "centre 0: found [1e99",
        ),
        (
            step(BOX, "x y z", &["1 2 3"]),
            "columns: found x, y, z, expected radius",
        ),
        (
            step(BOX, "id radius", &["1 2"]),
            "columns: found id, radius, expected x, y",
        ),
        (
            step(BOX, "xs ys zs radius", &["0 0 0 1"])
                .replace(&format!("ITEM: BOX BOUNDS {BOX}\n"), ""),
            "ITEM: BOX BOUNDS: found none, expected one",
        ),
    ] {
        let frames = parse_dump(text.as_bytes()).unwrap();
        let message = frames[0].particles().unwrap_err().to_string();
        assert!(message.contains(expected), "{text:?}: {message}");
    }
}

#[test]
fn a_dump_is_found_by_its_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.txt");
    let text = step(BOX, "id x y radius", &["1 2 3 4"]);
    for (mark, is_one) in [("", true), ("\u{feff}", true), (" ", false)] {
        std::fs::write(&path, format!("{mark}{text}")).unwrap();
        assert_eq!(is_dump(&path), is_one, "{mark:?}");
    }
    std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
    let frame = read_dump(&path).unwrap().next().unwrap().unwrap();
    assert_eq!((frame.len(), frame.cell_line()), (1, 5));
    // What a pipe or a device gives is not taken from its reader.
    #[cfg(unix)]
    assert!(!is_dump("/dev/zero"));
}
