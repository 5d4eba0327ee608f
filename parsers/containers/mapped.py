"""Files mapped to memory that others may change meanwhile: an error of ours, not the end of us.

Bytes behind the end of a mapped file that was cut short raise the signal SIGBUS, which ends a
process. On Linux a handler puts zeros there and notes the file; who has read it asks `check` and
takes nothing of it. Linux man pages: mmap(2), section Errors; sigaction(2), the siginfo_t argument.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import stat
import sys
import threading
import weakref
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.errors import DumpError, near
from imsperf.parsers.kernels.loads import I64, U8, read_only

_SLOTS = 256  # mapped files that are watched at a time
_BEGIN, _END, _CUT = range(3)  # columns of a slot: addresses, and whether zeros were put there
_slots: I64 = np.zeros((_SLOTS, 3), np.int64)
_lock = threading.Lock()

_AGAIN = "wait until it is complete, then start again; nothing was taken from it"


@dataclass(frozen=True)
class Watch:
    """A file as it was when it was opened."""

    path: Path
    known: os.stat_result
    data: mmap.mmap | None = None  # kept, and with it the slot
    slot: int | None = None

    def check(self) -> None:
        """Raises DumpError where the file is no longer what it was."""
        if what := self._change():
            raise DumpError(
                f"{self.path}: was {what} while it was read", _AGAIN, path=self.path, cause="other"
            )

    def _change(self) -> str:
        if self.slot is not None and _slots[self.slot, _CUT]:
            return "cut short"
        try:
            now = self.path.stat()
        except OSError:
            return "removed"
        if (now.st_dev, now.st_ino) != (self.known.st_dev, self.known.st_ino):
            return "replaced"
        if now.st_size != self.known.st_size:
            return f"changed from {self.known.st_size:,} to {now.st_size:,} bytes"
        return "" if now.st_mtime_ns == self.known.st_mtime_ns else "written to"


def mapped(path: Path) -> tuple[U8, Watch]:
    """The bytes of a file, none where it is empty. Raises DumpError where it cannot be read."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise DumpError(f"{path}: found a directory, expected a file", "name the files in it")
        if not stat.S_ISREG(kind):  # opening a pipe waits for who writes into it
            raise DumpError(
                f"{path}: found a pipe or a device, expected a file",
                "give - as the file and the bytes on standard input",
                path=path,
            )
        with path.open("rb") as file:
            known = os.fstat(file.fileno())
            if not known.st_size:
                return np.zeros(0, np.uint8), Watch(path, known)
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # a name with a zero byte, a file emptied meanwhile
        raise unreadable(path, error) from error
    buffer = read_only(np.frombuffer(data, np.uint8))
    return buffer, Watch(path, known, data, _watched(data, buffer))


def unreadable(path: Path, error: OSError | ValueError) -> DumpError:
    """What a system says of a file, in our words."""
    if isinstance(error, FileNotFoundError):
        if path.is_symlink():
            reason = f"a link to {path.readlink()}, which is not there"
            return DumpError(f"{path}: cannot be read: {reason}", "name a file", path=path)
        return DumpError(f"{path}: no such file", _near(path), path=path)
    reason = getattr(error, "strerror", None) or str(error)
    return DumpError(f"{path}: cannot be read: {reason}", "check the name", path=path)


def _near(path: Path) -> str:
    """A file of a like name in the folder, if there is one."""
    folder = path.parent
    names = islice((entry.name for entry in folder.iterdir()), 1000) if folder.is_dir() else ()
    return near(path.name, names) or "check the name"


def _watched(data: mmap.mmap, buffer: U8) -> int | None:
    """The slot of a mapped file; None where it is not watched."""
    begin, pages = int(buffer.ctypes.data), -(-buffer.size // mmap.PAGESIZE)
    with _lock:
        free = np.flatnonzero(_slots[:, _BEGIN] == 0)
        if not _is_guarded() or not len(free):
            return None
        slot = int(free[0])
        _slots[slot] = begin, begin + pages * mmap.PAGESIZE, 0
    weakref.finalize(data, _forget, slot)
    return slot


def _forget(slot: int) -> None:
    _slots[slot, _BEGIN] = _slots[slot, _END] = 0


# --- the handler ---------------------------------------------------------------------------------

_SI_ADDR = 16  # offset in siginfo_t of the address that could not be read
_SIGACTION_BYTES, _FLAGS_AT, _SA_SIGINFO = 152, 136, 4  # struct sigaction of glibc and musl
_PROT_READ, _PRIVATE_FIXED_ANONYMOUS = 1, 0x32


@cache
def _is_guarded() -> bool:
    """Install the handler, once; False where it cannot be."""
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return False
    try:
        old = ctypes.create_string_buffer(_SIGACTION_BYTES)
        new = ctypes.create_string_buffer(_SIGACTION_BYTES)
        code, address = _compiled(ctypes.addressof(old))
        ctypes.c_void_p.from_buffer(new).value = address
        ctypes.c_int.from_buffer(new, _FLAGS_AT).value = _SA_SIGINFO
        failed = ctypes.CDLL(None).sigaction(int(signal.SIGBUS), new, old)
    except (ImportError, OSError, AttributeError, RuntimeError):
        return False
    _kept.extend((code, old))
    return not failed


_kept: list[Any] = []  # what the handler uses must not go


def _compiled(old: int) -> tuple[Any, int]:
    """The handler as machine code; a signal may come where Python cannot run."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(_handler(old)), machine)
    engine.finalize_object()
    return engine, engine.get_function_address(_NAME)


_NAME = "imsperf_sigbus"


def _handler(old: int) -> str:
    """handler(number, info, context) in LLVM's language.

    An address in a slot gets zeros from its page to the end of the slot, which is marked; for any
    other address the action `old` of before is put back, and the signal comes again.
    """
    from llvmlite import ir

    word, number = ir.IntType(64), ir.IntType(32)
    pointer = ir.IntType(8).as_pointer()
    module = ir.Module("mapped")
    arguments = (number, pointer, pointer)
    action = ir.Function(module, ir.FunctionType(number, arguments), "sigaction")
    handler = ir.Function(module, ir.FunctionType(ir.VoidType(), arguments), _NAME)
    entry, look, after, hit, other = (handler.append_basic_block() for _ in range(5))
    build = ir.IRBuilder(entry)

    def place(at: Any, by: int) -> Any:
        return build.inttoptr(build.add(at, word(by)), word.as_pointer())

    address = build.load(place(build.ptrtoint(handler.args[1], word), _SI_ADDR))
    build.branch(look)
    build.position_at_end(look)  # at each slot
    slot = build.phi(word)
    begin, end = (build.load(place(slot, 8 * column)) for column in (_BEGIN, _END))
    below = build.icmp_unsigned("<", address, end)
    build.cbranch(build.and_(build.icmp_unsigned("<=", begin, address), below), hit, after)
    build.position_at_end(after)
    following = build.add(slot, word(_slots.strides[0]))
    first = int(_slots.ctypes.data)
    build.cbranch(build.icmp_unsigned("==", following, word(first + _slots.nbytes)), other, look)
    slot.add_incoming(word(first), entry)
    slot.add_incoming(following, after)
    build.position_at_end(hit)
    _map_zeros(build, module, address, end)
    build.store(word(1), place(slot, 8 * _CUT))
    build.ret_void()
    build.position_at_end(other)
    before, nothing = (build.inttoptr(word(at), pointer) for at in (old, 0))
    build.call(action, (handler.args[0], before, nothing))
    build.ret_void()
    return str(module)


def _map_zeros(build: Any, module: Any, address: Any, end: Any) -> None:
    """Call mmap for the pages from that of the address to `end`."""
    from llvmlite import ir

    word, number = ir.IntType(64), ir.IntType(32)
    pointer = ir.IntType(8).as_pointer()
    kinds = (pointer, word, number, number, number, word)
    mmap_ = ir.Function(module, ir.FunctionType(pointer, kinds), "mmap")
    page = build.and_(address, word(-mmap.PAGESIZE))
    how = (number(_PROT_READ), number(_PRIVATE_FIXED_ANONYMOUS), number(-1), word(0))
    build.call(mmap_, (build.inttoptr(page, pointer), build.sub(end, page), *how))
