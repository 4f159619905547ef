"""The line that shows the progress of judging."""

from __future__ import annotations

from microcoder_eval.console.progress import format_seconds
from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import Tally


def format_progress(
    tally: Tally, bad_line_count: int, total: int | None, already_judged: int, seconds: float
) -> str:
    """Return the counts by verdict, the throughput and the time that is left.

    total: how many solutions there are, unusable ones included, None if unknown. already_judged:
    how many of them an earlier run judged.
    """
    counts = " ".join(
        f"{verdict} {tally.verdicts[verdict]}" for verdict in Verdict if tally.verdicts[verdict]
    )
    bad_text = f" · {bad_line_count} bad lines" if bad_line_count else ""
    rate = (tally.solutions - already_judged) / max(seconds, 1e-3)
    judged, left_text = f"{tally.solutions} judged", ""
    if total is not None:
        judged = f"{tally.solutions} of {total} judged"
        left = max(0, total - tally.solutions - bad_line_count)
        if rate and left:
            left_text = f" · {format_seconds(left / rate)} left"
    return f"{judged} · {counts or 'none yet'}{bad_text} · {rate:.1f}/s{left_text}"
