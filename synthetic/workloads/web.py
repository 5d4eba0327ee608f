"""Web requests of CICS (document 003): connections, handshakes and encryption as tasks with CPU.

A request is a CWBA task. A connection that is opened for it has a CSOL and a CWXN task before;
with TLS CWXN shakes hands: in part where the session is still known, else in full, with one
operation of the crypto card. The sizes of all these are assumptions (charts of 003 are lost); which
of them there are, and what runs where, is printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from imsperf.synthetic.scenarios.scenario import Scenario

COMMAREA_KB = 32.0
FULL = "CWXNFULL"  # shows as CWXN; each is an operation of the crypto card
HARDWARE = {"DES": "des", "3DES": "des", "SHA": "sha"}  # what CPACF does; RC4, RC2, MD5: software
ALWAYS, WITH_ICSF = ("1.6",), ("1.4", "1.5")  # levels of z/OS


def tasks(scenario: Scenario) -> Iterator[tuple[str, float, float]]:
    """Transaction, how many for a request, CPU of each in microseconds."""
    cost = {row["part"]: float(row["us"]) for row in scenario.table("web_costs")}
    kb = _kb(scenario)
    tls = scenario["web.tls"] == "on"
    work = cost["request"] + kb * (cost["kb"] + (_cipher_us(scenario) if tls else 0.0))
    yield "CWBA", 1.0, work
    if scenario["web.persistent"] == "on":
        return
    yield "CSOL", 1.0, cost["listen"]
    resumed = _resumed(scenario) if tls else 0.0
    if not tls:
        yield "CWXN", 1.0, cost["connect"]
    if resumed > 0:
        yield "CWXNPART", resumed, cost["connect"] + cost["partial handshake"]
    if tls and resumed < 1:
        yield FULL, 1 - resumed, cost["connect"] + cost["full handshake"]


def _kb(scenario: Scenario) -> float:
    """What is sent: a COMMAREA holds no more than 32 KB."""
    kb = float(scenario["web.kb"])
    return min(kb, COMMAREA_KB) if scenario["web.program"] == "commarea" else kb


def _resumed(scenario: Scenario) -> float:
    """Chance that the session of a client is still known where it connects again: within SSLDELAY
    of its last use, in the region that has it or, cached in the coupling facility, in any."""
    delay, again = scenario["web.ssldelay_s"], scenario["web.reconnect_s"]
    known = 1 - exp(-delay / again)
    return float(
        known if scenario["web.sslcache"] == "sysplex" else known / scenario["aor.regions"]
    )


def _cipher_us(scenario: Scenario) -> float:
    """CPU for a KB of the cipher and the hash of the suite, in CPACF or in software."""
    rows = {row["algorithm"]: row for row in scenario.table("web_ciphers")}
    suite = scenario["web.cipher"].upper().split("-")
    return sum(float(rows[one][_where(scenario, one)]) for one in suite)


def _where(scenario: Scenario, algorithm: str) -> str:
    """Column of the table: what CPACF does by level of z/OS (003 HTTPS terms)."""
    kind, level = HARDWARE.get(algorithm, ""), scenario["system.zos"]
    icsf = scenario["web.icsf"] == "on"
    hardware = kind != "" and level in ALWAYS
    hardware |= kind == "des" and level in WITH_ICSF and icsf
    return "cpacf_us" if hardware else "software_us"
