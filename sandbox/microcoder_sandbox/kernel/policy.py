"""In the host: which system calls each kind of program may make, an allow-list with reasons.

guest/native reads some of the numbers, too.

To allow a call: add its name and a reason to a row of the role, and its number to
syscall_numbers.py (a name without one is ignored; test_policy.py fails).

Five roles: PYTHON (without numpy), NUMPY (Python that imports it), NATIVE (a compiled program),
RUNTIME (a Java or JavaScript machine that runs a program), COMPILER.
Two filters are stacked; the kernel takes the stricter answer of the two. The first is loaded
once, in the fork server: what it and its role's programs need together. The second is loaded in
each child before the program: it takes away what only the server needs.
Everything not named is refused with EPERM (a number no kernel knew when this was written:
ENOSYS, so that libc falls back).
"""

from __future__ import annotations

EPERM, ENOMEM, EACCES, ENOSYS, ENOTTY = 1, 12, 13, 38, 25

PYTHON, NUMPY, NATIVE, RUNTIME, COMPILER = "python", "numpy", "native", "runtime", "compiler"
Rows = tuple[tuple[str, str], ...]

# name(s), reason
COMMON: Rows = (
    ("read readv pread64 preadv preadv2", "read standard input and the standard library"),
    ("write writev pwrite64 pwritev pwritev2", "write to descriptors that are open already"),
    ("open openat", "modules and /dev/stdin; Landlock says which files"),
    ("close close_range dup dup2 dup3", "descriptors of its own"),
    ("stat fstat lstat newfstatat statx access faccessat faccessat2", "imports look for files"),
    ("readlink readlinkat getdents getdents64 statfs fstatfs", "imports list folders"),
    ("getcwd chdir fchdir umask lseek fadvise64 fsync fdatasync", "harmless to others"),
    ("select pselect6 poll ppoll", "waiting"),
    ("mmap mprotect munmap mremap brk madvise msync mincore", "memory, under RLIMIT_AS"),
    ("rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack", "its own signals"),
    ("rt_sigsuspend rt_sigtimedwait pause alarm setitimer getitimer", "its own timers"),
    ("restart_syscall", "the kernel makes it after a stop"),
    ("futex futex_waitv set_robust_list rseq", "threads; not get_robust_list: it shows others"),
    ("set_tid_address gettid sched_yield membarrier getcpu exit exit_group", "threads"),
    ("getpid getppid getpgrp getpgid getsid getuid geteuid getgid getegid", "asking who it is"),
    ("getresuid getresgid getgroups", "asking who it is"),
    ("sched_getaffinity sched_getparam sched_getscheduler getpriority", "counting cores"),
    ("sched_get_priority_max sched_get_priority_min uname sysinfo", "asking about the machine"),
    ("getrlimit setrlimit getrusage times", "its own limits; hard ones cannot be raised"),
    ("time gettimeofday clock_gettime clock_getres nanosleep clock_nanosleep", "clocks"),
    ("getrandom arch_prctl", "random numbers; thread-local storage"),
    ("wait4 waitid", "answers ECHILD: there are no children; a compiler has some"),
)

_PYTHON_CALLS: Rows = (
    ("pipe pipe2 eventfd eventfd2 socketpair", "asyncio and threads talk to themselves"),
    ("sendto recvfrom recvmsg shutdown", "over such a pair; sendmsg would also send descriptors"),
    ("getsockname getpeername", "over such a pair"),
    ("getsockopt", "over such a pair, checked; no setsockopt: it keeps its buffers' size"),
    ("epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2", "waiting"),
)

EVENTS: Rows = (
    ("pipe pipe2", "node: signals wake its loop through one; Go: so do timers"),
    ("eventfd2", "node: its threads wake the loop; newer Go in place of the pipe"),
    ("epoll_create1 epoll_ctl epoll_wait epoll_pwait", "node: the loop waits; Go: timers"),
    ("socketpair", "Java: files are closed by way of one; which, see PROGRAM_CHECKED"),
)

ROLES: dict[str, Rows] = {
    PYTHON: (*COMMON, *_PYTHON_CALLS),
    NUMPY: (
        *COMMON,
        *_PYTHON_CALLS,
        ("mbind get_mempolicy", "numpy asks where its memory lies"),
    ),
    NATIVE: (*COMMON, *EVENTS[:3]),
    RUNTIME: (*COMMON, *EVENTS),
    COMPILER: (
        *COMMON,
        *EVENTS[1:],
        ("sendto recvfrom", "Rust: a part that did not start says so over a pair"),
        ("pipe pipe2", "the compiler's front end talks to its parts"),
        ("execve vfork", "the compiler's front end starts its parts; Landlock says which"),
        ("unlink unlinkat rename renameat renameat2 ftruncate", "in its own folder, by Landlock"),
        ("mkdir mkdirat rmdir fallocate", "in its own folder, by Landlock"),
    ),
}

# Where the problem asks for a folder to write to; Landlock says which folder.
FILES: Rows = (
    ("mkdir mkdirat rmdir unlink unlinkat", "in its own folder"),
    ("rename renameat renameat2 truncate ftruncate fallocate", "in its own folder"),
)

# name, checks on arguments. A check is (argument, mask, values): the argument and mask, as 32
# bits, must be one of the values; all checks of a row must hold, else the errno.
Check = tuple[int, int, tuple[int, ...]]
Checks = tuple[tuple[str, tuple[Check, ...], int, str], ...]  # names, checks, errno, why
PID = -1  # stands for the child's own process id, filled in after the fork

CHECKED: Checks = (
    (
        "ioctl",
        ((1, 0xFFFFFFFF, (0x5401, 0x541B, 0x5413, 0x5421, 0x5450, 0x5451, 0x802C542A)),),
        ENOTTY,
        "isatty, FIONREAD, FIONBIO, FIOCLEX; never TIOCSTI or TIOCLINUX",
    ),
    (
        "fcntl",
        ((1, 0xFFFFFFFF, (0, 1, 2, 3, 4, 1030, 1032, 1033, 1034)),),
        EPERM,
        "descriptor flags and seals; not F_SETOWN, F_SETSIG, F_SETPIPE_SZ, F_NOTIFY, leases; no "
        "locks: each range is kernel memory that no limit counts",
    ),
    (
        "prctl",
        ((0, 0xFFFFFFFF, (1, 3, 15, 16, 0x53564D41)),),
        EPERM,
        "names, PR_GET_DUMPABLE; PR_SET_PDEATHSIG for the server",
    ),
    ("prlimit64", ((0, 0xFFFFFFFF, (0,)),), EPERM, "its own limits, nobody else's"),
    ("personality", ((0, 0xFFFFFFFF, (0xFFFFFFFF,)),), EPERM, "only the question"),
)

# For the fork server itself, whatever the role of its programs.
SERVER: Rows = (
    ("clone", "fork; PROGRAM_CHECKED says what programs may do"),
    ("kill tgkill", "the same"),
    ("sendmsg sendto recvmsg recvfrom poll", "the host"),
    ("pidfd_open", "it waits for its child by descriptor"),
    ("seccomp landlock_restrict_self", "the child's own second layer"),
)
SERVER_FILES: Rows = (
    ("chmod fchmodat", "to empty folders that a program closed; programs: never"),
)

# clone: CLONE_VM|CLONE_THREAD set and none of the namespace, vfork, ptrace or parent flags.
_THREAD_FLAGS = 0x00010100
_FORBIDDEN_CLONE_FLAGS = 0x7E02E000
_CLONE_VFORK = 0x00004000
_FORBIDDEN_COMPILER_FLAGS = _FORBIDDEN_CLONE_FLAGS & ~_CLONE_VFORK  # it starts its parts by vfork
EMPTY_PATH = 0x1000
# The descriptor of a compiled program at its start. It is above RLIMIT_NOFILE of the child and is
# closed by the start, so that no descriptor gets that number again.
PROGRAM_DESCRIPTOR, DESCRIPTORS = 300, 256

_SELF_CHECKS: Checks = (
    ("kill", ((0, 0xFFFFFFFF, (PID,)),), EPERM, "raise and abort in itself"),
    ("tgkill", ((0, 0xFFFFFFFF, (PID,)),), EPERM, "raise and abort in itself"),
    ("prctl", ((0, 0xFFFFFFFF, (3, 15, 16, 0x53564D41)),), EPERM, "no PR_SET_PDEATHSIG"),
)
# MAP_SHARED, MAP_ANONYMOUS: such memory can stay allocated when it is no longer mapped (by madvise,
# or under a second mapping), and then no figure of the process counts it. MAP_HUGETLB: pages from a
# reserve of the machine, which the resident size never counts.
_SHARED, _ANONYMOUS, _HUGE = 0x01, 0x20, 0x40000
_THREAD_CHECKS: Checks = (
    (
        "clone",
        ((0, _THREAD_FLAGS | _FORBIDDEN_CLONE_FLAGS, (_THREAD_FLAGS,)),),
        EPERM,
        "threads, never processes",
    ),
    (
        "mmap",
        ((3, _SHARED | _ANONYMOUS | _HUGE, (0, _SHARED, _ANONYMOUS)),),
        ENOMEM,
        "files and private memory; the rest is refused as memory is",
    ),
    *_SELF_CHECKS,
)
# A datagram socket, paired or not, sends to whatever path it names: a log daemon of the machine.
# What waits in a pair is kernel memory that no figure counts, so its buffers must not grow.
_STREAM, _SEQPACKET, _SOCKET_KINDS, _AF_UNIX = 1, 5, 0xF, 1
_SOCKET_PAIR_CHECKS: Checks = (
    (
        "socketpair",
        ((0, 0xFFFFFFFF, (_AF_UNIX,)), (1, _SOCKET_KINDS, (_STREAM, _SEQPACKET))),
        EPERM,
        "pairs that reach each other and nobody else",
    ),
)
# By level and name: what kind of socket it is, its error, its buffers. Never SO_PEERCRED,
# SO_PEERPIDFD and the like: an inherited socket would reveal, or hand over, its maker.
_SOL_SOCKET = 1
# SO_TYPE, SO_ERROR, SO_SNDBUF, SO_RCVBUF, SO_ACCEPTCONN, SO_PROTOCOL, SO_DOMAIN
_SOCKET_OPTIONS = (3, 4, 7, 8, 30, 38, 39)
_SOCKET_OPTION_CHECKS: Checks = (
    (
        "getsockopt",
        ((1, 0xFFFFFFFF, (_SOL_SOCKET,)), (2, 0xFFFFFFFF, _SOCKET_OPTIONS)),
        EPERM,
        "the socket itself, never its peer",
    ),
)
_EXEC_CHECKS: Checks = (
    (
        "execveat",
        ((0, 0xFFFFFFFF, (PROGRAM_DESCRIPTOR,)), (4, 0xFFFFFFFF, (EMPTY_PATH,))),
        EPERM,
        "the compiled program, or what it runs in, once",
    ),
)
_PYTHON_CHECKS = (*_THREAD_CHECKS, *_SOCKET_PAIR_CHECKS, *_SOCKET_OPTION_CHECKS)
PROGRAM_CHECKED: dict[str, Checks] = {
    PYTHON: _PYTHON_CHECKS,
    NUMPY: _PYTHON_CHECKS,
    NATIVE: (*_THREAD_CHECKS, *_EXEC_CHECKS),
    RUNTIME: (*_THREAD_CHECKS, *_SOCKET_PAIR_CHECKS, *_EXEC_CHECKS),
    COMPILER: (
        ("clone", ((0, _FORBIDDEN_COMPILER_FLAGS, (0,)),), EPERM, "its parts; no namespaces"),
        *_SOCKET_PAIR_CHECKS,
        *_SELF_CHECKS,
    ),
}

# An errno other than EPERM makes libc or Python fall back or explain better.
FALLBACKS: tuple[tuple[str, int, str], ...] = (
    ("clone3 openat2", ENOSYS, "arguments in memory cannot be checked; libc falls back"),
    ("socket", EACCES, "imports that try a socket survive; nothing is reached"),
)

# Without Landlock (level 2) a file may be opened for reading only.
_WRITE_FLAGS = 0o1 | 0o2 | 0o100 | 0o1000
READ_ONLY: Checks = (
    ("open", ((1, _WRITE_FLAGS, (0,)),), EACCES, "no Landlock: nothing is opened for writing"),
    ("openat", ((2, _WRITE_FLAGS, (0,)),), EACCES, "no Landlock: nothing is opened for writing"),
)
# With an old Landlock (before ABI 3): O_TRUNC on a descriptor opened for reading truncates.
_ACCESS_TRUNC = 0o3 | 0o1000
NO_READ_ONLY_TRUNCATE: Checks = (
    ("open", ((1, _ACCESS_TRUNC, (0, 1, 2, 0o1001, 0o1002)),), EACCES, "no O_RDONLY|O_TRUNC"),
    ("openat", ((2, _ACCESS_TRUNC, (0, 1, 2, 0o1001, 0o1002)),), EACCES, "no O_RDONLY|O_TRUNC"),
)
