"""Names of other tools: each leads to a column that there is, made of the SMF fields it names."""

from __future__ import annotations

import re

import pytest
from names_table import DOCUMENT, document

from imsperf import api
from imsperf.dictionary import rows as dictionary
from imsperf.dictionary.other_names import all_names, entries, find
from imsperf.errors import LayoutError
from imsperf.reports.lineage.columns import lineage, subject


def test_a_name_says_which_column_here_has_the_same() -> None:
    """Worked out by hand: a name, one of a range, and in lower case."""
    (row,) = api.dictionary("DCTAVG").to_pylist()
    assert (row["ours"], row["fields"]) == ("rmf.device.conn_ms", "SMF74CNN")
    (row,) = api.dictionary("batch03").to_pylist()
    assert (row["name"], row["ours"]) == ("BATCH00-BATCH11", "smf70_1_asid.smf70b00_b11")
    assert find("batch12") is None and find("") is None
    (row,) = api.dictionary("CPITCBTM").to_pylist()
    assert (row["table"], row["confidence"]) == ("TYPE30_6", "2src")


def test_a_dataset_or_a_vocabulary_gives_all_its_names() -> None:
    """TYPE74CA its own, MXG those of all datasets."""
    assert "CSDEVN" in api.dictionary("TYPE74CA")["name"].to_pylist()
    assert set(api.dictionary("mxg")["table"].to_pylist()) >= {"TYPE70", "TYPE74CA", "JOBS"}


def test_a_near_name_is_offered() -> None:
    """Of another tool as of ours."""
    with pytest.raises(LayoutError) as caught:
        api.dictionary("DCTAVGG")
    assert "DCTAVG" in (caught.value.hint or "")


def test_a_heading_leads_to_the_columns_under_it() -> None:
    """As RMF prints it, lines joined by blanks."""
    rows = api.dictionary("avg resp time").to_pylist()
    assert ("rmf.device", "resp_ms") in {(row["report"], row["column"]) for row in rows}


def test_no_name_hides_one_of_ours() -> None:
    """`dict` looks here first."""
    ours = {*dictionary.fields()["column"].to_pylist(), *dictionary.fields()["table"].to_pylist()}
    theirs = {name.lower() for name in all_names()} | {e["table"].lower() for e in entries()}
    assert theirs & ours == set()
    assert len(all_names()) == len(set(all_names())) >= 120


@pytest.mark.parametrize("owner", sorted({e["ours"].rpartition(".")[0] for e in entries()}))
def test_a_column_is_made_of_the_fields_that_the_name_has(owner: str) -> None:
    """Its lineage has every one of them, so the column and the fields exist."""
    for entry in entries():
        if entry["ours"].rpartition(".")[0] == owner:
            step = lineage(subject(entry["ours"]))
            read = {leaf.entry.column for leaf in (step, *step.leaves()) if leaf.entry}
            fields = entry["fields"].lower().replace("-", "_").split()
            assert set(fields) <= read, entry["name"]


def test_the_page_has_every_name_and_source() -> None:
    """`python tests names_table` writes the tables; each text is named with its address."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert document() == text
    assert len(re.findall(r"^\| `", text, re.MULTILINE)) == len(entries())
    listed = set(re.findall(r"^\| (.+?) \| .*\(https:", text, re.MULTILINE))
    used = {source for entry in entries() for source in entry["source"].split("; ")}
    assert listed == used
