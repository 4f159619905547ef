"""The arguments of ``microcoder-train``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from microcoder_eval.console.completion import add_completion_option
from microcoder_eval.console.parser import CommandParser, PrintVersion
from microcoder_train.presets import PRESETS

PROG = "microcoder-train"
VERBS = ("run", "probe", "eval", "plot", "doctor")
_VERSION_PACKAGES = ("torch", "transformers", "vllm")
_PURPOSE = f"{PROG} trains a language model to write programs, with a judge as its reward."
GUIDE = """\
A first run, without downloads, in a few minutes on two cores:

  microcoder-train --preset tiny --out runs/tiny
  microcoder-train plot runs/tiny

Your own:

  microcoder-train run.toml model.path=MODEL_FOLDER data.train=problems.jsonl --out runs/a
  microcoder-train probe run.toml --out runs/a
  microcoder-train eval run.toml model.path=runs/a/checkpoints/step_000040/hf --samples s.jsonl
  microcoder-train plot runs/a runs/b --out figures

All settings and the sources of their defaults: microcoder-train --show-config
Check this machine: microcoder-train doctor

presets: microcoder (default), paper, dapo (the paper's: no KL, high clip; neither dynamic sampling
nor overlong shaping), grpo, tiny (generates its model and problems); qwen3_1.7b, qwen3_4b and
qwen3_4b_32k: the paper's models and settings on GPUs.

exit codes: 130 interrupted, after saving; 3 the judge cannot start; 2 settings, data, disk, memory
or no learning signal; 1 probe found no temperature, doctor found a fault; 0 done.
"""


class TrainParser(CommandParser):
    """A parser that knows of the settings, which are no options: ``--steps`` is train.steps=…"""

    def find_meant(self, name: str, names: Sequence[str]) -> str:
        """Return the option or the setting that an unknown option stands for; "" if none."""
        from microcoder_train.config_layers import find_settings, list_sources  # takes .3 s

        settings = find_settings(name.strip("-").replace("-", "_"), list_sources())
        return f"{settings[0]}=…" if settings else super().find_meant(name, names)


def parse(argv: list[str]) -> argparse.Namespace | None:
    """Parse the arguments; without any, print the guide. Raises UsageError."""
    if not argv:
        print(f"{_PURPOSE}\n\n{GUIDE}", end="")
        return None
    verb = argv[0] if argv[0] in VERBS else "run"
    # Intermixed: settings may stand before, between and after the options.
    return make_parser(verb).parse_intermixed_args(argv[1:] if argv[0] in VERBS else argv)


def make_parser(verb: str, *, operands: bool = True) -> CommandParser:
    """Return the parser of a verb. operands: whether it takes settings."""
    parser = TrainParser(
        prog=PROG if verb == "run" else f"{PROG} {verb}",
        description=f"{_PURPOSE} Verbs: {', '.join(VERBS)} (default: run).", epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
    parser.set_defaults(module="microcoder_train.cli.verbs", verb=verb)
    parser.add_argument("--version", action=PrintVersion, packages=_VERSION_PACKAGES)
    if verb == "plot":
        parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs")
        parser.add_argument("--out", help="output folder (default: the first run's)")
    elif verb != "doctor":
        operand = "CONFIG.toml | key=value"
        if operands:
            parser.add_argument(
                "overrides", nargs="*", default=[], metavar=operand, help="settings"
            )
        preset = parser.add_argument("--preset", metavar="NAME", help=", ".join(PRESETS))
        preset.completions = lambda: list(PRESETS)  # type: ignore[attr-defined]
        show_help = "print the settings and stop"
        parser.add_argument("--show-config", action="store_true", help=show_help)
    if verb in ("run", "probe"):
        parser.add_argument("--out", default="runs/latest", help="the run's folder (%(default)s)")
    if verb == "eval":
        samples = "write the judgement of every sample, one per line"
        parser.add_argument("--samples", metavar="FILE", help=samples)
        parser.add_argument("--json", action="store_true", help="print the metrics as JSON")
    if verb == "run":
        dry_run_help = (
            "try loss.function, print what each GPU will hold and a step's time, and stop; loads "
            "no weights"
        )
        parser.add_argument("--dry-run", action="store_true", help=dry_run_help)
        parser.add_argument("--gpus", type=int, default=1, help="GPUs of --dry-run (%(default)s)")
        add_completion_option(parser, _make_completed_parsers, "tab completion")
        parser.add_argument(
            "--resume", default="auto", metavar="auto|PATH",
            help="continue from the newest checkpoint of --out, if any (auto, default), or from "
            "the checkpoint PATH; all later steps of --out are then removed",
        )  # fmt: skip
    return parser


def _make_completed_parsers() -> dict[str, CommandParser]:
    verbs = {verb: make_parser(verb) for verb in VERBS}
    return {"": make_parser("run", operands=False), **verbs}
