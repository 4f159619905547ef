"""What a program reads of the standard library's folder: modules, and no packages beside them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from microcoder_sandbox.host.outcome import Outcome
from tests.sandbox.conftest import Runner

LIBRARY = os.path.dirname(os.path.realpath(os.__file__))
READ = """
import itertools, os
first_bytes = []
for folder, _, names in itertools.islice(os.walk({folder!r}, onerror=print), 40):
    for name in names[:10]:
        try:
            first_bytes.append(open(os.path.join(folder, name), "rb").read(1))
        except OSError:
            pass
print(len(first_bytes))
"""


def _count_readable(outcome: Outcome) -> int:
    return int(outcome.stdout.split()[-1])


@pytest.mark.parametrize("name", ["site-packages", "dist-packages", "test", "idlelib", "ensurepip"])
def test_what_is_not_for_programs_cannot_be_read(run: Runner, name: str) -> None:
    if not Path(LIBRARY, name).is_dir():
        pytest.skip(f"this Python has no {name}")
    assert _count_readable(run(READ.format(folder=f"{LIBRARY}/{name}"))) == 0


@pytest.mark.parametrize("name", ["json", "lib-dynload", "__pycache__"])
def test_modules_can_be_read(run: Runner, name: str) -> None:
    assert _count_readable(run(READ.format(folder=f"{LIBRARY}/{name}"))) >= 1
