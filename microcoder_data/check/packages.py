"""Judges every submission of a package, and compares that with what the package declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from microcoder_eval.api import Judge
from microcoder_eval.audit.findings import Finding
from microcoder_eval.errors import DataError
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import MARKERS, make_row
from microcoder_eval.formats.packages.package import Package, Submission
from microcoder_eval.formats.packages.tree import scan_tree
from microcoder_eval.languages import find_language
from microcoder_eval.records import DEFAULT_TIME_S, Judgement, Limits, Problem, Solution
from microcoder_sandbox import find_toolchain

from .agreement import find_disagreement
from .generation import read_complete_package

_MEASURING_SECONDS = 60.0  # limit for accepted programs while a limit is derived from their times
_SHORTEST_SECONDS = 0.2  # a faster slowest program counts as this long when a limit is derived


@dataclass(frozen=True, slots=True)
class SubmissionCheck:
    """One submission.

    judgement: None if it was not judged; ``reason`` says why. finding: set if the judge failed or
    if the judgement contradicts what is declared.
    """

    submission: Submission
    judgement: Judgement | None = None
    finding: Finding | None = None
    reason: str | None = None

    @property
    def agrees(self) -> bool:
        """Whether the judgement does not contradict what is declared; also true if it was not
        judged."""
        return self.finding is None

    @property
    def slowest_s(self) -> float | None:
        """CPU seconds of its slowest test; None if no test ran."""
        tests = self.judgement.tests_run if self.judgement is not None else ()
        return max((test.cpu_s for test in tests), default=None)

    @property
    def judge_failed(self) -> bool:
        """Whether the judge itself failed."""
        return self.finding is not None and self.finding.name == "unjudgeable"


@dataclass(frozen=True, slots=True)
class PackageCheck:
    """One package.

    error: why the package cannot be used.
    time_s: the limit of a test; is_derived: whether that limit comes from the accepted submissions
        on this machine.
    is_generated: whether its tests were made here.
    """

    name: str
    error: DataError | None = None
    test_count: int = 0
    max_points: float | None = None
    time_s: float = 0.0
    is_derived: bool = False
    submissions: tuple[SubmissionCheck, ...] = ()
    is_generated: bool = False


def list_packages(folders: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yield (id, folder) of every package in these folders. Raises DataError for a folder that
    holds no package."""
    for folder in folders:
        if not Path(folder).is_dir():
            raise DataError("is no folder: unpack an archive first", folder)
        packages = scan_tree(Path(folder)).packages
        if not packages:
            raise DataError(f"holds no package (looked for {', '.join(MARKERS)})", folder)
        yield from packages


def check_package(judge: Judge, name: str, folder: Path, keep: Path | None = None) -> PackageCheck:
    """Read a package and judge its submissions. If it lacks its tests, its own generator
    makes them, provided its script can be read. keep: the new folder for a package whose tests were
    made; None: a temporary one."""
    try:
        package, is_generated = read_complete_package(judge, folder, keep)
        row = {**make_row(package), "problem_id": name}
        problem = problem_from({key: value for key, value in row.items() if key != "solutions"})
    except DataError as error:
        return PackageCheck(name, error)
    time_s = package.time_s or _derive_limit(judge, package, problem)
    limited_judge = judge.with_changes(limits=_make_limits(time_s or DEFAULT_TIME_S))
    if any(submission.requirements for submission in package.submissions):
        # Requirements look at every test.
        limited_judge = limited_judge.with_changes(stop="never")
    checks = _check_submissions(limited_judge, package, problem, package.submissions)
    judged = [check.judgement for check in checks if check.judgement is not None]
    return PackageCheck(
        name,
        test_count=len(problem.tests),
        max_points=next((j.max_points for j in judged if j.max_points is not None), None),
        time_s=time_s or DEFAULT_TIME_S,
        is_derived=package.time_s is None and time_s is not None,
        submissions=checks,
        is_generated=is_generated,
    )


def _make_limits(time_s: float) -> Limits:
    """Return limits with a generous wall time: a program that only waits for a core is not too
    slow."""
    return Limits(time_s=time_s, wall_s=max(8 * time_s, time_s + 15))


def _derive_limit(judge: Judge, package: Package, problem: Problem) -> float | None:
    """Return the time limit that the package's rule derives from the accepted submissions; None if
    no accepted submission runs here."""
    measuring_judge = judge.with_changes(limits=_make_limits(_MEASURING_SECONDS))
    accepted = [submission for submission in package.submissions if submission.expected == ("AC",)]
    checks = _check_submissions(measuring_judge, package, problem, accepted)
    times = [check.slowest_s for check in checks if check.slowest_s is not None]
    if not times:
        return None
    return package.limit_rule.apply(max(_SHORTEST_SECONDS, *times))


def _check_submissions(
    judge: Judge, package: Package, problem: Problem, submissions: Sequence[Submission]
) -> tuple[SubmissionCheck, ...]:
    """Judge submissions of a package, if they are in languages that are judged here."""
    pairs = [(one, _explain_unjudged(one)) for one in submissions]
    solutions = (
        Solution(
            problem.problem_id, one.name, one.code,
            language=one.language, file=one.file, files=one.files,
        )
        for one, reason in pairs
        if reason is None
    )  # fmt: skip
    judgements = judge.map((solution, problem) for solution in solutions)
    test_names = [test.name for test in package.tests]
    checks = []
    for one, reason in pairs:
        if reason is not None:
            checks.append(SubmissionCheck(one, reason=reason))
            continue
        judgement = next(judgements)
        finding = find_disagreement(one, judgement, test_names)
        checks.append(SubmissionCheck(one, judgement, finding))
    return tuple(checks)


def _explain_unjudged(submission: Submission) -> str | None:
    """Return why programs like this one are not judged here; None if they are judged."""
    name = submission.language
    language = find_language(name)
    if language is None:
        return f"programs in {name} are not supported"
    if submission.files and language.is_one_file:
        return f"programs in {name} of several files are not supported"
    if language.compiled and find_toolchain(language.toolchain) is None:
        return f"there is no compiler for {name} on this machine"
    return None
