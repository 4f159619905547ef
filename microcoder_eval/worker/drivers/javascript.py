"""JavaScript programs that call one function: JSDoc or Python's annotations name the nodes."""

from __future__ import annotations

import json
import re

from microcoder_eval.foreign_tests.tokens import NotTranslatableError, list_texts, tokenize
from microcoder_eval.worker.program_files import ProgramFiles

from .call_target import CallTarget, read_driver
from .signature import find_function_name, strip_comments

# What a framework of tests defines, called with a title and a function.
_FRAMEWORK_NAMES = frozenset({"describe", "it", "test"})
_FUNCTIONS = ([",", "("], [",", "async"], [",", "function"])
_PARAMETER = re.compile(r"@param\s*\{([^}\n]{0,200})\}")
_RESULT = re.compile(r"@returns?\s*\{([^}\n]{0,200})\}")


def make_call_program(code: str, target: CallTarget) -> ProgramFiles:
    """Return the program with a driver that calls the target once."""
    plain_code = strip_comments(code)
    name = find_function_name(target.entry, plain_code)
    type_name = target.entry.rpartition(".")[0] or "Solution"
    is_method = re.search(rf"\bclass\s+{type_name}\b", plain_code) is not None
    instance = f"const self = new {type_name}(); " if is_method else ""
    place = f"self.{name}" if is_method else name
    result = f"typeof {place} === 'undefined' ? microcoder.find('{name}')(...a) : {place}(...a)"
    function = f"(...a) => {{ {instance}return {result}; }}"
    # Where the problem says that the function returns nothing.
    declared = _RESULT.search(target.starter)
    in_place = target.in_place if declared is None else declared[1] == "void"
    job = json.dumps({**_describe_types(code, target), "inPlace": in_place})
    after = f"\n;microcoder.call({function}, {job}, {{ ListNode, TreeNode }});\n"
    return ProgramFiles("solution.js", read_on_one_line("before.js") + code + after)


def read_on_one_line(name: str) -> str:
    """Return a driver on one line, so that messages on what follows keep their line numbers."""
    return " ".join(line for line in read_driver(name).split("\n") if "//" not in line)


def find_framework(tests: str, starter: str) -> str | None:
    """Return the function of a framework that test code calls, as in ``test("halves", () => …)``,
    and that neither the test code nor the starter code names otherwise, so that nobody can know
    that a program must define it; None if there is none."""
    try:
        tokens = tokenize("javascript", tests)
    except NotTranslatableError:
        return None
    words = list_texts(tokens)
    calls, defined_names = set(), set(re.findall(r"\w+", starter))
    for index, word in enumerate(words):
        before, after = words[index - 1 : index], words[index + 1 : index + 5]
        if word not in _FRAMEWORK_NAMES or before == ["."]:
            continue
        if before == ["function"] or after[:1] not in (["("], ["."]):
            defined_names.add(word)
        elif after[2:] in _FUNCTIONS and tokens[index + 2].kind == "text":
            calls.add(word)
    return min(calls - defined_names, default=None)


def _describe_types(code: str, target: CallTarget) -> dict[str, object]:
    for text in (target.starter, code):
        result = _RESULT.search(text)
        if result is not None and "@param" in text:
            return {"parameters": _PARAMETER.findall(text), "result": result[1]}
    parameters, result_hint = target.hints or ((), "")
    return {"parameters": list(parameters), "result": result_hint}
