"""Warm-up: the fork server runs nine times what a child runs before and after its program.

CPython makes code faster as it runs: it rewrites instructions, and remembers where it found
attributes. Without a warm-up each child would repeat this, in memory pages that it must copy. The
server does it once, before it forks.
"""

from __future__ import annotations

import gc
import mmap
import os
import sys
from collections.abc import Callable

from microcoder_sandbox.guest import loading, setup
from microcoder_sandbox.guest.batch import ExecutionPlan
from microcoder_sandbox.kernel import seccomp, syscalls
from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.protocol import Descriptors, Request

PrepareChild = Callable[[Request, setup.ChildContext, list[setup.Step], int], ExecutionPlan]

_ROUNDS = 9  # a function is rewritten at its eighth call
_ENDING = ("threading", "atexit")
_SCRIPT = b"""\
import sys

def main():
    words = sys.stdin.read().split()
    print(sum(map(int, words)))

main()
"""
_CALL = b"""\
class Solution:
    def add(self, values):
        return sum(values)
"""
_JOB = b'["Solution.add",true,[[1,2]],{}]'  # a CallJob


def warm_up_batches(prepare_child: PrepareChild, *, calls: bool) -> None:
    """Run small programs as children of a batch do, without giving up any right.

    The standard streams must be those of a server. calls: whether to call functions, too.
    """
    main_module, arguments = sys.modules["__main__"], sys.argv
    # Hide modules that the end of a child would shut down.
    hidden = {name: sys.modules.pop(name) for name in _ENDING if name in sys.modules}
    go_reader, go_writer = os.pipe()
    done_reader, done_writer = os.pipe()
    job, result = os.memfd_create("job"), os.memfd_create("result")
    os.write(job, _JOB)
    os.dup2(go_reader, setup.GO)
    os.dup2(done_writer, setup.DONE)
    os.dup2(job, setup.JOB)
    gc.freeze()  # a child collects garbage, and finds the server's objects frozen
    for _ in range(_ROUNDS):
        os.write(go_writer, protocol.NEXT_TEST * 2)
        _run_test(prepare_child, protocol.SCRIPT, _SCRIPT, result)
        if calls:
            os.write(go_writer, protocol.NEXT_TEST * 2)
            _run_test(prepare_child, protocol.CALL, _CALL, result)
    gc.unfreeze()
    for descriptor in (go_reader, go_writer, done_reader, done_writer, job, result):
        os.close(descriptor)
    os.closerange(setup.GO, setup.JOB + 1)
    sys.modules.update(hidden, __main__=main_module)
    sys.argv = arguments
    sys.modules.pop("solution", None)
    for number in range(3):  # the programs have used the streams
        loading.open_stream(number)


def _run_test(prepare_child: PrepareChild, mode: int, source: bytes, result: int) -> None:
    context = setup.ChildContext(
        address_space=0,
        domain=None,
        system_calls=None,
        setup_notes=mmap.mmap(-1, mmap.PAGESIZE),
        run_notes=mmap.mmap(-1, mmap.PAGESIZE),
        reseed=None,
        rlimits=False,
    )
    steps: list[setup.Step] = [
        (protocol.PLACING_STREAMS, os.dup2, (0, 0)),
        (protocol.ENTERING_LANDLOCK, syscalls.PreparedCall("getpid").make, ()),
        (protocol.CLOSING_FILES, os.closerange, (setup.LAST_DESCRIPTOR, setup.LAST_DESCRIPTOR)),
        (protocol.LOADING_FILTER, seccomp.Filter(bytes(8), (0,), "getpid").load, ()),
    ]
    code_fd = os.memfd_create("code")
    os.write(code_fd, source)
    descriptors = Descriptors(0, 1, 2, code=code_fd, result=result)
    request = Request(mode, protocol.BATCHED, 0, 0, descriptors)
    code, namespace, finish = prepare_child(request, context, steps, 1)
    gc.disable()
    exec(code, namespace)
    finish([])
    context.run_notes.close()
