"""Record which system calls programs make, by role, into corpus_calls.json. Run by hand:

    python -m tests.sandbox.kernel.record_calls TESTS SOLUTIONS SHARE [LANGUAGE …]

Needs strace. Judges every SHAREth solution at level 3, where process numbers mean the same to all,
and keeps what each program did after its own filter was loaded: names, and the arguments that the
policy looks at. The file is merged with what is there already.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from microcoder_eval import Judge, Limits
from microcoder_eval.formats import BadLine, open_problems, read_solutions
from microcoder_sandbox.kernel import policy

TABLE = Path(__file__).with_name("corpus_calls.json")
CALL = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\)\s+= ")
CHILD = re.compile(r"(?:clone|clone3|fork|vfork)\(.*= (?P<pid>\d+)$")
NUMBER = re.compile(r"-?(?:0x[0-9a-f]+|\d+)$")
# Which arguments the policy looks at, whatever the role.
CHECKED = {
    row[0]: sorted({check[0] for check in row[1]})
    for rows in (policy.CHECKED, *policy.PROGRAM_CHECKED.values())
    for row in rows
}
OF_ITSELF = ("kill", "tgkill")
_TRACED = "--traced"
Calls = dict[str, set[tuple[int, ...]]]


def role_of(lines: list[str], language: str) -> str | None:
    """The role of a program by its calls; None for our own processes, and for what is not the
    first process or thread of a program."""
    starts = [n for n, line in enumerate(lines) if line.startswith("seccomp(")]
    if not starts or any(line.startswith("execve(") for line in lines[: starts[-1]]):
        return None  # a fork server was started by exec before its filter
    after = lines[starts[-1] :]
    if any(line.startswith("execveat(") for line in after):
        return policy.RUNTIME if language in ("java", "javascript") else policy.NATIVE
    return {"python": policy.PYTHON, "numpy": policy.NUMPY}.get(language, policy.COMPILER)


def numbers_of(name: str, arguments: str) -> tuple[int, ...] | None:
    """The checked arguments as numbers; None where strace could not show one as such."""
    if name == "clone":  # shown in an order of its own
        flags = re.search(r"flags=(0x[0-9a-f]+|\d+)", arguments)
        return (int(flags[1], 0),) if flags else None
    wanted = CHECKED.get(name, [])
    flat = re.sub(r'"(?:[^"\\]|\\.)*"\.*|\{[^{}]*\}|\[[^\]]*\]|/\*.*?\*/', "0", arguments)
    parts = [part.strip().rpartition("=")[2] for part in flat.split(",")]
    found = []
    for place in wanted:
        if place >= len(parts) or not NUMBER.match(parts[place]):
            return None
        found.append(int(parts[place], 0) & 0xFFFFFFFF)
    return tuple([policy.PID & 0xFFFFFFFF] if name in OF_ITSELF else found)


def read_traces(folder: Path, language: str) -> dict[str, Calls]:
    """Calls by role, from one file for each process or thread."""
    traces = {int(path.suffix[1:]): path.read_text("latin-1") for path in folder.iterdir()}
    parents = {
        int(match["pid"]): parent
        for parent, text in traces.items()
        for line in text.splitlines()
        if (match := CHILD.match(line))
    }
    roles = {pid: role_of(text.splitlines(), language) for pid, text in traces.items()}
    calls: dict[str, Calls] = defaultdict(lambda: defaultdict(set))
    for pid, text in traces.items():
        lines, ancestor, role = text.splitlines(), pid, roles[pid]
        starts = [n for n, line in enumerate(lines) if line.startswith("seccomp(")]
        while role is None and not starts and ancestor in parents:
            ancestor = parents[ancestor]
            role = roles[ancestor]
        if role is None:
            continue
        for line in lines[starts[-1] + 1 if starts else 0 :]:
            match = CALL.match(line)
            if match and (facts := numbers_of(match["name"], match["arguments"])) is not None:
                calls[role][match["name"]].add(facts)
    return calls


def judge_all(tests: str, solutions: str, share: int, language: str) -> None:
    """In the traced process: judge the programs of one language, or of those that use numpy."""
    with open_problems(Path(tests)) as problems:
        chosen = []
        for line in read_solutions(Path(solutions), problems):
            if isinstance(line, BadLine):
                continue
            uses_numpy = line.language == "python" and "numpy" in (line.code or "")
            if ("numpy" if uses_numpy else line.language) == language:
                chosen.append((line, problems.get(line.problem_id)))
        limits = Limits(time_s=3, wall_s=60)
        with Judge(workers=1, max_level=3, limits=limits) as judge:
            for _ in judge.stream(chosen[::share]):
                pass


def record(tests: str, solutions: str, share: int, language: str) -> dict[str, Calls]:
    """Judge under strace and read what it wrote."""
    with tempfile.TemporaryDirectory() as name:
        words = ["strace", "-ff", "-X", "raw", "-qq", "-o", f"{name}/trace"]
        ours = [
            sys.executable,
            "-m",
            __spec__.name,
            tests,
            solutions,
            str(share),
            language,
            _TRACED,
        ]
        subprocess.run([*words, *ours], check=True)
        return read_traces(Path(name), language)


def main() -> None:
    """Record, merge, write."""
    tests, solutions, share, *rest = sys.argv[1:]
    if rest[-1:] == [_TRACED]:
        judge_all(tests, solutions, int(share), rest[0])
        return
    table = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    for language in rest or ("python", "numpy", "cpp", "java", "javascript", "rust", "go"):
        for role, calls in record(tests, solutions, int(share), language).items():
            known = table.setdefault(role, {})
            for name, facts in calls.items():
                old = {tuple(one) for one in known.get(name, [])}
                known[name] = sorted(old | facts)
        ordered = {role: dict(sorted(table[role].items())) for role in sorted(table)}
        text = json.dumps(ordered).replace(']], "', ']],\n  "').replace('}, "', '},\n "')
        TABLE.write_text(text + "\n")


if __name__ == "__main__":
    main()
