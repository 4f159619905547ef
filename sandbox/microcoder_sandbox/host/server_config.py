"""The configuration of a fork server: paths, filters and the user that fit its profile."""

from __future__ import annotations

import os

from microcoder_sandbox.kernel import bpf, landlock, policy, syscalls
from microcoder_sandbox.toolchains import gcc
from microcoder_sandbox.toolchains.toolchain import require_toolchain
from microcoder_sandbox.wire.protocol import ServerConfig

from . import profiles, visible_paths
from .plan import Plan
from .requests import ServerKey


def make_server_config(plan: Plan, key: ServerKey, uid: int | None = None) -> ServerConfig:
    """Return the configuration of one fork server of this process.

    uid: the user to become, where that user can read the toolchain that the server's programs need.
    Raises SandboxUnavailableError without the key's toolchain.
    """
    profile, toolchain = profiles.PROFILES[key.profile], key.toolchain
    abi = landlock.get_abi_version() if has_landlock(plan) else 0
    readable, executable = _list_accessible_paths(plan, profile, toolchain)
    if toolchain and uid is not None:
        is_readable = visible_paths.are_readable_by_others([*readable, *executable])
        uid = uid if is_readable else None
    # A separate user matters more than prepared files. What that user cannot read is left out.
    if key.prepared and (uid is None or visible_paths.are_readable_by_others([key.prepared])):
        readable.append(key.prepared)
    has_folder = key.folder_bytes > 0
    return ServerConfig(
        path=list(plan.module_path),
        packages=dict(plan.packages),
        preload=profile.preload.split(),
        calls_functions=profile.calls_functions,
        readable=readable,
        executable=executable,
        mounts=visible_paths.extend_mounts(plan.mounts, [*readable, *executable]),
        uid=uid,
        without=list(plan.without),
        folder="",  # ForkServers sets it if it makes one
        folder_bytes=key.folder_bytes,
        server_filter=bpf.build_server_filter(
            syscalls.MACHINE, profile.role, bpf.build_file_rules(abi), files=has_folder
        ),
        program_filter=bpf.build_program_filter(syscalls.MACHINE, profile.role, files=has_folder),
        host_pid=os.getpid(),
    )


def has_landlock(plan: Plan) -> bool:
    """Whether Landlock is in this kernel and not left out on purpose."""
    return "landlock" not in plan.without and landlock.get_abi_version() > 0


def _list_accessible_paths(
    plan: Plan, profile: profiles.ServerProfile, toolchain: str
) -> tuple[list[str], list[str]]:
    """Return what a server's programs may read, and what they may start."""
    if not toolchain:
        executable = list(gcc.find_loaders()) if profile.role == policy.NATIVE else []
        return list(plan.readable), executable
    tools = require_toolchain(toolchain)
    if profile.role == policy.RUNTIME:
        return [*plan.readable, *tools.runtime_paths], [tools.runtime, *gcc.find_loaders()]
    # No endless device: source code can tell a compiler to read any file (#include).
    paths = [
        path for path in (*plan.readable, *tools.readable) if path not in visible_paths.DEVICES_READ
    ]
    return paths, list(tools.executable)
