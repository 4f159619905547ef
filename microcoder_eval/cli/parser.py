"""The parsers of ``microcoder-eval``: one for judging, one for each verb."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from .completion import PrintCompletion
from .options import (
    CommandParser,
    UsageError,
    add_comparing_options,
    add_judging_options,
    add_machine_options,
    add_output_options,
    add_reading_options,
    add_running_options,
    add_worker_options,
    check_comparer_spec,
    parse_count,
    parse_ks,
    parse_positive,
)
from .serve_parser import serve_parser

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


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments; ``command`` of the result is the verb. Raises UsageError."""
    if argv and argv[0] in (verbs := verb_parsers()):
        return verbs[argv[0]]().parse_args(argv[1:])
    if "--version" in argv:
        return argparse.Namespace(command="version", json="--json" in argv)
    for option in LATER_OPTIONS:
        if any(argument == option or argument.startswith(f"{option}=") for argument in argv):
            raise UsageError(f"{option} is not available in this version")
    return judge_parser().parse_args(argv)


def verb_parsers() -> dict[str, Callable[[], CommandParser]]:
    """Return the function that makes each verb's parser, by verb."""
    return {
        "audit": audit_parser,
        "calibrate": calibrate_parser,
        "compare": compare_parser,
        "convert": convert_parser,
        "doctor": doctor_parser,
        "report": report_parser,
        "serve": serve_parser,
    }


def judge_parser() -> CommandParser:
    """Make the parser of judging, which has no verb."""
    parser = CommandParser(
        prog="microcoder-eval",
        description="Judge programs against tests in a sandbox. "
        "Other verbs: audit TESTS [SOLUTIONS], calibrate TESTS [SOLUTIONS], compare ACTUAL "
        "EXPECTED, convert FILE, doctor, report RESULTS, serve.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(command="judge")
    parser.add_argument("solutions", help="solutions, JSON lines (.gz and .zst too)")
    parser.add_argument("--tests", required=True, metavar="FILE", help="problems with their tests")
    parser.add_argument(
        "--version", action="store_true", help="print version and machine, for bug reports"
    )
    parser.add_argument(
        "--print-completion",
        action=PrintCompletion,
        parsers=completion_parsers,
        help="print a script for tab completion",
    )
    add_output_options(parser.add_group("output"))
    add_judging_options(parser.add_group("judging"))
    add_machine_options(parser.add_group("machine"))
    return parser


def completion_parsers() -> dict[str, CommandParser]:
    """Make all parsers, by verb; "": judging."""
    return {"": judge_parser(), **{verb: make() for verb, make in verb_parsers().items()}}


def compare_parser() -> CommandParser:
    """Make the parser of ``compare``."""
    parser = CommandParser(
        prog="microcoder-eval compare",
        description="Compare two outputs as the judge would. Exit 0: accepted; 1: not.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="compare")
    parser.add_argument("actual", help='the program\'s output, a file ("-": standard input)')
    parser.add_argument("expected", help='the expected output, a file ("-": standard input)')
    parser.add_argument("--compare", type=check_comparer_spec, default="calibrated", metavar="NAME")
    parser.add_argument("--json", action="store_true")
    return parser


def audit_parser() -> CommandParser:
    """Make the parser of ``audit``."""
    parser = CommandParser(
        prog="microcoder-eval audit",
        description="Find problems that cannot be judged fairly: references that fail, disagree or "
        "come near the limits, comparers that disagree, tests that contradict each other. The "
        "audit runs the programs of SOLUTIONS and those of the problems; it takes a program "
        "without a label (accept, expected_verdict, verdict, graded) to be right. Exit 0: nothing "
        "found; 1: findings; 3: some problems cannot be judged; 2: usage or bad lines.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="audit")
    parser.add_argument("tests", help="problems, JSON lines (.gz and .zst too)")
    parser.add_argument("solutions", nargs="?", help="programs to run, right and wrong ones")
    parser.add_argument("-o", "--output", metavar="OUT", help="findings, one line each")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON on stdout")
    parser.add_argument(
        "--repeat",
        type=parse_count,
        default=3,
        metavar="N",
        help="runs of each program (default 3)",
    )
    judging = parser.add_group("judging")
    for options in (add_comparing_options, add_running_options, add_reading_options):
        options(judging)
    add_worker_options(parser.add_group("machine"))
    return parser


def calibrate_parser() -> CommandParser:
    """Make the parser of ``calibrate``."""
    parser = CommandParser(
        prog="microcoder-eval calibrate",
        description="Give each problem a time limit that fits it: some times what its slowest "
        "right program takes on this machine, never above the limit it has. Right programs are "
        "those of SOLUTIONS and of the problems that have no label, or one that says so. Problems "
        "without a right program that passes keep their limit. Run it on a quiet machine; "
        "elsewhere judge with --time-scale. Exit 0; 2: usage or bad lines.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="calibrate")
    parser.add_argument("tests", help="problems, JSON lines (.gz and .zst too)")
    parser.add_argument("solutions", nargs="?", help="programs to run")
    parser.add_argument(
        "-o", "--output", required=True, metavar="TESTS2", help="the problems with their new limits"
    )
    parser.add_argument(
        "--factor",
        type=parse_positive,
        default=10.0,
        metavar="F",
        help="limit per second of the slowest right program (default 10)",
    )
    parser.add_argument(
        "--floor",
        type=parse_positive,
        default=1.0,
        metavar="SECONDS",
        help="the least limit (default 1)",
    )
    parser.add_argument(
        "--repeat",
        type=parse_count,
        default=3,
        metavar="N",
        help="runs of each program, of which the fastest counts (default 3)",
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON on stdout")
    judging = parser.add_group("judging")
    for options in (add_comparing_options, add_running_options, add_reading_options):
        options(judging)
    add_worker_options(parser.add_group("machine"))
    return parser


def convert_parser() -> CommandParser:
    """Make the parser of ``convert``."""
    parser = CommandParser(
        prog="microcoder-eval convert",
        description="Write problems or solutions of any known format in the judge's own. "
        "Exit 0; 2: some lines could not be used.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="convert")
    parser.add_argument("file", help="problems or solutions, JSON lines (.gz and .zst too)")
    parser.add_argument("-o", "--output", metavar="OUT", help="output file (default: stdout)")
    parser.add_argument("--to", choices=("native",), required=True, help="the format to write")
    parser.add_argument(
        "--tests", metavar="FILE", help="problems, for samples that continue their prompts"
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    add_reading_options(parser.add_group("files"))
    return parser


def report_parser() -> CommandParser:
    """Make the parser of ``report``."""
    parser = CommandParser(
        prog="microcoder-eval report",
        description="Make the HTML page of results judged earlier. It runs nothing, so the page "
        "does not show what wrong programs print (judging with --report does). Exit 0; 2: some "
        "lines could not be used.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="report")
    parser.add_argument("results", help="results, JSON lines (.gz and .zst too), or a journal")
    parser.add_argument("-o", "--output", required=True, metavar="HTML", help="the page")
    parser.add_argument("--tests", metavar="FILE", help="the problems: inputs, expected outputs")
    parser.add_argument("--solutions", metavar="FILE", help="the programs")
    parser.add_argument(
        "--k", type=parse_ks, default=(1,), metavar="1,5,10", help="values of k in pass@k"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is no report")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON on stdout")
    add_reading_options(parser.add_group("files"))
    return parser


def doctor_parser() -> CommandParser:
    """Make the parser of ``doctor``."""
    parser = CommandParser(
        prog="microcoder-eval doctor",
        description="Try to break each layer of the sandbox and report which hold. "
        "Exit 0; 3: the level is below --min-level.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="doctor")
    parser.add_argument("--min-level", type=int, choices=(1, 2, 3, 4), default=3)
    parser.add_argument("--json", action="store_true")
    return parser
