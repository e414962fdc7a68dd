"""What several tests use."""

from pathlib import Path

import numpy as np
import pytest

import tangere

MESHES = Path(__file__).resolve().parents[3] / "shared" / "meshes"


def pytest_report_header() -> str:
    return f"tangere {tangere.__version__} from {Path(tangere.__file__).parent}"


@pytest.fixture
def cube() -> tuple[np.ndarray, np.ndarray]:
    """The unit cube: vertices and faces with normals outward."""
    vertices = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)], dtype=float)
    quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    faces = [[q[0], q[k], q[k + 1]] for q in quads for k in (1, 2)]
    return vertices, np.array(faces)
