"""Shows on the terminal why programs fail: the first failing test of each, with input and
outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from microcoder_eval.compare.difference import NO_OUTPUT
from microcoder_eval.formats import error_text
from microcoder_eval.misfits import describe_misfit
from microcoder_eval.records import Judgement, Problem, Solution, Verdict
from microcoder_eval.records.details import parse_mismatch
from microcoder_eval.syntax import find_syntax_error

if TYPE_CHECKING:
    from microcoder_eval.api import Judge
    from microcoder_eval.report.builder import ReportBuilder
    from microcoder_eval.report.solution_rows import Row

MAX_SHOWN = 10  # programs; --verbose shows all
_MAX_LINES = 8  # of a text
_MAX_CHARS = 120  # of a line
_MAX_SECONDS = 1.0  # a slower program is not run again for its output
_LINES_BEFORE = 2  # of a text, before the line that differs


class Failures:
    """Collects the programs that do not pass, and describes the first ones in the order of their
    files. max_shown: how many, None for all. report: the report of the same programs, if there is
    one; it has them already."""

    def __init__(self, max_shown: int | None, report: ReportBuilder | None = None) -> None:
        self.count = 0
        self._max_shown = max_shown
        self._builder = report
        self._has_report = report is not None

    def add(
        self, position: int, judgement: Judgement, problem: Problem, solution: Solution
    ) -> None:
        """Add one judgement; what passes or was not judged is ignored."""
        if judgement.passed or judgement.verdict is Verdict.JE:
            return
        self.count += 1
        if self._has_report or self._max_shown == 0:
            return
        if self._builder is None:
            from microcoder_eval.report.builder import ReportBuilder  # late: most of an import

            self._builder = ReportBuilder()
        rows = self._builder.rows
        if self._max_shown is not None and len(rows) == self._max_shown:
            if (last := max(rows)) < position:
                return
            del rows[last]
        self._builder.add(position, judgement, problem, solution)

    def show_outputs(self, judge: Judge, find_problem: Callable[[str], Problem]) -> Iterator[None]:
        """Run the shown programs once more to get their outputs; yields after each."""
        if self._builder is not None:
            yield from self._builder.show_outputs(judge, find_problem, _MAX_SECONDS)

    def list_lines(self) -> list[str]:
        """Return the text for the terminal, without control characters."""
        if self._builder is None or not self.count or self._max_shown == 0:
            return []
        verdicts = {Verdict.AC, Verdict.JE}
        rows = [one for one in self._builder.list_rows() if one[1].verdict not in verdicts]
        rows = rows[: self._max_shown]
        lines = [line for _, row in rows for line in _describe(row, self._builder.read_detail(row))]
        if self.count > len(rows):
            lines.append(
                f"{self.count - len(rows)} more programs fail: -v shows all, "
                "--report report.html makes a page of them"
            )
        return [*lines, ""]


def _describe(row: Row, detail: dict[str, Any]) -> list[str]:
    failure = detail.get("fail") or {"detail": detail["error"]}
    number = f", test {row.first_failure} of {row.test_count}" if row.first_failure else ""
    number += f" ({_clean(failure['file'])})" if "file" in failure else ""
    name = row.solution_id
    name += "" if name.startswith(row.problem_id) else f" ({row.problem_id})"
    lines = [f"{_clean(name)}: {row.verdict}{number}"]
    if row.verdict == Verdict.CE:
        return [*lines, *_explain_compile_error(row, detail, failure["detail"])]
    labels = ("input", "expected", "got") if row.verdict == Verdict.WA else ("input",)
    for label in labels:
        if (excerpt := failure.get(label)) is not None:
            lines += _show(label, _cut_excerpt(excerpt))
    reason = failure["detail"] or ""
    if row.verdict != Verdict.WA:
        lines += _show("error", reason)
    elif "got" not in failure or not _shows_no_more(reason, failure["got"]["text"]):
        lines += _show("why", reason)
    return lines


def _explain_compile_error(row: Row, detail: dict[str, Any], message: str | None) -> list[str]:
    """Return the lines that say why there is no program; of Python with the place of the error,
    which its message lacks."""
    code = detail["code"]
    if code is not None and detail["language"] != "python":
        return _show("error", message or "")
    reason = (find_syntax_error(code) if code is not None else None) or message
    notes = filter(None, map(describe_misfit, row.flags))
    return [*_show("error", reason or ""), *(line for note in notes for line in _show("why", note))]


def _shows_no_more(reason: str, output: str) -> bool:
    """Whether the detail of a wrong answer says no more than the outputs."""
    return (
        parse_mismatch(reason) is not None
        or reason.startswith(NO_OUTPUT)
        or reason.endswith(f": got {output}")
    )


def _cut_excerpt(excerpt: Any) -> str:
    """Return the lines of an excerpt from shortly before its mark on."""
    text: str = excerpt["text"]
    start = excerpt.get("mark", [0])[0]
    first = max(0, text.count("\n", 0, start) - _LINES_BEFORE)
    cut = "\n".join(text.split("\n")[first:])
    skipped = excerpt["line"] - 1 + first
    return (f"… {skipped} lines\n" if skipped else "") + cut + ("\n…" if excerpt["after"] else "")


def _show(label: str, text: str) -> list[str]:
    """Return a text on the line of its label, or below it if it has several lines."""
    lines = [_clean(line) for line in (text.rstrip("\n") or "(nothing)").split("\n")]
    if len(lines) == 1:
        return [f"  {label:<9} {lines[0]}"]
    if len(lines) > _MAX_LINES:
        lines = [*lines[: _MAX_LINES - 1], f"… {len(lines) - _MAX_LINES + 1} lines more"]
    return [f"  {label}", *(f"    {line}" for line in lines)]


def _clean(text: str) -> str:
    return error_text.shorten(text, _MAX_CHARS)
