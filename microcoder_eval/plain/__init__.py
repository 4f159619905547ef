"""Which Python programs are plain: those that can carry nothing from one test to the next.

gate.py        decides, by how a program uses its names, in the order of the proof
names.py       what these names may stand for
catalogue.py   the names of Python that a plain program may use
state.py       which of them keep something from one call to the next

sandbox/SESSIONS.md has the proof.
"""
