"""Verify: keeps the few tests needed, which right programs pass and wrong programs fail.

programs -> outputs -> references (soundness) -> kills (steps, mutants) -> reduction

``verifier`` does so with one problem; ``program_stage``, ``programs``, ``outputs``, ``kills``,
``randomness`` and ``steps`` also serve strengthen.
"""
