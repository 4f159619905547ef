"""Ours, beside a candidate: test code in a process of its own.

The trusted side reads test code with ``test_names`` and ``source_analysis``, too.
"""
