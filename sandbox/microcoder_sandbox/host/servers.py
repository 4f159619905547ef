"""The fork servers of one worker: one for each key, started when first needed."""

from __future__ import annotations

import os
from collections.abc import Callable

from microcoder_sandbox.errors import SandboxError, SandboxUnavailableError, ServerLostError
from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.protocol import ABSENT, HELD

from .child import Child
from .child_process import ChildProcess
from .compiler_tree import CompilerTree, reap_strays
from .fork_server import ForkServer, ServerProcess, start_fork_server
from .memory_files import make_sealed_memfd, reopen_memfd
from .plan import Plan
from .requests import RunRequest, ServerKey
from .scratch import ScratchFolder
from .server_config import has_landlock, make_server_config

_FIRST_UID, _UIDS = 60_000, 5000  # users that no account has
# How many servers with a folder or a hash seed of their own are kept. Profiles are few, but
# each problem may need another folder size, and a server's folder has a fixed size. An interaction
# needs two at a time.
SPECIAL_SERVERS = 4


class ForkServers:
    """Starts servers and children on them. level, layers: what the newest server has reached.

    number: this worker's index. With plan.drop_uid the user of its programs follows from it, so
    that workers do not share one. server_process: that of the first server, if it was started
    before.
    """

    def __init__(self, plan: Plan, number: int, server_process: ServerProcess | None) -> None:
        self.plan = plan
        self.level = 0
        self.layers: dict[str, str] = {}
        self.has_own_uid = plan.drop_uid
        self._uid = _FIRST_UID + number % _UIDS if plan.drop_uid else None
        self._server_process = server_process
        self._servers: dict[ServerKey, ForkServer] = {}  # in the order of their last use
        self._folders: dict[ServerKey, ScratchFolder] = {}
        self._empty_input = make_sealed_memfd(b"")

    def close(self) -> None:
        """Kill all servers, and with them everything they run. New ones start when needed."""
        for key in list(self._servers):
            self.kill(key)

    def start_child(
        self, request: RunRequest, *, stdin: int = ABSENT, stdout: int = ABSENT
    ) -> Child:
        """Start a child of the request's server. The caller passes it to ``end_child``.

        stdin, stdout: pipe ends, in place of the memory file of the request and of a pipe that is
        read here. Raises ServerLostError, SandboxUnavailableError.
        """
        server = self.get_or_start(request.key)
        is_build = request.mode == protocol.BUILD
        process = CompilerTree(server) if is_build else ChildProcess()
        folder = self._folders.get(request.key)
        input_fd = ABSENT
        if stdin == ABSENT:
            given_fd = request.descriptors.stdin
            stdin = input_fd = reopen_memfd(given_fd if given_fd >= 0 else self._empty_input)
        try:
            return Child(
                server, request, stdin=stdin, stdout=stdout, process=process, folder=folder
            )
        except ServerLostError:
            self.kill(request.key)
            raise
        finally:
            if input_fd >= 0:
                os.close(input_fd)

    def end_child(self, child: Child) -> None:
        """Close a child's descriptors. Kill its server too if it has not ended, or if it is a
        compiler whose server cannot end all that it started (``server.main.kill_others``)."""
        has_strays = isinstance(child.process, CompilerTree)
        if not child.done or (has_strays and child.server.layers["namespaces"] != HELD):
            self.kill(child.key)
        child.close()

    def get_or_start(
        self, key: ServerKey, while_starting: Callable[[], object] | None = None
    ) -> ForkServer:
        """Return the server of that key; start it if needed. while_starting: called while it
        starts. Raises SandboxError if the disk is too full for its folder."""
        server = self._servers.pop(key, None)
        if server is None:
            self._evict_special_servers(key)
            server = self._start_server(key, while_starting)
        self._servers[key] = server
        if key in self._folders:
            self._folders[key].check_space()
        return server

    def kill(self, key: ServerKey) -> None:
        """Kill a server, if it is there, and all that it has started; the next use starts a new
        one."""
        server = self._servers.pop(key, None)
        if server is not None:
            server.close()
            reap_strays(server.session_id)
        folder = self._folders.pop(key, None)
        if folder is not None:
            folder.remove()

    def _evict_special_servers(self, key: ServerKey) -> None:
        """Make room for a special server: drop those that have been unused for longest."""
        if not _is_special(key):
            return
        special_keys = list(filter(_is_special, self._servers))
        while len(special_keys) >= SPECIAL_SERVERS:
            self.kill(special_keys.pop(0))

    def _start_server(
        self, key: ServerKey, while_starting: Callable[[], object] | None
    ) -> ForkServer:
        config = make_server_config(self.plan, key, self._uid)
        folder = self._make_folder(config.uid) if key.folder_bytes else None
        if folder is not None:
            self._folders[key] = folder
            config = config._replace(folder=folder.path)
        try:
            process = None
            if not key.hash_seed:
                process, self._server_process = self._server_process, None
            server = start_fork_server(config, while_starting, process, key.hash_seed)
            self._require_level(server)
        except BaseException:
            self.kill(key)
            raise
        if folder is not None and server.layers["namespaces"] != HELD:
            folder.limit = key.folder_bytes  # no file system bounds it there
        self.level, self.layers = server.level, server.layers
        return server

    def _require_level(self, server: ForkServer) -> None:
        """Close the server and raise SandboxUnavailableError where its level is too low."""
        if server.level < self.plan.min_level:
            server.close()
            missing_layers = "; ".join(f"{k}: {v}" for k, v in server.layers.items() if v != HELD)
            raise SandboxUnavailableError(
                f"isolation level {server.level} reached, {self.plan.min_level} asked for "
                f"({missing_layers}). `microcoder-eval doctor` says how to get the missing layers"
            )

    def _make_folder(self, uid: int | None) -> ScratchFolder | None:
        """Make a folder that programs may write to; None where they have a root of their own."""
        if not has_landlock(self.plan):
            raise SandboxUnavailableError("a folder to write to needs Landlock (level 3)")
        if self.layers.get("namespaces") == HELD:
            return None
        try:
            return ScratchFolder(uid)
        except OSError as error:
            raise SandboxError(f"no folder for programs to write to: {error}") from error


def _is_special(key: ServerKey) -> bool:
    return key.folder_bytes > 0 or key.hash_seed != 0
