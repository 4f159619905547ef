"""What toolchains prepare once a machine: who makes it, who reads it, when it is thrown away."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from microcoder_eval.errors import CompileError
from microcoder_eval.languages import CPP, Language, find_language, precompile_testlib
from microcoder_eval.worker.compilation import compiler as compiler_module
from microcoder_eval.worker.compilation.compiler import Compiler
from microcoder_eval.worker.compilation.preparing import PreparationProcess, prepare
from microcoder_sandbox import (
    Binary,
    PreparedStore,
    Recipe,
    ResourceLimits,
    Sandbox,
    make_binary_request,
    make_build_request,
    make_plan,
    make_sealed_memfd,
)
from microcoder_sandbox.toolchains import prepared as prepared_module
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.levels import levels, open_sandbox
from tests.processes import wait_until

pytestmark = pytest.mark.skipif(find_toolchain() is None, reason="no g++ on this machine")
# What a compiler makes does not depend on the level.
at_one_level = pytest.mark.parametrize("sandbox", [4], indirect=True)
LIMITS = ResourceLimits(
    cpu_seconds=20, wall_seconds=90, memory_bytes=1 << 30, output_bytes=320 << 20
)
SUM = """\
#include <bits/stdc++.h>
int main() { long a, b; std::cin >> a >> b; std::cout << a + b; }
"""
TINY = "#pragma once\ninline int two() { return 2; }\n"  # in place of the text of testlib.h


@pytest.fixture(params=levels(4, 3), scope="module")
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A running sandbox at level 4 and at level 3."""
    with open_sandbox(request.param) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A store that other users may read, as compilers run as another user."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path / "prepared"
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def headers(folder: Path) -> str:
    """The folder of the precompiled bits/stdc++.h."""
    assert CPP.preparation is not None
    made = prepare(make_plan(), PreparedStore(str(folder)), CPP.preparation.recipe)
    assert made
    return made


@pytest.fixture
def tiny_store(folder: Path) -> PreparedStore:
    return PreparedStore(str(folder.with_name("tiny")))


def _recipe(text: str = TINY) -> Recipe:
    return precompile_testlib(text).recipe


def _compile(sandbox: Sandbox, store: str, source: str, language: Language = CPP) -> bytes:
    command = [*language.command, *language.static, language.file]
    return Compiler(sandbox, store).compile(
        {language.file: source}, command, language.product, language
    )


@pytest.mark.slow
@at_one_level
@pytest.mark.parametrize(
    "prelude",
    [
        "",
        '#pragma GCC optimize("O3")\n#pragma GCC target("avx2")\n',
        "#define std other\n#undef std\n#define _GLIBCXX_DEBUG\n#include <cstdio>\n",
    ],
    ids=["nothing", "pragmas", "macros and a header"],
)
def test_a_program_is_the_same_with_and_without_whatever_stands_before_the_header(
    sandbox: Sandbox, folder: Path, headers: str, prelude: str
) -> None:
    del headers
    source = prelude + SUM
    assert _compile(sandbox, str(folder), source) == _compile(sandbox, "", source)


@pytest.mark.slow
@at_one_level
@pytest.mark.parametrize(
    "source",
    [
        SUM.replace("std::cin", "std::cim") + "int f() { std::vector<int> v; return v; }",
        "#include <bits/stdc++.h>\n#error no\n",
    ],
)
def test_messages_are_those_without(
    sandbox: Sandbox, folder: Path, headers: str, source: str
) -> None:
    del headers
    messages = []
    for store in (str(folder), ""):
        with pytest.raises(CompileError) as caught:
            _compile(sandbox, store, source)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_the_first_programs_do_not_wait_for_it(
    sandbox: Sandbox, tiny_store: PreparedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = []

    class Started:
        def __init__(self, *arguments: object) -> None:
            processes.append(arguments)

        def has_ended(self) -> bool:
            return False

    monkeypatch.setattr(compiler_module, "PreparationProcess", Started)
    compiler = Compiler(sandbox, tiny_store.folder)
    preparation = precompile_testlib(TINY + "// not made\n")
    source = '#include "testlib.h"\nint main() { return two(); }\n'
    files = {"solution.cpp": source, "testlib.h": TINY}
    for count in (0, 0, 1, 1):
        command = [*CPP.command, "solution.cpp"]
        assert compiler.compile(files, command, CPP.product, CPP, preparation)
        assert len(processes) == count


def test_it_is_made_beside_the_worker(sandbox: Sandbox, tiny_store: PreparedStore) -> None:
    recipe = _recipe(TINY + "// beside\n")
    process = PreparationProcess(sandbox.plan, tiny_store.folder, recipe)
    assert wait_until(process.has_ended)
    prepared = Path(tiny_store.find(recipe))
    assert (prepared / "testlib.h.gch").stat().st_mode & 0o777 == 0o644


def test_other_headers_of_the_machine_make_it_out_of_date(
    tiny_store: PreparedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = _recipe(TINY + "#include <cstddef>\n")
    toolchain = find_toolchain()
    assert toolchain is not None
    changed = replace(toolchain, readable=(*toolchain.readable, str(tmp_path)))
    monkeypatch.setattr(prepared_module, "require_toolchain", lambda _name: changed)
    prepared = prepare(make_plan(), tiny_store, recipe)
    assert prepared == tiny_store.find(recipe)
    os.utime(tmp_path, (1, 1))  # as where a header in it is replaced
    assert tiny_store.find(recipe) == ""
    assert prepare(make_plan(), tiny_store, recipe) not in ("", prepared)


def test_the_store_is_bounded_and_cleaned(
    tiny_store: PreparedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipes = [_recipe(f"{TINY}// {number}\n") for number in range(3)]
    first, second = [prepare(make_plan(), tiny_store, recipe) for recipe in recipes[:2]]
    size = prepared_module._measure(first)
    os.utime(second, (1, 1))
    abandoned = Path(tiny_store.folder) / "unfinished-x"
    abandoned.mkdir()
    monkeypatch.setattr(prepared_module, "MAX_BYTES", 2 * size + size // 2)
    prepare(make_plan(), tiny_store, recipes[2])
    assert not abandoned.exists()
    assert not Path(second).exists()
    assert tiny_store.find(recipes[2])


def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert PreparedStore(str(tmp_path)).folder == ""


@pytest.mark.parametrize(
    "command",
    [
        ["-x", "c++", "-c", "-o", "{folder}/evil.o"],
        ["-x", "c++-header", "-o", "{folder}/testlib.h.gch"],
        ["-x", "c++", "-c", "-MD", "-MF", "{folder}/testlib.h", "-o", "program"],
    ],
)
def test_a_compiler_that_obeys_a_candidate_writes_nothing_there(
    sandbox: Sandbox, tiny_store: PreparedStore, command: list[str]
) -> None:
    prepared = prepare(make_plan(), tiny_store, _recipe())
    before = _describe(prepared)
    arguments = [argument.replace("{folder}", prepared) for argument in (*command, "solution.cpp")]
    outcome = sandbox.run(
        make_build_request(
            {"solution.cpp": "int x;"}, arguments, "program", LIMITS, prepared=prepared
        )
    )
    assert outcome.status != 0
    assert b"Read-only file system" in outcome.stderr or b"Permission denied" in outcome.stderr
    assert _describe(prepared) == before


def test_a_compiler_reads_what_it_was_given_and_no_other(
    sandbox: Sandbox, tiny_store: PreparedStore
) -> None:
    own, other = [
        prepare(make_plan(), tiny_store, _recipe(f"{TINY}// {name}\n")) for name in ("own", "other")
    ]
    for folder, status in ((own, True), (other, False), (tiny_store.folder, False)):
        source = f'asm(".incbin \\"{folder}/testlib.h\\"");'
        command = ["-x", "c++", "-c", "-o", "program", "solution.cpp"]
        outcome = sandbox.run(
            make_build_request({"solution.cpp": source}, command, "program", LIMITS, prepared=own)
        )
        assert (outcome.status == 0) is status, outcome.stderr


def test_a_program_sees_nothing_of_it_when_it_runs(
    sandbox: Sandbox, tiny_store: PreparedStore
) -> None:
    prepared = prepare(make_plan(), tiny_store, _recipe())
    source = (
        "#include <cstdio>\n"
        f'int main() {{ puts(fopen("{prepared}/testlib.h", "r") ? "seen" : "hidden"); }}'
    )
    binary = Binary(make_sealed_memfd(_compile(sandbox, "", source)))
    try:
        limits = replace(LIMITS, output_bytes=1 << 20)
        outcome = sandbox.run(make_binary_request(binary, b"", limits))
    finally:
        binary.close()
    assert outcome.stdout == b"hidden\n"


@pytest.mark.skipif(find_toolchain("java") is None, reason="no Java on this machine")
@pytest.mark.slow
@at_one_level
def test_java_compiles_with_the_archive_of_its_classes(sandbox: Sandbox, folder: Path) -> None:
    java = find_language("java")
    assert java is not None
    assert java.preparation is not None
    prepared = prepare(make_plan(), PreparedStore(str(folder)), java.preparation.recipe)
    files = {"Main.java": "public class Main { public static void main(String[] a) {} }"}
    command = [*java.command, "-J-Xlog:cds", "-J-Xshare:on", "Main.java"]
    assert Compiler(sandbox, str(folder)).compile(files, command, java.product, java)
    assert (Path(prepared) / "javac.jsa").stat().st_size > 1 << 20


def _describe(folder: str) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in Path(folder).rglob("*")
    }
