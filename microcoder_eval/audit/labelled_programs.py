"""The programs that an audit runs, with their labels: right or wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine, error_text, solution_from
from microcoder_eval.formats.datasets.format import list_words
from microcoder_eval.records import Problem, Solution
from microcoder_sandbox import record

# The first of these keys in a line is its label.
LABEL_KEYS = ("accept", "expected_verdict", "verdict", "graded")
_RIGHT = list_words("ac accept accepted ok correct right pass passed true 1")
_WRONG = list_words(
    "wa tle mle ole re ce rte pe wrong wrong_answer presentation_error time_limit_exceeded "
    "memory_limit_exceeded output_limit_exceeded runtime_error run_time_error compile_error "
    "compilation_error partial partially_accepted incorrect reject rejected fail failed false 0 "
    "crashed challenged hacked"
)
_HONEYPOT = "unable to pass a honeypot"  # the label of its programs
_RESOURCE_VERDICTS = list_words("tle mle time_limit_exceeded memory_limit_exceeded")


@record
class Program:
    """A solution and its label.

    right: whether it should pass. label: the word that says so; empty for a program without a
    label, which is taken to be right.
    """

    solution: Solution
    right: bool = True
    label: str = ""

    @property
    def name(self) -> str:
        """Its name in findings."""
        return self.solution.solution_id

    @property
    def is_only_too_slow(self) -> bool:
        """Whether the label says that the program fails by time or memory only; this depends on the
        machine."""
        return _normalize_label(self.label) in _RESOURCE_VERDICTS


def classify_solution(solution: Solution) -> Program:
    """Read the label of a solution. Raises DataError for an unknown label."""
    for key in LABEL_KEYS:
        value = solution.meta.get(key)
        if value is None:
            continue
        word = _normalize_label(value)
        if word in _RIGHT or word in _WRONG:
            return Program(solution, word in _RIGHT, str(value))
        raise DataError(
            f'"{key}" must say whether the program is right, not '
            f"{error_text.describe_value(value)}; "
            'write "AC", "WA", "TLE", true or false, or leave it out for a right program'
        )
    return Program(solution)


def _normalize_label(value: object) -> str:
    return str(value).strip().lower().replace(" ", "_").replace("-", "_")


@dataclass(slots=True)
class Programs:
    """The programs of a file of solutions, by problem, and of the problems themselves."""

    by_problem: dict[str, list[Program]] = field(default_factory=lambda: defaultdict(list))

    def read(self, solutions: Iterator[Solution | BadLine], path: str) -> Iterator[BadLine]:
        """Add all solutions of a file; yield the lines that cannot be used."""
        for solution in solutions:
            if isinstance(solution, BadLine):
                yield solution
                continue
            try:
                self.by_problem[solution.problem_id].append(classify_solution(solution))
            except DataError as error:
                name = error_text.shorten(solution.solution_id, 80)
                yield BadLine(path, 0, f'solution "{name}": {error.message}', "")

    def count_unlabelled(self) -> int:
        """Count the programs of the file that count as right for want of a label."""
        return sum(not one.label for programs in self.by_problem.values() for one in programs)

    def select_programs(self, problem: Problem) -> tuple[list[Program], list[str]]:
        """Return the programs to run, and why solutions of the problem cannot be used.

        The programs are the problem's own solutions, then those of the file. No honest program
        passes a honeypot, so all of its programs count as wrong.
        """
        programs: list[Program] = []
        reasons: list[str] = []
        for number, line in enumerate(problem.solutions, 1):
            names = {"solution_id": f"{problem.problem_id}#own{number}", **line}
            names["problem_id"] = problem.problem_id
            try:
                programs.append(classify_solution(solution_from(names, format="native")))
            except DataError as error:
                reasons.append(error.message)
        programs += self.by_problem.get(problem.problem_id, ())
        if problem.meta.get("honeypot"):
            programs = [Program(program.solution, False, _HONEYPOT) for program in programs]
        return programs, reasons
