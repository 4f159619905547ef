"""DMOJ packages: init.yml, and what it names."""

from .reader import MARKERS, read

__all__ = ["MARKERS", "read"]
