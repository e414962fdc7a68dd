//! Point containment: every method against integers of any size.

mod campaign;
mod cells;
mod methods;
mod multipole;
mod winding;
