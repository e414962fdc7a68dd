"""Generators of meshes and particles, with the same result on every machine.

Every mesh except the plate is closed, manifold and oriented outward. Vertices are
representable in float32, so that formats of single precision lose nothing, unless the
size of a box or a plate is not.

Examples
--------
>>> from tangere import generate
>>> generate.sponge(2).report.genus
81
"""

from ._tangere import box, chazelle, crystal, foam, hull, knot, particles, plate, sphere, sponge

__all__ = ["box", "chazelle", "crystal", "foam", "hull", "knot", "particles", "plate", "sphere", "sponge"]
