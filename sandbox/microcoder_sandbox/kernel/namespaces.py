"""In the server: its namespaces (level 4): user, pid, mount, network, IPC.

They are made once per server, not per test: a new network namespace takes milliseconds.
The new root shows the granted files, read-only, at their usual places, and nothing else.
"""

from __future__ import annotations

import os

from . import syscalls

FLAGS = (
    syscalls.CLONE_NEWUSER
    | syscalls.CLONE_NEWPID
    | syscalls.CLONE_NEWNS
    | syscalls.CLONE_NEWNET
    | syscalls.CLONE_NEWIPC
)
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 0x4000, 0x40000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC, _AT_RECURSIVE = 1, 0o2000000, 0x8000
_AT_FDCWD = -100
_MOVE_MOUNT_F_EMPTY_PATH = 4
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID = 1, 2
SCRATCH_FOLDER = "/scratch"  # where a program may write, if its problem allows files


def enter_new_namespaces() -> None:
    """Enter new namespaces, in which this process's uid and gid stay the same.

    The next child is process 1 of the new pid namespace. Raises OSError.
    """
    uid, gid = os.getuid(), os.getgid()
    syscalls.syscall("unshare", FLAGS)
    _write_file("/proc/self/setgroups", "deny")
    _write_file("/proc/self/uid_map", f"{uid} {uid} 1")
    _write_file("/proc/self/gid_map", f"{gid} {gid} 1")


def _write_file(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def replace_root(mounts: list[tuple[str, str]]) -> None:
    """Replace the root by one that shows only what ``mounts`` says, read-only. Raises OSError.

    mounts, in order: ("show", path) binds a file or folder at its own place, ("hide", path)
    covers a folder shown before with an empty one (site-packages).
    """
    _mount("none", "/", _MS_REC | _MS_PRIVATE)
    trees = {
        # Clone now: the tmpfs mounted below hides paths under /tmp.
        path: (_clone_mount(path), os.path.isdir(path))
        for action, path in mounts
        if action == "show"
    }
    _mount("tmpfs", "/tmp", _MS_NOSUID | _MS_NODEV, "size=1m,mode=755")
    try:
        _fill_root(mounts, trees)
        syscalls.pivot_root("/tmp")
    except OSError:
        syscalls.unmount("/tmp")  # back to the old root: level 3 still works there
        raise
    _make_read_only("/")


def _fill_root(mounts: list[tuple[str, str]], trees: dict[str, tuple[int, bool]]) -> None:
    for action, path in mounts:
        if action == "show":
            tree, is_folder = trees[path]
            _attach_mount(tree, "/tmp" + path, is_folder)
        elif os.path.isdir("/tmp" + path):
            _mount("tmpfs", "/tmp" + path, _MS_NOSUID | _MS_NODEV, "size=64k")
    _mount_proc("/tmp/proc")
    _link_streams("/tmp/dev")
    os.mkdir(f"/tmp{SCRATCH_FOLDER}")


def mount_scratch_folder(size: int) -> None:
    """Mount an empty folder to write to. It holds ``size`` bytes and ends with this namespace.

    Raises OSError.
    """
    options = f"size={size},nr_inodes=16384,mode=700"
    _mount("tmpfs", SCRATCH_FOLDER, _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, options)


def _mount(fs_type: str, target: str, flags: int, options: str | None = None) -> None:
    """Mount a new file system, or change how one is mounted (mount(2)). Raises OSError."""
    syscalls.syscall("mount", fs_type, target, fs_type, flags, options, target=target)


def _link_streams(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"{folder}/{name}")
    os.symlink("/proc/self/fd", f"{folder}/fd")


def _clone_mount(path: str) -> int:
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    return syscalls.syscall("open_tree", _AT_FDCWD, path, flags, target=path)


def _attach_mount(tree: int, target: str, is_folder: bool) -> None:
    try:
        if is_folder:
            os.makedirs(target, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
        place = _AT_FDCWD, target, _MOVE_MOUNT_F_EMPTY_PATH
        syscalls.syscall("move_mount", tree, "", *place, target=target)
    finally:
        os.close(tree)


def _mount_proc(target: str) -> None:
    """Mount what /dev/stdin and the like lead to; programs do without where that is refused."""
    os.makedirs(target)
    try:
        _mount("proc", target, _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    except OSError:
        pass  # in a container that masks parts of its own /proc


def _make_read_only(path: str) -> None:
    flags = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID
    attributes = flags.to_bytes(32, "little")
    syscalls.syscall("mount_setattr", _AT_FDCWD, path, _AT_RECURSIVE, attributes, len(attributes))
