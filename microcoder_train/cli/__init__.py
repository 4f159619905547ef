"""The command line ``microcoder-train``: arguments in, exit code out. torch is imported late."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from microcoder_eval.console.completion import PrintCompletion
from microcoder_eval.console.guard import run_guarded
from microcoder_eval.console.parser import CommandParser, PrintVersion
from microcoder_train.errors import ConfigError, TrainError
from microcoder_train.presets import PRESETS

if TYPE_CHECKING:
    from microcoder_train.config import Data

PROG = "microcoder-train"
VERBS = ("run", "probe", "eval", "plot", "doctor")
_VERSION_PACKAGES = ("torch", "transformers", "vllm")
_EXTRA_PACKAGES = ("torch", "transformers", "tokenizers")
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


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments:
        print(f"{_PURPOSE}\n\n{GUIDE}", end="")
        return 0
    verb = arguments[0] if arguments[0] in VERBS else "run"
    words = arguments[1:] if arguments[0] in VERBS else arguments
    # Other libraries read these on import: their progress bars would break ours.
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

    def run_command() -> int:
        # Intermixed: settings may stand before, between and after the options.
        args = _make_parser(verb).parse_intermixed_args(words)
        with _translate_errors():
            return _run(verb, args)

    return run_guarded(PROG, run_command)


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise TrainError for a missing package and for file errors, which the user can resolve."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA_PACKAGES:
            raise
        raise TrainError(
            f"{error.name} is not installed: pip install '.[train]' in the checkout"
        ) from error
    except OSError as error:
        if error.filename is None and error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise TrainError(f"{error.filename or 'disk'}: {error.strerror}") from error
    except Exception as error:  # safetensors has a type of its own for a full disk
        if (reason := os.strerror(errno.ENOSPC)) not in str(error):
            raise
        raise TrainError(f"{reason}: --out, or the folder for temporary files") from error


def _make_parser(verb: str, *, operands: bool = True) -> CommandParser:
    parser = CommandParser(
        prog=PROG if verb == "run" else f"{PROG} {verb}",
        description=f"{_PURPOSE} Verbs: {', '.join(VERBS)} (default: run).", epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
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
        purpose = "print the settings and stop"
        parser.add_argument("--show-config", action="store_true", help=purpose)
    if verb in ("run", "probe"):
        parser.add_argument("--out", default="runs/latest", help="the run's folder (%(default)s)")
    if verb == "eval":
        samples = "write the judgement of every sample, one per line"
        parser.add_argument("--samples", metavar="FILE", help=samples)
        parser.add_argument("--json", action="store_true", help="print the metrics as JSON")
    if verb == "run":
        purpose = "print what each GPU will hold and a step's time, and stop; loads no weights"
        parser.add_argument("--dry-run", action="store_true", help=purpose)
        parser.add_argument("--gpus", type=int, default=1, help="GPUs of --dry-run (%(default)s)")
        parser.add_argument(
            "--print-completion", action=PrintCompletion,
            parsers=_make_completed_parsers, help="tab completion",
        )  # fmt: skip
        parser.add_argument(
            "--resume", default="auto", metavar="auto|never|PATH",
            help="continue from the newest checkpoint of --out (auto, default), from the "
            "checkpoint PATH, or start over (never)",
        )  # fmt: skip
    return parser


def _make_completed_parsers() -> dict[str, CommandParser]:
    verbs = {verb: _make_parser(verb) for verb in VERBS}
    return {"": _make_parser("run", operands=False), **verbs}


def _run(verb: str, args: argparse.Namespace) -> int:
    if verb == "plot":
        from .plot import plot

        print(plot([*map(Path, args.runs)], Path(args.out) if args.out else None))
        return 0
    if verb == "doctor":
        from .doctor import diagnose

        return diagnose()
    from microcoder_train.config import load

    files = [text for text in args.overrides if "=" not in text and text.endswith(".toml")]
    overrides = [text for text in args.overrides if text not in files[:1]]
    settings = load(files[0] if files else None, args.preset, overrides)
    if args.show_config:
        print(settings.to_toml(), end="")
        return 0
    if verb == "run" and args.dry_run:
        from .estimate import plan

        if settings.config.data.train:
            _check_data(verb, settings.config.data)
        print(plan(settings.config, args.gpus))
        return 0
    if verb != "run" and int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise ConfigError(f"{verb} is for one process: start it without torchrun")
    _check_data(verb, settings.config.data)
    print(f"{PROG}: loading the model", file=sys.stderr, flush=True)
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    if verb == "probe":
        from .probe import probe

        return probe(settings, Path(args.out))
    from .commands import evaluate_model, train

    if verb == "eval":
        return evaluate_model(settings, args.samples, as_json=args.json)
    return train(settings, Path(args.out), args.resume)


def _check_data(verb: str, data: Data) -> None:
    """Raise ConfigError for a missing file of problems before any model is loaded."""
    from microcoder_data.inputs import is_dataset_name

    name = "eval" if verb == "eval" else "train"
    path = getattr(data, name)
    if not path:
        raise ConfigError(f"data.{name} is not set: give a file of problems, data.{name}=FILE")
    if not (path == "tiny" or Path(path).exists() or is_dataset_name(path)):  # tiny: generated
        raise ConfigError(f"data.{name}: {path}: no such file")


def run_console_script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
