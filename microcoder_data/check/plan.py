"""Reads a generator script written for ``gen.sh`` into a plan of the tests and groups it would
make.

Source: testdata_tools (github.com/Kodsport/testdata_tools, gen.sh): its commands, the names and the
order of the files that it writes, the seed of each test, its testdata.yaml.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from microcoder_eval.formats.packages.containment import resolve_inside
from microcoder_eval.formats.packages.files import read_lenient_text
from microcoder_eval.formats.packages.package import PackageError

from .shell import NOT_GENERATED, Command, list_commands

_INCLUDE = re.compile(r"^\s*(?:\.|source)\s+\S*gen\.sh\"?\s*(?:#.*)?$", re.MULTILINE)
_SETTINGS = re.compile(r"^\s*USE_SCORING=(\S+)", re.MULTILINE)
# Commands that change no test.
_IDLE = ("set", "ulimit", "wait", "echo", "hint", "desc", "add_cleanup", "limits", "shopt", "trap")
_COMPILERS = ("compile", "compile_cpp", "compile_py", "compile_java", "compile_sh")
_SOLUTIONS = "submissions/accepted"
_MAX_DIGITS = 9  # of points


@dataclass(frozen=True, slots=True)
class GeneratedTest:
    """One test.

    path: of its files below data/, without their endings.
    program: a file of the package that prints the input when run with ``arguments``; None: the
        input is the file ``source`` of the package.
    has_answer: whether the answer is beside the input.
    """

    path: str
    program: str | None = None
    arguments: tuple[str, ...] = ()
    source: str = ""
    has_answer: bool = False


@dataclass(slots=True)
class GroupPlan:
    """A group of secret tests. flags: output_validator_flags."""

    name: str
    points: str
    flags: str = ""


@dataclass(slots=True)
class TestPlan:
    """Everything that a script makes. solution: the program that makes the answers. copies: {path
    of a test: path of the test that it repeats}."""

    __test__ = False  # not a pytest class

    is_scoring: bool
    solution: str | None = None
    tests: list[GeneratedTest] = field(default_factory=list)
    copies: dict[str, str] = field(default_factory=dict)
    groups: list[GroupPlan] = field(default_factory=list)
    flags: str = ""


def read_plan(folder: Path) -> TestPlan | None:
    """Return the plan of a package; None if it has no script. Raises PackageError for a script that
    needs a shell, or names a file that the package lacks."""
    paths = [path for path in sorted((folder / "data").glob("*")) if path.suffix in ("", ".sh")]
    scripts = {path.name: read_lenient_text(path) for path in paths if path.is_file()}
    for name, text in scripts.items():
        if _INCLUDE.search(text):
            settings = _SETTINGS.search(text)
            planner = _Planner(folder, name, is_scoring=not settings or settings[1] != "0")
            for command in list_commands(text, name, frozenset(planner.handlers)):
                planner.apply_command(command)
            return planner.plan
    for name in (name for name in scripts if name.endswith(".sh")):
        commands = list_commands(scripts[name], name, frozenset())
        works = (command for command in commands if command.words[0] not in _IDLE)
        raise _refuse(name, next(works, Command((name,), 1)))
    return None


def _refuse(script: str, command: Command) -> PackageError:
    """Return the error for a command that needs a shell."""
    place = f"data/{script} line {command.line}"
    text = f"{place}: the command {command.words[0]!r} is not read here"
    return PackageError(text, NOT_GENERATED)


@dataclass(slots=True)
class _Placement:
    """Where a test is. number: among all tests, from 1. path: see ``GeneratedTest``. file: that it
    is by itself, of the command tc_manual."""

    number: int
    path: str
    file: str = ""


class _Planner:
    """Follows the commands of a script, as gen.sh does."""

    def __init__(self, folder: Path, script: str, *, is_scoring: bool) -> None:
        self._folder = folder
        self._script = script
        self._line = 0
        self._programs: dict[str, str] = {}
        self._folder_name = "secret"
        self._group_name = ""
        self._placements: dict[str, _Placement] = {}  # by the name of the test
        self._members: dict[str, list[str]] = {}  # names of tests by group
        self.plan = TestPlan(is_scoring)
        self.handlers: dict[str, Callable[..., None]] = {
            "use_solution": self._use_solution,
            "samplegroup": self._start_samples,
            "sample": self._add_sample,
            "sample_manual": partial(self._add_sample, has_answer=True),
            "group": self._start_group,
            "include_group": self._include_groups,
            "tc": self._add_test,
            "tc_manual": self._add_manual_test,
            "tg_manual": self._add_manual_tests,
            "output_validator_flags": self._set_flags,
            **dict.fromkeys(_COMPILERS, self._add_program),
        }

    def apply_command(self, command: Command) -> None:
        """Add the effect of one command to the plan. Raises PackageError."""
        name, *arguments = command.words
        self._line = command.line
        if name in (".", "source") and arguments and arguments[0].endswith("gen.sh"):
            return
        if name in _IDLE:
            return
        handler = self.handlers.get(name)
        if handler is None:
            raise _refuse(self._script, command)
        try:
            inspect.signature(handler).bind(*arguments)
        except TypeError:
            raise self._make_error(f"{name} with {len(arguments)} arguments") from None
        handler(*arguments)

    def _make_error(self, message: str) -> PackageError:
        return PackageError(f"data/{self._script} line {self._line}: {message}")

    def _find_file(self, name: str, base: str = "data") -> str:
        """Return the path of a file below the package. name: relative to a folder of it."""
        path = os.path.normpath(f"{base}/{name}")
        if not resolve_inside(self._folder, path).is_file():
            raise self._make_error(f"there is no file {path}")
        return path

    def _add_program(self, file: str, _options: str = "") -> None:
        self._programs[Path(file).stem] = self._find_file(file)

    def _use_solution(self, file: str, _options: str = "") -> None:
        self.plan.solution = self._find_file(file, _SOLUTIONS)

    def _start_samples(self) -> None:
        self._folder_name, self._group_name = "sample", "sample"

    def _add_sample(self, name: str, *, has_answer: bool = False) -> None:
        source = self._find_file(f"sample/{name}.in")
        if has_answer:
            self._find_file(f"sample/{name}.ans")
        test = GeneratedTest(f"sample/{name}", source=source, has_answer=has_answer)
        self._add(name, test, "sample")

    def _start_group(self, name: str, points: str = "0") -> None:
        is_number = points.isdecimal() and len(points) <= _MAX_DIGITS
        if not is_number or "/" in name or name in (".", "..") or name in self._members:
            raise self._make_error(f"a group {name!r} with {points!r} points")
        self._folder_name, self._group_name = f"secret/{name}", name
        self._members[name] = []
        self.plan.groups.append(GroupPlan(name, points))

    def _include_groups(self, *names: str) -> None:
        for name in names:
            if not self._members.get(name):
                raise self._make_error(f"there is no group {name!r} with tests")
            for test in list(self._members[name]):
                self._repeat(test)

    def _add_test(self, name: str, program: str | None = None, *arguments: str) -> None:
        if program is None:
            self._repeat(name)
            return
        if program not in self._programs:
            raise self._make_error(f"no program {program!r} was compiled")
        seed = int(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()[:6], 16)
        self._add_to_group(name, "", self._programs[program], (*arguments, str(seed)))

    def _add_manual_test(self, file: str) -> None:
        name, source = Path(file).stem, self._find_file(file)
        placement = self._placements.get(name)
        if placement is not None and placement.file == source:
            self._repeat(name)
            return
        self._add_to_group(name, source)
        self._placements[name].file = source

    def _add_manual_tests(self, directory: str) -> None:
        path = resolve_inside(self._folder, os.path.normpath(f"data/{directory}"))
        for file in sorted(path.glob("*.in")):
            self._add_manual_test(f"{directory.rstrip('/')}/{file.name}")

    def _set_flags(self, *flags: str) -> None:
        text = " ".join(flags)
        if self.plan.groups and self.plan.is_scoring:
            self.plan.groups[-1].flags = text
        else:
            self.plan.flags = text

    def _add_to_group(
        self, name: str, source: str, program: str | None = None, arguments: tuple[str, ...] = ()
    ) -> None:
        """Add a new test to the current group. Its number keeps the order of the tests."""
        path = f"{self._folder_name}/{len(self.plan.tests) + 1:03d}-{name}"
        self._add(name, GeneratedTest(path, program, arguments, source), self._group_name)

    def _add(self, name: str, test: GeneratedTest, group: str) -> None:
        if self.plan.is_scoring and not self._group_name:
            raise self._make_error(f"test {name!r} is in no group")
        if "/" in name or name in self._placements:
            raise self._make_error(f"there are two tests {name!r}")
        self.plan.tests.append(test)
        self._placements[name] = _Placement(len(self.plan.tests), test.path)
        self._members.setdefault(group, []).append(name)

    def _repeat(self, name: str) -> None:
        """Put a test of another group into this one, too."""
        if (placement := self._placements.get(name)) is None:
            raise self._make_error(f"there is no test {name!r}")
        members = self._members.setdefault(self._group_name, [])
        if name not in members:
            path = f"{self._folder_name}/{placement.number:03d}-{name}"
            self.plan.copies[path] = placement.path
            members.append(name)
