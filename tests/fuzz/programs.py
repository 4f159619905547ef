"""Programs that do what programs should not: system calls, descriptors, /proc, tricks of Python.

Each is a list of statements that fail alone, then the right answer. They are composed at random;
names of files that they try to leave behind begin with MARK.
"""

from __future__ import annotations

from hypothesis import strategies as st

from microcoder_sandbox.kernel import policy
from microcoder_sandbox.kernel.syscall_numbers import TABLES
from tests.files import read_table

MARK = "microcoder-fuzz"
_TABLE = read_table(__file__)
PRELUDE = _TABLE["prelude"]
ANSWER = "print(int(sys.__stdin__.readline()) ** 2)\n"
_ALLOWED = {
    name
    for rows in (policy.ROLES[policy.PYTHON], policy.SERVER, policy.FILES)
    for names, _reason in rows
    for name in names.split()
} | {row[0] for rows in (policy.CHECKED, policy.PROGRAM_CHECKED[policy.PYTHON]) for row in rows}
_NAMES = sorted((_ALLOWED & set(TABLES["x86_64"])) - {*_TABLE["waiting"]})
_PATHS = [path.format(mark=MARK) for path in _TABLE["paths"]]

_numbers = (
    st.integers(-2, 16)
    | st.sampled_from([0x5401, 1 << 12, 1 << 20, 1 << 31, (1 << 32) - 1, 1 << 47, -(1 << 63), 480])
    | st.integers(0, 2**64 - 1)
)
_argument = _numbers.map(str) | st.sampled_from(
    ["address", "address + 64", "os.getpid()", "os.getppid()"]
)
_system_call = st.builds(
    lambda name, arguments: f"call({TABLES['x86_64'][name]}, {', '.join(arguments)})  # {name}",
    st.sampled_from(_NAMES),
    st.lists(_argument, min_size=6, max_size=6),
)
_any_number = st.builds(
    lambda number, arguments: f"call({number}, {', '.join(arguments)})",
    st.integers(424, 560),  # what came late, and what is not there yet
    st.lists(_argument, min_size=6, max_size=6),
)
_path = st.sampled_from(_PATHS)
_TWO = st.sampled_from(["link", "symlink", "rename"])
_ONE = st.sampled_from(["mkdir", "unlink", "rmdir", "chroot", "chdir", "listdir", "mkfifo", "stat"])
_WRITING, _READING = st.sampled_from([1, 2, 65, 577]), st.sampled_from([0, 2048, 65536])
_on_paths = st.one_of(
    st.builds("os.write(os.open({!r}, {}), b'1\\n')".format, _path, _WRITING),
    st.builds("os.read(os.open({!r}, {}), 1000)".format, _path, _READING),
    st.builds("kept = [os.open({!r}, 0) for _ in range({})]".format, _path, st.integers(1, 400)),
    st.builds("os.{}({!r}, {!r})".format, _TWO, _path, _path),
    st.builds("os.{}({!r})".format, _ONE, _path),
    st.builds("os.{}({!r}, 0o777)".format, st.sampled_from(["chmod", "truncate", "access"]), _path),
)  # fmt: skip
_statement = st.one_of(
    _system_call, _system_call, _any_number, _on_paths, st.sampled_from(_TABLE["tricks"])
)


def _guard(statement: str) -> str:
    return f"try:\n    {statement}\nexcept Exception:\n    pass\n"


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program that squares a number, before or after doing something else."""
    statements = draw(st.lists(_statement, min_size=1, max_size=5))
    acts = "".join(map(_guard, statements))
    parts = [acts, ANSWER] if draw(st.booleans()) else [ANSWER, acts]
    return PRELUDE + "".join(parts)
