"""What the comparisons with other judges share: our verdicts, and the record of both."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from publication import save_record

from microcoder_eval import Judge
from microcoder_eval.records import Judgement

Samples = Mapping[str, tuple[Any, Any]]  # by name: a program and its problem
Verdicts = dict[str, tuple[str, str]]  # by name: the verdict, and why


def judge_ours(judge: Judge, samples: Samples) -> Verdicts:
    """Our verdict of each sample, and why."""
    futures = {name: judge.submit(*sample) for name, sample in samples.items()}
    judgements = {name: future.result() for name, future in futures.items()}
    return {name: (str(one.verdict), _explain(one)) for name, one in judgements.items()}


def _explain(judgement: Judgement) -> str:
    tests = judgement.tests_run
    reasons = (judgement.error, *(t.detail for t in tests), *(t.matched_by for t in tests))
    return next(filter(None, reasons), "")


def compare(
    peer: str,
    accepted: str,
    ask_peer: Callable[[], Mapping[str, str]],
    ask_ours: Callable[[], Verdicts],
    facts: Mapping[str, Any],
) -> None:
    """Ask both judges about the same samples; print and save the record.

    accepted: the peer's word for a right program. facts: more of the record.
    """
    start = time.perf_counter()
    theirs = ask_peer()
    middle = time.perf_counter()
    ours = ask_ours()
    end = time.perf_counter()
    record = {
        **facts,
        "samples": len(ours),
        "pass_at_1": {
            peer: sum(verdict == accepted for verdict in theirs.values()) / len(ours),
            "ours": sum(verdict == "AC" for verdict, _ in ours.values()) / len(ours),
        },
        "judge_errors": sum(verdict == "JE" for verdict, _ in ours.values()),
        "seconds": {peer: round(middle - start, 1), "ours": round(end - middle, 1)},
        "disagreements": [
            {"sample_id": name, peer: theirs.get(name), "ours": ours[name]}
            for name in ours
            if (theirs.get(name) == accepted) is not (ours[name][0] == "AC")
        ],
    }
    print(json.dumps(record, indent=1))
    save_record(f"parity_{Path(sys.argv[0]).stem}", record)
