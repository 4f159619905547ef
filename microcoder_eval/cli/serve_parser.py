"""What can be said after ``microcoder-eval serve``."""

from __future__ import annotations

import argparse
from typing import Any

from .parser import (
    _comparing_options,
    _count,
    _Parser,
    _positive,
    _running_options,
    _worker_options,
)


def serve_parser() -> argparse.ArgumentParser:
    """The judge over HTTP."""
    parser = _Parser(
        prog="microcoder-eval serve",
        description="Serve the judge over HTTP: SandboxFusion's /run_code and /submit, and /judge "
        "(docs/serve.md; a running server describes itself under /docs). SIGTERM or Ctrl-C stops "
        "it when what it has accepted is answered. A token that clients must show is read from "
        "--token-file or MICROCODER_TOKEN. Exit 0 stopped, 2 usage or the address is taken, 3 the "
        "judge cannot start or --grace ended with requests unanswered.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="serve")
    parser.add_argument("--host", default="127.0.0.1", help="address (default 127.0.0.1)")
    parser.add_argument(
        "--port", type=_port, default=8080, metavar="N", help="default 8080; 0: any that is free"
    )
    parser.add_argument("--token-file", metavar="FILE", help="its first line is the token")
    parser.add_argument(
        "--dataset",
        action="append",
        default=[],
        type=_named_file,
        metavar="NAME=FILE",
        help="problems that /submit and /judge find by name; may be given again",
    )
    _bounds(parser.add_argument_group("bounds"))
    judging = parser.add_argument_group("judging")
    judging.add_argument(
        "--stop",
        choices=("never", "first-failure"),
        default="never",
        help="run all tests of a solution (default) or up to the first that fails",
    )
    _comparing_options(judging)
    _running_options(judging)
    _worker_options(parser.add_argument_group("machine"))
    return parser


def _bounds(group: Any) -> None:
    options: list[tuple[str, Any, Any, str, str]] = [
        ("--at-once", _count, None, "N", "requests judged at one time (default 2 a worker, and 2)"),
        ("--queue", _count, 1024, "N", "requests that may wait; more are told 503"),
        ("--wait", _positive, 8.0, "S", "how long one may wait; then it is told 504"),
        ("--max-body-mb", _positive, 32.0, "MB", "larger bodies are refused"),
        ("--max-held-mb", _positive, 512.0, "MB", "all bodies together; more are told 503"),
        ("--max-time", _positive, 60.0, "S", "highest time limit a request may ask for"),
        ("--max-memory", _positive, 4096.0, "MB", "highest memory limit a request may ask for"),
        ("--grace", _positive, 120.0, "S", "how long a stop waits for what is accepted"),
    ]
    for name, kind, default, unit, text in options:
        told = text if default is None else f"{text} (default {default:g})"
        group.add_argument(name, type=kind, default=default, metavar=unit, help=told)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 65535, not {text!r}")
    return int(text)


def _named_file(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"must be NAME=FILE, not {text!r}")
    return name, path
