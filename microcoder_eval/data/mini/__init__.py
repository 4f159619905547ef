"""Generators of the bundled problem set; ``python -m microcoder_eval.data.mini`` writes it."""
