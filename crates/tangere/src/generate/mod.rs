//! Shapes made from a few numbers, the same on every machine.
