//! Contact laws against LAMMPS' own cases and closed forms, and decks.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod bad_decks;
mod bad_input;
mod clumps;
mod collisions;
mod commands;
mod control;
mod determinism;
mod engine_oracle;
mod formulas;
mod lammps_cases;
mod ledger;
mod output;
mod reference;
mod regions;
mod scenes;
mod strays;
mod support;
mod systems;
