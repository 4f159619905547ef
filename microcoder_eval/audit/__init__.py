"""Runs programs over problems and finds those that cannot be judged fairly.

Problem, Programs -> checks of the tests -> Runner: judgements, outputs -> Findings

``microcoder-eval audit`` and ``calibrate`` use this package, and so do ``verify`` and ``check`` of
the corpus pipeline.
"""
