"""What a child does with its program: run it as a script, or call one function of it.

Functions used after the program ran are bound before it runs, so a program that patches json,
builtins or os changes nothing here. What it could forge in its own process is only a value,
and the value is compared elsewhere, with an answer that was never in this process.
"""

from __future__ import annotations

import builtins
import os
import sys

from . import child, codec, nodes, plain, plainjson, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Callable
    from types import CodeType
    from typing import Any, NoReturn

    Next = tuple[CodeType, dict[str, Any]]
    Finish = Callable[[BaseException | None], Next]
    Main = tuple[CodeType, dict[str, Any], Finish]

VALUE, NOT_PLAIN = b"V", b"X"

_PREAMBLE_MODULES = (
    "typing collections heapq bisect itertools functools math re string random operator copy sys"
)
_PREAMBLE_NAMES = ("typing", "collections", "heapq", "bisect", "itertools", "functools", "math")

_write, _exit, _pread, _fstat = os.write, os._exit, os.pread, os.fstat
_NotEncodable = codec.NotEncodableError
_scan, _encode = plainjson.scan, plainjson.encode


def read_json(descriptor: int) -> Any:
    """The JSON value in a file descriptor, tags translated."""
    text = _pread(descriptor, _fstat(descriptor).st_size, 0).decode()
    value, _end = _scan(text, 0)
    return codec.from_json(value)


def write_json(descriptor: int, lead: bytes, value: Any) -> None:
    """Write a lead byte and a JSON value (plain already)."""
    data = lead + "".join(_encode(value, 0)).encode()
    view = memoryview(data)
    while view:
        view = view[_write(descriptor, view) :]


PREAMBLE: dict[str, Any] = {}
PREAMBLE_MODULES: dict[str, str] = {}  # name in it -> the module it is, or is of


def make_preamble() -> None:
    """Gather the names that answers to call problems use without importing them.

    They are found like built-in functions (the program's ``__builtins__``), so no child copies
    some 250 names into its namespace, and the program's own definitions come first.
    """
    PREAMBLE.update(builtins.__dict__)
    PREAMBLE.update(ListNode=nodes.ListNode, TreeNode=nodes.TreeNode)
    for module in _PREAMBLE_NAMES:
        loaded = sys.modules[module]
        public = getattr(loaded, "__all__", None) or [n for n in dir(loaded) if n[0] != "_"]
        names = [name for name in public if name != "pow"]
        PREAMBLE.update({name: getattr(loaded, name) for name in names})
        PREAMBLE_MODULES.update(dict.fromkeys(names, module))
    modules = {name: sys.modules.get(name) for name in _PREAMBLE_MODULES.split()}
    PREAMBLE.update({name: module for name, module in modules.items() if module is not None})
    PREAMBLE_MODULES.update({name: name for name in modules if modules[name] is not None})


def prepare(request: child.Request, code: CodeType, around: child.Surroundings) -> Main:
    """What to execute, in which namespace, and what to do when it ends (never returns)."""
    notes, mode, traits = around.notes, request.mode, request.traits
    if traits & wire.TAKES_TURNS:
        first = _first_turn(request, code, around)
        if first is not None:
            return first
    _, _, _, code_fd, cache_fd, args_fd, result_fd, _ = request.descriptors
    if traits & wire.TALKS:
        child.listen()
    namespace = child.program_module("__main__" if mode == wire.SCRIPT else "solution")
    if traits & wire.WANTS_LINES:
        child.remember_lines(
            os.pread(code_fd, os.fstat(code_fd).st_size, 0).decode(errors="replace")
        )
    if mode == wire.SCRIPT:
        if args_fd >= 0:
            child.give_arguments(read_json(args_fd))
            os.close(args_fd)
        thorough = bool(traits & wire.LEAVES_SOMETHING)
        finish: Finish = lambda error: child.finish(error, notes, namespace, thorough)  # noqa: E731
    else:
        namespace["__builtins__"] = PREAMBLE
        finish = _after_definitions(request, namespace, args_fd, result_fd, notes)
    os.close(code_fd)
    os.close(cache_fd)
    child.start(around)
    return code, namespace, finish


def _first_turn(request: child.Request, code: CodeType, around: child.Surroundings) -> Main | None:
    from .batch import turns  # loaded already, in every server that runs programs

    first = turns.begin(request, code, around)
    unused = [wire.CODE, wire.CACHE] if first is not None else [wire.PEER]
    for meaning in unused:
        os.close(request.descriptors[meaning])
    return first


def prepare_tests(request: child.Request, around: child.Surroundings) -> Main:
    """Trusted test code instead of a program: nothing to execute first, then the tests."""
    from . import rpc_tests  # loaded already, in the one server that runs tests

    _, _, _, job_fd, _, read_fd, report_fd, write_fd = request.descriptors
    job = read_json(job_fd)
    child.start(around)

    def finish(error: BaseException | None) -> NoReturn:
        rpc_tests.run_tests(
            job["source"], job["assertions"], job["style"], job["entry"], read_fd, write_fd,
            report_fd,
        )  # fmt: skip
        child.finish(error, around.notes, {}, thorough=False)

    return compile("", "tests", "exec"), {}, finish


def _after_definitions(
    request: child.Request,
    namespace: dict[str, Any],
    args_fd: int,
    result_fd: int,
    notes: mmap.mmap,
) -> Finish:
    if request.mode == wire.CALL:
        job = read_job(args_fd, request.traits & wire.NAMES_NODES)
        os.close(args_fd)

        def finish(error: BaseException | None) -> NoReturn:
            _finish_call(error, job, namespace, result_fd, notes)

        return finish

    from . import rpc_candidate  # loaded already, in every server that serves calls

    def finish_serving(error: BaseException | None) -> NoReturn:
        if error is None:
            rpc_candidate.serve(namespace, args_fd, result_fd)
        child.finish(error, notes, namespace, thorough=False)

    return finish_serving


def _finish_call(
    error: BaseException | None,
    job: dict[str, Any],
    namespace: dict[str, Any],
    result_fd: int,
    notes: mmap.mmap,
) -> NoReturn:
    try:
        if error is not None:
            raise error
        answer(job, namespace, result_fd, notes)
        notes[wire.PHASE] = wire.FINISHED
        _exit(0)
    except BaseException as raised:
        child.finish(raised, notes, namespace, thorough=False)


def read_job(descriptor: int, names_nodes: int) -> dict[str, Any]:
    """What to call, and with what."""
    job: dict[str, Any] = read_json(descriptor)
    job["nodes"] = job["hints"] is not None or names_nodes
    return job


def answer(
    job: dict[str, Any], namespace: dict[str, Any], result_fd: int, notes: mmap.mmap
) -> None:
    """Make the call and send what comes of it; does not return where there is nothing to call."""
    function = find_entry(namespace, job["entry"], job["class_first"])
    if function is None:
        notes[wire.PHASE] = wire.NO_ENTRY
        write_json(result_fd, NOT_PLAIN, found(namespace, job["entry"]))
        _exit(child.COMPILE_FAILED)
    hints = nodes.hints_of(function, job["hints"], job["nodes"])
    result = function(*nodes.build(job["args"], hints, namespace), **job["kwargs"])
    if job.get("truth"):
        result = bool(result)  # the assertion asks for no more, and a match object is not plain
    iterables = not job.get("assertion")
    try:
        lead, body = VALUE, plain.encode(nodes.unbuild(result, hints), iterables)
    except _NotEncodable as refused:
        lead, body = NOT_PLAIN, str(refused)
    write_json(result_fd, lead, body)


def find_entry(namespace: dict[str, Any], entry: str, class_first: bool) -> Any:
    """The function to call, bound to a fresh Solution() where it is a method; None: not there.

    Both a class and a function of that name: the class when the problem's starter code has it.
    Not there at all: the only candidate, if there is exactly one.
    """
    holder, _, name = entry.rpartition(".")
    cls = namespace.get(holder or "Solution")
    method = cls if isinstance(cls, type) and callable(getattr(cls, name, None)) else None
    function = namespace.get(name)
    if not callable(function):
        function = None
    # A star import may have brought a function of that name: itertools.count for Solution.count.
    own = getattr(function, "__module__", None) == "solution"
    if method is not None and (not own or class_first or holder):
        return getattr(method(), name)
    if function is not None:
        return function
    candidates = _candidates(namespace)
    if len(candidates) != 1:
        return None
    owner, name = candidates[0]
    return getattr(owner(), name) if owner is not None else namespace[name]


def _candidates(namespace: dict[str, Any]) -> list[tuple[Any, str]]:
    cls = namespace.get("Solution")
    if isinstance(cls, type):
        return [(cls, n) for n, v in vars(cls).items() if callable(v) and not n.startswith("_")]
    function_type = type(_candidates)
    return [
        (None, name)
        for name, value in namespace.items()
        if type(value) is function_type and value.__module__ == "solution"
    ]


def found(namespace: dict[str, Any], entry: str) -> str:
    """The message for an entry point that is not there: what was looked for, what was found."""
    names = [f"Solution.{n}" if owner else n for owner, n in _candidates(namespace)]
    listed = ", ".join(names[:8]) or "no function"
    return f'no entry point "{entry}" (found: {listed})'
