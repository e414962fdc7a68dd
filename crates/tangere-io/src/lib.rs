//! Files for Tangere.
