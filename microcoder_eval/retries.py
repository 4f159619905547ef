"""All retries of the judge: who repeats what, and how often in all.

They multiply where one lies within another: each worker that has a task makes its runs anew. What
is over when the attempts are used up is a judge's failure (JE), unless ``then`` says otherwise.
"""

from __future__ import annotations

from microcoder_sandbox import START_ATTEMPTS, record


@record
class Retry:
    """attempts: in all, the first one included. repeats: what, and when. then: after the last."""

    who: str
    repeats: str
    attempts: int
    then: str


SERVER_START = Retry(
    "the sandbox (`host/fork_server`)",
    "the start of a fork server that dies before it is ready",
    START_ATTEMPTS,
    "the worker ends",
)
RUN = Retry(
    "a worker (`worker/retry`)",
    "a run whose fork server was lost, or whose child was not confined or was killed externally",
    3,
    "JE; RE for a child that was killed",
)
WORKER_START = Retry(
    "the pool (`pool/pool`)",
    "the start of a worker that dies before it is ready",
    5,
    "an attempt at the task has failed",
)
TASK = Retry("the pool (`pool/pool`)", "a task whose worker was lost over it", 3, "JE")
CONTENDED_TASK = Retry(
    "the pool (`pool/pool`)",
    "a task with a test that was too slow and waited for a core, this time alone",
    2,
    "its second result stands, with the flag `rerun_alone`",
)
NODE_START = Retry(
    "Ray (`pool/ray/node_set`)", "the start of a node's actor, in a row", 3, "the node is not used"
)
NODE_TASK = Retry(
    "Ray (`pool/ray/pool`)", "a task whose node was lost or had no worker for it", 5, "JE"
)
ANSWER = Retry(
    "adapters of training stacks (`scoring`)",
    "a solution over which the judge failed",
    2,
    "no reward",
)
RETRIES = (
    SERVER_START,
    RUN,
    WORKER_START,
    TASK,
    CONTENDED_TASK,
    NODE_START,
    NODE_TASK,
    ANSWER,
)


def format_table() -> list[str]:
    """Return the lines of a Markdown table; DESIGN.md holds it."""
    rows = [f"| {r.who} | {r.repeats} | {r.attempts} | {r.then} |" for r in RETRIES]
    return ["| Who | repeats | attempts in all | then |", "|---|---|---|---|", *rows]
