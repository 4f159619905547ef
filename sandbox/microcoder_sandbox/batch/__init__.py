"""Several tests of one program in one child, one after the other, where nothing can tell.

names.py   which programs may: what they must not name (static)
guard.py   what is looked at after each test: nothing that outlives a module has changed
turns.py   in the child: a fresh module for each test, the report, the next input
driver.py  in the driver: one input at a time, one outcome for each

A program that does not pass, and a test that leaves something behind, costs a child per test,
no more: only what ran first in its child, or passed, is taken as its outcome.
"""
