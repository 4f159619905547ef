"""The versions of this package and of others; costs nothing to import."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

__version__ = "0.2.0"


def get_installed_version(package: str) -> str | None:
    """Return the version of a package; None if it is not installed. Imports nothing of it."""
    from importlib import metadata  # late: it takes longer to import than the rest together

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@lru_cache(None)
def list_installed_versions(packages: tuple[str, ...]) -> Mapping[str, str]:
    """Return the versions of those packages that are installed."""
    versions = {name: get_installed_version(name) for name in packages}
    return {name: version for name, version in versions.items() if version is not None}
