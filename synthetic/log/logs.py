"""The IMS logs of all systems of a run, written by a thread while the run is simulated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.sysplex_accounts import Sysplex
from imsperf.synthetic.log.log_source import Log
from imsperf.synthetic.log.logstream import FAR_AWAY, LogWriter
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.completed import Completed
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.writer import DumpFile, Form, Written


@dataclass(frozen=True)
class Place:
    """The log of one system: its file, its names, what is simulated."""

    path: Path
    host: Host
    network: Network


class Logs:
    """A context manager: leaving it with an error names no file. No places: nothing is written.

    `end`: tick at which the run ends; `together`: what the systems share, from their results.
    """

    def __init__(
        self,
        places: Sequence[Place],
        form: Form,
        seed: int,
        end: int,
        together: Callable[[Sequence[SimResult]], Sysplex],
    ) -> None:
        self.places, self.seed, self.together = places, seed, together
        self.files = [
            DumpFile(place.path, form, place.network.logger.block_bytes) for place in places
        ]
        self._writers = [LogWriter(file, end) for file in self.files]
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._under_way: Future[None] | None = None
        self.written: list[Written] = []

    def __enter__(self) -> Logs:
        return self

    def add(self, handed: Sequence[Completed], results: Sequence[SimResult]) -> None:
        """What has ended since the last time, of each system, and the intervals closed so far.

        Comes back once what was added before is written; an error of that is raised here.
        """
        self._wait()
        if not self.places:
            return
        self._under_way = self._thread.submit(self._add, handed, results)

    def _add(self, handed: Sequence[Completed], results: Sequence[SimResult]) -> None:
        for writer, log, new in zip(self._writers, self._logs(results), handed, strict=True):
            writer.add(log, new)

    def _logs(self, results: Sequence[SimResult]) -> list[Log]:
        plex = self.together(results)
        return [
            Log.of(result, place.host, place.network, self.seed, plex)
            for place, result in zip(self.places, results, strict=True)
        ]

    def finish(self, results: Sequence[SimResult], tell: Callable[[float], None]) -> None:
        """The rest of all logs. `tell`: shares of it that are done."""
        self._wait()
        if not self.places:
            return
        share = 1 / len(self.places)
        for writer, log in zip(self._writers, self._logs(results), strict=True):
            left = Completed.of(log.result.transactions, log.result.programs, FAR_AWAY)
            writer.finish(log, left, lambda part: tell(share * part))
        self.written = [writer.close() for writer in self.files]

    @property
    def transactions(self) -> int:
        """How many are in the logs."""
        return sum(writer.transactions for writer in self._writers)

    def _wait(self) -> None:
        if self._under_way is not None:
            self._under_way.result()
            self._under_way = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._thread.shutdown()
        for writer in self.files:
            writer.__exit__(kind, error, at)
