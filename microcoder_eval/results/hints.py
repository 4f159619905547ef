"""Finds causes of many failures in a run: programs in fences or in a language that is not named,
modules that cannot be imported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from microcoder_eval.missing_packages import find_missing_module
from microcoder_eval.records import Judgement, Problem, Solution, Verdict

_FENCE = re.compile(r"^[^\S\n]*+(?:```|~~~)", re.MULTILINE)
# Lines that begin programs in C, C++, Java, Go and Rust, and none in Python.
_OTHER_LANGUAGE = re.compile(
    r"^(?:#include\s*[<\"]|(?:public )?class \w+\s*\{|package main\b|(?:pub )?fn \w+\()",
    re.MULTILINE,
)
_MAX_MODULES = 5
_SENTENCES = {  # of each cause, with what to do
    "fence": (
        "{count} of {total} programs hold a fence (```): give a model's answers under the key "
        '"response", and the program is taken out of them'
    ),
    "other language": (
        "{count} of {total} programs were run as Python and look like another language: name it, "
        'as "language" of the solution or by --language'
    ),
    "no indentation": (
        "{count} of {total} completions continue a function without indentation, perhaps because "
        "answers were stripped: keep the white space they begin with, or give whole programs as "
        '"solution"'
    ),
    "other_entry_point": (
        '{count} of {total} solutions have no function of the name in "entry_point"; the only one '
        'there is was called (flag "other_entry_point")'
    ),
    "no output": (
        "{count} of {total} programs print nothing in any test: perhaps functions that nothing "
        'calls; problems with an "entry_point" call them'
    ),
}


class Hints:
    """Counts the causes of failures among the solutions of a run, and the modules that programs
    failed to import."""

    def __init__(self) -> None:
        self._total = 0
        self._causes: Counter[str] = Counter()
        self._modules: Counter[str] = Counter()

    def add(self, judgement: Judgement, solution: Solution, problem: Problem) -> None:
        """Count one judgement."""
        self._total += 1
        self._causes.update(_find_causes(judgement, solution, problem))
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
        for module, count in self._modules.most_common(_MAX_MODULES):
            if module not in packages:
                noun = "program" if count == 1 else "programs"
                sentences.append(
                    f"{count} {noun} failed to import {module}: not allowed, or not installed here "
                    f"(--packages {module}, and pip install it beside the judge)"
                )
        return sentences


def _find_causes(judgement: Judgement, solution: Solution, problem: Problem) -> Iterator[str]:
    if "other_entry_point" in judgement.flags:
        yield "other_entry_point"
    details = [test.detail or "" for test in judgement.tests if test.verdict is not None]
    if details and all(text.startswith("no output") for text in details):
        yield "no output"
    code, statement = solution.code, problem.statement
    if code is None or judgement.verdict is not Verdict.CE:
        return
    if _FENCE.search(code):
        yield "fence"
    elif solution.language == "python" and _OTHER_LANGUAGE.search(code):
        yield "other language"
    elif statement and code.startswith(statement):
        first_line = code[len(statement) :].lstrip("\n").partition("\n")[0]
        last_line = statement.rstrip().rpartition("\n")[2]
        if last_line[:1].isspace() and first_line[:1].isalpha():
            yield "no indentation"
