"""Contact detection for simulation.

Meshes come from files (`load`), arrays (`Mesh`) or generators (`generate`);
`Mesh.report` tells what is right and wrong with them. `Tree` finds boxes that
meet, `pairs` and `PairFinder` particles that touch, `inside` and `Inside` which
points are inside a body.

Examples
--------
>>> import tangere
>>> sphere = tangere.generate.sphere(4)
>>> sphere
<tangere.Mesh of 2048 triangles on 1026 vertices>
>>> sphere.report.closed
True
"""

from . import generate
from ._tangere import (
    Inside,
    Mesh,
    MeshReport,
    PairFinder,
    Repair,
    Source,
    Tree,
    __version__,
    box_pairs,
    inside,
    load,
    load_particles,
    pairs,
    save,
    save_particles,
)

__all__ = [
    "Inside",
    "Mesh",
    "MeshReport",
    "PairFinder",
    "Repair",
    "Source",
    "Tree",
    "__version__",
    "box_pairs",
    "generate",
    "inside",
    "load",
    "load_particles",
    "pairs",
    "save",
    "save_particles",
]
