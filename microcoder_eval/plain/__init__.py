"""Which Python programs are plain: those that can carry nothing from one test to the next.

gate.py        decides, by how a program uses its names
bindings.py    what these names may stand for; scopes.py: which are variables of functions
catalogue.py   the names of Python that a plain program may use

sandbox/README.md has the proof.
"""
