"""Programs in every language that this machine has a toolchain for: verdicts, limits, attacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from microcoder_eval import Judge, Judgement, Limits
from microcoder_eval.languages import LANGUAGES
from tests.files import ROOT, read_table
from tests.judges import SharedJudge, require_toolchain

from .programs import BOMBS, PROGRAMS, SUM

TABLE = read_table(__file__)
# Short, but far above what the programs need: other tests may keep every core busy.
LIMITS = Limits(time_s=1.0, wall_s=60.0, memory_mb=128, output_mb=1)
COMPILED = [language.name for language in LANGUAGES if language.compiled]
# Compilers of these take seconds for every program, or it is C++ once more: the rest is `long`.
HEAVY = ("java", "rust", "go", "c")
EVERYDAY = ("java", "javascript", "cpp")
SLOW_BOMBS = ("macros without end", "no classes", "a file as text")
READING_BOMBS = ("a header of the machine's", "an environment", "an endless header",
                 "bytes of the machine's")  # fmt: skip
BEHAVIOURS = {
    "deep": ("AC", "200000\n"),
    "spin": ("TLE", ""),
    "grow": ("MLE", ""),
    "chatter": ("OLE", ""),
    "crash": ("RE", ""),
    "escape": ("AC", "held\n"),
    "threads": ("RE", ""),
    "no_entry": ("CE", ""),
}


@pytest.fixture(scope="session")
def judge() -> Judge:
    """One worker at the highest level of this machine."""
    return SharedJudge(workers=1, limits=LIMITS, reuse=False)


@pytest.fixture(scope="session")
def level_3() -> Judge:
    """One worker at level 3; it finds what the other has compiled."""
    return SharedJudge(workers=1, limits=LIMITS, reuse=False, max_level=3)


def judge_code(judge: Judge, language: str, code: str, given: str, expected: str) -> Judgement:
    require_toolchain(language)
    tests = [{"input": given, "output": expected}] * 2
    return judge.judge({"code": code}, tests, kind="stdin", language=language)


@pytest.mark.sampled(2, "slow")
@pytest.mark.parametrize("language", COMPILED)
def test_a_right_program_is_accepted(judge: Judge, language: str) -> None:
    judgement = judge_code(judge, language, SUM[language], "3 4\n", "7\n")
    assert (judgement.verdict, judgement.error) == ("AC", None), judgement.tests
    wrong = judge_code(judge, language, SUM[language], "3 4\n", "8\n")
    assert wrong.verdict == "WA"


@pytest.mark.slow
@pytest.mark.parametrize("language", COMPILED)
def test_what_does_not_compile_says_where_and_nothing_of_the_machine(
    judge: Judge, language: str
) -> None:
    judgement = judge_code(judge, language, f"{SUM[language]} @ }}", "", "")
    assert judgement.verdict == "CE"
    assert judgement.tests[0] is not None
    detail = judgement.tests[0].detail or ""
    assert "rror" in detail or ":" in detail
    assert "/usr" not in detail
    assert "/scratch" not in detail


def _cases() -> list[object]:
    return [
        pytest.param(
            name,
            language,
            id=f"{name}-{language}",
            marks=[pytest.mark.long]
            if language in HEAVY and name not in ("grow", "escape", "no_entry")
            else [],
        )
        for name in BEHAVIOURS
        for language in PROGRAMS[name]
    ]


@pytest.mark.slow
@pytest.mark.attacks
@pytest.mark.parametrize(("name", "language"), _cases())
def test_a_behaviour_has_the_same_verdict_in_every_language(
    judge: Judge, name: str, language: str
) -> None:
    verdict, expected = BEHAVIOURS[name]
    judgement = judge_code(judge, language, PROGRAMS[name][language], "", expected)
    assert (judgement.verdict, judgement.error) == (verdict, None), judgement.tests[0]


@pytest.mark.slow
@pytest.mark.attacks
@pytest.mark.parametrize("language", COMPILED)
def test_nothing_gets_out_at_level_3_either(level_3: Judge, language: str) -> None:
    code = f"{PROGRAMS['escape'][language]}\n// compiled at this level\n"
    judgement = judge_code(level_3, language, code, "", "held\n")
    assert (judgement.verdict, judgement.error) == ("AC", None), judgement.tests[0]


@pytest.mark.slow
@pytest.mark.attacks
@pytest.mark.long
@pytest.mark.parametrize("name", BEHAVIOURS)
@pytest.mark.parametrize("language", COMPILED)
def test_verdicts_at_level_3_are_the_same(level_3: Judge, name: str, language: str) -> None:
    verdict, expected = BEHAVIOURS[name]
    if language not in PROGRAMS[name]:
        pytest.skip(f"no such program in {language}")
    judgement = judge_code(level_3, language, PROGRAMS[name][language], "", expected)
    assert (judgement.verdict, judgement.error) == (verdict, None), judgement.tests[0]


@pytest.mark.slow
@pytest.mark.attacks
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.long] if n in SLOW_BOMBS else []) for n in BOMBS],
)
def test_a_bomb_for_a_compiler_is_contained(judge: Judge, name: str) -> None:
    assert_contained(judge, name)


@pytest.mark.slow
@pytest.mark.attacks
@pytest.mark.parametrize("name", READING_BOMBS)
def test_a_compiler_reads_nothing_of_the_machine_at_level_3_either(
    level_3: Judge, name: str
) -> None:
    assert_contained(level_3, name)


def assert_contained(judge: Judge, name: str) -> None:
    bomb = BOMBS[name]
    judgement = judge_code(judge, bomb["language"], bomb["code"], "", "")
    assert (judgement.verdict, judgement.error) == ("CE", None), judgement.tests
    assert judgement.tests[0] is not None
    assert bomb["message"] in (judgement.tests[0].detail or "")
    assert "root:" not in (judgement.tests[0].detail or "")


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize("language", PROGRAMS["eight_threads"])
def test_a_program_may_have_some_threads(judge: Judge, language: str) -> None:
    judgement = judge_code(judge, language, PROGRAMS["eight_threads"][language], "", "8\n")
    assert judgement.verdict == "AC", judgement.tests[0]


@pytest.mark.slow
@pytest.mark.parametrize("language", EVERYDAY)
def test_what_a_host_takes_for_itself_is_not_the_programs(judge: Judge, language: str) -> None:
    judgement = judge_code(judge, language, SUM[language], "3 4\n", "7\n")
    test = judgement.tests[0]
    assert test is not None
    assert test.cpu_s < 0.5
    assert test.memory_mb is not None
    assert test.memory_mb < 24


def test_python_test_code_asks_for_python(judge: Judge) -> None:
    problem = {"kind": "assert", "entry_point": "f", "test_code": "assert f(1) == 1\n"}
    judgement = judge.judge({"code": SUM["cpp"]}, problem, language="cpp")
    assert judgement.verdict == "JE"
    assert "the problem's tests are in Python, and the program is in cpp" in (judgement.error or "")


@pytest.mark.slow
def test_the_program_in_an_answer_is_the_one_in_its_languages_fence(judge: Judge) -> None:
    answer = f"As in ```python\nprint(7)\n```, or\n```c++\n{SUM['cpp']}\n```\n"
    require_toolchain("cpp")
    judgement = judge.judge(answer, [{"input": "3 4\n", "output": "7\n"}], language="cpp")
    assert judgement.verdict == "AC"


def test_pypy_runs_the_python_of_an_answer(judge: Judge) -> None:
    require_toolchain("pypy")
    tests = [{"input": "3 4\n", "output": "PyPy 7\n"}]
    code = "import platform\nx, y = map(int, input().split())\n"
    code += "print(platform.python_implementation(), x + y)\nexit()\n"
    judgement = judge.judge(f"So:\n```python\n{code}```\n", tests, language="pypy")
    assert judgement.verdict == "AC", judgement.tests
    assert judge.judge({"code": code}, tests, kind="stdin").verdict == "WA"


@pytest.mark.slow
def test_running_takes_any_language(judge: Judge) -> None:
    outcome = judge.run(SUM["javascript"], "3 4\n", language="js")
    assert (outcome.exit, outcome.stdout) == (0, "7\n")
    failed = judge.run("let = ;", "", language="js")
    assert failed.exit == 1
    assert "SyntaxError" in failed.stderr
    with pytest.raises(ValueError, match="cobol"):
        judge.run("x", language="cobol")


@pytest.mark.skipif(not Path("/usr/lib/locale/C.utf8").exists(), reason="no locale C.UTF-8 here")
@pytest.mark.parametrize("level", ["judge", "level_3"])
def test_the_users_locale_is_there(level: str, request: pytest.FixtureRequest) -> None:
    code = TABLE["programs"]["locale"]
    judgement = judge_code(request.getfixturevalue(level), "cpp", code, "né\n", "2")
    assert judgement.verdict == "AC", judgement.tests


_NEWER_PROGRAMS = TABLE["newer_standards"]


@pytest.mark.parametrize("standard", _NEWER_PROGRAMS)
def test_a_program_of_a_newer_standard_is_judged(judge: Judge, standard: str) -> None:
    language, code = _NEWER_PROGRAMS[standard]
    require_toolchain(language)
    problem = [{"input": "3 4\n", "output": "7\n"}]
    assert judge.judge({"code": code}, problem, language=language).verdict == "AC"


def test_what_no_standard_accepts_has_the_message_of_the_usual_one(judge: Judge) -> None:
    require_toolchain("cpp")
    _, code = _NEWER_PROGRAMS["C++20"]
    problem = [{"input": "3 4\n", "output": "7\n"}]
    missing = judge.judge({"code": code.replace("Pair{1, 3}", "other")}, problem, language="cpp")
    assert missing.verdict == "CE"
    assert "'operator<='" in str(missing.tests[0].detail)  # C++17's message


_ECHO_PROGRAMS = TABLE["echoes"]


@pytest.mark.slow
@pytest.mark.parametrize("language", _ECHO_PROGRAMS)
def test_programs_of_all_languages_get_arguments_and_files(judge: Judge, language: str) -> None:
    require_toolchain(language)
    code, file, text = _ECHO_PROGRAMS[language]
    outcome = judge.run(code, language=language, arguments=["a b", "{0}"], files={file: text})
    assert (outcome.exit, outcome.stdout) == (0, "x|a b|{0}\n"), outcome.stderr


@pytest.mark.slow
def test_the_example_of_the_page_is_accepted() -> None:
    require_toolchain("cpp")
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    examples = [part.partition("```")[0] for part in page.split("```python\n")[1:]]
    assert len(examples) == 2
    for example in examples:
        subprocess.run([sys.executable, "-c", example], check=True, timeout=120)


def test_every_language_is_on_the_page() -> None:
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| `")]
    documented = {name.strip(" `").partition("`")[0]: aliases.strip() for name, aliases in rows}
    del documented["language"]
    assert documented == {one.name: ", ".join(one.aliases) for one in LANGUAGES}


SPOILT_STARTS = TABLE["spoilt_starts"]


@pytest.mark.parametrize("level", [4, 3])
@pytest.mark.parametrize("name", SPOILT_STARTS)
def test_a_program_that_spoils_its_own_start_has_failed(
    judge: Judge, level_3: Judge, name: str, level: int
) -> None:
    section = '__attribute__((section(".interp")))'
    code = f'const char interp[] {section} = "{SPOILT_STARTS[name]}";\nint main(void) {{ }}\n'
    judgement = judge_code(judge if level == 4 else level_3, "c", code, "", "")
    assert judgement.verdict == "RE", judgement.error
    assert judgement.tests[0] is not None
    assert "the program cannot be started" in (judgement.tests[0].detail or "")


def test_a_java_class_may_have_other_letters(judge: Judge) -> None:
    code = "public class Größe { public static void main(String[] a) { System.out.println(1); } }"
    assert judge_code(judge, "java", code, "", "1\n").verdict == "AC"


JAVA_REPORT = (
    "# A fatal error has been detected by the Java Runtime Environment:\\n"
    "#  fatal error: OutOfMemory encountered: Java heap space\\n"
)
JAVA_ENDS = TABLE["java_ends"]


@pytest.mark.slow
@pytest.mark.parametrize("name", JAVA_ENDS)
def test_a_full_heap_in_java_is_told_from_what_the_program_prints(judge: Judge, name: str) -> None:
    require_toolchain("java")
    end, verdict, detail = JAVA_ENDS[name]
    code = (
        "public class Main { public static void main(String[] words) throws Exception { "
        f'System.out.println("{JAVA_REPORT}"); System.out.flush(); {end} }} }}'
    )
    problem = {"tests": [{"input": "", "output": "1\n"}]}
    judgement = judge.judge({"code": code, "language": "java"}, problem)
    assert judgement.tests[0] is not None
    assert (judgement.tests[0].verdict, judgement.tests[0].detail) == (verdict, detail)


def test_a_c_program_may_use_the_mathematical_library(judge: Judge) -> None:
    judgement = judge_code(judge, "c", TABLE["programs"]["mathematics"], "2\n", "1.414 1.072\n")
    assert judgement.verdict == "AC", judgement.tests[0]


ONLINE_JUDGE = TABLE["online_judge"]


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize("language", ONLINE_JUDGE)
def test_a_program_knows_that_a_judge_runs_it(judge: Judge, language: str) -> None:
    assert judge_code(judge, language, ONLINE_JUDGE[language], "", "judge").passed


GO_RUNTIME = TABLE["go_runtime"]


@pytest.mark.slow
@pytest.mark.parametrize("name", GO_RUNTIME)
def test_the_runtime_of_go_has_the_calls_that_it_needs(judge: Judge, name: str) -> None:
    imports = 'import ("fmt"; "os"; "time"); var _ = os.Args; var _ = time.Now'
    body = f"var n int; {GO_RUNTIME[name]}; fmt.Println(n)"
    code = f"package main; {imports}; func main() {{ {body} }}"
    roomy = judge.with_changes(limits=Limits(time_s=5.0, wall_s=60.0, memory_mb=512))
    assert judge_code(roomy, "go", code, "5", "5").passed
