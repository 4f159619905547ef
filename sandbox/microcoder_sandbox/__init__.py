"""The sandbox: runs one program under limits and reports what happened.

It deals with bytes, limits and exit statuses; it knows no tests and no verdicts. This module lists
the public names, which are all that other packages may import. A name is loaded when it is first
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

_DEFINED_IN = {  # module: its public names; its own name, if it is public itself
    "errors": "Interrupted SandboxError SandboxUnavailableError ServerStartError",
    "host.fork_server": "START_ATTEMPTS ServerProcess compute_level spawn_server_process",
    "host.interaction": "IDLE_SECONDS Interaction",
    "host.outcome": "CONTENDED_SHARE SETUP_STEPS Killed Outcome Phase ResourceLimits",
    "host.plan": "Plan make_plan",
    "host.profiles": "LEAN",
    "host.memory_files": "seal_memfd make_sealed_memfd",
    "host.programs": "Binary Program find_imports",
    "host.requests": (
        "RunRequest ServerKey make_binary_request make_build_request make_call_request "
        "make_pair_requests make_dry_run_request make_script_request"
    ),
    "host.sandbox": "Sandbox",
    "host.scratch": "remove_abandoned_folders",
    "host.session": "BatchSession",
    "host.visible_paths": "locate_packages",
    "kernel.landlock": "landlock",
    "kernel.syscalls": "die_with_parent",
    "test_code.source_analysis": "source_analysis",
    "test_code.test_names": "test_names",
    "toolchains.compiler_messages": "find_reason",
    "toolchains.prepared": "PREPARED PreparedStore Recipe make_private_folder",
    "toolchains.toolchain": "TOOLCHAINS Runtime find_toolchain how_to_install require_toolchain",
    "wire.call_job": "CallJob",
    "wire.codec": "codec",
    "wire.light_record": "LightRecord",
    "wire.light_json": "light_json",
    "wire.program_names": "program_names",
    "wire.protocol": "FEEDBACK_FILES FOLDER_BYTES decode_files protocol",
    "wire.runner_messages": "RunnerJob RunnerReport",
    "frozen_records": "record",
}
_MODULES_BY_NAME = {name: module for module, names in _DEFINED_IN.items() for name in names.split()}


def __getattr__(name: str) -> object:
    from importlib import import_module

    path = _MODULES_BY_NAME.get(name)
    if path is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{path}")
    value: object = module if path.endswith(f".{name}") else getattr(module, name)
    globals()[name] = value
    return value
