"""``python -m microcoder_eval`` is ``microcoder-eval``."""

from .cli import script

if __name__ == "__main__":
    script()
