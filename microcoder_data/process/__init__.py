"""Process: statements in one clean form, complete, with an explicit instruction.

markup -> clean text -> language -> examples -> completeness -> instruction
"""
