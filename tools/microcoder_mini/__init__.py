"""Generators of the bundled problem set; ``python tools/make_mini.py`` writes it."""
