"""A compiler and what it makes run in the sandbox too, and are gone afterwards."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from microcoder_sandbox.errors import SandboxError, SandboxUnavailableError
from microcoder_sandbox.host.memory_files import sealed_memfd
from microcoder_sandbox.host.outcome import Outcome, ResourceLimits
from microcoder_sandbox.host.plan import make_plan
from microcoder_sandbox.host.programs import Binary
from microcoder_sandbox.host.requests import (
    RunRequest,
    make_binary_request,
    make_build_request,
    make_script_request,
)
from microcoder_sandbox.host.sandbox import Sandbox
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from microcoder_sandbox.wire.protocol import FILE_PATHS
from tests.delays import measured_delays

pytestmark = pytest.mark.skipif(find_toolchain() is None, reason="no g++ on this machine")
COMMAND = ["-O1", "-static", "-pipe", "-o", "program", "solution.cpp"]
BUILD = ResourceLimits(cpu_seconds=20, wall_seconds=60, memory_bytes=1 << 30, output_bytes=64 << 20)
RUN = ResourceLimits(
    cpu_seconds=1.0, wall_seconds=20.0, memory_bytes=64 << 20, output_bytes=1 << 20
)
WRITING = replace(RUN, folder_bytes=1 << 20)
SUM = (
    "#include <cstdio>\n"
    'int main() { long a, b; scanf("%ld %ld", &a, &b); printf("%ld\\n", a + b); }'
)
BOMB = (
    "template <int n> struct A { static const int v = A<n - 1>::v + A<n - 2>::v * 2; };\n"
    "template <int n, int m> struct B { static const int v ="
    " B<n - 1, m>::v + B<n - 1, m + (1 << (n - 1))>::v; };\n"
    "template <int m> struct B<0, m> { static const int v = m; };\n"
    "int main() { return B<24, 0>::v; }"
)
ALLOCATING = "#include <cstdlib>\n#include <cstring>\n#include <cstdio>\n"


def _built(sandbox: Sandbox, source: str, limits: ResourceLimits = BUILD) -> Outcome:
    return sandbox.run(make_build_request({"solution.cpp": source}, COMMAND, "program", limits))


def _make_bomb_request(limits: ResourceLimits = BUILD) -> RunRequest:
    command = [*COMMAND[:-1], "bomb.cpp"]
    return make_build_request({"bomb.cpp": BOMB}, command, "program", limits)


def _run(sandbox: Sandbox, source: str, stdin: bytes = b"") -> Outcome:
    made = _built(sandbox, source)
    assert made.status == 0, made.stderr
    binary = Binary(sealed_memfd(made.result))
    try:
        return sandbox.run(make_binary_request(binary, stdin, RUN))
    finally:
        binary.close()


def test_a_program_is_compiled_and_run(sandbox: Sandbox) -> None:
    outcome = _run(sandbox, SUM, b"3 4\n")
    assert (outcome.status, outcome.stdout) == (0, b"7\n")


@pytest.mark.slow
def test_what_does_not_compile_says_why(sandbox: Sandbox) -> None:
    made = _built(sandbox, "int main() { return x; }")
    assert made.exit_code == 1
    assert b"'x' was not declared" in made.stderr


@pytest.mark.slow
def test_files_reach_the_program_by_descriptor(sandbox: Sandbox) -> None:
    source = (
        "#include <cstdio>\nint main(int n, char **names) { for (int i = 1; i < n; i++) {"
        ' char word[9]; FILE *f = fopen(names[i], "r"); fscanf(f, "%8s", word); puts(word); } }'
    )
    made = _built(sandbox, source)
    binary = Binary(sealed_memfd(made.result))
    paths, files = (FILE_PATHS[2], *FILE_PATHS[:2]), (b"one", b"two", b"three")
    with closing(binary):
        outcome = sandbox.run(
            make_binary_request(binary, b"", RUN, arguments=paths, memory_files=files)
        )
    assert outcome.stdout == b"three\none\ntwo\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        '#include "/etc/passwd"\nint main() {}',
        '#include "/proc/self/environ"\nint main() {}',
        '__asm__(".incbin \\"/etc/hostname\\""); int main() {}',
    ],
)
def test_the_compiler_reads_nothing_of_the_machine(sandbox: Sandbox, source: str) -> None:
    made = _built(sandbox, source)
    assert made.exit_code != 0
    assert b"root:" not in made.stderr + made.result


@pytest.mark.slow
def test_a_source_that_compiles_without_end_is_stopped_with_all_its_parts(sandbox: Sandbox) -> None:
    short = ResourceLimits(
        cpu_seconds=20, wall_seconds=1.5, memory_bytes=256 << 20, output_bytes=1 << 20
    )
    made = sandbox.run(_make_bomb_request(short))
    assert made.exit_code != 0
    assert _compilers_running() == []


@pytest.mark.slow
def test_what_a_compiler_leaves_running_is_ended(sandbox: Sandbox) -> None:
    def kill_host() -> None:
        while not (compilers := _compilers_running()):
            time.sleep(0.01)
        stat = Path(f"/proc/{compilers[0]}/stat").read_bytes()
        os.kill(int(stat.rpartition(b")")[2].split()[1]), signal.SIGKILL)

    killer = threading.Thread(target=kill_host)
    killer.start()
    made = sandbox.run(_make_bomb_request())
    killer.join()
    assert made.exit_code == 128 + signal.SIGKILL
    assert _compilers_running() == []
    assert _built(sandbox, SUM).status == 0


@pytest.mark.slow
def test_an_endless_device_is_not_read(sandbox: Sandbox) -> None:
    made = _built(sandbox, '#include "/dev/zero"\nint main() {}')
    assert made.exit_code != 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    ["fork() >= 0", "execl(\"/bin/true\", \"true\", (char *)0) == 0", "socket(2, 1, 0) >= 0",
     "open(\"/etc/passwd\", 0) >= 0", "open(\"/tmp/microcoder-attack\", 65, 511) >= 0",
     "kill(getppid(), 0) == 0", "syscall(322, 300, \"\", 0, 0, 4096) == 0",
     "syscall(322, 0, \"\", 0, 0, 4096) == 0"],
)  # fmt: skip
def test_a_compiled_program_finds_no_way_out(sandbox: Sandbox, call: str) -> None:
    source = (
        "#include <unistd.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n"
        "#include <sys/socket.h>\n#include <sys/syscall.h>\n"
        f'int main() {{ puts({call} ? "out" : "held"); }}'
    )
    assert _run(sandbox, source).stdout == b"held\n"


@pytest.mark.slow
@pytest.mark.timed
def test_limits_hold_for_a_compiled_program(sandbox: Sandbox) -> None:
    with measured_delays() as delays:
        spin = _run(sandbox, "int main() { for (volatile int i = 0;; i++) {} }")
    assert spin.killed == "cpu"
    assert RUN.cpu_seconds <= spin.cpu_s < RUN.cpu_seconds + 0.2 + delays.seconds
    loop = "for (int i = 0; i < 1 << 20; i += 512) p[i] = 1;"
    grow = f"for (;;) {{ volatile char *p = (char *)malloc(1 << 20); {loop} }}"
    big = _run(sandbox, f"{ALLOCATING}int main() {{ {grow} }}")
    assert big.killed == "memory" or big.peak_memory > RUN.memory_bytes


@pytest.mark.slow
def test_memory_of_a_compiled_program_is_its_own(sandbox: Sandbox) -> None:
    source = (
        f"{ALLOCATING}int main() {{ volatile char *p = (char *)malloc(50 << 20);"
        ' for (int i = 0; i < 50 << 20; i += 512) p[i] = 1; puts(p[512] ? "y" : "n"); }'
    )
    assert 50 << 20 <= _run(sandbox, source).peak_memory < 53 << 20


CLOSER = (
    "import os\nprint(len(os.listdir('.')))\nos.makedirs('d/e')\nopen('d/e/f', 'w')\n"
    "os.mkdir('closed', 0)\nos.umask(0o777)\nos.mkdir('d/e/closed')\nopen('d/g', 'w')"
)
WRITER = (
    "import os\nprint(sorted(os.listdir('.')))\nopen('a', 'w').write('x' * 1000)\n"
    "os.mkdir('d')\nopen('d/b', 'w')\nprint(len(open('a').read()))\nprint(os.getcwd())"
)


def test_a_folder_to_write_to_is_empty_for_each_run_and_gone_afterwards(
    sandbox: Sandbox,
) -> None:
    program = sandbox.prepare_program(WRITER.encode())
    try:
        for _ in range(2):
            outcome = sandbox.run(make_script_request(program, b"", WRITING))
            found, length, folder = outcome.stdout.decode().split()
            assert (found, length) == ("[]", "1000"), outcome.stderr
            assert not Path(folder).exists() or list(Path(folder).iterdir()) == []
    finally:
        program.close()


def test_a_folder_is_emptied_of_what_was_closed_to_us(sandbox: Sandbox) -> None:
    program = sandbox.prepare_program(CLOSER.encode())
    try:
        for _ in range(2):
            assert sandbox.run(make_script_request(program, b"", WRITING)).stdout == b"0\n"
    finally:
        program.close()


def test_a_program_with_a_folder_changes_no_modes(sandbox: Sandbox) -> None:
    program = sandbox.prepare_program(b"import os\nopen('a', 'w')\nos.chmod('a', 0o777)")
    outcome = sandbox.run(make_script_request(program, b"", WRITING))
    program.close()
    assert b"PermissionError" in outcome.stderr


def test_a_folder_holds_no_more_than_it_was_given(sandbox: Sandbox) -> None:
    source = (
        "import time\nfile = open('a', 'wb', buffering=0)\n"
        "for _ in range(400): file.write(bytes(10_000))\ntime.sleep(0.2)\nprint('all of it')"
    )
    program = sandbox.prepare_program(source.encode())
    outcome = sandbox.run(make_script_request(program, b"", WRITING))
    program.close()
    assert outcome.stdout == b""
    assert outcome.status != 0


def test_a_disk_too_full_for_the_folder_is_no_failure_of_the_program(sandbox: Sandbox) -> None:
    program = sandbox.prepare_program(b"print(1)")
    if sandbox.run(make_script_request(program, b"", RUN)) and sandbox.level == 4:
        pytest.skip("a file system in memory: no disk")
    with pytest.raises(SandboxError, match=r"free some space there"):
        sandbox.run(make_script_request(program, b"", replace(RUN, folder_bytes=1 << 60)))
    program.close()


def test_without_a_folder_nothing_can_be_written(sandbox: Sandbox) -> None:
    program = sandbox.prepare_program(b"open('a', 'w')")
    outcome = sandbox.run(make_script_request(program, b"", RUN))
    program.close()
    assert b"PermissionError" in outcome.stderr or b"Read-only" in outcome.stderr


@pytest.mark.slow
def test_building_needs_landlock() -> None:
    plan = make_plan(min_level=2, max_level=2)
    with Sandbox(plan) as low, pytest.raises(SandboxUnavailableError, match="level 3"):
        _built(low, SUM)


def _compilers_running() -> list[int]:
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                command = Path(f"/proc/{entry}/cmdline").read_bytes()
            except OSError:
                continue
            if b"cc1plus" in command and b"bomb.cpp" in command:
                found.append(int(entry))
    return found
