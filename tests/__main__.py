"""`python tests NAME ...` runs a helper module of the tests as a script; helpers import each other.

`python tests fuzzing 0 60 6`. Folders: `pythonpath` of pytest in pyproject.toml.
"""

from __future__ import annotations

import runpy
import sys
import tomllib
from pathlib import Path

if __name__ == "__main__":
    checkout = Path(__file__).parent.parent
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    folders = project["tool"]["pytest"]["ini_options"]["pythonpath"]
    sys.path[:0] = [str(checkout / folder) for folder in folders]
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
