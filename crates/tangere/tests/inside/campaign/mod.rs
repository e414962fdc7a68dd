//! Long campaign of point containment: every method against exact arithmetic on smooth, degenerate,
//! far and broken surfaces, and multipoles against their bounds.
//!
//! A small part runs with all other tests. The full campaign takes minutes and prints a table:
//! `cargo test -p tangere --release --test inside campaign:: -- --ignored --nocapture`

mod bodies;
mod broken;
mod exact;
mod expansions;
mod tally;

use tally::Row;

/// The extent of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Small,
    Full,
}

impl Size {
    fn of<T>(self, small: T, full: T) -> T {
        match self {
            Size::Small => small,
            Size::Full => full,
        }
    }
}

type Experiment = fn(Size) -> Vec<Row>;

const ALL: [(&str, Experiment); 6] = [
    ("spheres and foams", exact::spheres_and_foams),
    ("close to the surface", exact::close_to_the_surface),
    ("turned sponges", exact::turned_sponges),
    ("slivers and saddles", exact::slivers_and_saddles),
    ("broken surfaces", broken::broken_surfaces),
    ("multipoles", expansions::multipoles),
];

/// Runs one experiment, and reports all wrong rows at its end.
fn run(name: &str, size: Size) {
    let (_, experiment) = ALL
        .iter()
        .find(|(known, _)| *known == name)
        .expect("a name");
    let rows = experiment(size);
    println!("{}", tally::table(name, &rows));
    let bad: Vec<&Row> = rows.iter().filter(|row| row.is_bad()).collect();
    assert!(bad.is_empty(), "{}", tally::table(name, bad));
}

macro_rules! experiments {
    ($($small:ident $full:ident $name:literal)*) => {$(
        #[test]
        fn $small() {
            run($name, Size::Small);
        }

        #[test]
        #[ignore = "a long campaign"]
        fn $full() {
            run($name, Size::Full);
        }
    )*};
}

experiments! {
    spheres_and_foams all_spheres_and_foams "spheres and foams"
    close_to_the_surface all_close_to_the_surface "close to the surface"
    turned_sponges all_turned_sponges "turned sponges"
    slivers_and_saddles all_slivers_and_saddles "slivers and saddles"
    broken_surfaces all_broken_surfaces "broken surfaces"
    multipoles all_multipoles "multipoles"
}
