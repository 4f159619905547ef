"""Verify: tests that right programs pass and wrong ones fail, and no more of them than needed."""
