"""Programs that call one function of a candidate's program, in languages besides Python.

Each module of a language gives the candidate's text and a driver as the files of one program. The
driver runs in the candidate's process; the expected value is never there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.languages import Language
from microcoder_eval.worker.program_files import ProgramFiles

from . import cpp, go, java, javascript, rust
from .call_target import CallTarget

_MAKERS: Mapping[str, Callable[[str, CallTarget], ProgramFiles]] = {
    "cpp": cpp.make_call_program,
    "java": java.make_call_program,
    "javascript": javascript.make_call_program,
    "rust": rust.make_call_program,
    "go": go.make_call_program,
}


def make_call_program(language: Language, code: str, target: CallTarget) -> ProgramFiles:
    """Return a program that calls the target once. Raises UnjudgeableError where the language has
    no driver."""
    make_program = _MAKERS.get(language.name)
    if make_program is None:
        raise UnjudgeableError(f"call problems take no programs in {language.name}")
    return make_program(code, target)
