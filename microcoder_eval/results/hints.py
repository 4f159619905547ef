"""What explains the verdicts of a run: programs in fences, modules that cannot be imported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from microcoder_eval.records import Judgement, Solution, Verdict

_MISSING_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_MAX_MODULES = 5


@dataclass(slots=True)
class Hints:
    """Counts of what many solutions of a run have in common.

    code_count: programs given as "code"; fenced_count: of these, those that begin with a fence.
    modules: how many programs failed to import each module.
    """

    code_count: int = 0
    fenced_count: int = 0
    modules: Counter[str] = field(default_factory=Counter)

    def add(self, judgement: Judgement, solution: Solution) -> None:
        """Count one judgement."""
        if solution.code is not None:
            self.code_count += 1
            is_fenced = solution.code.lstrip().startswith("```")
            self.fenced_count += is_fenced and judgement.verdict is Verdict.CE
        if judgement.verdict is Verdict.RE:
            details = (test.detail or "" for test in judgement.tests)
            matches = (_MISSING_MODULE.search(detail) for detail in details)
            self.modules.update({m[1].partition(".")[0] for m in matches if m})

    def list_sentences(self, packages: Collection[str]) -> list[str]:
        """Return a sentence for each cause, with what to do; packages: allowed and installed."""
        sentences = []
        if self.fenced_count:
            sentences.append(
                f"{self.fenced_count} of {self.code_count} programs begin with a fence (```): give "
                'model\'s answers as "response", not "code"'
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
