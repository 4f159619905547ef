"""Folders of hosts: what a host left is removed, and nothing else whatever it is called."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from microcoder_sandbox.host import scratch
from microcoder_sandbox.wire import emptying

HOST = (
    "from microcoder_sandbox.host.scratch import ScratchFolder; "
    "print(ScratchFolder(None).path, flush=True); input()"
)


FILES = "microcoder-files"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which hosts look for folders of their kind."""
    monkeypatch.setattr(scratch, "_ROOTS", (str(tmp_path),))
    return tmp_path


@pytest.fixture
def foreign_folder() -> Iterator[Path]:
    """A folder that nobody may touch, outside ``root``."""
    with tempfile.TemporaryDirectory(prefix="precious-") as name:
        (Path(name) / "thesis").write_text("x")
        yield Path(name)


def leave_behind(root: Path, name: str = "microcoder-abcd1234") -> Path:
    """A folder as a host that was killed leaves it."""
    outer = root / name
    (outer / FILES / "inner").mkdir(parents=True)
    outer.chmod(0o700)
    (outer / FILES / "inner" / "a").write_text("x")
    return outer


def test_a_folder_is_gone_with_all_that_is_in_it(root: Path, foreign_folder: Path) -> None:
    folder = scratch.ScratchFolder(None)
    (Path(folder.path) / "deep" / "deeper" / "deepest").mkdir(parents=True)
    (Path(folder.path) / "deep" / "link").symlink_to(foreign_folder)
    (Path(folder.path) / "hard").hardlink_to(foreign_folder / "thesis")
    folder.remove()
    assert list(root.iterdir()) == []
    assert (foreign_folder / "thesis").read_text() == "x"
    folder.remove()  # twice is no error


def test_what_a_host_that_was_killed_left_is_removed_by_the_next(root: Path) -> None:
    outer = leave_behind(root)
    scratch.ScratchFolder(None).remove()
    assert not outer.exists()


def test_a_killed_hosts_folder_is_removed_and_a_living_ones_is_not() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOST], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={"PYTHONPATH": str(Path(scratch.__file__).parents[2])},
    ) as host:  # fmt: skip
        assert host.stdout is not None
        path = Path(host.stdout.readline().strip())
        scratch.remove_abandoned_folders()
        assert path.is_dir()
        host.kill()
        host.wait()
    scratch.remove_abandoned_folders()
    assert not path.parent.exists()


def test_a_locked_folder_stays_whatever_process_numbers_say(root: Path) -> None:
    """Its host may live in another pid namespace."""
    outer = leave_behind(root, "microcoder-999999999-abcd")
    lock = os.open(outer, emptying.OPEN_FOLDER)
    fcntl.flock(lock, fcntl.LOCK_EX)
    scratch.remove_abandoned_folders()
    assert (outer / FILES / "inner" / "a").exists()
    os.close(lock)
    scratch.remove_abandoned_folders()
    assert not outer.exists()


def test_a_host_waits_for_one_that_looks_at_its_new_folder(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(prefix: str, dir: str) -> str:
        os.mkdir(path := f"{dir}/{prefix}new", 0o700)
        lock = os.open(path, emptying.OPEN_FOLDER)
        fcntl.flock(lock, fcntl.LOCK_EX)
        threading.Timer(0.2, os.close, [lock]).start()
        return path

    monkeypatch.setattr(tempfile, "mkdtemp", look)
    folder = scratch.ScratchFolder(None)
    scratch.remove_abandoned_folders()
    assert Path(folder.path).is_dir()
    folder.remove()
    assert list(root.iterdir()) == []


def test_a_link_in_the_place_of_a_folder_is_not_followed(root: Path, foreign_folder: Path) -> None:
    for target in (foreign_folder, leave_behind(foreign_folder)):
        for name in (f"microcoder-{os.getpid()}-x", "microcoder-999999999-x", "microcoder-abcd"):
            (root / name).symlink_to(target)
        scratch.remove_abandoned_folders()
        assert (foreign_folder / "thesis").exists()
        assert (foreign_folder / "microcoder-abcd1234" / FILES / "inner" / "a").exists() or (
            target == foreign_folder
        )
        for link in root.iterdir():
            link.unlink()


def test_a_link_in_the_place_of_the_programs_part_is_not_followed(
    root: Path, foreign_folder: Path
) -> None:
    outer = leave_behind(root)
    emptying.empty_folder(os.open(outer / FILES, emptying.OPEN_FOLDER))
    (outer / FILES).rmdir()
    (outer / FILES).symlink_to(foreign_folder)
    scratch.remove_abandoned_folders()
    assert (foreign_folder / "thesis").exists()
    assert outer.exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda outer: (outer / FILES).rename(outer / "files"),
        lambda outer: (outer / "notes.txt").touch(),
        lambda outer: outer.chmod(0o755),
        lambda outer: os.chown(outer, 12345, 12345),
    ],
    ids=["another name", "more in it", "another mode", "owner"],
)
def test_a_folder_that_no_host_of_this_user_made_stays(root: Path, change: object) -> None:
    outer = leave_behind(root)
    try:
        change(outer)  # type: ignore[operator]
    except PermissionError:
        pytest.skip("only root can give files away")
    scratch.remove_abandoned_folders()
    assert list(outer.glob("*/inner/a"))


def test_the_folders_other_user_reaches_its_part_only(root: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    folder = scratch.ScratchFolder(owner=60_000)
    inner, outer = Path(folder.path).stat(), Path(folder.path).parent.stat()
    assert (inner.st_uid, inner.st_mode & 0o777) == (60_000, 0o700)
    assert (outer.st_uid, outer.st_mode & 0o777) == (0, 0o711)
    folder.remove()
    assert list(root.iterdir()) == []
