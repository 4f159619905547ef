"""Strengthening: adds tests that kill wrong programs, and proposes checkers."""
