"""Several tests of a plain program in one child, one after the other.

session.py       in the driver: one input at a time, one outcome for each
inside.py        in the child: a fresh module for each test, and the hand-over

Limits hold because the driver measures from outside and believes nothing that the child says.
Outputs are right because a plain program (microcoder_eval/plain) can carry nothing from one test
to the next. sandbox/README.md has the promise, its proof and what it assumes.
"""
