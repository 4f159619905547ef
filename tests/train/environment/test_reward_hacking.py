"""Whether rewards are earned: honeypots that no honest program passes, and tests held back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from microcoder_eval.formats import problem_from
from microcoder_eval.records import Status, Test
from microcoder_train.config import Config, Reward
from microcoder_train.environment.reward import RewardJudge
from microcoder_train.environment.reward_hacking import choose_honeypots, hold_back_tests
from microcoder_train.errors import TrainError
from microcoder_train.run import step_sampler
from microcoder_train.run.metrics import measure_guards
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Episode
from tests.files import read_jsonl
from tests.train.digits import DigitTemplate, Make

PROBLEM = problem_from(
    {
        "problem_id": "seven",
        "kind": "stdin",
        "starter_code": "#7\nprint(",
        "tests": [{"input": f"{i}\n", "output": "7\n"} for i in range(10)],
        "limits": {"time_s": 2},
    }
)
SMALL = (
    "train.steps=2",
    "train.train_batch_size=4",
    "train.ppo_mini_batch_size=4",
    "rollout.n=4",
    "data.eval=",
)


def grade(tiny: Path, reward: Reward, *, changes_hidden: bool) -> Episode:
    """The episode of a program that always prints 7, which hidden tests may not want."""
    template = DigitTemplate(tiny)
    _, hidden = hold_back_tests(PROBLEM, reward.held_back)
    inputs = {test.input for test in hidden.tests} if hidden and changes_hidden else set()
    tests = tuple(Test(t.input, "8\n" if t.input in inputs else t.output) for t in PROBLEM.tests)
    prompt = template.render(replace(PROBLEM, tests=tests))
    with RewardJudge(reward, template) as reward_judge:
        pending = reward_judge.submit(template.answer("7)</s>"), prompt, "held_back")
        return reward_judge.finish(pending)


def test_tests_that_are_held_back_give_no_reward_and_show_what_is_hard_coded(tiny: Path) -> None:
    reward = Reward(workers=1, held_back=0.3)
    hard_coded, honest = (grade(tiny, reward, changes_hidden=flag) for flag in (True, False))
    assert (hard_coded.reward, hard_coded.hidden_passed) == (1.0, False)
    assert (honest.reward, honest.hidden_passed) == (1.0, True)
    metrics = measure_guards([[hard_coded, honest]], [])
    assert metrics == {"reward/visible_minus_hidden": 0.5}
    unjudged = replace(honest.judgement, status=Status.ERROR, passed=False)
    assert (
        measure_guards([[hard_coded, honest, replace(honest, judgement=unjudged)]], []) == metrics
    )
    assert grade(tiny, Reward(workers=1), changes_hidden=False).hidden_passed is None


def test_problems_with_the_same_tests_keep_their_names(tiny: Path) -> None:
    template = DigitTemplate(tiny)
    with RewardJudge(Reward(workers=1, held_back=0.3), template) as reward_judge:
        for name in ("seven", "eight"):
            prompt = template.render(replace(PROBLEM, problem_id=name))
            pending = reward_judge.submit(template.answer("7)</s>", name), prompt, "held_back")
            assert reward_judge.finish(pending).judgement.problem_id == name


def test_the_same_tests_are_held_back_every_time_and_one_at_least_is_not() -> None:
    visible, hidden = hold_back_tests(PROBLEM, 0.3)
    assert hidden is not None
    assert (len(visible.tests), len(hidden.tests)) == (7, 3)
    assert {*visible.tests} | {*hidden.tests} == {*PROBLEM.tests}
    assert hold_back_tests(PROBLEM, 0.3)[1] == hidden
    assert len(hold_back_tests(PROBLEM, 0.99)[0].tests) == 1
    assert hold_back_tests(replace(PROBLEM, tests=PROBLEM.tests[:1]), 0.9)[1] is None
    assert hold_back_tests(replace(PROBLEM, checker={"source": ""}), 0.3)[1] is None


def test_honeypots_are_as_many_as_was_asked_for_and_none_is_in_the_batch(
    settings: Make, tmp_path: Path
) -> None:
    trainer = Trainer(settings(*SMALL), tmp_path)
    prompts = trainer.train_prompts.prompts
    batch = list(prompts[:10])
    counts = []
    for step in range(100):
        chosen = choose_honeypots(prompts, batch, 0.15, 0, step)
        counts.append(len(chosen))
        names = {prompt.problem.problem_id for prompt in chosen}
        assert not names & {prompt.problem.problem_id for prompt in batch}
        outputs = [test.output for prompt in chosen for test in prompt.problem.tests]
        assert all(output.startswith("secret ") for output in outputs)
    assert {*counts} == {1, 2}
    assert 1.3 < sum(counts) / 100 < 1.7


def test_nothing_is_learned_from_honeypots_and_honest_programs_pass_none(
    settings: Make, tmp_path: Path
) -> None:
    plain, guarded = (
        Trainer(settings(*SMALL, f"guard.honeypots={share}"), tmp_path / str(share))
        for share in (0, 0.5)
    )
    for trainer in (plain, guarded):
        trainer.run()
    assert [line["reward/hack_rate"] for line in guarded.record.history] == [0.0, 0.0]
    assert "reward/hack_rate" not in plain.record.history[0]
    for ours, theirs in zip(plain.policy.parameters, guarded.policy.parameters, strict=True):
        assert torch.equal(ours, theirs)


def test_a_pass_is_an_alarm_with_the_answer(
    settings: Make,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No attack passes the judge, so problems that keep their outputs stand for honeypots."""
    monkeypatch.setattr(step_sampler, "choose_honeypots", lambda prompts, *_: list(prompts[:8]))
    trainer = Trainer(settings(*SMALL, "train.steps=1"), tmp_path)
    trainer.run()
    answers = read_jsonl(tmp_path / "samples/hack_000001.jsonl")
    assert trainer.record.history[-1]["reward/hack_rate"] == len(answers) / (8 * 4) > 0
    assert f"ALARM step 1: {len(answers)} answers pass a honeypot" in capsys.readouterr().err
    assert {answer["verdict"] for answer in answers} == {"AC"}


def test_both_need_the_judge() -> None:
    with pytest.raises(ValueError, match="need the judge"):
        Config.model_validate(
            {"reward": {"judge": False, "function": "a:b"}, "guard": {"honeypots": 0.1}}
        )


def test_a_run_that_can_hold_nothing_back_is_refused(settings: Make, tmp_path: Path) -> None:
    with pytest.raises(TrainError, match=r"held_back: 0 of \d+ problems have tests"):
        Trainer(settings("reward.held_back=0.3"), tmp_path)
