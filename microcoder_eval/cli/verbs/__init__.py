"""The verbs of ``microcoder-eval`` besides judging, one module each."""
