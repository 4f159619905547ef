"""In a worker: checkers given as source.

python   check(input, output, expected, *args) -> bool | (bool, str) | float (1.0 is accepted)
testlib  argv input, output, answer; exit 0 accepted, 1 or 2 refused, 7 gives points
         (codeforces.com/testlib)
kattis   argv input, answer, feedback folder, output on standard input; exit 42 accepted, 43
         refused; scores in the feedback folder (the problem package format's output validators).
         With "passes" it may ask for further runs of the program (kinds/stdin)

Once a checker has read an output, nothing that it does is the judge's failure. A crash, an exceeded
limit, an answer of unknown form, and testlib's _fail are WA, with the flag checker_failed. The
problem is at fault if its checker cannot even be loaded, before it reads anything: JE for every
program. The audit shows, once per problem, whether a checker is right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from microcoder_eval.compare.texts import decode_text
from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.languages import PYTHON
from microcoder_eval.worker.expectations import Comparison
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.text_programs import WorkerContext
from microcoder_eval.worker.verdicts import describe_end
from microcoder_sandbox import Outcome, ResourceLimits, RunRequest, codec, protocol

from .programs import LIMITS, CheckerFailedError, JudgeProgram, scale_limits
from .scores import (
    TESTLIB_POINTS_EXIT,
    make_failed_result,
    read_program_result,
    read_returned_result,
)

_MAX_REPLY_BYTES = 1 << 20  # of a checker in Python: a verdict and its reason
_FOLDER_BYTES = 64 << 20
OUTPUT_FILE, _FEEDBACK_FOLDER = "output.txt", "./"
# Exit status -> accepted, per protocol.
_TESTLIB_EXITS = {0: True, 1: False, 2: False, TESTLIB_POINTS_EXIT: True}
_KATTIS_EXITS = {42: True, 43: False}


class SourceChecker:
    """One problem's checker. Raises UnjudgeableError for a protocol that its language lacks."""

    role = "checker"

    def __init__(
        self, context: WorkerContext, spec: Mapping[str, Any], testlib: str | None
    ) -> None:
        self._program = JudgeProgram(context, spec, self.role, testlib)
        self._arguments = tuple(spec.get("args") or ())
        self._protocol = spec.get("protocol") or self._choose_protocol(spec)
        self.accepted_by_exit = _TESTLIB_EXITS if self._protocol == "testlib" else _KATTIS_EXITS
        self.max_passes: int = spec.get("passes") or 1  # runs of the program, for one test
        self._feedback = protocol.HAS_FEEDBACK if self._protocol == "kattis" else 0
        if self.max_passes > 1 or spec.get("checked"):
            self._feedback = protocol.REPORTS_FOLDER
        language = self._program.language
        if self._protocol == "testlib" and language.runtime is not None:
            raise UnjudgeableError(f'protocol "testlib" has no checkers in {language.name}')
        if self._protocol == "python" and language is not PYTHON:
            raise UnjudgeableError(
                f'the checker\'s protocol "python" needs Python, not {language.name}'
            )

    def _choose_protocol(self, spec: Mapping[str, Any]) -> str:
        return "python" if (spec.get("language") or "python") == "python" else "testlib"

    def check_text(
        self, test: TextTest, output: bytes, folder: Mapping[str, bytes] | None
    ) -> Comparison:
        """Judge the output. folder: the files that it finds in its feedback folder. Raises
        UnjudgeableError where the checker cannot be loaded, SandboxError."""
        if self._protocol == "python":
            texts = map(decode_text, (test.input, output, test.output))
            return self._call([*texts, *self._get_extra_arguments(test)])
        folder = folder or {}
        sizes = map(len, (test.input, test.output, output, *folder.values()))
        limits = scale_limits(LIMITS, sum(sizes))
        return self._program.run(
            lambda: self.make_request(test, limits, folder, output), self.read_exit
        )

    def check_value(self, input_value: Any, output: Any, expected: Any) -> Comparison:
        """Judge what a function returned. Raises as ``check_text``, and NotEncodableError."""
        if self._protocol != "python":
            raise UnjudgeableError(
                f'a checker of protocol "{self._protocol}" reads text: this problem has values'
            )
        return self._call([input_value, output, expected, *self._arguments])

    def close(self) -> None:
        """Let go of the checker's memory files."""
        self._program.close()

    def _call(self, arguments: list[Any]) -> Comparison:
        encoded = codec.to_json(arguments)
        return self._program.call(
            encoded, LIMITS, lambda outcome: self._refuse_failure(_read_reply, outcome)
        )

    def read_exit(self, outcome: Outcome) -> Comparison:
        """Return what it says by its exit."""
        return self._refuse_failure(self._interpret_exit, outcome)

    def _refuse_failure(
        self, read: Callable[[Outcome], Comparison], outcome: Outcome
    ) -> Comparison:
        """Return what ``read`` makes of an outcome; a failure of the checker refuses the output."""
        try:
            return read(outcome)
        except CheckerFailedError as error:
            return make_failed_result(f"the {self.role} failed: {error}", outcome)

    def _interpret_exit(self, outcome: Outcome) -> Comparison:
        accepted = self.classify_exit(outcome)
        if accepted is not None:
            return read_program_result(self._protocol, accepted, outcome)
        failure = describe_end(outcome)
        if outcome.killed is None:
            meanings = self.accepted_by_exit.items()
            words = [f"{code} {'accepts' if known else 'refuses'}" for code, known in meanings]
            failure += f"; in protocol {self._protocol} {', '.join(words)}"
        raise CheckerFailedError(failure)

    def classify_exit(self, outcome: Outcome) -> bool | None:
        """Whether a run of it accepted, None if it failed."""
        return None if outcome.killed else self.accepted_by_exit.get(outcome.exit_code)

    def make_request(
        self,
        test: TextTest,
        limits: ResourceLimits,
        folder: Mapping[str, bytes],
        output: bytes | None = None,
    ) -> RunRequest:
        """Return the request of a run. folder: the files in its feedback folder. output: what it
        judges, None if it runs as an interactor."""
        program = self._program.prepare()
        is_kattis = self._protocol == "kattis"
        files = [test.input, test.output]
        options: dict[str, Any] = {}
        if output is not None and not is_kattis:  # kattis reads it from standard input
            files.append(output)
        if self._program.language is PYTHON:
            paths: tuple[str, ...] = (*protocol.INPUT_FILES, OUTPUT_FILE)
            folder = {**folder, **dict(zip(paths, files, strict=False))}
            folder_bytes = _choose_folder_bytes(folder)
        else:
            paths = (*protocol.FILE_PATHS[: len(files)], OUTPUT_FILE)[:3]
            # A runtime leaves room for two files.
            folder_bytes = 0 if len(files) == len(paths) else _FOLDER_BYTES
            options = {"memory_files": files}
        input_path, answer_path, output_path = paths
        own_arguments = (
            (input_path, answer_path, _FEEDBACK_FOLDER)
            if is_kattis
            else (input_path, output_path, answer_path)
        )
        return program.make_request(
            replace(limits, folder_bytes=folder_bytes),
            (output or b"") if is_kattis else b"",
            arguments=(*own_arguments, *self._get_extra_arguments(test)),
            files=folder,
            feedback=self._feedback,
            **options,
        )

    def _get_extra_arguments(self, test: TextTest) -> tuple[str, ...]:
        return self._arguments if test.checker_args is None else test.checker_args


def _choose_folder_bytes(files: Mapping[str, bytes]) -> int:
    """Return twice the size of the files, in few steps: each size needs a server of its own."""
    needed_bytes, folder_bytes = 2 * sum(map(len, files.values())), _FOLDER_BYTES
    while folder_bytes < needed_bytes:
        folder_bytes *= 2
    return folder_bytes


def _read_reply(outcome: Outcome) -> Comparison:
    """Return what ``check`` returned. Raises CheckerFailedError."""
    tag, body = outcome.result[:1], outcome.result[1:]
    if outcome.exit_code == 0 and tag == protocol.UNSENDABLE:
        reason = body.decode(errors="replace").strip('"')[:200]
        raise CheckerFailedError(f"its answer is not a bool, (bool, str) or float: {reason}")
    if outcome.exit_code != 0 or tag != protocol.VALUE:
        raise CheckerFailedError(describe_end(outcome))
    # The checker may return a text that the candidate printed.
    if len(body) > _MAX_REPLY_BYTES:
        raise CheckerFailedError("its answer is too long")
    try:
        value = codec.from_json(json.loads(body))
    except (ValueError, RecursionError, TypeError, OverflowError) as error:
        raise CheckerFailedError(f"its answer: {type(error).__name__}") from None
    return read_returned_result(value)
