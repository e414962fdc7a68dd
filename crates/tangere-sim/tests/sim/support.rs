//! Running decks from text.

use std::path::Path;
use tangere_sim::deck::{Deck, Error, Options, Runner};

/// Two spheres of diameter 1 in a box from -5 to 5.
pub const BOX: &str = "units lj\n\
    atom_style sphere\n\
    boundary f f f\n\
    region box block -5 5 -5 5 -5 5\n\
    create_box 2 box\n\
    timestep 0.001\n";

/// Runs a deck with output in a folder. Returns the deck and its log.
pub fn run_in(folder: &Path, text: &str) -> Result<(Deck, String), Error> {
    let options = Options {
        folder: folder.to_path_buf(),
        ..Options::default()
    };
    let mut deck = Deck::from_text("in.test", text, folder, options)?;
    let mut log = Vec::new();
    deck.run(&mut Runner::default(), &mut log)?;
    Ok((deck, String::from_utf8(log).unwrap()))
}

/// Runs a deck that writes no files.
pub fn run(text: &str) -> (Deck, String) {
    run_in(Path::new("nowhere"), text).unwrap_or_else(|error| panic!("{error}"))
}
