"""Contact detection for simulation.

Meshes come from files (`load`), arrays (`Mesh`) or generators (`generate`);
`Mesh.report` tells what is right and wrong with them. `FaceMesh` (from arrays or
`load_faces`) has finite element faces, curved ones too. `ConvexPolyhedron` is
the hull of points. `Tree` finds boxes that
meet, `pairs` and `PairFinder` particles that touch, `pairs_between` those of two
sets, `inside` and `Inside` points that are inside a body, `Bodies` nodes of moving
bodies inside others, `closest` and `ConvexPairs` how far apart convex bodies are, or how
deep in each other, `intersections` which triangles of two surfaces meet. `pack`
fills a body with spheres (`Packing`), and `overlap` tells how deep two of them are in each other: the volume
they share, force and torque. `ImpactEngine` tells when bodies that move, turn and deform first touch,
and where; `ccd` the same of vertices, edges and faces that move straight, `trajectory` when balls that
accelerate meet, and a `Gas` of hard spheres goes from collision to collision.

An argument of the wrong type raises `TypeError`, one with a wrong value `ValueError`; the message names
the argument, what was found and what was expected. `threads` is how many threads work, None for as many
as there are cores; answers do not depend on it.

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
from ._records import (
    Contact,
    Counts,
    FaceReport,
    Feature,
    GasCounts,
    Impact,
    ImpactContact,
    ImpactCounts,
    MeshReport,
    Motion,
    Overlap,
    PatchPoint,
    Repair,
    Source,
    SurfaceDistance,
)
from ._tangere import (
    Bodies,
    Body,
    BodyShape,
    ConvexCache,
    ConvexPairs,
    ConvexPolyhedron,
    FaceMesh,
    Gas,
    Hierarchy,
    ImpactEngine,
    Inside,
    Mesh,
    Packing,
    PairFinder,
    Periodic,
    Tree,
    __version__,
    box_pairs,
    box_pairs_between,
    closest,
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
    save,
    save_particles,
    self_intersections,
)

__all__ = [
    "Bodies",
    "Body",
    "BodyShape",
    "Contact",
    "ConvexCache",
    "ConvexPairs",
    "ConvexPolyhedron",
    "Counts",
    "FaceMesh",
    "FaceReport",
    "Feature",
    "Gas",
    "GasCounts",
    "Hierarchy",
    "Impact",
    "ImpactContact",
    "ImpactCounts",
    "ImpactEngine",
    "Inside",
    "Mesh",
    "MeshReport",
    "Motion",
    "Overlap",
    "Packing",
    "PairFinder",
    "PatchPoint",
    "Periodic",
    "Repair",
    "Source",
    "SurfaceDistance",
    "Tree",
    "__version__",
    "box_pairs",
    "box_pairs_between",
    "ccd",
    "closest",
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
    "save",
    "save_particles",
    "self_intersections",
    "trajectory",
]
