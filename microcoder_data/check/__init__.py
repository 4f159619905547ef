"""Check: the submissions of contest packages, and the tests that their generators make.

shell -> plan -> generation -> packages (agreement)
"""
