//! Output in LAMMPS' formats: thermo, dumps, averages, prints.

use super::support::{BOX, run, run_in};

/// Two spheres that overlap by 0.1 along x.
fn pair() -> String {
    format!(
        "{BOX}create_atoms 1 single -0.45 0 0\ncreate_atoms 2 single 0.45 0 0\n\
        set group all mass 1\nvelocity all set 0 0 0\n\
        pair_style granular\npair_coeff * * hooke 100 0 tangential linear_nohistory 0 0\n\
        fix 1 all nve/sphere\n"
    )
}

#[test]
fn thermo_rows() {
    let (_, log) = run(&format!(
        "{}thermo 1\nthermo_style custom step atoms ke vol pxx press\nthermo_modify norm no\nrun 1\n",
        pair()
    ));
    let rows: Vec<&str> = log.lines().skip(2).collect();
    assert_eq!(
        rows[0],
        "   Step        Atoms        KinEng         Volume          Pxx           Press     "
    );
    assert_eq!(
        rows[1],
        "         0           2   0              1000           0.009          0.003        "
    );
    assert!(
        rows[2].starts_with("         1           2   9.9"),
        "{}",
        rows[2]
    );
    assert!(rows[3].starts_with("Loop time of "), "{}", rows[3]);
    let (_, log) = run(&format!(
        "{}thermo_style custom step ke time\nthermo_modify format float %8.3f format 1 \"%d:\"\nrun 0\n",
        pair()
    ));
    assert_eq!(log.lines().nth(3), Some("0:    0.000    0.000"));
    let (_, log) = run(&format!("{}run 0\n", pair()));
    assert_eq!(
        log.lines().nth(2),
        Some(
            "   Step          Temp          E_pair         E_mol          TotEng         Press     "
        )
    );
}

#[test]
fn dump_custom() {
    let folder = tempfile::tempdir().unwrap();
    run_in(
        folder.path(),
        &format!(
            "{}compute c all contact/atom\nvariable q atom 2*x\n\
            dump d all custom 5 d.txt id type x xs fx radius diameter mass ix c_c v_q\n\
            dump_modify d sort id format float %.4g\nrun 5\n",
            pair()
        ),
    )
    .unwrap();
    let text = std::fs::read_to_string(folder.path().join("d.txt")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..11],
        [
            "ITEM: TIMESTEP",
            "0",
            "ITEM: NUMBER OF ATOMS",
            "2",
            "ITEM: BOX BOUNDS ff ff ff",
            "-5.0000000000000000e+00 5.0000000000000000e+00",
            "-5.0000000000000000e+00 5.0000000000000000e+00",
            "-5.0000000000000000e+00 5.0000000000000000e+00",
            "ITEM: ATOMS id type x xs fx radius diameter mass ix c_c v_q",
            "1 1 -0.45 0.455 -10 0.5 1 1 0 1 -0.9",
            "2 2 0.45 0.545 10 0.5 1 1 0 1 0.9",
        ]
    );
    assert_eq!(lines[11..13], ["ITEM: TIMESTEP", "5"]);
    assert_eq!(lines.len(), 22);
}

#[test]
fn dump_files_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{}dump a all atom 2 out/a.*.txt\ndump_modify a pad 3\nrun 4\nrun 2\nundump a\nrun 2\n\
        write_dump all custom w.txt id y modify sort id\n",
        pair()
    );
    run_in(folder.path(), &text).unwrap();
    let mut names: Vec<String> = std::fs::read_dir(folder.path().join("out"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["a.000.txt", "a.002.txt", "a.004.txt", "a.006.txt"]);
    let first = std::fs::read_to_string(folder.path().join("out/a.000.txt")).unwrap();
    assert!(
        first.contains("ITEM: ATOMS id type xs ys zs\n1 1 0.455 0.5 0.5\n"),
        "{first}"
    );
    let last = std::fs::read_to_string(folder.path().join("w.txt")).unwrap();
    assert!(last.starts_with("ITEM: TIMESTEP\n8\n") && last.ends_with("id y\n1 0\n2 0\n"));
}

#[test]
fn dump_local() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{}compute a all property/local patom1 patom2\ncompute b all pair/local dist force fx dx\n\
        compute n all reduce sum c_b[2]\n\
        dump l all local 1 l.txt c_a[1] c_a[2] c_b[*]\nthermo_style custom step c_n\nrun 0\n",
        pair()
    );
    let (_, log) = run_in(folder.path(), &text).unwrap();
    let text = std::fs::read_to_string(folder.path().join("l.txt")).unwrap();
    assert!(text.contains("ITEM: NUMBER OF ENTRIES\n1\n"), "{text}");
    let row = "ITEM: ENTRIES c_a[1] c_a[2] c_b[1] c_b[2] c_b[3] c_b[4]\n1 2 0.9 10 -10 -0.9\n";
    assert!(text.ends_with(row), "{text}");
    assert!(log.contains("         0   5 "), "{log}");
}

#[test]
fn stress_and_pressure() {
    let (deck, _) = run(&format!(
        "{}compute s all stress/atom NULL\ncompute r all reduce sum c_s[1] c_s[2]\n\
        compute p all pressure NULL virial\nrun 0\n",
        pair()
    ));
    // Way 0.9 times force 10.
    assert!((deck.number("c_r[1]").unwrap() + 9.0).abs() < 1e-12);
    assert_eq!(deck.number("c_r[2]"), Ok(0.0));
    assert!((deck.number("c_p").unwrap() - 0.003).abs() < 1e-15);
    assert!((deck.number("c_p[1]").unwrap() - 0.009).abs() < 1e-15);
}

#[test]
fn means_and_prints() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{}variable s equal step\nfix a all ave/time 1 4 4 v_s file a.txt\n\
        fix p all print 4 \"at ${{s}}: $(f_a)\" file p.txt screen no title \"# head\"\n\
        log own.log\nthermo 4\nthermo_style custom step f_a\nrun 8\nprint end\nlog none\nprint late\n",
        pair()
    );
    let (_, log) = run_in(folder.path(), &text).unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(
        read("a.txt"),
        "# Time-averaged data for fix a\n# TimeStep v_s\n4 2.5\n8 6.5\n"
    );
    assert_eq!(read("p.txt"), "# head\nat 0: 0\nat 4: 2.5\nat 8: 6.5\n");
    assert!(log.ends_with("end\nlate\n"));
    assert!(read("own.log").ends_with("end\n"), "{}", read("own.log"));
}
