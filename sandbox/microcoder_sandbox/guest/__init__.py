"""After the fork, in the process of a program: nothing that a candidate says here is believed.

Checkers and test code start here, too; what they report is believed. The fork server imports the
package, and calls only ``entry.plan_confinement`` before a fork.
"""
