"""The sandbox: runs one program under limits and reports what happened.

It deals with bytes, limits and exit statuses; it knows no tests and no verdicts. This module lists
the public names, which are all that other packages may import. A name is imported when it is first
used (PEP 562): the fork server imports this package too, and each of its children would copy the
memory pages of everything that is loaded.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .errors import Interrupted, SandboxError, SandboxUnavailableError, ServerStartError
    from .frozen_records import record
    from .host.fork_server import (
        START_ATTEMPTS,
        ServerProcess,
        compute_level,
        spawn_server_process,
    )
    from .host.interaction import IDLE_SECONDS, Interaction
    from .host.memory_files import make_sealed_memfd, seal_memfd
    from .host.outcome import CONTENDED_SHARE, SETUP_STEPS, Killed, Outcome, Phase, ResourceLimits
    from .host.plan import Plan, make_plan
    from .host.profiles import LEAN
    from .host.programs import Binary, Program, find_imports
    from .host.requests import (
        RunRequest,
        ServerKey,
        make_binary_request,
        make_build_request,
        make_call_request,
        make_dry_run_request,
        make_pair_requests,
        make_script_request,
    )
    from .host.sandbox import Sandbox
    from .host.scratch import remove_abandoned_folders
    from .host.session import BatchSession
    from .host.visible_paths import locate_packages
    from .kernel import landlock
    from .kernel.syscalls import die_with_parent
    from .test_code import source_analysis, test_names
    from .toolchains.compiler_messages import find_reason
    from .toolchains.prepared import (
        PREPARED,
        PreparedStore,
        Recipe,
        make_private_folder,
    )
    from .toolchains.toolchain import (
        TOOLCHAINS,
        Runtime,
        find_toolchain,
        how_to_install,
        require_toolchain,
    )
    from .wire import codec, light_json, program_names, protocol
    from .wire.call_job import CallJob
    from .wire.light_record import LightRecord
    from .wire.protocol import FEEDBACK_FILES, FOLDER_BYTES, decode_files
    from .wire.runner_messages import RunnerJob, RunnerReport


def _list_modules() -> dict[str, str]:
    """Return the module of each public name, as the imports above say, which only type checkers
    make."""
    import re

    with open(__file__, encoding="utf-8") as file:
        imports = re.findall(
            r"^    from \.(\S+) import (\([^()]+\)|.+)$", file.read(), re.MULTILINE
        )
    return {name: module for module, names in imports for name in re.findall(r"\w+", names)}


def __getattr__(name: str) -> object:
    if not _modules:
        _modules.update(_list_modules())
    if name not in _modules:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(__import__(_modules[name], globals(), None, [name], 1), name)
    globals()[name] = value
    return value


_modules: dict[str, str] = {}  # by the names that they define, read when one is first used
