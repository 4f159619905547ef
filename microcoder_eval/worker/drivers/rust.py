"""Rust programs that call one function: the compiler infers the types of what is read."""

from __future__ import annotations

import re

from microcoder_eval.worker.program_files import ProgramFiles

from .call_target import CallTarget, read_driver, read_nodes
from .signature import find_function_name, read_signature, strip_comments

_MAIN = "fn main() -> impl ::std::process::Termination { solution::microcoder_main() }\n"
_REFERENCE = re.compile(r"^&\s*(?:'\w+\s+)?(mut\s+)?(.*)$", re.DOTALL)
_LIFETIME = re.compile(r"'(?!static\b)\w+\s*")


def make_call_program(code: str, target: CallTarget) -> ProgramFiles:
    """Return the program with a driver that calls the target once."""
    plain_code = strip_comments(code)
    name = find_function_name(target.entry, plain_code)
    type_name = target.entry.rpartition(".")[0] or "Solution"
    is_method = re.search(rf"\bimpl\s+{type_name}\b", plain_code) is not None
    signature = read_signature(name, plain_code, r"\bfn\s+", target.argument_count)
    if re.search(rf"\bfn\s+{re.escape(name)}\s*<(?!\s*')", plain_code):
        # Only starter code can tell the types with which a generic function is called.
        starter = strip_comments(target.starter)
        signature = read_signature(name, starter, r"\bfn\s+") or signature
    parameters = signature.parameters if signature else ("",) * target.argument_count
    lines, arguments = _make_arguments(parameters)
    call = f"{type_name}::{name}" if is_method else name
    lines.append(f"let result = {call}({', '.join(arguments)});")
    returns_nothing = signature is not None and signature.result in ("", "()")
    if (returns_nothing or target.in_place) and arguments and arguments[0].startswith("&mut "):
        lines.append("(&a0).write(&mut out);")
    else:
        lines.append("(&result).write(&mut out);")
    driver = read_driver("driver.rs").replace("MICROCODER_CALL", "\n        ".join(lines))
    globs = "#[allow(unused_imports)] use std::{cell::*, collections::*, rc::*};"

    def is_defined(struct: str) -> bool:
        return re.search(rf"\bstruct\s+{struct}\b", plain_code) is not None

    nodes = read_nodes(".rs", is_defined).values()
    solution = "" if is_defined("Solution") else "pub struct Solution;"
    parts = [code, globs, *nodes, solution, read_driver("write.rs"), driver,
             "pub fn microcoder_main() { microcoder_driver::call() }"]  # fmt: skip
    return ProgramFiles("solution.rs", wrap_in_module("\n".join(parts)))


def wrap_in_module(text: str) -> str:
    """Put a text into a module, and call its ``microcoder_main``. In a module, the program's own
    main does no harm, and what is added to the program can use private names."""
    return f"mod solution {{{text}\n}}\n{_MAIN}"


def _make_arguments(parameters: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return the statements that read the arguments, and the expressions that pass them."""
    lines, arguments = [], []
    for number, parameter in enumerate(parameters):
        value = f"read(&arguments[{number}])"
        reference = _REFERENCE.match(parameter.partition(":")[2].strip())
        if reference is None:
            arguments.append(value)
            continue
        mutable, kind = reference[1] or "", _LIFETIME.sub("", reference[2].strip())
        owned = {"str": "String"}.get(kind, kind)
        if kind.startswith("["):
            owned = f"Vec<{kind[1:-1].strip()}>"
        lines.append(f"let mut a{number}: {owned} = {value};")
        arguments.append(f"&{'mut ' if mutable else ''}a{number}")
    return lines, arguments
