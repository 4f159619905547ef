"""Compare results of the bundled samples with the verdicts they are labelled with.

python tests/check_samples.py results.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(results: str) -> int:
    """Print every disagreement; 0 when there is none."""
    lines = [json.loads(line) for line in Path(results).read_text().splitlines()]
    wrong = [j for j in lines if j["verdict"] != j["meta"]["expected_verdict"]]
    for j in wrong:
        print(f"{j['solution_id']}: {j['verdict']}, labelled {j['meta']['expected_verdict']}")
    print(f"{len(lines) - len(wrong)} of {len(lines)} samples as labelled")
    return 1 if wrong or not lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
