"""Makes programs that call one function, or run a set's own tests, in languages besides Python.

The sources of drivers (driver.*) are compiled together with the candidate's program.
"""
