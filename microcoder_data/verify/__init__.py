"""Verify: keeps tests that right programs pass and wrong programs fail, as few as needed."""
