"""Converts HTML, LaTeX and Markdown to the one form of clean statements, and repairs letters."""
