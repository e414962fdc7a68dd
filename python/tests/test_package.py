"""Files that are installed beside the code."""

import importlib.metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["LICENSE-MIT", "LICENSE-APACHE"])
def test_the_wheel_has_the_licences(name):
    distribution = importlib.metadata.distribution("tangere")
    assert name in distribution.metadata.get_all("License-File")
    assert distribution.read_text(f"licenses/{name}") == (ROOT / name).read_text()
