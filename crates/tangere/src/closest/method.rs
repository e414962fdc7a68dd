//! Names of the methods for two convex bodies.

use crate::names::names;

/// A method for distance and penetration depth of two convex bodies, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Tracked closest features, GJK and EPA: [`Tracker`](super::Tracker).
    #[default]
    Auto,
    /// Lin's walk as published: [`LinWalk`](super::LinWalk); one of [`Method::PUBLISHED`].
    Lin,
}

names! {
    Method, Method {
        Auto = "auto",
        Lin = "lin",
    }
}

impl Method {
    /// The methods of the papers as published: the same contacts, to check a paper or to teach.
    /// [`Method::Auto`] never uses them.
    pub const PUBLISHED: [Method; 1] = [Method::Lin];
}
