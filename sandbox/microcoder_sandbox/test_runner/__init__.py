"""Ours, beside a candidate: test code in a process of its own."""
