"""Every class of the package pickles and copies with equal answers, or says why it does not."""

import copy
import inspect
import pickle
import re

import numpy as np
import pytest

import tangere
from tangere import ccd, generate, trajectory

CUBE = generate.box([1, 1, 1])
HULL = tangere.ConvexPolyhedron(CUBE.vertices)
CENTERS, RADII = generate.particles(200, seed=3)


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))


def finder(**options):
    return tangere.PairFinder(margin=0.01, skin=0.02, threads=2, max_pairs=9999, **options)


def spheres():
    made = finder(periodic=tangere.Periodic([1.0, 1.0, 1.0]))
    made.update(CENTERS, RADII, groups=np.arange(200) // 2, masks=np.ones((200, 2), int))
    return made


def boxes():
    made = finder(method="tree", every_image=True)
    made.update_boxes(CENTERS[:, :2], CENTERS[:, :2] + 0.1, periodic=[1, 0])
    return made


def engine():
    return tangere.ImpactEngine([tangere.Body.ball(1), tangere.Body.ball(1, [5, 0, 0], velocity=[-1, 0, 0])])


def gas():
    made = tangere.Gas([[0, 0], [2, 0.5], [4, 1]], [[1, 0.1], [0, 0], [0, -1]], 0.5, 2.0, periodic=[6, 6])
    made.run(events=4)
    return made


def frames(tmp_path):
    path = tmp_path / "run.dump"
    head = "ITEM: TIMESTEP\n5\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
    path.write_text(head + "ITEM: ATOMS id x y z radius\n4 1 2 3 0.5\n")
    return tangere.read_dump(path)


def pairs_of(finder):
    return finder.pairs(), finder.contacts()


def poses(bodies):
    return bodies.contacts([[0, 0, 0], [2, 0.25, 0]], [[0, 1]])


def scene():
    made = tangere.Scene(margin=0.1, threads=2, history=1)
    made.add(tangere.HalfSpace([0, 0, 1]), fixed=True, name="floor")
    made.add_many([tangere.Sphere(1), tangere.Capsule(0.5, 1)], [[0, 0, 0.75], [1, 0, 0.5]])
    made.update()
    return made


# How an object of each class answers; None for those that do not pickle. Classes that are not named
# here are records, which are equal.
ANSWERS = {
    tangere.Bodies: (lambda: tangere.Bodies([CUBE, CUBE]), lambda x: repr(x)),
    tangere.Body: (lambda: tangere.Body.ball(1), repr),
    tangere.BodyShape: (lambda: tangere.BodyShape(CUBE), lambda x: x.vertices),
    tangere.Box: (lambda: tangere.Box([1, 2, 3]), repr),
    tangere.Capsule: (lambda: tangere.Capsule(0.1, 0.2), repr),
    tangere.Compound: (lambda: tangere.Compound([(CUBE, None), (tangere.Sphere(1), [1, 0, 0])]), lambda x: x.parts[0]),
    tangere.ConvexCache: (tangere.ConvexCache, lambda x: tangere.closest(HULL, HULL, pose_b=[3, 0, 0], cache=x)),
    tangere.ConvexPairs: (lambda: tangere.ConvexPairs([HULL, CUBE], threads=1), poses),
    tangere.ConvexPolyhedron: (lambda: HULL, lambda x: x.vertices),
    tangere.DumpFrames: None,
    tangere.FaceMesh: (lambda: tangere.FaceMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "tri3"), repr),
    tangere.Gas: None,
    tangere.Simulation: None,
    tangere.HalfSpace: (lambda: tangere.HalfSpace([1, 2, 3]), lambda x: x.normal),
    tangere.Hierarchy: None,
    tangere.ImpactEngine: None,
    tangere.Inside: (lambda: tangere.Inside(CUBE), lambda x: x.classify([[0.1, 0.2, 0.3], [9, 9, 9]])),
    tangere.Mesh: (lambda: CUBE, lambda x: x.vertices),
    tangere.Packing: (lambda: tangere.pack(CUBE, spheres=20), lambda x: x.radii),
    tangere.PairFinder: (spheres, pairs_of),
    tangere.Periodic: (lambda: tangere.Periodic([4, 4], tilt=[1], origin=[0, 2]), repr),
    tangere.Scene: (scene, lambda x: (x.contacts(), x.history, x.names, x.poses, x.state_hash())),
    tangere.Sphere: (lambda: tangere.Sphere(0.1), repr),
    tangere.Tree: (lambda: tangere.Tree.of_mesh(CUBE), repr),
    tangere.Wall: (lambda: tangere.Wall(CUBE), lambda x: x.mesh),
}


def same(a, b):
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    return a == b


def records():
    """A record of each class."""
    contact = tangere.closest(HULL, HULL, pose_b=[1, 0, 0])
    impact = engine().next_contact(10)
    return [
        contact,
        contact.patch[0] if contact.patch else None,
        contact.feature_a,
        tangere.closest(CUBE, CUBE, pose_b=[3, 0, 0]),
        tangere.overlap(tangere.pack(CUBE, spheres=20), tangere.pack(CUBE, spheres=20), pose_b=[0.5, 0, 0]),
        impact,
        impact.contacts[0],
        engine().counts,
        engine().motion(0),
        gas().counts,
        CUBE.report,
        CUBE.welded(0.0).repair,
        tangere.ConvexPairs([HULL]).counts,
    ]


def test_every_class_is_known():
    modules = (tangere, generate, ccd, trajectory)
    named = {thing for module in modules for thing in map(module.__dict__.get, module.__all__) if inspect.isclass(thing)}
    native = {thing for thing in named if not hasattr(thing, "__dataclass_fields__")}
    native = {thing for thing in native if not issubclass(thing, (tuple, Exception)) and thing.__module__ == "tangere"}
    assert native == set(ANSWERS), native ^ set(ANSWERS)


@pytest.mark.parametrize("cls", [cls for cls, how in ANSWERS.items() if how], ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy])
def test_copies_answer_alike(cls, copied):
    make, answer = ANSWERS[cls]
    thing = make()
    again = copied(thing)
    assert type(again) is cls
    assert same(answer(again), answer(thing))


@pytest.mark.parametrize("copied", [pickled, copy.deepcopy])
def test_records(copied):
    for record in records():
        assert copied(record) == record


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol(protocol):
    for kind, answer in ANSWERS.items():
        if answer is not None:
            make, ask = answer
            made = make()
            again = pickle.loads(pickle.dumps(made, protocol))
            assert type(again) is kind and same(ask(again), ask(made))
    for record in records():
        assert pickle.loads(pickle.dumps(record, protocol)) == record


def test_finders():
    for make in (spheres, boxes, finder):
        made = make()
        for again in (pickled(made), copy.deepcopy(made)):
            assert repr(again) == repr(made) and same(pairs_of(again), pairs_of(made))
    made = spheres()
    again = copy.copy(made)
    made.update(CENTERS + 0.5, 0.001)
    assert len(again.pairs()) > len(made.pairs())
    # A finder that refused items is empty, and so is its pickle.
    with pytest.raises(ValueError):
        made.update(CENTERS, -1)
    assert len(pickled(made)) == 0
    with pytest.raises(ValueError, match="max_pairs|pairs"):
        again = pickled(tangere.PairFinder(max_pairs=1))
        again.update(CENTERS, 0.5)
        again.pairs()


def test_what_does_not_pickle_says_why(tmp_path):
    things = [engine(), gas(), tangere.hierarchy(CUBE), frames(tmp_path), spheres().chunks()]
    for thing in things:
        name = re.escape(type(thing).__name__)
        with pytest.raises(TypeError, match=f"cannot pickle 'tangere.{name}' object: it"):
            pickle.dumps(thing)
    for thing in (tangere.hierarchy(CUBE), frames(tmp_path)):
        with pytest.raises(TypeError, match="cannot pickle"):
            copy.deepcopy(thing)


def test_copies_of_a_gas_run_alike():
    made = gas()
    for again in (copy.copy(made), copy.deepcopy(made)):
        assert again.time == made.time and again.collisions == made.collisions
        assert same(again.run(events=5), copy.copy(made).run(events=5))
    assert made.collisions == 4


def test_one_radius_for_all(tmp_path):
    expected = tangere.pairs(CENTERS, np.full(200, 0.03))
    assert len(expected) and same(tangere.pairs(CENTERS, 0.03), expected)
    assert same(tangere.pairs(CENTERS, np.float32(0.03)), tangere.pairs(CENTERS, np.full(200, np.float32(0.03))))
    both = tangere.pairs_between(CENTERS, 0.03, CENTERS, 0.02)
    assert same(both, tangere.pairs_between(CENTERS, np.full(200, 0.03), CENTERS, np.full(200, 0.02)))
    made = tangere.PairFinder()
    made.update(CENTERS, 0.03)
    assert same(made.pairs(), expected)
    assert same(made.query(CENTERS, 0.02), both)
    tangere.save_particles(CENTERS, 0.03, tmp_path / "p.npy")
    assert (tangere.load_particles(tmp_path / "p.npy")[1] == 0.03).all()
    assert tangere.Packing([[0, 0, 0], [1, 0, 0]], 0.03).radii.tolist() == [0.03] * 2
    assert len(tangere.pairs(np.zeros((0, 3)), 1.0)) == 0
    with pytest.raises(ValueError, match=r"radii: found shape \(200, 1\), expected \(N,\) or a number"):
        tangere.pairs(CENTERS, np.ones((200, 1)))
    with pytest.raises(ValueError, match="radii"):
        tangere.pairs(CENTERS, -0.1)
    with pytest.raises(TypeError, match="radii"):
        tangere.pairs(CENTERS, "wide")
