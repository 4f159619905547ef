"""Runs one stage, or the stages of a recipe, each on the output of the one before."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.manifest import Files, Manifest
from microcoder_data.recipe import Recipe, parse_recipe, read_recipe
from microcoder_data.stage import Stage
from microcoder_eval.console.guard import EXIT_JUDGE, EXIT_USAGE
from microcoder_eval.console.streams import print_facts, print_note
from microcoder_eval.errors import UsageError
from microcoder_eval.pool.cores import usable_cores

from .manifest_tables import print_manifests
from .parser import PROG

_EXIT_EMPTY = 1
# Of each stage: its class, imported where it is used, and what the class takes of a recipe besides
# the stage's own section.
_STAGES = {
    "collect": ("collect:CollectStage", "max_line_mb"),
    "process": ("process.stage:ProcessStage",),
    "review": ("review:ReviewStage",),
    "filter": ("filter.stage:FilterStage", "seed"),
    "decontaminate": ("decontaminate.stage:DecontaminateStage", "max_line_mb"),
    "verify": ("verify.stage:VerifyStage", "seed", "run.solutions", "run.labels"),
    "strengthen": ("strengthen.stage:StrengthenStage", "seed", "run.solutions", "run.labels"),
}


def run(args: Any) -> int:
    """Run the stages of a command; returns the exit code."""
    if args.command == "run":
        return _run_recipe(args)
    recipe = _apply_options(read_recipe(args.recipe), args)
    config = _make_config(args, recipe, list(args.inputs), args.output)
    return _report([_run_one_stage(_make_stage(args.command, recipe), config)], args.json)


def _run_recipe(args: Any) -> int:
    recipe = _apply_options(read_recipe(args.recipe_file), args)
    out = args.output or recipe.run.output
    if out is None:
        raise UsageError('no output: give -o OUT, or "output" in the recipe\'s [run]')
    inputs = list(args.inputs or recipe.run.inputs)
    if not inputs:
        raise UsageError('no input: name INPUT, or "inputs" in the recipe\'s [run]')
    Files.from_output(out).refuse_misuse(inputs)  # later stages read other files
    manifests = []
    names = recipe.list_stages()
    # All before the first runs: a fault in any is reported at once.
    stages = [_make_stage(name, recipe) for name in names]
    for number, (name, stage) in enumerate(zip(names, stages, strict=True), 1):
        is_last = number == len(stages)
        stage_out = out if is_last else str(_name_intermediate(out, number, name))
        config = _make_config(args, recipe, inputs, stage_out)
        manifests.append(_run_one_stage(stage, config))
        if manifests[-1].pending:
            break  # later stages would have to run again
        inputs = [stage_out]
    return _report(manifests, args.json, names[len(manifests) :])


def _name_intermediate(out: str, number: int, name: str) -> Path:
    """Return the output of a stage before the last: corpus.1-collect.jsonl beside corpus.jsonl."""
    paths = Files.from_output(out).paths
    return paths.journal.with_name(
        paths.journal.name.removesuffix("part") + f"{number}-{name}.jsonl"
    )


def _make_config(args: Any, recipe: Recipe, inputs: list[str], out: str) -> RunConfig:
    return RunConfig(
        inputs=inputs,
        out=out,
        resume=args.resume,
        force=args.force,
        workers=args.workers or usable_cores(),
        seed=recipe.seed,
        max_line_mb=recipe.max_line_mb,
    )


def _apply_options(recipe: Recipe, args: Any) -> Recipe:
    """Return the recipe with the options of the command line. Those of a stage have the place of
    their setting as a name ("filter.difficulty.pass_rates")."""
    if args.seed is not None:
        recipe = recipe.model_copy(update={"seed": args.seed})
    for name, value in vars(args).items():
        if "." in name and value:
            value = tuple(value) if isinstance(value, list) else value
            recipe = parse_recipe(_set_value(recipe, name.split("."), value))
    return recipe


def _set_value(section: BaseModel | None, path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return the values of a section, which may be missing, with another at a place in it."""
    name, *rest = path
    values = {key: getattr(section, key) for key in section.model_fields_set} if section else {}
    return values | {name: _set_value(values.get(name), rest, value) if rest else value}


def _run_one_stage(stage: Stage, config: RunConfig) -> Manifest:
    try:
        return run_stage(stage, config)
    except KeyboardInterrupt:
        path = Files.from_output(config.out).paths.journal
        if path.exists():
            _tell(
                f"finished problems are in {path}: run the same command with --resume to continue"
            )
        raise


def _make_stage(name: str, recipe: Recipe) -> Stage:
    _check_needs(name, recipe)
    class_name, *settings = _STAGES[name]
    arguments = (attrgetter(setting)(recipe) for setting in (name, *settings))
    stage: Stage = pkgutil.resolve_name(f"microcoder_data.{class_name}")(*arguments)
    return stage


def _check_needs(name: str, recipe: Recipe) -> None:
    """Raise UsageError where the recipe lacks what a stage needs."""
    if name == "review" and recipe.review.endpoint is None:
        raise UsageError("review needs an endpoint: [review.endpoint] in the recipe")
    if name == "decontaminate" and not recipe.decontaminate.against:
        raise UsageError("decontaminate needs --against FILE, or the recipe's against")
    if name in ("verify", "strengthen") and recipe.run.labels and not recipe.run.solutions:
        raise UsageError("--labels needs --solutions")


def _report(
    manifests: Sequence[Manifest], as_json: bool, skipped_stages: Sequence[str] = ()
) -> int:
    """Print the results; returns the exit code. skipped_stages: stages that have not run yet."""
    keys = ("stage", "counts", "reasons", "flags", "facts", "outputs")
    facts = [{key: getattr(manifest, key) for key in keys} for manifest in manifests]
    print_facts(facts, as_json, lambda: print_manifests(manifests))
    last = manifests[-1]
    if not manifests[0].counts["read"]:
        _tell("the input holds no problem")
    elif not last.counts["kept"]:
        _tell(f"{last.stage}: no problem is left")
    if pending := last.pending:
        counts = ", ".join(f"{count} {name}" for name, count in pending.items())
        skipped = f"; not run: {', '.join(skipped_stages)}" if skipped_stages else ""
        _tell(
            f"{last.stage}: problems are pending ({counts}){skipped}; run the same command with "
            "--resume to try them again"
        )
        return EXIT_JUDGE
    for manifest in manifests:
        if count := manifest.reasons.get("step_failed"):
            _tell(
                f"{manifest.stage}: {count} problems broke a step and were set aside as "
                f"step_failed, such as {manifest.examples['step_failed']}"
            )
    if any(
        manifest.reasons.keys() & {"unreadable", "step_failed"}
        or manifest.facts.get("evaluation_unreadable")
        for manifest in manifests
    ):
        return EXIT_USAGE
    return 0 if last.counts["kept"] else _EXIT_EMPTY


def _tell(text: str) -> None:
    print_note(f"{PROG}: {text}")
