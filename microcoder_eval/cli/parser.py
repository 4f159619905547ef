"""The parsers of ``microcoder-eval``: one for judging, one for each verb."""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Callable, Mapping
from typing import Any

from microcoder_eval.console.completion import add_completion_option
from microcoder_eval.console.parser import (
    CommandParser,
    OptionGroup,
    PrintText,
    PrintVersion,
    parse_count,
)
from microcoder_eval.errors import UsageError

from .options import (
    add_choice,
    add_compare_option,
    add_comparing_options,
    add_flag,
    add_judging_options,
    add_level_option,
    add_line_bound,
    add_machine_options,
    add_output_options,
    add_reading_options,
    add_running_options,
    add_selection_options,
    add_stop_option,
    add_value,
    add_worker_options,
    list_format_names,
    parse_factor,
    parse_ks,
    parse_positive,
)

_PACKAGES = ("numpy", "pydantic", "rich", "sortedcontainers")
_FILES_HELP = "programs, JSON lines, CSV, Parquet, - for stdin; all are one run"
GUIDE = """\
microcoder-eval judges programs against tests in a sandbox.

  microcoder-eval sum.py --tests tests/            a program, tests as 1.in with 1.out
  microcoder-eval solutions.jsonl --tests tests.jsonl -o results.jsonl --report report.html

  solutions.jsonl  {"problem_id": "sum", "code": "print(sum(map(int, input().split())))"}
                   or "response": a model's answer, from which the program is taken
  tests.jsonl      {"problem_id": "sum", "tests": [{"input": "1 2", "output": "3"}]}
                   or a data set: LiveCodeBench, HumanEval, MBPP, APPS, … (convert --list)

Check this machine: microcoder-eval doctor
Compare runs:       microcoder-eval diff before.jsonl after.jsonl
Look for bad tests: microcoder-eval audit tests.jsonl
Serve over HTTP:    microcoder-eval serve
Other verbs:        calibrate, compare, convert, report (microcoder-eval VERB --help)
Options:            microcoder-eval --help, --help-all
"""
_COMMON_OF_RUNS = "--repeat --json --time-limit --compare --workers"
_COMMON = {  # the options that --help shows, of verbs with many
    "audit": f"--output {_COMMON_OF_RUNS}",
    "calibrate": f"--output --factor --floor {_COMMON_OF_RUNS}",
    "serve": "--host --port --token-file --dataset --max-time --max-memory --packages --workers",
}
_EXIT_CODES = """\
exit codes, the first that holds: 130 interrupted; 2 usage, unreadable or unwritable file, disk
full, refused --resume; 3 some solutions could not be judged (JE), or the judge cannot start; 2
some bad lines; 1 --fail-under X and pass@1 is below X; 0 everything judged, whatever the verdicts.
"""


def parse(argv: list[str]) -> argparse.Namespace | None:
    """Parse the arguments; without any, print the guide. Raises UsageError."""
    if not argv:
        print(GUIDE, end="")
        return None
    if argv[0] in VERBS:
        return make_parser(argv[0]).parse_args(argv[1:])
    if argv in (["help"], ["version"]):
        argv = [f"--{argv[0]}"]
    _refuse_unknown_verb(argv)
    return judge_parser().parse_args(argv)


def _refuse_unknown_verb(argv: list[str]) -> None:
    """Raise UsageError for a first word that is neither a file nor a verb, if it is close to a verb
    or a file follows it."""
    word = argv[0]
    if word.startswith("-") or os.path.exists(word):
        return
    close = difflib.get_close_matches(word, [*VERBS, "version", "help"], 1)
    if close:
        raise UsageError(
            f'there is no verb "{word}" and no such file: did you mean "{close[0]}"? '
            f"(verbs: {', '.join(VERBS)}; see microcoder-eval --help)"
        )
    if len(argv) > 1 and os.path.isfile(argv[1]):
        raise UsageError(
            f'there is no verb "{word}" and no such file: judging needs no verb, write '
            f"microcoder-eval {' '.join(argv[1:])} (verbs: {', '.join(VERBS)}; see "
            "microcoder-eval --help)"
        )


def make_parser(verb: str) -> CommandParser:
    """Make the parser of a verb."""
    add_arguments = VERBS[verb]
    parser = CommandParser(
        prog=f"microcoder-eval {verb}",
        description=" ".join((add_arguments.__doc__ or "").split()),
        allow_abbrev=False,
        common=_COMMON.get(verb, ""),
    )
    parser.set_defaults(module=f"microcoder_eval.cli.verbs.{verb}")
    add_arguments(parser)
    return parser


def judge_parser(*, operands: bool = True) -> CommandParser:
    """Make the parser of judging, which has no verb. operands: whether it takes files."""
    parser = CommandParser(
        prog="microcoder-eval",
        usage="microcoder-eval SOLUTIONS [SOLUTIONS ...] --tests PATH [options]",
        description=GUIDE,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        common="--tests --output --report --resume --force --json --verbose --quiet "
        "--time-limit --memory-limit --compare --workers",
    )
    parser.set_defaults(module="microcoder_eval.cli.judge")
    if operands:
        parser.add_argument("solutions", nargs="+", metavar="SOLUTIONS", help=_FILES_HELP)
    text = "a file of problems, or a folder of tests"
    parser.add_argument("--tests", required=True, metavar="PATH", help=text)
    parser.add_argument("--version", action=PrintVersion, packages=_PACKAGES)
    add_completion_option(parser, completion_parsers, "print a script for tab completion")
    add_output_options(parser.add_argument_group("output"))
    add_selection_options(parser.add_argument_group("which solutions"))
    add_judging_options(parser.add_argument_group("judging"))
    add_machine_options(parser.add_argument_group("machine"))
    return parser


def completion_parsers() -> dict[str, CommandParser]:
    """Make all parsers, by verb; that of judging is under ""."""
    return {"": judge_parser(operands=False), **{verb: make_parser(verb) for verb in VERBS}}


def _add_compare_arguments(parser: CommandParser) -> None:
    """Compare two outputs as the judge would. Exit 0: accepted; 1: not."""
    parser.add_argument("actual", help='the program\'s output, a file ("-": standard input)')
    parser.add_argument("expected", help='the expected output, a file ("-": standard input)')
    add_compare_option(parser, "how (default calibrated; --list shows all)")
    parser.add_argument(
        "--list", action=PrintText, make_text=_describe_comparers, help="list the comparers"
    )
    parser.add_argument("--json", action="store_true")


def _describe_comparers(*_: Any) -> str:
    from microcoder_eval.compare import COMPARERS

    lines = []
    for name, entry in sorted(COMPARERS.items()):
        names = ", ".join((name, *entry.aliases))
        options = ", ".join(f"{key}={value}" for key, value in entry.options.items())
        note = f" (options: {options})" if options else ""
        lines.append(f"{names}: {entry.description}{note}\n")
    return "".join(lines)


def _add_diff_arguments(parser: CommandParser) -> None:
    """Compare runs over the same problems with the first of them: pass@k, what problems pass
    more or less often, and whether chance explains it (an exact paired test over problems).
    Runs judged with other tests are refused, other settings are named. Exit 0; 1:
    --fail-on-regression and there is one; 2: some lines could not be used."""
    parser.add_argument("first", metavar="A", help="results, as -o writes them (.gz and .zst too)")
    parser.add_argument("others", metavar="B", nargs="+", help="results to compare with them")
    add_value(parser, "--k", "1,5,10", "values of k in pass@k", parse_ks, (1,))
    by = "pass@1 by this key of meta, or of the problems of --tests"
    add_value(parser, "--by", "KEY", by)
    text = "the problems, for --by difficulty, platform, date or meta"
    add_value(parser, "--tests", "FILE", text)
    parser.add_argument("--format", choices=("text", "md", "latex", "csv", "json"), default="text")
    parser.add_argument("--json", action="store_const", const="json", dest="format")
    parser.add_argument("-o", "--output", metavar="HTML", help="write a page of the comparison")
    add_value(parser, "--title", "TEXT", "the title of that page")
    add_flag(parser, "--force", text="compare runs of different tests; replace a file")
    add_flag(parser, "--fail-on-regression", text="exit 1 if a problem passes less often")
    add_line_bound(parser)


def _add_audit_arguments(parser: CommandParser) -> None:
    """Find problems that cannot be judged fairly: references that fail, disagree or come near
    the limits, comparers that disagree, tests that contradict each other. The audit runs the
    programs of SOLUTIONS and those of the problems; it takes a program without a label (accept,
    expected_verdict, verdict, graded) to be right. Exit 0: nothing found; 1: findings; 3: some
    problems cannot be judged; 2: usage or bad lines."""
    _add_problems_and_programs(parser, "programs to run, right and wrong ones")
    parser.add_argument("-o", "--output", metavar="OUT", help="findings, one line each")
    _add_run_options(parser, "runs of each program (default 3)")


def _add_calibrate_arguments(parser: CommandParser) -> None:
    """Give each problem a time limit that fits it: some times what its slowest right program
    takes on this machine, never above the limit it has. Right programs are those of SOLUTIONS
    and of the problems that have no label, or one that says so. Problems without a right
    program that passes keep their limit. Run it on a quiet machine; elsewhere judge with
    --time-scale. Exit 0; 2: usage or bad lines."""
    _add_problems_and_programs(parser, "programs to run")
    parser.add_argument(
        "-o", "--output", required=True, metavar="TESTS2", help="the problems with their new limits"
    )
    text = "limit as a multiple of the slowest right program's time (default 20)"
    add_value(parser, "--factor", "F", text, parse_factor, 20.0)
    add_value(parser, "--floor", "SECONDS", "the least limit (default 2)", parse_positive, 2.0)
    _add_run_options(parser, "runs of each program, of which the fastest counts (default 3)")


def _add_problems_and_programs(parser: CommandParser, programs: str) -> None:
    parser.add_argument("tests", help="problems, JSON lines (.gz and .zst too)")
    parser.add_argument("solutions", nargs="?", help=programs)


def _add_run_options(parser: CommandParser, repeat: str) -> None:
    """Add the options that ``audit`` and ``calibrate`` share: how, and how often, programs run."""
    add_value(parser, "--repeat", "N", repeat, parse_count, 3)
    add_flag(parser, "--json", text="print the counts as JSON on stdout")
    judging = parser.add_argument_group("judging")
    for options in (add_comparing_options, add_running_options, add_reading_options):
        options(judging)
    add_worker_options(parser.add_argument_group("machine"))


def _add_convert_arguments(parser: CommandParser) -> None:
    """Write problems or solutions of any known format in the judge's own. Exit 0; 2: some lines
    could not be used."""
    parser.add_argument("file", help="problems or solutions, JSON lines (.gz and .zst too)")
    parser.add_argument("-o", "--output", metavar="OUT", help="output file (default: stdout)")
    add_choice(parser, "--to", ("native",), "the format to write (default: our own)")
    parser.add_argument(
        "--list",
        action=PrintText,
        make_text=lambda *_: "\n".join([*list_format_names(), ""]),
        help="list the known formats",
    )
    add_value(parser, "--tests", "FILE", "problems, for samples that continue their prompts")
    add_flag(parser, "--json", text="print the counts as JSON")
    add_reading_options(parser.add_argument_group("files"))


def _add_report_arguments(parser: CommandParser) -> None:
    """Make the HTML page of results judged earlier. It runs nothing, so the page does not show
    what wrong programs print (judging with --report does). Of several files it makes the page
    that compares them, as diff does. Exit 0; 2: some lines could not be used."""
    parser.add_argument(
        "results", nargs="+", help="results, JSON lines (.gz and .zst too), or a journal"
    )
    parser.add_argument("-o", "--output", required=True, metavar="HTML", help="the page")
    add_value(parser, "--title", "TEXT", "the title of the page")
    add_value(parser, "--tests", "FILE", "the problems: inputs, expected outputs")
    parser.add_argument("--solutions", nargs="+", default=[], metavar="PATH", help="the programs")
    add_value(parser, "--k", "1,5,10", "values of k in pass@k", parse_ks, (1,))
    add_flag(parser, "--force", text="replace a file that is not a report")
    add_flag(parser, "--json", text="print the summary as JSON on stdout")
    add_reading_options(parser.add_argument_group("files"))


def _add_doctor_arguments(parser: CommandParser) -> None:
    """Try to break each layer of the sandbox and report which hold. Exit 0; 3: the level is
    below --min-level."""
    add_level_option(parser)
    parser.add_argument("--json", action="store_true")


def _add_serve_arguments(parser: CommandParser) -> None:
    """Serve the judge over HTTP: SandboxFusion's /run_code and /submit, and /judge
    (docs/serve.md; a running server describes itself under /docs). On SIGTERM or Ctrl-C it
    answers the requests it has accepted and exits. Clients must send the token that
    --token-file or MICROCODER_TOKEN holds, if any. Exit 0: stopped; 2: usage, or the address is
    taken; 3: the judge cannot start, or --grace ended with requests unanswered."""
    parser.add_argument("--host", default="127.0.0.1", help="address (default 127.0.0.1)")
    add_value(parser, "--port", "N", "default 8080; 0: any free port", _port, 8080)
    add_value(parser, "--token-file", "FILE", "file; its first line is the token clients must send")
    parser.add_argument(
        "--dataset",
        action="append",
        default=[],
        type=_parse_named_file,
        metavar="NAME=FILE",
        help="problems that /submit and /judge find by name; may be repeated",
    )
    add_flag(parser, "--no-access-log", text="do not print a line for each request")
    _add_bounds(parser.add_argument_group("bounds"))
    judging = parser.add_argument_group("judging")
    add_stop_option(judging)
    add_comparing_options(judging)
    add_running_options(judging)
    add_worker_options(parser.add_argument_group("machine"))


def _add_bounds(group: OptionGroup) -> None:
    text = "requests judged at one time (default 2 for each worker, plus 2)"
    add_value(group, "--at-once", "N", text, parse_count)
    memory = "highest memory limit a request may ask for"
    held = "memory of all requests and of reading their values; requests beyond it get 503"
    for name, parse, default, unit, text in (
        ("--queue", parse_count, 1024, "N", "requests that may wait; others get 503"),
        ("--wait", parse_positive, 8.0, "S", "how long a request may wait before it gets 504"),
        ("--max-body-mb", parse_positive, 32.0, "MiB", "size of the largest body accepted"),
        ("--max-held-mb", parse_positive, 512.0, "MiB", held),
        ("--max-time", parse_positive, 60.0, "S", "highest time limit a request may ask for"),
        ("--max-memory", parse_positive, 4096.0, "MiB", memory),
        ("--grace", parse_positive, 120.0, "S", "how long a stop waits for accepted requests"),
    ):
        add_value(group, name, unit, f"{text} (default {default:g})", parse, default)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 65535, not {text!r}")
    return int(text)


def _parse_named_file(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"must be NAME=FILE, not {text!r}")
    return name, path


# What adds the arguments of each verb; its docstring is the verb's description.
VERBS: Mapping[str, Callable[[CommandParser], None]] = {
    "audit": _add_audit_arguments,
    "calibrate": _add_calibrate_arguments,
    "compare": _add_compare_arguments,
    "convert": _add_convert_arguments,
    "diff": _add_diff_arguments,
    "doctor": _add_doctor_arguments,
    "report": _add_report_arguments,
    "serve": _add_serve_arguments,
}
