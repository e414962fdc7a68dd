"""Shapes made from a few numbers, the same on every machine.

Every mesh is closed, manifold and oriented outward; its vertices are
representable in float32, so that formats of single precision lose nothing.

Examples
--------
>>> from tangere import generate
>>> generate.sponge(2).report.genus
81
"""

from ._tangere import chazelle, crystal, foam, hull, knot, particles, sphere, sponge

__all__ = ["chazelle", "crystal", "foam", "hull", "knot", "particles", "sphere", "sponge"]
