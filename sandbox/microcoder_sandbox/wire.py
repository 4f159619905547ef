"""What is said between the fork server and the process that drives it.

driver -> server   first a CONFIG (marshal of a dict), then one REQUEST per child, with the
                   child's descriptors attached (SCM_RIGHTS)
server -> driver   READY (text: a line per layer), then per child: LONG, once, with a pidfd, if it
                   still runs after GRACE_MS; EXIT when it has been reaped; or NO_CHILD (text: why)

The driver trusts nothing but fixed-size numbers from the server. Stdlib, light: imported by both.
"""

from __future__ import annotations

import struct

GRACE_MS = 25  # a child that ends sooner never costs a second look

# request: mode, which descriptors are attached (bits), traits of the program (bits), cpu seconds
# for RLIMIT_CPU, memory bytes
REQUEST = struct.Struct("<BBBIQ")
# exit: wait status, user us, system us, resident peak KiB, baseline KiB, the child's notes
EXIT = struct.Struct("<ciQQQQ16s")
LONG = b"L"
READY = b"R"
FAILED = b"F"  # instead of READY, with the reason as text
NO_CHILD = b"N"

SCRIPT, CALL, SERVE, TESTS, EXECUTE, BUILD = range(6)

# The descriptors of a request, in order; a bit in the request says which are there.
STDIN, STDOUT, STDERR, CODE, CACHE, ARGS, RESULT, PEER = range(8)

# Traits of a program's text, found once by the driver so that no child need look.
LEAVES_SOMETHING, NAMES_NODES, WANTS_LINES = 1, 2, 4
TAKES_TURNS = 8  # not of the text: several tests may be run in the child, if the program may

TALKS = 16  # nor this: standard input is a pipe from another program

# Of children that take turns (batch/turns.py). report: kind, nonce, CPU ns of the test, CPU clock
# in ns, resident peak in KiB above an empty program.
GO_BYTES = 8
REPORT = struct.Struct("<B8sQQQ")
AND_MORE, AND_NO_MORE, VOID = range(3)

# The child's notes: pages shared with the server. Never evidence for a pass.
PHASE, FLAGS, STEP, ERRNO = 0, 1, 2, 3
SETUP, COMPILING, COMPILE_FAILED, RUNNING, FINISHED, NO_ENTRY = range(6)
LATE_PHASES = (FINISHED, NO_ENTRY)
FLAG_MEMORY, FLAG_THREADS, FLAG_EXIT = 1, 2, 4
