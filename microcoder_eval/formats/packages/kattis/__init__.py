"""Packages of Kattis, ICPC and DOMjudge."""

from .reader import MARKERS, read

__all__ = ["MARKERS", "read"]
