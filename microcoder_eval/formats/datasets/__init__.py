"""Rewrites rows of public datasets into the format of this project."""
