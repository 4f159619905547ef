"""What is said before any test runs."""

from __future__ import annotations

import importlib.util


def pytest_report_header() -> list[str]:
    """Which tests are left out for want of a package."""
    missing = [name for name in ("torch", "transformers") if importlib.util.find_spec(name) is None]
    return [f"tests/train is left out: {' and '.join(missing)} not installed"] if missing else []
