"""C++ programs that call one function: its types come from starter code, or the compiler."""

from __future__ import annotations

import re
from functools import partial

from microcoder_eval.worker.program_files import ProgramFiles

from .call_target import CallTarget, read_driver, read_nodes
from .signature import find_function_name, names_type, read_signature, strip_comments

# Matches starter code in other languages, never in C++.
_OTHERS = re.compile(r"\bdef\s|\bfn\s|\bfunc\s|\bfunction\b|\bpublic\s+\w|=>")
# A parameter from its end to its start: name, reference, type. Read forwards, a row of spaces
# would belong to each of them in turn.
_REVERSED_PARAMETER = re.compile(r"\w++\s*+&{0,2}+\s*+([\w:<>,\s*]++)")
_CONST = re.compile(r"\Aconst\s++")


def make_call_program(code: str, target: CallTarget) -> ProgramFiles:
    """Return the program with a driver that calls the target once."""
    plain_code = strip_comments(code)
    name = find_function_name(target.entry, plain_code)
    type_name = target.entry.rpartition(".")[0] or "Solution"
    function = f"{type_name}().{name}" if names_type(plain_code, type_name) else f"::{name}"
    types = _read_types(name, strip_comments(target.starter), target.argument_count)
    if types is None and "optional" in plain_code:
        # Without its type, an optional would be made of a converted value; null converts to none.
        types = _read_types(name, plain_code, target.argument_count)
    parts = [
        read_driver("write.cpp"),
        read_driver("driver.cpp"),
        "using namespace std;",
        *read_nodes(".cpp", partial(names_type, plain_code)).values(),
        rename_main(code),
        read_driver("nodes.cpp"),
        _make_main(function, types, target.argument_count, target.returns_nothing(name)),
    ]
    return ProgramFiles("solution.cpp", "\n".join(parts))


def rename_main(code: str) -> str:
    """Return a program whose own main, which it may contain from being tried out, has another
    name."""
    return f'#define main solution_main\n#line 1 "solution.cpp"\n{code}\n#undef main'


def _read_types(name: str, starter: str, count: int) -> list[str] | None:
    """Return the types of the parameters in starter code; None where it does not tell."""
    signature = read_signature(name, starter, count=count)
    if signature is None or len(signature.parameters) != count or _OTHERS.search(starter):
        return None
    matches = [_REVERSED_PARAMETER.fullmatch(text[::-1]) for text in signature.parameters]
    if not all(matches):
        return None
    return [_CONST.sub("", match[1][::-1]) for match in matches if match]


def _make_main(function: str, types: list[str] | None, count: int, ignores_result: bool) -> str:
    lines = []
    names = [f"a{number}" for number in range(count)]
    for number, name in enumerate(names):
        value = f"arguments.items.at({number})"
        if types is None:
            writer = "write_first" if number == 0 else "unused"
            lines.append(f"microcoder::Argument {name}{{{value}, {writer}}};")
        else:
            lines.append(f"{types[number]} {name} = microcoder::read<{types[number]}>({value});")
    if types and names:
        lines.append("write_first = [&](std::string& out) { microcoder::write(out, a0); };")
    body = "\n    ".join(lines)
    call = f"{function}({', '.join(names)});"
    result, call = ("void", call) if ignores_result else ("decltype(auto)", f"return {call}")
    return f"""
signed main() {{
    microcoder::Value arguments = microcoder::read_arguments();
    std::function<void(std::string&)> unused;
    std::function<void(std::string&)> write_first = [](std::string& out) {{ out += "null"; }};
    {body}
    microcoder::report([&]() -> {result} {{ {call} }},
                       [&](std::string& out) {{ write_first(out); }});
}}
"""
