//! Simulation of granular matter on the contact engine `tangere`.
//!
//! | module | what |
//! |---|---|
//! | [`deck`] | LAMMPS input decks: read, checked and run |
//! | [`laws`] | contact laws: force and torques of two bodies in contact, composed of normal force, damping, friction, rolling and twisting resistance, cohesion |
//! | [`setup`] | what a simulation is made from: spheres, cell, laws by kinds, actions on groups |
//! | [`scene`] | scenes in TOML: materials, walls, bundled scenes |
//! | [`region`] | regions of space: containment, and the places where spheres touch their surface |
//! | [`Simulation`] | velocity Verlet of all that, the same bit for bit on any number of threads |
//!
//! A step is phases: drift, exchange with other domains ([`Domain`]), contacts, sum, kick, output.

mod cell;
mod checkpoint;
mod clump;
mod contact_row;
mod critical_step;
pub mod deck;
mod domain;
mod engine;
mod error;
mod exact_sum;
pub mod laws;
mod ledger;
mod mass_properties;
mod motion;
pub mod region;
mod run_folder;
pub mod scene;
pub mod setup;
mod simulation;
mod state;
mod state_hash;
mod stopped;
mod vector;

pub use checkpoint::Checkpoint;
pub use clump::{Clump, Member};
pub use contact_row::ContactRow;
pub use critical_step::{CriticalStep, critical_step};
pub use domain::{Alone, Domain};
pub use error::{Error, Result};
pub use ledger::{Dissipated, Energy, LedgerState, Works};
pub use run_folder::{Progress, RunError, RunReport};
pub use simulation::{Seconds, Simulation};
pub use state::{Histories, PairAccount, PairHistory, State, WallAccount, WallHistory};
pub use vector::Vector;
