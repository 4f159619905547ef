"""Kinds of problems: each module yields the test cases of one kind, and knows of no verdict."""
