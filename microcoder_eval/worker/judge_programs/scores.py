"""In a worker: what a checker or an interactor says of an output, scores included.

python   check() returns a bool, (bool, str), or a share of the test's points as a number, alone or
         as (float, str); 1.0 and more is accepted, 0.0 and less refused. An integer in a pair is
         rather a difference than a share
testlib  exit 7 gives points: one line of standard error begins with "points X" (quitp); or a share
         of the test's points, "partial A/B" (DMOJ's coci)
kattis   files of the feedback folder: judgemessage.txt, and without it standard error, says why an
         output is refused; score.txt holds points, score_multiplier.txt a share of the test's
         points; either only for an accepted output

Sources: codeforces.com/testlib; the problem package format, legacy and 2023-07.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from microcoder_eval.records import Verdict
from microcoder_eval.worker.error_lines import MAX_DETAIL_CHARS, find_error_line
from microcoder_eval.worker.expectations import Comparison, Score
from microcoder_sandbox import FEEDBACK_FILES, FOLDER_BYTES, Outcome, decode_files

from .programs import CheckerFailedError

TESTLIB_POINTS_EXIT = 7
MAX_SCORE = 1e100  # of either sign: products of two, and sums of what fits in memory, are finite
_SCORE_FILE, _MULTIPLIER_FILE, _MESSAGE_FILE = FEEDBACK_FILES
# A number of few digits is one that a float holds.
_TESTLIB_CREDIT = re.compile(
    rb"^(?:points[ \t]+(-?\d[\d.]*+(?:[eE][-+]?\d+)?+)(?!\S)|partial (\d{1,18})/(\d{1,18})$)",
    re.MULTILINE,
)


def make_failure(reason: str, outcome: Outcome) -> Comparison:
    """Return the result of a checker, or an interactor, that failed in a run."""
    seconds = max(outcome.cpu_s, outcome.wall_s - outcome.run_delay)
    return Comparison(Verdict.WA, reason, failed_s=seconds)


def read_program_result(protocol: str, accepted: bool, outcome: Outcome) -> Comparison:
    """Return the result of a program whose exit status refuses or accepts the output. Raises
    CheckerFailedError for an invalid score."""
    if not accepted:
        reason = _read_message(outcome.result) or find_error_line(outcome.stderr)
        return Comparison(Verdict.WA, reason or None)
    files = _decode_files(outcome.result)
    if protocol == "kattis":
        return Comparison(Verdict.AC, score=_read_kattis_score(files), files=files)
    if outcome.exit_code == TESTLIB_POINTS_EXIT:
        lines = set(_TESTLIB_CREDIT.findall(outcome.stderr))
        if len(lines) != 1:  # of two lines, one may be from the output that it shows
            raise CheckerFailedError('exit status 7 without one line "points" and a number')
        ((points_text, part, whole),) = lines
        if part:
            return _read_partial(int(part), int(whole))
        points = _parse_number(points_text, '"points"')
        reason = f"the checker gave {points:g} points"
        return Comparison(Verdict.AC, reason, score=Score(points, False, True))
    return Comparison(Verdict.AC, files=files)


def _read_partial(part: int, whole: int) -> Comparison:
    if not 0 < whole >= part:
        raise CheckerFailedError(f'"partial {part}/{whole}" is no share from 0 to 1')
    reason = f"the checker gave {part} of {whole}"
    return Comparison(Verdict.AC, reason, score=Score(part / whole, True, part < whole))


def _read_message(report: bytes) -> str:
    """Return what a validator wrote for the judges, on one line. It may hold any text of the
    candidate's."""
    try:
        message = decode_files(report).get(_MESSAGE_FILE, b"")
    except ValueError:  # it refused the output, whatever else it wrote
        return ""
    return " ".join(message[: 4 * MAX_DETAIL_CHARS].decode("utf-8", "replace").split())


def _decode_files(report: bytes) -> Mapping[str, bytes]:
    try:
        return decode_files(report)
    except ValueError as error:
        limit_mib = FOLDER_BYTES >> 20
        raise CheckerFailedError(
            f"its feedback folder cannot be read, or holds more than {limit_mib} MiB ({error})"
        ) from None


def _read_kattis_score(files: Mapping[str, bytes]) -> Score | None:
    """Return the score in the files of the feedback folder."""
    if _SCORE_FILE in files and _MULTIPLIER_FILE in files:
        raise CheckerFailedError("it wrote both score.txt and score_multiplier.txt")
    if _SCORE_FILE in files:
        return Score(_parse_number(files[_SCORE_FILE], "score.txt"), False, False)
    if _MULTIPLIER_FILE not in files:
        return None
    share = _parse_number(files[_MULTIPLIER_FILE], "score_multiplier.txt")
    if not 0 <= share <= 1:
        raise CheckerFailedError(f"score_multiplier.txt holds {share:g}, not a number from 0 to 1")
    return Score(share, True, share < 1)


def parse_float(text: bytes) -> float:
    """Return a number, nan for what is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _parse_number(text: bytes, name: str) -> float:
    number = parse_float(text)
    if not abs(number) <= MAX_SCORE:
        raise CheckerFailedError(f"{name} holds no number from {-MAX_SCORE:g} to {MAX_SCORE:g}")
    return number


def read_returned_result(value: object) -> Comparison:
    """Return what ``check`` returned, read strictly: a checker that returns anything else has
    failed."""
    reason: object = None
    if isinstance(value, (tuple, list)) and len(value) == 2:
        value, reason = value
        if not isinstance(value, bool | float):
            raise CheckerFailedError(
                f"the checker answered ({_format_value(value)}, ...), not (bool or float, str)"
            )
    text = reason if reason and isinstance(reason, str) else None
    if isinstance(value, bool):
        return Comparison(Verdict.AC) if value else Comparison(Verdict.WA, text)
    if isinstance(value, (int, float)) and value == value:
        if value >= 1.0:
            return Comparison(Verdict.AC)
        text = text or f"the checker gave {_format_value(value)} of 1"
        if value <= 0.0:
            return Comparison(Verdict.WA, text)
        return Comparison(Verdict.AC, text, score=Score(float(value), True, True))
    raise CheckerFailedError(
        f"the checker answered {_format_value(value)}, not a bool, (bool, str) or float"
    )


def _format_value(value: object) -> str:
    try:
        return f"{value:g}" if isinstance(value, float) else repr(value)[:60]
    except (ValueError, OverflowError, RecursionError):  # an integer of very many digits
        return f"a very long {type(value).__name__}"
