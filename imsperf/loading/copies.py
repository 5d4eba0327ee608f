"""Processes of a load that are copies of the process which loads.

A copy has all that was imported and read; processes that are started otherwise import and read it
anew. Only a process without threads, with nothing open, can be copied. The command `imsperf load`
copies itself. A program may have threads: it starts one process for the load, and that one copies
itself. Nothing of the program is imported there.

This module imports nothing heavy, nor does `imsperf.load` before it starts a process: the program
waits only. The two processes talk by pickles: the program writes the search path of modules and a
call, then reads pairs, of a name and what is told by it, until one is "done" or "failed".
"""

from __future__ import annotations

import glob
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from importlib import import_module
from multiprocessing.connection import wait as wait_for
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING, Any

from imsperf.errors import ImsperfError

if TYPE_CHECKING:
    from imsperf.layouts import Layouts
    from imsperf.loading.loaded_file import LoadedFile

# Bytes below which a processor takes longer to start a process, which imports all that reading
# takes, than a fifth of what it takes to read them.
_WORTH = 300_000_000
_START = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from imsperf.api import load
from imsperf.loading.copies import answer
answer(load)
"""

_TOLD = "progress", "passed_over"  # options that are functions of the program

_copies: ContextVar[tuple[ProcessPoolExecutor | None, Layouts] | None]
_copies = ContextVar("copies", default=None)


# --- copies of this process ----------------------------------------------------------------------


@contextmanager
def copied(jobs: int) -> Iterator[None]:
    """Processes for the load inside that are copies of this one, which must have no threads and
    nothing open. Where the system is not Linux the load starts others."""
    from imsperf import layouts

    with _copies_of_this(jobs) if sys.platform == "linux" else nullcontext() as pool:
        token = _copies.set((pool, layouts.current()))
        try:
            yield
        finally:
            _copies.reset(token)


@contextmanager
def _copies_of_this(jobs: int) -> Iterator[ProcessPoolExecutor]:
    from imsperf import layouts

    import_module("imsperf.loading.preloaded")  # what they have
    fork, user = multiprocessing.get_context("fork"), layouts.current()
    with ProcessPoolExecutor(jobs, fork, begin, (user,)) as pool:
        pool.submit(os.getpid)  # the first task starts them all
        yield pool


def is_copied() -> bool:
    """Whether this is the process of a load by several."""
    return _copies.get() is not None


def copies() -> ProcessPoolExecutor | None:
    """The copies of this process, if there are any with the layouts that are in use."""
    from imsperf import layouts

    pool, of = _copies.get() or (None, None)
    return pool if of is layouts.current() else None


def begin(user: Layouts) -> None:
    """In a new process: the layouts of the user stand there too; it ends when its parent does."""
    from imsperf import layouts

    threading.Thread(target=_end_with_parent, daemon=True).start()
    layouts.using(user).__enter__()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)


# --- in a program --------------------------------------------------------------------------------


def are_worth_it(paths: Sequence[str | Path]) -> bool:
    """Whether files, those in folders and those of patterns have so many bytes."""
    files = {file for path in paths for file in _files(Path(path))}
    return sum(file.stat().st_size for file in files) >= _WORTH


def _files(path: Path) -> Iterable[Path]:
    if path.is_dir():
        return [entry for entry in path.iterdir() if entry.is_file()]
    if path.is_file():
        return [path]
    # Path.glob takes no absolute pattern.
    hits = glob.glob(str(path), recursive=True)  # noqa: PTH207
    return [file for hit in hits for file in _files(Path(hit))]


def load_by_copies(
    paths: Sequence[str | Path], lake: str | Path, jobs: int, **options: Any
) -> list[LoadedFile]:
    """`imsperf.load` into a lake by a process that copies itself. Raises what is raised there."""
    told = {name: options.pop(name) for name in _TOLD if options.get(name)}
    layouts = sys.modules.get("imsperf.layouts")  # not imported, they hold none of the user
    user = layouts.current() if layouts else None
    given = list(paths), lake, jobs, options, list(told), user
    written = pickle.dumps(sys.path) + pickle.dumps(given)
    process = subprocess.Popen(
        [sys.executable, "-c", _START], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdin and process.stdout
        try:
            with suppress(BrokenPipeError):  # then there is no answer
                process.stdin.write(written)
                process.stdin.flush()
            for name, value in _answers(process.stdout):
                if name in told:
                    told[name](*value)
                    continue
                process.wait()
                if name == "failed":
                    raise value
                return list(value)
            raise ImsperfError(
                f"found the process of the load ended with {process.wait()}, expected its answer",
                "look for what ends it, memory first: fewer jobs, or `memory`",
            )
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()  # where it has not ended, it cleans up and ends
            process.wait()


def _answers(stream: IO[bytes]) -> Iterator[tuple[str, Any]]:
    with suppress(EOFError):
        while True:
            yield pickle.load(stream)


# --- in the process of the load ------------------------------------------------------------------


def answer(load: Callable[..., list[LoadedFile]]) -> None:
    """Answer one call of `load`; stop as by Ctrl-C when the program closes the pipe of calls."""
    from imsperf import layouts

    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what others may print is no answer
    signal.signal(signal.SIGINT, _stop)

    def say(name: str, value: object) -> None:
        answers.write(pickle.dumps((name, value)))
        answers.flush()

    paths, lake, jobs, options, told, user = pickle.load(calls)
    for name in told:
        options[name] = lambda *value, name=name: say(name, value)
    try:
        with layouts.using(user or layouts.SHIPPED), copied(jobs):
            threading.Thread(target=_stop_with_program, args=(calls,), daemon=True).start()
            done = load(paths, lake, jobs=jobs, **options)
    except KeyboardInterrupt:
        os._exit(130)
    except BaseException as error:
        if not isinstance(error, ImsperfError):
            error.add_note("".join(traceback.format_tb(error.__traceback__)))
        say("failed", error)
    else:
        say("done", done)
    os._exit(0)


def _stop(number: int, frame: FrameType | None) -> None:
    """Ctrl-C comes from the terminal and from the program; one of both is enough."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _stop_with_program(calls: IO[bytes]) -> None:
    calls.read()
    if hasattr(signal, "pthread_kill"):
        main_thread = threading.main_thread().ident
        assert main_thread is not None
        signal.pthread_kill(main_thread, signal.SIGINT)
    else:
        os._exit(1)  # the next load cleans up
