"""What is said before any test runs."""

from __future__ import annotations

import importlib.util

NEEDED = {
    "tests/train": ("torch", "transformers"),
    "tests/integrations: the run of TRL": ("trl", "torch", "transformers"),
    "tests/serve": ("fastapi", "prometheus_client", "uvicorn"),
}


def pytest_report_header() -> list[str]:
    """Which tests are left out for want of a package."""
    return [
        f"{folder} is left out: {' and '.join(missing)} not installed"
        for folder, names in NEEDED.items()
        if (missing := [name for name in names if importlib.util.find_spec(name) is None])
    ]
