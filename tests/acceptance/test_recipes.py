"""Recipes: how rows of the list of published systems are judged; answers that are kept.

Rows of answers are written here by hand; a changed field changes the row.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from imsperf.errors import ImsperfError, ScenarioError
from imsperf.reproducing import answers as answering
from imsperf.reproducing.answers import Question, answers, file_of
from imsperf.reproducing.explaining import explain
from imsperf.reproducing.judging import Cell, row_verdicts, rows_summary, summary
from imsperf.reproducing.points import points
from imsperf.reproducing.recipes import (
    GROUPS,
    TABLE,
    Check,
    Order,
    Recipe,
    _read,
    recipes,
    systems,
)
from imsperf.reproducing.rows import Plan, checked, reproduce

ORDER = Order("fast-path", (), 3, 30)


def judged(check: Check, rows: Any) -> list[Cell]:
    recipe = Recipe("A08", runs={"run": ORDER}, checks=(check,))
    return list(checked(recipe, check, {ORDER: {Question(check.report, check.sql).key: rows}}))


def check(rule: str, kind: str = "computed", **given: Any) -> Check:
    return Check(rule, "SELECT 1", "share", "000 T6", kind, **given)


def test_the_list_has_214_rows_in_nine_groups() -> None:
    """31 workloads, 27 of method, 23 releases, 29 features, 10 traces, 25, 25, 20, 24 reports."""
    counts = {group: sum(id.startswith(group) for id in systems()) for group in GROUPS}
    assert list(counts.values()) == [31, 27, 23, 29, 10, 25, 25, 20, 24]
    assert recipes().keys() <= systems().keys()


def test_numbers_are_judged_against_what_is_printed() -> None:
    """T6: 33.33 %; 34.0 is 2.0 % off, 30 is 10 % off, a code that is not there is missed."""
    mine = check("numbers", published={"CCKK": 33.33, "CLCK": 33.33, "LOST": 1.0}, tolerance_pct=5)
    cells = judged(mine, [["CCKK", 34.0], ["CLCK", 30.0]])
    assert [cell.verdict for cell in cells] == ["met", "missed", "missed"]
    assert cells[0].error_pct == pytest.approx((34 / 33.33 - 1) * 100)
    assert cells[2].ours is None


@pytest.mark.parametrize(
    ("given", "rows", "verdict"),
    [
        (check("order", names=("a", "b", "c")), [["a", 3], ["b", 2], ["c", 1]], "met"),
        (check("order", names=("a", "b", "c")), [["a", 3], ["b", 3], ["c", 1]], "missed"),
        (check("order", names=("a", "b", "c")), [["a", 3], ["c", 1]], "missed"),
        (check("present", names=("a", "b")), [["a", 3], ["b", 1]], "met"),
        (check("present", names=("a", "b")), [["a", 3], ["b", 0]], "missed"),
        (check("present", names=("a", "b")), [["a", 3], ["b", None]], "missed"),
        (check("spread", names=("a",), tolerance_pct=2), [["a", 99], ["a", 101]], "met"),
        (check("spread", names=("a",), tolerance_pct=1.9), [["a", 99], ["a", 101]], "missed"),
        (check("spread", names=("a",), tolerance_pct=2), [["a", 99], ["a", 99]], "missed"),
        (check("spread", names=("a",), tolerance_pct=2), [["a", 99]], "missed"),
        (check("spread", names=("a",), tolerance_pct=2), [["a", None], ["a", 2]], "missed"),
        (check("same", names=("a",)), [["a", 99], ["a", 99]], "met"),
        (check("same", names=("a",), tolerance_pct=1), [["a", 99], ["a", 101]], "missed"),
        (check("same", names=("a",)), [["a", 99]], "missed"),
        (check("equal", tolerance_pct=0.1), [["x", 1000, 1001], ["y", 0, 0]], "met"),
        (check("equal", tolerance_pct=0.05), [["x", 1000, 1001]], "missed"),
        (check("equal", tolerance_pct=0.1), [["x", 1, 0]], "missed"),
        (check("equal", tolerance_pct=0.1), [], "missed"),
        (check("counts", published={"n": 2}), [["n", 2]], "met"),
        (check("counts", published={"n": 2}), [["n", 3]], "missed"),
        (check("counts", published={"n": 2}), {"error": "no records"}, "missed"),
        (check("counts", published={"n": 2}, kind="stated"), [["n", 2]], "stated"),
        (check("counts", published={"n": 2}, kind="stated"), [["n", 3]], "missed"),
    ],
)
def test_rules_besides_numbers(given: Check, rows: Any, verdict: str) -> None:
    assert [cell.verdict for cell in judged(given, rows)] == [verdict]


def test_a_row_that_only_run_notes_state_is_not_met() -> None:
    """What run.toml says of a system is in no record: such cells prove no record."""
    cells = judged(check("counts", published={"n": 2}, kind="stated"), [["n", 2]])
    assert row_verdicts(cells) == {"A08": "stated"}
    assert rows_summary(cells) == "rows: 0 of 1 met; A 1 stated"
    assert summary(cells).startswith("numbers: 0 met, 0 missed, 1 stated by run notes alone")
    held = judged(check("counts", published={"n": 2}), [["n", 2]])
    assert row_verdicts([*cells, *held]) == {"A08": "met"}


def test_a_row_without_recipe_is_open_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows have one; so one is taken away."""
    missing = "A08"
    known = {id: recipe for id, recipe in recipes().items() if id != missing}
    for module in ("rows", "explaining", "recipes"):
        monkeypatch.setattr(f"imsperf.reproducing.{module}.recipes", lambda: known, raising=False)
    (cell,) = [cell for cell in reproduce([missing]) if cell.id == missing]
    assert (cell.verdict, cell.ours) == ("open", None)
    assert row_verdicts([cell]) == {missing: "open"}
    assert rows_summary([cell]) == f"rows: 0 of 1 met; {missing[0]} 1 open"
    assert "no recipe" in list(explain(missing))[1]


def test_every_row_has_a_recipe() -> None:
    assert recipes().keys() == systems().keys()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "neither figures nor checks"),
        ('figurs = ["T6"]', "figurs"),
        ('[runs.x]\nscenario = "fast-pat"', "fast-pat"),
        ('[runs.x]\nscenario = "fast-path"\nset = { "cpu.gcp" = 3 }', "cpu.gcp"),
        ("figures = [", "A08.toml"),
        ('[[checks]]\nrule = "number"', "found no sql"),
        (
            '[[checks]]\nrule = "number"\nsql = "x"\nquantity = "q"\nsource = "s"\nkind = "shape"',
            "found rule 'number'",
        ),
    ],
)
def test_a_wrong_recipe_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        _read("A08.toml", text)


def test_answers_are_kept_and_damaged_ones_asked_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked once; again where the file is cut short, of another version, or the code is another."""
    runs: list[str] = []

    def ask(order: Order, questions: Any, folder: Path, stays: bool) -> dict[str, Any]:
        runs.append(order.name)
        return {question.key: [["a", 1]] for question in questions}

    monkeypatch.setattr(answering, "ask", ask)
    question, path = Question("", "SELECT 1"), tmp_path / file_of(ORDER)
    for _ in range(2):
        assert answers({ORDER: [question]}, tmp_path)[ORDER][question.key] == [["a", 1]]
    assert len(runs) == 1
    path.write_text(path.read_text()[:-5])
    answers({ORDER: [question]}, tmp_path)
    path.write_text(json.dumps({"version": 0, "answers": {question.key: [["a", 2]]}}))
    assert answers({ORDER: [question]}, tmp_path)[ORDER][question.key] == [["a", 1]]
    assert len(runs) == 3
    monkeypatch.setattr(answering, "code", lambda: "other")
    answers({ORDER: [question]}, tmp_path)
    assert len(runs) == 4
    assert not list(tmp_path.glob("*.part"))


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was answered before Ctrl-C is kept, and nothing else is there."""
    runs: list[str] = []

    def ask(order: Order, questions: Any, folder: Path, stays: bool) -> dict[str, Any]:
        runs.append(order.name)
        if len(runs) == 2:
            raise KeyboardInterrupt
        return {question.key: [["a", 1]] for question in questions}

    monkeypatch.setattr(answering, "ask", ask)
    asked = {ORDER: [Question("", "SELECT 1")], replace(ORDER, seed=2): [Question("", "SELECT 1")]}
    with pytest.raises(KeyboardInterrupt):
        answers(asked, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [file_of(ORDER)]
    assert len(answers(asked, tmp_path)) == 2
    assert runs == [ORDER.name, f"{ORDER.name} seed 2", f"{ORDER.name} seed 2"]


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, *words: Any, **named: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ImsperfError, match="No space left"):
        answering.write_answers(tmp_path / "x.json", {})
    assert not list(tmp_path.iterdir())


def test_explain_names_knobs_points_and_commands() -> None:
    """D21: three fitted times, clients of each variant, and a run to repeat."""
    text = "\n".join(explain("D21"))
    for words in ("esaf.thread_ms", "@plct0 clients = 192", "imsperf generate esaf-pooling@plct0"):
        assert words in text
    with pytest.raises(ScenarioError, match="D99"):
        list(explain("D99"))


def test_commands_by_hand_do_not_stand_in_each_others_way() -> None:
    """G18 asks two runs twice each: each is made once, in a folder and a database of its own."""
    lines = [line.split() for line in explain("G18") if line.startswith("    imsperf")]
    made = [words[words.index("--out") + 1] for words in lines if words[1] == "generate"]
    assert made == [f"run{n}" for n in range(1, len(made) + 1)] and len(made) > 1
    loaded = [(words[2], words[4]) for words in lines if words[1] == "load"]
    assert loaded == [(name, f"{name}.duckdb") for name in made]
    asked = [words[words.index("--db") + 1] for words in lines if words[1] in ("report", "query")]
    assert len(asked) > len(made) and set(asked) == {database for _, database in loaded}


def test_explain_names_the_report_that_shows_a_number() -> None:
    """Of a log write the device report, of a pool its own; a cut dump is cut by hand too."""
    assert any("report rmf.device --db run1.duckdb --total" in line for line in explain("D03"))
    assert any("report ims.fixed_pools" in line for line in explain("F16"))
    assert any("imsperf extract run2/*.smf.* -o run2.rdw" in line for line in explain("B08"))


def test_ours_comes_from_the_database() -> None:
    """A09 counts 85,142 changes: with one record less it is missed, by 1 / 85,142."""
    recipe = recipes()["A09"]
    (asked,) = recipe.checks
    question, order = Question(asked.report, asked.sql), recipe.runs["run"]
    with duckdb.connect() as con:
        con.execute("CREATE TABLE ims_5950 AS SELECT unnest(range(85142)) AS record_no")
        store = SimpleNamespace(con=con)
        verdicts = []
        for _ in range(2):
            got = {order: {question.key: answering._answer(store, question)}}
            verdicts += [cell.verdict for cell in checked(recipe, asked, got)]
            con.execute("DELETE FROM ims_5950 WHERE record_no = 17")
    assert verdicts == ["met", "missed"]


def test_each_published_figure_belongs_to_one_row() -> None:
    """Rows that look at figures again are no home of them."""
    for point in points():
        for figure in point.figures:
            homes = [r.id for r in recipes().values() if not r.again and r.selects(figure)]
            assert len(homes) == 1, (figure, homes)


def test_at_most_ten_rows_cannot_be_reproduced_and_say_why() -> None:
    reasons = [recipe.reason for recipe in recipes().values() if recipe.reason]
    assert len(reasons) <= 10 and all(len(reason) > 20 for reason in reasons)


def test_points_that_rows_share_run_once() -> None:
    asked = Plan(["C01", "C02", "C03"]).asked()
    assert len(asked) == 3 and all(len(questions) == 1 for questions in asked.values())


def metrics(etr: float, itr: float) -> list[list[Any]]:
    """Rows that a run answers for a release table."""
    return [
        ["SYSA", "etr_per_s", "ETR", "1/s", "higher", etr, 1],
        ["SYSA", "itr_per_s", "ITR", "1/s", "higher", itr, 2],
    ]


def many(runs: dict[str, Any], **given: Any) -> list[Cell]:
    """A check over several runs: their answers by name."""
    orders = {name: Order("fast-path", (), n + 1.0) for n, name in enumerate(runs)}
    check = Check(given.pop("rule"), given.pop("sql", TABLE), "q", "s", "computed", **given)
    recipe = Recipe("A08", runs=orders, checks=(check,))
    key = Question(check.report, check.sql).key
    return list(checked(recipe, check, {orders[name]: {key: runs[name]} for name in runs}))


def test_a_check_over_runs_reads_the_release_table() -> None:
    """ITR 200 to 201 is + 0.5 %, equal; ETR: the mean of 100 and 104 is 102, + 2 % of 100."""
    runs = {"old": metrics(100, 200), "new.1": metrics(100, 201), "new.2": metrics(104, 201)}
    deltas = "SELECT metric, round(delta_pct, 6) FROM deltas WHERE \"column\" = 'new'"
    wanted = {"etr_per_s": 2.0, "itr_per_s": 0.5}
    cells = many(runs, rule="counts", published=wanted, together=deltas)
    assert [cell.verdict for cell in cells] == ["met", "met"]
    equal = "SELECT metric, equal::INTEGER FROM deltas WHERE \"column\" = 'new'"
    cells = many(runs, rule="counts", published={"etr_per_s": 0, "itr_per_s": 1}, together=equal)
    assert [cell.verdict for cell in cells] == ["met", "met"]


def test_a_check_over_runs_reads_their_answers_and_printed_cells() -> None:
    runs = {"a": [["x", "on"], ["y", 1]], "b": [["x", "off"], ["y", 1]]}
    differ = (
        "SELECT 'n', count(*) FROM (SELECT name FROM answers GROUP BY name "
        "HAVING count(DISTINCT value) > 1)"
    )
    (cell,) = many(runs, rule="counts", sql="SELECT 1", published={"n": 1}, together=differ)
    assert cell.verdict == "met"
    figure = SimpleNamespace(source="000 T18 IMS 15", metric="itr_per_s", value=100.0)
    printed = [(figure, replace(cell, ours=101.0))]
    check = Check(
        "counts",
        "",
        "q",
        "s",
        "computed",
        published={"itr_per_s": 1.01},
        together="SELECT quantity, ours / published FROM cells",
    )
    (cell,) = checked(Recipe("A08", considers=("T18",)), check, {}, printed)
    assert (cell.verdict, cell.system) == ("met", "T18")
    with pytest.raises(ScenarioError, match="nothing"):
        list(checked(Recipe("A08"), replace(check, together="FROM nothing"), {}, printed))
