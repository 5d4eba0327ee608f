"""The wheel holds what the checkout holds."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from places import CHECKOUT, TESTS

import imsperf

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]


def test_every_package_is_listed() -> None:
    """A sub-package left out of the list would be missing from the wheel."""
    places = {folder: name for name, folder in SETUPTOOLS["package-dir"].items()}
    packages = set()
    for top, name in places.items():
        for init in (CHECKOUT / top).rglob("__init__.py"):
            packages.add(".".join([name, *init.parent.relative_to(CHECKOUT / top).parts]))
    assert packages == set(SETUPTOOLS["packages"])


def test_data_files_are_installed() -> None:
    """SQL and scenarios are found by package, never by path."""
    for folder, package, pattern in (
        ("sql", "imsperf.sql", "*.sql"),
        ("synthetic", "imsperf.synthetic", "*.toml"),
    ):
        here = {p.relative_to(CHECKOUT / folder) for p in (CHECKOUT / folder).rglob(pattern)}
        there = Path(str(files(package)))
        assert here
        assert all((there / file).is_file() for file in here)


def test_version_is_said_once() -> None:
    """The package and its metadata agree."""
    assert version("imsperf") == imsperf.__version__ == PROJECT["project"]["version"]


def test_top_level_is_fixed() -> None:
    """The user fixed the folders at the top."""
    known = {"imsperf", "parsers", "synthetic", "reports", "sql", "tests", "docs"}
    folders = {p.parent.name for p in CHECKOUT.glob("*/*") if not p.parent.name.startswith(".")}
    built = {"build", "dist", "imsperf.egg-info", "__pycache__", "imsperf-demo"}
    assert folders - built <= known


def test_tests_are_found_by_name() -> None:
    """Test modules stand in folders, all on the path of pytest; a bare name means one module."""
    modules = [path for path in TESTS.rglob("*.py") if not path.name.startswith("__")]
    assert list(TESTS.glob("test_*.py")) == []
    folders = {str(path.parent.relative_to(CHECKOUT)).replace("\\", "/") for path in modules}
    assert sorted(folders) == sorted(PROJECT["tool"]["pytest"]["ini_options"]["pythonpath"])
    names = Counter(path.stem for path in modules)
    assert [name for name, count in names.items() if count > 1] == []
    readme = (TESTS / "README.md").read_text(encoding="utf-8")
    assert [f for f in folders if f"{Path(f).name}/`" not in readme and f != "tests"] == []
