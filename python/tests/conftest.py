"""Fixtures and helpers shared by several tests."""

import os
import signal
import subprocess
import sys
import time
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


def matrix(pose) -> np.ndarray:
    """The 4x4 matrix of seven numbers."""
    tx, ty, tz, w, x, y, z = pose
    m = np.eye(4)
    m[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    m[:3, 3] = tx, ty, tz
    return m


# Ctrl-C as from a terminal, then a check that no work continues in the background.
PRELUDE = """
import signal; signal.signal(signal.SIGINT, signal.default_int_handler)
import time, numpy, tangere
def is_quiet():
    for _ in range(20):
        begin = time.process_time()
        time.sleep(0.1)
        if time.process_time() - begin < 0.02:
            return True
    return False
"""


@pytest.fixture
def interrupted():
    """Interrupts a program some seconds after it prints "ready"; returns what else it prints."""
    if os.name != "posix":
        pytest.skip("signals of POSIX")

    def run(program: str, after: float = 0.3) -> str:
        program = PRELUDE + program
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "ready\n"
        time.sleep(after)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=120)
        assert out.startswith("interrupted"), out
        assert child.returncode == 0
        return out

    return run
