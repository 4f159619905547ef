"""Pages of the site that are made from the code: the command lines and the trainer's settings."""

from __future__ import annotations

import argparse
import inspect
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def make_pages() -> dict[str, str]:
    """Return the text of each page, by its path in the site."""
    for folder in (ROOT, ROOT / "sandbox"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    return {"reference/cli.md": _make_cli_page(), "reference/settings.md": _make_settings_page()}


def _make_cli_page() -> str:
    from microcoder_data.cli.parser import make_parsers as data_parsers
    from microcoder_eval.cli import parser as eval_parser
    from microcoder_train.cli.parser import VERBS, make_parser

    programs = {
        "microcoder-eval": {
            "": eval_parser.judge_parser(),
            **{verb: eval_parser.make_parser(verb) for verb in eval_parser.VERBS},
        },
        "microcoder-data": data_parsers(),
        "microcoder-train": {verb.replace("run", ""): make_parser(verb) for verb in VERBS},
    }
    parts = [
        "# Command line\n",
        "Every command with all its options, made from the code when this site is built. `--help` "
        "prints the common ones of judging, `serve`, `audit` and `calibrate`; `--help-all` prints "
        "all.\n",
    ]
    for program, parsers in programs.items():
        parts.append(f"## {program}\n")
        for verb, parser in parsers.items():
            if verb:
                parts.append(f"### {program} {verb}\n")
            parts += _describe_parser(parser)
    return "\n".join(parts)


def _describe_parser(parser: argparse.ArgumentParser) -> list[str]:
    """Return the parts of the page about one command: purpose, form, a table for each group."""
    operands = " ".join(_show_operand(action) for action in parser._get_positional_actions())
    parts = [
        f"{_escape(parser.description or '')}\n",
        f"```text\n{parser.prog} {operands} [options]\n```\n".replace("  ", " "),
    ]
    for group in parser._action_groups:
        shown = [
            action
            for action in group._group_actions
            if action.help != argparse.SUPPRESS and "--help" not in action.option_strings
        ]
        if shown:
            title = (group.title or "").replace("positional arguments", "files").capitalize()
            parts += [f"**{_escape(title)}**\n", "| | what it does |", "|---|---|"]
            parts += [f"| {_show_names(action)} | {_show_help(action)} |" for action in shown]
            parts.append("")
    return parts


def _show_operand(action: argparse.Action) -> str:
    name = _name_value(action) or action.dest
    optional = {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} ..."}
    return optional.get(str(action.nargs), name)


def _show_names(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else _name_value(action)
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    return " ".join(part for part in (names, f"`{value}`" if value else "") if part)


def _name_value(action: argparse.Action) -> str:
    if action.metavar:
        names = action.metavar
        return names if isinstance(names, str) else " ".join(names)
    if action.choices is not None:
        return ", ".join(str(choice) for choice in action.choices)
    return action.dest.upper() if action.option_strings else action.dest


def _show_help(action: argparse.Action) -> str:
    text = action.help or ""
    if "%(default)s" in text:
        text = text.replace("%(default)s", str(action.default))
    return _escape(text.replace("%%", "%")).replace("|", "\\|").replace("\n", " ")


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
