"""In a worker: checkers given as source. They run caged, on servers that never run solutions.

python   check(input, output, expected) -> bool | (bool, str) | float (1.0 is accepted)
testlib  argv input, output, answer; exit 0 accepted, 1 or 2 refused   (codeforces.com/testlib)
kattis   argv input, answer, feedback folder, output on standard input; exit 42 accepted, 43
         refused   (the problem package format's output validators)

Whatever else a checker does is the judge's failure, JE: never a wrong answer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_sandbox import codec
from microcoder_sandbox.cage import (
    CHECKER,
    NATIVE_CHECKER,
    Cage,
    Launch,
    Program,
    memory_file,
)
from microcoder_sandbox.outcome import CageError, Outcome, Phase, ResourceLimits

from .binaries import Binaries, CompileError
from .errors import UnjudgeableError
from .languages import CPP
from .records import Verdict
from .verdicts import Answer, ValueAnswer, harmed_from_outside, last_line

LIMITS = ResourceLimits(
    cpu_seconds=10.0, wall_seconds=40.0, memory_bytes=1 << 30, output_bytes=16 << 20
)
METHOD = "checker"
_FOLDER_BYTES = 64 << 20
_INPUT, _OUTPUT, _ANSWER, _FEEDBACK = "input.txt", "output.txt", "answer.txt", "./"
# Exit status -> accepted, per protocol.
_TESTLIB = {0: True, 1: False, 2: False}
_KATTIS = {42: True, 43: False}


class Checkers:
    """What a worker needs to run source checkers: the cage and the compiled ones."""

    def __init__(self, cage: Cage, cache: str = "") -> None:
        self.cage = cage
        self.binaries = Binaries(cage, cache)

    def checker(self, spec: Mapping[str, Any], testlib: str | None) -> SourceChecker:
        """The checker of a problem. Raises UnjudgeableError when it cannot be used."""
        protocol = spec.get("protocol") or ("python" if _language(spec) == "python" else "testlib")
        return SourceChecker(self, spec["source"], _language(spec), protocol, testlib)


def _language(spec: Mapping[str, Any]) -> str:
    return str(spec.get("language") or "python")


class SourceChecker:
    """One problem's checker. Each method answers (accepted, why not)."""

    def __init__(
        self, kit: Checkers, source: str, language: str, protocol: str, testlib: str | None
    ) -> None:
        self._kit = kit
        self._source = source
        self._language = language
        self._protocol = protocol
        self._testlib = testlib
        self._program: Program | None = None
        if protocol == "python" and language != "python":
            raise UnjudgeableError(f'the checker\'s protocol "python" needs Python, not {language}')

    def text(self, given: bytes, output: bytes, expected: bytes) -> tuple[bool, str | None]:
        """Judge what a program printed. Raises UnjudgeableError, CageError."""
        if self._protocol == "python":
            return self._called([_text(given), _text(output), _text(expected)])
        if self._protocol == "testlib":
            return self._exited(_TESTLIB, given, output, expected)
        return self._exited(_KATTIS, given, output, expected)

    def value(self, given: Any, output: Any, expected: Any) -> tuple[bool, str | None]:
        """Judge what a function returned. Raises UnjudgeableError, CageError."""
        if self._protocol != "python":
            raise UnjudgeableError(
                f'a checker of protocol "{self._protocol}" reads text: this problem has values'
            )
        return self._called([given, output, expected])

    def close(self) -> None:
        """Let go of the checker's memory files."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def _called(self, args: list[Any]) -> tuple[bool, str | None]:
        job = {"entry": "check", "class_first": False, "args": args, "kwargs": {}, "hints": None}
        outcome = self._kit.cage.run_call(self._python(), job, LIMITS, flavour=CHECKER)
        lead, body = outcome.result[:1], outcome.result[1:]
        if outcome.exit_code != 0 or lead != b"V":
            raise UnjudgeableError(f"the checker failed: {_failure(outcome)}")
        return _ruling(codec.from_json(json.loads(body)))

    def _exited(
        self, meanings: Mapping[int, bool], given: bytes, output: bytes, expected: bytes
    ) -> tuple[bool, str | None]:
        outcome = (self._script if self._language == "python" else self._native)(
            given, output, expected
        )
        accepted = meanings.get(outcome.exit_code) if outcome.killed is None else None
        if accepted is None:
            raise UnjudgeableError(f"the checker failed: {_failure(outcome)}")
        return accepted, None if accepted else last_line(outcome.stderr) or "refused by the checker"

    def _script(self, given: bytes, output: bytes, expected: bytes) -> Outcome:
        files = {_INPUT: given, _OUTPUT: output, _ANSWER: expected}
        return self._kit.cage.run_script(
            self._python(),
            output if self._protocol == "kattis" else b"",
            LIMITS,
            flavour=CHECKER,
            folder_bytes=_folder_bytes(files),
            arguments=self._arguments(_INPUT, _OUTPUT, _ANSWER),
            files=files,
        )

    def _native(self, given: bytes, output: bytes, expected: bytes) -> Outcome:
        kattis = self._protocol == "kattis"
        binary = self._compiled()
        files = [memory_file(data) for data in (given, output, expected)]
        try:
            return self._kit.cage.run_binary(
                binary,
                self._arguments("{0}", "{1}", "{2}"),
                output if kattis else b"",
                LIMITS,
                files=files,
                flavour=NATIVE_CHECKER,
                folder_bytes=_FOLDER_BYTES if kattis else 0,
            )
        finally:
            for file in files:
                os.close(file)

    @property
    def meanings(self) -> Mapping[int, bool]:
        """Exit status -> accepted."""
        return _TESTLIB if self._protocol == "testlib" else _KATTIS

    def launch(
        self, given: bytes, expected: bytes, limits: ResourceLimits
    ) -> tuple[Launch, list[int]]:
        """A run of it as an interactor, and files to be closed after that."""
        cage = self._kit.cage
        if self._language == "python":
            files = {_INPUT: given, _ANSWER: expected}
            launch = cage.script(
                self._python(),
                b"",
                limits,
                flavour=CHECKER,
                folder_bytes=_folder_bytes(files),
                arguments=self._arguments(_INPUT, _OUTPUT, _ANSWER),
                files=files,
            )
            return launch, []
        binary = self._compiled()
        held = [memory_file(given), memory_file(expected)]
        arguments = self._arguments("{0}", _OUTPUT, "{1}")
        launch = cage.binary(
            binary,
            arguments,
            b"",
            limits,
            files=held,
            flavour=NATIVE_CHECKER,
            folder_bytes=_FOLDER_BYTES,
        )
        return launch, held

    def _arguments(self, given: str, output: str, answer: str) -> Sequence[str]:
        if self._protocol == "kattis":
            return (given, answer, _FEEDBACK)
        return (given, output, answer)

    def _python(self) -> Program:
        if self._program is None:
            self._program = self._kit.cage.program(self._source.encode("utf-8", "surrogatepass"))
        return self._program

    def _compiled(self) -> Any:
        headers = {}
        if self._protocol == "testlib":
            if self._testlib is None:
                raise UnjudgeableError(
                    "the checker needs testlib.h: say where it is (--testlib PATH, testlib=)"
                )
            headers["testlib.h"] = self._testlib
        try:
            return self._kit.binaries.get(self._source, CPP, headers)
        except CompileError as error:
            raise UnjudgeableError(f"the checker does not compile: {error}") from error


def _folder_bytes(files: Mapping[str, bytes]) -> int:
    """Room for the files and as much again, in few sizes: each is another server."""
    wanted, size = 2 * sum(map(len, files.values())), _FOLDER_BYTES
    while size < wanted:
        size *= 2
    return size


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _ruling(value: object) -> tuple[bool, str | None]:
    """What ``check`` returned, read strictly: a checker that answers oddly has failed."""
    reason: object = None
    if isinstance(value, (tuple, list)) and len(value) == 2:
        value, reason = value
        if not isinstance(value, bool):
            raise UnjudgeableError(f"the checker answered ({value!r:.60}, ...), not (bool, str)")
    if isinstance(value, bool):
        return value, None if value else str(reason or "refused by the checker")
    if isinstance(value, (int, float)) and value == value:
        return value >= 1.0, None if value >= 1.0 else f"the checker gave {value:g} of 1"
    raise UnjudgeableError(f"the checker answered {value!r:.60}, not a bool, (bool, str) or float")


def _failure(outcome: Outcome) -> str:
    if outcome.phase is Phase.SETUP and outcome.killed is None:
        raise CageError(f"a checker could not be started (errno {outcome.setup_errno})")
    if harmed_from_outside(outcome):
        raise CageError("a checker was ended from outside")
    if outcome.killed is not None:
        return f"stopped at its {outcome.killed} limit"
    if outcome.phase is Phase.NO_ENTRY:
        return 'it has no function "check"'
    words = last_line(outcome.stderr)
    return f"exit status {outcome.exit_code}{f' ({words})' if words else ''}"


class CheckedAnswer(Answer):
    """Standard output, judged by the problem's own checker."""

    def __init__(self, checker: SourceChecker, given: bytes, expected: bytes) -> None:
        self._checker = checker
        self._given = given
        self._expected = expected

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        return _verdict(self._checker.text(self._given, outcome.stdout, self._expected))


class CheckedValue(ValueAnswer):
    """The result of a call, judged by the problem's own checker."""

    def __init__(self, checker: SourceChecker, given: Any, expected: Any) -> None:
        self._checker = checker
        self._given = given
        self._expected = expected

    def accept(self, actual: Any) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        try:
            return _verdict(self._checker.value(self._given, actual, self._expected))
        except codec.NotEncodableError as error:  # the data's own values were written once already
            return Verdict.WA, f"the result cannot be given to the checker: {error}", None


def _verdict(found: tuple[bool, str | None]) -> tuple[Verdict, str | None, str | None]:
    accepted, reason = found
    return (Verdict.AC, None, METHOD) if accepted else (Verdict.WA, reason, None)
