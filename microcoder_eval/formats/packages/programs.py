"""Reads programs of packages: files, and folders that hold one program in several files."""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from dataclasses import field
from pathlib import Path, PurePosixPath

from microcoder_eval.formats.plain_files import decode_python, is_text, list_files
from microcoder_eval.languages import CHECKER_LANGUAGES, SUFFIXES
from microcoder_eval.syntax import parse_tree
from microcoder_sandbox import record, source_analysis

from .files import read_lenient_text
from .package import CheckerProgram, PackageError, UnsupportedPackageError, make_program_error

_LANGUAGES = {
    **SUFFIXES, ".py3": "python", ".py2": "python2", ".kt": "kotlin",
    ".cs": "csharp", ".hs": "haskell",
    ".rb": "ruby", ".php": "php", ".pl": "prolog", ".lisp": "lisp", ".ml": "ocaml",
    ".scala": "scala", ".pas": "pascal", ".d": "d", ".jl": "julia", ".R": "r", ".swift": "swift",
    ".ts": "typescript", ".lua": "lua", ".vb": "visualbasic", ".fs": "fsharp", ".dart": "dart",
}  # fmt: skip
_MAIN_STEMS = ("main", "__main__")
_SCRIPTS = ("build", "run")  # what a folder is built and started by instead of a compiler
_PYTHON_SCRIPT = re.compile(r"#!\s*(/usr/bin/env\s+)?(/\S*/)?python3?(\.\d+)?\s*$", re.MULTILINE)
_PYTHON2 = re.compile(r"#!.*\bpython2")
_OLD_STATEMENT = re.compile(
    r"Missing parentheses in call to '(print|exec)'|exception types must be parenthesized"
    r"|leading zeros in decimal integer"
)
# Lines of Python 2 for which Python 3's message names no cause.
_OLD_LINE = re.compile(
    r"^\s*(raise\s+[\w.]+\s*,|except\s+[\w.]+\s*,|print\s+[\w\"']|exec\s+[\w\"'])"
    r"|`[^`]+`|\w\s*<>\s*\w|\b0\d+\b|\bur[\"']"
)
_OLD_NAMES = frozenset({"raw_input", "xrange", "unicode", "basestring", "unichr"})
_MAIN_FUNCTION = re.compile(r"^[^/\n]*\bmain\s*\(", re.MULTILINE)
_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)|import\s+([\w., ]+))", re.MULTILINE)


@record
class SourceProgram:
    """A program. file: the name of the file that ``code`` is from. files: {name: text} of its
    others."""

    language: str
    code: str
    file: str
    files: dict[str, str] = field(default_factory=dict)


def read_program(
    path: Path, entry_point: str | None = None, language: str | None = None
) -> SourceProgram | None:
    """Return the program in a file or folder; None if it is in no known language.

    entry_point: the file that it starts in; by default the one called ``main``, else the first.
    language: its language, by default as the names of its files say.
    """
    paths = [path] if path.is_file() else list_files(path)
    root = path.parent if path.is_file() else path
    texts = {file.relative_to(root).as_posix(): file for file in paths}
    languages = {name: language or _detect_language(file) for name, file in texts.items()}
    units = [name for name in texts if languages[name]]
    if not units:
        return None
    main = _choose_main(units, entry_point)
    if languages[main] == "c" and "cpp" in languages.values():
        main = next(name for name in units if languages[name] == "cpp")
    files = {name: _read_program_text(file) for name, file in texts.items() if name != main}
    return SourceProgram(str(languages[main]), _read_program_text(texts[main]), main, files)


def read_checker(
    paths: list[Path], protocol: str, args: tuple[str, ...] = (), role: str = "checker"
) -> CheckerProgram:
    """Return the checker in these files and folders, which must be one program.

    role: what messages call it. Raises PackageError.
    """
    files = [file for path in paths for file in (list_files(path) if path.is_dir() else [path])]
    scripts = [file for file in files if file.name in _SCRIPTS and not _is_python_script(file)]
    if scripts:
        names = ", ".join(file.name for file in scripts)
        raise make_program_error(f"the {role} is built or started by a script of its own ({names})")
    if not files:
        raise PackageError(f"the {role} is missing")
    languages = {file: language for file in files if (language := _detect_language(file))}
    units, languages_used = list(languages), set(languages.values())
    if not languages_used or not languages_used <= set(CHECKER_LANGUAGES):
        raise make_program_error(_explain_language(units or files, role))
    language = "cpp" if "cpp" in languages_used else min(languages_used)
    if languages_used - {language, "c"}:  # C may lie beside C++
        raise _make_several_error(units, role)
    if protocol == "testlib" and language == "python":
        raise make_program_error(
            f"the {role} {units[0].name} is in Python, and speaks testlib's protocol, which is for "
            "C, C++ and Java here"
        )
    main = _find_start(units, language, role)
    root = main.parent
    others = {
        _name_below(root, file): read_lenient_text(file)
        for file in files
        if file is not main and (file in languages or is_text(file))
    }
    return CheckerProgram(read_lenient_text(main), language, protocol, main.name, others, args)


def _make_several_error(units: list[Path], role: str) -> UnsupportedPackageError:
    names = ", ".join(unit.name for unit in units)
    return make_program_error(f"there are several programs as the {role} ({names}); one is run")


def _explain_language(files: list[Path], role: str) -> str:
    """Return a sentence that names the first file that is in no language of checkers."""
    file = next((one for one in files if _detect_language(one) not in CHECKER_LANGUAGES), files[0])
    name, advice = "another language", "rewrite it in one of them"
    if _detect_language(file) == "python2":
        name, advice = "Python 2", "run 2to3 over it"
    return (
        f"the {role} {file.name} is in {name}; programs of packages run here in C, C++, Java and "
        f"Python 3: {advice}, or leave the problem out"
    )


def _find_start(units: list[Path], language: str, role: str) -> Path:
    """Return the only file in which a checker may start. Raises UnsupportedPackageError."""
    if len(units) == 1:
        return units[0]
    texts = {unit: _read_program_text(unit) for unit in units}
    if language == "python":
        imported = {
            name.strip().split(".")[0]
            for text in texts.values()
            for groups in _IMPORT.findall(text)
            for name in "".join(groups).split(",")
        }
        starts = [one for one in units if one.stem not in {*imported, "__init__"}]
    else:
        starts = [unit for unit, text in texts.items() if _MAIN_FUNCTION.search(text)]
    mains = [unit for unit in starts if unit.stem.lower() in _MAIN_STEMS]
    if len(mains or starts) != 1:
        raise _make_several_error(units, role)
    return (mains or starts)[0]


def _choose_main(units: list[str], entry_point: str | None) -> str:
    if entry_point in units:
        return entry_point
    named_main = (name for name in units if PurePosixPath(name).stem.lower() in _MAIN_STEMS)
    return next(named_main, units[0])


def _detect_language(path: Path) -> str | None:
    if path.name in _SCRIPTS and _is_python_script(path):
        return "python"
    language = _LANGUAGES.get(path.suffix) or _LANGUAGES.get(path.suffix.lower())
    return "python2" if language == "python" and _is_python2(_read_program_text(path)) else language


def _is_python_script(path: Path) -> bool:
    return _PYTHON_SCRIPT.match(_read_program_text(path)[:200]) is not None


def _is_python2(text: str) -> bool:
    """Whether a program says that it is in Python 2, or is valid there and not in Python 3."""
    if _PYTHON2.match(text):
        return True
    try:
        tree, free_names = parse_tree(text), source_analysis.find_free_names(text)
    except SyntaxError as error:
        lines = text.splitlines()[: error.lineno or 0]
        is_old_line = bool(lines) and _OLD_LINE.search(lines[-1]) is not None
        return is_old_line or bool(_OLD_STATEMENT.search(error.msg or ""))
    except (ValueError, RecursionError, MemoryError):  # a zero byte; nested too deeply
        return False
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(left=ast.Name(id="print"), op=ast.RShift()):  # print >> file, text
                return True
    return bool(free_names & _OLD_NAMES) and "NameError" not in text


def _name_below(root: Path, file: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name


def _read_program_text(path: Path) -> str:
    if path.suffix == ".py":
        with suppress(SyntaxError, UnicodeError):
            return decode_python(path.read_bytes())
    return read_lenient_text(path)
