"""Checks packages: each submission against what its package declares of it."""
