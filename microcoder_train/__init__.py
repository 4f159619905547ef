"""MicroCoder-GRPO: a training loop whose reward is the judge.

    algorithm     the mathematics: advantages, loss, diversity, schedules, random draws by name
    environment   problems as prompts, and the judge as the reward
    rollout       engines that sample responses, and weights pushed to them
    learner       advantages, micro-batches, the model and its update
    run           the loop: evaluation, metrics, checkpoints, signals
    cli           the commands run, probe, eval, plot and doctor

config, config_layers, presets, errors, parallel and samples are shared. Folders import only those
above them in the order algorithm, config, environment, learner, rollout, run, cli. Nothing is
imported here: torch takes seconds, and ``microcoder-train --help`` must not.
"""
