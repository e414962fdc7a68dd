//! Output columns of distance and penetration depth: of convex bodies, of surfaces, of points and a
//! surface.

use crate::answer::{
    Column, Outputs, code, count, counts, feature, flag, float, index, indices, vector,
};
use tangere::closest::{
    Counts, LinContact, LinCounts, PatchPoint, Projection, SurfaceDistance, SurfacePoint,
};
use tangere::contact::Contact;

/// Outputs of an answer that is not written as rows of a file: JSON, attributes in Python, and
/// text.
const OBJECT: Outputs = Outputs::JSON.and(Outputs::PYTHON).and(Outputs::TEXT);

/// The output columns of a contact of two convex bodies, whose rows are of type `$row` and have the
/// contact in a field, or are contacts themselves. Further columns follow.
macro_rules! contact_columns {
    ($row:ty $(, $field:ident)?; $($more:expr,)*) => {
        &[
    float("gap", |c: &$row| c$(.$field)?.gap)
        .unit("length")
        .doc("Distance; minus the penetration depth where the bodies penetrate."),
    float("lower", |c: &$row| c$(.$field)?.lower)
        .unit("length")
        .doc("Lower bound of the gap.")
        .not(Outputs::VTK.and(Outputs::TEXT)),
    float("upper", |c: &$row| c$(.$field)?.upper)
        .unit("length")
        .doc("Upper bound of the gap.")
        .not(Outputs::VTK.and(Outputs::TEXT)),
    vector("point_a", &["ax", "ay", "az"], |c: &$row, k| {
        c$(.$field)?.point_a[k]
    })
    .label("point of a")
    .unit("length")
    .doc("Point of a that is nearest to b, or deepest in it.")
    .not(Outputs::VTK),
    vector("point_b", &["bx", "by", "bz"], |c: &$row, k| {
        c$(.$field)?.point_b[k]
    })
    .label("point of b")
    .unit("length")
    .doc("Point of b: `point_b - point_a` is the gap times the normal.")
    .not(Outputs::VTK),
    vector("normal", &["nx", "ny", "nz"], |c: &$row, k| c$(.$field)?.normal[k])
        .doc("Contact normal of unit length, from a to b."),
    feature("feature_a", &["kind_a", "index_a"], |c: &$row| {
        c$(.$field)?.feature_a
    })
    .label("feature of a")
    .doc("Vertex, edge or face of a on which its point lies.")
    .not(Outputs::VTK),
    feature("feature_b", &["kind_b", "index_b"], |c: &$row| {
        c$(.$field)?.feature_b
    })
    .label("feature of b")
    .doc("Vertex, edge or face of b on which its point lies.")
    .not(Outputs::VTK),
    code(
        "status",
        |c: &$row| c$(.$field)?.status as u8,
        |c: &$row| c$(.$field)?.status.name(),
    )
    .doc("`separated`, `touching`, `penetrating`, or `bracketed` where the bounds did not meet.")
    .not(Outputs::VTK),
    index("steps", |c: &$row| c$(.$field)?.steps)
        .doc("Pairs of features that the search visited; 1 where it began with the right ones.")
        .uncompared(),
            $($more,)*
        ]
    };
}

/// The output columns of a [`Contact`] of two convex bodies.
pub const CONTACT: &[Column<Contact>] = contact_columns!(Contact;);

/// The output columns of the contact of two convex bodies by Lin's walk.
pub const LIN_CONTACT: &[Column<LinContact>] = contact_columns!(LinContact, contact;
    index("iterations", |c: &LinContact| c.iterations)
        .doc("Pairs of features that Lin's walk tested; 1 where it began with the closest ones.")
        .uncompared(),
    flag("trapped", |c: &LinContact| c.trapped)
        .doc("Whether no neighbour was closer though a Voronoi region was violated, as where bodies touch or penetrate: the contact is then that of all pairs of features.")
        .uncompared(),
);

/// The output columns of a corner of a contact patch.
pub const PATCH_POINT: &[Column<PatchPoint>] = &[
    vector("point_a", &["ax", "ay", "az"], |p: &PatchPoint, k| {
        p.point_a[k]
    })
    .unit("length")
    .doc("Point on a.")
    .only(OBJECT),
    vector("point_b", &["bx", "by", "bz"], |p: &PatchPoint, k| {
        p.point_b[k]
    })
    .unit("length")
    .doc("Point on b.")
    .only(OBJECT),
    float("gap", |p: &PatchPoint| p.gap)
        .unit("length")
        .doc("Gap along the normal at this corner.")
        .only(OBJECT),
    feature("feature_a", &["kind_a", "index_a"], |p: &PatchPoint| {
        p.feature_a
    })
    .doc("Vertex, edge or face of a on which its point lies.")
    .only(OBJECT),
    feature("feature_b", &["kind_b", "index_b"], |p: &PatchPoint| {
        p.feature_b
    })
    .doc("Vertex, edge or face of b on which its point lies.")
    .only(OBJECT),
];

/// The output columns of the counts of work of a [`Tracker`](tangere::closest::Tracker).
pub const COUNTS: &[Column<Counts>] = &[
    count("queries", |c: &Counts| c.queries)
        .doc("Queries.")
        .only(Outputs::PYTHON),
    counts("steps", &["1", "2", "3", "more"], |c: &Counts, k| {
        c.steps[k]
    })
    .label("in 1 step, 2, 3, more")
    .doc("Queries that took 1, 2, 3 and more steps.")
    .only(OBJECT),
    count("restarts", |c: &Counts| c.restarts)
        .doc("Queries that restarted because features were not unique.")
        .only(OBJECT),
];

/// The output columns of the counts of Lin's walk, as in the table of schinner1995.
pub const LIN_COUNTS: &[Column<LinCounts>] = &[
    counts(
        "iterations",
        &["1", "2", "3", "more"],
        |c: &LinCounts, k| c.iterations[k],
    )
    .label("in 1 iteration, 2, 3, more")
    .doc("Queries that took 1, 2, 3 and more iterations.")
    .only(Outputs::JSON.and(Outputs::TEXT)),
    count("trapped", |c: &LinCounts| c.trapped)
        .doc("Queries whose walk was trapped.")
        .only(Outputs::JSON.and(Outputs::TEXT)),
];

/// The output columns of the distance of two surfaces.
pub const SURFACE_DISTANCE: &[Column<SurfaceDistance>] = &[
    float("distance", |d: &SurfaceDistance| d.distance)
        .unit("length")
        .doc("Least distance; 0 where the surfaces have a common point."),
    vector("point_a", &["ax", "ay", "az"], |d: &SurfaceDistance, k| {
        d.point_a[k]
    })
    .label("point of a")
    .unit("length")
    .doc("Nearest point of a.")
    .not(Outputs::VTK),
    vector("point_b", &["bx", "by", "bz"], |d: &SurfaceDistance, k| {
        d.point_b[k]
    })
    .label("point of b")
    .unit("length")
    .doc("Nearest point of b; the same where the surfaces have a common point.")
    .not(Outputs::VTK),
    index("face_a", |d: &SurfaceDistance| d.face_a)
        .label("face of a")
        .doc("Face of a with that point; of all pairs of faces at this distance the first."),
    index("face_b", |d: &SurfaceDistance| d.face_b)
        .label("face of b")
        .doc("Face of b with that point."),
    flag("intersecting", |d: &SurfaceDistance| d.intersecting).doc(
        "Whether the surfaces have a common point or one closed mesh lies inside the other, decided \
         exactly.",
    ),
    float("gap", |d: &SurfaceDistance| d.gap).unit("length").doc(
        "Signed distance: minus the distance where one closed mesh lies inside the other.",
    ),
    code(
        "status",
        |d: &SurfaceDistance| d.status as u8,
        |d: &SurfaceDistance| d.status.name(),
    )
    .doc("`separated`, `touching`, `intersecting`, `a_inside_b` or `b_inside_a`."),
    count("pairs", |d: &SurfaceDistance| d.pairs)
        .doc("Pairs of triangles with a common point."),
    flag("solids", |d: &SurfaceDistance| d.solids)
        .doc("Whether both meshes are closed and oriented; other meshes enclose nothing."),
];

/// The output columns of the point of a triangle mesh that is nearest to a query point.
pub const SURFACE_POINT: &[Column<SurfacePoint>] = &[
    index("face", |p: &SurfacePoint| p.face)
        .doc("Nearest face; of several at the same distance the first.")
        .only(Outputs::ROWS),
    vector("point", &["x", "y", "z"], |p: &SurfacePoint, k| p.point[k])
        .unit("length")
        .doc("Nearest point of the surface.")
        .only(Outputs::ROWS.without(Outputs::VTK)),
    float("distance", |p: &SurfacePoint| p.distance)
        .unit("length")
        .doc("Distance of that point.")
        .only(Outputs::ROWS),
    float("gap", |p: &SurfacePoint| p.gap)
        .unit("length")
        .doc("Distance, negative where `inside` finds the point inside; NaN where the surface is open or misoriented.")
        .only(Outputs::ROWS),
];

/// The output columns of the point of finite element faces that is nearest to a query point.
pub const PROJECTION: &[Column<Projection>] = &[
    index("face", |p: &Projection| p.face)
        .doc("Nearest face; of several at the same distance the one in whose interior the point lies.")
        .only(Outputs::ROWS),
    vector("xi", &["xi", "eta"], |p: &Projection, k| p.xi[k])
        .doc("Reference coordinates of the point on its face.")
        .only(Outputs::ROWS),
    vector("point", &["x", "y", "z"], |p: &Projection, k| p.point[k])
        .unit("length")
        .doc("Nearest point of the surface.")
        .only(Outputs::ROWS.without(Outputs::VTK)),
    float("distance", |p: &Projection| p.distance)
        .unit("length")
        .doc("Distance of that point.")
        .only(Outputs::ROWS),
    float("gap", |p: &Projection| p.gap)
        .unit("length")
        .doc("Distance, negative behind the normal; NaN where there is no normal.")
        .only(Outputs::ROWS),
    vector("normal", &["nx", "ny", "nz"], |p: &Projection, k| p.normal[k])
        .doc("Unit normal, averaged by angles on edges and at corners; 0 where there is none.")
        .only(Outputs::ROWS),
    float("residual", |p: &Projection| p.residual)
        .unit("length")
        .doc("Distance of the given point from the normal line through the nearest one.")
        .only(Outputs::ROWS),
    code("status", |p: &Projection| p.status as u8, |p: &Projection| p.status.name())
        .doc("`proven`, `bracketed` where the search ended before a proof, or `folded` for a face whose Jacobian is not positive.")
        .only(Outputs::ROWS),
];

/// The output column of a signed distance to a triangle mesh.
pub const SIGNED_DISTANCE: &[Column<f64>] = &[float("distance", |d: &f64| *d)
    .unit("length")
    .doc("Distance of the surface, negative where `inside` finds the point inside; without sign where the surface is open or misoriented.")
    .only(Outputs::ROWS)];

/// The output columns of a pair: a query point, and a face within the given distance of it.
pub const WITHIN: &[Column<[u32; 2]>] =
    &[indices("pair", &["point", "face"], |p: &[u32; 2], k| p[k])
        .doc("Point, and a face within the distance of it.")
        .only(Outputs::ROWS.without(Outputs::VTK))];
