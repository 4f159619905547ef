"""In a worker: the files that a program consists of, its own and those that its problem includes.

Source: the problem package format of Kattis, "Included code": the files of include/<language>/ are
copied beside the submission's and replace those of the same name. A C or C++ program consists of
all its units. A program in another language starts in one file: in ``main`` if the problem includes
it, else in the program's own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import field
from posixpath import basename, splitext

from microcoder_eval.languages import PYTHON, Language
from microcoder_sandbox import find_imports, record

_PROLOGUE = "<prologue>"  # among included files: a text that comes before the program's own
_DEFAULT_INCLUDES = "default"  # the folder of include/ for all languages that have none
_JAVA_MAIN = re.compile(r"\bstatic\s+(?:final\s+)?void\s+main\b")
_TESTLIB_INCLUDE = re.compile(r"""^[^\S\n]*+#\s*+include\s*+[<"]testlib\.h[>"]""", re.MULTILINE)
# Modules from memory: an import statement finds them as it would find files beside the program.
_LOADER = """\
import sys
class _Modules:
    def __init__(self, texts):
        self.texts = texts
    def find_spec(self, name, path=None, target=None):
        file = name.replace(".", "/")
        for origin in (file + "/__init__.py", file + ".py"):
            if origin in self.texts:
                break
        else:
            origin = None
            if not any(other.startswith(file + "/") for other in self.texts):
                return None
        spec = type(sys.__spec__)(name, self, origin=origin, is_package=origin != file + ".py")
        spec.has_location = False
        return spec
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        origin = module.__spec__.origin
        if origin is not None:
            exec(compile(self.texts[origin], origin, "exec"), module.__dict__)
"""


@record
class ProgramFiles:
    """A program as it is built. main: the name of the file that it starts in. others: {name: text}
    of the files beside it."""

    main: str
    source: str
    others: Mapping[str, str] = field(default_factory=dict)


def gather_files(
    language: Language,
    code: str,
    file: str = "",
    files: Mapping[str, str] | None = None,
    includes: Mapping[str, Mapping[str, str]] | None = None,
) -> ProgramFiles:
    """Return the files of a program. file, files: see ``records.Solution``. includes: the
    problem's."""
    includes = includes or {}
    included = includes.get(language.name, includes.get(_DEFAULT_INCLUDES, {}))
    code = included.get(_PROLOGUE, "") + code
    included = {name: text for name, text in included.items() if name != _PROLOGUE}
    # A compiler takes files of other endings for something else.
    is_unit = file.endswith(language.unit_suffixes) or not language.unit_suffixes
    main_name = file if file and is_unit else _choose_name(language, code, included)
    if not files and not included:
        return ProgramFiles(main_name, code)
    texts = {main_name: code, **(files or {}), **included}
    main = _find_main(language, texts, main_name, included)
    source = texts.pop(main)
    return ProgramFiles(main, source, texts)


def includes_testlib(texts: Iterable[str]) -> bool:
    """Whether C++ files include testlib.h, which the user has to provide."""
    return any(map(_TESTLIB_INCLUDE.search, texts))


def bundle_modules(program: ProgramFiles) -> tuple[str, set[bytes] | None]:
    """Return a program in Python as one text, whose imports find the program's other files, and
    the modules that its files import, None for those of the text."""
    if not program.others:
        return program.source, None
    texts = (program.source, *program.others.values())
    imports = set().union(*(find_imports(text.encode("utf-8", "replace")) for text in texts))
    run = f"exec(compile({program.source!r}, {program.main!r}, 'exec'))\n"
    modules = f"sys.meta_path.insert(0, _Modules({dict(program.others)!r}))\ndel _Modules\n"
    return f"{_LOADER}{modules}{run}", imports


def _get_stem(name: str) -> str:
    return splitext(basename(name))[0]


def _choose_name(language: Language, code: str, included: Mapping[str, str]) -> str:
    """Return the name of a program's file that came without one."""
    if language.derive_names is not None:
        return language.derive_names(code)[0]
    if language is not PYTHON:
        return language.file
    # A grader imports the program by the only name that nothing else has.
    modules = {_get_stem(name) for name in included}
    imported_modules = {
        name.decode()
        for text in included.values()
        for name in find_imports(text.encode("utf-8", "replace"))
    }
    missing_modules = sorted(imported_modules - modules - sys.stdlib_module_names)
    return f"{missing_modules[0]}.py" if missing_modules else "solution.py"


def _find_main(
    language: Language, texts: Mapping[str, str], main_name: str, included: Mapping[str, str]
) -> str:
    for name in included:
        if _get_stem(name).lower() == "main" and _may_start(language, name, texts[name]):
            return name
    if language.derive_names is None or _may_start(language, main_name, texts[main_name]):
        return main_name
    return next((name for name in texts if _may_start(language, name, texts[name])), main_name)


def _may_start(language: Language, name: str, text: str) -> bool:
    """Whether a program may start in this file."""
    suffixes = (".py",) if language is PYTHON else language.unit_suffixes
    if suffixes and not name.endswith(suffixes):
        return False
    return language.derive_names is None or _JAVA_MAIN.search(text) is not None
