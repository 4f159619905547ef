"""Run trusted test code against a candidate in another process, and report the outcome.

The candidate's code is never in this process: names that the test code neither binds nor finds
in test_names are proxies. Only this process writes the report, so the report is evidence.
"""

from __future__ import annotations

import ast
import builtins
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from microcoder_sandbox.rpc import functions
from microcoder_sandbox.test_code import source_analysis, test_names
from microcoder_sandbox.wire import frames
from microcoder_sandbox.wire.runner_messages import RunnerJob

from . import (
    dry_run,
    files,
    introspection,
    replacement,
    rewriting,
    small_pytest,
    test_cases,
    test_classes,
)
from .candidate import Candidate
from .connection import Connection
from .failures import CandidateDiedError, Failures, UnsupportedError
from .module_tests import ModuleTests
from .origins import Origins
from .report import Report

MAX_TEXT = 2000
SEED = 0  # so that a test draws the same inputs in every run


def run_tests(
    job: RunnerJob,
    read_fd: int,
    write_fd: int,
    report_fd: int,
    on_request: Callable[[], None] = lambda: None,
) -> None:
    """Run test code to its end and write one report frame to ``report_fd``.

    read_fd, write_fd: the pipes from and to the candidate; read_fd is -1 in a dry run, which has
    none. on_request: called before each request to the candidate. Raises OSError only for
    report_fd.
    """
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a dead candidate must not kill the tests
    failures = Failures()
    stand_in = dry_run.StandIn() if read_fd < 0 else None
    is_dry = stand_in is not None
    report = Report(job)
    candidate = stand_in or Candidate(read_fd, write_fd, failures)
    origins = stand_in.origins if stand_in else Origins(job.makers)
    connection = Connection(candidate, origins, failures, on_request)
    leave = os._exit
    vars(os)["_exit"] = sys.exit  # tests that end this process are still reported
    vars(builtins).update(exit=sys.exit, quit=sys.exit)
    try:
        _run_source(job, connection, report, is_dry=is_dry)
        if stand_in is not None:
            stand_in.refuse_unclear(failures)
    except (UnsupportedError, CandidateDiedError):
        pass  # both are noted in ``failures``, also when the test caught them
    except BaseException as error:
        kind = AssertionError if isinstance(error, small_pytest.Failed) else type(error)
        report.error = f"{kind.__name__}: {_to_text(error)}"[:MAX_TEXT]
        report.failed_assertion = _find_failing_line(error, job.source)
        report.exited = isinstance(error, SystemExit) and _is_own_error(error)
        if isinstance(error, ImportError) and is_dry:  # later a program may be its cause
            report.unsupported = (
                f"the test cannot import: {_to_text(error)} (the program is the module solution)"
            )
    vars(os)["_exit"] = leave
    frames.write_frame(report_fd, [*report.make_report(connection)])


def _run_source(job: RunnerJob, connection: Connection, report: Report, *, is_dry: bool) -> None:
    """Run test code against the candidate, then the tests that it defines. Raises what fails."""
    source, entry_point, refuse = job.source, job.entry, connection.failures.refuse
    tree = ast.parse(source, source_analysis.FILE_NAME)
    import_names, modules = source_analysis.find_candidate_imports(source_analysis.walk(tree))
    free_names = source_analysis.find_free_names(source)
    rewriting.rewrite_for_proxies(tree)
    plain_lines = {statement.lineno for statement in tree.body}
    classes = test_classes.extract_classes(tree)
    connection.asserting_lines = rewriting.find_asserting_lines(tree)
    connection.ending_lines = rewriting.find_ending_lines(tree)
    sites = source_analysis.mark_assertions(tree)
    report.required_count = sites.required_count
    report.needs_assertion = report.needs_assertion and bool(sites.lines)
    namespace = functions.make_module()
    tests = ModuleTests(namespace, connection, lambda: is_dry and connection.is_used)
    if "unittest" in source:
        unittest = __import__("unittest")
        vars(unittest)["main"] = small_pytest.ignore
        test_cases.watch_results(unittest, refuse, tests.fail)
    if "mock" in source:
        replacement.watch_mock(refuse)
    sys.modules["pytest"] = small_pytest.make_small_pytest(refuse, introspection.get_class)
    _fill_namespace(namespace, tree, free_names, entry_point, import_names, connection)
    namespace.update(dict.fromkeys(modules, CandidateModule(connection)))
    namespace[source_analysis.PASSED] = report.assertion_passed
    for name in source_analysis.EVALUATORS - namespace.keys():
        namespace[name] = _make_evaluator(getattr(builtins, name), connection)
    if classes.names:
        connection.share_classes(classes, namespace, replaces_names=not (import_names or modules))
    if not free_names & test_names.NODE_NAMES:
        connection.leave_nodes()
    if "random" in source:
        _seed(connection)
    introspection.forward_functions(source)
    if is_dry:
        namespace[dry_run.IS_TOLERANT] = lambda: (
            connection.is_used
            and isinstance(sys.exc_info()[1], small_pytest.FAILURES)
            and not test_cases.is_skip(sys.exc_info()[1])
        )
        dry_run.tolerate_errors(tree)
        files.watch_files(refuse)
    code = compile(tree, source_analysis.FILE_NAME, "exec", dont_inherit=True)
    try:
        exec(code, namespace)
    except SystemExit as error:
        _judge_exit(error, sites.lines, plain_lines, connection)
    if source_analysis.omits_check_call(tree):
        namespace["check"](_get_entry(entry_point, connection))
    tests.run(source_analysis.find_called_names(tree), source_analysis.find_names(tree))


def _judge_exit(
    error: SystemExit, assertion_lines: list[int], plain_lines: set[int], connection: Connection
) -> None:
    """Refuse or raise an exit before an assertion; raise AssertionError for a failing status.

    plain_lines: where the statements of the module begin. An exit on one of these always happens.
    """
    line = _find_failing_line_number(error)
    is_early = any(number > line for number in assertion_lines)
    if is_early and line in plain_lines and _is_own_error(error):
        raise connection.failures.refuse("the test code exits before its end") from error
    if is_early or not _is_own_error(error):
        raise error
    if type(error.code) not in (int, bool, type(None)) or error.code:
        raise AssertionError("the tests exit with a status that says that they failed") from error


def _seed(connection: Connection) -> None:
    random: Any = __import__("random")
    random.seed(SEED)
    random.seed = connection.share_seeds(random.seed)


def _make_evaluator(evaluate: Any, connection: Connection) -> Callable[..., Any]:
    """Return ``eval`` or ``exec``, which is refused once something of the candidate may be here."""

    def evaluate_text(text: Any, *scopes: Any) -> Any:
        if connection.is_used:
            raise connection.failures.refuse(
                f"the test uses {evaluate.__name__}, on text that may be the program's"
            )
        caller = sys._getframe(1)
        return evaluate(text, *(scopes or (caller.f_globals, caller.f_locals)))

    return evaluate_text


def _fill_namespace(
    namespace: dict[str, Any],
    tree: ast.Module,
    free_names: set[str],
    entry_point: str | None,
    import_names: dict[str, str],
    connection: Connection,
) -> None:
    namespace.update(introspection.BUILTINS)
    namespace[rewriting.GET_CLASS] = introspection.get_class
    namespace[rewriting.GET_CAUGHT] = connection.get_caught
    namespace[rewriting.GET_RAISED] = connection.get_raised
    root = source_analysis.find_candidate_root(entry_point, tree, free_names)
    for name in free_names | set(import_names) | ({root} if root else set()):
        candidate_name = import_names.get(name, name)
        if name in test_names.NAMES and name != root and name not in import_names:
            namespace[name] = test_names.choose_value(name, tree)
        else:
            namespace[name] = connection.get_name(candidate_name)


def _get_entry(entry_point: str | None, connection: Connection) -> Any:
    if entry_point is None:
        raise connection.failures.refuse(
            "check() is never called: name the function in entry_point, or call check(function)"
        )
    holder, _, name = entry_point.rpartition(".")
    if not holder:
        return connection.get_name(name)
    return getattr(connection.get_name(holder.removesuffix("()"))(), name)


class CandidateModule:
    """``import solution``: its attributes are the candidate's global names."""

    def __init__(self, connection: Connection) -> None:
        vars(self)["_connection"] = connection

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        return self._connection.get_name(name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise self._connection.failures.refuse(f"the test replaces {name} in the program")


def _to_text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # it may hold an object of the candidate, whose __str__ answers
        return ""


def _is_own_error(error: BaseException) -> bool:
    """Whether the test raised it; an exception of the program has a proxy."""
    return "_mc_proxy" not in vars(error)


def _find_failing_line_number(error: BaseException) -> int:
    """Return the innermost line of the test code that an exception comes from, or 0."""
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == source_analysis.FILE_NAME:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _find_failing_line(error: BaseException, source: str) -> str | None:
    line, lines = _find_failing_line_number(error), source.splitlines()
    return lines[line - 1].strip()[:MAX_TEXT] if 0 < line <= len(lines) else None
