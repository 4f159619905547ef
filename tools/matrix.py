"""Run a set of checks under every Python, and under machines that lack something.

    sudo python tools/matrix.py [CELL...]        all cells, or those named; prints a table
    sudo python tools/matrix.py --list           the cells, and what is particular to each
    sudo python tools/matrix.py CELL -- COMMAND  run one command in a cell, e.g. `bash`

Each cell has the wheel of this checkout in a virtual environment and a mount namespace of its
own; the machine is not touched, except for a cgroup that is removed afterwards. Environments are
kept in tools/.envs (--cache), so that a second run is fast. Needs root, Linux and apt or pyenv.
The exit code is 1 when a check failed, 2 when the matrix itself cannot run.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cells import NOBODY, STAGE, Cell, list_cells
from environments import (
    MOUNT_POINT,
    SOURCE,
    Environment,
    Interpreter,
    UnavailableError,
    build_wheel,
    find_interpreters,
    install_debian_interpreters,
    make_command,
    make_environment,
    make_lowest_constraints,
)

SAMPLES = f"{STAGE}/datasets/samples"
CHECK_SECONDS = 400
LINES_SHOWN = 15
# Copied without the packages' sources, so that tests import the installed wheel.
STAGED = ("tests", "datasets", "sandbox/attacks", "sandbox/README.md", "tools", "pyproject.toml")
# One or two attacks for each layer that may be missing or differ.
ATTACKS = "A001 A003 A013 A054 A063 A071 A079 A085 A086 A093 A099 A107 A110 A134 A250"
_IMPORT_SECONDS = """
import subprocess, sys, time
def seconds(code):
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start
pairs = [(seconds("pass"), seconds("import microcoder_eval")) for _ in range(7)]
print(sorted(loaded - bare for bare, loaded in pairs)[3])
"""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one command. problem: empty if it passed."""

    name: str
    seconds: float
    problem: str
    output: str


class Matrix:
    """The interpreters, environments and folders of the cells."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache
        self.notes: list[str] = []
        self.interpreters: dict[str, Interpreter] = {}
        for interpreter in find_interpreters():
            self.interpreters.setdefault(interpreter.minor, interpreter)
        self.compiling = _find_compiling_interpreter()
        try:
            for interpreter in install_debian_interpreters(cache):
                self.interpreters.setdefault(interpreter.minor, interpreter)
        except UnavailableError as error:
            self.notes.append(f"no newer Python from Debian: {error}")
        self._environments: dict[str, Environment] = {}
        self._wheel: Path | None = None

    def open_environment(self, name: str) -> Environment:
        """Return the environment of that name; make it on first use. Raises UnavailableError."""
        if self._wheel is None:
            self._wheel = build_wheel(self.cache)
        if name not in self._environments:
            if name == "lowest":
                interpreter, constraints = self.compiling, make_lowest_constraints()
            else:
                interpreter, constraints = self.interpreters[name], ""
            self._environments[name] = make_environment(
                self.cache, name, interpreter, self._wheel, constraints
            )
        return self._environments[name]

    def copy_files(self) -> None:
        """Copy the files that the checks need to a folder that every user can read."""
        stage = self.cache / "stage"
        shutil.rmtree(stage, ignore_errors=True)
        hidden = shutil.ignore_patterns("__pycache__", ".*")
        for name in STAGED:
            target = stage / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, target, ignore=hidden)
            else:
                shutil.copy(SOURCE / name, target)
        _open_to_all(stage)


def _open_to_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _find_compiling_interpreter() -> Interpreter:
    """Find the oldest interpreter that can compile dependencies without a wheel; else the first
    one found."""
    candidates = find_interpreters()
    for interpreter in candidates:
        code = "import sysconfig; print(sysconfig.get_path('include'))"
        command = [interpreter.path, "-c", code]
        include = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if (Path(include.strip()) / "Python.h").exists():
            return interpreter
    return candidates[0]


class CellRun:
    """Runs commands in one cell."""

    def __init__(self, matrix: Matrix, cell: Cell) -> None:
        self.cell = cell
        self._cache = matrix.cache
        self.environment = matrix.open_environment(cell.environment)
        folder = Path("cells", cell.name)
        self._folder = f"{MOUNT_POINT}/{folder}"  # as the commands see it
        home = matrix.cache / folder / "home"
        shutil.rmtree(home.parent, ignore_errors=True)
        home.mkdir(parents=True)
        for path in (home.parent, home):
            os.chown(path, cell.user, cell.user)
        self._group = _make_cpu_group(cell.cpu_quota) if cell.cpu_quota else None

    def close(self) -> None:
        """Remove the cell's cgroup."""
        if self._group is not None:
            self._group.rmdir()

    def make_command(self, command: Sequence[str]) -> list[str]:
        """Make the whole command line that runs ``command`` in the cell."""
        setup = f"cd {self._folder}\n"
        if self._group is not None:
            setup += f"echo $$ > {self._group}/cgroup.procs\n"
            if self.cell.prefix:  # in a container the group is the visible root
                setup += f"mount --bind {self._group} {self._group.parent}\n"
        prefix = list(self.cell.prefix)
        if self.cell.user:
            user = str(self.cell.user)
            prefix += ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
        root = self.environment.interpreter.root
        return make_command(self._cache, root, setup + self.cell.setup, [*prefix, *command])

    def make_variables(self) -> dict[str, str]:
        """Return the environment variables of the cell's commands."""
        variables: dict[str, str | None] = {
            "PATH": f"{self.environment.folder}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": f"{self._folder}/home",
            "USER": "root",
            "LANG": "C.UTF-8",
            "HYPOTHESIS_STORAGE_DIRECTORY": f"{self._folder}/hypothesis",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        variables |= self.cell.variables
        return {name: value for name, value in variables.items() if value is not None}

    def run(self, command: Sequence[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command to its end. Raises subprocess.TimeoutExpired."""
        return subprocess.run(
            self.make_command(command),
            input=stdin,
            capture_output=True,
            text=True,
            env=self.make_variables(),
            timeout=CHECK_SECONDS,
        )

    def run_checks(self) -> Iterator[CheckResult]:
        """Run all checks, in order."""
        python = f"{self.environment.folder}/bin/python"
        level = str(self.cell.level)
        yield self._check("doctor", ["microcoder-eval", "doctor", "--json"], self._find_wrong_facts)
        samples = [f"{SAMPLES}/solutions.jsonl", "--tests", f"{SAMPLES}/tests.jsonl"]
        judge = ["microcoder-eval", *samples, "--min-level", level, "-o", "results.jsonl"]
        yield self._check("samples", judge)
        yield self._check("labels", [python, f"{STAGE}/tests/check_samples.py", "results.jsonl"])
        yield self._run_attacks(python)
        yield self._check(
            "tests",
            [
                *("pytest", "-q", "-x", "-p", "no:cacheprovider", "--basetemp", "basetemp"),
                *("-c", f"{STAGE}/pyproject.toml", "--rootdir", STAGE),
                *(f"{STAGE}/{name}" for name in self.cell.tests),
            ],
        )

    def measure_import(self) -> float | None:
        """Measure importing the judge, without the interpreter's start."""
        process = self.run([f"{self.environment.folder}/bin/python", "-c", _IMPORT_SECONDS])
        return float(process.stdout) * 1000 if process.returncode == 0 else None

    def _find_wrong_facts(self, output: str) -> str:
        facts = json.loads(output)
        if facts["level"] != self.cell.level:
            return f"level {facts['level']} instead of {self.cell.level}"
        if self.cell.cpu_quota and facts["cores"] > max(1, self.cell.cpu_quota):
            return f"{facts['cores']} cores in spite of the quota"
        return ""

    def _run_attacks(self, python: str) -> CheckResult:
        from tests.attacks import corpus

        attacks = [
            attack
            for attack in corpus.load_attacks()
            if attack.header["id"] in ATTACKS.split() and "needs" not in attack.header
        ]
        orders = [
            json.dumps({"source": attack.source, "problem": attack.header.get("problem", {})})
            for attack in attacks
        ]

        def find_wrong_verdicts(output: str) -> str:
            answers = [json.loads(line) for line in output.splitlines()[1:]]
            wrong = [
                f"{attack.name}: {answer['verdict']}, left {answer['left']}"
                for attack, answer in zip(attacks, answers, strict=True)
                if answer["verdict"] not in attack.verdicts(self.cell.level) or answer["left"]
            ]
            return "; ".join(wrong)

        driver = [python, f"{STAGE}/tests/attacks/driver.py", str(self.cell.level)]
        return self._check("attacks", driver, find_wrong_verdicts, "\n".join(orders))

    def _check(
        self,
        name: str,
        command: Sequence[str],
        find_problem: Callable[[str], str] | None = None,
        stdin: str = "",
    ) -> CheckResult:
        start = time.monotonic()
        try:
            process = self.run(command, stdin)
        except subprocess.TimeoutExpired as error:
            output = (error.stdout or b"").decode(errors="replace")  # bytes even with text=True
            return CheckResult(name, CHECK_SECONDS, "did not end in time", output)
        problem = f"exit code {process.returncode}" if process.returncode else ""
        if not problem and find_problem is not None:
            problem = find_problem(process.stdout)
        return CheckResult(name, time.monotonic() - start, problem, process.stdout + process.stderr)


def _make_cpu_group(cores: float) -> Path:
    """Make a cgroup, version 2 or 1, with a quota of ``cores``. Raises UnavailableError."""
    period = 100_000
    quota = int(cores * period)
    for parent, limits in (
        ("/sys/fs/cgroup", {"cpu.max": f"{quota} {period}"}),
        ("/sys/fs/cgroup/cpu", {"cpu.cfs_period_us": period, "cpu.cfs_quota_us": quota}),
    ):
        group = Path(parent, f"microcoder-matrix-{os.getpid()}")
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            for name, value in limits.items():
                # "r+" creates no file: on a plain tmpfs any name could be written.
                with open(group / name, "r+") as file:
                    file.write(str(value))
        except OSError:
            group.rmdir()
            continue
        return group
    raise UnavailableError("no cgroup with a CPU controller can be made here")


def run_cell(matrix: Matrix, cell: Cell) -> tuple[str, bool]:
    """Run a cell's checks; return its line of the table, and whether all passed."""
    start = time.monotonic()
    print(f"== {cell.name}: {cell.condition}", flush=True)
    try:
        run = CellRun(matrix, cell)
    except UnavailableError as error:
        print(f"  not to be had here: {error}", flush=True)
        version = "" if cell.environment == "lowest" else cell.environment
        return _format_row(cell, version, "", "", "not to be had", time.monotonic() - start), True
    problems = []
    try:
        for result in run.run_checks():
            state = result.problem or "passed"
            print(f"  {result.name}: {state} ({result.seconds:.1f} s)", flush=True)
            if result.problem:
                problems.append(result.name)
                for line in result.output.strip().splitlines()[-LINES_SHOWN:]:
                    print(f"  | {line}", flush=True)
        milliseconds = run.measure_import()
        cost = "" if milliseconds is None else f"{milliseconds:.0f}"
    finally:
        run.close()
    result_text = f"FAILED: {', '.join(problems)}" if problems else "passed"
    seconds = time.monotonic() - start
    version = run.environment.interpreter.version
    return _format_row(cell, version, str(cell.level), cost, result_text, seconds), not problems


def _format_row(
    cell: Cell, version: str, level: str, cost: str, result_text: str, seconds: float
) -> str:
    users = {0: "root", NOBODY: "nobody"}
    user = users.get(cell.user, str(cell.user))
    condition = "" if cell.name.startswith("python-") else cell.condition
    values = (cell.name, condition, version, user, level, cost, f"{seconds:.0f}", result_text)
    return f"| {' | '.join(values)} |"


def main() -> int:
    """Run the cells of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cells", nargs="*", metavar="CELL", help="cells to run; default: all")
    parser.add_argument("--list", action="store_true", help="list the cells and stop")
    parser.add_argument("--cache", type=Path, default=SOURCE / "tools/.envs",
                        help="folder for environments (default: tools/.envs)")  # fmt: skip
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:split])
    command = arguments[split + 1 :]
    if os.getuid() != 0:
        print("matrix.py: needs root, for mount namespaces and other users", file=sys.stderr)
        return 2
    sys.path.insert(0, str(SOURCE))
    options.cache.mkdir(parents=True, exist_ok=True)
    lock = os.open(options.cache, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"matrix.py: another run uses {options.cache}", file=sys.stderr)
        return 2
    matrix = Matrix(options.cache.resolve())
    cells = {cell.name: cell for cell in list_cells(matrix.interpreters)}
    if options.list:
        for cell in cells.values():
            print(f"{cell.name:24} {cell.condition}")
        return 0
    if unknown := [name for name in options.cells if name not in cells]:
        print(f"matrix.py: no cell is called {', '.join(unknown)}; see --list", file=sys.stderr)
        return 2
    selection = [cells[name] for name in options.cells] or list(cells.values())
    try:
        matrix.copy_files()
        if command:
            return run_command(matrix, selection[0], command)
        lines = [run_cell(matrix, cell) for cell in selection]
    except UnavailableError as error:
        print(f"matrix.py: {error}", file=sys.stderr)
        return 2
    for note in matrix.notes:
        print(note)
    print("\n| cell | condition | Python | user | level | import, ms | seconds | result |")
    print("|---|---|---|---|---|---|---|---|")
    for row, _ in lines:
        print(row)
    return 0 if all(passed for _, passed in lines) else 1


def run_command(matrix: Matrix, cell: Cell, command: Sequence[str]) -> int:
    """Run one command in a cell, on this terminal."""
    run = CellRun(matrix, cell)
    try:
        return subprocess.run(run.make_command(command), env=run.make_variables()).returncode
    finally:
        run.close()


if __name__ == "__main__":
    sys.exit(main())
