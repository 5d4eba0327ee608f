"""Log records of transactions: how many of each code, how long, and their bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imsperf.synthetic.network.network import Logged
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.mix import of_kind, programs, transactions, used

OF_PROGRAM = ("03", "31", "35", "3730", "5603", "5607", "560B", "5610", "5611", "5612", "56FA")
CONVERSATION_BYTES = 144  # log records 11 and 12
BUFFERS_BYTES = 154  # log record 5945 with one subpool
CREDENTIALS_IN = ("01", "03")  # messages in and out


def logged(scenario: Scenario) -> tuple[Logged, ...]:
    """Records of one transaction by code; a change is logged whole, so counts are rounded.

    Credentials are in the records of messages (000 7.5: logged for inbound and outbound messages).
    Each program of a chain has the records of a unit of recovery, and a message to the next one.
    """
    rows = of_kind(scenario, scenario.table("log_records"))
    rows = [row for row in rows if row["code"] not in ("07", "08")]
    trans = used(scenario)
    everything = transactions(scenario)
    credentials = scenario.get("security.credential_bytes", 0)
    records = [
        Logged(
            row["code"],
            row["bytes"] + credentials * (row["code"] in CREDENTIALS_IN),
            tuple(
                (row.get("region") or tran["region"]) == tran["region"]
                and sum(records_of_programs(row, programs(tran, everything)))
                for tran in trans
            ),
        )
        for row in rows
    ]
    held = tuple(int(tran.get("conversational") == "yes") for tran in trans)
    records += [Logged(code, CONVERSATION_BYTES, held) for code in ("11", "12") if any(held)]
    records += buffer_records(scenario, records)
    return tuple(record for record in records if any(record.counts))


def buffer_records(scenario: Scenario, records: Sequence[Logged]) -> list[Logged]:
    """5945 beside each 5937, where that is asked for."""
    if scenario.get("fast_path.buffer_records", "off") == "off":
        return []
    commits = (record.counts for record in records if record.code == "5937")
    return [Logged("5945", BUFFERS_BYTES, counts) for counts in commits]


def records_of_programs(record: dict[str, Any], chain: list[dict[str, Any]]) -> list[int]:
    """Records of a kind that each program of a chain logs."""
    further = int(record["code"] in OF_PROGRAM and record["each"] > 0)
    return [
        round((further if n else record["each"]) + record["per_write"] * program["writes"])
        for n, program in enumerate(chain)
    ]


def log_bytes(scenario: Scenario) -> float:
    """Bytes that the mean transaction logs, with prefixes and suffixes."""
    weights = [float(row["weight"]) for row in used(scenario)]
    each = (
        record.bytes * count * weight
        for record in logged(scenario)
        for count, weight in zip(record.counts, weights, strict=True)
    )
    return sum(each) / sum(weights)
