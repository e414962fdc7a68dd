"""Every public name has a docstring, and its examples run."""

import dataclasses
import doctest
import inspect
import pathlib
import re

import pytest

import tangere
from tangere import ccd, generate, trajectory


def documented():
    """Public functions, classes and members of classes, by name."""
    yield "tangere", tangere
    yield "tangere.generate", generate
    yield "tangere.ccd", ccd
    yield "tangere.trajectory", trajectory
    for module in (tangere, generate, ccd, trajectory):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.ismodule(thing) or isinstance(thing, str):
                continue
            yield f"{module.__name__}.{name}", thing
            # Fields of records are documented in their classes.
            if inspect.isclass(thing) and not dataclasses.is_dataclass(thing):
                for member, value in sorted(vars(thing).items()):
                    if isinstance(value, staticmethod):
                        value = value.__func__
                    if not member.startswith("_"):
                        yield f"{module.__name__}.{name}.{member}", value


CLASSES = {name: thing for name, thing in documented() if inspect.isclass(thing)}


@pytest.mark.parametrize(("name", "thing"), documented(), ids=lambda x: x if isinstance(x, str) else "")
def test_examples(name, thing):
    assert thing.__doc__, f"{name} has no docstring"
    test = doctest.DocTestParser().get_doctest(thing.__doc__, {}, name, None, None)
    # Attributes may be shown in the examples of their class instead.
    owner, _, attribute = name.rpartition(".")
    examples = test.examples
    if inspect.isgetsetdescriptor(thing):
        of_class = doctest.DocTestParser().get_examples(CLASSES[owner].__doc__)
        examples = [*examples, *(one for one in of_class if f".{attribute}" in one.source)]
    assert examples, f"{name} has no example"
    report = []
    failed, _ = doctest.DocTestRunner().run(test, out=report.append)
    assert not failed, "".join(report)


def test_there_is_something_to_test():
    names = [name for name, _ in documented()]
    assert "tangere.Mesh.transformed" in names
    assert "tangere.generate.foam" in names
    assert len(names) > 40


def test_functions_have_signatures():
    for name, thing in documented():
        if callable(thing):
            assert inspect.signature(thing)


@pytest.mark.parametrize("page", ["README.md", "python/README.md", "docs/why.md", "docs/closest.md", "docs/impact.md", "docs/scenes.md"])
def test_pages(page, tmp_path, monkeypatch, capsys):
    """The Python blocks of these pages, and of no others, run as printed, one after the other."""
    path = pathlib.Path(__file__).parents[2] / page
    if not path.exists():
        pytest.skip("not in a checkout of the project")
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M)
    assert blocks
    monkeypatch.chdir(tmp_path)
    # The page makes this file on the command line first.
    tangere.save(generate.foam(10_000), "foam.stl")
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
