"""What is kept parsed of shipped SQL is what DuckDB's parser says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from imsperf.reports import syntax
from imsperf.reports.catalog import shipped
from imsperf.reports.syntax import Select, bodies, kept_selects, parse_anew, parse_select


@pytest.fixture
def no_cache() -> Iterator[None]:
    """Nothing that this process knows already; nor do later tests know what these keep."""
    for function in (kept_selects, parse_select):
        function.cache_clear()
    yield
    for function in (kept_selects, parse_select):
        function.cache_clear()


@pytest.mark.usefixtures("no_cache")
def test_kept_is_what_the_parser_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every shipped report and view is kept, and equal also after it was read from the file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    selects = [*bodies().values(), *(report.sql for report in shipped())]
    expected = {sql: parse_anew(sql) for sql in selects}
    kept_selects()
    kept_selects.cache_clear()
    (file,) = (tmp_path / "imsperf").glob("selects-*.json")
    monkeypatch.setattr(syntax, "parse_anew", _refuse)
    parse_select.cache_clear()
    assert {sql: parse_select(sql) for sql in selects} == expected
    assert file.stat().st_size > 10_000


@pytest.mark.usefixtures("no_cache")
@pytest.mark.parametrize("words", ["", "[1]", '{"x": 1}'])
def test_a_bad_file_is_as_none(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a SELECT of a user among what is kept: both are parsed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept_selects()
    (file,) = (tmp_path / "imsperf").glob("selects-*.json")
    file.write_text(words, encoding="utf-8")
    kept_selects.cache_clear()
    assert kept_selects() == {}
    assert [c.name for c in parse_select("SELECT 1 AS one FROM smf74_1").columns] == ["one"]


def _refuse(sql: str) -> Select:
    raise AssertionError(f"parsed anew: {sql[:80]}")
