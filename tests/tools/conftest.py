"""One pool for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from microcoder_eval import Judge


@pytest.fixture(scope="module")
def pool() -> Iterator[Judge]:
    with Judge(workers=2, stop="first_failure") as judge:
        yield judge
