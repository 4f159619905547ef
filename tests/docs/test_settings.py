"""Every option and every setting is in the pages, and each that the pages name exists.

A code span that starts with two dashes is an option of ours; the options of other programs stand
behind the program's name.
"""

from __future__ import annotations

import re
import tomllib
from argparse import Action, ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from microcoder_data.cli.parser import make_parsers as data_parsers
from microcoder_data.recipe import Recipe, parse_recipe
from microcoder_eval.cli.parser import completion_parsers as eval_parsers
from microcoder_train.cli.parser import VERBS, make_parser
from microcoder_train.config import Config
from microcoder_train.config_layers import FREE_FORM_TABLES
from tests.docs.blocks import ROOT, blocks, pages

PARSERS: dict[str, Mapping[str, ArgumentParser]] = {
    "microcoder-eval": eval_parsers(),
    "microcoder-data": data_parsers(),
    "microcoder-train": {"": make_parser("run"), **{verb: make_parser(verb) for verb in VERBS}},
}
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in pages()}
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SPANS = [
    (page, " ".join(span.split()))
    for page, text in TEXTS.items()
    for span in re.findall(r"`([^`]+)`", FENCE.sub("", text))
]
COMMANDS = [
    (block.place, line.strip())
    for page in TEXTS
    for block in blocks(page)
    for line in block.text.replace("\\\n", " ").splitlines()
]
CODE = " ".join(text for _, text in [*SPANS, *COMMANDS])
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
COMMAND = re.compile(r"(?:^|/)(microcoder-(?:eval|data|train)) ([^|&;#]*)")
NAMES = re.compile(r"(?<![\w./-])[a-z_]\w*(?:\.[a-z_]\w*)*")


def list_options(parser: ArgumentParser) -> dict[str, Action]:
    """The options of a command, by each of their names."""
    return parser._option_string_actions


def list_keys(section: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """The settings of a section and of all sections in it, as "section.key"."""
    for name, field in section.model_fields.items():
        kinds = (field.annotation, *getattr(field.annotation, "__args__", ()))
        inner = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if inner:
            yield from list_keys(inner[0], f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


@pytest.mark.parametrize("program", PARSERS)
def test_every_option_is_in_a_page(program: str) -> None:
    written = set(OPTION.findall(CODE))
    assert [
        f"{verb} {name}"
        for verb, parser in PARSERS[program].items()
        for name, option in list_options(parser).items()
        if not written & set(option.option_strings) and "--help" not in option.option_strings
    ] == []


def test_every_setting_of_the_trainer_is_in_a_page() -> None:
    assert sorted(set(list_keys(Config)) - set(NAMES.findall(CODE))) == []


def test_every_setting_of_a_recipe_is_in_a_page() -> None:
    """Pages name a key without its section, so one page serves a key that two sections share."""
    written = {name.rpartition(".")[2] for name in NAMES.findall(CODE)}
    assert [key for key in list_keys(Recipe) if key.rpartition(".")[2] not in written] == []


def test_every_option_in_a_page_exists() -> None:
    known = {
        flag
        for verbs in PARSERS.values()
        for parser in verbs.values()
        for flag in list_options(parser)
    }
    spans = [(page, span) for page, span in SPANS if span.startswith("--")]
    assert len(spans) > 50
    assert [
        (page, flag) for page, span in spans for flag in OPTION.findall(span) if flag not in known
    ] == []


def test_every_option_of_a_command_in_a_page_exists() -> None:
    commands = [(place, text) for place, text in [*SPANS, *COMMANDS] if "microcoder-" in text]
    unknown = []
    for place, text in commands:
        for program, words in COMMAND.findall(text):
            verbs = PARSERS[program]
            verb = words.split(" ")[0]
            known = list_options(verbs[verb if verb in verbs else ""])
            unknown += [(place, flag) for flag in OPTION.findall(words) if flag not in known]
    assert len(commands) > 50
    assert unknown == []


def test_every_setting_in_a_page_exists() -> None:
    known = {*list_keys(Config), *list_keys(Recipe)}
    sections = {key.partition(".")[0] for key in known if "." in key}
    named = [
        (page, name)
        for page, span in SPANS
        for name in NAMES.findall(span)
        if "." in name and name.partition(".")[0] in sections
    ]
    assert len(named) > 100
    assert [
        (page, name)
        for page, name in named
        if name not in known
        and not any(key.startswith(f"{name}.") for key in known)  # a section
        and not name.startswith(tuple(f"{table}." for table in FREE_FORM_TABLES))
    ] == []


def test_every_example_of_a_recipe_or_of_settings_is_valid() -> None:
    others: list[str] = []
    for page in TEXTS:
        for block in blocks(page):
            if block.language == "toml":
                tables: dict[str, Any] = tomllib.loads(block.text)
                if tables.keys() <= Recipe.model_fields.keys():
                    parse_recipe(tables)
                elif tables.keys() <= Config.model_fields.keys():
                    Config.model_validate(tables)
                else:
                    others.append(block.place)
    assert others == []
