"""The cage: runs one program under limits and says what happened.

Knows bytes, limits and exits; not tests, not verdicts. Nothing is imported here: the fork
server imports modules of this package and must stay lean. Public modules: ``cage`` (Cage,
make_plan, Program), ``outcome`` (ResourceLimits, Outcome, the errors), ``codec``.
"""
