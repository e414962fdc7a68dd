"""Work without the GIL: threads, forks, and Ctrl-C."""

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tangere


def test_many_threads_load_and_report(tmp_path):
    meshes = {}
    for level in range(5):
        path = tmp_path / f"{level}.stl"
        mesh = tangere.generate.sphere(level)
        tangere.save(mesh, path)
        meshes[path] = mesh.report
    work = list(meshes) * 8
    with ThreadPoolExecutor(4) as executor:
        for path, report in zip(work, executor.map(lambda p: tangere.load(p).report, work)):
            assert report == meshes[path]


def test_many_threads_query_one_mesh():
    for _ in range(5):
        mesh = tangere.generate.sphere(6)
        with ThreadPoolExecutor(8) as executor:
            reports = list(executor.map(lambda _: mesh.report, range(8)))
        assert all(report is reports[0] for report in reports)


def test_many_threads_write_one_file(tmp_path):
    spheres = [tangere.generate.sphere(level) for level in range(1, 5)]
    path = tmp_path / "sphere.ply"
    with ThreadPoolExecutor(4) as executor:
        list(executor.map(lambda mesh: tangere.save(mesh, path), spheres * 5))
    assert tangere.load(path) in spheres
    assert os.listdir(tmp_path) == ["sphere.ply"]


def test_other_threads_run_meanwhile():
    """While a long computation runs, another thread makes progress."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    tangere.generate.sphere(9, threads=1)
    end = time.perf_counter()
    done.set()
    thread.join()
    # It would hardly tick at all if the GIL were held.
    assert sum(begin < t < end for t in ticks) > 2


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="this system lists no threads")
def test_pools_have_at_most_twice_as_many_threads_as_cores():
    if "TANGERE_MAX_THREADS" in os.environ:
        pytest.skip("another limit is set")
    # In a process of its own: pools of other tests may still be there.
    program = """
import os, time, tangere
mesh = tangere.generate.sphere(3, threads=1000)
assert mesh == tangere.generate.sphere(3, threads=1)
tangere.generate.sphere(3, threads=1000)
time.sleep(2)  # Threads of a pool that was replaced end when they get their turn.
for task in os.listdir("/proc/self/task"):
    try:
        print(open(f"/proc/self/task/{task}/comm").read().strip())
    except OSError:
        pass  # This thread has ended.
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names = done.stdout.split("\n")
    cores = len(os.sched_getaffinity(0))
    # The pool of all cores, the requested one, and one that ends.
    workers = [name for name in names if name.removeprefix("tangere-").isdigit()]
    assert 0 < len(workers) <= cores + 2 * cores + 1, names


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_can_work():
    expected = tangere.generate.sphere(5).report  # starts the threads of this process
    with multiprocessing.get_context("fork").Pool(2) as pool:
        meshes = pool.map_async(tangere.generate.sphere, [5, 5]).get(timeout=60)
    assert [mesh.report for mesh in meshes] == [expected] * 2


def test_interrupt_ends_the_wait(interrupted):
    """Ctrl-C during long work raises at once; the interpreter goes on, and can end."""
    program = """
print("ready", flush=True)
begin = time.perf_counter()
try:
    tangere.generate.foam(3_000_000, threads=1)
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - begin, tangere.generate.sphere(1), flush=True)
"""
    out = interrupted(program, after=0.2)
    assert float(out.split()[1]) < 2


@pytest.mark.parametrize(("method", "level"), [("layer", 4), ("multipole", 6), ("ray", 6)])
def test_interrupt_ends_the_work(method, level, interrupted):
    """Ctrl-C ends a query of a body, and the body accepts the next one."""
    program = f"""
sphere = tangere.generate.sphere({level})
open = tangere.Mesh(sphere.vertices, sphere.faces[40:])
test = tangere.Inside(open, method={method!r}, insist=True)
points = numpy.random.default_rng(1).uniform(-1, 1, (4_000_000, 3))
begin = time.perf_counter()
test.classify(points[:80_000])
whole = 50 * (time.perf_counter() - begin)
print("ready", flush=True)
try:
    test.classify(points)
    print("finished", flush=True)
except KeyboardInterrupt:
    begin = time.perf_counter()
    sides = test.classify([[0, 0, 0]])
    waited = time.perf_counter() - begin
    print("interrupted", waited / whole, is_quiet(), sides, flush=True)
"""
    out = interrupted(program)
    _, waited, quiet, sides = out.split()
    # The next query does not wait for the rest of the work, and nothing continues.
    assert float(waited) < 0.5 and quiet == "True", out
    assert sides in ("[1]", "[-1]")


def test_results_do_not_depend_on_threads(tmp_path):
    path = tmp_path / "knot.stl"
    tangere.save(tangere.generate.knot(20_000), path)
    centers, radii = tangere.generate.particles(3000, seed=1)
    table = tmp_path / "particles.csv"
    tangere.save_particles(centers, radii, table)
    meshes = [tangere.load(path, threads=n) for n in (None, 1, 2, 5)]
    assert all(np.array_equal(mesh.vertices, meshes[0].vertices) for mesh in meshes)
    assert all(mesh == meshes[0] for mesh in meshes)
    # Every function and method that reads, generates or computes something has the keyword.
    mesh, lower = meshes[0], centers - radii[:, None]
    upper = centers + radii[:, None]

    def refitted(**options):
        tree = tangere.Tree(lower, upper, **options)
        tree.refit(upper, upper + 1, **options)
        return tree.pairs(**options)

    for call in [
        lambda **options: mesh.transformed(rotate="x:30", **options),
        lambda **options: mesh.welded(1e-3, **options),
        lambda **options: mesh.reoriented(**options),
        lambda **options: tangere.generate.sphere(5, **options),
        lambda **options: tangere.generate.foam(29_000, **options),
        lambda **options: tangere.generate.sponge(2, **options),
        lambda **options: tangere.generate.chazelle(100, **options),
        lambda **options: tangere.generate.knot(20_000, **options),
        lambda **options: np.column_stack(tangere.generate.particles(3000, **options)),
        lambda **options: np.column_stack(tangere.load_particles(table, **options)),
        lambda **options: tangere.save(mesh, path, **options),
        lambda **options: tangere.FaceMesh(mesh.vertices, mesh.faces, "tri3", **options),
        lambda **options: tangere.ImpactEngine([{"shape": (mesh.vertices, mesh.faces)}], **options).nodes(0),
        lambda **options: tangere.Body({"file": str(path)}, **options).shape.vertices,
        lambda **options: tangere.Body.deforming(
            tangere.BodyShape(mesh), velocities=mesh.vertices, **options
        ).shape.vertices,
        lambda **options: tangere.Tree(lower, upper, **options).pairs(),
        lambda **options: tangere.Tree.of_spheres(centers, radii, **options).pairs(),
        lambda **options: tangere.Tree.of_mesh(mesh, **options).pairs(),
        lambda **options: tangere.Tree(lower, upper).overlapping(lower, upper, **options)[1],
        refitted,
    ]:
        expected = call()
        for threads in (None, 1, 3):
            assert np.all(call(threads=threads) == expected)
        with pytest.raises(ValueError, match="^threads: found 0, expected None for all cores, or"):
            call(threads=0)
