"""Plants faults into the code that decides verdicts, and checks that tests catch each.

    python tools/mutation_check.py [--only NAME ...]

Every fault is a change of one text in a temporary copy of the tree. The golden verdicts and the
unit tests of the changed area run on the copy; a fault that neither catches is missed. First they
must pass on a copy without a fault. Exit 1: a fault was missed, or that control failed. Takes
about half a minute for each fault.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = (
    "microcoder_eval",
    "microcoder_data",
    "sandbox",
    "tests",
    "datasets",
    "docs",
    "pyproject.toml",
)
LIMIT_S = 600
UNIT_TESTS = {
    "worker/verdicts.py": ["tests/judge/worker/test_verdicts.py"],
    "worker/batching.py": ["tests/judge/worker/test_batch.py"],
    "compare": ["tests/compare"],
    "extract.py": ["tests/test_extract.py"],
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A text of a file in microcoder_eval, and its replacement."""

    name: str
    file: str
    text: str
    replacement: str


FAULTS = (
    Fault(
        "status 1 counts as success",
        "worker/verdicts.py",
        "    if code == 0:\n        return None",
        "    if code in (0, 1):\n        return None",
    ),
    Fault(
        "refused memory is a runtime error",
        "worker/verdicts.py",
        "    if outcome.refused_memory:",
        "    if outcome.refused_memory and outcome.killed is not None:",
    ),
    Fault(
        "left-over threads carry no flag",
        "worker/verdicts.py",
        "    if outcome.left_threads:",
        "    if outcome.left_threads and outcome.killed is not None:",
    ),
    Fault(
        "every program is plain",
        "worker/batching.py",
        "            self._plain = is_plain(self._program.source, call=self._is_call)",
        "            self._plain = True",
    ),
    Fault(
        "memory of a session counts against nobody",
        "worker/batching.py",
        "        if session.shared and self._exceeds_memory(session):",
        "        if session.shared and self._exceeds_memory(session) and not test_verdicts:",
    ),
    Fault(
        "the default tolerance is 1e-5",
        "compare/calibrated.py",
        'EPSILON = Decimal("1e-6")',
        'EPSILON = Decimal("1e-5")',
    ),
    Fault(
        "layout never decides",
        "compare/calibrated.py",
        "    return _DRAWN.search(expected) is not None",
        "    return False",
    ),
    Fault(
        "both tolerances of Kattis are needed",
        "compare/kattis.py",
        "return gap <= absolute or gap <= relative * abs(expected_number)",
        "return gap <= absolute and gap <= relative * abs(expected_number)",
    ),
    Fault(
        "the first fence wins",
        "extract.py",
        "for tag, code in reversed(blocks):",
        "for tag, code in blocks:",
    ),
    Fault(
        "thinking opened in the prompt counts",
        "extract.py",
        "            parts.clear()  #",
        "            pass  #",
    ),
)


def plant(fault: Fault, tree: Path) -> None:
    """Write the fault into a copy. Raises ValueError unless its text occurs exactly once."""
    file = tree / "microcoder_eval" / fault.file
    code = file.read_text(encoding="utf-8")
    if code.count(fault.text) != 1:
        raise ValueError(f"{fault.name}: the text stands {code.count(fault.text)} times in {file}")
    file.write_text(code.replace(fault.text, fault.replacement), encoding="utf-8")


def catches(tree: Path, tests: list[str]) -> bool:
    """Whether these tests fail in the copy. Raises RuntimeError if none ran."""
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": f"{tree}{os.pathsep}{tree / 'sandbox'}"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    if process.returncode not in (0, 1):
        raise RuntimeError(f"pytest ended with {process.returncode}: {process.stdout[-2000:]}")
    return process.returncode == 1


def check(fault: Fault | None) -> bool:
    """Print which tests catch the fault (None: the control); return False if none does."""
    with tempfile.TemporaryDirectory(prefix="microcoder-mutation-") as folder:
        tree = Path(folder)
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(
                    source, tree / part, ignore=shutil.ignore_patterns("__pycache__", ".*")
                )
            else:
                shutil.copy(source, tree / part)
        if fault is not None:
            plant(fault, tree)
        area = fault and fault.file.partition("/")[0]
        units = [
            path for name, paths in UNIT_TESTS.items() if area in (None, name) for path in paths
        ]
        suites = {"golden": ["tests/golden"], "unit": units}
        suites_that_fail = [name for name, tests in suites.items() if catches(tree, tests)]
    result = f"caught by {' and '.join(suites_that_fail)}" if suites_that_fail else "MISSED"
    print(
        f"{result:24} {fault.name}" if fault else f"control: {suites_that_fail or 'passes'}",
        flush=True,
    )
    return bool(suites_that_fail)


def main() -> int:
    """Check the chosen faults one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [fault.name for fault in FAULTS]
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME")
    only = parser.parse_args().only
    if check(None):
        return 1
    results = [check(fault) for fault in FAULTS if fault.name in only]
    print(f"{sum(results)} of {len(results)} faults caught")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
