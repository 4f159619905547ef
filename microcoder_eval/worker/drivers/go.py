"""Go programs that call one function: a driver calls it by reflection."""

from __future__ import annotations

import re

from microcoder_eval.worker.program_files import ProgramFiles

from .call_target import CallTarget, read_driver, read_nodes
from .go_imports import add_imports, hide_imports
from .signature import find_function_name, strip_comments

_CHARACTERS = {"byte": "reflect.Uint8", "rune": "reflect.Int32"}


def make_call_program(code: str, target: CallTarget) -> ProgramFiles:
    """Return the program with a driver that calls the target once."""
    plain_code = strip_comments(code)
    name = find_function_name(target.entry, plain_code)
    driver = read_driver("driver.go.txt").replace("MICROCODER_FUNCTION", name)
    driver = driver.replace("MICROCODER_IN_PLACE", str(target.in_place).lower())
    kinds = _find_character_kinds(name, plain_code)
    driver = driver.replace("MICROCODER_CHARACTERS", "".join(f"{kind}: true, " for kind in kinds))
    # Rename the program's own main, which it may contain from being tried out.
    code = re.sub(r"(?m)((?:^|;)[ \t]*)func\s+main\s*\(\s*\)", r"\1func solutionMain()", code)
    nodes = read_nodes(
        ".go.txt", lambda node: re.search(rf"\btype\s+{node}\b", plain_code) is not None
    )
    driver = hide_imports("\n".join([driver, *nodes.values()]))
    return ProgramFiles("solution.go", add_imports(code), {"driver.go": driver})


def _find_character_kinds(name: str, code: str) -> list[str]:
    """Return the kinds of character (byte, rune) in the declared result, or else in the
    parameters."""
    match = re.search(rf"\bfunc\s+{re.escape(name)}\s*\(([^)]{{0,1000}}+)\)([^{{]{{0,300}}+)", code)
    if match is None:
        return []
    text = match[2] if match[2].strip() else match[1]
    return [kind for word, kind in _CHARACTERS.items() if re.search(rf"\b{word}\b", text)]
