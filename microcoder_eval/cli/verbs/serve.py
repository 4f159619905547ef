"""``microcoder-eval serve``: starts the server that the options describe."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from microcoder_eval.api import Judge
from microcoder_eval.cli.inputs import check_comparer, require_contents
from microcoder_eval.cli.options import check_judging_options, make_judge
from microcoder_eval.console.streams import print_warning, tolerate_closed_stdout
from microcoder_eval.errors import UsageError
from microcoder_eval.formats import ProblemSet, open_problems
from microcoder_eval.pool.cores import usable_cores
from microcoder_eval.serve.options import REQUIREMENTS, Options

_TOKEN_VARIABLE = "MICROCODER_TOKEN"
_EXIT_DROPPED = 3
_MIN_TOKEN_CHARS = 16  # shorter tokens can be guessed


def run(args: Any) -> int:
    """Serve until a signal stops the server; return the exit code."""
    check_judging_options(args)
    try:
        from microcoder_eval.serve.server import is_loopback, serve
    except ModuleNotFoundError as error:
        requirements = " ".join(f'"{requirement}"' for requirement in REQUIREMENTS)
        raise UsageError(
            f"serve needs the extra of that name ({error}): pip install {requirements}"
        ) from error
    options = _make_options(args)
    if options.token is None and not is_loopback(options.host):
        print_warning(
            f"everybody who can reach {options.host} can run programs here: consider --token-file"
        )
    with ExitStack() as stack:
        datasets = {
            name: stack.enter_context(_open_dataset(name, args)) for name, _ in args.dataset
        }
        judge = stack.enter_context(make_judge(args))
        unanswered_count = serve(judge, options, datasets, partial(_print_url, judge))
    if unanswered_count:
        print_warning(f"accepted requests not answered: {unanswered_count}")
        return _EXIT_DROPPED
    return 0


def _make_options(args: Any) -> Options:
    workers = args.workers or usable_cores()
    return Options(
        host=args.host,
        port=args.port,
        token=_read_token(args.token_file),
        at_once=args.at_once or 2 * workers + 2,
        queue=args.queue,
        wait_s=args.wait,
        body_mb=args.max_body_mb,
        held_mb=max(args.max_held_mb, args.max_body_mb),
        max_time_s=args.max_time,
        max_memory_mb=args.max_memory,
        grace_s=args.grace,
        access_log=not args.no_access_log,
    )


def _read_token(path: str | None) -> str | None:
    """Read the token from the file, else from the environment.

    There is no option for the token itself: all users of a machine can read command lines.
    """
    token = os.environ.get(_TOKEN_VARIABLE) or None
    source = _TOKEN_VARIABLE
    if path is not None:
        source = path
        try:
            token = Path(path).read_text(encoding="utf-8").partition("\n")[0].strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"--token-file {path} cannot be read: {reason}") from error
    if token is not None and (len(token) < _MIN_TOKEN_CHARS or not token.isascii()):
        raise UsageError(f"{source}: a token needs {_MIN_TOKEN_CHARS} or more ASCII characters")
    return token


def _open_dataset(name: str, args: Any) -> ProblemSet:
    paths = [path for dataset, path in args.dataset if dataset == name]
    if len(paths) > 1:
        raise UsageError(f"--dataset {name}: given twice")
    require_contents(paths[0], "problems")
    check = None if args.ignore_checkers else partial(check_comparer, testlib=args.testlib)
    problems = open_problems(paths[0], check=check)
    for bad_line in problems.bad:
        print_warning(f"{bad_line}")
    return problems


def _print_url(judge: Judge, url: str) -> None:
    """Print a line whose first word is the URL, for scripts."""
    with tolerate_closed_stdout():
        print(f"{url} sandbox level {judge.sandbox_level}, {judge.workers} workers", flush=True)
