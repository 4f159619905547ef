"""Test code in the language of the programs: programs that end before it, or tamper with it.

Comparisons with values are made outside of the program's process; a loop or a condition around them
keeps them in it.
"""

from __future__ import annotations

import pytest

from microcoder_eval import DataError, Judge
from microcoder_eval.foreign_tests.in_process import refuse_in_process_tests
from microcoder_eval.integrations.rows import get_problem
from microcoder_eval.integrations.scoring import Scorer
from tests.commands import require_toolchain

CPP_TESTS = "int main() { assert(half(8) == 4); assert(half(3) == 1); }"
JAVA_TESTS = """
public class Main { public static void main(String[] a) {
    if (new Solution().half(8) != 4) throw new AssertionError(); } }"""
JS_TESTS = "console.assert(half(8) === 4); console.assert(half(3) === 1);"
NODE_TESTS = "const assert = require('node:assert'); assert.deepEqual(half(8), 4);"
RUST_TESTS = """
#[cfg(test)]
mod tests { use super::*; #[test] fn test_half() { assert_eq!(half(8), 4); } }"""
GO_TESTS = """
func TestHalf(t *testing.T) { assert := assert.New(t); assert.Equal(4, Half(8)) }"""
CPP_NUMBERS = "int main() { assert(half(8) == -1); assert(half(3) == 'a'); assert(half(2)); }"
CPP_SINGLES = "int main() { assert(half(8) == (vector<float>{0.1, 2})); }"
JS_ZERO = "const assert = require('assert'); assert.strictEqual(half(8), 0); assert(!half(3));"
JS_VALUES = """const assert = require('assert');
assert.deepStrictEqual(half(8), [undefined, -0]); assert(half(3));
assert.equal(JSON.stringify(half(2)), JSON.stringify([null, 0]));"""
NODE_TEST = """const assert = require('node:assert'); const test = require('node:test');
test('halves', () => { for (const n of [8, 3]) assert.equal(half(n), n >> 1); });"""
MODULE_TESTS = "import assert from 'node:assert'; for (const n of [8]) assert.equal(half(n), 4);"
RUST_RESULT = """
#[cfg(test)]
mod tests { use super::*; #[test] fn test_half() -> Result<(), String> {
    if half(8) == 4 { Ok(()) } else { Err(half(8).to_string()) } } }"""
RUST_MAIN = """
fn main() -> Result<(), String> {
    if half(8) == 4 { Ok(()) } else { Err(half(8).to_string()) } }"""
JAVA_CHARACTERS = JAVA_TESTS.replace("4", "'a'").replace(
    "throw", "throw new AssertionError(); if (new Solution().half(3) != 98) throw"
)
CPP_LONG = "int main() { assert(half(8) == 0.1); assert(half(3) == 0.5); }"
GO_SETUP = 'package main\nimport (\n "testing"\n "github.com/stretchr/testify/assert"\n)\n'
GO_REAL = GO_SETUP.replace("(\n", '(\n "math"\n')
GO_CLOSE = GO_TESTS.replace("4, Half(8)", "true, math.Abs(Half(8) - 4) < 1e-6")

CASES = {
    "C++ right": ("cpp11", "int half(int n) { return n / 2; }", CPP_TESTS, "AC"),
    "C++ wrong": ("cpp11", "int half(int n) { return n; }", CPP_TESTS, "WA"),
    "C++ unsigned numbers": (
        "cpp17", "unsigned half(int n) { return n == 8 ? -1 : n == 2 ? 5 : 97; }", CPP_NUMBERS,
        "AC"),
    "C++ other unsigned numbers": (
        "cpp17", "unsigned half(int n) { return n == 8 ? -2 : n == 2 ? 5 : 97; }", CPP_NUMBERS,
        "WA"),
    "C++ a wider number": (
        "cpp17", "long long half(int n) { return n == 8 ? 4294967295 : n == 2 ? 5 : 97; }",
        CPP_NUMBERS, "WA"),
    "C++ a longer literal": (
        "cpp17", "unsigned half(int n) { return -1; }", "int main() { assert(half(8) == -1LL); }",
        "WA"),
    "C++ an empty result": (
        "cpp17", "#include <cstddef>\nsize_t half(int n) { return n == 8 ? -1 : n == 2 ? 0 : 97; }",
        CPP_NUMBERS, "WA"),
    "C++ single precision": (
        "cpp17", "#include <vector>\nusing namespace std;\n"
        "vector<float> half(int n) { return {0.1f, 2}; }", CPP_SINGLES, "AC"),
    "JavaScript zero": ("javascript", "const half = (n) => 0;", JS_ZERO, "AC"),
    "JavaScript minus zero": ("javascript", "const half = (n) => -0;", JS_ZERO, "WA"),
    "JavaScript values": (
        "javascript", "const half = (n) => [undefined, -0];", JS_VALUES, "AC"),
    "JavaScript null": ("javascript", "const half = (n) => [null, -0];", JS_VALUES, "WA"),
    "C++ a long double between two doubles": (
        "cpp17", "long double half(int n) { return n == 8 ? 0.1L : 0.5L; }", CPP_LONG, "WA"),
    "C++ a long double": (
        "cpp17", "long double half(int n) { return n == 8 ? 0.1 : 0.5L; }", CPP_LONG, "AC"),
    "Java characters": (
        "java", "class Solution { char half(int n) { return n == 8 ? 'a' : 'b'; } }",
        JAVA_CHARACTERS, "AC"),
    "Java numbers of characters": (
        "java", "class Solution { int half(int n) { return n == 8 ? 97 : 98; } }",
        JAVA_CHARACTERS, "AC"),
    "Java other characters": (
        "java", "class Solution { char half(int n) { return 'a'; } }", JAVA_CHARACTERS, "WA"),
    "JavaScript console.assert": ("javascript", "const half = (n) => n;", JS_TESTS, "WA"),
    "C++ exits": (
        "cpp11", "#include <cstdlib>\nint half(int n) { exit(0); }", CPP_TESTS, "RE"),
    "C++ redefines assert": (
        "cpp11", "#include <assert.h>\n#undef assert\n#define assert(x)\n#define NDEBUG\n"
        "int half(int n) { return 0; }", CPP_TESTS, "WA"),
    "C++ hides the tests": (
        "cpp11", "int half(int n) { return 0; }\nint main() { return 0; }\n#if 0", CPP_TESTS, "CE"),
    "C++ comments the tests out": (
        "cpp11", "int half(int n) { return 0; }\nint main() { return 0; } /*", CPP_TESTS, "CE"),
    "JavaScript returns before the tests": (
        "javascript_silent", "const half = (n) => 0; return;", JS_TESTS, "RE"),
    "Java tuples": (
        "java", "import org.javatuples.*;\nclass Solution { int half(int n) { "
        "Triplet<Integer, String, Pair<Integer, Integer>> t = Triplet.with(n, \"\", "
        "new Pair<>(n, 2)); return t.getValue0() / t.getValue2().getValue1(); } }", JAVA_TESTS,
        "AC"),
    "Java exits": (
        "java", "class Solution { int half(int n) { System.exit(0); return 0; } }", JAVA_TESTS,
        "RE"),
    "Java wrong": ("java", "class Solution { int half(int n) { return 0; } }", JAVA_TESTS, "WA"),
    "JavaScript right": ("javascript_silent", "const half = (n) => n >> 1;", JS_TESTS, "AC"),
    "JavaScript prints where nothing may be printed": (
        "javascript_silent", "const half = (n) => { console.log(n); return n >> 1; };", JS_TESTS,
        "WA"),
    "JavaScript replaces console.assert": (
        "javascript_silent", "console.assert = () => {}; const half = (n) => 0;", JS_TESTS, "WA"),
    "JavaScript silences console": (
        "javascript_silent", "console.warn = console.error = () => {}; const half = () => 0;",
        JS_TESTS, "WA"),
    "JavaScript replaces node:assert": (
        "javascript", "require('assert').deepEqual = () => {}; const half = (n) => 0;",
        NODE_TESTS, "WA"),
    "Rust overflow": (
        "rust", "fn half(n: i32) -> i32 { let k = i32::MAX - 8 + n; (k + n) / 2 }", RUST_TESTS,
        "WA"),
    "Go right": (
        "go", GO_SETUP + "func Half(n int) int { return n / 2 }", GO_TESTS, "AC"),
    "Go close": (
        "go", GO_REAL + "func Half(n int) float64 { return 4.0000001 }", GO_CLOSE, "AC"),
    "Go not close": (
        "go", GO_REAL + "func Half(n int) float64 { return 4.1 }", GO_CLOSE, "WA"),
    "Go exits": (
        "go", GO_SETUP + 'import "os"\nfunc Half(n int) int { os.Exit(0); return 0 }', GO_TESTS,
        "RE"),
    "Go other type": (
        "go", GO_SETUP + "func Half(n int) int64 { return int64(n / 2) }", GO_TESTS, "WA"),
}  # fmt: skip

# Forms of tests that always stay in the process: right and wrong programs.
KEPT_FORMS = {
    "node:test": ("javascript", NODE_TEST, "const half = (n) => n >> 1;", "const half = (n) => 4;"),
    "a module": (
        "javascript", MODULE_TESTS, "const half = (n) => n >> 1;", "const half = () => 5;"),
    "tests with results": (
        "rust", RUST_RESULT, "fn half(n: i32) -> i32 { n / 2 }", "fn half(n: i32) -> i32 { n }"),
    "a main with a result": (
        "rust", RUST_MAIN, "fn half(n: i32) -> i32 { n / 2 }", "fn half(n: i32) -> i32 { n }"),
}  # fmt: skip

RUST_MAIN_TESTS = "\nfn main() { assert_eq!(half(8), 4); }"
RUST_WITH_MAIN = 'fn half(n: i32) -> i32 { n / 2 }\nfn main() { println!("{}", half(8)); }'
JAVA_HALF = "{ public int half(int n) { return n / 2; } }"
# Programs that were tried out: build, program, tests.
OWN_ENTRIES = {
    "C++ main": (
        "cpp17", "#include <iostream>\nint half(int n) { return n / 2; }\n"
        "signed main() { std::cout << half(8); }", CPP_TESTS),
    "Java public class": ("java", f"public class Solution {JAVA_HALF}", JAVA_TESTS),
    "Java package": ("java", f"package a.b;\nclass Solution {JAVA_HALF}", JAVA_TESTS),
    "Java the tests' class": (
        "java", f"class Solution {JAVA_HALF}\npublic class Main {{ public static void "
        "main(String[] a) { System.out.println(new Solution().half(8)); } }", JAVA_TESTS),
    "Java imports": (
        "java", f"class Solution {JAVA_HALF}",
        JAVA_TESTS.replace("a) {", 'a) { List<String> names = List.of("Main");')),
    "Rust main beside test functions": ("rust", RUST_WITH_MAIN, RUST_TESTS),
    "Rust main beside a main": ("rust", RUST_WITH_MAIN, RUST_MAIN_TESTS),
    "Rust main and tests": ("rust", RUST_WITH_MAIN + RUST_TESTS, RUST_TESTS),
    "Rust main, the older edition, tests with results": (
        "rust2015", RUST_WITH_MAIN, RUST_MAIN),
    "Go main and a package in the tests": (
        "go", GO_SETUP + "func Half(n int) int { return n / 2 }\nfunc main() { Half(8) }",
        GO_SETUP + GO_TESTS),
}  # fmt: skip

# Test code whose grammar is wrong, and a right program.
BROKEN_TESTS = {
    "java": (JAVA_TESTS.replace("!= 4)", "!= 4"), f"class Solution {JAVA_HALF}"),
    "javascript": (JS_TESTS.replace(");", ""), "const half = (n) => n >> 1;"),
    "rust": (RUST_TESTS.replace("4);", "4"), "fn half(n: i32) -> i32 { n / 2 }"),
    "rust2015": (RUST_MAIN.replace("4 {", "4 ("), "fn half(n: i32) -> i32 { n / 2 }"),
    "go": (GO_TESTS + "}", GO_SETUP + "func Half(n int) int { return n / 2 }"),
}
# Starter code, test code that ends what it begins, and test code that stands alone.
STARTERS = {
    "java": ("class Problem {\n static int half(int n) {", "} public static void main(String[] a) "
             "{ assert(half(8) == 4); } }", JAVA_TESTS),
    "javascript": ("function half(n) {", "} console.assert(half(8) === 4);", NODE_TESTS),
    "rust": ("fn half(n: i32) -> i32 {", "} fn main() { assert_eq!(half(8), 4); }", RUST_TESTS),
    "go": ("package main\nfunc Half(n int) int {", f"}}\n{GO_TESTS}", GO_TESTS),
}  # fmt: skip
# Ends of programs of which most do not compile; the tests become a part of some.
BROKEN_ENDS = ("no such name;", "{", "}", "(", "/*", '"')

# Where the body of the tests begins, and a condition in each language.
BODIES = {
    "cpp": ("main() {", "if (0) return 1;"),
    "java": ("[] a) {", "if (a.length > 9) return;"),
    "javascript": ("", "if (0) {}"),
    "rust": ("fn test_half() {", "if false { return; }"),
    "go": ("(t *testing.T) {", "if false { return };"),
}
FORGERS = {
    "C++ echoes what is on standard input before main": (
        "cpp11", "#include <unistd.h>\nint half(int n) { return 0; }\nstatic struct X { X() { "
        "char k[32]; int n = read(0, k, 32); write(1, k, n); _exit(0); } } x_;", CPP_TESTS),
    "C++ equals everything": (
        "cpp11", "struct L { template <class T> bool operator==(const T&) const { return true; } "
        "};\nL half(int) { return L(); }", CPP_TESTS),
    "C++ reports for the tests": (
        "cpp11", "#include <unistd.h>\n"
        "int half(int n) { write(1, \"\\n\\x1eVtrue\", 7); _exit(0); }", CPP_TESTS),
    "JavaScript replaces require": (
        "javascript", "require = () => new Proxy({}, { get: () => () => {} });\n"
        "function half(n) { return 0; }", NODE_TESTS),
    "JavaScript reads its own file": (
        "javascript_silent", "const half = (n) => Number(/half\\(8\\) === (\\d)/.exec("
        "require('fs').readFileSync(__filename, 'utf8'))[1]);",
        "console.assert(half(8) === 4) // half(8) === 4\n"),
    "Rust equals everything": (
        "rust", "#[derive(Debug)] pub struct L; impl PartialEq<i32> for L { "
        "fn eq(&self, _: &i32) -> bool { true } }\npub fn half(_: i32) -> L { L }", RUST_TESTS),
    "Rust has its own assert_eq": (
        "rust", "macro_rules! assert_eq { ($($t:tt)*) => {}; }\npub fn half(_: i32) -> i32 { 0 }",
        RUST_TESTS),
    "Go equals by its text": (
        "go", GO_SETUP + "type L int\n"
        "func (L) MarshalJSON() ([]byte, error) { return []byte(`4`), nil }\n"
        "func Half(n int) L { return 0 }", GO_TESTS),
}  # fmt: skip


def keep_in_process(language: str, tests: str) -> str:
    """The same tests behind a condition, which nothing is read out of."""
    start, condition = BODIES[find_build(language)]
    at = tests.index(start) + len(start)
    return f"{tests[:at]} {condition} {tests[at:]}"


def find_build(language: str) -> str:
    names = {"cpp11": "cpp", "cpp17": "cpp", "rust2015": "rust"}
    return names.get(language, language.partition("_")[0])


def make_problem(language: str, tests: str) -> dict[str, str]:
    return {"problem_id": "p", "kind": "assert", "test_code": tests, "test_language": language}


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [False, True], ids=["outside", "in process"])
@pytest.mark.parametrize("name", CASES)
def test_programs_beside_their_tests(judge: Judge, name: str, in_process: bool) -> None:
    build, code, tests, verdict = CASES[name]
    language = find_build(build)
    require_toolchain(language)
    tests = keep_in_process(build, tests) if in_process else tests
    judgement = judge.judge({"code": code, "language": language}, make_problem(build, tests))
    if name == "Rust overflow" and not in_process:
        verdict = "RE"  # a panic is an assertion's only where assertions are in the process
    assert judgement.verdict == verdict, (judgement.error, judgement.tests)
    assert ("in_process_tests" in judgement.flags) is (in_process and verdict != "CE")


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT_FORMS)
def test_each_form_of_tests_tells_right_programs_from_wrong_ones(judge: Judge, name: str) -> None:
    language, tests, right, wrong = KEPT_FORMS[name]
    require_toolchain(language)
    for code, verdicts in ((right, ["AC"]), (wrong, ["WA", "RE"])):
        submission = {"code": code, "language": language}
        judgement = judge.judge(submission, make_problem(language, tests))
        assert judgement.verdict in verdicts, (judgement.error, judgement.tests)


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN_ENTRIES)
def test_a_program_may_have_an_entry_of_its_own(judge: Judge, name: str) -> None:
    build, code, tests = OWN_ENTRIES[name]
    language = find_build(build)
    require_toolchain(language)
    problem = make_problem(build, tests)
    wrong_code = code.replace("n / 2", "n / 1")
    assert judge.judge({"code": code, "language": language}, problem).verdict == "AC"
    assert judge.judge({"code": wrong_code, "language": language}, problem).verdict in ("WA", "RE")


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERS)
def test_no_program_forges_what_is_compared_outside_of_its_process(judge: Judge, name: str) -> None:
    build, code, tests = FORGERS[name]
    language = find_build(build)
    require_toolchain(language)
    judgement = judge.judge({"code": code, "language": language}, make_problem(build, tests))
    assert judgement.verdict in ("WA", "RE", "CE"), (judgement.error, judgement.tests)


def test_a_reward_refuses_tests_that_run_in_the_programs_process_unless_it_is_asked() -> None:
    outside = make_problem("cpp11", CPP_TESTS)
    inside = make_problem("cpp11", keep_in_process("cpp11", CPP_TESTS))
    refuse_in_process_tests(get_problem(outside), "a setting")
    with pytest.raises(DataError, match=r"no reward; allow_in_process_tests=True"):
        Scorer().judge_samples([("x", inside)])
    scorer = Scorer(allow_in_process_tests=True, workers=1)
    (judgement,) = scorer.judge_samples(
        [("```cpp\nint half(int n) { return n / 2; }\n```", inside)]
    )
    assert (judgement.verdict, judgement.flags) == ("AC", ("in_process_tests",))


def test_what_the_problem_needs_and_is_not_here_is_no_fault_of_the_program(judge: Judge) -> None:
    problem = {
        **make_problem("cpp11", CPP_TESTS),
        "starter_code": "#include <no/such/header.h>\nint half(int n) {\n",
    }
    code = "#include <no/such/header.h>\nint half(int n) { return n / 2; }"
    judgement = judge.judge({"code": code, "language": "cpp"}, problem)
    assert judgement.verdict == "JE"
    assert "no/such/header.h" in (judgement.error or "")


def test_what_only_the_program_includes_is_its_own_fault(judge: Judge) -> None:
    problem = {**make_problem("cpp11", CPP_TESTS), "starter_code": "int half(int n) {\n"}
    code = "#include <half>\nint half(int n) { return n / 2; }"
    assert judge.judge({"code": code, "language": "cpp"}, problem).verdict == "CE"


@pytest.mark.slow
@pytest.mark.parametrize("build", BROKEN_TESTS)
def test_test_code_whose_grammar_is_wrong_is_no_fault_of_the_program(
    judge: Judge, build: str
) -> None:
    tests, code = BROKEN_TESTS[build]
    language = find_build(build)
    require_toolchain(language)
    judgement = judge.judge({"code": code, "language": language}, make_problem(build, tests))
    assert judgement.verdict == "JE"
    assert (judgement.error or "").startswith("the test code does not compile: ")


@pytest.mark.slow
@pytest.mark.parametrize("language", STARTERS)
def test_no_program_makes_test_code_fail_to_compile(judge: Judge, language: str) -> None:
    require_toolchain(language)
    starter, ending, whole = STARTERS[language]
    for tests, starter_code in ((ending, starter), (whole, "")):
        problem = {**make_problem(language, tests), "starter_code": starter_code}
        for end in BROKEN_ENDS:
            submission = {"code": f"{starter}\n{end}", "language": language}
            judgement = judge.judge(submission, problem)
            assert judgement.verdict in ("CE", "WA"), (end, judgement.error, judgement.tests)


def test_a_program_in_another_language_than_the_tests_is_not_judged(judge: Judge) -> None:
    judgement = judge.judge({"code": "x", "language": "rust"}, make_problem("cpp11", CPP_TESTS))
    assert judgement.verdict == "JE"
    assert judgement.error == (
        "the problem's tests are in cpp, and the program is in rust; a program in cpp says so by "
        '"language": "cpp", or --language cpp'
    )


def test_a_problem_whose_tests_need_a_crate_is_no_fault_of_the_program(judge: Judge) -> None:
    require_toolchain("rust")
    tests = "fn main() { let n: i32 = rand::random(); assert!(half(n) == n / 2); }"
    code = "use rand::Rng;\nfn half(n: i32) -> i32 { n / 2 }\n"
    judgement = judge.judge({"code": code, "language": "rust"}, make_problem("rust", tests))
    assert judgement.verdict == "JE"
    assert judgement.error == "the problem needs rand, which this machine does not have"


IMPORTS = {
    "javascript": ("const md5 = require('js-md5');\nconsole.log(1);", "RE", "js-md5"),
    "rust": ("use regex::Regex;\nfn main() { Regex::new(\"a\"); }", "CE", "regex"),
    "java": ("import org.junit.Test;\nclass A { public static void main(String[] a) {} }", "CE",
             "org.junit"),
    "go": ("package main\nimport \"golang.org/x/exp/slices\"\n"
           "func main() { slices.Sort([]int{}) }", "CE", "golang.org/x/exp/slices"),
    "cpp": ("#include <boost/no_such.hpp>\nint main() {}", "CE", "boost/no_such.hpp"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("language", IMPORTS)
def test_a_verdict_names_the_package_that_a_program_imports_and_is_not_here(
    judge: Judge, language: str
) -> None:
    require_toolchain(language)
    code, verdict, name = IMPORTS[language]
    tests = [{"input": "", "output": "1"}]
    judgement = judge.judge({"code": code, "language": language}, tests)
    assert (judgement.verdict, judgement.flags) == (verdict, (f"missing_package:{name}",)), (
        judgement.tests
    )
