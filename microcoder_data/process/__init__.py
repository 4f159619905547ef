"""Process: cleans statements, checks that problems are complete, adds an instruction.

markup -> clean text -> language -> examples -> completeness -> instruction
"""
