"""A problem's own programs: checkers, interactors and graders, and what they say of an output.

programs.py         builds and runs any of them, on servers that never run solutions
checkers.py         a checker given as source: its protocol, and its verdict
interactor.py       a program that talks to the solution
graders.py          a program that gives points to groups of tests
scores.py           reads the scores that they write
checked_outputs.py  asks a checker about an output or a value, within a budget for failures
"""
