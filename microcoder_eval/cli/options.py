"""Groups of options that the verbs share, and readers of their values."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from microcoder_eval.console.parser import OptionGroup, parse_count
from microcoder_eval.console.streams import print_warning
from microcoder_eval.errors import UsageError
from microcoder_eval.languages import LANGUAGE_NAMES, find_language
from microcoder_eval.records import HIGHEST_LIMIT, Limits
from microcoder_eval.settings import (
    DEFAULT_PACKAGES,
    ENGINES,
    ISOLATIONS,
    JudgeKeywords,
    read_testlib,
)
from microcoder_sandbox import locate_packages

from .dates import parse_days

if TYPE_CHECKING:
    from microcoder_eval.api import Judge


def _resolve_language(name: str) -> str:
    """Return the language's name for one of its aliases; argparse refuses unknown names."""
    language = find_language(name)
    return name if language is None else language.name


def add_value(
    group: OptionGroup,
    name: str,
    unit: str,
    text: str,
    parse: Callable[[str], Any] = str,
    default: Any = None,
) -> Any:
    """Add an option that takes a value. unit: what stands for the value in the help."""
    return group.add_argument(name, type=parse, default=default, metavar=unit, help=text)


def add_choice(
    group: OptionGroup,
    name: str,
    choices: Sequence[str],
    text: str,
    parse: Callable[[str], str] = str,
) -> None:
    """Add an option with one of these values, by default the first."""
    group.add_argument(name, type=parse, choices=choices, default=choices[0], help=text)


def add_flag(group: OptionGroup, *names: str, text: str) -> None:
    """Add an option without a value."""
    group.add_argument(*names, action="store_true", help=text)


def add_output_options(group: OptionGroup) -> None:
    group.add_argument("-o", "--output", metavar="OUT", help="results, one line per solution")
    add_value(group, "--report", "HTML", "write a page that shows the results")
    add_value(group, "--title", "TEXT", "the title of that page")
    add_flag(group, "--resume", text="continue from OUT or its journal")
    add_flag(group, "--force", text="replace files that exist")
    add_flag(group, "--json", text="print the summary as JSON on stdout")
    add_flag(group, "-v", "--verbose", text="show why each program fails, not only the first 10")
    add_flag(group, "-q", "--quiet", text="show no progress and no failing programs")
    text = "values of k in pass@k, the chance that one of k samples passes"
    add_value(group, "--k", "1,5,10", text, parse_ks, (1,))
    add_value(group, "--fail-under", "X", "exit 1 if pass@1 < X", _parse_share)


def add_judging_options(group: OptionGroup) -> None:
    add_comparing_options(group)
    add_stop_option(group)
    text = "tests that cannot affect each other share a process (batch, default), or none do"
    add_choice(group, "--isolation", ISOLATIONS, text)
    add_running_options(group)
    text = "keep verdicts in this folder, and look up those of earlier runs"
    add_value(group, "--cache", "FOLDER", text)
    text = "judge each solution N times and flag those whose verdict changes"
    add_value(group, "--repeat", "N", text, parse_count, 1)
    add_reading_options(group)


def add_stop_option(group: OptionGroup) -> None:
    text = (
        "run all tests of a solution (default), or stop at the first that fails, as rewards "
        "and judge() do; score is then null unless all were run"
    )
    choices = ("never", "first-failure")
    add_choice(group, "--stop", choices, text, lambda word: word.replace("_", "-"))


def add_compare_option(group: OptionGroup, text: str) -> None:
    option = add_value(group, "--compare", "NAME", text, _check_comparer_spec, "calibrated")
    option.completions = _list_comparer_names


def add_comparing_options(group: OptionGroup) -> None:
    text = "NAME or NAME:key=value,... (see compare --list)"
    add_compare_option(group, text)
    add_flag(group, "--ignore-checkers", text="use --compare for problems with a checker")
    add_value(group, "--testlib", "PATH", "testlib.h or its folder, for checkers that include it")


def add_running_options(group: OptionGroup) -> None:
    text = "CPU seconds of each test, for all problems"
    add_value(group, "--time-limit", "S", text, parse_positive)
    text = "memory of each test, for all problems"
    add_value(group, "--memory-limit", "MiB", text, parse_positive)
    add_value(group, "--time-scale", "X", "factor on all time limits", parse_positive, 1.0)
    group.add_argument(
        "--language-time-scale",
        type=parse_language_scale,
        action="append",
        default=[],
        metavar="NAME=X",
        help="further time factor for programs in a language: python=3 if limits were made for "
        "PyPy or C++; may be repeated",
    )
    text = "language of solutions that name none (default python)"
    add_choice(group, "--language", LANGUAGE_NAMES, text, _resolve_language)
    text = "installed packages that programs may import besides the standard library (default "
    add_value(group, "--packages", "a,b", f"{text}numpy,sortedcontainers)")


def add_reading_options(group: OptionGroup) -> None:
    text = "format of the files (default: recognised by their keys; convert --list)"
    add_value(group, "--format", "NAME", text).completions = list_format_names
    add_line_bound(group)


def add_line_bound(group: OptionGroup) -> None:
    text = "refuse longer lines (default 1024)"
    add_value(group, "--max-line-mb", "MiB", text, parse_positive, 1024)


def add_machine_options(group: OptionGroup) -> None:
    add_worker_options(group)
    text = "judge on this machine (default), or on a Ray cluster with --workers on each node"
    add_choice(group, "--engine", ENGINES, text)


def add_worker_options(group: OptionGroup) -> None:
    text = "worker processes (default: one for each usable core)"
    add_value(group, "--workers", "N", text, parse_count)
    add_level_option(group, "refuse to judge below this isolation level (default 3; see doctor)")
    add_flag(group, "--allow-unsafe", text="required by --min-level 1")


def add_level_option(group: OptionGroup, text: str | None = None) -> None:
    group.add_argument("--min-level", type=int, choices=(1, 2, 3, 4), default=3, help=text)


def add_selection_options(group: OptionGroup) -> None:
    parse_limit = partial(parse_count, highest=10**9)
    add_value(group, "--limit", "N", "judge N solutions at most", parse_limit)
    text = "judge this solution, or those of this problem; may be repeated"
    group.add_argument("--only", action="append", metavar="ID", help=text)
    for name, bound in (("--since", "no older than"), ("--until", "no newer than")):
        text = f'judge solutions of problems whose "date" is {bound} YYYY-MM-DD'
        add_value(group, name, "DATE", text, _parse_date)


def _parse_date(text: str) -> str:
    if parse_days(text) is None:
        raise argparse.ArgumentTypeError(
            f"must be a day (YYYY-MM-DD), month (YYYY-MM) or year (YYYY), not {text!r}"
        )
    return text


def _list_comparer_names() -> list[str]:
    """List the comparers, for completion."""
    from microcoder_eval.compare import COMPARERS

    return sorted(COMPARERS)


def list_format_names() -> list[str]:
    """List the formats, for completion."""
    from microcoder_eval.formats.registry import FORMATS

    return [row_format.name for row_format in FORMATS]


def _parse_number(text: str, is_allowed: Callable[[float], bool], wanted: str) -> float:
    """Return a number. Raises ArgumentTypeError that says what is wanted."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan  # which no bounds allow
    if not is_allowed(value):
        raise argparse.ArgumentTypeError(f"must be {wanted}, not {text!r}")
    return value


def parse_positive(text: str) -> float:
    wanted = f"a number above 0 and at most {HIGHEST_LIMIT:.0e}, without a unit"
    return _parse_number(text, lambda value: 0 < value <= HIGHEST_LIMIT, wanted)


def parse_factor(text: str) -> float:
    wanted = "a number, 1 or more: with less, right programs exceed their limits"
    return _parse_number(text, lambda value: 1 <= value <= HIGHEST_LIMIT, wanted)


def _parse_share(text: str) -> float:
    return _parse_number(text, lambda value: 0 <= value <= 1, "between 0 and 1")


def parse_language_scale(text: str) -> tuple[str, float]:
    """Read "python=3"."""
    name, _, value = text.partition("=")
    language = find_language(name.strip())
    if language is None:
        names = ", ".join(LANGUAGE_NAMES)
        raise argparse.ArgumentTypeError(f"must be NAME=X with a NAME of {names}, not {text!r}")
    return language.name, parse_positive(value)


def parse_ks(text: str) -> tuple[int, ...]:
    return tuple(sorted({parse_count(part.strip()) for part in text.split(",")}))


def _check_comparer_spec(text: str) -> Any:
    from microcoder_eval.compare import parse_spec
    from microcoder_eval.errors import ComparerError

    try:
        parse_spec(text)
    except ComparerError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def _parse_packages(option: str | None) -> tuple[str, ...]:
    """Return the packages that are named, or the default ones; warn about those not installed."""
    if option is None:
        return DEFAULT_PACKAGES
    names = tuple(option.replace(",", " ").split())
    for name in names:
        if name not in locate_packages((name,)):
            print_warning(
                f'--packages: "{name}" is not installed beside this judge: '
                "programs that import it will fail"
            )
    return names


def check_judging_options(args: Any) -> None:
    """Raise UsageError for a level without a system call filter, unless --allow-unsafe is set;
    DataError where testlib cannot be read."""
    if args.min_level < 2 and not args.allow_unsafe:
        raise UsageError("--min-level 1 means no system call filter: add --allow-unsafe")
    if args.testlib is not None:
        read_testlib(args.testlib)


def make_judge(args: Any, **more: Unpack[JudgeKeywords]) -> Judge:
    """Start the judge that the options ask for; ``more`` adds to them or overrides them."""
    from microcoder_eval.api import Judge

    # An option has the name of the keyword that it sets.
    keywords = {k: value for k, value in vars(args).items() if k in JudgeKeywords.__annotations__}
    keywords |= {
        "limits": Limits(time_s=args.time_limit, memory_mb=args.memory_limit),
        "packages": _parse_packages(args.packages),
        "language_time_scale": dict(args.language_time_scale),
    }
    return Judge(**{**keywords, **more})
