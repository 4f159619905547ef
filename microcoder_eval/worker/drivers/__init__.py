"""Makes programs that call one function, or run a set's own tests, in languages besides Python.

The sources in these languages (driver.*, tests.*, ListNode.* and others) are compiled together with
the candidate's program.
"""
