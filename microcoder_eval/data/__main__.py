"""``python -m microcoder_eval.data``: the command line ``microcoder-data``."""

from microcoder_eval.data.cli import script

if __name__ == "__main__":
    script()
