"""Finds causes of many failures in a run: programs in fences or in a language that is not named,
modules that cannot be imported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from microcoder_eval.missing_packages import find_missing_module
from microcoder_eval.records import Judgement, Problem, Solution, Verdict

_FENCE = re.compile(r"^[^\S\n]*+(?:```|~~~)", re.MULTILINE)
# Lines that begin programs in C, C++, Java, Go and Rust, and none in Python.
_OTHER_LANGUAGE = re.compile(
    r"^(?:#include\s*[<\"]|(?:public )?class \w+\s*\{|package main\b|(?:pub )?fn \w+\()",
    re.MULTILINE,
)
_MAX_MODULES = 5


@dataclass(slots=True)
class Hints:
    """Counts of possible causes of failures, over the solutions of a run.

    code_count: programs given as code, not as a model's answer.
    fenced_count: those of them that do not compile and contain a fence.
    foreign_count: those that are in another language than the Python they were taken for.
    unindented_count: those of them that do not compile and continue, without indentation, a
        statement that ends within a function.
    other_name_count: programs whose only function was called although its name is not
        "entry_point".
    silent_count: programs that print nothing in any test.
    modules: how many programs failed to import each module.
    """

    code_count: int = 0
    fenced_count: int = 0
    foreign_count: int = 0
    unindented_count: int = 0
    other_name_count: int = 0
    silent_count: int = 0
    modules: Counter[str] = field(default_factory=Counter)

    def add(self, judgement: Judgement, solution: Solution, problem: Problem) -> None:
        """Count one judgement."""
        self.other_name_count += "other_entry_point" in judgement.flags
        details = [test.detail or "" for test in judgement.tests if test.verdict is not None]
        self.silent_count += bool(details) and all(text.startswith("no output") for text in details)
        if solution.code is not None:
            self.code_count += 1
            if judgement.verdict is Verdict.CE:
                self._count_uncompiled(solution.code, solution.language, problem.statement)
        if judgement.verdict is Verdict.RE:
            missing_modules = {find_missing_module(test.detail) for test in judgement.tests}
            self.modules.update({name.partition(".")[0] for name in missing_modules if name})

    def _count_uncompiled(self, code: str, language: str, statement: str | None) -> None:
        if _FENCE.search(code):
            self.fenced_count += 1
        elif language == "python" and _OTHER_LANGUAGE.search(code):
            self.foreign_count += 1
        elif statement and code.startswith(statement):
            first_line = code[len(statement) :].lstrip("\n").partition("\n")[0]
            last_line = statement.rstrip().rpartition("\n")[2]
            self.unindented_count += last_line[:1].isspace() and first_line[:1].isalpha()

    def list_sentences(self, packages: Collection[str]) -> list[str]:
        """Return a sentence for each cause, with what to do. packages: what programs may import."""
        sentences = []
        if self.fenced_count:
            sentences.append(
                f"{self.fenced_count} of {self.code_count} programs hold a fence (```): give a "
                'model\'s answers under the key "response", and the program is taken out of them'
            )
        if self.foreign_count:
            sentences.append(
                f"{self.foreign_count} of {self.code_count} programs were run as Python and look "
                'like another language: name it, as "language" of the solution or by --language'
            )
        if self.unindented_count:
            sentences.append(
                f"{self.unindented_count} of {self.code_count} completions continue a function "
                "without indentation, perhaps because answers were stripped: keep the white space "
                'they begin with, or give whole programs as "solution"'
            )
        if self.other_name_count:
            noun = "solution has" if self.other_name_count == 1 else "solutions have"
            sentences.append(
                f'{self.other_name_count} {noun} no function of the name in "entry_point"; '
                'the only one there is was called (flag "other_entry_point")'
            )
        if self.silent_count:
            noun = "program prints" if self.silent_count == 1 else "programs print"
            sentences.append(
                f"{self.silent_count} {noun} nothing in any test: perhaps functions that nothing "
                'calls; problems with an "entry_point" call them'
            )
        for module, count in self.modules.most_common(_MAX_MODULES):
            if module in packages:
                continue
            noun = "program" if count == 1 else "programs"
            sentences.append(
                f"{count} {noun} failed to import {module}: not allowed, or not installed here "
                f"(--packages {module}, and pip install it beside the judge)"
            )
        return sentences
