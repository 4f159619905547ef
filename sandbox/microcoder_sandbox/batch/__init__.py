"""Several tests of a plain program in one child, one after the other.

static_gate.py   in the host: decides which programs are plain, by how they use their names
bindings.py      what these names may stand for; scopes.py: which are variables of functions
catalogue.py     the names of Python that a plain program may use
session.py       in the host: one input at a time, one outcome for each
inside.py        in the child: a fresh module for each test, and the hand-over

Limits hold because the host measures from outside and believes nothing that the child says.
Outputs are right because a plain program can carry nothing from one test to the next.
sandbox/README.md has the promise, its proof and what it assumes.
"""
