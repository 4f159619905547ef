"""Data sets of functions that bring test code of their own, in Python and other languages."""
