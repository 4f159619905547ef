"""The languages of programs, one record each.

Python runs as it is; programs in other languages are compiled once (JavaScript: checked) and then
run. Workers import this module, so it imports the standard library only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace

from microcoder_sandbox import Runtime, record

from . import java_names
from .errors import suggest
from .preparations import Preparation, archive_javac, precompile_header, precompile_stdcpp

# Programs that read a file at home ask for the name, which the judges of contests define.
_ONLINE_JUDGE = "-DONLINE_JUDGE"
_GNU_FLAGS = ("-O2", "-w", "-pipe", "-fmax-errors=5", "-fdiagnostics-color=never", "-I.",
        _ONLINE_JUDGE, "-o", "program")  # fmt: skip
_JAVA_FLAGS = ("-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:CompressedClassSpaceSize=64m",
         "-XX:ReservedCodeCacheSize=64m", "-XX:ActiveProcessorCount=1")  # fmt: skip
_JAVAC_FLAGS = ("-J-Xmx512m", *(f"-J{flag}" for flag in _JAVA_FLAGS), "-J-XX:TieredStopAtLevel=1",
         "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", "classes")  # fmt: skip
_JAVA_STACK_FLAG = "-Xss64m"  # for deep recursion; unused stack takes no memory
# Address space that the runtime reserves at its start, and hardly uses.
_NODE_ADDRESS_BYTES, _JAVA_ADDRESS_BYTES = 64 << 30, 4 << 30
# In KiB. V8 does not check it, so it must fit into the main thread's stack, which may grow to 1 GiB
# (host/fork_server.py).
_NODE_STACK_FLAG = "--stack-size=65500"


@record
class Language:
    """One language.

    name: its name in records.
    aliases: other names, in records and as tags of fences.
    toolchain: its name in microcoder_sandbox.toolchains.toolchain.
    file: the name of the source file.
    command: the compiler's arguments.
    static: more of them if it can link statically.
    libraries: arguments after the source, where linkers look for what the source lacks.
    product: the name of its output.
    runtime: what runs the output, None if it runs by itself.
    sample: a program that starts if any program of the toolchain does; "" if there is a runtime.
    derive_names: returns (file, arguments of the runtime) if they depend on the program's text; no
        arguments: it has no entry point.
    address_bytes: address space that a program needs besides its memory.
    unit_suffixes: suffixes of the files that the compiler is given together; other files only lie
        beside them.
    fence_tags: further tags of fences in answers; in records they name another language.
    preparation: work done in advance that its compiler uses, or None.
    newer_standard: an argument of the command, and what replaces it for a program that does not
        compile; empty if there is none.
    """

    name: str
    aliases: tuple[str, ...]
    toolchain: str = ""
    file: str = ""
    command: tuple[str, ...] = ()
    static: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    product: str = "program"
    runtime: Runtime | None = None
    sample: str = ""
    derive_names: Callable[[str], tuple[str, tuple[str, ...]]] | None = None
    address_bytes: int = 0
    unit_suffixes: tuple[str, ...] = ()
    fence_tags: tuple[str, ...] = ()
    preparation: Preparation | None = None
    newer_standard: tuple[str, str] = ("", "")

    @property
    def compiled(self) -> bool:
        """Whether a program goes through a toolchain before it runs."""
        return bool(self.toolchain)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of fences that hold programs in it."""
        return (self.name, *self.aliases, *self.fence_tags)

    @property
    def is_one_file(self) -> bool:
        """Whether a program has only its main file when it runs: the compiler joins none to it."""
        return self.product == self.file


_CPP_FLAGS = (*_GNU_FLAGS, "-std=gnu++17")
PYTHON = Language("python", ("python3", "py"))
CPP = Language(
    name="cpp",
    # A program in a newer standard than the command's is compiled by it, too (newer_standard).
    aliases=("c++", "cc", "cxx", "g++",
             *(f"{name}{year}" for name in ("c++", "cpp") for year in (11, 14, 17, 20, 23))),
    toolchain="g++",
    file="solution.cpp",
    command=_CPP_FLAGS,
    static=("-static",),
    sample="int main() { return 0; }\n",
    unit_suffixes=(".cpp", ".cc", ".cxx", ".c++", ".C"),
    preparation=precompile_stdcpp(_CPP_FLAGS),
    newer_standard=("-std=gnu++17", "-std=gnu++2b"),
)  # fmt: skip
LANGUAGES = (
    PYTHON,
    CPP,
    Language(
        name="pypy",
        aliases=("pypy3",),
        toolchain="pypy",
        file="solution.py",
        command=("-I", "-c",
                 "import sys; compile(open(sys.argv[1], 'rb').read(), sys.argv[1], 'exec')"),
        product="solution.py",
        runtime=Runtime("pypy", ("-I", "-B", "{program}"), ("-I", "-B", "-c", ""), 1 << 30),
        address_bytes=1 << 30,
        fence_tags=("python", "python3", "py"),
    ),
    Language(
        name="c",
        aliases=("gcc", "c11", "c17"),
        toolchain="gcc",
        file="solution.c",
        command=(*_GNU_FLAGS, "-std=gnu17"),
        static=("-static",),
        libraries=("-lm",),  # as judges compile C; g++ links it by itself
        sample="int main(void) { return 0; }\n",
        unit_suffixes=(".c",),
        newer_standard=("-std=gnu17", "-std=gnu2x"),
    ),
    Language(
        name="java",
        aliases=(),
        toolchain="java",
        command=_JAVAC_FLAGS,
        product="classes",
        runtime=Runtime(
            "java",
            (*_JAVA_FLAGS, _JAVA_STACK_FLAG, "-Xmx{memory}m", "-XX:+CrashOnOutOfMemoryError",
             # Without core dumps it would end by exit status 1, as after an exception.
             "-XX:+CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null", f"{_ONLINE_JUDGE}=true",
             "-cp", "{program}"),
            (*_JAVA_FLAGS, _JAVA_STACK_FLAG, "-Xmx{memory}m", "-version"),
            _JAVA_ADDRESS_BYTES,
            (b"# A fatal error has been detected by the Java Runtime Environment",
             b"fatal error: OutOfMemory encountered: (?!unable to create native thread)"),
        ),
        derive_names=java_names.derive_names,
        address_bytes=_JAVA_ADDRESS_BYTES,
        unit_suffixes=(".java",),
        preparation=archive_javac(_JAVAC_FLAGS),
    ),
    Language(
        name="javascript",
        aliases=("js", "node", "nodejs", "node.js"),
        toolchain="node",
        file="solution.js",
        command=("--max-old-space-size=512", "--check"),
        product="solution.js",
        runtime=Runtime(
            "node",
            ("--max-old-space-size={memory}", _NODE_STACK_FLAG, "--preserve-symlinks-main",
             "{program}"),
            ("-e", "0"),
            _NODE_ADDRESS_BYTES,
        ),
        address_bytes=_NODE_ADDRESS_BYTES,
    ),
    Language(
        name="go",
        aliases=("golang",),
        toolchain="go",
        file="solution.go",
        # By default, a package that is not main becomes a library.
        command=("build", "-buildmode=exe", "-o", "program"),
        sample="package main\nfunc main() {}\n",
        # The go command starts threads, each with a stack as large as the main thread's may grow.
        address_bytes=64 << 30,
        unit_suffixes=(".go",),
    ),
    Language(
        name="rust",
        aliases=("rs",),
        toolchain="rustc",
        file="solution.rs",
        command=("-O", "--edition", "2021", "-C", "codegen-units=1", "-C", "linker=gcc",
                 "--cap-lints", "allow", "--color", "never", "-o", "program"),
        static=("-C", "target-feature=+crt-static"),
        sample="fn main() {}\n",
        newer_standard=("2021", "2024"),
    ),
)  # fmt: skip
_BY_NAME: Mapping[str, Language] = {
    name: language for language in LANGUAGES for name in (language.name, *language.aliases)
}


def precompile_testlib(text: str) -> Preparation:
    """Return the preparation of this text of testlib.h, which checkers include."""
    return replace(precompile_header("testlib.h", text, CPP.command), file="testlib.h")


def _make_cpp(standard: str) -> Language:
    """Return C++ as sets build their tests: in this standard, without optimisation."""
    flags = (*(flag for flag in _GNU_FLAGS if flag != "-O2"), f"-std={standard}")
    newer_standard = (f"-std={standard}", CPP.newer_standard[1])
    return replace(
        CPP, command=flags, preparation=precompile_stdcpp(flags), newer_standard=newer_standard
    )


def _make_rust(edition: str) -> Language:
    """Return Rust as ``cargo test`` builds it: overflows and debug assertions panic."""
    flags = ("--edition", edition, "-C", "linker=gcc", "-C", "overflow-checks=on",
             "-C", "debug-assertions=on", "--cap-lints", "allow", "--color", "never",
             "-o", "program")  # fmt: skip
    return replace(_BY_NAME["rust"], command=flags)


# How test code is built that runs in the program's process, by the test_language of a problem.
TEST_LANGUAGES: Mapping[str, Language] = {
    "cpp": CPP,
    "cpp11": _make_cpp("c++11"),
    "cpp17": _make_cpp("c++17"),
    "java": _BY_NAME["java"],
    "javascript": _BY_NAME["javascript"],
    # Any output is a failure: a failed console.assert prints and does not change the exit status.
    "javascript_silent": _BY_NAME["javascript"],
    "rust": _make_rust("2021"),
    "rust2015": _make_rust("2015"),
    "go": replace(
        _BY_NAME["go"], file="solution_test.go", command=("test", "-c", "-vet=off", "-o", "program")
    ),
}
LANGUAGE_NAMES = tuple(language.name for language in LANGUAGES)
SUFFIXES: Mapping[str, str] = {
    ".py": "python", ".cpp": "cpp", ".cc": "cpp", ".cxx": "cpp", ".c++": "cpp", ".C": "cpp",
    ".c": "c", ".java": "java", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".go": "go", ".rs": "rust",
}  # fmt: skip
# The languages of checkers, interactors and graders that a problem brings with it.
CHECKER_LANGUAGES = ("python", "cpp", "c", "java")


def find_language(name: str) -> Language | None:
    """Return the language of that name or alias, in any case; None if it is unknown."""
    return _BY_NAME.get(name.lower())


def find_file_language(file_name: str) -> str | None:
    """Return the language of a program by its file's name; None if it is of none."""
    suffix = os.path.splitext(file_name)[1]
    return SUFFIXES.get(suffix) or SUFFIXES.get(suffix.lower())


def suggest_language(name: str) -> str:
    """Return what to say of a name that is no language's: which is meant, and all there are."""
    return suggest(name, LANGUAGE_NAMES, _BY_NAME)
