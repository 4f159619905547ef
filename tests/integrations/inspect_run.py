"""inspect-ai on the task of docs/stacks/inspect-ai.md, with its mock model: inspect_run.py"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model

PAGE = Path(__file__).resolve().parents[2] / "docs" / "stacks" / "inspect-ai.md"
BROKEN = {"source": "def check(): pass"}


def main() -> None:
    """The page's task, then one sample of each fate; what was logged, as JSON."""
    names: dict[str, Task] = {}
    exec(PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0], names)
    (sample,) = names["task"].dataset
    tests = sample.metadata["tests"]
    right = "```python\nprint(2 * int(input()))\n```"
    samples = [
        sample,
        Sample(input="By its target.", target=json.dumps(tests)),
        Sample(input="Wrong.", metadata={"tests": [{"input": "3\n", "output": "7\n"}]}),
        Sample(input="Broken.", metadata={"tests": tests, "checker": BROKEN}),
    ]
    task = Task(dataset=samples, solver=names["task"].solver, scorer=names["task"].scorer)
    outputs = [ModelOutput.from_content("mockllm", right) for _ in samples]
    for output in outputs:  # without it the mock counts tokens by a table from the network
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    with tempfile.TemporaryDirectory() as folder:
        (log,) = eval(
            task,
            model=get_model("mockllm/model", custom_outputs=outputs),
            display="none",
            log_dir=folder,
            max_samples=1,
        )
        assert log.status == "success", log.error
        scores = [next(iter(sample.scores.values())) for sample in log.samples]
        mean = log.results.scores[0].metrics["mean"].value
    values = [None if score.value != score.value else score.value for score in scores]
    json.dump({"values": values, "reason": scores[-1].reason, "mean": mean}, sys.stdout)


main()
