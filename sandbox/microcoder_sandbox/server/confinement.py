"""Confines the fork server: namespaces, another user, Landlock and seccomp, each if it can be had.

All of it holds for the server's children, too.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable

from microcoder_sandbox.kernel import landlock, namespaces, seccomp, syscalls
from microcoder_sandbox.wire.protocol import HELD, NOT_REQUESTED, ServerConfig


def raise_oom_score() -> None:
    """Make the kernel's OOM killer choose a judged program, not a trainer or a worker of ours
    (proc(5), oom_score_adj). Children inherit it."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass  # a kernel or a container without it


def enter_namespaces(config: ServerConfig) -> dict[str, str]:
    """Become another user and enter namespaces, as configured. Returns the state of the layers."""
    layers: dict[str, str] = {}
    if config.uid is not None:
        hold_layer("uid", layers, config, become_user, config.uid)
    if hold_layer("namespaces", layers, config, namespaces.enter_new_namespaces):
        become_first_process()
        hold_layer("namespaces", layers, config, namespaces.replace_root, config.mounts)
    return layers


def hold_layer(
    name: str,
    layers: dict[str, str],
    config: ServerConfig,
    enter: Callable[..., object],
    *arguments: object,
) -> bool:
    """Enter a layer unless it is left out, record its state, and return whether it holds."""
    if name in config.without:
        layers[name] = NOT_REQUESTED
        return False
    try:
        enter(*arguments)
    except OSError as error:
        layers[name] = str(error)
        return False
    layers[name] = HELD
    return True


def become_user(uid: int) -> None:
    """Become a user that owns nothing. Raises OSError."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)  # or we may not write our own uid_map


def become_first_process() -> None:
    """Fork into the new pid namespace. The outer process ends; the host adopts the inner one."""
    outer_pidfd = os.pidfd_open(os.getpid())
    if os.fork():
        os._exit(0)
    # The pidfd is readable when the outer process is a zombie (pidfd_open(2)). The host is our
    # parent by then; before, the outer process is, and PR_SET_PDEATHSIG would end us with it.
    poller = select.poll()
    poller.register(outer_pidfd, select.POLLIN)
    poller.poll()
    os.close(outer_pidfd)
    syscalls.die_with_parent(parent_alive=True)


def enter_folder(config: ServerConfig, layers: dict[str, str]) -> str | None:
    """Make the folder where programs may write the working folder, and return it, None if there is
    none. It is in memory; without a root of our own, the host has made it on disk."""
    if not config.folder_bytes:
        return None
    folder = config.folder
    if layers["namespaces"] == HELD:
        folder = namespaces.SCRATCH_FOLDER
        namespaces.mount_scratch_folder(config.folder_bytes)
    os.chdir(folder)
    return folder


def confine_server(
    config: ServerConfig, layers: dict[str, str], folder: str | None
) -> tuple[syscalls.PreparedCall | None, seccomp.Filter | None]:
    """Drop capabilities, enter Landlock and seccomp, for the server and all its children.

    Adds the state of each layer to ``layers``. Returns the domain and the filter that each child
    adds, None for a layer that does not hold.
    """
    domain: syscalls.PreparedCall | None = None
    hold_layer("capabilities", layers, config, syscalls.drop_capabilities)
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
    syscalls.die_with_parent(parent_alive=True)  # the credentials have changed for the last time
    if "landlock" in config.without:
        layers["landlock"] = NOT_REQUESTED
    elif landlock.get_abi_version():
        readable = list_granted_paths(config, has_own_root=layers["namespaces"] == HELD)
        landlock.enter(
            landlock.create_file_ruleset(readable, config.path, config.executable, folder)
        )
        domain = landlock.prepare_domain()
        layers["landlock"] = HELD
    else:
        layers["landlock"] = "not in this kernel"
    system_calls = seccomp.Filter(*config.program_filter)
    is_filtered = hold_layer("seccomp", layers, config, seccomp.Filter(config.server_filter).load)
    return domain, system_calls if is_filtered else None


def list_granted_paths(config: ServerConfig, has_own_root: bool) -> list[str]:
    """Return what Landlock lets programs read: the readable paths one by one.

    A root of their own holds nothing else, so there a mounted folder replaces the paths inside it.
    A short list is cheaper, because the kernel copies it for each child.
    """
    if not has_own_root:
        return config.readable
    folders = [path for action, path in config.mounts if action == "show" and os.path.isdir(path)]
    inner_paths = {
        path for path in config.readable for folder in folders if path.startswith(f"{folder}/")
    }
    return [*folders, *(path for path in config.readable if path not in inner_paths)]
