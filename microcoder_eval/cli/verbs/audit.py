"""``microcoder-eval audit``: finds problems that cannot be judged fairly, and says why.

    check the tests of all problems -> run right programs on all tests
    -> run wrong programs up to the first test they fail -> findings, in the order of the problems

Programs are held in memory; problems are not.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcoder_eval.audit.checkers import has_own_checker
from microcoder_eval.audit.examiner import check_programs, check_tests
from microcoder_eval.audit.findings import FINDINGS, Finding, Severity
from microcoder_eval.audit.trials import Runner
from microcoder_eval.cli.options import make_judge
from microcoder_eval.console.guard import EXIT_INTERRUPTED, EXIT_JUDGE, EXIT_USAGE
from microcoder_eval.console.progress import ProgressCounter
from microcoder_eval.console.streams import make_console, print_facts, print_warning
from microcoder_eval.formats import error_text
from microcoder_eval.records import Problem
from microcoder_eval.results.files import OutputError, Paths, write_atomically
from microcoder_eval.signals import interrupt_on_signals

from .problem_jobs import Inputs, open_inputs, refuse_misuse, run_jobs

if TYPE_CHECKING:
    from rich.console import Console

_EXIT_FINDINGS = 1
_MAX_PROGRAMS = 20  # right programs, and wrong programs, that are run for a problem
_MAX_SHOWN = 8  # findings shown of each kind; OUT has all of them
_MAX_CHARS = 400
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "default"}


def run(args: Any) -> int:
    """Audit all problems; return the exit code."""
    paths = Paths.from_output(args.output) if args.output is not None else None
    refuse_misuse(args, paths)
    if paths is not None:
        _refuse_leftover(paths)
    with open_inputs(args, paths) as inputs:
        return Audit(args, inputs, paths).run()


class Audit:
    """One audit: its findings, its counts, its files."""

    def __init__(self, args: Any, inputs: Inputs, paths: Paths | None) -> None:
        self._args = args
        self._problems = inputs.problems
        self._programs = inputs.programs
        self._bad_lines = inputs.bad_lines
        self._paths = paths
        self._is_stopped = False
        self._findings: dict[str, list[Finding]] = {}  # of the problems examined, in their order
        self._unread_count = 0  # of problems whose expected values are not read
        self._run_counts: Counter[str] = Counter()
        self._unusable_counts: Counter[str] = Counter()
        self._level: int | None = None

    def run(self) -> int:
        """Examine the problems, write and show the findings; return the exit code."""
        start = time.monotonic()
        try:
            with interrupt_on_signals():
                right, wrong = self._examine_tests()
                self._run_programs(right, right=True)
                self._run_programs(wrong, right=False)
        except KeyboardInterrupt:
            self._is_stopped = True
        findings = self._sort_findings()
        output_path = self._write_findings(findings)
        self._report_omissions()
        facts = self._collect_facts(findings, output_path, time.monotonic() - start)
        print_facts(facts, self._args.json, lambda: _show_audit(findings, facts))
        return self._choose_exit_code(findings)

    def _examine_tests(self) -> tuple[list[str], list[str]]:
        """Check all tests; return the problems with right programs, and those with wrong ones."""
        right: list[str] = []
        wrong: list[str] = []
        with ProgressCounter("problems checked", len(self._problems)) as progress:
            for name in self._problems:
                problem = self._get_problem(name)
                programs, unusable = self._programs.select_programs(problem)
                self._unusable_counts.update(unusable)
                self._findings[name] = check_tests(problem, programs, self._args.compare)
                kinds = {program.right for program in programs}
                right += [name] * (True in kinds or has_own_checker(problem))
                wrong += [name] * (False in kinds)
                self._unread_count += problem.test_language is not None
                progress.advance()
        return right, wrong

    def _run_programs(self, names: list[str], *, right: bool) -> None:
        """Run the right or the wrong programs of the named problems."""
        if not names:
            return
        # Problems come without checkers where --ignore-checkers says so: see _get_problem.
        stop = "never" if right else "first_failure"
        judge = make_judge(self._args, stop=stop, reuse=False, ignore_checkers=False)
        self._level = judge.sandbox_level
        kind = "right" if right else "wrong"

        def examine(runner: Runner, name: str) -> tuple[list[Finding], int]:
            problem = self._get_problem(name)
            programs = [p for p in self._programs.select_programs(problem)[0] if p.right is right]
            programs = programs[:_MAX_PROGRAMS]
            options = self._args
            findings = check_programs(runner, problem, programs, options.repeat, options.compare)
            return findings, len(programs)

        label = f"problems examined with {kind} programs"
        for name, (findings, count) in run_jobs(judge, examine, names, label):
            self._findings[name] += findings
            self._run_counts[kind] += count

    def _get_problem(self, name: str) -> Problem:
        problem = self._problems.get(name)
        if self._args.ignore_checkers and problem.checker is not None:
            return replace(problem, checker=None)
        return problem

    def _sort_findings(self) -> list[Finding]:
        """Return the findings in the order of the problems, the gravest of each problem first."""
        names = list(FINDINGS)
        return [
            finding
            for findings in self._findings.values()
            for finding in sorted(findings, key=lambda finding: names.index(finding.name))
        ]

    def _write_findings(self, findings: Sequence[Finding]) -> Path | None:
        """Write the findings; return their path, the ``.part`` file if the audit was stopped."""
        if self._paths is None:
            return None
        path = self._paths.journal if self._is_stopped else self._paths.results
        with write_atomically(path) as file:
            file.writelines(finding.as_line() for finding in findings)
        return path

    def _report_omissions(self) -> None:
        if unlabelled := self._programs.count_unlabelled():
            print_warning(
                f"programs without a label, taken to be right: {unlabelled}; a key such as "
                '"verdict": "WA" says that one is wrong'
            )
        if self._unread_count:
            print_warning(
                f"{self._unread_count} problems have test code in another language than Python: "
                "programs were run, and expected values were not read"
            )
        for reason, count in self._unusable_counts.most_common():
            print_warning(f"{count} programs of problems are not run: {reason}")
        omitted = sum(
            max(0, sum(program.right is right for program in programs) - _MAX_PROGRAMS)
            for programs in self._programs.by_problem.values()
            for right in (True, False)
        )
        if omitted:
            print_warning(
                f"{omitted} programs were not run: the audit runs at most "
                f"{_MAX_PROGRAMS} right and {_MAX_PROGRAMS} wrong programs of a problem"
            )

    def _collect_facts(
        self, findings: Sequence[Finding], output_path: Path | None, seconds: float
    ) -> dict[str, Any]:
        counts = Counter(finding.name for finding in findings)
        severities = Counter(finding.severity for finding in findings)
        return {
            "problems": len(self._findings),
            "problems_with_findings": len({finding.problem_id for finding in findings}),
            "programs": {"right": self._run_counts["right"], "wrong": self._run_counts["wrong"]},
            "repeat": self._args.repeat,
            "findings": {name: counts[name] for name in FINDINGS if counts[name]},
            "severities": {str(severity): severities[severity] for severity in severities},
            "bad_lines": self._bad_lines.count,
            "programs_not_usable": self._unusable_counts.total(),
            "interrupted": self._is_stopped,
            "sandbox_level": self._level,
            "wall_s": round(seconds, 3),
            "output": str(output_path) if output_path is not None else None,
        }

    def _choose_exit_code(self, findings: Sequence[Finding]) -> int:
        if self._is_stopped:
            return EXIT_INTERRUPTED
        if any(finding.name == "unjudgeable" for finding in findings):
            return EXIT_JUDGE
        if self._bad_lines.count:
            return EXIT_USAGE
        return _EXIT_FINDINGS if findings else 0


def _refuse_leftover(paths: Paths) -> None:
    """Raise OutputError where an interrupted audit has left its findings."""
    if paths.journal.exists() and paths.journal.stat().st_size:
        raise OutputError(
            f"{paths.journal} is left from an interrupted run: remove it, or choose another name "
            "for -o"
        )


def _show_audit(findings: Sequence[Finding], facts: dict[str, Any]) -> None:
    """Print the findings for people, on standard output."""
    out = make_console()
    out.print(_format_headline(facts))
    order = list(Severity)
    worst_first = sorted(findings, key=lambda finding: order.index(finding.severity))
    groups = {name: [f for f in worst_first if f.name == name] for name in FINDINGS}
    by_name = {name: group for name, group in groups.items() if group}
    _print_table(out, by_name)
    for name, group in by_name.items():
        if name != "no_reference":  # the table already says everything
            _print_section(out, name, group)
    has_more = any(len(group) > _MAX_SHOWN for group in by_name.values())
    if facts["output"]:
        out.print(f"\nall findings with their evidence: {facts['output']}")
    elif has_more:
        out.print("\n-o FINDINGS.jsonl writes all findings with their evidence")


def _format_headline(facts: dict[str, Any]) -> str:
    programs = facts["programs"]
    program_counts = f"{programs['right']} right and {programs['wrong']} wrong programs"
    return (
        f"problems audited: {facts['problems']}, with findings: {facts['problems_with_findings']} "
        f"({program_counts}, {facts['repeat']} runs of each, {facts['wall_s']:.1f} s"
        f"{', interrupted' if facts['interrupted'] else ''})"
    )


def _print_table(out: Console, by_name: dict[str, list[Finding]]) -> None:
    if not by_name:
        return
    from rich.text import Text

    width = max(map(len, by_name))
    out.print(f"\nproblems  {'finding':{width}}  meaning")
    for name, group in by_name.items():
        problems = len({finding.problem_id for finding in group})
        row = Text(f"{problems:8}  ").append(f"{name:{width}}", style=_COLOURS[group[0].severity])
        out.print(row.append(f"  {FINDINGS[name].text}"))


def _print_section(out: Console, name: str, findings: Sequence[Finding]) -> None:
    from rich.text import Text

    out.print()
    out.print(Text(name, style="bold").append(f": {FINDINGS[name].advice}", style="not bold"))
    for finding in findings[:_MAX_SHOWN]:
        # Names and outputs come from data and may hold control characters.
        text = error_text.shorten(f"{finding.problem_id}: {finding.detail}", _MAX_CHARS)
        line = Text(f"  {finding.severity:7} ", style=_COLOURS[finding.severity])
        out.print(line.append(text, style="default"))
    if len(findings) > _MAX_SHOWN:
        out.print(f"  and {len(findings) - _MAX_SHOWN} more")
