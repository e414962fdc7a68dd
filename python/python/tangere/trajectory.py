"""Time of impact of balls that move with constant velocity and acceleration.

The results are exact for the given numbers: balls that graze exactly touch, and do not
if they pass one float further apart. Times are lower and upper bounds.

Examples
--------
>>> import numpy as np
>>> from tangere import trajectory
>>> random = np.random.default_rng(1)
>>> found = trajectory.first_meetings(
...     random.random((100, 3)), 0.01, random.normal(size=(100, 3)), [0, 0, -9.81]
... )
>>> found.dtype.names
('a', 'b', 'early', 'late', 'status')
>>> len(found)
4950
"""

from ._tangere import first_meetings, next_collisions
from .ccd import Status

__all__ = ["Status", "first_meetings", "next_collisions"]
