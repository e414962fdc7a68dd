"""Collision detection and contact for simulation.

Five questions, and what the literature calls them:

- `pairs`: broad phase. All pairs of spheres or boxes that touch: `pairs`,
  `pairs_between`, `box_pairs`, `box_pairs_between`; `PairFinder` for particles that
  move, with Verlet lists; `Tree`, a bounding volume hierarchy (BVH).
- `inside`: point containment. Points inside a surface, winding numbers:
  `inside`, `Inside`; `Bodies` for nodes of moving bodies inside others.
- `closest`: distance and penetration depth. Convex bodies by GJK and EPA: `closest`,
  `ConvexPairs`; nearest points on surfaces: `Mesh.closest`, `FaceMesh.project`; signed
  distances: `Mesh.signed_distance`, `Mesh.distance_grid`;
  triangles of two surfaces that intersect: `intersections`.
- `overlap`: penetration volume. Common volume of two bodies, with force and torque:
  `overlap`, over sphere packings (`pack`, `Packing`).
- `impact`: continuous collision detection (CCD). Time of impact of bodies that move,
  spin and deform: `ImpactEngine`; of vertices, edges and faces: `ccd`; of balls:
  `trajectory`; event-driven hard spheres: `Gas`.

`Scene` puts them together: bodies of any shape (`Sphere`, `Box`, `Capsule`, `HalfSpace`,
`ConvexPolyhedron`, `Mesh`, `Wall`, `Compound`) and the contacts between them, which keep
their identity from step to step. `Simulation` moves spheres by contact laws, from LAMMPS decks.

Shapes come from files (`load`, `load_faces`; `read_dump` for LAMMPS dumps), arrays (`Mesh`, `FaceMesh` for finite
element faces, `ConvexPolyhedron` for convex hulls) or generators (`generate`);
`Mesh.report` lists the defects of a mesh.

An argument of the wrong type raises `TypeError`, an invalid value `ValueError`; the
message names the argument, what was found and what was expected. `threads` is the
number of threads, None for all cores; results do not depend on it.

Examples
--------
>>> import tangere
>>> sphere = tangere.generate.sphere(4)
>>> sphere
<tangere.Mesh of 2048 triangles on 1026 vertices>
>>> sphere.report.closed
True
"""

from . import ccd, generate, trajectory
from ._dump import DumpBox, DumpFrame
from ._grid import GridField
from ._records import (
    Contact,
    Counts,
    FaceReport,
    Feature,
    GasCounts,
    Impact,
    ImpactContact,
    ImpactCounts,
    LinContact,
    MeshReport,
    Motion,
    Overlap,
    PairAnswer,
    PatchPoint,
    Repair,
    Source,
    SurfaceDistance,
)
from ._status import Certificate, ContactEvent, ContactStatus, FeatureKind, ProjectionStatus, SurfaceStatus
from ._tangere import (
    Bodies,
    Body,
    BodyShape,
    Box,
    Capsule,
    Compound,
    ConvexCache,
    ConvexPairs,
    ConvexPolyhedron,
    DumpFrames,
    FaceMesh,
    Gas,
    HalfSpace,
    Hierarchy,
    ImpactEngine,
    Inside,
    Mesh,
    Packing,
    PairFinder,
    Periodic,
    Scene,
    Simulation,
    Sphere,
    Tree,
    Wall,
    __version__,
    box_pairs,
    box_pairs_between,
    closest,
    exact_overlap,
    hierarchy,
    inside,
    intersections,
    intersects,
    load,
    load_faces,
    load_particles,
    overlap,
    pack,
    pairs,
    pairs_between,
    read_dump,
    save,
    save_particles,
    self_intersections,
)

__all__ = [
    "Bodies",
    "Body",
    "BodyShape",
    "Box",
    "Capsule",
    "Certificate",
    "Compound",
    "Contact",
    "ContactEvent",
    "ContactStatus",
    "ConvexCache",
    "ConvexPairs",
    "ConvexPolyhedron",
    "Counts",
    "DumpBox",
    "DumpFrame",
    "DumpFrames",
    "FaceMesh",
    "FaceReport",
    "Feature",
    "FeatureKind",
    "Gas",
    "GasCounts",
    "GridField",
    "HalfSpace",
    "Hierarchy",
    "Impact",
    "ImpactContact",
    "ImpactCounts",
    "ImpactEngine",
    "Inside",
    "LinContact",
    "Mesh",
    "MeshReport",
    "Motion",
    "Overlap",
    "Packing",
    "PairAnswer",
    "PairFinder",
    "PatchPoint",
    "Periodic",
    "ProjectionStatus",
    "Repair",
    "Scene",
    "Simulation",
    "Source",
    "Sphere",
    "SurfaceDistance",
    "SurfaceStatus",
    "Tree",
    "Wall",
    "__version__",
    "box_pairs",
    "box_pairs_between",
    "ccd",
    "closest",
    "exact_overlap",
    "generate",
    "hierarchy",
    "inside",
    "intersections",
    "intersects",
    "load",
    "load_faces",
    "load_particles",
    "overlap",
    "pack",
    "pairs",
    "pairs_between",
    "read_dump",
    "save",
    "save_particles",
    "self_intersections",
    "trajectory",
]
