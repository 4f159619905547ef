"""Adapters for training and evaluation stacks, one module for each stack.

They offer the functions and classes that the stacks expect, over the same warm pool as
``microcoder_eval.judge``. Nothing else imports them, and most do not import their stack.
"""
