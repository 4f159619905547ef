"""How many cores a CPU quota leaves, wherever in the tree of cgroups it is set."""

from __future__ import annotations

import os

import pytest

from microcoder_eval.pool import cores

V1, V2 = "/sys/fs/cgroup/cpu", "/sys/fs/cgroup"


@pytest.mark.parametrize(
    ("groups", "files", "expected"),
    [
        ("0::/", {}, 8),
        ("0::/", {f"{V2}/cpu.max": "max 100000"}, 8),
        ("0::/", {f"{V2}/cpu.max": "250000 100000"}, 2),
        ("0::/", {f"{V2}/cpu.max": "50000 100000"}, 1),
        ("0::/jobs/7", {f"{V2}/jobs/7/cpu.max": "300000 100000"}, 3),
        ("0::/jobs/7", {f"{V2}/jobs/7/cpu.max": "max 1", f"{V2}/jobs/cpu.max": "400000 100000"}, 4),
        ("0::/of/the/host", {f"{V2}/cpu.max": "500000 100000"}, 5),
        ("3:cpu,cpuacct:/a",
         {f"{V1}/a/cpu.cfs_quota_us": "60\n", f"{V1}/a/cpu.cfs_period_us": "10\n"}, 6),
        ("3:cpu:/", {f"{V1}/cpu.cfs_quota_us": "-1\n", f"{V1}/cpu.cfs_period_us": "10\n"}, 8),
        ("3:cpuset:/", {f"{V1}/cpu.cfs_quota_us": "10", f"{V1}/cpu.cfs_period_us": "10"}, 8),
    ],
)  # fmt: skip
def test_the_smallest_quota_above_a_process_counts(
    monkeypatch: pytest.MonkeyPatch, groups: str, files: dict[str, str], expected: int
) -> None:
    files = {"/proc/self/cgroup": f"{groups}\n", **files}
    monkeypatch.setattr(cores, "_read_text", lambda path: files.get(path, ""))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)))
    assert cores.usable_cores() == expected
