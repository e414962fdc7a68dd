//! A gas of hard spheres: what it keeps, and the collisions it has, against brute force and closed forms.

mod cases;
mod conservation;
mod determinism;
mod dissipation;
mod invalid_input;
mod oracle;
mod physics;
