"""Numbers, constants and layouts that the sandbox writes out are those of the C headers.

A C compiler for each architecture checks them as static assertions, so nothing is run.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import pytest

from microcoder_sandbox.kernel import bpf, landlock, namespaces, policy, seccomp, syscalls
from microcoder_sandbox.kernel.syscall_numbers import AUDIT_ARCH, TABLES

COMPILERS = {"x86_64": "x86_64-linux-gnu-gcc", "aarch64": "aarch64-linux-gnu-gcc"}
HEADERS = """
#define _GNU_SOURCE
#include <stddef.h>
#include <fcntl.h>
#include <sched.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <asm/termbits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
"""

_RIGHTS = "EXECUTE WRITE_FILE READ_FILE READ_DIR REMOVE_DIR REMOVE_FILE MAKE_DIR MAKE_REG MAKE_SYM"
_CONSTANTS = "PR_SET_PDEATHSIG PR_SET_DUMPABLE PR_CAPBSET_DROP PR_SET_CHILD_SUBREAPER"
_CLONE = "CLONE_NEWNS CLONE_NEWIPC CLONE_NEWUSER CLONE_NEWPID CLONE_NEWNET PR_SET_NO_NEW_PRIVS"
_MOUNT = "MS_NOSUID MS_NODEV MS_NOEXEC MS_REC MS_PRIVATE"


# C expression, what our code says of it.
EXPECTED: dict[str, int] = {
    "AUDIT_ARCH_X86_64": AUDIT_ARCH["x86_64"],
    "AUDIT_ARCH_AARCH64": AUDIT_ARCH["aarch64"],
    "SECCOMP_RET_ALLOW": bpf.ALLOW,
    "SECCOMP_RET_ERRNO": bpf.ERRNO,
    "SECCOMP_RET_KILL_PROCESS": bpf.KILL,
    "SECCOMP_SET_MODE_FILTER": seccomp._SET_MODE_FILTER,
    "BPF_LD | BPF_W | BPF_ABS": bpf.LD_ABS,
    "BPF_JMP | BPF_JEQ | BPF_K": bpf.JEQ,
    "BPF_JMP | BPF_JGE | BPF_K": bpf.JGE,
    "BPF_JMP | BPF_JA": bpf.JA,
    "BPF_ALU | BPF_AND | BPF_K": bpf.AND,
    "BPF_RET | BPF_K": bpf.RET,
    "offsetof(struct seccomp_data, nr)": bpf.NR_OFFSET,
    "offsetof(struct seccomp_data, arch)": bpf.ARCH_OFFSET,
    "offsetof(struct seccomp_data, args)": bpf.ARGS_OFFSET,
    "sizeof(struct sock_filter)": len(bpf.pack_filter([(0, 0, 0, 0)])),
    "offsetof(struct sock_filter, k)": 4,  # where build_program_filter leaves a hole for the pid
    "sizeof(struct sock_fprog)": ctypes.sizeof(seccomp._Program),
    "offsetof(struct sock_fprog, filter)": seccomp._Program.code.offset,
    "sizeof(struct landlock_path_beneath_attr)": 12,
    "offsetof(struct landlock_path_beneath_attr, parent_fd)": 8,
    "LANDLOCK_RULE_PATH_BENEATH": landlock._RULE_PATH_BENEATH,
    "sizeof(struct __user_cap_header_struct)": ctypes.sizeof(syscalls._CapabilityHeader),
    "2 * sizeof(struct __user_cap_data_struct)": 24,
    "_LINUX_CAPABILITY_VERSION_3": 0x20080522,
    "AT_FDCWD": namespaces._AT_FDCWD,
    "AT_EMPTY_PATH": policy.EMPTY_PATH,
    "MNT_DETACH": 2,
    "O_CLOEXEC": namespaces._OPEN_TREE_CLOEXEC,
    "O_WRONLY | O_RDWR | O_CREAT | O_TRUNC": policy._WRITE_FLAGS,
    "O_ACCMODE | O_TRUNC": policy._ACCESS_TRUNC,
    "CLONE_VM | CLONE_THREAD": policy._THREAD_FLAGS,
    "CLONE_VFORK": policy._CLONE_VFORK,
    "MAP_SHARED": policy._SHARED,
    "MAP_ANONYMOUS": policy._ANONYMOUS,
    "MAP_HUGETLB": policy._HUGE,
    "SOCK_STREAM": policy._STREAM,
    "SOCK_SEQPACKET": policy._SEQPACKET,
    "AF_UNIX": policy._AF_UNIX,
    "SOL_SOCKET": policy._SOL_SOCKET,
    **{name: getattr(syscalls, name) for name in f"{_CONSTANTS} {_CLONE}".split()},
    **{name: getattr(namespaces, f"_{name}") for name in _MOUNT.split()},
    **{f"LANDLOCK_ACCESS_FS_{name}": getattr(landlock, name) for name in _RIGHTS.split()},
}
# Of policy.CHECKED, in its order.
NAMED_VALUES = {
    "ioctl": "TCGETS FIONREAD TIOCGWINSZ FIONBIO FIONCLEX FIOCLEX TCGETS2",
    "prctl": "PR_SET_PDEATHSIG PR_GET_DUMPABLE PR_SET_NAME PR_GET_NAME PR_SET_VMA",
    "fcntl": "F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL F_DUPFD_CLOEXEC F_GETPIPE_SZ F_ADD_SEALS "
    "F_GET_SEALS",
}
OPTIONS = "SO_TYPE SO_ERROR SO_SNDBUF SO_RCVBUF SO_ACCEPTCONN SO_PROTOCOL SO_DOMAIN"


def list_assertions(machine: str) -> list[str]:
    expected = dict(EXPECTED)
    values = {name: checks[0][2] for name, checks, _errno, _reason in policy.CHECKED}
    for call, names in NAMED_VALUES.items():
        expected |= dict(zip(names.split(), values[call], strict=True))
    expected |= dict(zip(OPTIONS.split(), policy._SOCKET_OPTIONS, strict=True))
    expected |= {f"__NR_{name}": number for name, number in TABLES[machine].items()}
    for name, numbers in syscalls.NUMBERS.items():
        number = numbers[list(COMPILERS).index(machine)]
        assert expected.setdefault(f"__NR_{name}", number) == number
    lines = [
        f'_Static_assert((long)({expression}) == {value}L, "{expression}");'
        for expression, value in expected.items()
    ]
    for name in sorted(TABLES["x86_64"].keys() - TABLES[machine].keys()):
        lines.append(f'#ifdef __NR_{name}\n#error "{name} exists"\n#endif')
    return lines


@pytest.mark.parametrize("machine", COMPILERS)
def test_the_compiler_has_the_same_numbers(machine: str) -> None:
    compiler = shutil.which(COMPILERS[machine])
    if compiler is None:
        pytest.skip(f"there is no {COMPILERS[machine]} (Debian: gcc and libc6-dev-arm64-cross)")
    result = subprocess.run(
        [compiler, "-fsyntax-only", "-x", "c", "-"],
        input=HEADERS + "\n".join(list_assertions(machine)) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
