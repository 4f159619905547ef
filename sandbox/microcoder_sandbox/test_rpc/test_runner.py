"""Run trusted test code against a candidate in another process, and report the outcome.

The candidate's code is never in this process: names that the test code neither binds nor finds
in the prelude are Remotes. The report is written here and nowhere else, so it is evidence.
"""

from __future__ import annotations

import ast
import signal
import sys

from . import rpc_frames, rpc_prelude, rpc_source
from .rpc_proxies import CandidateDiedError, Connection, Remote, UnsupportedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_TEXT = 2000
SEED = 0  # inputs that a test draws must be the same in every run


class Report:
    """What is known so far; ``as_json`` is the one frame sent to the judge."""

    def __init__(self, expected_assertions: int) -> None:
        self.expected_assertions = max(1, expected_assertions)
        self.reached: set[int] = set()
        self.assertions_run = 0
        self.error: str | None = None
        self.failed_assertion: str | None = None
        self.unsupported: str | None = None
        self.candidate_died = False

    def assertion_passed(self, site: int) -> None:
        """Called by the marked test code after each assertion."""
        self.reached.add(site)
        self.assertions_run += 1

    def as_json(self) -> dict[str, Any]:
        """passed only if nothing went wrong and as many assertions as expected were completed."""
        if self.error is None and len(self.reached) < self.expected_assertions:
            self.error = (
                f"only {len(self.reached)} of {self.expected_assertions} assertions were reached"
            )
        if self.unsupported is not None:
            self.error = f"test needs in-process access: {self.unsupported}"
        return {
            "passed": self.error is None,
            "assertions_run": self.assertions_run,
            "failed_assertion": self.failed_assertion,
            "error": self.error,
            "candidate_died": self.candidate_died,
            "unsupported": self.unsupported is not None,
        }


def run_tests(
    source: str,
    expected_assertions: int,
    style: str | None,
    entry_point: str | None,
    read_fd: int,
    write_fd: int,
    report_fd: int,
) -> None:
    """Run test code to its end and write one report frame to ``report_fd``.

    expected_assertions: how many must be completed (AssertPlan.opaque_assertions); at least one.
    style: "assert", "check", "pytest", "unittest", or None to tell from the source.
    read_fd, write_fd: the pipes from and to the candidate. Raises OSError only for report_fd.
    """
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a dead candidate must not kill the tests
    report = Report(expected_assertions)
    connection = Connection(read_fd, write_fd)
    try:
        _run(source, style, entry_point, connection, report)
    except (UnsupportedError, CandidateDiedError):
        pass  # both are noted in the connection, also when the test caught them
    except BaseException as error:
        report.error = f"{type(error).__name__}: {_text(error)}"[:MAX_TEXT]
        report.failed_assertion = _failing_line(error, source)
        if isinstance(error, ImportError) and _is_ours(error):
            report.unsupported = f"the test cannot import: {_text(error)}"
    if connection.died is not None:
        report.error, report.candidate_died = connection.died, True
    elif connection.unsupported is not None:
        report.unsupported = connection.unsupported
    rpc_frames.write_frame(report_fd, report.as_json())


def _run(
    source: str, style: str | None, entry_point: str | None, connection: Connection, report: Report
) -> None:
    tree = ast.parse(source, rpc_source.FILE_NAME)
    style = style or style_of(tree)
    imported, modules = rpc_source.take_candidate_imports(tree)
    _drop_runners(tree)
    rpc_source.mark_assertions(tree)
    sys.modules["pytest"] = rpc_prelude.small_pytest(connection.refuse)
    namespace = _namespace(tree, rpc_source.free_names(source), entry_point, imported, connection)
    namespace.update(dict.fromkeys(modules, CandidateModule(connection)))
    namespace[rpc_source.PASSED] = report.assertion_passed
    if "random" in source:
        __import__("random").seed(SEED)
    exec(compile(tree, rpc_source.FILE_NAME, "exec", dont_inherit=True), namespace)
    if style == "check" and not calls_check(tree):
        namespace["check"](_entry(entry_point, connection))
    elif style == "pytest":
        _run_functions(tree, namespace, connection)
    elif style == "unittest":
        _run_unittest(namespace)


def style_of(tree: ast.Module) -> str:
    """Tell the style from what the module defines."""
    definitions = [node for node in tree.body if rpc_source.is_test(node)]
    for node in definitions:
        if isinstance(node, ast.ClassDef) and any("TestCase" in ast.unparse(b) for b in node.bases):
            return "unittest"
    if any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in definitions):
        return "check"
    called = {
        rpc_source.called_name(node.value)
        for node in tree.body
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    }
    if any(getattr(node, "name", "") not in called for node in definitions):
        return "pytest"
    return "assert"


def calls_check(tree: ast.Module) -> bool:
    """Whether the module calls ``check`` itself (HumanEval's own files leave that out)."""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "check"
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef)
        for node in ast.walk(statement)
    )


def _drop_runners(tree: ast.Module) -> None:
    # unittest.main() and pytest.main() at the end would raise SystemExit: run here instead.
    tree.body = [
        node
        for node in tree.body
        if not (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func) in ("unittest.main", "pytest.main")
        )
    ] or [ast.Pass()]


def _namespace(
    tree: ast.Module,
    free: set[str],
    entry_point: str | None,
    imported: dict[str, str],
    connection: Connection,
) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "tests"}
    root = candidate_root(entry_point, tree, free)
    caught = rpc_source.caught_names(tree)
    for name in free | set(imported) | ({root} if root else set()):
        actual = imported.get(name, name)
        if name in caught:
            namespace[name] = connection.exceptions[actual] = type(name, (Exception,), {})
        elif name in rpc_prelude.NAMES and name != root and name not in imported:
            namespace[name] = rpc_prelude.lookup(name)
        else:
            namespace[name] = Remote(connection, {"$name": actual})
    return namespace


def entry_root(entry_point: str | None) -> str | None:
    """The global name in an entry point: ``Solution`` of ``Solution().name``."""
    return entry_point.partition(".")[0].removesuffix("()") if entry_point else None


def candidate_root(entry_point: str | None, tree: ast.Module, free: set[str]) -> str | None:
    """The entry point's global name, which is the candidate's even where Python has it too.

    Except where a data set took the wrong name for the entry point: bare assertions such as
    ``int(f(1)) == 2``, in which ``int`` is called and another name is free.
    """
    root = entry_root(entry_point)
    mistaken = root in rpc_source.BUILTINS and style_of(tree) == "assert"
    return None if mistaken and free - rpc_prelude.NAMES else root


def _entry(entry_point: str | None, connection: Connection) -> Any:
    if entry_point is None:
        raise connection.refuse("check() is never called and there is no entry point")
    holder, _, name = entry_point.rpartition(".")
    if not holder:
        return Remote(connection, {"$name": name})
    return getattr(Remote(connection, {"$name": holder.removesuffix("()")})(), name)


class CandidateModule:
    """``import solution``: its attributes are the candidate's global names."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Remote:
        if name[:2] == "__":
            raise AttributeError(name)
        return Remote(self._connection, {"$name": name})


def _run_functions(tree: ast.Module, namespace: dict[str, Any], connection: Connection) -> None:
    for node in tree.body:
        name = getattr(node, "name", "")
        if isinstance(node, ast.FunctionDef) and name.startswith("test"):
            _run_cases(namespace[name], connection)
        elif isinstance(node, ast.ClassDef) and name.startswith("Test"):
            for method in [m for m in vars(namespace[name]) if m.startswith("test")]:
                case = namespace[name]()
                getattr(case, "setup_method", lambda: None)()
                _run_cases(getattr(case, method), connection)


def _run_cases(function: Any, connection: Connection) -> None:
    code = function.__code__
    wanted = set(code.co_varnames[: code.co_argcount]) - {"self"}
    for values in getattr(function, "__cases__", [{}]):
        if wanted - set(values):
            raise connection.refuse(f"the test asks for fixtures: {sorted(wanted - set(values))}")
        function(**values)


def _run_unittest(namespace: dict[str, Any]) -> None:
    import unittest

    class FirstError(unittest.TestResult):
        """Raises what a test raised instead of collecting it: one failure decides."""

        def addError(self, test: Any, err: Any) -> None:  # noqa: N802
            raise err[1]

        addFailure = addError  # noqa: N815

        def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
            raise AssertionError(f"a test was skipped: {reason}")

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
            if err is not None:
                raise err[1]

    for value in list(namespace.values()):
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            result = FirstError()
            unittest.defaultTestLoader.loadTestsFromTestCase(value).run(result)
            if not result.wasSuccessful():
                raise AssertionError("a unittest did not succeed")


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # it may hold an object of the candidate, whose __str__ answers
        return ""


def _is_ours(error: BaseException) -> bool:
    # An ImportError that came over the wire was raised in rpc_proxies, not by an import here.
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback is None or "rpc_proxies" not in traceback.tb_frame.f_code.co_filename


def _failing_line(error: BaseException, source: str) -> str | None:
    traceback, line = error.__traceback__, 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == rpc_source.FILE_NAME:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    lines = source.splitlines()
    return lines[line - 1].strip()[:MAX_TEXT] if 0 < line <= len(lines) else None
