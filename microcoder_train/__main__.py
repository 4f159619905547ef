"""``python -m microcoder_train`` is ``microcoder-train``."""

from .cli import run_console_script

if __name__ == "__main__":
    run_console_script()
