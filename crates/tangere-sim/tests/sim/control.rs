//! Loops, jumps, conditions and files that include each other.

use super::support::{BOX, run, run_in};

fn printed(text: &str) -> Vec<String> {
    run(text).1.lines().map(String::from).collect()
}

#[test]
fn loops() {
    let text = "variable i loop 3\n\
        label top\n\
        print \"i = $i\"\n\
        next i\n\
        jump SELF top\n\
        print done\n";
    assert_eq!(printed(text), ["i = 1", "i = 2", "i = 3", "done"]);
    let nested = "variable i loop 2\n\
        label outer\n\
        variable j loop 2\n\
        label inner\n\
        print \"$i $j\"\n\
        next j\n\
        jump SELF inner\n\
        next i\n\
        jump SELF outer\n";
    assert_eq!(printed(nested), ["1 1", "1 2", "2 1", "2 2"]);
}

#[test]
fn conditions() {
    let text = "variable x equal 3\n\
        if \"${x} > 2\" then \"print yes\" \"print more\" else \"print no\"\n\
        if \"${x} > 5\" then \"print big\" elif \"${x} > 2\" \"print middle\" else \"print small\"\n\
        if \"${x} > 5\" then \"print big\" &\n\
          elif \"${x} > 4\" \"print middle\" &\n\
          else \"print small\" \"print end\"\n\
        variable n string abc\n\
        if \"${n} == abc\" then 'print \"name ${n}\"'\n\
        if \"$(v_x*2) == 6\" then \"variable x equal 10\" \"print ${x}\"\n";
    let expected = ["yes", "more", "middle", "small", "end", "name abc", "10"];
    assert_eq!(printed(text), expected);
}

#[test]
fn jumps_out_of_conditions() {
    let text = "variable n equal 0\n\
        variable i loop 100\n\
        label top\n\
        if \"$i == 4\" then \"jump SELF out\"\n\
        print $i\n\
        next i\n\
        jump SELF top\n\
        label out\n\
        print out\n\
        quit\n\
        print never\n";
    assert_eq!(printed(text), ["1", "2", "3", "out"]);
}

#[test]
fn included_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("a.in"),
        "variable q equal 5\nprint inner\n",
    )
    .unwrap();
    std::fs::write(
        folder.path().join("b.in"),
        "label x\nprint b\nlabel y\nprint last\n",
    )
    .unwrap();
    let text = "print start\ninclude a.in\nprint ${q}\njump b.in y\nprint never\n";
    let (_, log) = run_in(folder.path(), text).unwrap();
    assert_eq!(log, "start\ninner\n5\nlast\n");
}

#[test]
fn runs_with_commands_between() {
    let text = format!(
        "{BOX}create_atoms 1 single 0 0 0\nvelocity all set 1 0 0\nfix 1 all nve/sphere\n\
        thermo_style custom step\nrun 10 every 4 \"print 'at $(step)'\"\nrun 15 upto\nrun 0\n"
    );
    let (deck, log) = run(&text);
    let at: Vec<&str> = log.lines().filter(|line| line.starts_with("at")).collect();
    assert_eq!(at, ["at 4", "at 8", "at 10"]);
    assert_eq!(deck.clock().step, 15);
    assert!((deck.spheres().positions[0][0] - 0.015).abs() < 1e-14);
}

#[test]
fn ignored_commands() {
    use std::path::Path;
    use tangere_sim::deck::{Deck, Options};
    let text = "package omp 4\nshell rm x\nprint ok\n";
    assert!(Deck::from_text("in", text, Path::new(""), Options::default()).is_err());
    let options = Options {
        ignore: vec!["package".into(), "shell".into()],
        variables: vec![("v".into(), vec!["7".into()])],
        ..Options::default()
    };
    let text = format!("{text}variable v index 1\nprint $v\n");
    let mut deck = Deck::from_text("in", &text, Path::new(""), options).unwrap();
    let mut log = Vec::new();
    assert_eq!(deck.next_run(&mut log).unwrap(), None);
    assert_eq!(log, b"ok\n7\n");
}
