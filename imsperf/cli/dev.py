"""imsperf dev: for those who add to imsperf, in a checkout with its tests."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.errors import ImsperfError


@click.group()
def command() -> None:
    """Check what a contributor adds to a checkout of imsperf.

    \b
    Examples:
      imsperf dev check 92.11
      imsperf dev check rmf.device
      imsperf dev readme --write
    """


@command.command()
@click.argument("name", nargs=-1, required=True)
def check(name: tuple[str, ...]) -> None:
    """Run the checks of a record (92.11, 4507), a report or a scenario.

    Says what disagrees with the evidence, and prints missing files with the lines to paste.

    \b
    Examples:
      imsperf dev check 92.11
      imsperf dev check rmf.device
      imsperf dev check fast-path
    """
    _run("dev_check", *name)


@command.command()
@click.option("--write", is_flag=True, help="Write the lines into README.md.")
def readme(write: bool) -> None:
    """Say whether the counts in README.md are those of the product.

    \b
    Examples:
      imsperf dev readme
      imsperf dev readme --write
    """
    _run("readme_counts", *(["--write"] if write else []))


def _tests() -> Path:
    """The folder of the tests, beside the package in a checkout."""
    return Path(__file__).parents[2] / "tests"


def _run(helper: str, *arguments: str) -> None:
    import subprocess
    import sys

    if not (_tests() / "__main__.py").exists():
        hint = "clone the repository and `pip install -e '.[test]'` in it"
        raise ImsperfError(f"found no tests at {_tests()}: `dev` needs a checkout", hint)
    done = subprocess.run([sys.executable, str(_tests()), helper, *arguments], check=False)
    raise SystemExit(done.returncode)
