"""The stage that cleans statements and finds what is wrong or missing in problems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.endpoint import EndpointError, open_client
from microcoder_data.recipe import Process
from microcoder_data.row_reader import add_findings, read_findings, read_row
from microcoder_data.rows import (
    Row,
    get_function_name,
    get_kind,
    get_solutions,
    get_text,
    name_source,
)
from microcoder_data.stage import Decisions, Drop, KeptProblem, RawRecord, Stage, StageResult
from microcoder_eval.audit.findings import Finding
from microcoder_sandbox import codec

from . import bounds, complete, wording
from .conversion.powers import restore_powers, writes_powers
from .instruction import add_instruction
from .language import detect_language
from .markup import CleanStatement, clean_statement
from .samples import add_samples, add_title, find_own_title
from .translation import translate_statement

_EMPTY_TAGS = re.compile(r"<(?!img\b)[^<>]*>|&nbsp;")
_MIN_LOST = 5  # this many statements with lost powers prove that the source loses them
_MIN_CODE_CHARACTERS = 40  # shorter programs may be part of a statement by chance
_FENCE = re.compile(r"^```(?!python\ndef).*?^```", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^```[^\n`]*\n(.*?)^```", re.DOTALL | re.MULTILINE)  # its content
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?\*/|(\"{3}|'{3}).*?\1", re.DOTALL)
_USES = ("return ", "new ", "await ", "else ")  # before a call


@dataclass(slots=True)
class ProcessStage(Stage):
    """Cleans, translates and checks problems. Never changes tests."""

    recipe: Process
    name: str = "process"

    def count_threads(self, workers: int) -> int:
        """See Stage."""
        return self.recipe.translate.concurrency if self.recipe.translate else 0

    def open(self, workers: int) -> None:
        """Read the cache of the endpoint. Raises DataError where it cannot be read."""
        if (endpoint := self.recipe.translate) is not None:
            open_client(endpoint, self.name)

    def handle_record(self, record: RawRecord) -> StageResult:
        """Process one problem."""
        original = read_row(record)
        fault = _find_missing_statement(original)
        row: Row = {**original, "trainable": fault is None}
        if fault is not None and self.recipe.purpose == "training":
            detail = f"{fault}; --for judging keeps such problems"
            return StageResult(original, Drop("not_trainable", detail))
        row, findings = self._clean_row(row)
        if (drop := self.recipe.choose_drop(findings)) is not None:
            return StageResult(original, drop)
        return StageResult(
            add_findings(row, findings), features=_describe_powers(original, row, findings)
        )

    def finalize(self, problems: Iterator[KeptProblem]) -> Decisions:
        """Restore powers in every statement of a source that loses them.

        A source loses powers if several of its statements certainly lost one and few have a correct
        one. Then "n <= 105" means 10^5 in its other statements too.
        """
        lost: Counter[str] = Counter()
        kept: Counter[str] = Counter()
        suspects: list[tuple[int, str, Mapping[str, Any]]] = []
        for problem in problems:
            if (features := problem.features) is None:
                continue
            source = features["source"]
            lost[source] += features["lost"]
            kept[source] += features["kept"]
            if "change" in features:
                suspects.append((problem.position, source, features["change"]))
        return {
            position: change
            for position, source, change in suspects
            if source and lost[source] >= max(_MIN_LOST, 4 * kept[source])
        }

    def _clean_row(self, row: Row) -> tuple[Row, list[Finding]]:
        """Return the row with its statement cleaned, and all findings."""
        raw = get_text(row, "statement")
        if not raw.strip():
            findings, _ = complete.list_findings(row, "", self.recipe.min_tests)
            findings += _find_leaked_solution(row, "")
            return {key: value for key, value in row.items() if key != "statement"}, findings
        statement = clean_row_statement(row)
        text, findings = statement.text, list(statement.repairs)
        if statement.faults:
            faults = list(statement.faults)
            findings.append(Finding("broken_markup", faults[0], {"faults": faults[:10]}))
        text, language, language_findings = self._translate_statement(text)
        findings += language_findings
        findings += wording.list_findings(text, statement.images, get_kind(row))
        completeness_findings, examples = complete.list_findings(row, text, self.recipe.min_tests)
        findings += completeness_findings
        findings += _find_leaked_solution(row, text)
        findings += _check_title(row, text)
        row = {**row, "statement": text, "statement_language": language}
        if examples:
            row["examples"] = [
                {"input": codec.to_json(example.input), "output": codec.to_json(example.output)}
                for example in examples
            ]
        if self.recipe.instruction:
            row["statement"] = add_instruction(text, row)
        return row, findings

    def _translate_statement(self, text: str) -> tuple[str, str, list[Finding]]:
        """Return the text, its language and findings. Raises EndpointError unless the recipe
        decides about problems without a translation."""
        language = detect_language(text, self.recipe.languages)
        if language in self.recipe.languages or language == "en":
            return text, language, []
        if self.recipe.translate is None:
            detail = f'the language seems to be "{language}"'
            return text, language, [Finding("not_english", detail, {"language": language})]
        try:
            translation = translate_statement(open_client(self.recipe.translate, self.name), text)
        except EndpointError as error:
            if not self.recipe.decides_about("translation_failed"):
                raise
            return text, language, [Finding("translation_failed", str(error))]
        return translation, "en", [Finding("translated", f'from "{language}"')]


def _find_missing_statement(row: Row) -> str | None:
    """Return why a model cannot be asked to solve a problem; None if it has a statement or starter
    code."""
    if statement := get_text(row, "statement").strip():
        is_empty = not _EMPTY_TAGS.sub("", statement).strip()
        return "the statement has tags and no text" if is_empty else None
    keys = ", ".join(list(row)[:12])
    has_code = bool(get_text(row, "starter_code").strip())
    return None if has_code else f'neither "statement" nor "starter_code" (keys: {keys})'


def clean_row_statement(row: Row) -> CleanStatement:
    """Return the clean statement of a row, with title and samples, and with the lost powers
    restored that its tests prove."""
    statement = clean_statement(get_text(row, "statement"))
    text, lost_power = bounds.restore_proved_powers(row, statement.text)
    repairs = (*statement.repairs, *filter(None, [lost_power]))
    return replace(statement, text=add_title(add_samples(text, row), row), repairs=repairs)


def _describe_powers(original: Row, row: Row, findings: list[Finding]) -> dict[str, Any] | None:
    """Return what ``finalize`` needs to decide; None for statements without evidence about
    powers."""
    raw, statement = get_text(original, "statement"), get_text(row, "statement")
    is_lost = any(finding.name == "lost_superscript" for finding in findings)
    features: dict[str, Any] = {
        "source": name_source(original),
        "lost": is_lost,
        "kept": writes_powers(raw),
    }
    changed, _ = restore_powers(statement, is_proved=True)
    if changed != statement:
        names = sorted({*read_findings(row), *(item.name for item in findings), "lost_superscript"})
        features["change"] = {"statement": changed, "findings": names}
    return features if is_lost or features["kept"] or "change" in features else None


def _find_leaked_solution(row: Row, text: str) -> Iterator[Finding]:
    """Yield the first reference solution that is in the statement or in the starter code."""
    statement, starter = (" ".join(item.split()) for item in (text, get_text(row, "starter_code")))
    blocks = {" ".join(block.split()) for block in _BLOCK.findall(text)} - {""}
    for item in get_solutions(row):
        code = " ".join(str(item.get("code", "")).split())
        is_long = len(code) > _MIN_CODE_CHARACTERS
        if code in blocks or (is_long and code in statement):
            yield Finding("solution_in_statement", "it contains a reference solution")
            return
        if code and (code == starter or (is_long and code in starter)):
            yield Finding("solution_in_statement", "the starter code is a reference solution")
            return
    name = get_function_name(row)
    if name and any(_defines(fence, name) for fence in _FENCE.findall(text)):
        yield Finding("solution_in_statement", f"a block of code is the whole function {name}")


def _defines(fence: str, name: str) -> bool:
    """Whether a block of code has the function with its body, and more than its head: a result type
    or "def", the name, parameters, and code."""
    definition = re.search(rf"[\w>\]][\w>\]&*]*[ \t]+{re.escape(name)}\s*\([^()]*\)", fence)
    if definition is None or definition[0].startswith(_USES):
        return False
    body = _COMMENT.sub("", fence[definition.end() :])
    return len(re.sub(r"[\s`]", "", body)) > _MIN_CODE_CHARACTERS


def _check_title(row: Row, text: str) -> Iterator[Finding]:
    """Yield a finding if the row's title and the statement's own title have no word in common."""
    title, heading = get_text(row, "title"), find_own_title(text)
    words, own_words = (set(re.findall(r"\w+", name.casefold())) for name in (title, heading))
    if words and own_words and not words & own_words:
        yield Finding("title_mismatch", f'"{title}" above "{heading}"'[:200])
