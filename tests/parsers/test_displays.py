"""Displays and members as the documents print them (000 Figure 2, 002, 004), and malformed ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from imsperf.errors import DumpError
from imsperf.parsers.displays import Text, kind_of, read_text

HERE = Path(__file__).parent / "displays"


def text_of(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def read(name: str) -> Text:
    return read_text(text_of(name), name)


def values(text: Text) -> dict[int, dict[str, str]]:
    """Rows of names and values."""
    rows: dict[int, dict[str, str]] = {}
    for entry in text.entries:
        rows.setdefault(entry.row, {})[entry.name] = entry.value
    return rows


def test_dis_tran() -> None:
    text = read("dis_tran.txt")
    first, second, third = values(text).values()
    assert text.kind == "dis_tran" and not text.warnings
    assert " ".join(first) == "TRAN CLS ENQCT QCT LCT PLCT CP NP LP SEGSZ SEGNO PARLM RC"
    assert " ".join(first.values()) == "VARTX001 1 0 0 65535 65535 1 1 1 0 0 0 0"
    assert second["TRAN"] == "VARTX002"
    assert " ".join(third.values()) == "VARTX003 3 17 2 65535 50 7 1 10 100 2 NONE 4"


def test_sms_options_are_26() -> None:
    text = read("sms_options.txt")
    options = {row["option"]: row["value"] for row in values(text).values()}
    assert len(options) == 26 and not text.warnings
    assert options["ACDS LEVEL"] == "z/OS V2.2"
    assert options["SMS PARMLIB MEMBER NAME"] == "IGDSMS10"
    assert options["PDSE1_HSP_SIZE"] == "256MB" and options["GLOBAL_DEADLOCK"] == "4"
    assert dict(text.knobs) == {
        "pdse.bmf_s": "120",
        "pdse.lru_s": "60",
        "pdse.lru_cycles": "15",
        "pdse.hsp_mb": "256",
    }


def test_hspstats() -> None:
    text = read("hspstats.txt")
    rows = list(values(text).values())
    assert rows[0] == {"size_mb": "256", "lru_s": "60", "lru_cycles": "15", "bmf_s": "120"}
    assert len(rows) == 1 + 9
    assert rows[-1] == {
        "data_set": "IMSPERF.COBOL.PGMLIB", "eligible": "Y", "always": "Y", "do_not": "N"
    }  # fmt: skip
    assert [row["always"] for row in rows[1:]] == ["N"] * 8 + ["Y"]


def test_dfsmpr_has_27_parameters() -> None:
    text = read("DFSMPR.jcl")
    given = {row["parameter"]: row["value"] for row in values(text).values()}
    assert len(given) == 27 and not text.warnings
    assert [given[name] for name in ("SOUT", "RGN", "SYS2", "PREINIT", "PWFI", "PARDLI")] == [
        "A", "56K", "", "M1", "N", ""
    ]  # fmt: skip
    assert dict(text.knobs) == {"sched.preinit": "on", "sched.wfi": "off"}


def test_members_of_proclib() -> None:
    modules = [entry.value for entry in read("DFSMPL00").entries]
    assert modules == [
        "CEEBINIT", "CEEPLPKA", "CEEEV004", "IGZDMR", "IGZXD24", "IGZXLPKA", "IGZCEV5", "IGZXLPKD",
        "IGZXLPKF",
    ]  # fmt: skip
    assert [(e.name, e.value) for e in read("DFSINTM1").entries] == [("module", "CEELRRIN")]
    pools = list(values(read("DFSSPM00")).values())
    assert pools[1] == {
        "pool": "DYNP", "bytes": "4292", "primary": "1100", "secondary": "50", "initial": "Y"
    }  # fmt: skip
    assert len(pools) == 4
    assert dict(read("DFSSPM00").knobs)["pools.EMHB"] == "(1024,8375,1000,Y)"


def test_a_blank_ends_the_list_of_preloaded_modules() -> None:
    """004: a space anywhere in the line signals the end of the list."""
    text = read_text("CEEBINIT,CEEPLPKA, CEEEV004\nIGZDMR\n", "DFSMPL01")
    assert [entry.value for entry in text.entries] == ["CEEBINIT", "CEEPLPKA"]
    (warning,) = text.warnings
    assert (warning.line, warning.column) == (1, 19)
    assert "CEEEV004, IGZDMR" in warning.text


def test_a_blank_after_a_comma_makes_a_comment_of_jcl() -> None:
    text = read_text("//PROC SOUT=A, CL1=001,\n//PREINIT=M1\n", "DFSMPR")
    assert [entry.value for entry in text.entries if entry.name == "parameter"] == [
        "SOUT", "PREINIT"
    ]  # fmt: skip
    (warning,) = text.warnings
    assert (warning.line, warning.column) == (1, 15) and "CL1=001" in warning.text


def test_lower_case_is_read_as_upper_case_and_told() -> None:
    text = read_text("ceebinit,CEEPLPKA\n", "DFSMPL01")
    assert [entry.value for entry in text.entries] == ["CEEBINIT", "CEEPLPKA"]
    assert (text.warnings[0].line, text.warnings[0].column) == (1, 1)
    small = read_text("//proc sout=A,preinit=M1\n", "DFSMPR")
    assert [e.value for e in small.entries if e.name == "parameter"] == ["SOUT", "PREINIT"]
    shown = read_text(text_of("dis_tran.txt").lower(), "x.txt")
    assert shown.entries[0].value == "VARTX001" and len(shown.warnings) == 1


def test_wrapped_lines_are_put_together() -> None:
    lines = text_of("dis_tran.txt").splitlines()
    wrapped = "\n".join([lines[0], lines[1][:28], lines[1][28:], lines[2]])
    assert [len(row) for row in values(read_text(wrapped, "x.txt")).values()] == [13, 13]
    options = "D SMS,OPTIONS\nACDS =\n  SYS1.ACDS\nINTERVAL = 10\n"
    (first, _) = values(read_text(options, "x.txt")).values()
    assert first == {"option": "ACDS", "value": "SYS1.ACDS"}


HEAD = "TRAN CLS ENQCT QCT LCT PLCT CP NP LP SEGSZ SEGNO PARLM RC\n"


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (HEAD + "A 1 0 0 65535 65535 1 1 1 0 0 0\nB 1 0 0 1 1 1 1 1 0 0 0 0\n", "x.txt",
         "line 2, column 32: found 12 values, expected 13"),
        (HEAD + "A 1 0 0 655x5 65535 1 1 1 0 0 0 0\n", "x.txt",
         "line 2, column 9: found '655x5', expected a number for LCT"),
        ("TRAN CLS ENQCT QCT\nA 1 0 0\n", "x.txt", "line 1, column 19: found no LCT"),
        ("D SMS,OPTIONS\nINTERVAL =       DINTERVAL = 150\n", "x.txt",
         "line 2, column 18: found 'DINTERVAL = 150', expected a value of INTERVAL"),
        ("D SMS,OPTIONS\nINTERVAL 10\n", "x.txt",
         "line 2, column 1: found 'INTERVAL 10', expected OPTION = VALUE"),
        ("PDSE HSPSTATS Start of Report\n---Cache--\nSYS1.A  Y  N\n", "x.txt",
         "line 3, column 13: found 3 values, expected 4"),
        ("PDSE HSPSTATS Start of Report\n---Cache--\nSYS1.A  Y  N  Q\n", "x.txt",
         "line 3, column 15: found 'Q', expected Y or N"),
        ("//PROC SOUT=A,RGN\n", "DFSMPR", "line 1, column 15: found 'RGN', expected NAME=VALUE"),
        (HEAD, "x.txt", "line 1, column 1: found no values, expected rows of dis_tran"),
        ("CEEBINIT,TOOLONGNAME\n", "DFSMPL00",
         "line 1, column 10: found 'TOOLONGNAME', expected the name of a module"),
        ("FPL=DYNP,(2048,16,8\n", "x.txt",
         "line 1, column 10: found '(2048,16,8', expected (bytes,primary,secondary,Y|N)"),
    ],
)  # fmt: skip
def test_malformed_texts_are_refused_with_their_place(text: str, name: str, words: str) -> None:
    with pytest.raises(DumpError) as error:
        read_text(text, name)
    assert words in error.value.message


def test_a_code_like_a_page_header_is_a_row() -> None:
    text = read_text(HEAD + "PAGE 1 0 0 65535 65535 1 1 1 0 0 0 0\n PAGE 2\n", "x.txt")
    assert [entry.value for entry in text.entries if entry.name == "TRAN"] == ["PAGE"]
    headed = HEAD + "1IMSA SYSTEM LOG 11/27/26       PAGE 0002\nVARTX001 1 0 0 1 1 1 1 1 0 0 0 0\n"
    assert [e.value for e in read_text(headed, "x.txt").entries if e.name == "TRAN"] == ["VARTX001"]


def test_control_characters_do_not_get_to_a_screen() -> None:
    text = read_text("CEEBINIT, \x1b[2JCEEPLPKA\n", "DFSMPL00")
    assert "\x1b" not in text.warnings[0].text and "[2JCEEPLPKA" in text.warnings[0].text


def test_a_report_cut_short_is_told() -> None:
    text = read_text(text_of("hspstats.txt").rsplit("\n", 2)[0], "x.txt")
    assert len(text.warnings) == 1 and "End of Report" in text.warnings[0].text


def test_other_texts_are_none() -> None:
    assert kind_of("hello\n", "notes.txt") is None
    assert kind_of("CEEBINIT\n", "notes.txt") is None
