"""Changes of the SQL of the reports that are used most are noticed by cases worked by hand."""

from __future__ import annotations

import pytest
from sql_mutants import P1, all_of, cases, made, mutants_of, one_in, survivors, tree

EVERY = 8  # one change in so many
MOST_LIVE = 0.05


@pytest.mark.slow
def test_cases_notice_changes_of_the_sql() -> None:
    """All but 5 %; those that live, and no others, are in sql_survivors.toml, and why."""
    found = [
        mutant
        for of in all_of(P1)
        for mutant in mutants_of(of, one_in(EVERY, of))
        if mutant.noticed is not None
    ]
    lived = {(mutant.of, mutant.name) for mutant in found if not mutant.noticed}
    noticed = {(mutant.of, mutant.name) for mutant in found if mutant.noticed}
    assert len(found) > 500
    assert sorted(lived - set(survivors())) == []
    assert sorted(noticed & set(survivors())) == []
    assert len(lived) <= MOST_LIVE * len(found), sorted(lived)


@pytest.mark.slow
def test_every_case_holds_beside_all_others() -> None:
    """Each is a run in one database; views and macros are as sqlglot writes them again."""
    for name in made():
        cases().con.execute(tree(name).sql(dialect="duckdb", comments=False))
    assert {name: why for name in cases().of if (why := cases().differs(name))} == {}


def test_survivors_are_changes_of_something() -> None:
    for of, name in survivors():
        assert of in (*P1, *made()), name
