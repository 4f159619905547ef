"""Room for tasks: it is given in order, and whoever waits learns that there will be none."""

from __future__ import annotations

import pytest

from microcoder_eval import JudgeError, Solution
from microcoder_eval.pool.tasks import Admission, Task
from microcoder_eval.worker.messages import SolutionRequest

REQUEST = SolutionRequest("", Solution("p", "s", "while True: pass"))


def test_room_is_given_to_another_where_the_one_it_was_for_is_gone() -> None:
    admission = Admission(1)
    first, second, third = (Task(REQUEST, None, str) for _ in range(3))
    assert admission.request_admission(first).done()
    refused, admitted = admission.request_admission(second), admission.request_admission(third)
    assert refused.cancel()
    assert not admitted.done()
    assert first.future.cancel()
    assert admitted.done()


def test_who_waits_for_room_learns_that_there_will_be_none() -> None:
    admission = Admission(1)
    admission.admit(Task(REQUEST, None, str))
    request = admission.request_admission(Task(REQUEST, None, str))
    admission.close("closed")
    assert isinstance(request.exception(timeout=1), JudgeError)
    with pytest.raises(JudgeError, match="closed"):
        admission.request_admission(Task(REQUEST, None, str))
