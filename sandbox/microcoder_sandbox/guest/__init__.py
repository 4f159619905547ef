"""After the fork, in the process of a program: nothing that a candidate says here makes it pass.

Checkers and test code start here, too; what they report is believed. Before a
fork the server calls the package with our own text only: ``setup.plan_confinement`` and
``loading.open_stream``, ``calling.fill_program_names``, and the warm-up.
"""
