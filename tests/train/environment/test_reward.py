"""The judge as the reward: statuses kept apart, verdicts remembered, nobody waits for it."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from microcoder_eval import Judge, JudgeError
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Judgement, Problem, Status
from microcoder_train.config import Config, Reward
from microcoder_train.environment.prompts import Prompt, PromptSet
from microcoder_train.environment.reward import RewardJudge
from microcoder_train.errors import ConfigError, TrainError
from microcoder_train.learner.advantages import compute_advantages, make_mini_batches
from microcoder_train.run.evaluate import compute_evaluation_metrics, measure_accuracy
from microcoder_train.run.metrics import compute_step_metrics
from microcoder_train.run.sampling import JudgedEngine
from microcoder_train.samples import Episode, Request, Sample, Sampling
from tests.train.digits import DigitTemplate, Make, make_sample

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
    "checker": {"source": "raise ValueError('no')\n", "language": "python", "protocol": "python"},
}


@pytest.fixture(scope="module")
def template(tiny: Path) -> DigitTemplate:
    return DigitTemplate(tiny)


@pytest.fixture(scope="module")
def reward_judge(template: DigitTemplate) -> Iterator[RewardJudge]:
    with RewardJudge(Reward(workers=1), template) as reward_judge:
        yield reward_judge


def prompt(template: DigitTemplate, row: dict[str, object] = PROBLEM) -> Prompt:
    return template.render(problem_from(row))


def judge_texts(
    reward_judge: RewardJudge, template: DigitTemplate, *texts: str, **row: object
) -> list[Episode]:
    problem_prompt = prompt(template, {**PROBLEM, **row})
    pending = [
        reward_judge.submit(template.answer(text, index=i), problem_prompt)
        for i, text in enumerate(texts)
    ]
    return [reward_judge.finish(one) for one in pending]


def test_statuses_are_kept_apart(reward_judge: RewardJudge, template: DigitTemplate) -> None:
    correct, incorrect, crash, truncated = judge_texts(
        reward_judge, template, "7)</s>", "8)</s>", "))</s>", "7)"
    )
    assert [g.judgement.status for g in (correct, incorrect, crash, truncated)] == [
        Status.CORRECT,
        Status.INCORRECT,
        Status.INCORRECT,
        Status.INCOMPLETE,
    ]
    assert [g.judgement.reward for g in (correct, incorrect, crash, truncated)] == [
        1.0,
        0.0,
        0.0,
        0.0,
    ]
    assert correct.judgement.solution_id == "seven#1"
    assert truncated.judgement.solution_id == "seven#4"
    assert truncated.judgement.meta["response"] == "7)"
    assert truncated.judgement.error == "no finished program"


def test_a_judges_failure_is_no_reward_and_is_not_remembered(
    reward_judge: RewardJudge, template: DigitTemplate
) -> None:
    for _ in range(2):
        judge_failure = judge_texts(reward_judge, template, "7)</s>", **BROKEN_CHECKER)[0]
        assert judge_failure.judgement.status is Status.ERROR
        assert judge_failure.reward is None


def test_a_judge_that_fails_on_too_many_samples_ends_the_run(template: DigitTemplate) -> None:
    """Of the last 500 samples .4 % may fail: two, and not a third."""
    with RewardJudge(Reward(workers=1, max_judge_errors=0.004), template) as reward_judge:
        for _ in range(2):
            judge_texts(reward_judge, template, "7)</s>", **BROKEN_CHECKER)
        with pytest.raises(JudgeError, match=r"3 of the last 3 answers.*max_judge_errors"):
            judge_texts(reward_judge, template, "7)</s>", **BROKEN_CHECKER)


def test_a_judge_that_ends_under_a_sample_fails_on_it(
    template: DigitTemplate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sample has no reward, and the reason is kept."""
    monkeypatch.setattr("microcoder_train.environment.reward.Judge", Judge)  # whose workers end
    with RewardJudge(Reward(workers=1), template) as reward_judge:
        pending = reward_judge.submit(template.answer("7)</s>"), prompt(template))
        reward_judge._judge.close(cancel=True)
        episode = reward_judge.finish(pending)
    assert episode.judgement.status is Status.ERROR
    assert episode.reward is None
    assert "closed" in (episode.judgement.error or "")


def test_a_failure_is_masked_and_counts_nowhere(
    reward_judge: RewardJudge, template: DigitTemplate, settings: Make
) -> None:
    group = judge_texts(reward_judge, template, "7)</s>", "8)</s>", "7)</s>", "9)</s>")
    judge_failure = judge_texts(reward_judge, template, "7)</s>", **BROKEN_CHECKER)[0]
    groups = [[*group[:3], replace(judge_failure, sample=group[3].sample)]]
    config = settings("train.train_batch_size=1", "train.ppo_mini_batch_size=1").config
    advantages = compute_advantages(groups, config, 0)
    assert advantages.advantages_PG[0, 3] == 0.0
    assert advantages.advantages_PG[0, :3].tolist() == pytest.approx(
        [0.577, -1.155, 0.577], abs=1e-3
    )
    metrics = compute_step_metrics(groups, advantages, [None])
    assert metrics["critic/rewards/mean"] == pytest.approx(2 / 3)
    assert metrics["reward/error_frac"] == 0.25
    assert measure_accuracy(groups)["accuracy"] == pytest.approx(2 / 3)


def test_a_failure_is_no_learning_signal(
    reward_judge: RewardJudge, template: DigitTemplate, settings: Make
) -> None:
    passes = judge_texts(reward_judge, template, "7)</s>", "7)</s>")
    judge_failure = judge_texts(reward_judge, template, "7)</s>", **BROKEN_CHECKER)[0]
    groups = [[*passes, judge_failure], [judge_failure] * 3]
    advantages = compute_advantages(groups, settings().config, 0)
    assert not advantages.advantages_PG.any()
    metrics = compute_step_metrics(groups, advantages, [None, None])
    assert metrics["group/mixed_frac"] == 0.0
    assert metrics["group/all_one_frac"] == 0.5
    assert metrics["group/all_zero_frac"] == 0.0
    groups[0][:2] = [replace(episode, reward=-1.0) for episode in passes]  # of the user's function
    metrics = compute_step_metrics(
        groups, compute_advantages(groups, settings().config, 0), [None, None]
    )
    assert metrics["group/all_zero_frac"] == 0.0


RANDOM = {"starter_code": "import random\nprint(random.getrandbits(64), "}


def test_the_same_program_of_a_problem_is_judged_once(
    reward_judge: RewardJudge, template: DigitTemplate
) -> None:
    first, second = judge_texts(reward_judge, template, "7)</s>", "7)\n", **RANDOM)
    assert first.judgement.tests == second.judgement.tests
    assert [g.judgement.solution_id for g in (first, second)] == ["seven#1", "seven#2"]
    # A copy of the problem under another name gets the verdict with its own name.
    (copy,) = judge_texts(reward_judge, template, "7)</s>", **RANDOM, problem_id="copy")
    assert copy.judgement.tests == first.judgement.tests
    assert (copy.judgement.problem_id, copy.judgement.solution_id) == ("copy", "copy#1")


def test_the_memory_can_be_switched_off(template: DigitTemplate) -> None:
    with RewardJudge(Reward(workers=1, reuse=False), template) as off:
        first, second = judge_texts(off, template, "7)</s>", "7)</s>", **RANDOM)
        assert first.judgement.tests != second.judgement.tests  # each prints a number of its own


def halve(text: str, problem: Problem, judgement: Judgement | None) -> float | None:
    """A reward beside the judge's."""
    assert judgement is not None
    return 0.5 * judgement.passed - 0.01 * len(text)


async def prefer_sevens(text: str, problem: Problem, judgement: Judgement | None) -> float | None:
    """A reward without the judge; none for an eight."""
    assert judgement is None
    await asyncio.sleep(0)
    return None if "8" in text else float(text.count("7"))


def fail(text: str, problem: Problem, judgement: Judgement | None) -> float:
    if "9" in text:
        problem_from({})
    return math.nan if "8" in text else float(text)


def test_the_users_reward_stands_beside_the_judges_verdict(template: DigitTemplate) -> None:
    with RewardJudge(Reward(workers=1, function=f"{__name__}:halve"), template) as own:
        right, wrong = judge_texts(own, template, "7)</s>", "8)</s>")
        broken = judge_texts(own, template, "7)</s>", **BROKEN_CHECKER)[0]
    assert [episode.reward for episode in (right, wrong)] == [0.48, -0.02]
    assert [episode.judgement.passed for episode in (right, wrong)] == [True, False]
    assert broken.reward is None


def test_an_async_reward_stands_alone_without_the_judge(template: DigitTemplate) -> None:
    settings = Reward(workers=1, function=f"{__name__}:prefer_sevens", judge=False)
    with RewardJudge(settings, template) as own:
        right, wrong, none, cut = judge_texts(own, template, "7)</s>", "9)</s>", "8)</s>", "9)")
    assert [episode.reward for episode in (right, wrong, none, cut)] == [1.0, 0.0, None, 0.0]
    assert [episode.judgement.status for episode in (right, wrong, none, cut)] == [
        Status.CORRECT, Status.INCORRECT, Status.ERROR, Status.INCOMPLETE,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7)</s>", r"on a response to seven: ValueError.* \(test_reward.py:\d+\)"),
        ("9)</s>", r"DataError.* \(test_reward.py:\d+\)"),  # raised in a file of ours
        ("8)</s>", "returned nan"),
    ],
)
def test_a_reward_function_that_fails_ends_the_run(
    template: DigitTemplate, text: str, message: str
) -> None:
    settings = Reward(workers=1, function=f"{__name__}:fail", judge=False)
    with RewardJudge(settings, template) as own, pytest.raises(TrainError, match=message):
        judge_texts(own, template, text)


@pytest.mark.parametrize("name", ["nothing", "no_such_module:f", f"{__name__}:PROBLEM"])
def test_a_reward_function_that_is_none_is_refused(template: DigitTemplate, name: str) -> None:
    with pytest.raises(ConfigError, match=f"reward.function={name}"):
        RewardJudge(Reward(function=name), template)


def test_the_lcb_comparer_is_asked_beside_ours(template: DigitTemplate) -> None:
    row = {"tests": [{"input": "", "output": "7.0000001\n"}]}
    problem_prompt = prompt(template, {**PROBLEM, **row})
    with RewardJudge(Reward(workers=1, shadow=True), template) as both:
        result = both.finish(both.submit(template.answer("7)</s>"), problem_prompt, "shadow"))
    assert result.judgement.passed
    assert result.shadow_passed is False


def test_a_failure_of_the_lcb_comparer_is_no_wrong_answer(template: DigitTemplate) -> None:
    with RewardJudge(Reward(workers=1, shadow=True), template) as both:
        pending = both.submit(template.answer("7)</s>"), prompt(template), "shadow")
        assert pending.shadow is not None
        judged = pending.shadow.result()
        failure: Future[Judgement] = Future()
        failure.set_result(replace(judged, status=Status.ERROR, passed=False))
        closed: Future[Judgement] = Future()
        closed.set_exception(JudgeError("the judge was closed"))
        for shadow in (failure, closed):
            assert both.finish(replace(pending, shadow=shadow)).shadow_passed is None


def test_both_accuracies_are_means_over_problems_and_diversity_has_no_stop_tokens() -> None:
    problem, other = (problem_from({**PROBLEM, "problem_id": name}) for name in ("a", "b"))

    def episode(status: Status, shadow: bool | None, ids: list[int], of: Problem) -> Episode:
        judged = make_episode(status, ids, 9, of)
        judgement = replace(judged.judgement, passed=status is Status.CORRECT)
        return replace(judged, judgement=judgement, shadow_passed=shadow)

    correct, error, stop = Status.CORRECT, Status.ERROR, 99
    groups = [
        [episode(correct, True, [1, 2, 3, 4, stop], problem)] * 3
        + [episode(correct, False, [1, 2, 3, 4, stop], problem)],
        [episode(Status.INCORRECT, False, [1, 2, 3, stop], other), episode(error, None, [], other)],
    ]
    prompts = PromptSet((Prompt(problem, "", (1,)), Prompt(other, "", (1,))))
    metrics = compute_evaluation_metrics(groups, prompts)
    assert metrics["accuracy"] == 0.5
    assert metrics["accuracy_lcb"] == 0.375  # the mean of 3/4 and 0, not 3/5
    assert metrics["disagree_frac"] == 0.2
    assert metrics["diversity"] == 0.25  # one 4-gram, four times


class Answers:
    """An engine that gives prepared answers, each after its own time."""

    def __init__(self, samples: Sequence[tuple[float, Sample]]) -> None:
        self._samples = sorted(samples, key=lambda pair: pair[0])
        self._start_event = threading.Event()

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        started = time.perf_counter()
        for due, finished_sample in self._samples:
            self._start_event.wait(max(0.0, due - (time.perf_counter() - started)))
            on_finish(finished_sample)

    def sync(self, model: torch.nn.Module, version: int) -> None: ...

    def close(self) -> None: ...


class OrderedAnswers(Answers):
    """An engine that answers in the order in which it is asked."""

    def __init__(self, template: DigitTemplate) -> None:
        self._template, self.order = template, list[str]()

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        for request in requests:
            self.order.append(request.problem_id)
            on_finish(self._template.answer("7)</s>", request.problem_id))


class ThreadTemplate(DigitTemplate):
    """Notes which threads turn answers into programs."""

    threads: frozenset[int] = frozenset()

    def make_judge_input(self, sample: Sample, prompt: Prompt) -> dict[str, str]:
        self.threads |= {threading.get_ident()}
        return super().make_judge_input(sample, prompt)


def test_long_answers_start_first_and_another_thread_feeds_the_judge(tiny: Path) -> None:
    template = ThreadTemplate(tiny)
    names = ["short", "long", "new"]
    problems = [problem_from({**PROBLEM, "problem_id": name}) for name in names]
    prompts = [template.render(problem) for problem in problems]
    engine, lengths = OrderedAnswers(template), {"short": 2.0, "long": 9.0}
    with RewardJudge(Reward(workers=1), template) as reward_judge:
        groups, _ = JudgedEngine(engine, reward_judge).sample(
            prompts, Sampling(1, 1.0, 9, (0,)), lengths=lengths
        )
    assert engine.order == ["new", "long", "short"]
    assert [group[0].sample.request.problem_id for group in groups] == names
    assert len(template.threads - {threading.get_ident()}) == 1 == len(template.threads)


def _measure_wait(
    tiny: Path, samples: int, seconds: float, limits: dict[str, float], endless: str
) -> float:
    """Seconds of waiting for the judge after the last of ``samples``, a tenth of them endless.

    ``seconds`` is the time that sampling takes.
    """
    row = {**PROBLEM, "starter_code": "x = ", "limits": limits}
    template = _Verbatim(tiny)
    problem_prompt = Prompt(problem_from(row), "", (1,))
    arrivals = []
    for i in range(samples):
        code = f"{endless if i % 10 == 0 else 'print(7)'}  # {i}"
        template.programs[i] = code
        arrivals.append((seconds * i / samples, template.answer("7)</s>", index=i)))
    with RewardJudge(Reward(), template) as reward_judge:
        template.programs[samples] = "print(7)  # starts the workers"
        first = reward_judge.submit(template.answer("7)</s>", index=samples), problem_prompt)
        reward_judge.finish(first)
        engine = JudgedEngine(Answers(arrivals), reward_judge)
        groups, wait_seconds = engine.sample([problem_prompt], Sampling(samples, 1.0, 9, (0,)))
    assert sum(g.judgement.passed for g in groups[0]) == samples - -(-samples // 10)
    assert sum(str(g.judgement.verdict) == "TLE" for g in groups[0]) == -(-samples // 10)
    return wait_seconds


class _Verbatim(DigitTemplate):
    """Gives the judge a prepared program for each sample."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.programs: dict[int, str] = {}

    def make_judge_input(self, sample: Sample, prompt: Prompt) -> dict[str, str]:
        return {"code": self.programs[sample.index]}


@pytest.mark.slow
@pytest.mark.timed
def test_judging_goes_on_while_others_are_sampled(tiny: Path) -> None:
    # Asleep, so that a crowded machine does not take longer to find that out.
    sleep, limits = "__import__('time').sleep(99)", {"time_s": 0.2, "wall_s": 0.5}
    one_limit = _measure_wait(tiny, 10, 0.0, limits, sleep)
    assert _measure_wait(tiny, 40, 4.0, limits, sleep) < one_limit


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.long
def test_a_minute_of_512_samples_leaves_less_than_one_time_limit_to_wait(tiny: Path) -> None:
    limits, endless = {"time_s": 2.0}, "while 1: pass"
    one_limit = _measure_wait(tiny, 10, 0.0, limits, endless)
    assert _measure_wait(tiny, 512, 60.0, limits, endless) < 1.5 * one_limit


def make_episode(status: Status, ids: list[int], length: int, problem: Problem) -> Episode:
    from microcoder_eval.judgements import make_judgement
    from microcoder_eval.records import Solution
    from microcoder_eval.settings import JudgeOptions
    from microcoder_eval.worker.messages import SolutionReply

    reply = SolutionReply(4, None, (), "")
    judgement = make_judgement(problem, Solution("seven", "s", code=""), reply, JudgeOptions())
    judgement = replace(judgement, status=status)
    sample = make_sample(ids, "length" if len(ids) == length else "stop", length)
    return Episode(sample, "", judgement, judgement.reward)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("none", [False] * 6),
        ("all", [True, True, True, True, False, False]),
        ("conditional", [True, True, False, False, False, False]),
    ],
)
def test_which_responses_are_masked(settings: Make, mode: str, expected: list[bool]) -> None:
    problem = problem_from(PROBLEM)
    loop = list(range(4)) * 2
    group = [
        make_episode(Status.CORRECT, list(range(8)), 8, problem),
        make_episode(Status.INCOMPLETE, list(range(8)), 8, problem),
        make_episode(Status.INCORRECT, list(range(8)), 8, problem),  # keeps its negative advantage
        make_episode(Status.INCOMPLETE, loop, 8, problem),
        make_episode(Status.CORRECT, [1, 2], 8, problem),
        make_episode(Status.INCOMPLETE, [1, 2], 8, problem),
    ]
    config = settings(f"mask.mode={mode}", "mask.rho=1", "mask.window=4").config
    advantages = compute_advantages([group], config, 0)
    assert advantages.masked_PG[0].tolist() == expected
    assert (advantages.advantages_PG[0][advantages.masked_PG[0]] == 0).all()
    loss_scope: Config = settings(
        f"mask.mode={mode}", "mask.rho=1", "mask.window=4", "mask.scope=loss"
    ).config
    rows = make_mini_batches([group], advantages, loss_scope)[0]
    assert [not row.counted for row in rows] == expected


def test_points_are_the_reward_where_the_settings_say_so(template: DigitTemplate) -> None:
    episode = make_episode(Status.INCORRECT, [1], 2, problem_from(PROBLEM))
    judgement = replace(episode.judgement, passed=False, points=30.0, max_points=40.0)
    judged: Future[Judgement] = Future()
    judged.set_result(judgement)
    for reward, expected in (("passed", 0.0), ("points", 0.75)):
        with RewardJudge(Reward(workers=1, reward=reward), template) as own:
            pending = own.submit(episode.sample, prompt(template))
            assert own.finish(replace(pending, judgement=judged)).reward == expected
