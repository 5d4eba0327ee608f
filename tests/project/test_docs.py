"""The documents say what the program does: commands, files, links, and printed numbers."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from console import commands, is_shown, printed, write_files
from places import CHECKOUT

from imsperf.cli import COMMANDS, main
from imsperf.reports.catalog import catalog

DOCUMENTS = sorted(
    [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md"), *CHECKOUT.glob("*/README.md")]
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


def blocks(text: str) -> list[list[str]]:
    """Lines of each fenced block that is marked as output."""
    fenced = re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [[line.strip() for line in block.splitlines() if line.strip()] for block in fenced]


def test_the_readme_shows_what_the_model_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """The block of `imsperf model`, line by line."""
    (block,) = [block for block in blocks(README) if block[0].startswith("tps-100k@rb1-before")]
    main(["model", "tps-100k@rb1-before"])
    printed = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in block if line not in printed] == []


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
    shown = [line for block in blocks(README) for line in block]
    assert shown
    assert [line for line in shown if line not in printed and line != "..."] == []


CONSOLE = [path for path in DOCUMENTS if "```console" in path.read_text(encoding="utf-8")]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the documents are for a POSIX shell")
@pytest.mark.parametrize("document", CONSOLE, ids=lambda path: path.name)
def test_a_document_shows_what_its_commands_print(document: Path, tmp_path: Path) -> None:
    """Every command of it, in one folder, in its order, beside the files that it shows."""
    text = document.read_text(encoding="utf-8")
    write_files(text, tmp_path)
    wrong = [
        command.words
        for command in commands(text)
        if not is_shown(command.shown, printed(command.words, tmp_path))
    ]
    assert wrong == []


def test_commands_of_a_document_run_in_a_shell(tmp_path: Path) -> None:
    """The first of the tutorial's commands, beside two that show how lines are held against it."""
    first, *_ = commands((CHECKOUT / "docs" / "tutorial.md").read_text(encoding="utf-8"))
    assert first.words.startswith("imsperf generate ff-haldb")
    text = "```console\n$ echo one; echo two\none\n...\n$ false\n```\n"
    echo, nothing = commands(text)
    lines = printed(echo.words, tmp_path)
    assert lines == ["one", "two"] and is_shown(echo.shown, lines)
    assert not is_shown(("two", "..."), lines) and not is_shown(("one",), lines)
    assert is_shown(("o...e", "two"), lines) and not is_shown(("o...o",), lines)
    assert is_shown(nothing.shown, printed(nothing.words, tmp_path))


STORIES = sorted((CHECKOUT / "docs" / "stories").glob("*.md"))
CHAPTERS = (  # a story may have others between them
    "The question", "The records", "What was changed", "What happened",
    "What the published document says", "What our data cannot show",
)  # fmt: skip
STEPS = ("generate", "load", "report", "table", "compare", "query", "findings", "chart")
MARK = re.compile(r"(input|fitted|predicted|a shape|no published number)\b")


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_a_story_is_told_to_its_end(story: Path) -> None:
    """Its chapters in their order; records made, loaded, then asked; nothing is left empty."""
    text = story.read_text(encoding="utf-8")
    chapters = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [name for name in chapters if name in CHAPTERS] == list(CHAPTERS)
    told = list(commands(text))
    assert [command.words for command in told if not command.shown] == []
    assert [command.words for command in told if "imsperf: error" in command.shown[0]] == []
    steps = [STEPS.index(command.words.split()[1]) for command in told]
    assert steps.index(0) < steps.index(1) < steps.index(min(n for n in steps if n > 1))


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_a_story_says_what_each_published_number_is_worth(story: Path) -> None:
    """The last column of its table begins with a mark."""
    chapter = story.read_text(encoding="utf-8").split("## What the published document says")[1]
    rows = re.findall(r"^\|.*\|$", chapter.split("\n## ")[0], re.MULTILINE)
    marks = [row.strip("|").split("|")[-1].strip() for row in rows[2:]]
    assert marks and [mark for mark in marks if not MARK.match(mark)] == []


def test_concepts_name_reports_that_there_are() -> None:
    """Each ends with a report or with the nearest idea elsewhere, and every report exists."""
    text = (CHECKOUT / "docs" / "concepts.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:rmf|ims|smf|joined|load|run|mq|cics|zosconnect)\.\w+)`", text))
    assert len(named) > 30 and named <= catalog().reports.keys()
    concepts = re.findall(r"^\*\*.*?(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    assert len(concepts) > 30
    assert [c for c in concepts if not re.search(r"Reports?:|On\sLinux:", c)] == []


SITE = CHECKOUT / ".ci" / "mkdocs.yml"


def test_the_site_has_every_document() -> None:
    """Each page of docs/ stands in the list of the site, and no other."""
    listed = re.findall(r"- ([a-z/-]+\.md)$", SITE.read_text(encoding="utf-8"), re.MULTILINE)
    docs = CHECKOUT / "docs"
    pages = [path.relative_to(docs).as_posix() for path in docs.glob("**/*.md")]
    assert sorted(listed) == sorted(pages)


@pytest.mark.slow
def test_the_site_can_be_built(tmp_path: Path) -> None:
    """Without a warning, where mkdocs is there: `pip install '.[docs]'`."""
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("no mkdocs here")
    words = ["mkdocs", "build", "--strict", "-f", str(SITE), "-d", str(tmp_path / "site")]
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "tutorial.html").exists()
