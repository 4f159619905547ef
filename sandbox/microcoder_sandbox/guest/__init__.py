"""After the fork, in the program's own process: nothing it says is believed.

The fork server imports it, and calls only ``child.plan_confinement`` before a fork.
"""
