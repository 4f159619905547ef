"""Programs that run a set's own test code, in the language of the candidate.

The tests are compiled together with the program, as the set's own judge does. Before any of the
candidate's functions is called, the program reads a key from standard input. It writes the key when
the tests have returned, so a program that exits early does not pass. A program can still deceive
tests that run in its own process.

Tests that report values (``foreign_tests``) read the number of a value instead of a key, and write
that value as a driver does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.java_names import rename
from microcoder_eval.languages import TEST_LANGUAGES, Language
from microcoder_eval.worker.program_files import ProgramFiles
from microcoder_sandbox import record

from . import cpp, go_imports, java, javascript, rust
from .call_target import read_driver
from .signature import names_type, strip_comments

KEY_CHARS = 32
_NO_MAIN = (
    "test_code needs a function main, which calls its tests; JUnit, Catch2 and other frameworks "
    "are not here"
)
_CPP_MAIN = re.compile(r"\bint\s+main\s*+\([^()]*+\)\s*+\{")
_CLASS = re.compile(r"\bclass\s+(\w+)")
_JAVA_MAIN = re.compile(r"\bmain\s*\(")
_JAVA_IMPORT = re.compile(r"\bimport\s++(?:static\s++)?+[\w.]++\*?+\s*+;")
_RUST_MAIN = re.compile(r"\b((?:pub\s+)?fn\s+main\s*\(\s*\))\s*(?:->[^{;]*)?\{")
_RUST_OWN_MAIN = re.compile(r"\bfn\s++main\b")
_RUST_TEST = re.compile(
    r"#\[test\]\s*(?:(?://[^\n]*|#\[[^\]]*\])\s*)*(?:pub(?:\s*\([^()]*\))?\s+)?"
    r"fn\s+(\w+)(\s*\(\s*\)\s*->\s*Result\b)?"
)
# All attributes of Rust that say whether a test runs and how it ends, but the two that are usual.
_RUST_CONDITION = re.compile(r"#\[\s*(should_panic|ignore|cfg_attr|cfg(?!\s*\(\s*test\s*\)))\b")
_RUST_MODULE = re.compile(r"#\[cfg\(test\)\]\s*mod\s+(\w+)")
_GO_MAIN = re.compile(r"\bfunc\s+TestMain\s*\(")
# What Go runs: an example only with a comment that says what it prints.
_GO_TEST = re.compile(r"\bfunc\s+(?:Test|Fuzz)(?![a-z])\w*\s*\(")
_GO_EXAMPLE = re.compile(r"//\s*(?:unordered )?output:", re.IGNORECASE)
_JAVASCRIPT_FILE = re.compile(r"""\b(?:from|import|require)\s*\(?\s*["'](\.[^"']*)["']""")
# Crates that HumanEval-X names in front of every program, and the names that they bring.
CRATES = {
    "rand": re.compile(r"\brand\s*::|\bRng\b|\bthread_rng\b"),
    "regex": re.compile(r"\bregex\s*::|\bRegex\b"),
    "md5": re.compile(r"\bmd5\s*::"),
}
_JAVAC_PARSE_FLAGS = ("-XDshould-stop.ifError=PARSE", "-XDshould-stop.ifNoError=PARSE")
_TESTIFY = "github.com/stretchr/testify/assert"


@record
class DatasetTests:
    """The tests of a problem. reports: whether they report values. starter: the starter code."""

    source: str
    reports: bool
    starter: str


def make_test_program(test_language: str, code: str, tests: DatasetTests) -> ProgramFiles:
    """Return the program with the tests. Raises UnjudgeableError for test code whose start is not
    found."""
    return _MAKERS[TEST_LANGUAGES[test_language].name](code, tests)


def make_syntax_check(language: Language, tests: str) -> tuple[ProgramFiles, Language] | None:
    """Return what compiles where the grammar of test code is right, whatever the names in it mean;
    None for C++, whose grammar depends on what they mean. language: how tests are built."""
    match language.name:
        case "javascript":
            return ProgramFiles(language.file, tests), language
        case "rust":  # what is configured out is only parsed
            text = f"#[cfg(any())] mod microcoder_tests {{{tests}\n}}\nfn main() {{}}\n"
            return ProgramFiles(language.file, text), language
        case "go":  # it parses all files, and tells what it would run then
            text = go_imports.add_imports(tests, frozenset({_TESTIFY}))
            return ProgramFiles(language.file, text), _check_only(language, language.file, "-n")
        case "java":
            name = "Tests.java"
            return ProgramFiles(name, tests), _check_only(language, name, *_JAVAC_PARSE_FLAGS)
    return None


def make_package_check(language: Language, name: str) -> tuple[ProgramFiles, Language]:
    """Return what compiles where this machine has a header of C++, a package of Java, a crate of
    Rust or a module of Node."""
    if language.name == "javascript":  # its compiler only reads a program, so this one is run
        text = f"require.resolve('{name}');"
        return ProgramFiles(language.file, text), replace(language, command=())
    if language.name == "java":
        file = "Tests.java"
        return ProgramFiles(file, f"import {name}.*;"), _check_only(language, file)
    is_rust = language.name == "rust"
    text = (
        f"extern crate {name}; fn main() {{}}" if is_rust else f"#include <{name}>\nint main() {{}}"
    )
    return ProgramFiles(language.file, text), language


def _check_only(language: Language, file: str, *flags: str) -> Language:
    """Return a language whose compiler makes nothing, so that the file itself is its product."""
    command = (*language.command, *flags)
    return replace(language, command=command, file=file, product=file, derive_names=None)


def _make_cpp(code: str, set_tests: DatasetTests) -> ProgramFiles:
    tests = set_tests.source
    match = _require(_CPP_MAIN.search(tests), _NO_MAIN)
    before, guard = read_driver("tests.cpp"), " microcoder_guard microcoder_guard_;"
    if set_tests.reports:
        before, guard = read_driver("write.cpp") + read_driver("checks.cpp"), ""
    guarded = f"{tests[: match.start()]}{before}{match[0]}{guard}{tests[match.end() :]}"
    if "main" in code:  # only then: the compiler uses no prepared header where main is a macro
        code = cpp.rename_main(code)
    return ProgramFiles("solution.cpp", f"{code}\n{guarded}")


def _make_java(code: str, set_tests: DatasetTests) -> ProgramFiles:
    tests = set_tests.source
    _require(_JAVA_MAIN.search(tests), _NO_MAIN)
    match = _CLASS.search(strip_comments(tests))
    if match is not None:
        main_class, others = _place_java_tests(code, tests, match[1])
    else:  # they end the class of the starter code
        main_class = _require(
            _CLASS.search(strip_comments(set_tests.starter)), "no class for the tests"
        )[1]
        others = {f"{main_class}.java": f"{code}\n{tests}"}
    if "org.javatuples" in code or "org.javatuples" in tests:
        others |= _make_tuples()
    name = "Tests"
    if set_tests.reports:
        name = "Checks"
        others["MicrocoderWriter.java"] = read_driver("Writer.java")
    driver = read_driver(f"{name}.java").replace("MICROCODER_MAIN", main_class)
    return ProgramFiles(f"Microcoder{name}.java", driver, others)


def _place_java_tests(code: str, tests: str, main_class: str) -> tuple[str, dict[str, str]]:
    """Return the class of the tests, and the files: the program may have a public class and a main
    class of its own. The program's imports are also the tests'."""
    file, code = java.place_program(code)
    plain_code = strip_comments(code)
    if file == f"{main_class}.java" or names_type(plain_code, main_class):
        new_name = f"Microcoder{main_class}"
        tests, main_class = rename(tests, main_class, new_name), new_name
    imports = " ".join(dict.fromkeys(_JAVA_IMPORT.findall(plain_code)))
    return main_class, {file: code, f"{main_class}.java": f"{java.IMPORTS}{imports} {tests}"}


def _make_tuples() -> dict[str, str]:
    """Return stand-ins for the records of javatuples, which MultiPL-E imports everywhere."""
    names = ("Unit", "Pair", "Triplet", "Quartet", "Quintet", "Sextet", "Septet", "Octet")
    texts = {name: _make_tuple(name, "ABCDEFGH"[:size]) for size, name in enumerate(names, 1)}
    texts["Tuple"] = read_driver("TupleBase.java")
    return {f"org/javatuples/{name}.java": text for name, text in texts.items()}


def _make_tuple(name: str, letters: str) -> str:
    """Return the record of as many values as there are letters, which are their types."""
    getters = []
    for n, letter in enumerate(letters):
        types = ", ".join([*letters[:n], "X", *letters[n + 1 :]])
        values = ", ".join("value" if k == n else f"getValue{k}()" for k in range(len(letters)))
        getters.append(
            f'    @SuppressWarnings("unchecked") public {letter} getValue{n}() '
            f"{{ return ({letter}) getValue({n}); }}\n"
            f"    public <X> {name}<{types}> setAt{n}(X value) {{ return new {name}<>({values}); }}"
        )
    parts = {
        "NAME": name,
        "TYPES": ", ".join(letters),
        "PARAMETERS": ", ".join(f"{letter} value{n}" for n, letter in enumerate(letters)),
        "VALUES": ", ".join(f"value{n}" for n in range(len(letters))),
        "GETTERS": "\n".join(getters),
    }
    text = read_driver("Tuple.java")
    for mark, part in parts.items():
        text = text.replace(mark, part)
    return text


def _make_javascript(code: str, tests: DatasetTests) -> ProgramFiles:
    if file := _JAVASCRIPT_FILE.search(tests.source):
        raise UnjudgeableError(
            f"the test code loads {file[1]}; leave that line out, as the program is in one file "
            "with the tests"
        )
    if name := javascript.find_framework(tests.source, tests.starter):
        raise UnjudgeableError(
            f"the test code calls {name} without defining it, as Jest and mocha allow; take {name} "
            "from node:test, and compare with node:assert"
        )
    before = javascript.read_on_one_line("before.js" if tests.reports else "tests.js")
    after = "" if tests.reports else "microcoderFinish();"
    return ProgramFiles("solution.js", f"{before}{code}\n{tests.source}\n;{after}\n")


def _make_rust(code: str, set_tests: DatasetTests) -> ProgramFiles:
    tests = set_tests.source
    first_line = code.count("\n") + 2
    guard = f"let _guard = crate::MicrocoderGuard::new({first_line});"
    before = read_driver("tests.rs")
    if set_tests.reports:
        before, guard = read_driver("write.rs") + read_driver("checks.rs"), ""
    if condition := _RUST_CONDITION.search(tests):
        raise UnjudgeableError(
            f"test code with #[{condition[1]}] is not run; leave that test or its attribute out"
        )
    has_main = _RUST_OWN_MAIN.search(strip_comments(code)) is not None
    start = "pub fn microcoder_main()" if has_main else "fn main()"
    plain_tests = strip_comments(tests)
    names, modules = _RUST_TEST.findall(plain_tests), _RUST_MODULE.findall(plain_tests)
    if plain_tests.count("#[test]") != len(names) or len(modules) > 1:
        raise UnjudgeableError(
            "test code has a #[test] in a macro, on an async function or in a second module; write "
            "each as #[test] fn name(), all in one module"
        )
    if names:
        prefix = "".join(f"{module}::" for module in modules)
        calls = " ".join(
            f"{prefix}{name}(){'.unwrap()' if returns_result else ''};"
            for name, returns_result in names
        )
        tests = _RUST_TEST.sub(r"pub fn \1\2", tests).replace("#[cfg(test)]", "")
        tests = f"{tests}\n{start} {{ {guard} {calls} }}\n"
    else:
        match = _require(_RUST_MAIN.search(tests), _NO_MAIN)
        head = match[0].replace(match[1], start)
        tests = f"{tests[: match.start()]}{head} {guard}{tests[match.end() :]}"
    text = _drop_unused_crates(f"{code}\n{tests}")
    return ProgramFiles("solution.rs", (rust.wrap_in_module(text) if has_main else text) + before)


def _drop_unused_crates(text: str) -> str:
    """Return the program without the imports of crates that it does not use: there are no
    crates."""
    for crate, uses in CRATES.items():
        line = re.compile(rf"^[ \t]*use {crate}\b[^;\n]*;", re.MULTILINE)
        rest = line.sub("", text)
        if not uses.search(strip_comments(rest)):
            text = rest
    return text


def _make_go(code: str, set_tests: DatasetTests) -> ProgramFiles:
    plain_tests = strip_comments(set_tests.source)
    if _GO_MAIN.search(plain_tests):
        raise UnjudgeableError("test code has a function TestMain, as the judge does; leave it out")
    _require(
        _GO_TEST.search(plain_tests) or _GO_EXAMPLE.search(set_tests.source),
        "test_code needs a function such as TestName(t *testing.T), or Go runs nothing of it",
    )
    source = f"{code}\n{go_imports.drop_package(set_tests.source)}"
    text = go_imports.add_imports(source, frozenset({_TESTIFY}))
    package = go_imports.read_package(code)
    driver = read_driver("checks.go.txt" if set_tests.reports else "tests.go.txt")
    support = {"support_test.go": driver}
    if _TESTIFY in source or "assert" in go_imports.list_undeclared(source):
        support["assert_test.go"] = read_driver("testify.go.txt")
    others = {
        name: go_imports.hide_imports(part.replace("MICROCODER_PACKAGE", package))
        for name, part in support.items()
    }
    return ProgramFiles("solution_test.go", text, others)


def _require(match: re.Match[str] | None, reason: str) -> re.Match[str]:
    if match is None:
        raise UnjudgeableError(reason)
    return match


_MAKERS: Mapping[str, Callable[[str, DatasetTests], ProgramFiles]] = {
    "cpp": _make_cpp,
    "java": _make_java,
    "javascript": _make_javascript,
    "rust": _make_rust,
    "go": _make_go,
}
