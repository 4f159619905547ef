"""The sandbox: runs one program under limits and reports what happened.

It knows bytes, limits and exits, but neither tests nor verdicts. Nothing is imported here: the fork
server imports modules of this package and must stay lean. Public modules: ``driver.sandbox``
(Sandbox, make_plan, requests), ``outcome`` (ResourceLimits, Outcome, errors), ``codec``.
"""
