"""Gives all points for the exact number and half of them for one close to it."""

from dmoj.result import CheckerResult


def check(process_output, judge_output, point_value, half_within=0, **kwargs):
    try:
        answer = int(process_output)
    except ValueError:
        return CheckerResult(False, 0, feedback="no number")
    distance = abs(answer - int(judge_output))
    if not distance:
        return True
    if distance <= half_within:
        return CheckerResult(True, point_value / 2, feedback=f"{distance} beside it")
    return False
