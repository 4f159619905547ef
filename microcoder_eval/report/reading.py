"""Results and programs as files hold them, joined by problem and solution."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine
from microcoder_eval.formats.badline import bad_line
from microcoder_eval.formats.source import open_source
from microcoder_eval.records import Judgement, Solution, Status, Verdict
from microcoder_eval.results import judgement_from_json, judgement_to_json

from .spool import Place, Spool

# Of lines that older or other programs wrote; who and what was judged, and how, must be there.
_DEFAULTS: Mapping[str, Any] = {
    "score": None,
    "tests": [],
    "error": None,
    "flags": [],
    "sandbox_level": 0,
    "memory_method": "",
    "isolation": "",
    "tests_sha256": "",
    "code_sha256": "",
    "config_sha256": "",
    "version": "",
}
_TEST_DEFAULTS: Mapping[str, Any] = {
    "cpu_s": 0.0,
    "wall_s": 0.0,
    "memory_mb": None,
    "matched_by": None,
    "detail": None,
}
_STATUS = {"AC": Status.CORRECT, "JE": Status.ERROR}


def result_from_line(line: bytes) -> Judgement:
    """A result, what it lacks besides names and verdict filled in. Raises DataError."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}") from error
    if isinstance(value, dict):
        value = _filled(value)
    judgement = judgement_from_json(value)
    numbers = [judgement.score]
    for test in judgement.tests:
        numbers += [test.cpu_s, test.wall_s, test.memory_mb] if test is not None else []
    if not all(number is None or math.isfinite(number) for number in numbers):
        raise DataError("a score, time or memory is not a finite number")
    return judgement


def _filled(value: dict[str, Any]) -> dict[str, Any]:
    verdict = value.get("verdict")
    passed = verdict == Verdict.AC
    status = _STATUS.get(verdict, Status.INCORRECT) if isinstance(verdict, str) else "incorrect"
    tests = value.get("tests")
    if isinstance(tests, list):
        value = {**value, "tests": [_filled_test(test) for test in tests]}
    return {**_DEFAULTS, "passed": passed, "status": str(status), **value}


def _filled_test(test: Any) -> Any:
    return {**_TEST_DEFAULTS, **test} if isinstance(test, dict) else test


def _key(problem_id: str, solution_id: str) -> bytes:
    names = f"{len(problem_id)}:{problem_id}{solution_id}"
    return blake2b(names.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Results:
    """The results of a file, one for each solution: a later line counts in place of a JE."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._places: dict[bytes, Place] = {}
        self._failed: set[bytes] = set()

    def read(self, path: str, max_bytes: int) -> Iterator[BadLine]:
        """Take in a file; yields the lines that cannot be used."""
        with open_source(path) as source:
            for row in source.rows(max_bytes):
                if row.fault is not None:
                    yield bad_line(path, row, row.fault)
                    continue
                try:
                    self._add(result_from_line(row.raw))
                except DataError as error:
                    yield bad_line(path, row, error.message)

    def _add(self, judgement: Judgement) -> None:
        key = _key(judgement.problem_id, judgement.solution_id)
        if key in self._places and key not in self._failed:
            raise DataError("a second result of the same solution; the first one counts")
        if judgement.verdict is Verdict.JE:
            self._failed.add(key)
        else:
            self._failed.discard(key)
        self._places[key] = self._spool.put(judgement_to_json(judgement))

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Judgement]:
        for place in self._places.values():
            yield judgement_from_json(self._spool.get(place))

    def close(self) -> None:
        """Let go of the temporary file."""
        self._spool.close()


class Programs:
    """Solutions by name, with their place in their file."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._places: dict[bytes, tuple[int, Place]] = {}
        self._strangers = 0

    def add(self, solution: Solution) -> None:
        """Take in the next solution of the file."""
        value = [solution.code, solution.response, solution.language]
        place = self._spool.put(value)
        self._places[_key(solution.problem_id, solution.solution_id)] = len(self._places), place

    def of(self, judgement: Judgement) -> tuple[int, Solution | None]:
        """(place in the solutions file, the solution); those not there come after all others."""
        key = _key(judgement.problem_id, judgement.solution_id)
        if key not in self._places:
            self._strangers += 1
            return len(self._places) + self._strangers - 1, None
        position, place = self._places[key]
        code, response, language = self._spool.get(place)
        names = judgement.problem_id, judgement.solution_id
        return position, Solution(*names, code=code, response=response, language=language)

    def close(self) -> None:
        """Let go of the temporary file."""
        self._spool.close()
