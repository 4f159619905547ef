"""Call problems for programs that are compiled: a driver in the program calls the function.

The expected value is compared here and is never in the program's process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.languages import Language
from microcoder_eval.worker.drivers import cpp, go, java, javascript, rust
from microcoder_eval.worker.drivers.call_messages import MARK, NO_ENTRY, encode_arguments
from microcoder_eval.worker.drivers.call_target import CallTarget
from microcoder_eval.worker.prepared_problem import PreparedProblem
from microcoder_eval.worker.program_files import ProgramFiles
from microcoder_eval.worker.solution_tests import (
    Build,
    ProblemKind,
    SolutionRun,
    TestCase,
    TestSeries,
)
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_eval.worker.verdicts import TestRun
from microcoder_sandbox import Phase, codec, make_sealed_memfd

from .call import make_expectation

_MAKERS: Mapping[str, Callable[[str, CallTarget], ProgramFiles]] = {
    "cpp": cpp.make_call_program,
    "java": java.make_call_program,
    "javascript": javascript.make_call_program,
    "rust": rust.make_call_program,
    "go": go.make_call_program,
}


def _add_driver(problem: PreparedProblem, files: ProgramFiles, language: Language) -> Build:
    """Return the program with a driver that calls the problem's function. Raises
    UnjudgeableError where the language has no driver."""
    make_program = _MAKERS.get(language.name)
    if make_program is None:
        raise UnjudgeableError(f"call problems take no programs in {language.name}")
    definition = problem.definition
    starters = definition.starter_codes
    hints = problem.starter_hints
    target = CallTarget(
        entry=definition.entry_point or "",
        starter=starters.get(language.name, problem.starter_code),
        argument_count=max((len(test.arguments) for test in problem.tests), default=0),
        hints=None if hints is None else (tuple(hints[0]), hints[1]),
        in_place=problem.changes_argument
        and all(test.result is not None for test in problem.tests),
    )
    program = make_program(files.source, target)
    return replace(program, others={**files.others, **program.others}), language


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """Yield all tests, each in a process of its own."""
    yield TestSeries(run.order, partial(_make_case, run, program))


def _make_case(run: SolutionRun, program: TextProgram, index: int) -> TestCase:
    problem = run.problem
    test = problem.tests[index]
    limits = run.make_limits()
    data = encode_arguments(codec.from_json(test.arguments))

    def run_once() -> TestRun:
        # Python programs of the same problem read these arguments in another form.
        key = ("driver", index)
        stdin_fd = problem.get_input_file(key, lambda: make_sealed_memfd(data, "arguments"))
        outcome = program.run(stdin_fd, limits)
        _, mark, report = outcome.stdout.rpartition(MARK)
        report = report if mark else b""
        phase = Phase.NO_ENTRY if report.startswith(NO_ENTRY) else outcome.phase
        return TestRun(outcome._replace(result=report, phase=phase))

    return TestCase(run_once, limits, make_expectation(run, test))


KIND = ProblemKind(list_series, add_code=_add_driver)
