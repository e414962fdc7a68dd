//! A gas of hard spheres: what it keeps, and the collisions it has, against brute force and closed forms.

mod bad;
mod cases;
mod kept;
mod losses;
mod oracle;
mod physics;
mod restart;
