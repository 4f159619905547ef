"""A comparer: tries methods from strict to lenient, and reports the first that accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any

from microcoder_sandbox import record

from .difference import Difference
from .methods import DescribeRefusal, StepSkippedError, TextMethod
from .texts import BOM
from .values import describe_value_difference

ValuePredicate = Callable[[Any, Any], bool]
_MAX_DETAIL = 200


@record
class Match:
    """The result of a comparison.

    method: the strictest method that accepted, None if all refused. detail: the first difference if
    all refused, in at most 200 characters that are safe for logs.
    """

    method: str | None
    detail: str | None


@record
class Comparer:
    """A named comparer; threads may share it, as it has no state.

    reporting_method: the method whose objection is the detail of a refusal, by default the most
    lenient one. ignores_bom: whether it ignores a leading byte order mark.
    """

    text_methods: tuple[TextMethod, ...]
    value_methods: tuple[tuple[str, ValuePredicate], ...]
    reporting_method: str = ""
    ignores_bom: bool = False
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of its methods, strict to lenient: those of texts, then those of values."""
        text_names = (method.name for method in self.text_methods)
        return tuple(dict.fromkeys([*text_names, *(name for name, _ in self.value_methods)]))

    def compare_text(self, actual: bytes, expected: bytes) -> Match:
        """Compare a program's output with the expected one."""
        reported_refusal: DescribeRefusal | None = None
        notes = []
        for name, refusal in self._try_methods(*self.remove_boms(actual, expected)):
            if refusal is None:
                return Match(name, None)
            if isinstance(refusal, StepSkippedError):
                notes.append(f"{name} skipped: {refusal}")
            elif name == self.reporting_method:
                reported_refusal = refusal
        return _make_refusal(reported_refusal().message if reported_refusal else "", notes)

    def collect_objections(
        self, actual: bytes, expected: bytes
    ) -> list[tuple[str, Difference | None]]:
        """Return (method, objection) of each method up to the first that accepts (None)."""
        return [
            (name, Difference(f"does not apply: {refusal}"))
            if isinstance(refusal, StepSkippedError)
            else (name, refusal and refusal())
            for name, refusal in self._try_methods(*self.remove_boms(actual, expected))
        ]

    def _try_methods(
        self, actual: bytes, expected: bytes
    ) -> Iterator[tuple[str, DescribeRefusal | StepSkippedError | None]]:
        for method in self.text_methods:
            try:
                refusal = method.find_refusal(actual, expected)
            except StepSkippedError as error:
                # Without the traceback, which would hold the step's lists during the next step.
                yield method.name, StepSkippedError(str(error))
                continue
            yield method.name, refusal
            if refusal is None:
                return

    def remove_boms(self, actual: bytes, expected: bytes) -> tuple[bytes, bytes]:
        """Return the outputs as the methods compare them, without byte order marks if ignored."""
        if not self.ignores_bom or actual == expected:
            return actual, expected
        return actual.removeprefix(BOM), expected.removeprefix(BOM)

    def compare_value(self, actual: object, expected: object) -> Match:
        """Compare the result of a call with the expected one; both are plain built-in values."""
        notes: list[str] = []
        for name, accepts in self.value_methods:
            try:
                if accepts(actual, expected):
                    return Match(name, None)
            except StepSkippedError as error:
                notes.append(f"{name} skipped: {error}")
        return _make_refusal(describe_value_difference(actual, expected), notes)


def _make_refusal(difference: str, notes: list[str]) -> Match:
    detail = "; ".join([difference, *notes])
    return Match(None, detail if len(detail) <= _MAX_DETAIL else f"{detail[: _MAX_DETAIL - 1]}…")
