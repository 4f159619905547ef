"""Commands that run in the tests' own process share workers."""

from __future__ import annotations

import pytest

from tests.commands import SharedJudge


@pytest.fixture(autouse=True)
def _shared_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microcoder_eval.api.Judge", SharedJudge)
