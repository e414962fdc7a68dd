"""Shapes made from a few numbers, the same on every machine.

Every mesh but the plate is closed, manifold and oriented outward; its vertices
are representable in float32, unless the size of a box or a plate is not, so that
formats of single precision lose nothing.

Examples
--------
>>> from tangere import generate
>>> generate.sponge(2).report.genus
81
"""

from ._tangere import box, chazelle, crystal, foam, hull, knot, particles, plate, sphere, sponge

__all__ = ["box", "chazelle", "crystal", "foam", "hull", "knot", "particles", "plate", "sphere", "sponge"]
