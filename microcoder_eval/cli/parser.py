"""What can be said on the command line, and what is said back when it makes no sense."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from microcoder_eval.languages import NAMES, find_language

from .completion import PrintCompletion

LATER_OPTIONS = ("--profile",)
_EXAMPLES = """\
examples:
  microcoder-eval solutions.jsonl --tests tests.jsonl
  microcoder-eval solutions.jsonl --tests tests.jsonl -o results.jsonl --k 1,5,10
  microcoder-eval solutions.jsonl --tests tests.jsonl -o results.jsonl --resume
  microcoder-eval solutions.jsonl --tests tests.jsonl -o results.jsonl --report report.html
  microcoder-eval report results.jsonl --tests tests.jsonl --solutions solutions.jsonl -o r.html
  microcoder-eval compare my_output.txt expected.txt --compare floats:abs=1e-9,rel=null
  microcoder-eval convert problems.jsonl --to native -o tests.jsonl
  microcoder-eval audit tests.jsonl solutions.jsonl -o findings.jsonl
  microcoder-eval doctor
  microcoder-eval serve --port 8080

exit codes, the first that holds: 130 interrupted; 2 usage, unreadable or unwritable file, disk
full, refused --resume; 3 some solutions could not be judged (JE), or the judge cannot start; 2
some bad lines; 1 --fail-under X and pass@1 is below X; 0 everything judged, whatever the verdicts.
"""


class UsageError(Exception):
    """The words given make no sense; the message says which and what to say instead."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see microcoder-eval --help)")


def parse(argv: list[str]) -> argparse.Namespace:
    """Read the words; ``command`` says what to do. Raises UsageError."""
    if argv and argv[0] in (verbs := verb_parsers()):
        return verbs[argv[0]]().parse_args(argv[1:])
    if "--version" in argv:
        return argparse.Namespace(command="version", json="--json" in argv)
    for option in LATER_OPTIONS:
        if any(word == option or word.startswith(f"{option}=") for word in argv):
            raise UsageError(f"{option} is not available in this version")
    return judge_parser().parse_args(argv)


def _language(word: str) -> str:
    """The name for an alias; argparse refuses what is none."""
    known = find_language(word)
    return word if known is None else known.name


def verb_parsers() -> dict[str, Callable[[], argparse.ArgumentParser]]:
    """What may stand first on the command line, and how the rest is read."""
    from .serve_parser import serve_parser  # which imports this module

    return {
        "audit": audit_parser,
        "compare": compare_parser,
        "convert": convert_parser,
        "doctor": doctor_parser,
        "report": report_parser,
        "serve": serve_parser,
    }


def judge_parser() -> argparse.ArgumentParser:
    """The main road: judge solutions against tests."""
    parser = _Parser(
        prog="microcoder-eval",
        description="Judge programs against tests in a sandbox. "
        "Other verbs: audit TESTS [SOLUTIONS], compare ACTUAL EXPECTED, convert FILE, doctor, "
        "report RESULTS, serve.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(command="judge")
    parser.add_argument("solutions", help="solutions, JSON lines (.gz and .zst too)")
    parser.add_argument("--tests", required=True, metavar="FILE", help="problems with their tests")
    parser.add_argument(
        "--version", action="store_true", help="this version and this machine, for bug reports"
    )
    parser.add_argument(
        "--print-completion", action=PrintCompletion, what=completable, help="tab completion"
    )
    _output_options(parser.add_argument_group("output"))
    _judging_options(parser.add_argument_group("judging"))
    _machine_options(parser.add_argument_group("machine"))
    return parser


def completable() -> dict[str, argparse.ArgumentParser]:
    """All parsers by the verb that leads to them; "": judging."""
    return {"": judge_parser(), **{verb: make() for verb, make in verb_parsers().items()}}


def _output_options(group: Any) -> None:
    group.add_argument("-o", "--output", metavar="OUT", help="results, one line per solution")
    group.add_argument("--report", metavar="HTML", help="a page to look at results in")
    group.add_argument("--resume", action="store_true", help="go on from OUT or its journal")
    group.add_argument("--force", action="store_true", help="replace files that exist")
    group.add_argument("--json", action="store_true", help="the summary as JSON on stdout")
    group.add_argument("--k", type=_ks, default=(1,), metavar="1,5,10", help="pass@k to report")
    group.add_argument("--fail-under", type=_share, metavar="X", help="exit 1 if pass@1 < X")


def _judging_options(group: Any) -> None:
    _comparing_options(group)
    group.add_argument(
        "--stop",
        choices=("never", "first-failure"),
        default="never",
        help="run all tests of a solution (default) or up to the first that fails",
    )
    group.add_argument(
        "--isolation",
        choices=("batch", "test"),
        default="batch",
        help="tests of a program share a process where nothing can tell (batch, default), or never",
    )
    _running_options(group)
    group.add_argument("--repeat", type=_count, default=1, metavar="N", help="find flaky programs")
    _reading_options(group)


def _comparing_options(group: Any) -> None:
    group.add_argument(
        "--compare",
        type=_spec,
        default="calibrated",
        metavar="NAME[:key=value,...]",
        help="how answers are compared (default calibrated)",
    )
    group.add_argument("--ignore-checkers", action="store_true", help="--compare for all problems")
    group.add_argument(
        "--testlib", metavar="PATH", help="testlib.h or its folder, for checkers that include it"
    )


def _running_options(group: Any) -> None:
    group.add_argument(
        "--time-limit", type=_positive, metavar="S", help="CPU seconds a test, for all problems"
    )
    group.add_argument(
        "--memory-limit", type=_positive, metavar="MB", help="memory of a test, for all problems"
    )
    group.add_argument(
        "--time-scale", type=_positive, default=1.0, metavar="X", help="multiplies time limits"
    )
    group.add_argument(
        "--language",
        type=_language,
        choices=NAMES,
        default="python",
        help="of solutions whose line names none (default python)",
    )
    group.add_argument(
        "--packages",
        metavar="a,b",
        help="what programs may import besides the standard library, where installed "
        "(default numpy,sortedcontainers)",
    )


def _reading_options(group: Any) -> None:
    group.add_argument("--format", metavar="NAME", help="of the files (default: recognised)")
    group.add_argument(
        "--max-line-mb", type=_positive, default=1024, metavar="MB", help="longer lines are bad"
    )


def _machine_options(group: Any) -> None:
    _worker_options(group)
    group.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="this machine (default), or the nodes of a Ray cluster, --workers on each",
    )


def _worker_options(group: Any) -> None:
    group.add_argument("--workers", type=_count, metavar="N", help="default: the usable cores")
    group.add_argument(
        "--min-level",
        type=int,
        choices=(1, 2, 3, 4),
        default=3,
        help="refuse to judge below this isolation level (default 3; see doctor)",
    )
    group.add_argument("--allow-unsafe", action="store_true", help="needed for --min-level 1")


def compare_parser() -> argparse.ArgumentParser:
    """Try a comparer on two files."""
    parser = _Parser(
        prog="microcoder-eval compare",
        description="Compare two outputs as the judge would. Exit 0 accepted, 1 not.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="compare")
    parser.add_argument("actual", help='the program\'s output, a file ("-": standard input)')
    parser.add_argument("expected", help='what is expected, a file ("-": standard input)')
    parser.add_argument("--compare", type=_spec, default="calibrated", metavar="NAME")
    parser.add_argument("--json", action="store_true")
    return parser


def audit_parser() -> argparse.ArgumentParser:
    """Problems that cannot be judged fairly."""
    parser = _Parser(
        prog="microcoder-eval audit",
        description="Find problems that cannot be judged fairly: references that fail, disagree or "
        "sit near the limits, comparers that disagree, tests that contradict each other. Programs "
        "are those of SOLUTIONS and of the problems; one without a label (accept, "
        "expected_verdict, verdict, graded) is taken to be right. Exit 0 nothing found, 1 "
        "findings, 3 some problems cannot be judged, 2 usage or bad lines.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="audit")
    parser.add_argument("tests", help="problems, JSON lines (.gz and .zst too)")
    parser.add_argument("solutions", nargs="?", help="programs to run, right and wrong ones")
    parser.add_argument("-o", "--output", metavar="OUT", help="findings, one line each")
    parser.add_argument("--json", action="store_true", help="the counts as JSON on stdout")
    parser.add_argument(
        "--repeat", type=_count, default=3, metavar="N", help="runs of each program (default 3)"
    )
    judging = parser.add_argument_group("judging")
    for options in (_comparing_options, _running_options, _reading_options):
        options(judging)
    _worker_options(parser.add_argument_group("machine"))
    return parser


def convert_parser() -> argparse.ArgumentParser:
    """Problems or solutions of any known format, in our own."""
    parser = _Parser(
        prog="microcoder-eval convert",
        description="Write problems or solutions of any known format in the judge's own. "
        "Exit 0, or 2 when some lines could not be used.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="convert")
    parser.add_argument("file", help="problems or solutions, JSON lines (.gz and .zst too)")
    parser.add_argument("-o", "--output", metavar="OUT", help="where to (default: stdout)")
    parser.add_argument("--to", choices=("native",), required=True, help="the format to write")
    parser.add_argument("--format", metavar="NAME", help="of the file (default: recognised)")
    parser.add_argument(
        "--tests", metavar="FILE", help="problems, for samples that continue their prompts"
    )
    parser.add_argument("--json", action="store_true", help="the counts as JSON")
    parser.add_argument(
        "--max-line-mb", type=_positive, default=1024, metavar="MB", help="longer lines are bad"
    )
    return parser


def report_parser() -> argparse.ArgumentParser:
    """A page out of results that are there already."""
    parser = _Parser(
        prog="microcoder-eval report",
        description="Make the HTML page of results judged earlier. Nothing is run, so what wrong "
        "programs print is not shown (judging with --report shows it). Exit 0, or 2 when some "
        "lines could not be used.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="report")
    parser.add_argument("results", help="results, JSON lines (.gz and .zst too), or a journal")
    parser.add_argument("-o", "--output", required=True, metavar="HTML", help="the page")
    parser.add_argument("--tests", metavar="FILE", help="the problems: inputs, expected outputs")
    parser.add_argument("--solutions", metavar="FILE", help="the programs")
    parser.add_argument("--k", type=_ks, default=(1,), metavar="1,5,10", help="pass@k to report")
    parser.add_argument("--force", action="store_true", help="replace a file that is no report")
    parser.add_argument("--json", action="store_true", help="the summary as JSON on stdout")
    _reading_options(parser.add_argument_group("files"))
    return parser


def doctor_parser() -> argparse.ArgumentParser:
    """Say what this machine can enforce."""
    parser = _Parser(
        prog="microcoder-eval doctor",
        description="Try to break each layer of the sandbox and say which hold. "
        "Exit 0, or 3 below --min-level.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="doctor")
    parser.add_argument("--min-level", type=int, choices=(1, 2, 3, 4), default=3)
    parser.add_argument("--json", action="store_true")
    return parser


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {text!r}")
    return value


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"must be between 0 and 1, not {text!r}")
    return value


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


def _ks(text: str) -> tuple[int, ...]:
    return tuple(sorted({_count(part.strip()) for part in text.split(",")}))


def _spec(text: str) -> Any:
    from microcoder_eval.compare import parse_spec
    from microcoder_eval.errors import ComparerError

    try:
        parse_spec(text)
    except ComparerError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text
