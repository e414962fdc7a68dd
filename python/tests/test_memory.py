"""Answers that do not fit in memory raise MemoryError; the interpreter goes on."""

import subprocess
import sys

import pytest

PROGRAM = """
import resource, numpy as np, tangere
box = tangere.generate.box([1, 1, 1])
hull = tangere.ConvexPolyhedron(box.vertices)
poses = np.zeros((1_200_000, 3))
poses[:, 0] = 3
stack = tangere.Mesh(np.tile(box.vertices, (700, 1)),
                     (box.faces[None] + 8 * np.arange(700, dtype=np.uint32)[:, None, None]).reshape(-1, 3))
tree = tangere.Tree(np.zeros((20_000, 3)), np.ones((20_000, 3)), threads=2)
lower = np.zeros((20_000, 3))
tangere.closest(hull, hull, pose_b=poses[:4])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**27, used + 2**27))
calls = {
    "poses": lambda: tangere.closest(hull, hull, pose_b=poses),
    "sphere": lambda: tangere.generate.sphere(12),
    "self": lambda: tangere.self_intersections(stack),
    "pairs": lambda: tangere.intersections(stack, stack),
    "tree": lambda: tree.overlapping(lower, lower),
}
for name, call in calls.items():
    try:
        call()
    except MemoryError as error:
        assert str(error).startswith("out of memory: "), error
        print(name)
print(tangere.closest(hull, hull, pose_b=[3, 0, 0]).gap)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
def test_answers_that_do_not_fit():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and done.returncode == 0
    assert done.stdout.split() == ["poses", "sphere", "self", "pairs", "tree", "2.0"]
