"""Where a user's workers keep files between runs."""

from __future__ import annotations

import os


def find_binaries_folder() -> str:
    """Return where compiled programs are kept between runs; "" for a user without a home folder."""
    base = _find_base()
    return os.path.join(base, "microcoder", "binaries") if base else ""


def find_prepared_folder() -> str:
    """Return the folder of files that compilers reuse; "" for a user without a home folder.

    Root's compilers run as another user, who cannot read root's home.
    """
    is_named = os.path.isabs(os.environ.get("XDG_CACHE_HOME", ""))
    base = "/var/cache" if os.geteuid() == 0 and not is_named else _find_base()
    return os.path.join(base, "microcoder", "prepared") if base else ""


def _find_base() -> str:
    """Return the folder of caches. Source: XDG base directory specification."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the specification has relative ones ignored
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return base if os.path.isabs(base) else ""  # neither HOME nor an entry in /etc/passwd
