"""Programs that are called: by the host, for one value a test, or by test code. Test code, too.

Only servers whose programs are called load this module. Functions needed after the program has run
are bound before it runs, so a program that patches json, builtins or os changes nothing here. In
its own process a program can forge only a value. Another process compares that value with the
expected answer, which no process of a program holds.
"""

from __future__ import annotations

import mmap
import os
from types import CodeType, CoroutineType

from microcoder_sandbox.wire import (
    builtin_values,
    codec,
    light_json,
    nodes,
    program_names,
    protocol,
)
from microcoder_sandbox.wire.call_job import CallJob
from microcoder_sandbox.wire.light_record import Any, NoReturn
from microcoder_sandbox.wire.protocol import Request

from . import ending, loading, setup
from .batch import Batch, Execution, ExecutionPlan

_VALUE, _UNSENDABLE = protocol.VALUE, protocol.UNSENDABLE

_exit, _close = os._exit, os.close
_read_file, _write_all = loading.read_file, loading.write_all
_NotEncodable = codec.NotEncodableError
_loads, _dumps = light_json.loads, light_json.dumps
_JOB = setup.JOB


def read_json(descriptor: int) -> Any:
    """Return the JSON value in a file descriptor, tags translated."""
    # The values are in a list in the job.
    return codec.from_json(_loads(_read_file(descriptor).decode()), levels=2)


PROGRAM_NAMES: dict[str, Any] = {}


def fill_program_names() -> None:
    """Collect the names that programs find in ``__builtins__``.

    As built-ins they need not be copied into each child's namespace (some 250 names), and the
    program's own definitions take precedence over them.
    """
    PROGRAM_NAMES.update(program_names.gather_names()[0])
    PROGRAM_NAMES.update(nodes.NODE_CLASSES)


class _CalledProgram(Batch):
    NAME = "solution"

    def new_module(self) -> dict[str, Any]:
        """Return the namespace of a fresh module, which finds the names of PROGRAM_NAMES unless the
        problem gives none."""
        namespace = super().new_module()
        if not self._traits & protocol.LACKS_PROGRAM_NAMES:
            namespace["__builtins__"] = PROGRAM_NAMES
        return namespace


class CallBatch(_CalledProgram):
    """Arguments in, a value out."""

    def __init__(self, request: Request, code: CodeType, notes: mmap.mmap) -> None:
        super().__init__(request, code, notes)
        self._result = request.descriptors.result
        self._job: CallJob | None = self._read_job()

    def finish(self, errors: ending.Errors) -> Execution:
        """Make the call and return the next test to execute. Exits if it failed or was the last."""
        assert self._job is not None
        try:
            if not errors:
                perform_call(self._job, self._namespace, self._result, self._notes)
        except BaseException as error:
            errors.append(error)
        if errors:
            ending.exit_process(errors, self._notes, self._namespace, run_finalizers=False)
        self._job = None
        return self.await_next_test()

    def _receive_input(self) -> None:
        super()._receive_input()
        self._job = self._read_job()

    def _read_job(self) -> CallJob:
        """Return the call to make. Its hints are empty where the program's text names a class of
        nodes, but the starter code none."""
        job = CallJob(*read_json(_JOB))
        if self._go == protocol.LAST_TEST:
            _close(_JOB)
        if self._traits & protocol.NAMES_NODES and job.hints is None:
            job = job._replace(hints=nodes.EMPTY_HINTS)
        return job


class ServedProgram(_CalledProgram):
    """A program that answers test code."""

    def __init__(self, request: Request, code: CodeType, notes: mmap.mmap) -> None:
        from . import responder

        super().__init__(request, code, notes)
        self._serve = responder.serve
        self._pipes = request.descriptors.requests, request.descriptors.replies

    def finish(self, errors: ending.Errors) -> NoReturn:
        """Answer requests until the tests end, then exit."""
        if not errors:
            self._serve(self._namespace, *self._pipes)
        ending.exit_process(errors, self._notes, self._namespace, run_finalizers=False)


CLASSES = {protocol.CALL: CallBatch, protocol.SERVE: ServedProgram}


def prepare_tests(request: Request, context: setup.ChildContext) -> ExecutionPlan:
    """Return the plan for trusted test code: there is no program to execute before it."""
    from microcoder_sandbox.test_runner import runner
    from microcoder_sandbox.wire.runner_messages import RunnerJob

    descriptors = request.descriptors
    job = RunnerJob(*read_json(_JOB))
    setup.finish_setup(context)

    def note_request() -> None:
        context.run_notes[protocol.FLAGS] |= protocol.FLAG_ASKED

    def finish(errors: ending.Errors) -> NoReturn:
        runner.run_tests(
            job, descriptors.replies, descriptors.requests, descriptors.result, note_request
        )
        ending.exit_process(errors, context.run_notes, {}, run_finalizers=False)

    return compile("", "tests", "exec"), {}, finish


def perform_call(job: CallJob, namespace: dict[str, Any], result_fd: int, notes: mmap.mmap) -> None:
    """Make the call and send its result. Ends the child if there is no function to call."""
    function = find_entry(namespace, job.entry, job.class_first)
    # A rewritten assertion calls the function that it names, and no other.
    if function is None and not job.is_assertion:
        function = find_only_function(namespace)
        if function is not None:
            notes[protocol.FLAGS] |= protocol.FLAG_OTHER_NAME
    if function is None:
        notes[protocol.PHASE] = protocol.NO_ENTRY
        message = describe_missing_entry(namespace, job.entry)
        _write_all(result_fd, _UNSENDABLE + _dumps(message))
        _exit(ending.COMPILE_FAILED)
    hints = nodes.find_hints(function, job.hints)
    arguments = nodes.build_nodes(job.args, hints, namespace)
    result = function(*arguments, **job.kwargs)
    # An assertion compares what the call returns, as Python does: there, it must be awaited.
    if type(result) is CoroutineType and not job.is_assertion:
        result = __import__("asyncio").run(result)
    if arguments and job.in_place:
        result = arguments[0]
        hints = nodes.Hints([], "".join(hints.parameters[:1])) if hints else None
    if job.is_truth:
        result = bool(result)  # a match object, for one, could not be sent
    iterables = not job.is_assertion
    try:
        lead, body = _VALUE, builtin_values.encode(nodes.flatten_nodes(result, hints), iterables)
    except _NotEncodable as error:
        lead, body = _UNSENDABLE, str(error)
    _write_all(result_fd, lead + _dumps(body))


def find_entry(namespace: dict[str, Any], entry: str, class_first: bool) -> Any:
    """Return the function to call, or a method of a new Solution(); None if there is neither.

    class_first: whether the method wins if a function has the same name. It does if the starter
    code has a class.
    """
    class_name, _, name = entry.rpartition(".")
    cls = namespace.get(class_name or "Solution")
    method = cls if isinstance(cls, type) and callable(getattr(cls, name, None)) else None
    function = namespace.get(name)
    if not callable(function):
        function = None
    # A star import may bind a function of that name: itertools.count for Solution.count.
    is_defined_by_program = getattr(function, "__module__", None) == "solution"
    if method is not None and (not is_defined_by_program or class_first or class_name):
        return getattr(method(), name)
    return function


def find_only_function(namespace: dict[str, Any]) -> Any:
    """Return the only function or method that the program defines; None if there is not exactly
    one."""
    candidates = _find_candidates(namespace)
    if len(candidates) != 1:
        return None
    owner, name = candidates[0]
    return getattr(owner(), name) if owner is not None else namespace[name]


def _find_candidates(namespace: dict[str, Any]) -> list[tuple[Any, str]]:
    cls = namespace.get("Solution")
    if isinstance(cls, type):
        return [(cls, n) for n, v in vars(cls).items() if callable(v) and not n.startswith("_")]
    function_type = type(_find_candidates)
    return [
        (None, name)
        for name, value in namespace.items()
        if type(value) is function_type and value.__module__ == "solution"
    ]


def describe_missing_entry(namespace: dict[str, Any], entry: str) -> str:
    """Return the message for an entry point that is not there: what was looked for, what was
    found."""
    names = [f"Solution.{n}" if owner else n for owner, n in _find_candidates(namespace)]
    shown_names = ", ".join(names[:8]) or "no function"
    return f'no entry point "{entry}" (found: {shown_names})'
