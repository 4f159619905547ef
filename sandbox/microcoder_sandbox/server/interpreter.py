"""Prepares the fork server's interpreter: its children have what a new interpreter has."""

from __future__ import annotations

import _thread
import os
import resource
import sys
from collections.abc import Callable

from microcoder_sandbox.guest import loading, setup
from microcoder_sandbox.wire.protocol import ServerConfig

_FILE_BYTES = 1 << 26  # the largest file that a program may write, unless its folder is larger
# The main thread's stack may grow to 1 GiB, and the C library would reserve as much for each
# thread: two would not fit into a program's address space. A program may set another size.
_THREAD_STACK_BYTES = 16 << 20


class PackageFinder:
    """Finds the packages that the host named, and no others."""

    def __init__(self, locations: dict[str, str]) -> None:
        self._locations = locations

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Return the spec of a package, for the import system (importlib.abc.MetaPathFinder)."""
        location = self._locations.get(name)
        if location is None:
            return None
        from importlib.util import spec_from_file_location

        if os.path.isdir(location):
            init = os.path.join(location, "__init__.py")
            return spec_from_file_location(name, init, submodule_search_locations=[location])
        return spec_from_file_location(name, location)


def prepare_interpreter(config: ServerConfig) -> None:
    """Give programs what a new interpreter has, and the modules of this server's profile."""
    import _sitebuiltins
    import builtins

    sys.path[:] = config.path
    sys.meta_path.insert(0, PackageFinder(config.packages))  # type: ignore[arg-type]
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    builtins.help = _sitebuiltins._Helper()
    sys.set_int_max_str_digits(0)
    _thread.stack_size(_THREAD_STACK_BYTES)
    sys.dont_write_bytecode = True
    for name in config.preload:
        __import__(name)
    if config.calls_functions:
        from microcoder_sandbox.guest import calling

        calling.fill_program_names()
    _place_standard_streams()
    if "rlimits" in config.without:
        return
    _lower_limit(resource.RLIMIT_CORE, 0)
    _lower_limit(resource.RLIMIT_FSIZE, max(_FILE_BYTES, config.folder_bytes))
    _lower_limit(resource.RLIMIT_NOFILE, setup.MAX_OPEN_FILES)
    _lower_limit(resource.RLIMIT_MEMLOCK, 0)
    _lower_limit(resource.RLIMIT_MSGQUEUE, 0)


def _lower_limit(resource_id: int, value: int) -> None:
    _soft, hard = resource.getrlimit(resource_id)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(resource_id, (value, value))


def _place_standard_streams() -> None:
    # A file and two pipes, as in a child: the stream objects remember whether they can seek.
    stdin_fd = os.memfd_create("stdin")
    _reader, writer = os.pipe()
    os.dup2(stdin_fd, 0)
    os.dup2(writer, 1)
    os.dup2(writer, 2)
    for number in range(3):
        loading.open_stream(number)


def find_reseed() -> Callable[[], object] | None:
    """Return the function that seeds numpy's generator, which does not notice a fork (random's
    does). None if it is not loaded."""
    numpy_random = sys.modules.get("numpy.random")
    return None if numpy_random is None else numpy_random.seed
