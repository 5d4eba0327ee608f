"""The documents say what the program does: commands, files, links, and printed numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import CHECKOUT

from imsperf.cli import COMMANDS

DOCUMENTS = sorted(
    [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md"), *CHECKOUT.glob("*/README.md")]
)
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")


def test_every_command_is_in_the_readme() -> None:
    """A command nobody can read about does not exist."""
    missing = [name for name in COMMANDS if f"imsperf {name}" not in README]
    assert not missing


def test_readme_names_no_unknown_command() -> None:
    """What the README calls is there to be called."""
    called = set(re.findall(r"^\s+(?:\.venv/bin/)?imsperf ([a-z]+)", README, re.MULTILINE))
    assert called <= set(COMMANDS)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(CHECKOUT)))
def test_links_lead_somewhere(document: Path) -> None:
    """Relative links name files of the checkout."""
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def printed_blocks(text: str) -> list[str]:
    """Lines of the fenced blocks that are marked as output."""
    blocks = re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


@pytest.mark.slow
def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    """Each line of output in the README was printed by `imsperf demo` or `imsperf model`."""
    runs = (["demo", "--out", "imsperf-demo"], ["model", "tps-100k@rb1-before"])
    printed = set()
    for words in runs:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "imsperf", *words],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
        )
        printed |= {line.strip() for line in (done.stdout + done.stderr).splitlines()}
    shown = printed_blocks(README)
    assert shown
    assert [line for line in shown if line not in printed and line != "..."] == []
