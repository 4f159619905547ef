"""``python -m microcoder_eval`` is ``microcoder-eval``."""

from .cli import run_console_script

if __name__ == "__main__":
    run_console_script()
