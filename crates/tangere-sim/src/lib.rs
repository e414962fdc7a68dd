//! Simulation of granular matter on the contact engine `tangere`.
//!
//! | module | what |
//! |---|---|
//! | [`deck`] | LAMMPS input decks: read, checked and run |
//! | [`laws`] | contact laws: force and torques of two bodies in contact, composed of normal force, damping, friction, rolling and twisting resistance, cohesion |
//! | [`setup`] | what a simulation is made from: spheres, cell, laws by kinds, actions on groups |
//! | [`region`] | regions of space: containment, and the places where spheres touch their surface |
//! | [`Simulation`] | velocity Verlet of all that, the same bit for bit on any number of threads |
//!
//! A step is phases: drift, exchange with other domains ([`Domain`]), contacts, sum, kick, output.

mod cell;
mod checkpoint;
mod contact_row;
pub mod deck;
mod domain;
mod engine;
mod error;
pub mod laws;
mod motion;
pub mod region;
pub mod setup;
mod simulation;
mod state;
mod state_hash;
mod vector;

pub use checkpoint::Checkpoint;
pub use contact_row::ContactRow;
pub use domain::{Alone, Domain};
pub use error::{Error, Result};
pub use simulation::{Seconds, Simulation};
pub use state::{Histories, PairHistory, State, WallHistory};
pub use vector::Vector;
