"""Checks that a tag, the version in every file and the changelog agree.

    python tools/check_release.py v0.2.0 [--build FOLDER] [--index]

--build makes the wheel and the source archive there and checks them (needs build and twine).
--index asks the package index whether the version is free. Nothing is uploaded. Exit 1 names what
is wrong.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Where the version is written, and how.
PLACES = {
    "pyproject.toml": r'^version = "(.+)"$',
    "microcoder_eval/version.py": r'^__version__ = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
}
_CHANGES = r"^## \[?{version}\]? [-–—(] ?\d{{4}}-\d\d-\d\d\)?$"


def read_versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version that each file names; "" where it names none."""
    versions = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        versions[name] = match[1] if match else ""
    return versions


def list_faults(tag: str, root: Path = ROOT) -> list[str]:
    """Return what is wrong with a release of that tag, a sentence each."""
    version = tag.removeprefix("v")
    faults = [
        f"{name} says version {other or '(none)'}, the tag {version}"
        for name, other in read_versions(root).items()
        if other != version
    ]
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(_CHANGES.format(version=re.escape(version)), changes, re.MULTILINE):
        faults.append(f"CHANGELOG.md has no line '## {version} – YYYY-MM-DD'")
    return faults


def build_archives(folder: Path, root: Path = ROOT) -> list[str]:
    """Build the wheel and the source archive, and check them; return what is wrong."""
    built = _run_module("build", "--outdir", str(folder), str(root))
    if built.returncode:
        return [f"they cannot be built: {built.stdout}"]
    archives = sorted(str(path) for path in folder.iterdir())
    checked = _run_module("twine", "check", "--strict", *archives)
    return [checked.stdout] if checked.returncode else []


def find_taken_version(version: str, listing: str) -> list[str]:
    """Return a fault if a listing of ``pip index versions`` has the version."""
    taken = re.findall(r"\d+(?:\.\d+)+\S*", listing.replace(",", " "))
    return [f"the index has {version} already"] if version in taken else []


def ask_index(version: str, root: Path = ROOT) -> list[str]:
    """Ask the index whether it has this version of the project; return a fault if it has."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    name = re.search(r'^name = "(.+)"$', text, re.MULTILINE)
    asked = _run_module("pip", "index", "versions", name[1] if name else "")
    if asked.returncode and "No matching distribution" not in asked.stdout:
        return [f"the index cannot be asked: {asked.stdout}"]
    return find_taken_version(version, asked.stdout)


def _run_module(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *words]
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def main() -> None:
    """Raise SystemExit with what is wrong, or with 0."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tag", metavar="vX.Y.Z")
    parser.add_argument("--build", type=Path, metavar="FOLDER", help="build the archives there")
    parser.add_argument("--index", action="store_true", help="is the version free?")
    options = parser.parse_args()
    faults = list_faults(options.tag)
    if options.index:
        faults += ask_index(options.tag.removeprefix("v"))
    if options.build and not faults:
        faults += build_archives(options.build)
    sys.exit("\n".join(faults) or None)


if __name__ == "__main__":
    main()
