"""Packages of Kattis, ICPC and DOMjudge."""

from .reader import MARKERS, READ, read
