"""What can be said to ``microcoder-data``."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from microcoder_eval.cli.completion import PrintCompletion
from microcoder_eval.cli.parser import UsageError
from microcoder_eval.cli.version import PrintVersion

NAME = "microcoder-data"
_PACKAGES = ("beautifulsoup4", "datasketch", "huggingface_hub", "pyarrow", "pyyaml")
_STAGES = {
    "collect": "problems of many formats, packages, Parquet or a named dataset, in one form",
    "process": "statements in one clean form, complete, with an explicit instruction",
    "filter": "quality, duplicates, recency, difficulty",
    "verify": "references pass, wrong programs fail, few tests with the same power",
    "decontaminate": "nothing that an evaluation file holds, too",
}
_EXAMPLES = """\
examples:
  microcoder-data run recipe.toml
  microcoder-data collect problems.jsonl packages/ -o collected.jsonl
  microcoder-data process collected.jsonl -o processed.jsonl --for training
  microcoder-data filter processed.jsonl -o filtered.jsonl --recipe recipe.toml
  microcoder-data verify filtered.jsonl -o corpus.jsonl --solutions s.jsonl --labels l.jsonl
  microcoder-data decontaminate corpus.jsonl -o clean.jsonl --against livecodebench.jsonl
  microcoder-data stats corpus.jsonl --html corpus.html

exit codes, the first that holds: 130 interrupted; 2 usage, unreadable or unwritable file, refused
--resume; 3 the judge failed on some problems, or cannot start; 2 some lines were unreadable; 0
done, whatever was dropped.
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {NAME} --help)")


def parse(argv: list[str]) -> argparse.Namespace:
    """Read the words; ``command`` says what to do. Raises UsageError."""
    return _parsers()[""].parse_args(argv)


def _parsers() -> dict[str, argparse.ArgumentParser]:
    """The command's own parser under "", and that of each stage under its name."""
    parser = _Parser(
        prog=NAME,
        description="Make a corpus worth training on out of raw problems.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=PrintVersion, packages=_PACKAGES)
    parser.add_argument(
        "--print-completion", action=PrintCompletion, what=_parsers, help="tab completion"
    )
    verbs = parser.add_subparsers(dest="command", required=True, metavar="STAGE")
    for name, text in _STAGES.items():
        _stage(verbs.add_parser(name, help=text, description=text, allow_abbrev=False), name)
    run = verbs.add_parser("run", help="the stages of a recipe, one after the other")
    run.add_argument("recipe_file", metavar="RECIPE.toml")
    run.add_argument("inputs", nargs="*", metavar="INPUT", help="instead of the recipe's")
    _common(run, output_required=False)
    stats = verbs.add_parser("stats", help="tables, and a page with plots, of what stages wrote")
    stats.add_argument("inputs", nargs="+", metavar="FILE", help="OUT of a stage")
    stats.add_argument("--html", metavar="PAGE", help="write one page with plots")
    stats.add_argument("--pass-rates", metavar="FILE", help="judge the difficulty scorer by these")
    stats.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    stats.add_argument("--json", action="store_true", help="the figures as JSON on stdout")
    return {"": parser, **verbs.choices}


def _stage(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="file, folder or dataset name")
    _common(parser, output_required=True)
    parser.add_argument("--recipe", metavar="R.toml", help="settings (default: all defaults)")
    if name == "collect":
        parser.add_argument("--format", metavar="NAME", help="of the rows (default: recognised)")
    if name == "process":
        _purpose(parser)
    if name == "filter":
        parser.add_argument("--pass-rates", metavar="FILE", help="measured, for difficulty")
    if name == "verify":
        _verify_options(parser)
    if name == "decontaminate":
        parser.add_argument(
            "--against", action="append", metavar="FILE", help="evaluation problems"
        )


def _common(parser: Any, *, output_required: bool) -> None:
    parser.add_argument("-o", "--output", metavar="OUT", required=output_required)
    parser.add_argument("--manifest", metavar="M.json", help="(default: OUT.manifest.json)")
    parser.add_argument("--resume", action="store_true", help="go on where a run stopped")
    parser.add_argument("--force", action="store_true", help="replace an OUT that exists")
    parser.add_argument("--workers", type=_count, metavar="N", help="(default: all cores)")
    parser.add_argument("--seed", type=int, help="(default: the recipe's)")
    parser.add_argument("--json", action="store_true", help="the counts as JSON on stdout")


def _purpose(parser: Any) -> None:
    parser.add_argument(
        "--for",
        dest="purpose",
        choices=("training", "judging"),
        help="judging keeps problems with neither statement nor starter code",
    )


def _verify_options(parser: Any) -> None:
    parser.add_argument("--solutions", metavar="FILE", help="right and wrong programs")
    parser.add_argument("--labels", metavar="FILE", help="which they are, by solution_id")
    parser.add_argument(
        "--keep-weak", action="store_true", help="keep problems whose tests a wrong program passes"
    )


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)
