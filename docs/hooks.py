"""What the documentation site holds besides docs/*.md, and how its links lead there.

README, ARCHITECTURE and others stay where readers of the repository look for them; here they are
pages of the site, too. A link to a file of the repository that is no page becomes plain text. A
link to nothing ends the build.
"""

from __future__ import annotations

import importlib.util
import posixpath
import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
# Files and folders of the repository that are pages of the site.
PAGES = {
    "ARCHITECTURE.md": "architecture.md",
    "sandbox/DESIGN.md": "design-sandbox.md",
    "microcoder_eval/DESIGN.md": "design-judge.md",
    "microcoder_data/DESIGN.md": "design-corpus.md",
    "microcoder_train/DESIGN.md": "design-trainer.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
    "datasets/microcoder-mini/README.md": "microcoder-mini.md",
    "datasets/samples/README.md": "samples.md",
    "sandbox/README.md": "threat-model.md",
    "sandbox/SESSIONS.md": "sessions.md",
    "sandbox/attacks": "attacks.md",
}
_SOURCES = {page: source for source, page in PAGES.items()}
# Files that links lead to pages for, though the pages say it in other words.
_TARGETS = {**PAGES, "README.md": "index.md"}
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere, and fill the navigation's patterns."""
    for source, page in PAGES.items():
        text = _attacks() if page == "attacks.md" else (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text))
    for page, text in _generated_pages().make_pages().items():
        files.append(File.generated(config, page, content=text))
    pages = sorted(file.src_uri for file in files.documentation_pages())
    config.nav = _filled(config.nav, pages, set(_named(config.nav)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead links of the repository to pages of the site; leave programs alone."""
    source = _SOURCES.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    parts = _FENCE.split(markdown)
    # split() gives what matched at the odd places.
    parts[::2] = [_LINK.sub(lambda m: _link(m, source, page), part) for part in parts[::2]]
    return "".join(parts)


def _link(match: re.Match[str], source: str, page: Page) -> str:
    text, (target, mark, anchor) = match[1], match[2].partition("#")
    if not target or ":" in target:
        return match[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    if not (ROOT / path).exists():
        raise PluginError(f"{source}: a link to {target}, which does not exist")
    inside = path.removeprefix("docs/") if path.startswith("docs/") else None
    page_path = _TARGETS.get(path) or _TARGETS.get(f"{path}/README.md") or inside
    if page_path is None:
        return text
    there = posixpath.relpath(page_path, posixpath.dirname(page.file.src_uri) or ".")
    return f"[{text}]({there}{mark}{anchor})"


def _named(nav: Any) -> list[str]:
    """Every page and pattern of the navigation."""
    if isinstance(nav, str):
        return [nav]
    below = nav.values() if isinstance(nav, dict) else nav
    return [name for item in below for name in _named(item)]


def _filled(nav: list[Any], pages: list[str], named: set[str]) -> list[Any]:
    """The navigation with pages for patterns, without what is empty."""
    filled: list[Any] = []
    for item in nav:
        if isinstance(item, str) and "*" in item:
            deep = item.count("/")
            filled += [
                name
                for name in pages
                if fnmatchcase(name, item) and name.count("/") == deep and name not in named
            ]
        elif isinstance(item, dict):
            inside = {
                title: below if isinstance(below, str) else _filled(below, pages, named)
                for title, below in item.items()
            }
            filled += [{title: below} for title, below in inside.items() if below]
        else:
            filled.append(item)
    return filled


def _attacks() -> str:
    """The table attack, layer, verdict, test, out of the headers of sandbox/attacks."""
    rows = [
        "# The attack corpus\n",
        "Every program of `sandbox/attacks/`, out of its own header. Each is judged at levels 4, 3 "
        "and 2, as root and as nobody, in every run of CI, and what it leaves behind is looked "
        "for:\n",
        "    pytest -m attacks -k A085\n",
        "What a star marks cannot be stopped at that level; why stands in the "
        "[threat model](README.md), under *What is not promised*. Several verdicts: the "
        "header says why more than one is right.\n",
        "| attack | what it does | stopped by | 4 | 3 | 2 |",
        "|---|---|---|---|---|---|",
    ]
    for attack in _corpus().load_attacks():
        header = attack.header
        verdicts = [
            ", ".join(attack.verdicts(level)) + ("" if attack.holds(level) else " \\*")
            for level in (4, 3, 2)
        ]
        cells = [f"{header['id']} {header['name']}", header["does"], header["stopped_by"]]
        rows.append("| " + " | ".join([*map(_cell, cells), *verdicts]) + " |")
    return "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    """A header's words as they stand, whatever Markdown would make of them."""
    return re.sub(r"([\\`*_<>\[\]|])", r"\\\1", text)


def _corpus() -> ModuleType:
    """The reader of attacks that the tests use."""
    return _load("attack_corpus", "tests/attacks/corpus.py")


def _generated_pages() -> ModuleType:
    return _load("generated_pages", "docs/generated_pages.py")


def _load(name: str, path: str) -> ModuleType:
    """Import a file that is in no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    if spec is None or spec.loader is None:
        raise PluginError(f"{path} is not there")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclass looks for itself
    spec.loader.exec_module(module)
    return module
