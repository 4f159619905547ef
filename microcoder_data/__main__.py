"""``python -m microcoder_data``: the command line ``microcoder-data``."""

from .cli import run_console_script

if __name__ == "__main__":
    run_console_script()
