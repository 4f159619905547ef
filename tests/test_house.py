"""The house rules that a machine can check: imports, folders, import cost, bundled samples.

Layers: train -> data -> eval -> sandbox, and never upwards.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from graphlib import TopologicalSorter
from itertools import takewhile
from pathlib import Path
from typing import Any, cast

import pytest

import microcoder_sandbox
from microcoder_eval import Judge, judge, run
from microcoder_eval.settings import POOL_OPTIONS, JudgeKeywords, JudgeOptions
from tests.commands import execute
from tests.files import ROOT

# Lowest first: each may import those before it.
PACKAGES = {
    "microcoder_sandbox": ROOT / "sandbox" / "microcoder_sandbox",
    "microcoder_eval": ROOT / "microcoder_eval",
    "microcoder_data": ROOT / "microcoder_data",
    "microcoder_train": ROOT / "microcoder_train",
}
# The folders and modules of microcoder_eval, lowest first. Each may import what stands in lines
# before its own; a folder may always import itself.
EVAL_LAYERS = (
    {"errors", "forksafe", "java_names", "log", "lru", "missing_packages", "plain"}
    | {"preparations", "retries", "signals", "version", "zstd"},
    {"compare", "console", "html", "languages", "points", "syntax"},
    {"extract", "program_hash", "suspicion"},
    {"records"},
    {"misfits", "settings", "solution_points"},
    {"formats", "python_tests", "results"},
    {"foreign_tests"},
    {"worker"},
    {"pool"},
    {"conversion", "judgements"},
    {"recent_problems"},
    {"arguments"},
    {"api"},
    {"audit", "integrations", "report", "serve"},
    {"cli"},
    {"__main__"},
)
# The folders of microcoder_train, lowest first; "": config, samples and others that all share.
TRAIN_LAYERS = (
    {"algorithm"}, {""}, {"environment"}, {"learner"}, {"rollout"}, {"run"}, {"cli"},
    {"__main__"},
)  # fmt: skip
# The folders of the sandbox, and which others each may import: a path says who is trusted.
SANDBOX_FOLDERS = {
    "wire": {"errors"},
    "kernel": set(),
    "toolchains": {"errors", "frozen_records", "wire"},
    "host": {"errors", "kernel", "frozen_records", "toolchains", "wire"},
    "rpc": {"wire"},
    "test_code": {"wire"},
    "test_runner": {"rpc", "test_code", "wire"},
    "guest": {"kernel", "rpc", "test_runner", "wire"},
    "server": {"guest", "kernel", "wire"},
}
# The interface of a worker's process: all that the pool may know of it.
WORKER_INTERFACE = {"microcoder_eval.worker.channel", "microcoder_eval.worker.messages"}
STACKS = {"trl", "verl", "verifiers", "lm_eval", "inspect_ai", "openrlhf"}
# OpenRLHF's rewards are tensors.
WANTS_TENSORS = {"microcoder_eval/integrations/openrlhf.py"}


@cache  # parsing all files takes seconds
def read_nodes(file: Path) -> tuple[list[ast.Import | ast.ImportFrom], dict[str, int], set[str]]:
    """The import statements of a file, wherever they stand; the lines that each function has; and
    which functions it uses that import modules by a text."""
    nodes = list(ast.walk(ast.parse(file.read_bytes(), str(file))))
    lengths = {
        f"{file}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    by_text = names & {"import_module", "run_command_line"}
    return [n for n in nodes if isinstance(n, ast.Import | ast.ImportFrom)], lengths, by_text


def imports_of(file: Path) -> Iterator[tuple[int, str]]:
    """(line, top-level package) of each import statement."""
    for node in read_nodes(file)[0]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.partition(".")[0]
        elif node.level == 0 and node.module:
            yield node.lineno, node.module.partition(".")[0]


def imports_in(package: str) -> list[tuple[str, str]]:
    """("file:line", top-level package) of every import in a package's files."""
    imports = [
        (f"{file.relative_to(ROOT)}:{line}", name)
        for file in sorted(PACKAGES[package].rglob("*.py"))
        for line, name in imports_of(file)
    ]
    assert imports, f"no import found in {package}: is the folder where this test looks?"
    return imports


def tree() -> Iterator[Path]:
    """Folders of the repository but for hidden ones, builds and virtual environments."""
    for name, below, files in os.walk(ROOT):
        if "pyvenv.cfg" in files:
            below.clear()
            continue
        below[:] = [child for child in below if not child.startswith(".") and child != "build"]
        yield Path(name)


def test_packages_import_down_only() -> None:
    rank = {package: number for number, package in enumerate(PACKAGES)}
    assert [
        f"{name} imports {target}"
        for name, target in list_uses()
        if rank[name.split(".")[0]] < rank[target.split(".")[0]]
    ] == []


def test_no_modules_import_each_other() -> None:
    # Imports inside functions and for type checkers count, too.
    list(TopologicalSorter(import_graph()).static_order())  # raises CycleError, which names them


def test_no_files_or_folders_of_one_folder_import_each_other() -> None:
    folders: dict[str, dict[str, set[str]]] = {}
    for name, target in list_uses():
        parts, others = name.split("."), target.split(".")
        pairs = zip(parts, others, strict=False)
        depth = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if depth < min(len(parts), len(others)):
            uses = folders.setdefault(".".join(parts[:depth]), {})
            uses.setdefault(parts[depth], set()).add(others[depth])
    assert len(folders) > 40
    for uses in folders.values():
        list(TopologicalSorter(uses).static_order())  # raises CycleError, which names them


@pytest.mark.parametrize(
    ("package", "rows"), [("microcoder_eval", EVAL_LAYERS), ("microcoder_train", TRAIN_LAYERS)]
)
def test_layers_import_down_only(package: str, rows: tuple[set[str], ...]) -> None:
    layers = {name: number for number, names in enumerate(rows) for name in names}
    assert {file.parent.name for file in PACKAGES[package].glob("*/__init__.py")} <= set(layers)

    def layer_of(name: str) -> str:
        part = name.split(".")[1]
        return "" if "" in layers and part not in layers else part

    # Imports for type checkers and inside functions count, too.
    parts = [
        (name, target, layer_of(name), layer_of(target))
        for name, target in list_uses()
        if name.startswith(f"{package}.") and target.startswith(f"{package}.")
    ]
    assert len(parts) > 100
    assert [
        f"{name} imports {target}"
        for name, target, folder, target_folder in parts
        if folder != target_folder and layers[folder] <= layers[target_folder]
    ] == []


def test_no_package_imports_the_commands_of_another() -> None:
    uses = [use for use in list_uses() if use[1].split(".")[1:2] == ["cli"]]
    assert len(uses) > 30
    assert [use for use in uses if use[0].split(".")[0] != use[1].split(".")[0]] == []


def test_imports_keep_to_one_side_of_the_security_border() -> None:
    for name, targets in import_graph().items():
        folder = name.split(".")[1:2]
        if not name.startswith("microcoder_sandbox.") or folder[0] not in SANDBOX_FOLDERS:
            continue
        uses = {target.split(".")[1] for target in targets}
        assert uses <= {folder[0], *SANDBOX_FOLDERS[folder[0]]}, f"{name} imports {uses}"


def test_other_packages_import_public_names_of_the_sandbox_only() -> None:
    uses = [
        (name, target)
        for name, target in list_uses()
        if not name.startswith("microcoder_sandbox") and target.startswith("microcoder_sandbox")
    ]
    assert len(uses) > 20
    assert [use for use in uses if use[1] != "microcoder_sandbox"] == []


def test_each_public_name_of_the_sandbox_is_loaded_when_it_is_used() -> None:
    names = [*microcoder_sandbox._MODULES_BY_NAME]
    assert len(names) > 40
    for name in names:
        assert getattr(microcoder_sandbox, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = microcoder_sandbox.Nothing


def test_a_pool_knows_the_messages_of_its_workers_only() -> None:
    uses = [
        (name, target)
        for name, target in list_uses()
        if target.startswith("microcoder_eval.worker") and name.startswith("microcoder_eval.pool")
    ]
    assert uses
    assert [use for use in uses if use[1] not in WORKER_INTERFACE] == []


def test_modules_of_one_folder_import_each_other_relatively() -> None:
    """And all others by their full name, so that an import says how far it reaches."""
    wrong = []
    for folder in PACKAGES.values():
        for file in folder.rglob("*.py"):
            package = ".".join(file.relative_to(folder.parent).parent.parts)
            if package == "microcoder_eval.integrations":  # verl loads its own by the file's path
                continue
            for node in read_nodes(file)[0]:
                if isinstance(node, ast.ImportFrom):
                    is_near = package in (node.module, (node.module or "").rpartition(".")[0])
                    if node.level > 1 or (not node.level and is_near):
                        wrong.append(f"{file}:{node.lineno}")
    assert wrong == []


def test_files_and_functions_stay_small() -> None:
    files = [file for folder in PACKAGES.values() for file in folder.rglob("*.py")]
    lengths = {str(file): len(file.read_text().splitlines()) for file in files}
    assert {file: length for file, length in lengths.items() if length > 590} == {}
    functions = [named for file in files for named in read_nodes(file)[1].items()]
    assert len(functions) > 4000
    assert [(name, length) for name, length in functions if length > 60] == []


@cache
def import_graph() -> dict[str, set[str]]:
    """The modules of our packages that each of them imports."""
    modules = {
        ".".join(file.relative_to(folder.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): file
        for folder in PACKAGES.values()
        for file in folder.rglob("*.py")
    }
    return {
        name: {target for target in imported_names(name, file, set(modules)) if target != name}
        for name, file in modules.items()
    }


def list_uses() -> list[tuple[str, str]]:
    """(module, a module that it imports), of our packages."""
    return [(name, target) for name, targets in import_graph().items() for target in targets]


def imported_names(name: str, file: Path, modules: set[str]) -> Iterator[str]:
    """Those of ``modules`` that a module imports, or imports names from."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    imports, _, by_text = read_nodes(file)
    if "import_module" in by_text:
        yield from names_imported_as_text(package, file, modules)
    if "run_command_line" in by_text:  # it imports the module of the verb, which the parser names
        yield from (module for module in modules if module.startswith(f"{package}."))
    for node in imports:
        if isinstance(node, ast.Import):
            yield from modules.intersection(alias.name for alias in node.names)
        else:
            folder = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source = ".".join(filter(None, [folder, node.module]))
            for alias in node.names:
                submodule = f"{source}.{alias.name}"
                yield from modules.intersection([submodule if submodule in modules else source])


def names_imported_as_text(package: str, file: Path, modules: set[str]) -> Iterator[str]:
    """Modules that ``import_module`` may import: those whose name is a text of the file, relative
    or full, and all below a prefix to which the file adds a name."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        match node:
            case ast.Constant(value=str(text)):
                yield from modules & {text, f"{package}.{text.removeprefix('.')}"}
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if text[:1] == ".":
                yield from (module for module in modules if module.startswith(package + text))


def test_tests_are_functions_since_those_of_classes_are_not_collected() -> None:
    for file in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            members = node.body if isinstance(node, ast.ClassDef) else []
            names = [getattr(member, "name", "") for member in members]
            assert not [name for name in names if name.startswith("test_")], file


def test_imports_by_name_count_as_imports() -> None:
    graph = import_graph()
    verbs = {name for name in graph if name.startswith("microcoder_eval.cli.verbs.")}
    assert len(verbs) > 8
    assert verbs <= graph["microcoder_eval.cli"]
    assert "microcoder_data.cli.check" in graph["microcoder_data.cli"]
    assert "microcoder_eval.worker.kinds.stdin" in graph["microcoder_eval.worker.worker"]
    assert "microcoder_eval.worker.kinds.assertion" in graph["microcoder_eval.worker.kinds"]
    assert "microcoder_sandbox.host.sandbox" in graph["microcoder_sandbox"]


def test_the_sandbox_imports_the_standard_library_only() -> None:
    allowed = sys.stdlib_module_names | {"microcoder_sandbox"}
    uses = {(place.partition(":")[0], name) for place, name in imports_in("microcoder_sandbox")}
    assert {use for use in uses if use[1] not in allowed} == set()


@pytest.mark.slow
def test_the_judge_never_imports_torch() -> None:
    uses = [use for use in imports_in("microcoder_eval") if use[1] == "torch"]
    assert {place.partition(":")[0] for place, _ in uses} == WANTS_TENSORS


def test_other_stacks_are_imported_by_their_own_adapter_only() -> None:
    uses = [use for use in imports_in("microcoder_eval") if use[1] in STACKS]
    own = [(f"microcoder_eval/integrations/{name}.py", name) for _, name in uses]
    assert [(place.partition(":")[0], name) for place, name in uses] == own


def test_only_its_users_import_an_adapter() -> None:
    ours = [file for name in PACKAGES for file in PACKAGES[name].rglob("*.py")]
    text = "integrations"
    assert [
        str(file.relative_to(ROOT))
        for file in ours
        if file.parent.name != text and text in file.read_text(encoding="utf-8")
    ] == []


def test_nobody_imports_the_source_root_as_a_package() -> None:
    statement = re.compile(rb"^\s*(import|from) sandbox\b", re.MULTILINE)
    files = [file for folder in tree() for file in folder.glob("*.py")]
    assert len(files) > 1000
    assert [str(file) for file in files if statement.search(file.read_bytes())] == []


def test_datasets_holds_data_only() -> None:
    files = [file for file in (ROOT / "datasets").rglob("*") if file.is_file()]
    assert files
    assert [file for file in files if file.suffix in {".py", ".pyi", ".pyc", ".so"}] == []


def test_no_package_can_be_imported_as_datasets_or_sandbox() -> None:
    folders = [folder for folder in tree() if folder.name in {"datasets", "sandbox"}]
    assert {ROOT / "datasets", ROOT / "sandbox"} <= set(folders)
    packages = [folder for folder in folders if (folder / "__init__.py").exists()]
    assert [folder for folder in packages if not (folder.parent / "__init__.py").exists()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_says_that_it_is_typed(package: str) -> None:
    assert (PACKAGES[package] / "py.typed").is_file()


def fresh_interpreter(code: str) -> Any:
    """What ``code`` prints as JSON in a new interpreter that finds this checkout first."""
    result = execute([sys.executable, "-c", code], cwd=ROOT, timeout=60)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_public_names_are_sorted_and_can_be_imported() -> None:
    # In a fresh interpreter: names are lazy, and a test before this one may have made them.
    code = (
        "import json, microcoder_eval as package\n"
        "names = list(package.__all__)\n"
        "missing = [name for name in names if not hasattr(package, name)]\n"
        "print(json.dumps([names, missing]))"
    )
    names, missing = fresh_interpreter(code)
    assert names
    assert names == sorted(set(names))
    assert missing == []


def test_the_keywords_of_a_judge_are_its_options() -> None:
    options = {field.name: field.default for field in fields(JudgeOptions)}
    assert list(JudgeKeywords.__annotations__) == list(options)
    assert list(inspect.signature(Judge).parameters) == list(options)
    assert set(options) >= POOL_OPTIONS
    for function in (Judge.__init__, Judge.with_changes, JudgeOptions.from_keywords, judge, run):
        assert function.__annotations__["keywords"] == "Unpack[JudgeKeywords]", function
    # What callers write means the same as leaving it out, where it is the default.
    written = {name: value for name, value in options.items() if value is not None}
    assert JudgeOptions.from_keywords(**cast(JudgeKeywords, written)) == JudgeOptions()


def test_nothing_that_the_judge_shares_holds_a_lock_that_a_fork_would_copy() -> None:
    """Modules share ForkSafeLock and lazy_property only (forksafe.py)."""
    for file in sorted(PACKAGES["microcoder_eval"].rglob("*.py")):
        code = file.read_text()
        if file.name == "forksafe.py" or not re.search("cached_property|Lock", code):
            continue
        tree = ast.parse(code)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert "cached_property" not in names, file
        for statement in tree.body:
            if isinstance(statement, ast.Assign):
                assert "threading.Lock" not in (text := ast.unparse(statement)), (file, text)
                assert "threading.RLock" not in text, (file, text)
