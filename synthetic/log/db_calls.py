"""Kinds of DL/I calls of each code, in 07, 56FA, A108 and traces, from how many it has in all.

What a code changes is published (000 T2): it inserts, deletes, updates. Assumptions: a call changes
for each change that is logged, as far as every second call can; the kinds of a code take turns. IMS
deletes and replaces only what a hold call got (status code DJ otherwise). Of the other gets one for
each database is a GU, of its root; the rest get what follows, GN. One call can log several
changes, as those of databases with indexes or pointers do.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.network.network import Network, TransactionClass


@dataclass(frozen=True)
class Calls:
    """Calls to full-function databases, by kind: one number for each code or class."""

    gu: I64
    gn: I64
    ghu: I64
    isrt: I64
    dlet: I64
    repl: I64

    @classmethod
    def of(cls, calls: I64, changes: I64, letters: list[str], databases: I64) -> Calls:
        """From calls in all, changes logged, what each code changes with, databases it uses."""
        changing = np.minimum(changes, calls // 2)
        isrt, dlet, repl = (_turns(changing, letters, letter) for letter in "IDR")
        hold = dlet + repl
        gets = calls - changing - hold
        unique = np.minimum(gets, databases)
        return cls(unique, gets - unique, hold, isrt, dlet, repl)

    def of_classes(self, network: Network) -> Calls:
        """From those of `Network.codes`; programs of a chain are added up."""
        places = [_places(network, work_class) for work_class in network.classes]
        return Calls(
            **{
                kind.name: np.array([getattr(self, kind.name)[mine].sum() for mine in places])
                for kind in fields(self)
            }
        )

    @property
    def changing(self) -> I64:
        """Calls that change a segment."""
        return self.isrt + self.dlet + self.repl

    @property
    def in_all(self) -> I64:
        """All calls."""
        return self.gu + self.gn + self.ghu + self.changing


def calls_of_codes(network: Network, host: Host) -> Calls:
    """Calls of one run of each of `Network.codes`; none where they are to Db2 or DEDBs."""
    calls, changes = np.zeros((2, len(network.codes)), np.int64)
    logged = [database.counts for database in network.logged if database.code == "5050"]
    each = np.array(logged, np.int64).reshape(-1, len(network.classes)).sum(axis=0)
    for work_class, own in zip(network.classes, each.tolist(), strict=True):
        if not work_class.db_calls:
            continue
        programs = [(program.calls, program.changes) for program in work_class.programs]
        mine = _places(network, work_class)
        calls[mine], changes[mine] = np.array(programs or [(work_class.db_calls, own)]).T
    known = dict(host.databases_of)
    databases = [len(known.get(code, " ")) for code, _ in network.codes]
    return Calls.of(calls, changes, letters_of_codes(network, host), np.array(databases))


def letters_of_codes(network: Network, host: Host) -> list[str]:
    """What each of `Network.codes` changes with, by the letters of 5050; R where it is not told."""
    known = dict(host.changes_of)
    return [known.get(code, "R") for code, _ in network.codes]


def _turns(changing: I64, letters: list[str], letter: str) -> I64:
    """Changing calls of one kind: of n kinds that take turns every n-th, from its place on."""
    number = np.array([len(each) for each in letters])
    place = np.array([each.find(letter) for each in letters])
    return np.where(place < 0, 0, (changing - place + number - 1) // number)


def _places(network: Network, work_class: TransactionClass) -> list[int]:
    """Places in `Network.codes` of the programs of a transaction, its own first."""
    own = (work_class.name, work_class.message_class)
    return [network.codes.index(code) for code in (own, *work_class.chain)]
