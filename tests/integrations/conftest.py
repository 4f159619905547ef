"""What the tests of the adapters judge."""

from __future__ import annotations

from typing import Any

import pytest

RIGHT = "Doubled:\n```python\nprint(2 * int(input()))\n```\n"
WRONG = "```python\nprint(int(input()))\n```"
# A checker that fails is a failure of the judge, a real one, whatever the answer.
BROKEN = {"source": "raise ValueError('broken')\n"}


@pytest.fixture(scope="session")
def doubling() -> list[dict[str, Any]]:
    """Tests of a program that doubles a number; 0 passes in WRONG, too."""
    return [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in (0, 1, 7)]
