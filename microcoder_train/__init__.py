"""MicroCoder-GRPO: the training loop whose reward is the judge.

    grpo, diversity, schedule, counter      the paper's mathematics: pure functions
    config, presets                         every setting and where its default comes from
    data -> rollout -> reward -> credit -> update -> metrics, log, checkpoint     one step's road
    trainer                                 the loop; evaluate, probe, plot, doctor: the verbs

Nothing is imported here: torch takes seconds, and ``microcoder-train --help`` should not.
"""
