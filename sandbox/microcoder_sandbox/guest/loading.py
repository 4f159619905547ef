"""What a program finds when it begins: its code, its module, its files and its streams."""

from __future__ import annotations

import builtins
import ctypes
import fcntl
import io
import marshal
import mmap
import os
import sys
from builtins import memoryview
from types import CodeType

from microcoder_sandbox.wire import light_json, protocol
from microcoder_sandbox.wire.light_record import Any
from microcoder_sandbox.wire.protocol import Request

FILE_NAME = "solution.py"
F_ADD_SEALS, F_GET_SEALS, ALL_SEALS = 1033, 1034, 0x1 | 0x2 | 0x4 | 0x8
_COPIED_BYTES = 1 << 20  # copied at a time
_STREAM_NAMES = (("stdin", "__stdin__"), ("stdout", "__stdout__"), ("stderr", "__stderr__"))
_STREAM_MODES = ("r", "w", "w")

_compile = ctypes.pythonapi.Py_CompileStringExFlags
_compile.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
_compile.restype = ctypes.py_object
_FILE_INPUT = 257

ModuleType = type(sys)
_pread, _lseek, _write = os.pread, os.lseek, os.write  # now: a program may assign others later
_SEEK_END = os.SEEK_END


def compile_program(source: bytes, name: str) -> CodeType:
    """Return the result of ``compile(source, name, "exec", dont_inherit=True)``, 0.9 ms sooner.

    The built-in function checks whether its argument is a syntax tree; for that it makes some
    hundred types in every child that compiles. The C function does not check.
    """
    if 0 in source:  # to look for b"\0" makes an exception, and touches its pages
        raise SyntaxError("source code string cannot contain null bytes")
    code: CodeType = _compile(source, name.encode(), _FILE_INPUT, None, -1)
    return code


def load_program(request: Request, setup_notes: mmap.mmap) -> CodeType:
    """Return the program's code object: compiled here, or by an earlier child of the same program.

    The cache is sealed before the program runs, so that a program cannot write to it. A cache
    without seals is incomplete: its writer was killed, or the code is larger than a file may be.
    """
    code_fd, cache_fd = request.descriptors.code, request.descriptors.cache
    if cache_fd >= 0 and fcntl.fcntl(cache_fd, F_GET_SEALS) == ALL_SEALS:
        code: CodeType = marshal.loads(read_file(cache_fd))
        return code
    source = read_file(code_fd)
    setup_notes[protocol.PHASE] = protocol.COMPILING
    code = compile_program(source, FILE_NAME)
    # A failure between here and the program's first line is the judge's.
    setup_notes[protocol.PHASE] = protocol.SETUP
    if cache_fd >= 0 and _keeps_orders(code):
        data = marshal.dumps(code)
        if os.pwrite(cache_fd, data, 0) == len(data):
            fcntl.fcntl(cache_fd, F_ADD_SEALS, ALL_SEALS)
    return code


def read_file(descriptor: int) -> bytes:
    """Return what a memory file holds."""
    return _pread(descriptor, _lseek(descriptor, 0, _SEEK_END), 0)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the bytes, as a pipe takes them. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[_write(descriptor, view) :]


def _keeps_orders(code: CodeType) -> bool:
    """Return whether every set among the constants keeps its order of iteration through marshal.

    Marshal sorts the members. ``for x in {8, 0, 24}`` iterates over such a constant.
    """
    pending = [code]
    for part in pending:
        for constant in part.co_consts:
            if type(constant) is type(code):
                pending.append(constant)
            elif type(constant) is frozenset and _changes_order(constant):
                return False
    return True


def _changes_order(members: frozenset[Any]) -> bool:
    return list(marshal.loads(marshal.dumps(members))) != list(members)


def create_program_module(name: str) -> dict[str, Any]:
    """Return the namespace of a new module for the program, which is also registered as
    __main__."""
    module = ModuleType(name)
    namespace: dict[str, Any] = module.__dict__
    namespace["__builtins__"] = builtins
    namespace["__file__"] = FILE_NAME
    namespace["__cached__"] = None
    sys.modules["__main__"] = module
    if name != "__main__":
        sys.modules[name] = module
    sys.argv = [FILE_NAME]
    return namespace


def unpack_job(descriptor: int) -> dict[str, Any]:
    """Return the job in a file, write the job's files to the current folder, and close it.

    The file holds a line of JSON, of which ``files`` is {name: size}, then the contents of these
    files, which may be larger than the program's memory.
    """
    with open(descriptor, "rb") as job_file:
        job_file.seek(0)
        job: dict[str, Any] = light_json.loads(job_file.readline().decode().rstrip())
        for name, size in job["files"].items():
            if "/" in name:
                os.makedirs(os.path.dirname(name), exist_ok=True)
            with open(name, "wb") as file:
                while size:
                    size -= file.write(job_file.read(min(size, _COPIED_BYTES)))
    return job


def cache_source_lines(code_fd: int) -> None:
    """Let inspect and traceback find the program's lines, which are in no file."""
    import linecache

    text = read_file(code_fd).decode(errors="replace")
    linecache.cache[FILE_NAME] = (len(text), None, text.splitlines(True), FILE_NAME)


def open_stream(number: int) -> None:
    """Build sys.stdin, stdout or stderr on descriptor 0, 1 or 2, as a new interpreter does.

    The server does it before any fork: each child has streams with empty buffers, and needs no
    pages to build them. Source: CPython, pylifecycle.c, create_stdio.
    """
    name, original_name = _STREAM_NAMES[number]
    raw = io.FileIO(number, "w" if number else "r", closefd=False)
    raw.name = f"<{name}>"
    buffered = io.BufferedWriter(raw) if number else io.BufferedReader(raw, 1 << 16)
    text = io.TextIOWrapper(
        buffered,
        "utf-8",
        errors="backslashreplace" if number == 2 else "surrogateescape",
        newline="\n",
        line_buffering=number == 2,
    )
    text.mode = _STREAM_MODES[number]  # type: ignore[misc]
    setattr(sys, name, text)
    setattr(sys, original_name, text)


def reset_stream(number: int) -> None:
    """Let the next test of a program find a standard stream as new. To build one again touches four
    times as many pages: only if the program has closed it, or set attributes of it."""
    name, original_name = _STREAM_NAMES[number]
    stream = getattr(sys, original_name)  # the program may have put another in its place
    is_new = not stream.closed and vars(stream) == {"mode": _STREAM_MODES[number]}
    if not is_new or vars(stream.buffer):
        open_stream(number)
        stream = getattr(sys, original_name)
    if number == 0:
        stream.seek(0, _SEEK_END)  # this empties the buffer
        stream.seek(0)
    setattr(sys, name, stream)
