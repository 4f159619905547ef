"""Where compiled programs are kept: in the user's cache folder, or nowhere."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from microcoder_eval.pool import cache_folders


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return tmp_path


def test_the_cache_is_below_the_home_folder(home: Path) -> None:
    assert cache_folders.find_binaries_folder() == str(home / ".cache/microcoder/binaries")


def test_a_relative_cache_folder_is_ignored(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert cache_folders.find_binaries_folder() == str(home / ".cache/microcoder/binaries")


def test_a_user_without_a_home_folder_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    # As in containers with a user number of their own; "~" would be a folder where we stand.
    def getpwuid(uid: int) -> pwd.struct_passwd:
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", getpwuid)
    assert cache_folders.find_binaries_folder() == ""


def test_prepared_headers_are_beside_the_programs_or_where_others_can_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert cache_folders.find_prepared_folder() == str(home / ".cache/microcoder/prepared")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert cache_folders.find_prepared_folder() == "/var/cache/microcoder/prepared"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    assert cache_folders.find_prepared_folder() == str(home / "microcoder/prepared")
