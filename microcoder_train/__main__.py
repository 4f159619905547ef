"""``python -m microcoder_train`` is ``microcoder-train``."""

from .cli import script

if __name__ == "__main__":
    script()
