"""Runs that recipes ask for: generated, loaded and asked once, answers kept for the next time.

An answer is kept under the run with its settings and the code with its scenarios, so any change
of these asks anew. A file is written whole or not at all; one that cannot be read counts as none.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

from imsperf.errors import AbsentRecords, ImsperfError, ScenarioError
from imsperf.locks import WorkFolder
from imsperf.reproducing.recipes import Order

VERSION = 2  # of the files with answers
CODE = ("imsperf", "imsperf.parsers", "imsperf.reports", "imsperf.sql", "imsperf.synthetic")
SOURCES = (".py", ".sql", ".toml")
APART = ("reproducing", "cli")  # of imsperf: what judges and prints, but makes no records


@dataclass(frozen=True)
class Question:
    """SQL over the rows of a report, or over the database; without SQL: published metrics."""

    report: str
    sql: str
    metrics: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What answers are kept under."""
        return json.dumps([self.report, self.sql, self.metrics])


Answer = Any  # rows as lists, or {metric: [value, source]}, or {"error": words}
Answers = dict[str, Answer]
Asked = Mapping[Order, Sequence[Question]]


def default_folder() -> Path:
    """Where answers are kept: imsperf/reproduce in the user's folder for caches."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "imsperf" / "reproduce"


def answers(
    asked: Asked,
    kept: Path | None,
    out: Path | None = None,
    processes: int = 1,
    told: Callable[[str], None] = lambda name: None,
) -> dict[Order, Answers]:
    """Answers by run and question. `kept`: folder of earlier ones; `out`: where dumps stay.

    `told` gets the name of each run when it is there. Errors: ImsperfError of a run or a query.
    """
    got: dict[Order, Answers] = {}
    todo: list[tuple[Order, Sequence[Question]]] = []
    for order, questions in asked.items():
        before = {} if kept is None or out is not None else read_answers(kept / file_of(order))
        got[order] = before
        missing = [question for question in questions if question.key not in before]
        if missing:
            todo.append((order, missing))
        else:
            told(order.name)
    for order, fresh in _asked(todo, out, processes):
        got[order] |= fresh
        if kept is not None:
            write_answers(kept / file_of(order), got[order])
        told(order.name)
    return got


def _asked(
    todo: Sequence[tuple[Order, Sequence[Question]]], out: Path | None, processes: int
) -> Iterator[tuple[Order, Answers]]:
    with WorkFolder() as temporary:
        folder = out or temporary.path
        if processes == 1 or len(todo) < 2:
            for order, questions in todo:
                yield order, ask(order, questions, folder, out is not None)
            return
        others = set(active_children())
        with ProcessPoolExecutor(processes, get_context("spawn"), _deaf) as pool:
            futures = {
                pool.submit(ask, order, asked, folder, out is not None): order
                for order, asked in todo
            }
            try:
                for future in as_completed(futures):
                    yield futures[future], future.result()
            except BaseException:  # a run cannot be stopped inside: end the processes
                pool.shutdown(wait=False, cancel_futures=True)
                for process in set(active_children()) - others:
                    process.terminate()
                raise


def _deaf() -> None:
    """Ctrl-C is for the process that waits; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def ask(order: Order, questions: Sequence[Question], folder: Path, stays: bool) -> Answers:
    """Generate a run, load it, answer. A run that writes no records has an error for an answer.

    `stays`: whether dumps and database are left in the folder.
    """
    from imsperf import api
    from imsperf.synthetic.generate import generate
    from imsperf.synthetic.scenarios.scenario import load

    name = "".join(c if c.isalnum() or c in ".-" else "_" for c in order.name)
    here = folder / f"{name}.{hashlib.sha256(repr(order).encode()).hexdigest()[:6]}"
    scenario = load(order.scenario, dict(order.at))
    try:
        generate(
            scenario, here / "run", seed=order.seed, seconds=order.seconds, sample_k=order.sample
        )
    except ScenarioError as error:
        return {question.key: {"error": str(error)} for question in questions}
    db = here / "run.duckdb"
    db.unlink(missing_ok=True)
    dumps = _extracted(order.extract, here) if order.extract else here / "run"
    api.load([dumps], db, run="run", strict=True, types=order.types or ())
    with api.connect(db) as store:
        answered = {question.key: _answer(store, question) for question in questions}
    if not stays:
        shutil.rmtree(here)
    return answered


def _extracted(asked: str, here: Path) -> Path:
    """A folder with the records of the SMF dumps that `imsperf extract` chooses, one file."""
    from imsperf import api

    types, *times = asked.split()
    start, end = times or (None, None)
    (here / "cut").mkdir(exist_ok=True)
    dumps = sorted((here / "run").glob("*.smf.*"))
    api.extract(dumps, here / "cut" / "part.rdw", force=True, types=types, start=start, end=end)
    return here / "cut"


def _answer(store: Any, question: Question) -> Answer:
    from imsperf.api import run_report
    from imsperf.measured.metrics import read_values

    if question.metrics:
        values = read_values(store, set(question.metrics))
        return {metric: list(values.get(metric)) for metric in question.metrics}
    if question.report.endswith(".*"):
        store.con.register("rows", _family(store, question.report.removesuffix("*")))
    elif question.report:
        total = question.report.startswith(("rmf.", "ims."))
        try:
            store.con.register("rows", run_report(store, question.report, total=total).table)
        except AbsentRecords as error:
            return {"error": str(error)}
    try:
        rows = store.con.execute(question.sql).fetchall()
    except Exception as error:  # any query that a recipe may hold
        raise ImsperfError(f"{question.report or 'query'}: {error}", question.sql) from None
    return [[_plain(value) for value in row] for row in rows]


def _family(store: Any, prefix: str) -> Any:
    """Rows (report, rows) of all reports whose ids begin so; those without records have none."""
    import pyarrow as pa

    from imsperf.api import reports, run_report

    found: dict[str, int] = {}
    for id in reports(store)["id"].to_pylist():
        if id.startswith(prefix):
            try:
                found[id] = run_report(store, id).table.num_rows
            except AbsentRecords:
                found[id] = 0
    return pa.table({"report": list(found), "rows": list(found.values())})


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | str | None) else float(value)


def file_of(order: Order) -> str:
    """Name of the file with the answers of a run: of its order, and the code with its scenarios."""
    told = json.dumps([VERSION, repr(order), code()])
    return f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.json"


@cache
def code() -> str:
    """A hash of everything that makes, writes, reads and reports records."""
    digest = hashlib.sha256()
    for package in CODE:
        root = Path(import_module(package).__path__[0])
        for path in sorted(root.rglob("*")):
            place = path.relative_to(root)
            if path.suffix not in (".py", ".sql", ".toml") or place.name.endswith(
                ".published.toml"
            ):
                continue
            if package == "imsperf" and place.parts[0] in APART:
                continue
            digest.update(f"{package}/{place}".encode() + path.read_bytes())
    return digest.hexdigest()


def read_answers(path: Path) -> Answers:
    """Answers of an earlier time; none where the file is cut short or of another version."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return dict(data["answers"]) if data["version"] == VERSION else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def write_answers(path: Path, given: Answers) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(f".{os.getpid()}.part")
    try:
        half.write_text(json.dumps({"version": VERSION, "answers": given}), encoding="utf-8")
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise ImsperfError(
            f"{path.parent}: {error.strerror}", "--kept names another folder for answers"
        ) from None
