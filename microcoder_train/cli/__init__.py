"""The command line ``microcoder-train``: words in, exit code out. torch is imported late."""

from __future__ import annotations

import argparse
import errno
import os
import sys
import traceback
from pathlib import Path
from typing import NoReturn

from microcoder_eval import JudgeError
from microcoder_eval.cli import show_log
from microcoder_eval.cli.completion import PrintCompletion
from microcoder_eval.cli.version import PrintVersion
from microcoder_eval.errors import MicrocoderError
from microcoder_train.errors import ConfigError
from microcoder_train.presets import PRESETS

_PACKAGES = ("torch", "transformers", "vllm")
_EXTRA = ("torch", "transformers", "tokenizers", "matplotlib")
VERBS = ("run", "probe", "eval", "plot", "doctor")
_WHAT = "microcoder-train trains a language model to write programs, with a judge as its reward."
GUIDE = """\
A first run, without downloads, in a few minutes on two cores:

  microcoder-train --preset tiny --out runs/tiny
  microcoder-train plot runs/tiny

Your own:

  microcoder-train run.toml model.path=MODEL_FOLDER data.train=problems.jsonl --out runs/a
  microcoder-train probe run.toml --out runs/a
  microcoder-train eval run.toml model.path=runs/a/checkpoints/step_000040/hf --samples s.jsonl
  microcoder-train plot runs/a runs/b --out figures

All settings and where their defaults come from: microcoder-train --show-config
What this machine has: microcoder-train doctor

presets: microcoder (default), paper, dapo (the paper's: no KL, high clip; neither dynamic sampling
nor overlong shaping), grpo, tiny (makes its own model and problems).

exit codes: 130 interrupted, after saving; 3 the judge cannot start; 2 settings, data, disk, memory
or no learning signal; 1 probe found no temperature, doctor found a fault; 0 done.
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"microcoder-train: {message} (see microcoder-train --help)", file=sys.stderr)
        raise SystemExit(2)


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    words = sys.argv[1:] if argv is None else argv
    if not words:
        print(f"{_WHAT}\n\n{GUIDE}", end="")
        return 0
    verb = words[0] if words[0] in VERBS else "run"
    # Intermixed: settings may stand before, between and after the options.
    args = _parser(verb).parse_intermixed_args(words[1:] if words[0] in VERBS else words)
    show_log("microcoder-train")
    # Bars of other libraries would break our own; set before they are imported.
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        return _run(verb, args)
    except KeyboardInterrupt:
        code, reason = 130, "interrupted"
    except Exception as error:
        code, reason = 3 if isinstance(error, JudgeError) else 2, _reason(error)
        if not reason:
            traceback.print_exc()
            return 3
    print(f"microcoder-train: {reason}", file=sys.stderr)
    return code


def _reason(error: Exception) -> str:
    """What the user can mend; empty where the fault is ours."""
    if isinstance(error, MicrocoderError):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and error.name in _EXTRA:
        return f"{error.name} is not installed: pip install 'microcoder[train]'"
    if isinstance(error, OSError) and (
        error.filename is not None or error.errno in (errno.ENOSPC, errno.EDQUOT)
    ):
        return f"{error.filename or 'disk'}: {error.strerror}"
    return ""


def _parser(verb: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="microcoder-train" if verb == "run" else f"microcoder-train {verb}",
        description=f"{_WHAT} Verbs: {', '.join(VERBS)} (run, when none is named).",
        epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=PrintVersion, packages=_PACKAGES)
    if verb == "plot":
        parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs")
        parser.add_argument("--out", default="figures", help="where to (default: figures)")
    elif verb != "doctor":
        parser.add_argument("words", nargs="*", metavar="CONFIG.toml | key=value", help="settings")
        parser.add_argument("--preset", metavar="NAME", help=", ".join(PRESETS))
        parser.add_argument(
            "--show-config", action="store_true", help="print the settings and stop"
        )
    if verb in ("run", "probe"):
        parser.add_argument("--out", default="runs/latest", help="the run's folder (%(default)s)")
    if verb == "eval":
        samples = "every sample's judgement, a line each"
        parser.add_argument("--samples", metavar="FILE", help=samples)
        parser.add_argument("--json", action="store_true", help="the figures as JSON on stdout")
    if verb == "run":
        parser.add_argument(
            "--print-completion",
            action=PrintCompletion,
            what=_parsers,
            words=_settings,
            help="tab completion",
        )
        parser.add_argument(
            "--resume",
            default="auto",
            metavar="auto|never|PATH",
            help="go on from the newest checkpoint of --out (auto, default), from a named one, "
            "or start anew (never)",
        )
    return parser


def _parsers() -> dict[str, argparse.ArgumentParser]:
    return {"": _parser("run"), **{verb: _parser(verb) for verb in VERBS}}


def _settings() -> list[str]:
    from microcoder_train.config import names

    return [f"{name}=" for name in names()]


def _run(verb: str, args: argparse.Namespace) -> int:
    if verb == "plot":
        from microcoder_train.plot import plot

        print(plot([Path(run) for run in args.runs], Path(args.out)))
        return 0
    if verb == "doctor":
        from microcoder_train.doctor import doctor

        return doctor()
    from microcoder_train.config import load

    files = [word for word in args.words if "=" not in word and word.endswith(".toml")]
    others = [word for word in args.words if word not in files]
    settings = load(files[0] if files else None, args.preset, [*files[1:], *others])
    if args.show_config:
        print(settings.text(), end="")
        return 0
    if verb != "run" and int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise ConfigError(f"{verb} is for one process: start it without torchrun")
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    if verb == "probe":
        from microcoder_train.probe import probe

        return probe(settings, Path(args.out))
    from microcoder_train.verbs import evaluate_model, train

    if verb == "eval":
        return evaluate_model(settings, args.samples, as_json=args.json)
    return train(settings, Path(args.out), args.resume)


def script() -> None:
    """Entry point of the console script."""
    sys.exit(main())
