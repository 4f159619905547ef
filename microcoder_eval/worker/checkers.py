"""In a worker: checkers given as source. They run sandboxed, on servers that never run solutions.

python   check(input, output, expected, *args) -> bool | (bool, str) | float (1.0 is accepted)
testlib  argv input, output, answer; exit 0 accepted, 1 or 2 refused, 7 gives points
         (codeforces.com/testlib)
kattis   argv input, answer, feedback folder, output on standard input; exit 42 accepted, 43
         refused; scores in the feedback folder (the problem package format's output validators).
         With "passes" it may ask for further runs of the program (passes.py)

Once a checker has read an output, nothing that it does is the judge's failure. A crash, an exceeded
limit, an answer of unknown form, and testlib's _fail are WA, with the flag checker_failed. The
problem is at fault if its checker cannot even be loaded, before it reads anything: JE for every
program. The audit shows, once per problem, whether a checker is right.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_eval.errors import CompileError, UnjudgeableError
from microcoder_eval.languages import PYTHON, find_language, precompile_testlib
from microcoder_sandbox import (
    CHECKER,
    NATIVE_CHECKER,
    Outcome,
    Program,
    ResourceLimits,
    RunRequest,
    Sandbox,
    codec,
    encode_job,
    make_binary_request,
    make_call_request,
    make_script_request,
    protocol,
    sealed_memfd,
)

from .binaries import Binaries
from .loading import Loader
from .messages import TextTest
from .program_files import gather_files, includes_testlib
from .retry import with_retries
from .scores import (
    TESTLIB_POINTS_EXIT,
    CheckerFailedError,
    CheckResult,
    make_failed_result,
    read_program_result,
    read_returned_result,
)
from .verdicts import get_last_line, require_confined

_MAX_REPLY_BYTES = 1 << 20  # of a checker in Python: a verdict and its reason
LIMITS = ResourceLimits(
    cpu_seconds=10.0, wall_seconds=40.0, memory_bytes=1 << 30, output_bytes=16 << 20
)
_MEMORY_SHARE = 16  # memory per byte that a checker is given, where that is more than LIMITS has
_FOLDER_BYTES = 64 << 20
_INPUT_FILE, _ANSWER_FILE = protocol.INPUT_FILES
OUTPUT_FILE, _FEEDBACK_FOLDER = "output.txt", "./"
# Exit status -> accepted, per protocol.
_TESTLIB_EXITS = {0: True, 1: False, 2: False, TESTLIB_POINTS_EXIT: True}
_KATTIS_EXITS = {42: True, 43: False}


class WorkerContext:
    """What all problems of a worker share: its sandbox and its compiled programs."""

    def __init__(self, sandbox: Sandbox, cache: str = "", prepared: str = "") -> None:
        self.sandbox = sandbox
        self.binaries = Binaries(sandbox, cache, prepared)
        self.loader = Loader(sandbox, LIMITS)

    def make_checker(self, spec: Mapping[str, Any], testlib: str | None) -> SourceChecker:
        """Return the checker of a problem. Raises UnjudgeableError when it cannot be used."""
        is_python = (spec.get("language") or "python") == "python"
        return SourceChecker(self, spec, "python" if is_python else "testlib", testlib)


class SourceChecker:
    """One problem's checker."""

    def __init__(
        self,
        context: WorkerContext,
        spec: Mapping[str, Any],
        default_protocol: str,
        testlib: str | None,
    ) -> None:
        language = find_language(str(spec.get("language") or "python")) or PYTHON
        self._context = context
        self._files = gather_files(
            language, spec["source"], spec.get("file") or "", spec.get("files")
        )
        self._arguments = tuple(spec.get("args") or ())
        self._language = language
        self._protocol = spec.get("protocol") or default_protocol
        self.max_passes: int = spec.get("passes") or 1  # runs of the program, for one test
        self._feedback = protocol.HAS_FEEDBACK if self._protocol == "kattis" else 0
        if self.max_passes > 1 or spec.get("checked"):
            self._feedback = protocol.REPORTS_FOLDER
        self._testlib = testlib
        self._program: Program | None = None
        if self._protocol == "testlib" and language.runtime is not None:
            raise UnjudgeableError(f'protocol "testlib" has no checkers in {language.name}')
        if self._protocol == "python" and language is not PYTHON:
            raise UnjudgeableError(
                f'the checker\'s protocol "python" needs Python, not {language.name}'
            )

    def check_text(
        self, test: TextTest, output: bytes, folder: Mapping[str, bytes] | None = None
    ) -> CheckResult:
        """Judge the output. folder: the files that it finds in its feedback folder. Raises
        UnjudgeableError where the checker cannot be loaded, SandboxError."""
        if self._protocol == "python":
            texts = map(_decode_text, (test.input, output, test.output))
            return self._run_function([*texts, *self._get_extra_arguments(test)])
        return self._run_program(test, output, folder or {})

    def check_value(self, input_value: Any, output: Any, expected: Any) -> CheckResult:
        """Judge what a function returned. Raises as ``check_text``, and NotEncodableError."""
        if self._protocol != "python":
            raise UnjudgeableError(
                f'a checker of protocol "{self._protocol}" reads text: this problem has values'
            )
        return self._run_function([input_value, output, expected, *self._arguments])

    def close(self) -> None:
        """Let go of the checker's memory files."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def _run_function(self, arguments: list[Any]) -> CheckResult:
        job = {
            "entry": "check",
            "class_first": False,
            "args": codec.to_json(arguments),
            "kwargs": {},
            "hints": None,
        }
        text = encode_job(job)
        program, limits = self._load_program(len(arguments)), _limits(len(text))
        arguments_fd = sealed_memfd(text, "arguments")

        def run() -> Outcome:
            request = make_call_request(program, arguments_fd, limits, profile=CHECKER)
            return self._context.sandbox.run(request)

        try:
            return self._conclude(run, _read_reply)
        finally:
            os.close(arguments_fd)

    def _run_program(
        self, test: TextTest, output: bytes, folder: Mapping[str, bytes]
    ) -> CheckResult:
        limits = _limits(sum(map(len, (test.input, test.output, output, *folder.values()))))

        def run() -> Outcome:
            request, descriptors = self.make_request(test, limits, folder, output)
            try:
                return self._context.sandbox.run(request)
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)

        return self._conclude(run, self._read_exit)

    def _conclude(
        self, run: Callable[[], Outcome], read: Callable[[Outcome], CheckResult]
    ) -> CheckResult:
        """Run the checker and return what it says; a failure of its own refuses the output."""

        def conclude(outcome: Outcome) -> CheckResult:
            require_confined(outcome)
            try:
                return read(outcome)
            except CheckerFailedError as error:
                return make_failed_result(f"the checker failed: {error}", outcome)

        return with_retries(self._context.sandbox, run, conclude)

    def _read_exit(self, outcome: Outcome) -> CheckResult:
        accepted = self.classify_exit(outcome)
        if accepted is not None:
            return read_program_result(self._protocol, accepted, outcome)
        failure = describe_failure(outcome)
        if outcome.killed is None:
            meanings = self.accepted_by_exit.items()
            words = [f"{code} {'accepts' if known else 'refuses'}" for code, known in meanings]
            failure += f"; in protocol {self._protocol} {', '.join(words)}"
        raise CheckerFailedError(failure)

    def classify_exit(self, outcome: Outcome) -> bool | None:
        """Whether a run of it accepted; None: it failed."""
        return None if outcome.killed else self.accepted_by_exit.get(outcome.exit_code)

    def read_interactor(self, outcome: Outcome) -> CheckResult:
        """Return what it says after a run as an interactor."""
        try:
            return self._read_exit(outcome)
        except CheckerFailedError as error:
            return make_failed_result(f"the interactor failed: {error}", outcome)

    @property
    def accepted_by_exit(self) -> Mapping[int, bool]:
        """Exit status -> accepted."""
        return _TESTLIB_EXITS if self._protocol == "testlib" else _KATTIS_EXITS

    def make_request(
        self,
        test: TextTest,
        limits: ResourceLimits,
        folder: Mapping[str, bytes],
        output: bytes | None = None,
    ) -> tuple[RunRequest, list[int]]:
        """Return the request of a run, and files to be closed after it. folder: the files in its
        feedback folder. output: what it judges; None: it runs as an interactor."""
        # kattis reads the output from standard input, testlib from a file.
        stdin = (output or b"") if self._protocol == "kattis" else b""
        extra_files = [] if output is None or self._protocol == "kattis" else [output]
        if self._language is PYTHON:
            files = {**folder, _INPUT_FILE: test.input, _ANSWER_FILE: test.output}
            if extra_files:
                files[OUTPUT_FILE] = extra_files[0]
            request = make_script_request(
                self._load_program(),
                stdin,
                limits,
                profile=CHECKER,
                folder_bytes=_choose_folder_bytes(files),
                arguments=self._build_arguments(test, _INPUT_FILE, OUTPUT_FILE, _ANSWER_FILE),
                files=files,
                feedback=self._feedback,
            )
            return request, []
        binary = self._compile()
        descriptors = [sealed_memfd(data) for data in (test.input, test.output, *extra_files)]
        request = make_binary_request(
            binary,
            self._build_arguments(test, "{0}", "{2}" if extra_files else OUTPUT_FILE, "{1}"),
            stdin,
            limits,
            files=descriptors,
            profile=NATIVE_CHECKER,
            # A runtime leaves room for two files.
            folder_bytes=0 if extra_files else _FOLDER_BYTES,
            folder_files=folder,
            feedback=self._feedback,
        )
        return request, descriptors

    def _build_arguments(
        self, test: TextTest, input_path: str, output_path: str, answer_path: str
    ) -> Sequence[str]:
        extra = self._get_extra_arguments(test)
        if self._language is not PYTHON:  # there braces stand for the paths of files
            extra = tuple(map(escape_braces, extra))
        if self._protocol == "kattis":
            return (input_path, answer_path, _FEEDBACK_FOLDER, *extra)
        return (input_path, output_path, answer_path, *extra)

    def _get_extra_arguments(self, test: TextTest) -> tuple[str, ...]:
        return self._arguments if test.checker_args is None else test.checker_args

    def _load_program(self, argument_count: int | None = None) -> Program:
        if self._program is None:
            self._program = self._context.loader.load(
                self._files, "checker", argument_count=argument_count
            )
        return self._program

    def _compile(self) -> Any:
        files, others = self._files, dict(self._files.others)
        texts = (files.source, *others.values())
        if "testlib.h" not in others and includes_testlib(texts):
            if self._testlib is None:
                raise UnjudgeableError(
                    "the checker needs testlib.h: say where it is (--testlib PATH, testlib=)"
                )
            others["testlib.h"] = self._testlib
        try:
            # The caller's own text, or the problem's: a candidate's files come nowhere near it.
            testlib = precompile_testlib(others["testlib.h"]) if "testlib.h" in others else None
            return self._context.binaries.get(
                files.source, self._language, others, files.main, testlib
            )
        except CompileError as error:
            raise UnjudgeableError(f"the checker does not compile: {error}") from error


def _choose_folder_bytes(files: Mapping[str, bytes]) -> int:
    """Twice the size of the files, in few steps: each folder size needs a server of its own."""
    needed_bytes, folder_bytes = 2 * sum(map(len, files.values())), _FOLDER_BYTES
    while folder_bytes < needed_bytes:
        folder_bytes *= 2
    return folder_bytes


def _limits(given_bytes: int) -> ResourceLimits:
    """Return the limits of a checker, with memory for inputs of that size: outputs may be large."""
    return replace(LIMITS, memory_bytes=max(LIMITS.memory_bytes, _MEMORY_SHARE * given_bytes))


def _decode_text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _read_reply(outcome: Outcome) -> CheckResult:
    """Return what ``check`` returned. Raises CheckerFailedError."""
    tag, body = outcome.result[:1], outcome.result[1:]
    if outcome.exit_code == 0 and tag == b"X":  # call.NOT_PLAIN
        reason = body.decode(errors="replace").strip('"')[:200]
        raise CheckerFailedError(f"it answers no bool, (bool, str) or float: {reason}")
    if outcome.exit_code != 0 or tag != b"V":
        raise CheckerFailedError(describe_failure(outcome))
    # The checker may return a text that the candidate printed.
    if len(body) > _MAX_REPLY_BYTES:
        raise CheckerFailedError("it answered at length")
    try:
        value = codec.from_json(json.loads(body))
    except (ValueError, RecursionError, TypeError, OverflowError) as error:
        raise CheckerFailedError(f"its answer: {type(error).__name__}") from None
    return read_returned_result(value)


def escape_braces(argument: str) -> str:
    """Braces stand for the paths of files in a binary's arguments."""
    return argument.replace("{", "{{").replace("}", "}}")


def describe_failure(outcome: Outcome) -> str:
    """Return how a checker, an interactor or a grader failed."""
    if outcome.killed is not None:
        return f"stopped at its {outcome.killed} limit"
    message = get_last_line(outcome.stderr)
    return f"exit status {outcome.exit_code}{f' ({message})' if message else ''}"
