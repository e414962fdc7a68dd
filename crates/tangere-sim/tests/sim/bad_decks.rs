//! Decks with errors: file, line, command, what was found and what was expected.

use super::support::{BOX, run_in};
use std::path::Path;
use tangere_sim::deck::{Deck, Error, Options};

fn checked(text: &str) -> Option<Error> {
    Deck::from_text("in.bad", text, Path::new("nowhere"), Options::default()).err()
}

/// Errors that are found before anything runs.
#[test]
fn before_anything_runs() {
    for (text, message) in [
        (
            "units si\nfix 1 all nve/shere\n",
            "in.bad:2: fix 1 all nve/shere: found nve/shere, expected a fix: did you mean nve/sphere?",
        ),
        (
            "unit si\n",
            "in.bad:1: unit si: found unit, expected a command that is read: did you mean units?",
        ),
        (
            "print a\nminimize 1 2 3 4\n",
            "in.bad:2: minimize 1 2 3 4: found minimize, expected a command that is read; --ignore minimize skips it",
        ),
        (
            "shell rm -rf /\n",
            "in.bad:1: shell rm -rf /: found shell, expected a command that is read: shell commands are never run, --ignore shell skips them",
        ),
        (
            "units metal\n",
            "in.bad:1: units metal: found metal, expected a system of units: lj, si, cgs, micro",
        ),
        (
            "atom_style atomic\n",
            "in.bad:1: atom_style atomic: found atomic, expected an atom style that is read: sphere",
        ),
        (
            "pair_style gran/hooke 1 NULL 2 NULL 0.5\n",
            "in.bad:1: pair_style gran/hooke 1 NULL 2 NULL 0.5: found the end of the command, expected dampflag",
        ),
        (
            "pair_style granlar\n",
            "in.bad:1: pair_style granlar: found granlar, expected a pair style: did you mean granular?",
        ),
        (
            "pair_coeff * * hertz 1 2 tangential mindlinn 1 2 3\n",
            "in.bad:1: pair_coeff * * hertz 1 2 tangential mindlinn 1 2 3: found mindlinn, expected a tangential model: did you mean mindlin?",
        ),
        (
            "compute 1 all erotate/spere\n",
            "in.bad:1: compute 1 all erotate/spere: found erotate/spere, expected a compute: did you mean erotate/sphere?",
        ),
        (
            "region a blok 0 1 0 1 0 1\n",
            "in.bad:1: region a blok 0 1 0 1 0 1: found blok, expected a style of regions: did you mean block?",
        ),
        (
            "run 5\nif \"1 < 2\" then \"prnt x\"\n",
            "in.bad:2: if \"1 < 2\" then \"prnt x\": found prnt, expected a command that is read: did you mean print?",
        ),
        (
            "fix 1\n",
            "in.bad:1: fix 1: found fix with 1 arguments, expected 3 arguments or more",
        ),
        (
            "print \"abc\n",
            "in.bad:1: print \"abc: found \"abc, expected a closing \"",
        ),
        (
            "timestep x\n",
            "in.bad:1: timestep x: found x, expected a time step: a number",
        ),
        (
            "fix p all pour 3000 1 300719\n",
            "in.bad:1: fix p all pour 3000 1 300719: found pour, expected a fix",
        ),
    ] {
        let error = checked(text).unwrap_or_else(|| panic!("no error: {text}"));
        assert_eq!(error.to_string(), message);
    }
    assert!(
        checked("include none.in\n")
            .unwrap()
            .to_string()
            .contains("none.in")
    );
}

/// Errors of commands that depend on what came before.
#[test]
fn while_it_runs() {
    let made = format!("{BOX}create_atoms 1 single 0 0 0\n");
    let folder = tempfile::tempdir().unwrap();
    for (text, found, expected) in [
        (
            "create_atoms 1 single 0 0 0\n",
            "no simulation box",
            "create_box",
        ),
        (
            "region r block 0 1 0 1 0 1\ncreate_box 1 q\n",
            "q",
            "the ID of a region",
        ),
        ("print ${none}\n", "none", "the name of a variable"),
        ("print \"$(1+)\"\n", "the end of the formula", "a number"),
        ("print \"${a\"\n", "${a", "a closing }"),
        ("next i\n", "i", "the name of a variable"),
        ("jump SELF nowhere\n", "jump to nowhere", "a label"),
        (
            "if \"1 <\" then \"print a\"\n",
            "the end of the condition",
            "a number or a word",
        ),
        ("variable a-b equal 1\n", "a-b", "letters"),
        ("variable i loop 5 2\n", "5 to 2", "a range"),
        ("read_data none.data\n", "none.data", "a file of text"),
        ("run 10\n", "no simulation box", "create_box"),
        (
            "M create_atoms 3 single 0 0 0\n",
            "3",
            "an atom type from 1 to 2",
        ),
        ("M create_atoms 1 box\n", "no lattice", "a lattice"),
        ("M create_atoms 1 random 10 0 NULL\n", "0", "a seed"),
        (
            "M set group all diameter -1\n",
            "diameter -1 of atom 1",
            "a value above 0",
        ),
        (
            "M set group none diameter 1\n",
            "none",
            "the name of a group",
        ),
        (
            "M set group all diametr 1\n",
            "diametr",
            "did you mean diameter?",
        ),
        ("M group a region none\n", "none", "the ID of a region"),
        (
            "M velocity all create 1.0 5\n",
            "temperature 0 of the group, 1 wanted",
            "two atoms",
        ),
        ("M fix 1 none nve/sphere\n", "none", "the name of a group"),
        (
            "M fix 1 all nve/sphere disk\n",
            "disk",
            "did you mean disc?",
        ),
        (
            "M fix 1 all gravity 1 chut 26\n",
            "chut",
            "did you mean chute?",
        ),
        (
            "M fix 1 all gravity 1 vector 0 0 0\n",
            "0 0 0",
            "a direction",
        ),
        (
            "M fix 1 all gravity v_g vector 0 0 -1\nrun 1\n",
            "g",
            "the name of a variable",
        ),
        (
            "M fix 1 all wall/gran hooke 1 NULL 1 NULL 0.5 0 zplane NULL NULL\n",
            "NULL NULL",
            "at least one plane",
        ),
        (
            "M fix 1 all wall/gran hooke 1 NULL 1 NULL 0.5 2 zplane 0 NULL\n",
            "2",
            "dampflag",
        ),
        (
            "M fix 1 all wall/gran/region hooke 1 NULL 1 NULL 0.5 0 region none\n",
            "none",
            "the ID of a region",
        ),
        ("M fix 1 all enforce2d\n", "enforce2d", "dimension 2"),
        (
            "M fix 1 all viscous 1 scale 5 2\n",
            "5",
            "an atom type from 1 to 2",
        ),
        (
            "M fix 1 all move linear 1 2\n",
            "the end of the command",
            "a component or NULL",
        ),
        ("M fix 1 all ave/time 3 1 10 v_a\n", "3 1 10", "Nfreq"),
        ("M unfix 7\n", "7", "the ID of a fix"),
        ("M compute a all reduce sum foo\n", "foo", "a property"),
        (
            "M compute a all ke\ncompute a all ke\n",
            "compute a twice",
            "another ID",
        ),
        ("M thermo_style custom step keng\n", "keng", "a keyword"),
        (
            "M thermo_style custom step c_x\nrun 1\n",
            "x",
            "the ID of a compute",
        ),
        (
            "M dump 1 all custom 10 d.txt id foo\n",
            "foo",
            "a property of atoms",
        ),
        ("M dump 1 all custom 10 d.gz id\n", "d.gz", "a text file"),
        ("M dump 1 all custom 0 d.txt id\n", "0", "above 0"),
        ("M dump_modify 9 sort id\n", "9", "the ID of a dump"),
        (
            "M pair_style granular\nrun 1\n",
            "no pair_coeff of atom types 1 and 1",
            "one for each pair",
        ),
        (
            "M pair_style gran/hooke 1 NULL 1 NULL 0.5 0\nrun 1\n",
            "no pair_coeff",
            "pair_coeff * *",
        ),
        (
            "M pair_style granular\npair_coeff 1 1 hooke 1 1 tangential linear_nohistory 0 0\n\
             pair_coeff 2 2 hertz 1 1 tangential linear_nohistory 0 0\nrun 1\n",
            "different models of atom types 1 and 2",
            "only models of the same form",
        ),
        ("M timestep 0\n", "0", "above 0"),
        ("M neighbor -1 bin\n", "-1", "not negative"),
        ("M run -5\n", "-5", "an integer from 0 up"),
        ("M run 5 evry 2\n", "evry", "did you mean every?"),
        (
            "M units si\n",
            "units after the simulation box",
            "before create_box",
        ),
        ("M region c sphere 0 0 0 -1\n", "-1", "a radius"),
        (
            "M region c block 0 1 0 1 0 1 open 7\n",
            "7",
            "a face of block from 1 to 6",
        ),
        (
            "M region c block 0 1 0 1 0 1 side inside\n",
            "inside",
            "in or out",
        ),
        ("M region c cylinder q 0 0 1 0 1\n", "q", "an axis"),
        (
            "M region u union 2 box none\n",
            "none",
            "the ID of a region",
        ),
        ("M reset_timestep -1\n", "-1", "an integer from 0 up"),
        (
            "M delete_atoms all\n",
            "delete_atoms with 1 arguments",
            "2 arguments",
        ),
    ] {
        let text = match text.strip_prefix("M ") {
            Some(rest) => format!("{made}{rest}"),
            None => text.to_string(),
        };
        match run_in(folder.path(), &text) {
            Ok(_) => panic!("no error: {text}"),
            Err(error) => {
                let problem = &error.problem;
                assert!(problem.found.contains(found), "{text}: {error}");
                assert!(problem.expected.contains(expected), "{text}: {error}");
                assert_eq!(error.file, "in.test");
                assert!(error.line > 0 && !error.command.is_empty());
            }
        }
    }
}

/// Whatever is cut off or doubled, there is no panic.
#[test]
fn damaged_decks() {
    let folder = tempfile::tempdir().unwrap();
    let deck = format!(
        "{BOX}lattice sc 1.0\nregion c cylinder z 0 0 3 -4 4 side out open 1\n\
        create_atoms 1 single 0 0 0\ncreate_atoms 2 random 5 12345 c overlap 1.0 maxtry 10\n\
        set group all diameter 1 density 2\ngroup g id 1:5:2\nvelocity g set 1 NULL v_q\n\
        variable q equal \"sin(step*dt)+v_r\"\nvariable r equal xcm(g,x)^2\n\
        pair_style granular\npair_coeff * * hertz/material 1e4 0.5 0.3 tangential mindlin NULL 1 0.5\n\
        fix 1 all nve/sphere\nfix 2 all gravity 1 chute 26\n\
        fix 3 all wall/gran granular hooke 1e4 5 tangential linear_history 1e3 0.1 0.5 zplane -5 5\n\
        compute 1 all reduce sum x vx\nthermo_style custom step c_1[*] v_q\nthermo 2\n\
        dump 1 all custom 2 d.* id x c_1 v_q\nneigh_modify exclude group g g\nrun 4\n"
    );
    let bytes: Vec<char> = deck.chars().collect();
    let mut state: u64 = 1;
    for _ in 0..600 {
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let mut text = bytes.clone();
        for _ in 0..=random(3) {
            let at = random(text.len().max(1));
            if text.len() < 2 {
                break;
            }
            match random(4) {
                0 => text.truncate(at.max(1)),
                1 => {
                    text.remove(at);
                }
                2 => text.insert(at, ['$', '"', '*', '-', '(', '#', '9', ' ', 'é'][random(9)]),
                _ => {
                    let other = random(text.len());
                    text.swap(at, other);
                }
            }
        }
        let text: String = text.into_iter().collect();
        let _ = run_in(folder.path(), &text);
    }
}
