"""Which assertions in other languages are taken out of the program's process, and what they say."""

from __future__ import annotations

import re
from typing import Any

import pytest

from microcoder_eval.foreign_tests.rewrite import rewrite_tests

JAVA = "public class Main { public static void main(String[] args) { assert(%s); } }"
RUST = "fn main() { %s }"
GO = "func TestF(t *testing.T) { assert := assert.New(t)\n %s }"
READ: list[tuple[str, str, list[Any]]] = [
    ("cpp", "int main() { assert(f(1) == 2); assert((f(2)) == (-3)); }", [2, -3]),
    ("cpp17", "}\nint main() { auto candidate = f; assert(candidate(1) == "
     "(std::vector<std::string>({(std::string)\"a\", (std::string)\"b\"}))); }", [["a", "b"]]),
    ("cpp17", "int main() { assert(f() == (std::map<std::string,long>({{\"a\", 2}}))); "
     "assert(f(1) == std::nullopt); }", [{"a": 2}, None]),
    ("cpp", "#include <cassert>\nusing namespace std;\nint main() { assert(f(1) == 2); }", [2]),
    ("java", JAVA % "s.f(1).equals(new ArrayList<Long>(Arrays.asList((long)1l, (long)2l)))",
     [[1, 2]]),
    ("java", JAVA % 'Objects.equals(s.f("//"), "a\\"b")', ['a"b']),
    ("java", JAVA % "!s.f(1)", [False]),
    ("javascript", "console.assert(JSON.stringify(f([1])) === JSON.stringify({ a: [1, 'x'] }))",
     [{"a": [1, "x"]}]),
    ("rust", RUST % "let e: Vec<&str> = vec![]; assert_eq!(f(\"a\"), e); "
     "assert!(f(\"b\") == (1, 2))", [[], [1, 2]]),
    ("rust", RUST % "assert_eq!(f(1), Some(String::from(\"a\"))); assert_eq!(f(2), None);",
     ["a", None]),
    ("go", GO % "assert.Equal([][]int{{1}, {}}, F(1))\n assert.Equal(nil, F(2))",
     [[[1], []], None]),
    ("go", GO % 'assert.Equal(map[string]int{"a": 1}, F(1))', [{"a": 1}]),
]  # fmt: skip
# A loop, a condition, a helper, a computed value, an operator of the program's own, two results;
# then what follows the last assertion and fails, exits or calls something unknown; then what no
# compiler takes.
KEPT = [
    ("cpp", "int main() { for (int i=0;i<9;i++) assert(f(i) == 2); }"),
    ("cpp", "int main() { assert(f(1) == 2); if (f(2) != 3) return 1; }"),
    ("cpp", "bool same(int a, int b) { return a == b; } int main() { assert(same(f(1), 2)); }"),
    ("cpp", "int main() { int e = g(); assert(f(1) == e); }"),
    ("cpp", "int main() { assert(f(1) == 2 && f(2) == 3); }"),
    ("cpp", "int main() { assert(f(1) - 2 == 0); }"),
    ("cpp", "int main() { assert(f(1) == 2); assert(f(1) == 3); }"),
    ("javascript", "const g = (n) => f(n) === 2; console.assert(g(1))"),
    ("javascript", "console.assert(f(1) === [2])"),
    ("javascript", "assert.strictEqual(f(1), {a: 2})"),
    ("cpp", 'int main() { assert(f(1) == "a\\0b"); }'),
    ("javascript", "const assert = require('./mine'); assert.equal(f(1), 2)"),
    ("rust", RUST % "assert_eq!(f(1), 2); assert_ne!(f(2), 3);"),
    ("go", GO % "assert.Equal(1, F(1))\n assert.True(F(2) > 1)"),
    ("java", JAVA % "s.f(1).size() == 2"),
    ("cpp", "int main() { assert(f(1) == 2); return f(3) != 4; }"),
    ("cpp", "int main() { assert(f(1) == 2); int x = 1 / (f(3) == 4); }"),
    ("cpp", "int main() { assert(f(1) == 2); verify(); }"),
    ("cpp", "int main() { assert(f(1) == 2); int x = 1<assert_equal(f(3), 4); }"),
    ("javascript", "console.assert(f(1) === 2); f(3) !== 4 && console.log('bad')"),
    ("javascript", "const run = (g) => g(3); console.assert(f(1) === 2); run(f)"),
    ("rust", RUST % "assert_eq!(f(1), 2); let v = vec![1]; v[f(3) - 4];"),
    ("rust", RUST % "assert_eq!(f(1), 2); ensure!(f(3) == 4);"),
    ("go", GO % "assert.Equal(1, F(1))\n t.Fail()"),
    ("java", JAVA % "s.f(1) == 2); int x = 1 / (s.f(3) - 3"),
    ("go", GO % "assert.Equal(F(1))"),
    ("go", GO % "assert.Equal(float64([]int{1}), F(1))"),
    ("go", GO % "assert.Equal(0.1 + 0.2, F(1))"),
    ("go", GO % 'assert.Equal("\\xff", F(1))'),
    ("go", GO % "assert.Equal(map[string]int{key: 1}, F(1))"),
    ("go", GO % 'assert.Equal(map[string]int{"a"}, F(1))'),
    ("rust", RUST % "assert_eq!(f(1), 0.1 + 0.2);"),
    ("cpp", "int main() { assert(f(1) == 0.1L); }"),
    ("cpp", "int main() { assert(f(1) == (char)200); }"),
    ("java", JAVA % "s.f(1) == (int) 3000000000L"),
    ("javascript", "const assert = require('assert'); assert.equal(f(1))"),
]


@pytest.mark.parametrize(("language", "source", "values"), READ)
def test_what_is_expected_is_read_and_taken_out(
    language: str, source: str, values: list[Any]
) -> None:
    reported = rewrite_tests(language, source)
    assert reported is not None
    assert [expected.value for expected in reported.expected] == values
    assert "assert" not in reported.source.replace("<cassert>", "")


@pytest.mark.parametrize(("language", "source"), KEPT)
def test_what_is_not_understood_as_a_whole_stays_as_it_is(language: str, source: str) -> None:
    assert rewrite_tests(language, source) is None


def test_comments_that_tell_what_is_expected_are_taken_out() -> None:
    reported = rewrite_tests("javascript", "// f(1) is 42\nconsole.assert(f(1 /* 42 */) === 42)")
    assert reported is not None
    assert "42" not in reported.source


def test_statements_that_bind_what_is_expected_are_taken_out() -> None:
    reported = rewrite_tests("rust", RUST % "let e: i32 = 42; assert_eq!(f(1), e);")
    assert reported is not None
    assert "42" not in reported.source
    used_again = "let e: i32 = 42; assert_eq!(f(1), e); assert_eq!(f(e), 1);"
    assert rewrite_tests("rust", RUST % used_again) is None


@pytest.mark.parametrize(
    ("condition", "actual", "holds"),
    [
        ("f(1) == 6.0", "6.00", True),
        ("f(1) === 6.0", "6.00", False),
        ("f(1) === true", 1, False),
        ("f([1], (x) => x == 1) === '1'", 1, False),
        ("f(1) == true", 1, True),
        ("f(1) == true", 2, False),
        ("f(1) == 0", False, True),
        ("f(1) == false", None, False),
        ("Math.abs(f(1) - 0.33) < 1e-6", 0.3300001, True),
        ("Math.abs(f(1) - 0.33) < 1e-6", 0.34, False),
        ("Math.abs(f(1) - 0.33) < 1e-6", "0.33", False),
        ("Math.abs(f(1) - 0.33) < 1e-6", 10**400, False),
        ("f(1) === null", {None: "undefined"}, False),
        ("f(1) == null", {None: "undefined"}, True),
        ("f(1) === 0", -0.0, True),
        ("f(1) === -0", 0, True),
    ],
)
def test_values_are_compared_as_the_language_compares_them(
    condition: str, actual: Any, holds: bool
) -> None:
    reported = rewrite_tests("javascript", f"console.assert({condition})")
    assert reported is not None
    assert reported.expected[0].accepts(actual) is holds


@pytest.mark.parametrize(
    ("language", "source", "actual", "holds"),
    [
        ("rust", RUST % "assert_eq!(f(), 3.0);", 3.0, True),
        ("rust", RUST % "assert_eq!(f(), 3.0);", 3, False),
        ("rust", RUST % "assert_eq!(f(), vec![3]);", [3.0], False),
        ("java", JAVA % "s.f() == 3.0", 3, True),
        ("java", JAVA % "s.f().equals(3.0)", 3, False),
        ("java", JAVA % "Objects.equals(s.f(), Arrays.asList(3, 4))", [3, 4.0], False),
        ("java", JAVA % "s.f() == 97", "a", True),
        ("java", JAVA % "s.f() == 'b'", 97, False),
        ("java", JAVA % "s.f().equals('a')", 97, False),
        ("java", JAVA % "s.f().equals(0.0)", -0.0, False),
        ("javascript", "console.assert(f() === 9007199254740993)", 1 << 53, True),
    ],
)
def test_integers_reals_and_characters_are_what_the_language_makes_of_them(
    language: str, source: str, actual: Any, holds: bool
) -> None:
    reported = rewrite_tests(language, source)
    assert reported is not None
    assert reported.expected[0].accepts(actual) is holds


@pytest.mark.parametrize(
    ("condition", "classes"),
    [
        ("s.f().equals(Arrays.asList(1, 0x1F))", {"Integer"}),
        ("s.f().equals(new ArrayList<Long>(Arrays.asList((long)1, 2l)))", {"Long"}),
        (
            "s.f().equals(Arrays.asList(\"a\", 'b', 1.5, 2f))",
            {"String", "Character", "Double", "Float"},
        ),
        ("s.f() == 1", None),
    ],
)
def test_java_is_asked_for_the_classes_that_equal_the_literal(
    condition: str, classes: set[str] | None
) -> None:
    reported = rewrite_tests("java", JAVA % condition)
    assert reported is not None
    call = re.search(r"report\(s\.f\(\)(?:, (.*?))?\);", reported.source)
    assert call is not None
    names = None if call[1] is None else set(call[1].replace(".class", "").split(", "))
    assert names == (None if classes is None else classes | {"Boolean"})
