"""Trusted test code in a process of its own, calling a candidate in another."""
