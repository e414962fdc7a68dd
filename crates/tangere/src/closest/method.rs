//! Names of the methods for two convex bodies and for finite element faces.

use crate::names::names;

/// A method for distance and penetration depth of two convex bodies, or for the closest point of
/// finite element faces, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Tracked closest features, GJK and EPA: [`Tracker`](super::Tracker). Of faces SQP with the exact
    /// Hessian, with a proof: [`FaceSurface`](super::FaceSurface).
    #[default]
    Auto,
    /// Lin's walk as published: [`LinWalk`](super::LinWalk); one of [`Method::PUBLISHED`].
    Lin,
    /// Closest point of a face by SQP with BFGS updates as published: [`BfgsSqp`](super::BfgsSqp); one
    /// of [`Method::PUBLISHED`].
    BfgsSqp,
}

names! {
    Method, Method {
        Auto = "auto",
        Lin = "lin",
        BfgsSqp = "bfgs-sqp",
    }
}

impl Method {
    /// The methods of the papers as published: the same distances, to check a paper or to teach.
    /// [`Method::Auto`] never uses them.
    pub const PUBLISHED: [Method; 2] = [Method::Lin, Method::BfgsSqp];

    /// The methods for two convex bodies.
    pub const CONVEX: [Method; 2] = [Method::Auto, Method::Lin];

    /// The methods for the closest point of finite element faces.
    pub const FACES: [Method; 2] = [Method::Auto, Method::BfgsSqp];
}
