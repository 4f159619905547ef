"""The mutants of tools/mutation_check.py change what decides, and only that."""

from __future__ import annotations

from mutation_check import EQUAL, TESTS, list_mutants, read_equal

from tests.files import ROOT

CODE = b'''\
def rank(a: int = 1, *, b: str) -> int:
    """Two plus 2."""
    if a < len(b) and a:
        raise ValueError(f"{a + 1}")
    return max(a, 3)
'''


def mutate(code: bytes) -> set[str]:
    lines = set()
    for mutant in list_mutants("x.py", code):
        changed = code[: mutant.start] + mutant.text.encode() + code[mutant.end :]
        compile(changed, "x.py", "exec")
        (line,) = set(changed.decode().splitlines()) - set(code.decode().splitlines())
        lines.add(line.strip())
    return lines


def test_each_mutant_changes_one_decision() -> None:
    assert mutate(CODE) == {
        "def rank(a: int = 2, *, b: str) -> int:",
        "if (a < len(b) or a):",
        "if (a <= len(b)) and a:",
        "return None",
        "return (min(a, 3))",
        "return max(a, 4)",
    }


def test_a_mutant_keeps_its_name_where_its_line_moves() -> None:
    other_code = b"import os\n\n" + CODE
    keys = [{mutant.key for mutant in list_mutants("x.py", code)} for code in (CODE, other_code)]
    assert keys[0] == keys[1]


def test_every_part_and_its_tests_exist() -> None:
    for part, commands in TESTS.items():
        paths = [word for words in commands for word in words if word.startswith("tests/")]
        assert [path for path in (part, *paths) if not (ROOT / path).exists()] == []


def test_a_mutant_that_is_called_equal_exists() -> None:
    files = {line.partition("\t")[0] for line in EQUAL.read_text().splitlines()[1:]}
    keys = {one.key for name in files for one in list_mutants(name, (ROOT / name).read_bytes())}
    assert set(read_equal()) <= keys
