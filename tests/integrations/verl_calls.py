"""What verl's own code makes of our reward functions: verl_calls.py < JOBS, with verl's folder on
PYTHONPATH, installed without its dependencies.

Its packages' __init__ files import torch and ray, which the functions called here do not need, so
they are passed over; the functions are the package's own.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
import types
from pathlib import Path
from typing import Any


def pass_over_inits() -> None:
    """Make verl and the packages on the way to what is called, without running their __init__."""
    spec = importlib.util.find_spec("verl")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    for name in ("verl", "verl.utils"):
        package = types.ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package


def answer(job: dict[str, Any]) -> Any:
    """What verl makes of the job's function, found as reward.get_custom_reward_fn finds it."""
    load = importlib.import_module("verl.utils.import_utils").load_extern_object
    return load(module_path=job["path"], object_name="compute_score")(**job["arguments"])


if __name__ == "__main__":
    pass_over_inits()
    with contextlib.redirect_stdout(sys.stderr):
        answers = [answer(job) for job in json.load(sys.stdin)]
    json.dump(answers, sys.stdout)
