"""``microcoder-eval serve``: from words to a running server, and to an exit code."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from microcoder_eval.api import Judge, testlib_text
from microcoder_eval.cores import usable_cores
from microcoder_eval.formats import ProblemSet, open_problems
from microcoder_eval.records import Limits
from microcoder_eval.serve.options import REQUIREMENTS, Options

from .judge import check_comparer, named_packages, refuse_unsafe
from .parser import UsageError
from .streams import answering

TOKEN_VARIABLE = "MICROCODER_TOKEN"
EXIT_DROPPED = 3
_LEAST_TOKEN = 16  # characters: shorter ones can be guessed


def run(args: Any) -> int:
    """Serve until told to stop; the exit code."""
    refuse_unsafe(args)
    try:
        from microcoder_eval.serve.server import is_loopback, serve
    except ModuleNotFoundError as error:
        needed = " ".join(f'"{requirement}"' for requirement in REQUIREMENTS)
        raise UsageError(
            f"serve needs the extra of that name ({error}): pip install {needed}"
        ) from error
    options = _options(args)
    if args.testlib is not None:
        testlib_text(args.testlib)
    if options.token is None and not is_loopback(options.host):
        print(
            f"microcoder-eval: everybody who reaches {options.host} can run programs here: "
            "consider --token-file",
            file=sys.stderr,
        )
    with ExitStack() as stack:
        datasets = {name: stack.enter_context(_problems(name, args)) for name, _ in args.dataset}
        judge = stack.enter_context(_judge(args))
        ended = serve(judge, options, datasets, partial(_tell, judge))
    if ended.dropped:
        print(f"microcoder-eval: accepted requests not answered: {ended.dropped}", file=sys.stderr)
        return EXIT_DROPPED
    return 0


def _options(args: Any) -> Options:
    workers = args.workers or usable_cores()
    return Options(
        host=args.host,
        port=args.port,
        token=_token(args.token_file),
        at_once=args.at_once or 2 * workers + 2,
        queue=args.queue,
        wait_s=args.wait,
        body_mb=args.max_body_mb,
        held_mb=max(args.max_held_mb, args.max_body_mb),
        max_time_s=args.max_time,
        max_memory_mb=args.max_memory,
        grace_s=args.grace,
    )


def _token(path: str | None) -> str | None:
    """The token of the file, else of the environment; a command line can be read by all."""
    token = os.environ.get(TOKEN_VARIABLE) or None
    where = TOKEN_VARIABLE
    if path is not None:
        where = path
        try:
            token = Path(path).read_text(encoding="utf-8").partition("\n")[0].strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--token-file {path} cannot be read: {error}") from error
    if token is not None and (len(token) < _LEAST_TOKEN or not token.isascii()):
        raise UsageError(f"{where}: a token has {_LEAST_TOKEN} or more characters, all ASCII")
    return token


def _problems(name: str, args: Any) -> ProblemSet:
    paths = [path for known, path in args.dataset if known == name]
    if len(paths) > 1:
        raise UsageError(f"--dataset {name}: given twice")
    check = None if args.ignore_checkers else partial(check_comparer, testlib=args.testlib)
    problems = open_problems(paths[0], check=check)
    for bad in problems.bad:
        print(f"microcoder-eval: {bad}", file=sys.stderr)
    return problems


def _judge(args: Any) -> Judge:
    return Judge(
        workers=args.workers,
        limits=Limits(time_s=args.time_limit, memory_mb=args.memory_limit),
        compare=args.compare,
        stop=args.stop.replace("-", "_"),
        packages=named_packages(args.packages),
        ignore_checkers=args.ignore_checkers,
        testlib=args.testlib,
        time_scale=args.time_scale,
        min_level=args.min_level,
        allow_unsafe=args.allow_unsafe,
    )


def _tell(judge: Judge, url: str) -> None:
    """One line for people and scripts: the URL is its first word."""
    with answering():
        print(f"{url} sandbox level {judge.sandbox_level}, {judge.workers} workers", flush=True)
