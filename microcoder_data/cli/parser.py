"""The arguments of ``microcoder-data``."""

from __future__ import annotations

import argparse
from typing import Any

from microcoder_eval.console.completion import add_completion_option
from microcoder_eval.console.parser import CommandParser, PrintVersion, parse_count

PROG = "microcoder-data"
_PACKAGES = (
    "beautifulsoup4", "ftfy", "huggingface_hub", "markdownify", "py3langid",
    "pyarrow", "pypandoc_binary", "pyyaml",
)  # fmt: skip
_STAGES = {
    "collect": "read problems of many formats, packages, Parquet or a named dataset",
    "process": "clean statements, check that problems are complete, add an instruction",
    "review": "have a model judge statements, tests and difficulty by a rubric",
    "filter": "select by quality, duplicates, recency and difficulty",
    "decontaminate": "drop problems that an evaluation file also contains",
    "verify": "check tests with right and wrong programs, and reduce their number",
    "strengthen": "add tests that kill wrong programs, and propose checkers",
}
# Options of stages: (the stages, its name, the setting of the recipe that it replaces, the rest)
_OPTIONS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("collect", "--format", "collect.format",
     {"metavar": "NAME", "help": "row format (default: recognised)"}),
    ("process", "--for", "process.purpose",
     {"choices": ("training", "judging"),
      "help": "judging keeps problems with neither statement nor starter code"}),
    ("filter", "--pass-rates", "filter.difficulty.pass_rates",
     {"metavar": "FILE", "help": "measured pass rates"}),
    ("decontaminate", "--against", "decontaminate.against",
     {"metavar": "FILE", "help": "evaluation problems", "action": "append"}),
    ("verify strengthen", "--solutions", "run.solutions",
     {"metavar": "FILE", "help": "right and wrong programs"}),
    ("verify strengthen", "--labels", "run.labels",
     {"metavar": "FILE", "help": "labels of programs, by solution_id"}),
)  # fmt: skip
_CHECK_TEXT = (
    "Judge every submission of problem packages, and compare its verdict and points with what its "
    "folder, submissions.yaml or @EXPECTED_RESULTS@ declares. Exit code: 0 all agree, 1 some do "
    "not, 2 a package cannot be used, 3 the judge failed. A limit that a package does not declare "
    "is derived from its accepted submissions as its format says."
)
GUIDE = """\
microcoder-data makes a training corpus out of raw problems, in stages that can be resumed.

All stages, as a recipe says:

  microcoder-data run recipe.toml

Or one by one, each from the output of the one before:

  microcoder-data collect problems.jsonl -o collected.jsonl
  microcoder-data process collected.jsonl -o processed.jsonl --for training
  microcoder-data filter processed.jsonl -o filtered.jsonl
  microcoder-data decontaminate filtered.jsonl -o clean.jsonl --against livecodebench.jsonl
  microcoder-data verify clean.jsonl -o corpus.jsonl

See what they wrote: microcoder-data stats corpus.jsonl --html corpus.html
What became of one:  microcoder-data show corpus.jsonl ID
Check packages:      microcoder-data check packages/
All options:         microcoder-data --help, microcoder-data STAGE --help
"""
_EPILOG = f"""\
{GUIDE}
exit codes, the first that holds: 130 interrupted; 2 usage, unreadable or unwritable file, refused
--resume; 3 some problems are pending (the judge or an endpoint failed, a module is missing), or the
judge cannot start; 2 some lines were unreadable or broke a step; 1 no problem is left; 0 done,
whatever else was dropped.
"""


def parse(argv: list[str]) -> argparse.Namespace | None:
    """Parse the arguments; ``command`` names a stage or another verb. Without arguments, print the
    guide. Raises UsageError."""
    if not argv:
        print(GUIDE, end="")
        return None
    return make_parsers()[""].parse_args(argv)


def make_parsers() -> dict[str, CommandParser]:
    """Return the main parser under "", and the parser of each command under its name."""
    parser = CommandParser(
        prog=PROG,
        description="Make a training corpus out of raw problems.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=PrintVersion, packages=_PACKAGES)
    add_completion_option(parser, _make_verb_parsers, "tab completion")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="STAGE")
    for name, text in _STAGES.items():
        _add_stage_options(
            subparsers.add_parser(name, help=text, description=text, allow_abbrev=False), name
        )
    run = subparsers.add_parser("run", help="run the stages of a recipe")
    run.add_argument("recipe_file", metavar="RECIPE.toml")
    run.add_argument(
        "inputs", nargs="*", default=[], metavar="INPUT", help="(default: the recipe's)"
    )
    _add_common_options(run, output_required=False)
    stats = subparsers.add_parser("stats", help="show tables and plots of what stages wrote")
    stats.add_argument("inputs", nargs="+", metavar="FILE", help="OUT of a stage")
    stats.add_argument("--html", metavar="PAGE", help="write an HTML page with plots")
    stats.add_argument("--json", action="store_true", help="print the figures as JSON")
    show = subparsers.add_parser("show", help="show what each stage did to a problem")
    show.add_argument("out", metavar="OUT", help="OUT of a stage or of run")
    show.add_argument("problem_id", metavar="ID", help="problem_id, kept or dropped")
    show.add_argument("--json", action="store_true", help="print the steps as JSON")
    diff = subparsers.add_parser("diff", help="compare the problems that two runs kept")
    diff.add_argument("first", metavar="OUT", help="OUT of one run")
    diff.add_argument("second", metavar="OTHER", help="OUT of another run")
    diff.add_argument("--json", action="store_true", help="print the differences as JSON")
    check = subparsers.add_parser(
        "check",
        help="judge the submissions of packages against what they declare",
        description=_CHECK_TEXT,
        allow_abbrev=False,
    )
    _add_check_options(check)
    for name, one in subparsers.choices.items():
        is_stage = name in _STAGES or name == "run"
        one.set_defaults(module=f"microcoder_data.cli.{'stages' if is_stage else name}")
    return {"": parser, **subparsers.choices}


def _add_check_options(check: CommandParser) -> None:
    check.add_argument(
        "inputs", nargs="+", metavar="PACKAGE", help="a package, or a folder of some"
    )
    check.add_argument("--testlib", metavar="PATH", help="testlib.h, for checkers that include it")
    check.add_argument("--time-scale", type=float, metavar="F", help="multiply all time limits")
    check.add_argument("--workers", type=parse_count, metavar="N", help="(default: all cores)")
    check.add_argument(
        "--keep-tests",
        metavar="FOLDER",
        help="folder for complete copies of packages whose tests were generated here",
    )
    check.add_argument("--json", action="store_true", help="print the results as JSON")


def _make_verb_parsers() -> dict[str, CommandParser]:
    return {verb: parser for verb, parser in make_parsers().items() if verb}


def _add_stage_options(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="file, folder or dataset name")
    _add_common_options(parser, output_required=True)
    parser.add_argument("--recipe", metavar="R.toml", help="settings (default: all defaults)")
    for stages, option, setting, details in _OPTIONS:
        if name in stages.split():
            parser.add_argument(option, dest=setting, **details)


def _add_common_options(parser: Any, *, output_required: bool) -> None:
    parser.add_argument("-o", "--output", metavar="OUT", required=output_required)
    parser.add_argument("--resume", action="store_true", help="continue an interrupted run")
    parser.add_argument("--force", action="store_true", help="replace an existing OUT")
    parser.add_argument("--workers", type=parse_count, metavar="N", help="(default: all cores)")
    parser.add_argument("--seed", type=int, help="(default: the recipe's)")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
