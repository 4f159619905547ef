"""Runs programs over problems and finds those that cannot be judged fairly.

Problem, Programs -> checks of the tests -> Runner: judgements, outputs -> Findings

``microcoder-eval audit`` and ``calibrate`` stand on it, and ``verify`` and ``check`` of the corpus.
"""
