"""Contact detection for simulation.

Meshes come from files (`load`), arrays (`Mesh`) or generators (`generate`);
`Mesh.report` tells what is right and wrong with them. `Tree` finds boxes that
meet, `pairs` and `PairFinder` particles that touch, `pairs_between` those of two
sets.

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
    Mesh,
    MeshReport,
    PairFinder,
    Periodic,
    Repair,
    Source,
    Tree,
    __version__,
    box_pairs,
    box_pairs_between,
    load,
    load_particles,
    pairs,
    pairs_between,
    save,
    save_particles,
)

__all__ = [
    "Mesh",
    "MeshReport",
    "PairFinder",
    "Periodic",
    "Repair",
    "Source",
    "Tree",
    "__version__",
    "box_pairs",
    "box_pairs_between",
    "generate",
    "load",
    "load_particles",
    "pairs",
    "pairs_between",
    "save",
    "save_particles",
]
