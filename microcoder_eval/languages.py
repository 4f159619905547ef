"""The languages that programs may be written in: one row each.

Python runs as it is; every other language is compiled once (JavaScript: checked) and then run.
Standard library only: workers import this.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from microcoder_sandbox.cage import Host

from . import java_names

_GNU = ("-O2", "-w", "-pipe", "-fmax-errors=5", "-fdiagnostics-color=never", "-I.",
        "-o", "program")  # fmt: skip
_JAVA = ("-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:CompressedClassSpaceSize=64m",
         "-XX:ReservedCodeCacheSize=64m", "-XX:ActiveProcessorCount=1")  # fmt: skip
_JAVA_STACK = "-Xss64m"  # deep recursion is common, and what is not used costs nothing
_NODE_SPACE, _JAVA_SPACE = 64 << 30, 4 << 30  # reserved at the start, hardly any of it ever used
# V8 believes what it is told, so this must fit into the main thread's stack, which may grow to
# 1 GiB (cage.py): in KiB.
_NODE_STACK = "--stack-size=65500"


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    name: of the records. aliases: also understood, in records and as tags of fences.
    toolchain: of microcoder_sandbox.toolchain. file: what the program's text is called.
    command: the compiler's arguments. static: one more where it can link statically.
    product: what it makes. host: how that is run, where it does not run by itself.
    named: for languages whose file and command depend on the text: (file, arguments for the host).
    """

    name: str
    aliases: tuple[str, ...]
    toolchain: str = ""
    file: str = ""
    command: tuple[str, ...] = ()
    static: tuple[str, ...] = ()
    product: str = "program"
    host: Host | None = None
    named: Callable[[str], tuple[str, tuple[str, ...]]] | None = None
    address_bytes: int = 0

    @property
    def compiled(self) -> bool:
        """Whether a program goes through a toolchain before it runs."""
        return bool(self.toolchain)


PYTHON = Language("python", ("python3", "py"))
CPP = Language(
    name="cpp",
    aliases=("c++", "cc", "cxx", "g++", "cpp17"),
    toolchain="g++",
    file="solution.cpp",
    command=(*_GNU, "-std=gnu++17"),
    static=("-static",),
)
LANGUAGES = (
    PYTHON,
    CPP,
    Language(
        name="c",
        aliases=("gcc", "c11", "c17"),
        toolchain="gcc",
        file="solution.c",
        command=(*_GNU, "-std=gnu17"),
        static=("-static",),
    ),
    Language(
        name="java",
        aliases=(),
        toolchain="java",
        command=("-J-Xmx512m", *(f"-J{flag}" for flag in _JAVA), "-J-XX:TieredStopAtLevel=1",
                 "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", "classes"),
        product="classes",
        host=Host(
            "java",
            (*_JAVA, _JAVA_STACK, "-Xmx{memory}m", "-XX:+CrashOnOutOfMemoryError",
             "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null", "-cp", "{program}"),
            (*_JAVA, _JAVA_STACK, "-Xmx{memory}m", "-version"),
            _JAVA_SPACE,
        ),
        named=java_names.of,
        address_bytes=_JAVA_SPACE,
    ),
    Language(
        name="javascript",
        aliases=("js", "node", "nodejs", "node.js"),
        toolchain="node",
        file="solution.js",
        command=("--max-old-space-size=512", "--check"),
        product="solution.js",
        host=Host(
            "node",
            ("--max-old-space-size={memory}", _NODE_STACK, "--preserve-symlinks-main",
             "{program}"),
            ("-e", "0"),
            _NODE_SPACE,
        ),
        address_bytes=_NODE_SPACE,
    ),
    Language(
        name="go",
        aliases=("golang",),
        toolchain="go",
        file="solution.go",
        command=("build", "-o", "program"),
        address_bytes=4 << 30,
    ),
    Language(
        name="rust",
        aliases=("rs",),
        toolchain="rustc",
        file="solution.rs",
        command=("-O", "--edition", "2021", "-C", "codegen-units=1", "-C", "linker=gcc",
                 "--cap-lints", "allow", "--color", "never", "-o", "program"),
        static=("-C", "target-feature=+crt-static"),
    ),
)  # fmt: skip
NAMES = tuple(language.name for language in LANGUAGES)
_BY_NAME: Mapping[str, Language] = {
    name: language for language in LANGUAGES for name in (language.name, *language.aliases)
}


def find_language(name: str) -> Language | None:
    """The language of that name or alias, in any case of letters; None for an unknown one."""
    return _BY_NAME.get(name.lower())


def code_sha256(code: str, language: str) -> str:
    """What a result says of its program: the SHA-256 of its text; where it is not Python, of the
    language's name, a zero byte and the text, since one text may be a program in several."""
    known = find_language(language) or PYTHON
    named = "" if known is PYTHON else f"{known.name}\0"
    return hashlib.sha256((named + code).encode("utf-8", "surrogatepass")).hexdigest()
