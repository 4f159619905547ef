"""MultiPL-E: HumanEval and MBPP in C++, Java, JavaScript, Go, Rust and Python; it has many more.

Samples have ``completion``, or ``completions`` as its generator writes them, cut before the first
stop token. Source: nuprl/MultiPL-E (the data card; evaluation/src/eval_*.py for how each language
is built and run).
"""

from __future__ import annotations

from microcoder_eval.languages import TEST_LANGUAGES

from . import row_fields
from .format import Format, Problems, Row, has_keys

_TEST_LANGUAGES = {"cpp": "cpp17", "java": "java", "js": "javascript", "go": "go",
                   "go_test.go": "go", "rs": "rust2015", "py": None}  # fmt: skip
_USED = {"name", "prompt", "tests", "language"}
_ANSWERS = ("completion", "completions")


def _read_fields(row: Row) -> Row:
    language = row_fields.read_test_language(row, _TEST_LANGUAGES)
    return {
        "kind": "assert",
        "test_code": row_fields.read_text(row, "tests"),
        "test_language": _TEST_LANGUAGES[language],
    }


def _rewrite_solutions(row: Row, problems: Problems | None) -> list[Row]:
    name = row.get("name")
    texts = row_fields.read_answers(row, "completion")
    problem = row_fields.get_continued(problems, name, "completion")
    start = problem.starter_code or ""
    unused = row_fields.collect_unused(row, {*_USED, *_ANSWERS, "stop_tokens"})
    test_language = _TEST_LANGUAGES.get(str(row.get("language")), problem.test_language)
    fields = {**unused, "problem_id": name}
    if test_language is not None:
        fields["language"] = TEST_LANGUAGES[test_language].name
    return [{**fields, "code": f"{start}{text}"} for text in texts]


FORMAT = Format(
    name="multipl_e",
    names=("name",),
    copies={"statement": "prompt", "starter_code": "prompt"},
    holds_problem=has_keys(*_USED, without=_ANSWERS),
    read_fields=_read_fields,
    uses=frozenset(_USED),
    judges=frozenset({"tests"}),
    holds_solution=has_keys("name", one_of=_ANSWERS),
    rewrite_solutions=_rewrite_solutions,
)
