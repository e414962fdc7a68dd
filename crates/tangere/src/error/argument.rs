//! Names of arguments in errors.

use std::fmt;

/// The names, in error messages, of the seven numbers of a pose: translation `t` and quaternion
/// `q`.
const POSE: [&str; 7] = [
    "pose tx", "pose ty", "pose tz", "pose qw", "pose qx", "pose qy", "pose qz",
];

/// The names, in error messages, of the lists of grid coordinates along the three axes.
const GRID: [&str; 3] = ["grid x", "grid y", "grid z"];

/// Defines the enum of arguments from lines `variant = name`; each variant is documented by its
/// name.
macro_rules! arguments {
    ($($variant:ident = $name:literal,)+) => {
        /// The argument that an error is about: an argument of a call, an item of one, or a
        /// setting.
        ///
        /// Programs match on it to name their own argument or option; messages contain its
        /// [name](Argument::name). Names of single items are in the singular, names of lists in the
        /// plural.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Argument {
            $(#[doc = concat!("The ", $name, ".")] $variant,)+
            /// One of the seven numbers of a pose, by its position in `tx, ty, tz, qw, qx, qy, qz`.
            PoseNumber(u8),
            /// The coordinates of a grid along an axis: 0 for x, 1 for y, 2 for z.
            GridAxis(u8),
            /// An argument of a crate that builds on this one, by its name.
            Other(&'static str),
        }

        impl Argument {
            /// Returns the name of the argument in error messages.
            pub fn name(self) -> &'static str {
                match self {
                    $(Argument::$variant => $name,)+
                    Argument::PoseNumber(i) => POSE.get(i as usize).copied().unwrap_or("pose"),
                    Argument::GridAxis(k) => GRID.get(k as usize).copied().unwrap_or("grid"),
                    Argument::Other(name) => name,
                }
            }
        }
    };
}

arguments! {
    Acceleration = "acceleration",
    About = "about",
    Accuracy = "accuracy",
    AxisPeriod = "period along axis",
    AxisWalls = "walls along axis",
    Bodies = "bodies",
    Body = "body",
    BodyCellNumber = "number of a cell of the body",
    BodyCellVolume = "volume in a cell of the body",
    BodyCells = "cells of the body",
    BodyCellsCorner = "corner of the body's cells",
    BodyCellsSide = "side of the body's cells",
    BodyChecksum = "checksum of the body",
    BodyDistance = "distance from the body",
    BodyRecord = "record of the body",
    BodyVolume = "volume of the body",
    Box = "box",
    BoxDivisions = "divisions of the box",
    BoxMiddle = "middle of box",
    BoxSize = "size of the box",
    Boxes = "boxes",
    Branching = "branching",
    BudgetUs = "budget us",
    BudgetWork = "budget work",
    CenterPoint = "center",
    Centers = "centers",
    Centre = "centre",
    ChazelleSize = "size of Chazelle's polyhedron",
    CircleSegments = "segments of the circle",
    ClusterSeparation = "separation of clusters",
    ClusterTriangles = "triangles of a cluster",
    Construction = "construction",
    ContactTime = "contact time",
    Contacts = "contacts",
    ConvexBody = "convex body",
    Count = "count",
    Density = "density",
    Diameters = "diameters",
    Dimension = "dimension",
    Dimensions = "dimensions",
    Distance = "distance",
    Duration = "duration",
    Edge = "edge",
    Element = "element",
    Elements = "elements",
    End = "end",
    Ends = "ends",
    ExpansionCoefficients = "coefficients of expansions of this degree and depth",
    ExpansionDegree = "degree of expansions",
    Face = "face",
    FaceNumber = "face number",
    Faces = "faces",
    Filled = "filled",
    Filling = "filling",
    FoamTriangles = "triangles of the foam",
    Format = "format",
    Gravity = "gravity",
    Grid = "grid",
    Groups = "groups",
    HalfEdge = "half-edge",
    Horizon = "horizon",
    Huge = "huge",
    HullFaces = "faces of the hull",
    HullPoints = "points of a hull",
    Id = "id",
    Item = "item",
    Items = "items",
    Kind = "kind",
    KnotTriangles = "triangles of the knot",
    Length = "length",
    LowerCorner = "lower corner",
    Margin = "margin",
    MarginAndSkin = "margin and skin",
    Masks = "masks",
    Mass = "mass",
    MassSum = "sum of masses",
    Masses = "masses",
    Matrix = "matrix",
    MatrixRow = "matrix row",
    Mesh = "mesh",
    Method = "method",
    MultipoleDepth = "depth of the multipole method",
    Node = "node",
    Normal = "normal",
    Occupancy = "occupancy",
    OpenMesh = "mesh",
    Origin = "origin",
    Others = "others",
    PackingEnd = "end of the packing",
    Pair = "pair",
    Pairs = "pairs",
    PairsAtEnd = "pairs at the end",
    Periodic = "periodic",
    PeriodicCell = "periodic cell",
    PeriodicImages = "periodic images",
    PeriodicLength = "periodic length",
    PeriodicLengths = "periodic lengths",
    PlateDivisions = "divisions of the plate",
    PlateSize = "size of the plate",
    Point = "point",
    Points = "points",
    Polyhedron = "polyhedron",
    Pose = "pose",
    PoseQuaternion = "pose quaternion",
    Poses = "poses",
    Position = "position",
    Positions = "positions",
    QuadraturePoints = "points of the quadrature",
    Radii = "radii",
    Radius = "radius",
    Ray = "ray",
    Snapshot = "snapshot",
    ReachedCells = "cells that the body reaches",
    Restitution = "restitution",
    Rotation = "rotation",
    RotationAngle = "rotation angle",
    RotationAxis = "rotation axis",
    RotationAxisText = "rotation axis",
    RotationQuaternion = "rotation",
    Rule = "rule",
    Scale = "scale",
    Separation = "separation",
    Shape = "shape",
    Size = "size",
    Sizes = "sizes",
    Skin = "skin",
    Smallest = "smallest",
    Space = "space",
    Spacing = "spacing",
    Sphere = "sphere",
    SphereLevel = "level of the sphere",
    Spheres = "spheres",
    Spin = "spin",
    SpongeLevel = "level of the sponge",
    Status = "status",
    Step = "step",
    Surface = "surface",
    Temperature = "temperature",
    Tilt = "tilt",
    Tilts = "tilts",
    Time = "time",
    Tolerance = "tolerance",
    Until = "until",
    Upper = "upper",
    UpperCorner = "upper corner",
    Velocities = "velocities",
    Velocity = "velocity",
    Vertex = "vertex",
    Volume = "volume",
    WakeUps = "wake-ups",
    WallRestitution = "wall restitution",
    WeldTolerance = "weld tolerance",
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
