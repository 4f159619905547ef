"""Checks that a tag, the version in every file and the changelog agree.

    python tools/check_release.py v0.2.0

Exit 1 names what differs. Needs the standard library only.
"""

from __future__ import annotations

import re
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


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/check_release.py vX.Y.Z")
    sys.exit("\n".join(list_faults(sys.argv[1])) or None)
