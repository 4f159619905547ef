"""The judge as the reward: statuses kept apart, verdicts remembered, nobody waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer

from microcoder_eval.formats import problem_from
from microcoder_eval.records import Problem, Status
from microcoder_train.config import Config, Data, Reward, Settings
from microcoder_train.credit import assign_credit, rows_of
from microcoder_train.data import Prompt, Template
from microcoder_train.evaluate import accuracy, sample_and_judge
from microcoder_train.metrics import step_metrics
from microcoder_train.reward import Grader
from microcoder_train.samples import Graded, Request, Sample

PROBLEM = {
    "problem_id": "seven",
    "kind": "stdin",
    "starter_code": "#7\nprint(",
    "tests": [{"input": "", "output": "7\n"}],
    "limits": {"time_s": 2},
}
BROKEN_CHECKER = {
    **PROBLEM,
    "problem_id": "broken",
    "checker": {
        "source": "def check(input, output, expected):\n    raise ValueError('no')\n",
        "language": "python",
        "protocol": "python",
    },
}


@pytest.fixture(scope="module")
def template(tiny: Path) -> Template:
    tokenizer = AutoTokenizer.from_pretrained(tiny / "model")
    return Template(Data(template="completion"), tokenizer)


@pytest.fixture(scope="module")
def grader(template: Template) -> Iterator[Grader]:
    with Grader(Reward(workers=1), template) as made:
        yield made


def prompt(template: Template, row: dict[str, object] = PROBLEM) -> Prompt:
    return template.render(problem_from(row))


def sample(template: Template, text: str, index: int = 0, name: str = "seven") -> Sample:
    ids = tuple(template._tokenizer(text).input_ids)
    finish = "stop" if text.endswith(("</s>", "\n")) else "length"
    return Sample(name, index, (12, 9, 22), ids, (-1.0,) * len(ids), finish, 1.0, len(ids), 0)  # type: ignore[arg-type]


def graded(grader: Grader, template: Template, *texts: str, **row: object) -> list[Graded]:
    asked = prompt(template, {**PROBLEM, **row})
    pending = [grader.submit(sample(template, t, i), asked) for i, t in enumerate(texts)]
    return [judged.result() for judged in pending]


def test_statuses_are_kept_apart(grader: Grader, template: Template) -> None:
    right, wrong, crash, cut = graded(grader, template, "7)</s>", "8)</s>", "))</s>", "7)")
    assert [g.judgement.status for g in (right, wrong, crash, cut)] == [
        Status.CORRECT,
        Status.INCORRECT,
        Status.INCORRECT,
        Status.INCOMPLETE,
    ]
    assert [g.judgement.reward for g in (right, wrong, crash, cut)] == [1.0, 0.0, 0.0, 0.0]
    assert right.judgement.solution_id == "seven#1"
    assert cut.judgement.solution_id == "seven#4"
    assert cut.judgement.meta["response"] == "7)"
    assert cut.judgement.error == "no finished program"


def test_a_judges_failure_is_no_reward_and_is_not_remembered(
    grader: Grader, template: Template
) -> None:
    before = grader.remembered
    for _ in range(2):
        failed = graded(grader, template, "7)</s>", **BROKEN_CHECKER)[0]
        assert failed.judgement.status is Status.ERROR
        assert failed.judgement.reward is None
    assert grader.remembered == before


def test_a_failure_is_masked_and_counts_nowhere(
    grader: Grader, template: Template, settings: Callable[..., Settings]
) -> None:
    group = graded(grader, template, "7)</s>", "8)</s>", "7)</s>", "9)</s>")
    failed = graded(grader, template, "7)</s>", **BROKEN_CHECKER)[0]
    groups = [[*group[:3], replace(failed, sample=group[3].sample)]]
    config = settings("train.train_batch_size=1", "train.ppo_mini_batch_size=1").config
    credit = assign_credit(groups, config, 0)
    assert credit.advantages_PG[0, 3] == 0.0
    assert credit.advantages_PG[0, :3].tolist() == pytest.approx([0.577, -1.155, 0.577], abs=1e-3)
    found = step_metrics(groups, credit, frozenset({1}), [None])
    assert found["critic/rewards/mean"] == pytest.approx(2 / 3)
    assert found["reward/error_frac"] == 0.25
    assert accuracy(groups)["accuracy"] == pytest.approx(2 / 3)


def test_the_same_program_of_a_problem_is_judged_once(grader: Grader, template: Template) -> None:
    row = {"problem_id": "nine", "tests": [{"input": "", "output": "9\n"}]}
    asked, known = grader.asked, grader.remembered
    results = graded(grader, template, "9)</s>", "9)\n", "9)</s>", "8)</s>", **row)
    assert grader.asked - asked == 4
    assert grader.remembered - known == 2
    assert [g.judgement.passed for g in results] == [True, True, True, False]
    assert [g.judgement.solution_id for g in results] == ["nine#1", "nine#2", "nine#3", "nine#4"]


def test_the_memory_is_bounded_and_can_be_switched_off(template: Template) -> None:
    with Grader(Reward(workers=1, cache_size=1), template) as small:
        graded(small, template, "7)</s>", "8)</s>", "7)</s>")
        assert small.remembered == 0
    with Grader(Reward(workers=1, cache=False), template) as off:
        row = {"starter_code": "import random\nprint(random.getrandbits(64), "}
        one, two = graded(off, template, "7)</s>", "7)</s>", **row)
        assert off.remembered == 0
        assert one.judgement.tests != two.judgement.tests  # each prints a number of its own


def test_the_lcb_comparer_is_asked_beside_ours(template: Template) -> None:
    row = {"tests": [{"input": "", "output": "7.0000001\n"}]}
    asked = prompt(template, {**PROBLEM, **row})
    with Grader(Reward(workers=1, shadow=True), template) as both:
        result = both.submit(sample(template, "7)</s>"), asked, shadow=True).result()
    assert result.judgement.passed
    assert result.shadow_passed is False


class Answers:
    """An engine that gives prepared answers, each after its own time."""

    def __init__(self, samples: Sequence[tuple[float, Sample]]) -> None:
        self._samples = sorted(samples, key=lambda pair: pair[0])
        self._started = threading.Event()

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        started = time.perf_counter()
        for due, made in self._samples:
            self._started.wait(max(0.0, due - (time.perf_counter() - started)))
            on_finish(made)

    def sync(self, model: torch.nn.Module, version: int) -> None: ...

    def close(self) -> None: ...


def _waited(
    template: Template, samples: int, seconds: float, limits: dict[str, float], endless: str
) -> float:
    """Seconds of waiting for the judge after the last of ``samples``, a tenth of them endless."""
    row = {**PROBLEM, "starter_code": "x = ", "limits": limits}
    template = _Verbatim(template._data, template._tokenizer)
    asked = Prompt(problem_from(row), "", (1,))
    made = []
    for i in range(samples):
        code = f"{endless if i % 10 == 0 else 'print(7)'}  # {i}"
        template.programs[i] = code
        made.append((seconds * i / samples, sample(template, "7)</s>", i)))
    with Grader(Reward(), template) as grader:
        groups, waited = sample_and_judge(
            Answers(made), grader, [asked], (0,), n=samples, temperature=1.0, max_tokens=9
        )
    assert sum(g.judgement.passed for g in groups[0]) == samples - -(-samples // 10)
    assert sum(str(g.judgement.verdict) == "TLE" for g in groups[0]) == -(-samples // 10)
    return waited


class _Verbatim(Template):
    """Gives the judge a prepared program for each sample."""

    def __init__(self, data: Data, tokenizer: object) -> None:
        super().__init__(data, tokenizer)  # type: ignore[arg-type]
        self.programs: dict[int, str] = {}

    def answer(self, sample: Sample, prompt: Prompt) -> dict[str, str]:
        return {"code": self.programs[sample.index]}


@pytest.mark.slow
def test_judging_goes_on_while_others_are_sampled(template: Template) -> None:
    # Asleep, so that a crowded machine does not take longer to find that out.
    sleep, limits = "__import__('time').sleep(99)", {"time_s": 0.2, "wall_s": 0.5}
    assert _waited(template, 40, 4.0, limits, sleep) < 0.5 + 1


@pytest.mark.long
def test_a_minute_of_512_samples_leaves_less_than_one_time_limit_to_wait(
    template: Template,
) -> None:
    assert _waited(template, 512, 60.0, {"time_s": 2.0}, "while 1: pass") < 2.0 + 1


def judged(status: Status, ids: list[int], length: int, problem: Problem) -> Graded:
    from microcoder_eval.api import judgement_of
    from microcoder_eval.records import Solution
    from microcoder_eval.settings import Settings as JudgeSettings

    made = judgement_of(
        problem, Solution("seven", "s", code=""), {"results": None}, JudgeSettings(), ""
    )
    made = replace(made, status=status)
    finish = "length" if len(ids) == length else "stop"
    drawn = Sample("seven", 0, (1,), tuple(ids), (0.0,) * len(ids), finish, 1.0, length, 0)  # type: ignore[arg-type]
    return Graded(drawn, "", made)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("none", [False] * 6),
        ("all", [True, True, True, True, False, False]),
        ("conditional", [True, True, False, False, False, False]),
    ],
)
def test_which_responses_are_masked(
    settings: Callable[..., Settings], mode: str, expected: list[bool]
) -> None:
    problem = problem_from(PROBLEM)
    loop = list(range(4)) * 2
    group = [
        judged(Status.CORRECT, list(range(8)), 8, problem),
        judged(Status.INCOMPLETE, list(range(8)), 8, problem),
        judged(Status.INCORRECT, list(range(8)), 8, problem),  # keeps its negative advantage
        judged(Status.INCOMPLETE, loop, 8, problem),
        judged(Status.CORRECT, [1, 2], 8, problem),
        judged(Status.INCOMPLETE, [1, 2], 8, problem),
    ]
    config = settings(f"mask.mode={mode}", "mask.rho=1", "mask.window=4").config
    credit = assign_credit([group], config, 0)
    assert credit.masked_PG[0].tolist() == expected
    assert (credit.advantages_PG[0][credit.masked_PG[0]] == 0).all()
    dropped: Config = settings(
        f"mask.mode={mode}", "mask.rho=1", "mask.window=4", "mask.scope=loss"
    ).config
    rows = rows_of([group], credit, dropped)[0]
    assert [not row.counted for row in rows] == expected
