"""Contact detection for simulation.

Meshes come from files (`load`), arrays (`Mesh`) or generators (`generate`);
`Mesh.report` tells what is right and wrong with them. `Tree` finds boxes that
meet.

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
    Repair,
    Source,
    Tree,
    __version__,
    load,
    load_particles,
    save,
    save_particles,
)

__all__ = [
    "Mesh",
    "MeshReport",
    "Repair",
    "Source",
    "Tree",
    "__version__",
    "generate",
    "load",
    "load_particles",
    "save",
    "save_particles",
]
