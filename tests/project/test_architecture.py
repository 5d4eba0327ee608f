"""Who may import whom, and what a cold start may load."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from imsperf.parsers.framing.forms import RARE, USUAL

AREAS = ("parsers", "synthetic", "reports")
# Where packages stand: those below imsperf have folders of their own in a checkout.
FOLDERS = {
    name: Path(str(files(f"imsperf.{name}" if name else "imsperf"))) for name in (*AREAS, "sql", "")
}
STDLIB = sys.stdlib_module_names
DECLARATIVE = ("errors", "kinds", "layout", "record", "layouts")

# area -> (areas it may import, libraries it may import)
ALLOWED: dict[str, tuple[set[str], set[str]]] = {
    "errors": (set(), set()),
    "kinds": ({"errors"}, {"numpy", "pyarrow"}),
    "layout": ({"errors", "kinds"}, {"numpy", "pyarrow"}),
    "record": ({"errors", "kinds", "layout"}, {"numpy", "pyarrow"}),
    "layouts": ({"errors", "kinds", "layout", "record"}, {"numpy", "pyarrow"}),
    "kernels": (set(), {"numpy", "numba"}),
    "user_layouts": ({*DECLARATIVE, "ledger", "user_layouts"}, set()),
    "ledger": ({"layout"}, {"pyarrow"}),
    "described": (set(), set()),
    "direct": (
        {*DECLARATIVE, "database", "ledger", "loading", "locks", "parsers"},
        {"duckdb", "pyarrow"},
    ),
    "sources": ({"database", "direct", "errors", "lake", "parsers"}, set()),
    "database": (
        {*DECLARATIVE, "__version__", "described", "ledger", "output_files", "sql"},
        {"numpy", "pyarrow", "duckdb"},
    ),
    "loading": (
        {*DECLARATIVE, "database", "kernels", "lake", "ledger", "parsers"},
        {"duckdb", "numpy", "pyarrow"},
    ),
    "locks": (set(), set()),
    "output_files": ({"errors", "locks"}, set()),
    "asking": ({"database", "errors", "parsers", "reports"}, set()),
    "querying": ({"database", "errors", "layouts", "ledger", "reports"}, {"duckdb", "pyarrow"}),
    "serving": (
        {"api", "database", "direct", "errors", "lake", "reports", "sources"},
        {"duckdb", "jinja2", "pyarrow", "werkzeug"},
    ),
    "reproducing": ({"api", "errors", "locks", "measured", "reports", "synthetic"}, {"pyarrow"}),
    "measured": ({"api", "database", "errors"}, set()),
    "reading": ({*DECLARATIVE, "parsers"}, {"polars", "pyarrow"}),
    "lake": (
        {*DECLARATIVE, "__version__", "database", "ledger", "locks", "output_files", "sql"},
        {"numpy", "pyarrow", "duckdb"},
    ),
    "dictionary": ({*DECLARATIVE, "described", "ledger", "sql"}, {"numpy", "pyarrow"}),
    "parsers": (
        {*DECLARATIVE, "kernels", "ledger", "parsers"},
        {"numpy", "numba", "llvmlite", "pyarrow", "polars"},
    ),
    "synthetic": (
        {*DECLARATIVE, "kernels", "locks", "synthetic"},
        {"numpy", "numba", "llvmlite", "polars", "scipy", "pyarrow"},
    ),
    "explain": (
        {*DECLARATIVE, "database", "ledger", "parsers", "reports"},
        {"numpy", "pyarrow", "duckdb"},
    ),
    "reports": (
        {
            *DECLARATIVE,
            "database",
            "described",
            "dictionary",
            "ledger",
            "output_files",
            "reports",
            "sql",
        },
        {
            "duckdb",
            "pyarrow",
            "numpy",
            "scipy",
            "sqlglot",
            "rich",
            "altair",
            "xlsxwriter",
            "vl_convert",
        },
    ),
}
ONE_MODULE_EACH = {"rich", "altair", "xlsxwriter", "vl_convert"}  # in reports


def modules() -> list[Path]:
    return sorted({path for folder in FOLDERS.values() for path in folder.rglob("*.py")})


def in_package(path: Path) -> Path:
    """Where a module stands in imsperf once it is installed."""
    name, folder = next(item for item in FOLDERS.items() if path.is_relative_to(item[1]))
    return Path(name) / path.relative_to(folder)


def area(path: Path) -> str:
    return in_package(path).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module == "imsperf":
                names |= {f"imsperf.{alias.name}" for alias in node.names}
            else:
                names.add(str(node.module))
    return names


def name_of(path: Path) -> str:
    return str(in_package(path))


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_follow_the_table(path: Path) -> None:
    """Each area imports only what stands in the table."""
    here = area(path)
    for module in imports(path):
        top, _, rest = module.partition(".")
        assert top not in AREAS, f"{path}: {module} exists only in a checkout"
        if top == "imsperf":
            part = rest.partition(".")[0]
            assert part != "cli" or here in ("cli", "__main__"), f"{path} imports the command line"
            if here in ALLOWED:
                assert part in ALLOWED[here][0] | {here}, f"{path} must not import {module}"
        elif here in ALLOWED and top not in STDLIB:
            assert top in ALLOWED[here][1], f"{path} must not import {module}"


MOST_MODULES = 26  # 25 and __init__.py


def test_no_two_modules_import_each_other() -> None:
    """Not at run time, in functions or for types: who needs both sides has one module too few."""
    names = {module_name(path): path for path in modules()}
    needed = {name: {m for m in imported(path) if m in names} for name, path in names.items()}
    pairs = {
        frozenset({name.removeprefix("imsperf."), other.removeprefix("imsperf.")})
        for name, others in needed.items()
        for other in others - {name}
        if name in needed[other]
    }
    assert not pairs


def module_name(path: Path) -> str:
    parts = ("imsperf", *in_package(path).with_suffix("").parts)
    return ".".join(part for part in parts if part != "__init__")


def imported(path: Path) -> set[str]:
    """Modules, by either way to import one."""
    names = imports(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_all_areas_are_seen() -> None:
    """In a checkout, too, where they stand beside imsperf."""
    seen = Counter(area(path) for path in modules())
    assert all(seen[name] > 20 for name in (*AREAS, "layouts", "cli"))


def test_output_libraries_have_one_module_each() -> None:
    """A heavy output library is imported in one module of reports."""
    for library in ONE_MODULE_EACH:
        users = [p.name for p in modules() if area(p) == "reports" and uses(p, library)]
        assert len(users) <= 1, f"{library} is imported in {users}"


def uses(path: Path, library: str) -> bool:
    return any(module.partition(".")[0] == library for module in imports(path))


def test_modules_stay_readable() -> None:
    """No module but a layout passes 600 lines."""
    long = {
        name_of(p): lines
        for p in modules()
        if area(p) != "layouts" and (lines := len(p.read_text(encoding="utf-8").splitlines())) > 600
    }
    assert not long


def test_folders_are_rooms() -> None:
    """At most 25 modules in each, but for record layouts, of which each record has one."""
    count = Counter(str(in_package(p).parent) for p in modules() if area(p) != "layouts")
    full = {folder for folder, number in count.items() if number > MOST_MODULES}
    assert not full


def test_forms_of_dumps_are_asked_not_compared() -> None:
    """What differs between forms is declared in their classes: nobody asks which one it is."""
    asked = {
        name_of(path): lines
        for path in modules()
        if area(path) not in ("layouts", "synthetic")
        if (lines := compared_forms(path.read_text(encoding="utf-8")))
    }
    assert not asked


@pytest.mark.parametrize(
    "code",
    [
        'form.name == "no_rdw"',
        'dump.framing in ("rdw", "ims_vb")',
        'dump.framing.endswith("spanned")',
        'words = {"ftp_block": 3, "no_rdw": 0}.get(form.name, 4)',
        "isinstance(form, FtpRecord)",
    ],
)
def test_compared_forms_are_seen(code: str) -> None:
    assert compared_forms(code) == [1]


def compared_forms(code: str) -> list[int]:
    """Lines that compare the name or class of a form, take it apart, or have a table of forms: one
    with two of their names, as a cause of damage may be one, too."""
    labels = {form.label(spanned) for form in (*USUAL, *RARE) for spanned in (False, True)}
    classes = {type(form).__name__ for form in (*USUAL, *RARE)}
    lines = set()
    for node in ast.walk(ast.parse(code)):
        inside: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            inside = [node]
        elif isinstance(node, ast.Dict):
            keys = [key for key in node.keys if isinstance(key, ast.Constant)]
            inside = [key for key in keys if key.value in labels]
            inside = inside if len(inside) > 1 else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of = node.func.value
            is_framing = isinstance(of, ast.Attribute) and of.attr == "framing"
            if is_framing and node.func.attr in ("startswith", "endswith"):
                lines.add(node.lineno)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            named = {part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)}
            if named & classes:
                lines.add(node.lineno)
        for part in (part for outer in inside for part in ast.walk(outer)):
            if isinstance(part, ast.Constant) and part.value in labels:
                lines.add(node.lineno)
    return sorted(lines)


HEAVY = (
    "duckdb",
    "pyarrow",
    "polars",
    "altair",
    "scipy",
    "numpy",
    "numba",
    "xlsxwriter",
    "sqlglot",
)


@pytest.mark.parametrize("arguments", [["--help"], ["load", "--help"], ["report", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """Help needs no database, no arrays, no compiler: that keeps it below 0.3 s."""
    script = (
        "import sys; from imsperf.cli import main\n"
        f"sys.argv = ['imsperf', *{arguments!r}]\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        f"print('LOADED', [m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "LOADED []", done.stdout[-300:] + done.stderr
