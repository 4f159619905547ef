"""python -m microcoder_eval.data.mini [FOLDER]: write the bundled problem set."""

import sys
from pathlib import Path

from .build import write

if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "datasets/microcoder-mini"))
