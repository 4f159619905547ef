"""Strengthening: adds tests that kill wrong programs, and proposes checkers.

stored inputs (layout of texts) -> fields, by inference -> with what the statement says of them
(arguments, text_parts) -> structure -> propose (repair), drafts -> voting -> tests (comparers)

``strengthener`` does so with one problem.
"""
