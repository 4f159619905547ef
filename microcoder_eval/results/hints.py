"""Finds causes of many failures in a run: programs in fences or in a language that is not named,
modules that cannot be imported, checkers that fail on whatever they read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from microcoder_eval.compare.difference import NO_OUTPUT
from microcoder_eval.missing_packages import find_missing_module
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Verdict
from microcoder_eval.records.flags import (
    ESCAPED,
    FAILED,
    FENCED,
    OTHER_ENTRY_POINT,
    OTHER_LANGUAGE,
)

from .summary import format_problems

# What Python says of a call with a wrong number of arguments.
_WRONG_COUNT = re.compile(r"^TypeError: .*\(\) (?:missing|takes) .*argument")
_UNEXPECTED_INDENT = "IndentationError: unexpected indent"
_MAX_MODULES = 5
_SENTENCES = {  # of each cause, with what to do
    FENCED: (
        "{count} of {total} programs hold a fence (```): give a model's answers under the key "
        '"response", and the program is taken out of them'
    ),
    ESCAPED: (
        r'the line ends of {count} of {total} programs are written as "\n", two characters: the '
        "texts were encoded twice"
    ),
    OTHER_LANGUAGE: (
        "{count} of {total} programs look like a language other than the given one: name it, as "
        '"language" of the solution or by --language (flag "other_language")'
    ),
    "no indentation": (
        "{count} of {total} completions continue a function without indentation, perhaps because "
        "answers were stripped: keep the white space they begin with, or give whole programs as "
        '"solution"'
    ),
    "indentation": (
        "{count} of {total} programs begin with white space, as what continues a prompt does: such "
        'text is a "completion"'
    ),
    OTHER_ENTRY_POINT: (
        '{count} of {total} solutions have no function of the name in "entry_point"; the only one '
        'there is was called (flag "other_entry_point")'
    ),
    "arguments": (
        "{count} of {total} functions were called with too many or too few arguments in each "
        'test: "input" is the list of arguments, so a function of one list needs [[1, 2]]'
    ),
    "no output": (
        "{count} of {total} programs print nothing in any test: empty texts, or functions that "
        'nothing calls; problems with an "entry_point" call them'
    ),
}


class Hints:
    """Counts the causes of failures among the solutions of a run, and the modules that programs
    failed to import."""

    def __init__(self) -> None:
        self._total = 0
        self._causes: Counter[str] = Counter()
        self._checkers = _Checkers()
        self._modules: Counter[str] = Counter()

    def add(self, judgement: Judgement, solution: Solution, problem: Problem) -> None:
        """Count one judgement."""
        self._total += 1
        self._causes.update(_find_causes(judgement, solution, problem))
        self._checkers.add(judgement)
        if judgement.verdict is Verdict.RE:
            missing_modules = {find_missing_module(test.detail) for test in judgement.tests}
            self._modules.update({name.partition(".")[0] for name in missing_modules if name})

    def list_sentences(self, packages: Collection[str]) -> list[str]:
        """Return a sentence for each cause, with what to do. packages: what programs may import."""
        sentences = [
            sentence.format(count=self._causes[cause], total=self._total)
            for cause, sentence in _SENTENCES.items()
            if self._causes[cause]
        ]
        sentences += self._checkers.list_sentences()
        for module, count in self._modules.most_common(_MAX_MODULES):
            reason = (
                f"not installed here (pip install {module}, then judge these again)"
                if module in packages
                else "not allowed, or not installed here "
                f"(--packages {module}, and pip install it beside the judge)"
            )
            noun = "program" if count == 1 else "programs"
            sentences.append(f"{count} {noun} failed to import {module}: {reason}")
        return sentences


class _Checkers:
    """Finds checkers, interactors and graders that never worked: the judge cannot blame them, but
    a user should look at them."""

    def __init__(self) -> None:
        self._failures: dict[str, dict[str, str]] = {role: {} for role in FAILED}
        self._working: set[str] = set()  # problems where they decided a test

    def add(self, judgement: Judgement) -> None:
        problem_id = judgement.problem_id
        roles = [role for role, flag in FAILED.items() if flag in judgement.flags]
        for role in roles:
            self._failures[role].setdefault(problem_id, judgement.reason or "")
        has_worked = judgement.verdict in (Verdict.AC, Verdict.WA) and not roles
        is_accepted = any(test.verdict is Verdict.AC for test in judgement.tests)
        if has_worked or (is_accepted and "grader" not in roles):
            self._working.add(problem_id)

    def list_sentences(self) -> Iterator[str]:
        for role, reasons in self._failures.items():
            broken = {name: text for name, text in reasons.items() if name not in self._working}
            if broken:
                name, reason = next(iter(broken.items()))
                yield (
                    f"the {role} of {format_problems(len(broken))} failed on every output: see "
                    f'"{name}": {reason} (flag "{FAILED[role]}"; microcoder-eval audit tries it)'
                )


def _find_causes(judgement: Judgement, solution: Solution, problem: Problem) -> Iterator[str]:
    names = {OTHER_LANGUAGE if f.startswith(OTHER_LANGUAGE) else f for f in judgement.flags}
    causes = [cause for cause in _SENTENCES if cause in names]
    yield from causes
    details = [test.detail or "" for test in judgement.tests if test.verdict is not None]
    if details and all(text.startswith(NO_OUTPUT) for text in details):
        yield "no output"
    if problem.kind is Kind.CALL and details and all(map(_WRONG_COUNT.search, details)):
        yield "arguments"
    if judgement.verdict is Verdict.CE and not causes and _is_stripped(solution, problem):
        yield "no indentation"
    if _UNEXPECTED_INDENT in details and (solution.code or "").lstrip("\n")[:1].isspace():
        yield "indentation"


def _is_stripped(solution: Solution, problem: Problem) -> bool:
    """Whether a program continues the indented end of a statement without indentation."""
    code, statement = solution.code, problem.statement
    if code is None or not statement or not code.startswith(statement):
        return False
    first_line = code[len(statement) :].lstrip("\n").partition("\n")[0]
    last_line = statement.rstrip().rpartition("\n")[2]
    return last_line[:1].isspace() and first_line[:1].isalpha()
