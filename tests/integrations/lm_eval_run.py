"""lm-eval on a task with the lines of docs/stacks/lm-eval.md and a model that always says the same:
lm_eval_run.py FOLDER"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "stacks" / "lm-eval.md").read_text()
TASK = """task: doubling
dataset_path: json
dataset_kwargs:
  data_files: {{test: {rows}}}
test_split: test
doc_to_text: "{{{{question}}}}"
doc_to_target: ""
"""
TESTS = json.dumps([{"input": "3\n", "output": "6\n"}])
BROKEN = json.dumps({"tests": json.loads(TESTS), "checker": {"source": "def check(): pass"}})


class Doubler(LM):
    """Doubles whatever it is asked."""

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        return ["```python\nprint(2 * int(input()))\n```" for _ in requests]

    def loglikelihood(self, requests: list[Any]) -> list[Any]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Any]) -> list[Any]:
        raise NotImplementedError


def block(language: str) -> str:
    """The page's block of that language."""
    return PAGE.partition(f"```{language}\n")[2].partition("```")[0]


def main(folder: Path) -> None:
    """One problem solved, one not, one that cannot be judged; the results, as JSON."""
    tests = [TESTS, TESTS.replace("6", "7"), BROKEN]
    rows = [json.dumps({"question": f"{i}?", "tests": held}) for i, held in enumerate(tests)]
    (folder / "rows.jsonl").write_text("\n".join(rows))
    (folder / "utils.py").write_text(block("python"))
    task = TASK.format(rows=folder / "rows.jsonl") + block("yaml")
    (folder / "doubling.yaml").write_text(task)
    evaluation = lm_eval.simple_evaluate(
        model=Doubler(),
        tasks=["doubling"],
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        bootstrap_iters=0,
        log_samples=False,
    )
    results = evaluation["results"]["doubling"]
    json.dump({key: results[f"{key},none"] for key in ("accepted", "judge_error")}, sys.stdout)


main(Path(sys.argv[1]))
