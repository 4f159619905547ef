"""Java programs that call one method: a driver finds it by reflection."""

from __future__ import annotations

import re
from functools import partial

from microcoder_eval.java_names import derive_names
from microcoder_eval.worker.program_files import ProgramFiles

from .call_target import CallTarget, read_driver, read_nodes
from .signature import find_function_name, names_type, read_signature, strip_comments

# On the program's first line, so that the compiler's messages keep their line numbers.
IMPORTS = (
    "import java.util.*; import java.util.function.*; import java.util.stream.*; "
    "import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.math.*; "
    "import java.io.*; import java.text.*; "
)
_PACKAGE = re.compile(r"\A(\s*+)package\s++[\w.]++\s*+;")
_DRIVER = "MicrocoderDriver"


def make_call_program(code: str, target: CallTarget) -> ProgramFiles:
    """Return the program with a driver that calls the target once."""
    file, code = place_program(code)
    plain_code = strip_comments(code)
    name = find_function_name(target.entry, plain_code)
    type_name = target.entry.rpartition(".")[0] or "Solution"
    _, started = derive_names(code)
    if not names_type(plain_code, type_name):
        type_name = started[0] if started else file.removesuffix(".java")
    others = {file: IMPORTS + code, "MicrocoderWriter.java": read_driver("Writer.java")}
    for node, text in read_nodes(".java", partial(names_type, plain_code)).items():
        others[f"{node}.java"] = text
    types = _read_types(name, strip_comments(target.starter), target.argument_count)
    driver = read_driver("Driver.java").replace(
        "public static void main(String[] names) throws Throwable {",
        "public static void main(String[] arguments_) throws Throwable {\n"
        f'        String[] names = {{"{type_name}", "{name}", "{types}"}};\n'
        f"        boolean ignoresResult = {str(target.returns_nothing(name)).lower()};",
    )
    return ProgramFiles(f"{_DRIVER}.java", driver, others)


def place_program(code: str) -> tuple[str, str]:
    """Return the name of a program's file, and its text without a package: the driver is in
    none."""
    code = _PACKAGE.sub(r"\1", code)
    return derive_names(code)[0], code


def _read_types(name: str, starter: str, count: int) -> str:
    """Return the simple names of the parameters' types in starter code, "?" where it does not
    tell."""
    signature = read_signature(name, starter)
    if signature is None or len(signature.parameters) != count or "def " in starter:
        return "?"
    types = [_remove_arguments(parameter).split()[:-1] for parameter in signature.parameters]
    return ",".join("".join(words[-1:]) for words in types)


def _remove_arguments(parameter: str) -> str:
    """Return a parameter without the arguments of a generic type."""
    head, mark, rest = parameter.partition("<")
    return head + rest.rpartition(">")[2] if mark else parameter
