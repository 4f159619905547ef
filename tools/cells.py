"""The cells of matrix.py: each an environment under one condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from environments import MOUNT_POINT, Interpreter

NOBODY = 65534
NAMELESS = 12345  # a uid without an entry in /etc/passwd, as on some clusters
STAGE = f"{MOUNT_POINT}/stage"
SHORT_TESTS = ("tests/judge/test_calls.py", "tests/sandbox/guest/test_isolation.py")
LONG_TESTS = (
    *SHORT_TESTS,
    "tests/formats/test_files.py",
    "tests/judge/test_forgery.py",
    "tests/judge/test_idioms.py",
    "tests/judge/worker/test_verdicts.py",
    "tests/sandbox/host/test_starting.py",
)
_NO_USER_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'
_FULL = (
    "for folder in /tmp /var/tmp; do\n"
    "  mount -t tmpfs -o size=64k,mode=1777 none $folder\n"
    "  head -c 1M /dev/zero > $folder/filling 2> /dev/null || :\n"
    "done\n"
)
_NO_SHM = (
    "mount -t tmpfs -o mode=755 none /media\n"
    "for name in null zero full random urandom tty; do\n"
    "  touch /media/$name\n"
    "  mount --bind /dev/$name /media/$name\n"
    "done\n"
    "ln -s /proc/self/fd /media/fd\n"
    "mount --move /media /dev\n"
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One environment under one condition.

    environment: a name of Matrix.interpreters, or "lowest". setup: shell commands that root runs
    in the cell's mount namespace. prefix: what starts each command. variables: added to the
    environment; None removes one.
    """

    name: str
    condition: str
    environment: str
    level: int = 4
    user: int = 0
    setup: str = ""
    prefix: tuple[str, ...] = ()
    variables: Mapping[str, str | None] = field(default_factory=dict)
    tests: tuple[str, ...] = SHORT_TESTS
    cpu_quota: float | None = None


def list_cells(interpreters: Mapping[str, Interpreter]) -> list[Cell]:
    """Return all cells that the interpreters, by version, allow."""
    system = _find_common_interpreter(interpreters)
    newest = list(interpreters)[-1]
    result = [
        Cell(f"python-{minor}", f"Python {interpreter.version}", minor, tests=LONG_TESTS)
        for minor, interpreter in interpreters.items()
    ]
    result.append(
        Cell("lowest", "the lowest versions of all dependencies", "lowest", tests=LONG_TESTS)
    )
    container = ("python3", f"{STAGE}/tools/container.py")
    read_only = "for folder in /tmp /var/tmp; do mount -t tmpfs -o ro none $folder; done"
    for_both = [
        Cell("container", "no namespaces, as Docker's default profile", system,
             level=3, prefix=container),
        Cell("tmp-read-only", "/tmp and /var/tmp are read-only", system, setup=read_only),
        Cell("tmp-full", "/tmp and /var/tmp are full", system, setup=_FULL),
        Cell("home-read-only", "the home folder is read-only", system,
             setup="mount --bind home home; mount -o remount,ro,bind home home"),
        Cell("no-shm", "no /dev/shm", system, setup=_NO_SHM),
    ]  # fmt: skip
    result += for_both
    result += [replace(cell, name=f"{cell.name}-nobody", user=NOBODY) for cell in for_both]
    result += [
        Cell("nobody", "an ordinary user", system, user=NOBODY),
        Cell("nobody-newest", "an ordinary user", newest, user=NOBODY),
        Cell("container-tmp-full", "a container whose /tmp is full", system, level=3,
             setup=_FULL, prefix=container),
        Cell("no-user-namespaces", "root of a user namespace that allows no further ones",
             system, level=3, prefix=(
                 *("unshare", "--user", "--map-root-user", "sh", "-c", _NO_USER_NAMESPACES),
                 *("sh", "setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"))),
        Cell("uid-without-name", "no entry in /etc/passwd, no HOME, the C locale", system,
             user=NAMELESS, variables={"HOME": None, "LANG": "C", "USER": None}),
        Cell("cpu-quota", "a CPU quota of half a core", system, cpu_quota=0.5),
        Cell("container-cpu-quota", "a container with half a core", system, level=3,
             prefix=container, cpu_quota=0.5),
    ]  # fmt: skip
    return result


def _find_common_interpreter(interpreters: Mapping[str, Interpreter]) -> str:
    """Find the oldest interpreter that every user can start."""
    for minor, interpreter in interpreters.items():
        if interpreter.path.startswith("/usr/"):
            return minor
    return next(iter(interpreters))
