"""The documentation site: pages made from the code, a glossary that is complete, an order."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from microcoder_train.config import Config
from tests.files import ROOT

METRIC = re.compile(
    r'"((?:actor|critic|diversity|eval|group|mask|mem|perf|response_length|reward|rollout|sched'
    r'|sync|timing_s)/[a-z0-9_/]+)"'
)


def load_module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"docs/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    made: dict[str, str] = load_module("generated_pages").make_pages()
    return made


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("Sum up.\n\nfirst, second: the terms. Raises TypeError.",
         "Sum up.\n\n* `first`, `second`: the terms.\n\nRaises TypeError."),
        ("first: a\n    number. second: its unit: s.",
         "* `first`: a number.\n* `second`: its unit: s."),
        ("other: is no name.", "other: is no name."),
    ],
)  # fmt: skip
def test_what_a_docstring_says_of_each_name_is_an_entry_of_a_list(text: str, layout: str) -> None:
    pytest.importorskip("griffe")
    assert load_module("docstrings").format_paragraphs(text, {"first", "second"}) == layout


def test_every_setting_of_the_trainer_is_in_the_reference(pages: dict[str, str]) -> None:
    page = pages["reference/settings.md"]
    for name, field in Config.model_fields.items():
        section = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert isinstance(field.annotation, type)
        for key in field.annotation.model_fields:
            assert f"| `{key}` |" in section, f"{name}.{key}"


@pytest.mark.parametrize("program", ["microcoder-eval", "microcoder-data", "microcoder-train"])
def test_every_verb_is_in_the_reference(pages: dict[str, str], program: str) -> None:
    page = pages["reference/cli.md"]
    verbs = {"eval": "serve", "data": "verify", "train": "probe"}
    assert f"## {program}\n" in page
    assert f"### {program} {verbs[program.partition('-')[2]]}\n" in page


def test_every_metric_is_in_the_glossary() -> None:
    """Of metrics whose names are made at run time, the part before "…" is."""
    page = (ROOT / "docs/reference/metrics.md").read_text(encoding="utf-8")
    code = "".join(path.read_text() for path in sorted(ROOT.glob("microcoder_train/**/*.py")))
    names = set(METRIC.findall(code))
    assert len(names) > 30
    assert sorted(name for name in names if f"`{name}`" not in page) == []


def test_every_page_has_a_place_in_the_navigation() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")]
    assert [page for page in pages if page not in nav and not page.startswith("stacks/")] == []
