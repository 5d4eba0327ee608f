"""Who writes which attempt at a task of a load, while it runs: what is open says so (/proc)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from imsperf.lake.commits import STAGING


class Watch:
    """Looks at a load while it runs: which attempts there are at each task, and who writes."""

    def __init__(self, lake: Path) -> None:
        self._staging, self._is_over = lake / STAGING, threading.Event()
        self.attempts: dict[str, set[str]] = {}  # names of folders, by number of the task
        self.error: list[BaseException] = []

    def look(self) -> dict[str, int]:
        """The process that writes each attempt: what is open belongs to a task that goes on."""
        for folder in self._staging.glob("*/*-*"):
            self.attempts.setdefault(folder.name[:5], set()).add(folder.name)
        return {name: pid for pid in processes() for name in self._written_by(pid)}

    def _written_by(self, pid: int) -> Iterator[str]:
        with suppress(OSError):
            for opened in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError, ValueError, IndexError):
                    name = opened.readlink().relative_to(self._staging).parts[1]
                    if "-" in name:
                        yield name

    def until(self, found: Callable[[dict[str, int]], Any]) -> Any:
        """Look until there is something; None when the load is over."""
        while not self._is_over.is_set():
            if some := found(self.look()):
                return some
            time.sleep(0.003)
        return None

    def writer(self) -> tuple[str, int]:
        """An attempt that goes on, and its process."""
        found = self.until(lambda writers: next(iter(writers.items()), None))
        assert found, "the load ended before a task was seen"
        return found

    @contextmanager
    def during(self, happens: Callable[[Watch], Any]) -> Iterator[None]:
        """Let something happen beside what is done inside."""

        def run() -> None:
            try:
                happens(self)
                self.until(lambda _: None)
            except BaseException as error:
                self.error.append(error)

        beside = threading.Thread(target=run)
        beside.start()
        try:
            yield
        finally:
            self._is_over.set()
            beside.join()
        assert not self.error


def processes() -> list[int]:
    return [int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal()]


def parent_of(pid: int) -> int:
    """Name and state of a process stand before it, the name in brackets."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
