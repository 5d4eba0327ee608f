"""The notebooks of docs/notebooks: they run as they stand, and show what their words say."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from places import CHECKOUT

NOTEBOOKS = sorted((CHECKOUT / "docs" / "notebooks").glob("*.ipynb"))
SHOWN = {  # what an answer must have, beyond running
    "two-weeks-one-fault": ["device_slow", "08055", "resp_ms", "unclear"],
    "ask-a-dump": ["ios_per_s", "etr_per_s", "rows of devices"],
}


def cells(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text(encoding="utf-8"))["cells"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_output(path: Path) -> None:
    """Outputs are made when it is run; lines fit a page."""
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
    assert code and path.stem in SHOWN
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert path.stat().st_size < 10_000
    page = (CHECKOUT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    assert f"notebooks/{path.name}" in page


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_code_of_a_notebook_is_python(path: Path) -> None:
    """Lines that begin with ! are for the shell, and call imsperf."""
    for cell in cells(path):
        if cell["cell_type"] == "code":
            lines = "".join(cell["source"]).splitlines()
            shell = [line for line in lines if line.startswith("!")]
            assert all(line.startswith("!imsperf ") for line in shell)
            compile("\n".join(line for line in lines if line not in shell), path.name, "exec")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="shell lines are for a POSIX shell")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By nbclient, where it is there: `pip install '.[docs]'`."""
    if any(importlib.util.find_spec(name) is None for name in ("nbclient", "ipykernel")):
        pytest.skip("no nbclient here")
    import nbformat
    from nbclient import NotebookClient

    own = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", os.pathsep.join((own, os.environ.get("PATH", ""))))
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    text = "".join(
        output.get("text", "") + str(output.get("data", {}).get("text/plain", ""))
        for output in outputs
    )
    assert "error:" not in text and "Traceback" not in text
    assert [words for words in SHOWN[path.stem] if words not in text] == []
