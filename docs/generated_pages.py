"""Pages of the site that are made from the code: the command lines and the trainer's settings."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_COLUMNS = "78"  # fits beside the site's menus at 1280 pixels


def make_pages() -> dict[str, str]:
    """Return the text of each page, by its path in the site."""
    for folder in (ROOT, ROOT / "sandbox"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    os.environ["COLUMNS"] = _COLUMNS  # argparse wraps its help at this width
    return {"reference/cli.md": _make_cli_page(), "reference/settings.md": _make_settings_page()}


def _make_cli_page() -> str:
    from microcoder_data.cli.parser import _make_parsers as data_parsers
    from microcoder_eval.cli.parser import judge_parser, verb_parsers
    from microcoder_train.cli import VERBS, _make_parser

    programs = {
        "microcoder-eval": {
            "": judge_parser(),
            **{v: make() for v, make in verb_parsers().items()},
        },
        "microcoder-data": data_parsers(),
        "microcoder-train": {verb.replace("run", ""): _make_parser(verb) for verb in VERBS},
    }
    parts = [
        "# Command line\n\nAll options, made from the code when this site is built. "
        "`--help` prints the common ones of judging, `serve`, `audit` and `calibrate`; "
        "`--help-all` prints all.\n"
    ]
    for program, parsers in programs.items():
        parts.append(f"## {program}\n")
        for verb, parser in parsers.items():
            if verb:
                parts.append(f"### {program} {verb}\n")
            parts.append(f"```text\n{parser.format_help().rstrip()}\n```\n")
    return "\n".join(parts)


def _make_settings_page() -> str:
    from microcoder_train.config import Config

    parts = [
        "# Settings of the trainer\n",
        "A setting is written `section.key` (`model.path`), in TOML or on the command line of "
        "`microcoder-train`. Made from the code when this site is built. The source says who the "
        "default is from; `microcoder-train --show-config` prints the values of your run.\n",
    ]
    for name, field in Config.model_fields.items():
        section = field.annotation
        assert isinstance(section, type)
        parts.append(f"## {name}\n")
        text = inspect.getdoc(section) or ""
        parts.append(" ".join(_escape(text).split()) + "\n")
        parts += ["| setting | default | values | source |", "|---|---|---|---|"]
        for key, setting in section.model_fields.items():
            source = (setting.json_schema_extra or {})["source"]
            values = _describe_type(section.__annotations__[key])
            parts.append(f"| `{key}` | `{setting.default!r}` | {values} | {source} |")
        parts.append("")
    return "\n".join(parts)


def _describe_type(annotation: object) -> str:
    text = annotation if isinstance(annotation, str) else str(annotation)
    return f"`{text}`".replace("|", "\\|")


def _escape(text: str) -> str:
    return text.replace("``", "`").replace("<", "&lt;").replace("*", "\\*")
