//! Output columns of reports: properties and defects of a surface, its source and its repairs.

use crate::answer::{Column, Outputs, count, flag, float, text, value, vector};
use serde_json::{Map, json};
use tangere::shape::{FaceKind, FaceReport, MassProperties, MeshReport};

/// Outputs in which the number of defects of one kind is a column. Text is not among them: it lists
/// only numbers that are not 0.
pub const DEFECT: Outputs = Outputs::JSON.and(Outputs::PYTHON);

/// The output columns of a [`MeshReport`], the report on a triangle mesh.
pub const MESH_REPORT: &[Column<MeshReport>] = &[
    count("vertices", |r: &MeshReport| r.vertices as u64)
        .doc("Vertices, those that no triangle uses included.")
        .not(Outputs::ROWS),
    count("triangles", |r: &MeshReport| r.triangles as u64)
        .doc("Triangles, degenerate and duplicate ones included.")
        .not(Outputs::ROWS),
    count("edges", |r: &MeshReport| r.edges as u64)
        .doc("Edges; triangles that name a vertex twice have none and belong to no component.")
        .not(Outputs::ROWS),
    flag("closed", |r: &MeshReport| r.closed)
        .doc("There are edges, and none belongs to one triangle only.")
        .not(Outputs::ROWS),
    flag("oriented", |r: &MeshReport| r.oriented)
        .doc("At every edge of two or more triangles, as many run along it one way as the other.")
        .not(Outputs::ROWS),
    flag("manifold", |r: &MeshReport| r.manifold)
        .doc("No edge has more than two triangles, and the triangles around every vertex form one fan.")
        .not(Outputs::ROWS),
    count("components", |r: &MeshReport| r.components as u64)
        .doc("Parts connected through edges.")
        .not(Outputs::ROWS),
    value("euler_characteristic", "int", |r: &MeshReport| r.euler_characteristic.into())
        .label("Euler characteristic")
        .doc("Vertices in use minus edges plus triangles."),
    value("genus", "int or none", |r: &MeshReport| r.genus.into())
        .doc("Number of handles, summed over components; none unless closed, oriented and manifold."),
    count("boundary_edges", |r: &MeshReport| r.boundary_edges as u64)
        .label("boundary edges")
        .doc("Edges of one triangle.")
        .only(DEFECT),
    count("nonmanifold_edges", |r: &MeshReport| r.nonmanifold_edges as u64)
        .label("non-manifold edges")
        .doc("Edges of more than two triangles.")
        .only(DEFECT),
    count("misoriented_edges", |r: &MeshReport| r.misoriented_edges as u64)
        .label("misoriented edges")
        .doc("Edges of two or more triangles that do not run along it equally often in each direction.")
        .only(DEFECT),
    count("nonmanifold_vertices", |r: &MeshReport| r.nonmanifold_vertices as u64)
        .label("non-manifold vertices")
        .doc("Vertices whose triangles form more than one fan.")
        .only(DEFECT),
    count("unused_vertices", |r: &MeshReport| r.unused_vertices as u64)
        .label("unused vertices")
        .doc("Vertices that no triangle names.")
        .only(DEFECT),
    count("degenerate_triangles", |r: &MeshReport| r.degenerate_triangles as u64)
        .label("degenerate triangles")
        .doc("Triangles without area: a vertex named twice, or three corners exactly on one line.")
        .only(DEFECT),
    count("duplicate_triangles", |r: &MeshReport| r.duplicate_triangles as u64)
        .label("duplicate triangles")
        .doc("Triangles on the same three vertices as an earlier one, however turned.")
        .only(DEFECT),
    count("shells", |r: &MeshReport| r.shells as u64)
        .doc("Components that are closed and oriented.")
        .not(Outputs::ROWS),
    count("inverted_shells", |r: &MeshReport| r.inverted_shells as u64)
        .label("inverted shells")
        .doc("Shells that must be turned for the surface to bound a volume: normals point outward at even depth of nesting.")
        .only(DEFECT),
    value("self_intersections", "int or none", |r: &MeshReport| r.self_intersections.into())
        .label("self-intersections")
        .doc("Pairs of triangles with a common point but no common vertex; none unless looked for.")
        .only(DEFECT),
    value("volume", "float or none", |r: &MeshReport| r.volume.into())
        .unit("length³")
        .doc("Enclosed volume, negative where normals point inward; none unless closed and oriented."),
    float("area", |r: &MeshReport| r.area)
        .unit("length²")
        .doc("Area.")
        .not(Outputs::ROWS),
    value("bounds", "box", |r: &MeshReport| json!({ "min": r.bounds.min, "max": r.bounds.max }))
        .unit("length")
        .doc("Box of all vertices that triangles use; in Python its corners are the rows of an array.")
        .only(Outputs::JSON),
    vector("min", &["x", "y", "z"], |r: &MeshReport, k| r.bounds.min[k])
        .label("bounds, min")
        .only(Outputs::TEXT),
    vector("max", &["x", "y", "z"], |r: &MeshReport, k| r.bounds.max[k])
        .label("bounds, max")
        .only(Outputs::TEXT),
];

/// The output columns of [`MassProperties`], those of a closed mesh at density 1.
pub const MASS_PROPERTIES: &[Column<MassProperties>] = &[
    vector("centroid", &["x", "y", "z"], |m: &MassProperties, k| {
        m.centroid[k]
    })
    .unit("length")
    .doc("Centroid of the enclosed volume; null unless closed and oriented, with a volume.")
    .only(Outputs::JSON.and(Outputs::TEXT)),
    value("inertia", "matrix", |m: &MassProperties| json!(m.inertia))
        .unit("length⁵")
        .doc("Inertia tensor about the centroid, at density 1; null unless there is a centroid.")
        .only(Outputs::JSON),
    vector("diagonal", &["xx", "yy", "zz"], |m: &MassProperties, k| {
        m.inertia[k][k]
    })
    .label("inertia, xx yy zz")
    .only(Outputs::TEXT),
    vector("products", &["xy", "xz", "yz"], |m: &MassProperties, k| {
        [m.inertia[0][1], m.inertia[0][2], m.inertia[1][2]][k]
    })
    .label("inertia, xy xz yz")
    .only(Outputs::TEXT),
];

/// The output columns of a [`FaceReport`], the report on a mesh of finite element faces.
pub const FACE_REPORT: &[Column<FaceReport>] = &[
    count("nodes", |r: &FaceReport| r.nodes as u64)
        .doc("Nodes, those that no face uses included.")
        .only(Outputs::PYTHON),
    count("faces", |r: &FaceReport| r.faces as u64)
        .doc("Faces.")
        .only(Outputs::PYTHON),
    value("kinds", "dict", |r: &FaceReport| {
        let kinds = FaceKind::ALL.iter().zip(r.kinds);
        let kinds = kinds.filter(|(_, count)| *count > 0);
        kinds
            .map(|(kind, count)| (kind.name().to_owned(), count.into()))
            .collect::<Map<_, _>>()
            .into()
    })
    .doc("Faces of each kind, by its name.")
    .only(Outputs::PYTHON),
    count("edges", |r: &FaceReport| r.edges as u64)
        .doc("Edges, of segments their ends.")
        .only(Outputs::PYTHON),
    flag("closed", |r: &FaceReport| r.closed)
        .doc("No edge belongs to one face only, and none is mismatched.")
        .only(Outputs::PYTHON),
    flag("oriented", |r: &FaceReport| r.oriented)
        .doc("At every edge of two or more faces, as many run along it one way as the other.")
        .only(Outputs::PYTHON),
    flag("manifold", |r: &FaceReport| r.manifold)
        .doc("No edge has more than two faces.")
        .only(Outputs::PYTHON),
    count("components", |r: &FaceReport| r.components as u64)
        .doc("Parts connected through edges.")
        .only(Outputs::PYTHON),
    count("boundary_edges", |r: &FaceReport| r.boundary_edges as u64)
        .doc("Edges of one face.")
        .only(Outputs::PYTHON),
    count("nonmanifold_edges", |r: &FaceReport| {
        r.nonmanifold_edges as u64
    })
    .doc("Edges of more than two faces.")
    .only(Outputs::PYTHON),
    count("misoriented_edges", |r: &FaceReport| {
        r.misoriented_edges as u64
    })
    .doc("Edges of two or more faces that do not run along it equally often in each direction.")
    .only(Outputs::PYTHON),
    count("mismatched_edges", |r: &FaceReport| {
        r.mismatched_edges as u64
    })
    .doc("Edges whose faces share both corners but not the node between.")
    .only(Outputs::PYTHON),
    count("unused_nodes", |r: &FaceReport| r.unused_nodes as u64)
        .doc("Nodes that no face names.")
        .only(Outputs::PYTHON),
    count("folded_faces", |r: &FaceReport| r.folded_faces as u64)
        .doc("Faces whose Jacobian is not positive everywhere.")
        .only(Outputs::PYTHON),
    value("volume", "float or none", |r: &FaceReport| r.volume.into())
        .unit("length³")
        .doc("Enclosed volume, of segments the area; none unless closed and oriented.")
        .only(Outputs::PYTHON),
    float("area", |r: &FaceReport| r.area)
        .unit("length²")
        .doc("Area, of segments the length.")
        .only(Outputs::PYTHON),
];

/// The file that a mesh was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name of the format of the file that the mesh was read from.
    pub format: &'static str,
    /// The number of polygons in the file, before they were cut into triangles.
    pub polygons: usize,
    /// The number of vertices of the file that were merged into others at the same position.
    pub welded: usize,
}

/// The output columns of a [`Source`], the file that a mesh was read from.
pub const SOURCE: &[Column<Source>] = &[
    text("format", |s: &Source| s.format)
        .doc("Format of the file.")
        .only(Outputs::PYTHON),
    count("polygons", |s: &Source| s.polygons as u64)
        .doc("Polygons of the file; those of more than three corners were cut into triangles.")
        .only(Outputs::PYTHON),
    count("welded", |s: &Source| s.welded as u64)
        .doc("Vertices merged into others at exactly the same place.")
        .only(Outputs::PYTHON),
];

/// What the repair of a mesh changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The number of vertices that the repair merged into others.
    pub merged: usize,
    /// The number of triangles that the repair dropped because two of their corners became one.
    pub collapsed: usize,
    /// The number of triangles whose orientation the repair reversed.
    pub flipped: usize,
    /// The number of holes that the repair filled.
    pub filled: usize,
    /// The number of triangles that the repair added.
    pub added: usize,
}

/// The output columns of a [`Repair`].
pub const REPAIR: &[Column<Repair>] = &[
    count("merged", |r: &Repair| r.merged as u64)
        .doc("Vertices that `Mesh.welded` merged into others.")
        .only(Outputs::PYTHON),
    count("collapsed", |r: &Repair| r.collapsed as u64)
        .doc("Triangles that it dropped because corners of theirs became one.")
        .only(Outputs::PYTHON),
    count("flipped", |r: &Repair| r.flipped as u64)
        .doc("Triangles that `Mesh.reoriented` turned.")
        .only(Outputs::PYTHON),
    count("filled", |r: &Repair| r.filled as u64)
        .doc("Holes that `Mesh.fill_holes` filled.")
        .only(Outputs::PYTHON),
    count("added", |r: &Repair| r.added as u64)
        .doc("Triangles that it added.")
        .only(Outputs::PYTHON),
];
