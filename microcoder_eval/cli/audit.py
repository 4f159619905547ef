"""``microcoder-eval audit``: problems that cannot be judged fairly, and why.

    look at the tests of all problems -> run right programs, all tests
    -> run wrong ones, up to the first test they fail -> findings, in the order of the problems

Programs are held in memory; problems are not.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from microcoder_eval.api import Judge, testlib_text
from microcoder_eval.audit import Examiner, Finding, Name, Program, Programs
from microcoder_eval.audit.bench import Bench, StoppedError
from microcoder_eval.audit.crew import Crew
from microcoder_eval.formats import ProblemSet, open_problems, read_solutions
from microcoder_eval.outputs import OutputError, Paths, compressed, unwritable
from microcoder_eval.records import Limits, Problem

from .audit_report import show
from .badlines import BadLines
from .counting import Counting
from .judge import named_packages
from .parser import UsageError

EXIT_FOUND, EXIT_USAGE, EXIT_JUDGE, EXIT_INTERRUPTED = 1, 2, 3, 130
MOST_PROGRAMS = 20  # right ones, and wrong ones, that are run for a problem
_SIDE_BY_SIDE = 4  # problems being examined at once, for each worker


def run(args: Any) -> int:
    """Audit all problems; the exit code of design: "Exit"."""
    if args.min_level < 2 and not args.allow_unsafe:
        raise UsageError("--min-level 1 means no system call filter: add --allow-unsafe")
    paths = Paths.of(args.output) if args.output is not None else None
    if paths is not None:
        paths.refuse_misuse([args.tests, *([args.solutions] if args.solutions else [])])
        _prove_writable(paths)
    if args.testlib is not None:
        testlib_text(args.testlib)
    reading = {"format": args.format, "max_line_mb": args.max_line_mb}
    bad = BadLines(paths.errors if paths is not None else None)
    try:
        with open_problems(args.tests, **reading) as problems:
            for line in problems.bad:
                bad.add(line)
            programs = Programs()
            if args.solutions is not None:
                solutions = read_solutions(args.solutions, problems, **reading)
                for line in programs.read(solutions, args.solutions):
                    bad.add(line)
            return Audit(args, problems, programs, paths, bad).run()
    finally:
        bad.close()


class Audit:
    """One run of the verb: its findings, its counts, its files."""

    def __init__(
        self,
        args: Any,
        problems: ProblemSet,
        programs: Programs,
        paths: Paths | None,
        bad: BadLines,
    ) -> None:
        self._args = args
        self._problems = problems
        self._programs = programs
        self._paths = paths
        self._bad = bad
        self._stopped = threading.Event()
        self._found: dict[str, list[Finding]] = {}
        self._looked = 0
        self._ran: Counter[str] = Counter()
        self._unusable: Counter[str] = Counter()
        self._level: int | None = None
        self._examiner = Examiner(args.compare)

    def run(self) -> int:
        """Examine, write, show; the exit code."""
        started = time.monotonic()
        previous = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
        try:
            signal.signal(signal.SIGINT, self._stop)
            signal.signal(signal.SIGTERM, self._stop)
            right, wrong = self._look()
            self._run(right, right=True)
            self._run(wrong, right=False)
        finally:
            signal.signal(signal.SIGINT, previous[0])
            signal.signal(signal.SIGTERM, previous[1])
        found = self._in_order()
        written = self._write(found)
        self._say_what_was_left_out()
        show(found, self._facts(found, written, time.monotonic() - started), self._args.json)
        return self._exit_code(found)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopped.set()

    def _look(self) -> tuple[list[str], list[str]]:
        """Look at all tests; the problems that have right programs, and wrong ones."""
        right: list[str] = []
        wrong: list[str] = []
        with Counting("problems looked at", len(self._problems)) as progress:
            for name in self._problems:
                if self._stopped.is_set():
                    break
                problem = self._problem(name)
                programs, unusable = self._programs.of(problem)
                self._unusable.update(unusable)
                self._found[name] = self._examiner.look(problem, programs)
                kinds = {program.right for program in programs}
                right += [name] * (True in kinds)
                wrong += [name] * (False in kinds)
                self._looked += 1
                progress.advance()
        return right, wrong

    def _run(self, names: list[str], *, right: bool) -> None:
        """Run the right, or the wrong, programs of problems."""
        if not names or self._stopped.is_set():
            return
        judge = self._judge("never" if right else "first_failure")
        self._level = judge.sandbox_level
        bench = Bench(judge, self._args.repeat, self._stopped.is_set)
        crew: Crew[str, tuple[list[Finding], int]]
        crew = Crew(lambda name: self._one(bench, name, right), _SIDE_BY_SIDE * judge.workers)
        what = f"problems examined with {'right' if right else 'wrong'} programs"
        try:
            with Counting(what, len(names)) as progress:
                for answer in crew.do(names):
                    if self._stopped.is_set():
                        break
                    if answer is not None:
                        name, (findings, count) = answer
                        self._found[name] += findings
                        self._ran["right" if right else "wrong"] += count
                        progress.advance()
        except StoppedError:
            self._stopped.set()
        except BaseException:
            judge.close(cancel=True)
            raise
        judge.close(cancel=self._stopped.is_set())

    def _one(self, bench: Bench, name: str, right: bool) -> tuple[list[Finding], int]:
        problem = self._problem(name)
        programs = [p for p in self._programs.of(problem)[0] if p.right is right]
        programs = programs[:MOST_PROGRAMS]
        return self._examiner.run(bench, problem, programs), len(programs)

    def _problem(self, name: str) -> Problem:
        problem = self._problems.get(name)
        if self._args.ignore_checkers and problem.checker is not None:
            return replace(problem, checker=None)
        return problem

    def _judge(self, stop: str) -> Judge:
        args = self._args
        return Judge(
            workers=args.workers,
            limits=Limits(time_s=args.time_limit, memory_mb=args.memory_limit),
            compare=args.compare,
            stop=stop,
            reuse=False,
            packages=named_packages(args.packages),
            testlib=args.testlib,
            time_scale=args.time_scale,
            min_level=args.min_level,
            allow_unsafe=args.allow_unsafe,
        )

    def _in_order(self) -> list[Finding]:
        """Problem by problem, the gravest of each first."""
        names = list(Name)
        return [
            finding
            for name in self._problems
            for finding in sorted(
                self._found.get(name, ()), key=lambda finding: names.index(finding.name)
            )
        ]

    def _write(self, found: Sequence[Finding]) -> Path | None:
        """Where the findings are; those of an audit that was stopped are not called OUT."""
        if self._paths is None:
            return None
        part, whole = self._paths.journal, self._paths.results
        try:
            with compressed(part, whole.name if not self._stopped.is_set() else part.name) as file:
                file.writelines(finding.line() for finding in found)
            if self._stopped.is_set():
                return part
            part.replace(whole)
        except OSError as error:
            raise unwritable(part, error) from error
        return whole

    def _say_what_was_left_out(self) -> None:
        for reason, count in self._unusable.most_common():
            print(f"microcoder-eval: {count} programs of problems: {reason}", file=sys.stderr)
        if left := self._left_out():
            print(
                f"microcoder-eval: {left} programs were not run: at most {MOST_PROGRAMS} right "
                f"and {MOST_PROGRAMS} wrong ones are, for a problem",
                file=sys.stderr,
            )

    def _left_out(self) -> int:
        def beyond(programs: Sequence[Program]) -> Iterator[int]:
            for right in (True, False):
                yield max(0, sum(p.right is right for p in programs) - MOST_PROGRAMS)

        return sum(sum(beyond(programs)) for programs in self._programs.given.values())

    def _facts(
        self, found: Sequence[Finding], written: Path | None, seconds: float
    ) -> dict[str, Any]:
        counts = Counter(finding.name for finding in found)
        severities = Counter(finding.severity for finding in found)
        return {
            "problems": self._looked,
            "problems_with_findings": len({finding.problem_id for finding in found}),
            "programs": {"right": self._ran["right"], "wrong": self._ran["wrong"]},
            "repeat": self._args.repeat,
            "findings": {str(name): counts[name] for name in Name if counts[name]},
            "severities": {str(severity): severities[severity] for severity in severities},
            "bad_lines": self._bad.count,
            "programs_not_usable": self._unusable.total(),
            "interrupted": self._stopped.is_set(),
            "sandbox_level": self._level,
            "wall_s": round(seconds, 3),
            "output": str(written) if written is not None else None,
        }

    def _exit_code(self, found: Sequence[Finding]) -> int:
        if self._stopped.is_set():
            return EXIT_INTERRUPTED
        if any(finding.name is Name.UNJUDGEABLE for finding in found):
            return EXIT_JUDGE
        if self._bad.count:
            return EXIT_USAGE
        return EXIT_FOUND if found else 0


def _prove_writable(paths: Paths) -> None:
    """Raise OutputError now rather than after hours of work."""
    if paths.journal.exists() and paths.journal.stat().st_size:
        raise OutputError(
            f"{paths.journal} is there, of a run that was interrupted: remove it, or choose "
            "another name for -o"
        )
    try:
        paths.journal.open("wb").close()
        paths.journal.unlink()
    except OSError as error:
        raise unwritable(paths.journal, error) from error
