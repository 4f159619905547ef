"""What a program uses is measured from outside, and what it may use is enforced from outside."""

from __future__ import annotations

import pytest

from microcoder_sandbox.host.outcome import Killed, Phase, ResourceLimits
from tests.delays import measured_delays
from tests.files import read_table
from tests.sandbox.conftest import Runner

TABLE = read_table(__file__)
LIMITS = ResourceLimits(1.0, 20.0, 256 << 20, 1 << 20)


@pytest.mark.slow
@pytest.mark.timed
def test_an_endless_loop_is_killed_at_its_cpu_limit(run: Runner) -> None:
    with measured_delays() as delays:
        outcome = run("while True: pass", limits=LIMITS)
    assert outcome.killed is Killed.CPU
    assert LIMITS.cpu_seconds <= outcome.cpu_s <= LIMITS.cpu_seconds + 0.1 + delays.seconds


def test_a_flood_of_threads_is_stopped_before_the_machine_has_none_left(run: Runner) -> None:
    outcome = run(TABLE["a flood of threads"])
    assert outcome.killed is Killed.THREADS
    # Where other programs keep the cores busy, the supervisor looks late.
    assert int(outcome.stdout.split()[-2]) < 16_000, "of 32,768 process numbers"


def test_two_hundred_threads_are_nothing_unusual(run: Runner) -> None:
    assert run(TABLE["two hundred threads"]).stdout == b"done\n"


def test_memory_is_seen_when_the_main_thread_has_ended(run: Runner) -> None:
    source = TABLE["a thread that grows"]
    # Ten seconds: a busy machine needs one to clear the pages.
    limits = ResourceLimits(10.0, 20.0, LIMITS.memory_bytes, LIMITS.output_bytes)
    outcome = run(source, limits=limits)
    assert outcome.killed is Killed.MEMORY, outcome
    assert outcome.peak_memory < 600 << 20


@pytest.mark.parametrize(
    "source",
    [
        "x = bytearray(10**11)",
        "import mmap\nm = mmap.mmap(-1, 4 << 30)",
        "import zlib\nzlib.decompress(zlib.compress(bytes(1 << 27)) , bufsize=10**11)",
        "import numpy\nnumpy.ones(10**11)",
    ],
)
def test_memory_refused_by_the_kernel_is_reported_as_memory(run: Runner, source: str) -> None:
    outcome = run(source)
    assert outcome.exit_code == 1
    assert outcome.refused_memory


def test_no_memory_stays_taken_outside_the_figures(run: Runner) -> None:
    # Shared memory without a file does: 1 GiB of it was held at a peak of 9 MiB.
    assert run(TABLE["shared memory"]).stdout == b"12\n12\n"
    outcome = run("import mmap\nmmap.mmap(open('/dev/zero', 'rb').fileno(), 1 << 20, prot=1)")
    assert outcome.exit_code == 1, outcome


def test_endless_output_is_killed_and_kept_within_its_cap(run: Runner) -> None:
    outcome = run("while True: print('x' * 1000)")
    assert outcome.killed is Killed.OUTPUT
    assert len(outcome.stdout) <= LIMITS.output_bytes + (1 << 16)


def test_a_flood_on_standard_error_blocks_nothing(run: Runner) -> None:
    outcome = run("import sys\nfor _ in range(10**5): sys.stderr.write('e' * 100)\nprint('done')")
    assert outcome.stdout == b"done\n"
    assert len(outcome.stderr) <= 3 * (1 << 16)


def test_deep_recursion_through_c_has_a_stack_to_grow_on(run: Runner) -> None:
    assert run(TABLE["deep recursion through C"]).stdout == b"100000\n"


@pytest.mark.parametrize("source", ["(" * 5000 + ")" * 5000, "x = 1\x00", "def f(:", "\xff\xfe"])
def test_what_does_not_compile_kills_nobody(run: Runner, source: str) -> None:
    assert run(source.encode("latin-1")).phase is Phase.COMPILE_FAILED


@pytest.mark.parametrize(("source", "code"), TABLE["ends"])
def test_exit_codes_are_those_of_a_cold_interpreter(run: Runner, source: str, code: int) -> None:
    assert run(source).exit_code == code


def test_a_tiny_recursion_limit_of_the_program_s_own_does_not_spoil_its_end(run: Runner) -> None:
    outcome = run("import sys\nsys.setrecursionlimit(6)\nprint('whole')")
    assert (outcome.exit_code, outcome.stdout) == (0, b"whole\n")


@pytest.mark.parametrize("name", ["VmHWM:1kB", "VmHWM:zz", "VmHWM:\n1 kB", "\nVmHWM: 9kB"])
@pytest.mark.slow
def test_a_program_that_names_itself_like_a_figure_hides_nothing(run: Runner, name: str) -> None:
    source = (
        f"import ctypes\nctypes.CDLL(None).prctl(15, {name.encode()!r}, 0, 0, 0)\n"
        "x = []\nwhile True: x.append(bytearray(1 << 20))"
    )
    outcome = run(source)
    assert outcome.killed is Killed.MEMORY or outcome.refused_memory, outcome
