"""Runs attacks through the whole judge, as whoever started it, and looks at what they leave.

A process of its own: ``driver.py LEVEL`` reads a JSON line per attack and answers with one. Only
the standard library and the judge, so that any user with any interpreter can run it.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
from pathlib import Path
from typing import Any

from microcoder_eval import Judge, Limits
from microcoder_eval.records import Kind, Problem, Solution, Test

MARK = "microcoder-attack"  # in the name of everything an attack tries to leave behind
LIMITS = {"time_s": 1.0, "wall_s": 4.0, "memory_mb": 128.0, "output_mb": 2.0}
_SUM = "a, b = map(int, input().split())\nprint(a + b)\n"
_TESTS: dict[str, Any] = {"tests": [{"input": "2 3\n", "output": "5\n"}]}
INNOCENT = {"source": _SUM, "problem": _TESTS}
_CHECK = "def check(given, output, expected):\n    return True\n"
_VALIDATOR = {"source": "import sys\nsys.exit(42)\n", "protocol": "kattis"}
_OPAQUE = "def check(f):\n    for n in range(3):\n        assert f(n) == n\ncheck(f)\n"
_WARMING = (
    {
        "source": "def f(a): return a",
        "problem": {"kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": 1}]},
    },
    {"source": "def f(a): return a", "problem": {"test_code": _OPAQUE, "entry_point": "f"}},
    {"source": _SUM, "problem": {**_TESTS, "checker": {"source": _CHECK}}},
    {"source": _SUM, "problem": {**_TESTS, "checker": {**_VALIDATOR, "language": "python"}}},
    {"source": "print()", "problem": {**_TESTS, "interactor": _VALIDATOR}},
    {"source": f"import random, numpy\n{_SUM}", "problem": _TESTS},
    {"source": f"import random\n{_SUM}", "problem": _TESTS},
    INNOCENT,
)
_SHARED = ("/dev/shm", "/dev/mqueue", "/tmp", "/var/tmp", "/run/lock", "/")


class Driver:
    """A judge with one worker, and the machine around it."""

    def __init__(self, level: int) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="answers-")
        self.secret_file = Path(self.folder.name) / "tests.jsonl"
        self.judge = Judge(
            reuse=False, workers=1, stop="never", min_level=level, max_level=level, limits=Limits()
        )
        for order in _WARMING:  # so that every server that an attack could need is there already
            self._judge(order, "", 0)

    def packages(self) -> list[str]:
        """Those that can really be imported: numpy may be of another Python's making."""
        names = ("numpy", "sortedcontainers")
        return [name for name in names if self.judge.run(f"import {name}").exit == 0]

    def attack(self, order: dict[str, Any]) -> dict[str, Any]:
        """Judge one attack and an innocent program after it."""
        secret = secrets.token_hex(16)
        self.secret_file.write_text(secret)
        worker = self._worker()
        before = self._state()
        judgement = None
        for part in (order.get("first"), order):
            if part is not None:
                judgement = self._judge(part, secret, worker)
        assert judgement is not None
        sibling = self._judge(INNOCENT, "", 0)
        after = self._state()
        left = [
            f"{key}: {before[key]} -> {after[key]}" for key in before if before[key] != after[key]
        ]
        if self._worker() != worker:
            left.append("the worker was replaced")
        if str(sibling.verdict) != "AC":
            left.append(f"the next program got {sibling.verdict}: {sibling.error or sibling.tests}")
        return {
            "verdict": str(judgement.verdict),
            "level": judgement.sandbox_level,
            "detail": judgement.error or [test and test.detail for test in judgement.tests],
            "tests": [test and str(test.verdict) for test in judgement.tests],
            "left": left,
        }

    def _judge(self, order: dict[str, Any], secret: str, worker: int) -> Any:
        row = order.get("problem", {})
        source = (
            order["source"]
            .replace("@SECRET_FILE@", str(self.secret_file))
            .replace("@WORKER@", str(worker))
            .replace("@CALLER@", str(os.getpid()))
        )
        tests = row.get("tests", [{"input": "3 4\n", "output": secret + "\n"}])
        kind = Kind(row.get("kind", "assert" if "test_code" in row else "stdin"))
        problem = Problem(
            "attack",
            kind,
            () if kind is Kind.ASSERT else tuple(_test(test, secret) for test in tests),
            entry_point=row.get("entry_point"),
            test_code=row.get("test_code", "").replace("@SECRET@", secret) or None,
            test_style=row.get("test_style", "assert") if kind is Kind.ASSERT else None,
            checker=row.get("checker"),
            interactor=row.get("interactor"),
            limits=Limits(**{**LIMITS, **row.get("limits", {})}),
        )
        return self.judge.judge(Solution("attack", "attack", code=source), problem)

    def _worker(self) -> int:
        (worker,) = _children(os.getpid())
        return worker

    def _state(self) -> dict[str, Any]:
        """What must be the same before and after: nothing of an attack remains."""
        worker = self._worker()
        servers = _children(worker)
        ours = (worker, *servers)
        return {
            "processes below the fork servers": [s for s in servers if _children(s)],
            "strangers beside the fork servers": [s for s in servers if os.getsid(s) != s],
            "stopped processes": [p for p in ours if _field(p, "State:")[:1] in ("T", "t")],
            "worker's limits": Path(f"/proc/{worker}/limits").read_text(),
            "worker's affinity": _field(worker, "Cpus_allowed_list:"),
            "worker's niceness": os.getpriority(os.PRIO_PROCESS, worker),
            "threads of the worker": _field(worker, "Threads:"),
            "descriptors of the worker": _count_descriptors(worker),
            "files left": sorted(
                os.path.join(folder, name)
                for folder in _SHARED
                for name in _names(folder)
                if MARK in name
            ),
            "the secret's file": _stat(str(self.secret_file)),
            "its folder": sorted(os.listdir(self.folder.name)),
            "the interpreter": [
                _stat(path) for path in (sys.executable, os.__file__, json.__file__)
            ],
            "shared memory, queues, semaphores": [
                _rows(f"/proc/sysvipc/{kind}") for kind in ("shm", "msg", "sem")
            ],
            "keys": MARK in _text("/proc/keys"),
            "sockets": [p for p in ours if _talks(p)],
        }


def _count_descriptors(process: int) -> int:
    """How many descriptors a worker has, besides those of problems that it holds."""
    folder = f"/proc/{process}/fd"
    targets = [os.readlink(os.path.join(folder, name)) for name in os.listdir(folder)]
    return sum(not target.startswith("/memfd:tests") for target in targets)


def _test(row: dict[str, Any], secret: str) -> Test:
    row = {"output": secret, **row}
    for key in ("input", "output"):
        if f"{key}_times" in row:
            row[key] *= row[f"{key}_times"]
    return Test(row["input"], row["output"])


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def _children(pid: int) -> list[int]:
    children = []
    for task in os.listdir(f"/proc/{pid}/task"):
        children += [int(child) for child in _text(f"/proc/{pid}/task/{task}/children").split()]
    return sorted(children)


def _field(pid: int, name: str) -> str:
    for line in _text(f"/proc/{pid}/status").splitlines():
        if line.startswith(name):
            return line[len(name) :].strip()
    return ""


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _rows(path: str) -> int:
    uid = str(os.getuid())
    return sum(uid in line.split() for line in _text(path).splitlines()[1:])


def _stat(path: str) -> list[int]:
    status = os.stat(path)
    return [status.st_mode, status.st_uid, status.st_size, status.st_mtime_ns, status.st_nlink]


def _talks(pid: int) -> bool:
    """Whether the process holds a socket that is not of this machine alone (ours are pairs)."""
    try:
        links = [os.readlink(f"/proc/{pid}/fd/{n}") for n in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return False  # not dumpable: the kernel hides what a sandboxed server holds
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    # Those of a network are no others: its own tables take the kernel a hundred times as long.
    for process in ("self", pid):  # a server's sockets are of our network namespace or its own
        inodes -= {row.split()[6] for row in _text(f"/proc/{process}/net/unix").splitlines()[1:]}
    return bool(inodes)


def main() -> None:
    """Serve until standard input ends."""
    driver = Driver(int(sys.argv[1]))
    print(json.dumps({"packages": driver.packages()}), flush=True)
    for line in sys.stdin:
        try:
            answer = driver.attack(json.loads(line))
        except Exception as error:
            answer = {"verdict": "none", "left": [f"{type(error).__name__}: {error}"], "level": 0}
        print(json.dumps(answer), flush=True)
    driver.judge.close()
    driver.folder.cleanup()


if __name__ == "__main__":
    main()
