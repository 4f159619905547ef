"""What is judged: problems with their tests, and solutions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from microcoder_eval.forksafe import lazy_property
from microcoder_eval.points import TestGroup, encode_groups
from microcoder_sandbox import codec, record

from .encoding import encode_canonical
from .enums import Kind
from .limits import NO_LIMITS, Limits

_HASHED_FIELDS = (
    "kind", "entry_point", "test_code", "test_language", "starter_code", "starter_codes",
    "includes", "objective",
)  # fmt: skip
_HASHED_TESTS = 8  # at a time; one by one takes three times as long


@dataclass(frozen=True, slots=True)
class Test:
    """One input and its expected output.

    stdin: two texts. call: a list of arguments (``kwargs`` only from rewritten assertions) and
    the expected value. checker_args: arguments of the checker or interactor for this test, in place
    of its own "args", or None.
    """

    __test__ = False  # not a pytest class

    input: Any
    output: Any
    kwargs: Mapping[str, Any] | None = None
    checker_args: tuple[str, ...] | None = None


@record
class Problem:
    """One problem of tests.jsonl, validated and with defaults filled in.

    kind: if left out, the tests decide; they may then also be given as {"input", "output"}.
    groups: the tests that are scored together, empty if the problem has no points.
    objective: whether more ("max") or fewer ("min") points are better.
    grader: the program that decides groups which ask for it.
    includes: {language: {file name: text}} of the files that every program in that language is
        built with, in place of its own files of that name; "default" is for all other languages.
        The text of a file "<prologue>" comes before the program's own text.
    starter_codes: {language: text}, where the set has starter code in several languages.
    test_style: what the file calls the style of ``test_code``. It decides nothing, as how tests run
        follows from the code itself (``source_analysis.find_layout``).
    test_language: the language of ``test_code``, a name of languages.TEST_LANGUAGES, in which it is
        compiled together with the program. None if it is in Python and runs in a process of its
        own.
    """

    problem_id: str
    kind: Kind = cast(Kind, None)  # __post_init__ sets it
    tests: tuple[Test, ...] = ()
    entry_point: str | None = None
    test_code: str | None = None
    test_style: str | None = None
    limits: Limits = NO_LIMITS
    checker: Mapping[str, Any] | None = None
    interactor: Mapping[str, Any] | None = None
    includes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    statement: str | None = None
    starter_code: str | None = None
    starter_codes: Mapping[str, str] = field(default_factory=dict)
    test_language: str | None = None
    platform: str | None = None
    difficulty: str | None = None
    date: str | None = None
    solutions: tuple[Mapping[str, Any], ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[TestGroup, ...] = ()
    objective: str = "max"
    grader: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if cast("Kind | None", self.kind) is not None:
            return
        tests = tuple(
            Test(test["input"], test["output"]) if isinstance(test, Mapping) else test
            for test in self.tests
        )
        takes_arguments = bool(tests) and isinstance(tests[0].input, list)
        kind = Kind.ASSERT if self.test_code else Kind.CALL if takes_arguments else Kind.STDIN
        object.__setattr__(self, "tests", tests)
        object.__setattr__(self, "kind", kind)

    def with_tests(self, tests: Iterable[Test]) -> Problem:
        """Return the problem with other tests. It has no points, as groups name tests by index."""
        return replace(self, tests=tuple(tests), groups=(), grader=None)

    @lazy_property
    def tests_sha256(self) -> str:
        """The hash of everything in the problem that can change a verdict."""
        return self._fingerprint[0]

    @property
    def size(self) -> int:
        """The approximate size of its tests in bytes."""
        return self._fingerprint[1]

    @lazy_property
    def multiple_answers_suspected(self) -> str | None:
        """Why it seems to have several right answers but compares with one; see suspicion.py.

        Cached, since training judges a problem thousands of times.
        """
        from microcoder_eval.suspicion import explain_suspicion  # its patterns take time to compile

        return explain_suspicion(self)

    @lazy_property
    def _fingerprint(self) -> tuple[str, int]:
        programs = {name: getattr(self, name) for name in ("checker", "interactor", "grader")}
        hashed_fields = {
            **{name: getattr(self, name) for name in _HASHED_FIELDS},
            **{name: dict(value) if value else None for name, value in programs.items()},
            "limits": self.limits.list_set_values(),
            "groups": encode_groups(self.groups),
        }
        import hashlib  # late: see encoding.py

        digest, size = hashlib.sha256(), 0
        for part in self._encode_in_parts(hashed_fields):
            digest.update(part)
            size += len(part)
        return digest.hexdigest(), size

    def _encode_in_parts(self, hashed_fields: Mapping[str, Any]) -> Iterator[bytes]:
        """Encode these fields, then the tests ("tests" is the last key by name), a few at a time: a
        copy of all texts would take twice their memory."""
        yield encode_canonical(hashed_fields)[:-1] + b',"tests":['
        for start in range(0, len(self.tests), _HASHED_TESTS):
            tests = self.tests[start : start + _HASHED_TESTS]
            rows = [[test.input, test.output, test.kwargs, test.checker_args] for test in tests]
            if self.kind is not Kind.STDIN:
                rows = [[codec.to_json(value) for value in row] for row in rows]
            yield (b"," if start else b"") + encode_canonical(rows)[1:-1]
        yield b"]}"


@record
class Solution:
    """One line of solutions.jsonl: a program (``code``) or a model's answer (``response``).

    file: the name of the program's own file, where it matters. files: {name: text} of its others.
    """

    problem_id: str
    solution_id: str
    code: str | None = None
    response: str | None = None
    language: str = "python"
    meta: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    files: Mapping[str, str] = field(default_factory=dict)

    def find_code(self) -> str | None:
        """Return the program that is judged; that of a model's answer is taken out of it, None if
        it holds none."""
        if self.code is not None:
            return self.code
        from microcoder_eval.extract import extract

        return extract(self.response or "", self.language).code
