"""Packages of Kattis, ICPC and DOMjudge."""

from .reader import MARKERS, NAMES_READ, read_kattis
