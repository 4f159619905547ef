"""In a worker: programs that are compiled before they run, and read and write text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from .binaries import CompileError
from .errors import UnjudgeableError
from .languages import Language
from .records import Kind
from .verdicts import Ruling, not_compiled

if TYPE_CHECKING:
    from .judging import Run


def rulings(run: Run, language: Language, source: bytes) -> Iterator[Ruling]:
    """A ruling for each test, in order; one only where the program does not compile.

    Raises UnjudgeableError for a problem that asks for Python, CageError without a toolchain.
    """
    if run.problem.kind is not Kind.STDIN:
        raise UnjudgeableError(
            f"{run.problem.kind} problems take programs in Python, not in {language.name}"
        )
    try:
        binary = run.kit.binaries.get(source.decode("utf-8", "surrogatepass"), language)
    except CompileError as error:
        yield not_compiled(str(error))
        return
    if run.interactor is not None:
        yield from run.talks(partial(run.cage.binary, binary, ()), binary)
        return
    for index in run.order:
        yield run.text_item(partial(run.cage.run_binary, binary, ()), index).alone()
