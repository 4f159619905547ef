"""In the judge and the test runner: test code, read without running any of it."""
