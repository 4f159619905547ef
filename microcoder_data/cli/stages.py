"""One stage, or those of a recipe in a row: each writes what the next one reads."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from microcoder_eval.cli import EXIT_JUDGE, EXIT_USAGE
from microcoder_eval.cli.parser import UsageError
from microcoder_eval.cli.streams import answering
from microcoder_eval.cores import usable_cores
from microcoder_eval.data.engine import Order, run_stage
from microcoder_eval.data.manifest import Files
from microcoder_eval.data.recipe import Recipe, read_recipe
from microcoder_eval.data.stage import Stage

from .parser import NAME
from .report import show


def run(args: Any) -> int:
    """Do what was asked; the exit code."""
    if args.command == "run":
        return _run_recipe(args)
    recipe = _asked(read_recipe(args.recipe), args)
    order = _order(args, recipe, list(args.inputs), args.output, args.manifest)
    return _ended([_one(args.command, recipe, order, args)], args.json)


def _run_recipe(args: Any) -> int:
    recipe = read_recipe(args.recipe_file)
    if args.seed is not None:
        recipe = recipe.model_copy(update={"seed": args.seed})
    out = args.output or recipe.run.output
    if out is None:
        raise UsageError('no output: give -o OUT, or "output" in the recipe\'s [run]')
    inputs = list(args.inputs or recipe.run.inputs)
    if not inputs:
        raise UsageError('no input: name INPUT, or "inputs" in the recipe\'s [run]')
    told = []
    stages = recipe.run.stages
    for number, name in enumerate(stages, 1):
        last = number == len(stages)
        to = out if last else str(_between(out, number, name))
        manifest = args.manifest if last else None
        order = _order(args, recipe, inputs, to, manifest)
        told.append(_one(name, recipe, order, args))
        inputs = [to]
    return _ended(told, args.json)


def _between(out: str, number: int, name: str) -> Path:
    """Where a stage that is not the last one writes: corpus.1-collect.jsonl beside corpus.jsonl."""
    paths = Files.of(out).paths
    return paths.journal.with_name(
        paths.journal.name.removesuffix("part") + f"{number}-{name}.jsonl"
    )


def _order(args: Any, recipe: Recipe, inputs: list[str], out: str, manifest: str | None) -> Order:
    return Order(
        inputs=inputs,
        out=out,
        manifest=manifest,
        resume=args.resume,
        force=args.force,
        workers=args.workers or usable_cores(),
        seed=recipe.seed,
        max_line_mb=recipe.max_line_mb,
    )


def _asked(recipe: Recipe, args: Any) -> Recipe:
    """The recipe with what the command line says instead."""
    changes: dict[str, Any] = {} if args.seed is None else {"seed": args.seed}
    if getattr(args, "purpose", None):
        changes["process"] = recipe.process.model_copy(update={"purpose": args.purpose})
    if getattr(args, "format", None):
        changes["collect"] = recipe.collect.model_copy(update={"format": args.format})
    if getattr(args, "keep_weak", False):
        changes["verify"] = recipe.verify.model_copy(update={"keep_weak": True})
    if getattr(args, "against", None):
        against = {"against": tuple(args.against)}
        changes["decontaminate"] = recipe.decontaminate.model_copy(update=against)
    if getattr(args, "pass_rates", None):
        from microcoder_eval.data.recipe import Difficulty

        difficulty = recipe.filter.difficulty or Difficulty()
        difficulty = difficulty.model_copy(update={"pass_rates": args.pass_rates})
        changes["filter"] = recipe.filter.model_copy(update={"difficulty": difficulty})
    return recipe.model_copy(update=changes)


def _one(name: str, recipe: Recipe, order: Order, args: Any) -> dict[str, Any]:
    try:
        return run_stage(_stage(name, recipe, args), order)
    except KeyboardInterrupt:
        part = Files.of(order.out).paths.journal
        if part.exists():
            print(
                f"{NAME}: what is done is in {part}: run the same command with --resume to go on",
                file=sys.stderr,
            )
        raise


def _stage(name: str, recipe: Recipe, args: Any) -> Stage:
    if name == "collect":
        from microcoder_eval.data.collect.stage import CollectStage

        return CollectStage(recipe.collect, recipe.max_line_mb)
    if name == "process":
        from microcoder_eval.data.process.stage import ProcessStage

        return ProcessStage(recipe.process)
    if name == "filter":
        from microcoder_eval.data.filter.stage import FilterStage

        return FilterStage(recipe.filter, recipe.seed)
    if name == "decontaminate":
        from microcoder_eval.data.decontaminate.stage import DecontaminateStage

        if not recipe.decontaminate.against:
            raise UsageError("decontaminate needs --against FILE, or the recipe's against")
        return DecontaminateStage.of(recipe.decontaminate, recipe.max_line_mb)
    from microcoder_eval.data.verify.stage import VerifyStage

    solutions = getattr(args, "solutions", None) or recipe.run.solutions
    labels = getattr(args, "labels", None) or recipe.run.labels
    if labels and not solutions:
        raise UsageError("--labels needs --solutions, which they are about")
    return VerifyStage(recipe.verify, recipe.seed, solutions, labels)


def _ended(manifests: Sequence[Mapping[str, Any]], as_json: bool) -> int:
    """Say what was done; the exit code."""
    with answering():
        if as_json:
            keys = ("stage", "counts", "reasons", "flags", "facts", "outputs")
            print(json.dumps([{key: told[key] for key in keys} for told in manifests]))
        else:
            show(manifests)
    if not manifests[0]["counts"]["read"]:
        print(f"{NAME}: the input holds no problem", file=sys.stderr)
    reasons = [told["reasons"] for told in manifests]
    if any("judge_failed" in some for some in reasons):
        return EXIT_JUDGE
    unread = any("unreadable" in some for some in reasons)
    unread |= any(told.get("facts", {}).get("evaluation_unreadable") for told in manifests)
    return EXIT_USAGE if unread else 0
