//! Point containment: every method against exact arithmetic with integers of any size.

mod campaign;
mod cells;
mod methods;
mod multipole;
mod winding;
