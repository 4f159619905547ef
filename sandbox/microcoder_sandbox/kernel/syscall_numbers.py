"""In the host: system call numbers by name, for the two architectures that the filter knows.

Source: the kernel's own headers asm/unistd_64.h and asm-generic/unistd.h (Linux 6.1).
"""

from __future__ import annotations

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# The highest number either table's kernel knows. Above it the answer is ENOSYS, so that a newer
# libc falls back to what it used before.
LAST_KNOWN = 450

# Name, number on x86-64, number on aarch64; "-": the architecture does not have the call.
_NUMBERS = """
    read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68,
    preadv 295 69, pwritev 296 70, preadv2 327 286, pwritev2 328 287, open 2 -, openat 257 56,
    openat2 437 437, close 3 57, close_range 436 436, stat 4 -, fstat 5 80, lstat 6 -,
    newfstatat 262 79, statx 332 291, lseek 8 62, access 21 -, faccessat 269 48,
    faccessat2 439 439, getcwd 79 17, chdir 80 49, fchdir 81 50, readlink 89 -,
    readlinkat 267 78, getdents 78 -, getdents64 217 61, dup 32 23, dup2 33 -, dup3 292 24,
    fcntl 72 25, pipe 22 -, pipe2 293 59, ioctl 16 29, statfs 137 43, fstatfs 138 44,
    fadvise64 221 223, fsync 74 82, fdatasync 75 83, umask 95 166, mmap 9 222, mprotect 10 226,
    munmap 11 215, mremap 25 216, brk 12 214, madvise 28 233, msync 26 227, mincore 27 232,
    rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136,
    rt_sigsuspend 130 133, rt_sigtimedwait 128 137, sigaltstack 131 132, pause 34 -, alarm 37 -,
    setitimer 38 103, getitimer 36 102, restart_syscall 219 128, kill 62 129, tgkill 234 131,
    clone 56 220, clone3 435 435, futex 202 98, futex_waitv 449 449, set_robust_list 273 99,
    rseq 334 293, set_tid_address 218 96, gettid 186 178, exit 60 93, exit_group 231 94,
    sched_yield 24 124, membarrier 324 283, getcpu 309 168, getpid 39 172, getppid 110 173,
    getpgrp 111 -, getpgid 121 155, getsid 124 156, getuid 102 174, geteuid 107 175,
    getgid 104 176, getegid 108 177, getresuid 118 148, getresgid 120 150, getgroups 115 158,
    sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145 120,
    sched_get_priority_max 146 125, sched_get_priority_min 147 126, getpriority 140 141,
    uname 63 160, sysinfo 99 179, getrlimit 97 163, setrlimit 160 164, prlimit64 302 261,
    getrusage 98 165, times 100 153, time 201 -, gettimeofday 96 169, clock_gettime 228 113,
    clock_getres 229 114, nanosleep 35 101, clock_nanosleep 230 115, getrandom 318 278,
    arch_prctl 158 -, prctl 157 167, personality 135 92, select 23 -, pselect6 270 72, poll 7 -,
    ppoll 271 73, epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -,
    epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -, eventfd2 290 19, socketpair 53 199,
    sendto 44 206, recvfrom 45 207, shutdown 48 210, getsockopt 55 209, getsockname 51 204,
    getpeername 52 205, sendmsg 46 211, recvmsg 47 212, socket 41 198, wait4 61 260,
    waitid 247 95, pidfd_open 434 434, seccomp 317 277, landlock_create_ruleset 444 444,
    landlock_add_rule 445 445, landlock_restrict_self 446 446, get_mempolicy 239 236,
    mbind 237 235, execve 59 221, execveat 322 281, vfork 58 -, unlink 87 -, unlinkat 263 35,
    rename 82 -, renameat 264 38, renameat2 316 276, mkdir 83 -, mkdirat 258 34, rmdir 84 -,
    truncate 76 45, ftruncate 77 46, fallocate 285 47, chmod 90 -, fchmodat 268 53
"""


def _list_numbers(column: int) -> dict[str, int]:
    rows = [row.split() for row in _NUMBERS.split(",")]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


TABLES = {"x86_64": _list_numbers(1), "aarch64": _list_numbers(2)}
