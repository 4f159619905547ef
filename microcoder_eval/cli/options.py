"""The parser class of the commands, groups of options that they share, and readers of values."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

from microcoder_eval.errors import UsageError
from microcoder_eval.languages import LANGUAGE_NAMES, find_language
from microcoder_eval.records import HIGHEST_LIMIT, Limits
from microcoder_eval.settings import DEFAULT_PACKAGES, JudgeKeywords
from microcoder_sandbox import locate_packages, record

from .dates import parse_days

if TYPE_CHECKING:
    from microcoder_eval.api import Judge


class CommandParser(argparse.ArgumentParser):
    """A parser that raises UsageError, and lists its arguments for tab completion.

    arguments: the actions of all arguments, those of groups from ``add_group`` included. argparse
    itself has no public way to list them.
    """

    def __init__(self, **settings: Any) -> None:
        self.arguments: list[argparse.Action] = []
        self._words: list[str] = []
        super().__init__(**settings)

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        """Add an argument, to ``arguments`` too."""
        return self.list_argument(super().add_argument(*names, **settings))

    def add_group(self, title: str) -> OptionGroup:
        """Add a group of options with a title of its own in the help."""
        return OptionGroup(self, self.add_argument_group(title))

    def list_argument(self, action: argparse.Action) -> argparse.Action:
        """Add an action to ``arguments``; return it."""
        self.arguments.append(action)
        return action

    def error(self, message: str) -> NoReturn:
        """Raise UsageError, with the option that an unknown one is close to."""
        raise UsageError(f"{message}{self._suggest_option(message)} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and keep the words for the message of an error."""
        self._words = [str(word) for word in args or ()]
        return super().parse_known_args(args, namespace)

    def _suggest_option(self, message: str) -> str:
        """Return what an unknown word of the command line is close to."""
        if "invalid choice: " in message:
            word, _, choices = message.partition("invalid choice: ")[2].partition(" (choose from ")
            close = difflib.get_close_matches(word.strip("'"), re.findall(r"[\w-]+", choices), 1)
            return f", did you mean {close[0]}?" if close else ""
        names = [name for argument in self.arguments for name in argument.option_strings]
        for word in self._words:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in names:
                synonym = _OPTION_SYNONYMS.get(name)
                close = difflib.get_close_matches(name, names, 1)
                meant = synonym if synonym in names else next(iter(close), None)
                return f"; there is no {name}" + (f", did you mean {meant}?" if meant else "")
        return ""


# Names that other programs use and that are close to none, or to another one, of ours.
_OPTION_SYNONYMS = {
    "--jobs": "--workers",
    "--num-workers": "--workers",
    "--processes": "--workers",
    "--threads": "--workers",
    "--timeout": "--time-limit",
}


@record
class OptionGroup:
    """A group of options under one title of the help."""

    parser: CommandParser
    group: Any

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """Add an option to the group and to the parser's ``arguments``."""
        return self.parser.list_argument(self.group.add_argument(*names, **settings))


def resolve_language(name: str) -> str:
    """Return the language's name for one of its aliases; argparse refuses unknown names."""
    language = find_language(name)
    return name if language is None else language.name


def add_output_options(group: OptionGroup) -> None:
    group.add_argument("-o", "--output", metavar="OUT", help="results, one line per solution")
    group.add_argument("--report", metavar="HTML", help="write a page that shows the results")
    group.add_argument("--resume", action="store_true", help="continue from OUT or its journal")
    group.add_argument("--force", action="store_true", help="replace files that exist")
    group.add_argument("--json", action="store_true", help="print the summary as JSON on stdout")
    group.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    group.add_argument(
        "--k",
        type=parse_ks,
        default=(1,),
        metavar="1,5,10",
        help="values of k in pass@k, the chance that one of k samples passes",
    )
    group.add_argument("--fail-under", type=parse_share, metavar="X", help="exit 1 if pass@1 < X")


def add_judging_options(group: OptionGroup) -> None:
    add_comparing_options(group)
    add_stop_option(group)
    group.add_argument(
        "--isolation",
        choices=("batch", "test"),
        default="batch",
        help="tests of a plain program may share a process (batch, default), or each gets its own",
    )
    add_running_options(group)
    group.add_argument(
        "--repeat",
        type=parse_count,
        default=1,
        metavar="N",
        help="judge each solution N times and flag those whose verdict changes",
    )
    add_reading_options(group)


def add_stop_option(group: OptionGroup) -> None:
    group.add_argument(
        "--stop",
        type=lambda text: text.replace("_", "-"),
        choices=("never", "first-failure"),
        default="never",
        help="run all tests of a solution (default), or stop at the first that fails, as rewards "
        "and judge() do; score is then null unless all were run",
    )


def add_comparing_options(group: OptionGroup) -> None:
    group.add_argument(
        "--compare",
        type=check_comparer_spec,
        default="calibrated",
        metavar="NAME[:key=value,...]",
        help="how answers are compared (default calibrated; microcoder-eval compare --list)",
    ).completions = list_comparer_names  # type: ignore[attr-defined]
    group.add_argument(
        "--ignore-checkers", action="store_true", help="use --compare for problems with a checker"
    )
    group.add_argument(
        "--testlib", metavar="PATH", help="testlib.h or its folder, for checkers that include it"
    )


def add_running_options(group: OptionGroup) -> None:
    group.add_argument(
        "--time-limit",
        type=parse_positive,
        metavar="S",
        help="CPU seconds of each test, for all problems",
    )
    group.add_argument(
        "--memory-limit",
        type=parse_positive,
        metavar="MB",
        help="memory of each test, for all problems",
    )
    group.add_argument(
        "--time-scale",
        type=parse_positive,
        default=1.0,
        metavar="X",
        help="factor on all time limits",
    )
    group.add_argument(
        "--language-time-scale",
        type=parse_language_scales,
        action="append",
        metavar="NAME=X,...",
        help="more factors on them, for programs in some languages: python=3 where limits were "
        "made for PyPy or C++",
    )
    group.add_argument(
        "--language",
        type=resolve_language,
        choices=LANGUAGE_NAMES,
        default="python",
        help="language of solutions that name none (default python)",
    )
    group.add_argument(
        "--packages",
        metavar="a,b",
        help="installed packages that programs may import besides the standard library "
        "(default numpy,sortedcontainers)",
    )


def add_reading_options(group: OptionGroup) -> None:
    group.add_argument(
        "--format",
        metavar="NAME",
        help="format of the files (default: recognised by their keys; convert --list)",
    ).completions = list_format_names  # type: ignore[attr-defined]
    group.add_argument(
        "--max-line-mb",
        type=parse_positive,
        default=1024,
        metavar="MB",
        help="refuse longer lines (default 1024)",
    )


def add_machine_options(group: OptionGroup) -> None:
    add_worker_options(group)
    group.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="judge on this machine (default), or on a Ray cluster with --workers on each node",
    )


def add_worker_options(group: OptionGroup) -> None:
    group.add_argument(
        "--workers",
        type=parse_count,
        metavar="N",
        help="worker processes (default: one for each usable core)",
    )
    group.add_argument(
        "--min-level",
        type=int,
        choices=(1, 2, 3, 4),
        default=3,
        help="refuse to judge below this isolation level (default 3; see doctor)",
    )
    group.add_argument("--allow-unsafe", action="store_true", help="required by --min-level 1")


def add_selection_options(group: OptionGroup) -> None:
    group.add_argument("--limit", type=parse_count, metavar="N", help="judge N solutions at most")
    group.add_argument(
        "--only",
        action="append",
        metavar="ID",
        help="judge the solutions of this problem, or the solution of this id; may be repeated",
    )
    for name, text in (("--since", "no older than"), ("--until", "no newer than")):
        group.add_argument(
            name,
            type=parse_date,
            metavar="DATE",
            help=f'judge solutions of problems whose "date" is {text} YYYY-MM-DD',
        )


def parse_date(text: str) -> str:
    if parse_days(text) is None:
        raise argparse.ArgumentTypeError(
            f"must be a day (YYYY-MM-DD), month (YYYY-MM) or year (YYYY), not {text!r}"
        )
    return text


def list_comparer_names() -> list[str]:
    """List the comparers, for completion."""
    from microcoder_eval.compare import list_comparers

    return [name for name, *_ in list_comparers()]


def list_format_names() -> list[str]:
    """List the formats, for completion."""
    from microcoder_eval.formats.datasets.registry import FORMATS

    return [row_format.name for row_format in FORMATS]


class PrintList(argparse.Action):
    """An option that prints lines and exits. make_lines: returns them."""

    def __init__(
        self,
        option_strings: Sequence[str],
        dest: str,
        make_lines: Callable[[], list[str]],
        **settings: Any,
    ) -> None:
        super().__init__(option_strings, dest, nargs=0, **settings)
        self._make_lines = make_lines

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Raise SystemExit(0)."""
        sys.stdout.write("\n".join(self._make_lines()) + "\n")
        parser.exit()


def parse_positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= HIGHEST_LIMIT:
        raise argparse.ArgumentTypeError(
            f"must be a number above 0 and at most {HIGHEST_LIMIT:.0e}, not {text!r}"
        )
    return value


def parse_language_scales(text: str) -> dict[str, float]:
    """Read "python=3,java=2"."""
    scales = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        language = find_language(name.strip())
        if language is None:
            names = ", ".join(LANGUAGE_NAMES)
            raise argparse.ArgumentTypeError(f"must be NAME=X with a NAME of {names}, not {part!r}")
        scales[language.name] = parse_positive(value)
    return scales


def parse_share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"must be between 0 and 1, not {text!r}")
    return value


def parse_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


def parse_ks(text: str) -> tuple[int, ...]:
    return tuple(sorted({parse_count(part.strip()) for part in text.split(",")}))


def check_comparer_spec(text: str) -> Any:
    from microcoder_eval.compare import parse_spec
    from microcoder_eval.errors import ComparerError

    try:
        parse_spec(text)
    except ComparerError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def parse_packages(option: str | None) -> tuple[str, ...]:
    """Those named, or the default ones; a named one that is not here is worth a word."""
    if option is None:
        return DEFAULT_PACKAGES
    names = tuple(name.strip() for name in option.split(",") if name.strip())
    for name in names:
        if name not in locate_packages((name,)):
            print(
                f'microcoder-eval: --packages: "{name}" is not installed beside this judge: '
                "programs that import it will fail",
                file=sys.stderr,
            )
    return names


def merge_scales(options: list[dict[str, float]] | None) -> dict[str, float] | None:
    """Return the scales of all --language-time-scale options; the last of a language counts."""
    return {name: x for scales in options or () for name, x in scales.items()} or None


def make_judge(args: Any, **more: Unpack[JudgeKeywords]) -> Judge:
    """Start the judge that the options ask for; ``more`` adds to them or overrides them."""
    from microcoder_eval.api import Judge

    keywords: JudgeKeywords = {
        "workers": args.workers,
        "limits": Limits(time_s=args.time_limit, memory_mb=args.memory_limit),
        "compare": args.compare,
        "packages": parse_packages(args.packages),
        "ignore_checkers": args.ignore_checkers,
        "testlib": args.testlib,
        "time_scale": args.time_scale,
        "language_time_scale": merge_scales(args.language_time_scale),
        "min_level": args.min_level,
        "allow_unsafe": args.allow_unsafe,
    }
    keywords.update(more)
    return Judge(**keywords)
