"""The options of ``microcoder-eval serve``."""

from __future__ import annotations

import argparse
from typing import Any

from microcoder_eval.console.parser import CommandParser, OptionGroup, parse_count

from .options import (
    add_comparing_options,
    add_running_options,
    add_stop_option,
    add_worker_options,
    parse_positive,
)


def serve_parser() -> CommandParser:
    """Make the parser of ``serve``."""
    parser = CommandParser(
        prog="microcoder-eval serve",
        description="Serve the judge over HTTP: SandboxFusion's /run_code and /submit, and /judge "
        "(docs/serve.md; a running server describes itself under /docs). On SIGTERM or Ctrl-C it "
        "answers the requests it has accepted and exits. Clients must send the token that "
        "--token-file or MICROCODER_TOKEN holds, if any. Exit 0: stopped; 2: usage, or the address "
        "is taken; 3: the judge cannot start, or --grace ended with requests unanswered.",
        allow_abbrev=False,
    )
    parser.set_defaults(command="serve")
    parser.add_argument("--host", default="127.0.0.1", help="address (default 127.0.0.1)")
    parser.add_argument(
        "--port", type=_port, default=8080, metavar="N", help="default 8080; 0: any free port"
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help="file whose first line is the token of clients"
    )
    parser.add_argument(
        "--dataset",
        action="append",
        default=[],
        type=_parse_named_file,
        metavar="NAME=FILE",
        help="problems that /submit and /judge find by name; may be repeated",
    )
    parser.add_argument(
        "--no-access-log", action="store_true", help="no line on standard output for each request"
    )
    _add_bounds(parser.add_group("bounds"))
    judging = parser.add_group("judging")
    add_stop_option(judging)
    add_comparing_options(judging)
    add_running_options(judging)
    add_worker_options(parser.add_group("machine"))
    return parser


def _add_bounds(group: OptionGroup) -> None:
    options: list[tuple[str, Any, Any, str, str]] = [
        (
            "--at-once",
            parse_count,
            None,
            "N",
            "requests judged at one time (default 2 for each worker, plus 2)",
        ),
        ("--queue", parse_count, 1024, "N", "requests that may wait; others get 503"),
        ("--wait", parse_positive, 8.0, "S", "how long a request may wait before it gets 504"),
        ("--max-body-mb", parse_positive, 32.0, "MB", "size of the largest body accepted"),
        (
            "--max-held-mb",
            parse_positive,
            512.0,
            "MB",
            "memory of all requests and of reading their values; requests beyond it get 503",
        ),
        ("--max-time", parse_positive, 60.0, "S", "highest time limit a request may ask for"),
        (
            "--max-memory",
            parse_positive,
            4096.0,
            "MB",
            "highest memory limit a request may ask for",
        ),
        ("--grace", parse_positive, 120.0, "S", "how long a stop waits for accepted requests"),
    ]
    for name, value_type, default, unit, text in options:
        help_text = text if default is None else f"{text} (default {default:g})"
        group.add_argument(name, type=value_type, default=default, metavar=unit, help=help_text)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 65535, not {text!r}")
    return int(text)


def _parse_named_file(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"must be NAME=FILE, not {text!r}")
    return name, path
