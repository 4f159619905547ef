"""Write the bundled problem set again: python tools/make_mini.py [FOLDER]."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "sandbox")]

from microcoder_mini.build import write_files  # noqa: E402

if __name__ == "__main__":
    write_files(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "datasets" / "microcoder-mini")
