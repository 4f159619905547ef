"""Where things are kept between runs (XDG base directory specification)."""

from __future__ import annotations

import os


def cache_folder() -> str:
    """Where compiled programs are kept between runs; "" for a user without a home folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the specification has relative ones ignored
        base = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(base):  # neither HOME nor an entry in /etc/passwd
        return ""
    return os.path.join(base, "microcoder", "binaries")
