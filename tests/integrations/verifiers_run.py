"""Task.score of verifiers on the task of docs/stacks/verifiers.md: verifiers_run.py"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs" / "stacks" / "verifiers.md"
TESTS = [{"input": "3\n", "output": "6\n"}]
BROKEN = json.dumps({"tests": TESTS, "checker": {"source": "def check(): pass"}})


def score(code_task: Any, data: Any, reply: str) -> Any:
    """The reward, or why there is none."""
    import verifiers.v1 as vf
    from verifiers.v1.graph import MessageNode
    from verifiers.v1.trace import AgentInfo, TraceTask

    task = code_task(data)
    node = MessageNode(message=vf.AssistantMessage(content=reply), sampled=True)
    trace = vf.Trace(
        task=TraceTask(type="CodeTask", data=data),
        agent=AgentInfo(config=vf.AgentConfig()),
        nodes=[node],
    )
    try:
        asyncio.run(task.score(trace))
    except vf.TaskError as error:
        return [type(error.__cause__).__name__, trace.rewards["accepted"]]
    return trace.rewards["accepted"].value


names: dict[str, Any] = {"__name__": "page"}
exec(PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0], names)
right, wrong = (f"```python\nprint({n} * int(input()))\n```" for n in (2, 3))
tests = json.dumps(TESTS)
json.dump(
    [
        score(names["CodeTask"], names["CodeData"](tests=held), reply)
        for held, reply in ((tests, right), (tests, wrong), (BROKEN, right))
    ],
    sys.stdout,
)
