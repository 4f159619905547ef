"""Records of measurements are cited or the newest of their benchmark, and their README names what
there is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from tests.files import ROOT

BENCHMARKS = ROOT / "benchmarks"
RECORDS = BENCHMARKS / "results"
# Where somebody looks for a measurement: pages, and the benchmark that makes the record.
CITING = ("*.md", "*/*.md", "docs/**/*.md", "datasets/**/*.md", "benchmarks/*.py")


def stored_records() -> dict[str, str]:
    """The text of each record by the name that its JSON, table and plot share."""
    texts: dict[str, str] = defaultdict(str)
    for path in sorted(RECORDS.iterdir()):
        texts[path.stem] += path.read_text(encoding="utf-8")
    return texts


def dated_names_in(text: str) -> set[str]:
    """The names of records with a date that a text has."""
    return set(re.findall(r"\b\w+-20\d\d-\d\d-\d\d-\d{6}\b", text))


def names_in(text: str) -> set[str]:
    """The names of records, without their suffix, that a text has."""
    return set(re.findall(r"([\w-]+)\.(?:json|md|svg)\b", text)) | dated_names_in(text)


def newest_of_benchmarks(records: Mapping[str, str], scripts: set[str]) -> set[str]:
    """The last record of each benchmark whose records have a date in their name."""
    newest = {}
    for name in sorted(records):
        script, date, _ = name.partition("-20")
        if date and script in scripts:
            newest[script] = name
    return set(newest.values())


def find_uncited(records: Mapping[str, str], texts: list[str], scripts: set[str]) -> set[str]:
    """Records that neither a page, nor a cited record, nor being the newest keeps."""
    kept = newest_of_benchmarks(records, scripts) | set().union(*map(names_in, texts))
    while more := set().union(*(names_in(records[name]) for name in kept & set(records))) - kept:
        kept |= more
    return set(records) - kept


def read_citing_texts() -> list[str]:
    """What pages and benchmarks say."""
    paths = [path for pattern in CITING for path in sorted(ROOT.glob(pattern))]
    return [path.read_text(encoding="utf-8") for path in paths]


def test_every_record_is_cited_or_the_newest_of_its_benchmark() -> None:
    scripts = {path.stem for path in BENCHMARKS.rglob("*.py")}
    assert find_uncited(stored_records(), read_citing_texts(), scripts) == set()


def test_every_record_that_a_page_cites_is_there() -> None:
    assert set().union(*map(dated_names_in, read_citing_texts())) <= stored_records().keys()


def test_the_readme_names_files_that_exist() -> None:
    text = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    quoted = re.findall(r"`(?:python )?([\w./-]+)[^`\n]*`", text)
    paths = {name for name in quoted if re.search(r"\.(py|json|jsonl|md|svg)$|/$", name)}
    paths |= set(re.findall(r"^    python (\S+)", text, re.MULTILINE))
    paths |= set(re.findall(r"[\w/]+\.py", "\n".join(re.findall(r"^## .*", text, re.MULTILINE))))
    assert len(paths) > 20
    folders = (ROOT, BENCHMARKS)
    # Environments are made on first use.
    made = {".envs/"}
    assert {
        name for name in paths - made if not any((folder / name).exists() for folder in folders)
    } == set()


def test_every_benchmark_has_its_lines_in_the_readme() -> None:
    text = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    scripts = [
        str(path.relative_to(BENCHMARKS))
        for path in BENCHMARKS.rglob("*.py")
        if "/.envs/" not in str(path) and '__name__ == "__main__"' in path.read_text()
    ]
    assert len(scripts) > 20
    assert [name for name in scripts if not name.startswith("peers/") and name not in text] == []
