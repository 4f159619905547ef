"""The second stage: each statement in one clean form, and what is missing told by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from microcoder_eval.data.endpoint import Client, EndpointError
from microcoder_eval.data.reading import read_row, with_findings
from microcoder_eval.data.reasons import Found, Policy
from microcoder_eval.data.recipe import Endpoint, Process
from microcoder_eval.data.rows import Row, kind_of, text_of
from microcoder_eval.data.stage import Drop, Given, Page, Plain
from microcoder_sandbox import codec

from . import complete, wording
from .instruction import instructed
from .language import foreign_part, language_of
from .markup import clean
from .translation import translated


@cache
def _client(endpoint: Endpoint) -> Client:
    return Client(endpoint)


@dataclass(slots=True)
class ProcessStage(Plain):
    """Cleans, translates, completes. Tests are never touched."""

    recipe: Process
    name: str = "process"

    def settings(self) -> Mapping[str, Any]:
        """See Stage."""
        return settings_of(self.recipe)

    def work(self, given: Given) -> Page:
        """Treat one problem."""
        before = read_row(given)
        trainable = bool(text_of(before, "statement").strip()) or bool(
            text_of(before, "starter_code").strip()
        )
        row: Row = {**before, "trainable": trainable}
        policy = Policy(frozenset(self.recipe.keep), frozenset(self.recipe.drop))
        if not trainable and self.recipe.purpose == "training":
            told = "neither a statement nor starter code; --for judging keeps such problems"
            return Page(before, Drop("not_trainable", told))
        row, found = self._stated(row)
        drop = policy.gravest(found)
        if drop is not None:
            return Page(before, drop)
        return Page(with_findings(row, found))

    def _stated(self, row: Row) -> tuple[Row, list[Found]]:
        """The row with its statement clean, and everything found."""
        raw = text_of(row, "statement")
        if not raw.strip():
            found, _ = complete.look(row, "", self.recipe.min_tests)
            found += filter(None, [_given_away(row, "")])
            return {key: value for key, value in row.items() if key != "statement"}, found
        cleaned = clean(raw)
        text, found = cleaned.text, []
        if cleaned.faults:
            faults = list(cleaned.faults)
            found.append(Found("broken_markup", faults[0], {"faults": faults[:10]}))
        text, language, said = self._in_english(text)
        found += said
        found += wording.look(text, cleaned.images, kind_of(row))
        missing, examples = complete.look(row, text, self.recipe.min_tests)
        found += missing
        if (given_away := _given_away(row, text)) is not None:
            found.append(given_away)
        row = {**row, "statement": text, "statement_form": str(cleaned.form)}
        row["statement_language"] = language
        if examples:
            row["examples"] = [
                {"input": codec.to_json(one.input), "output": codec.to_json(one.output)}
                for one in examples
            ]
        if self.recipe.instruction:
            row["statement"] = instructed(text, row)
        return row, found

    def _in_english(self, text: str) -> tuple[str, str, list[Found]]:
        language = language_of(text)
        if language in self.recipe.languages or language == "en":
            part = foreign_part(text, self.recipe.languages)
            if part is None:
                return text, language, []
            language = part
        if self.recipe.translate is None:
            told = f'the language seems to be "{language}"'
            return text, language, [Found("not_english", told, {"language": language})]
        try:
            english = translated(_client(self.recipe.translate), text)
        except EndpointError as error:
            return text, language, [Found("translation_failed", str(error))]
        return english, "en", [Found("translated", f'from "{language}"')]


def _given_away(row: Row, text: str) -> Found | None:
    """A reference solution that stands in the statement, or as the starter code."""
    known = row.get("solutions")
    shown, starter = (" ".join(one.split()) for one in (text, text_of(row, "starter_code")))
    for one in known if isinstance(known, list) else []:
        code = " ".join(str(one.get("code", "")).split()) if isinstance(one, dict) else ""
        if len(code) > 40 and code in shown:
            return Found("solution_in_statement", "a reference solution stands in it")
        if code and (code == starter or (len(code) > 40 and code in starter)):
            return Found("solution_in_statement", "the starter code is a reference solution")
    return None


def settings_of(recipe: Any) -> dict[str, Any]:
    """A part of a recipe for hashes; where a cache lies changes nothing."""

    def without_places(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: without_places(item)
                for key, item in value.items()
                if key not in ("cache", "key_env", "timeout_s", "tries", "pass_rates", "against")
            }
        return value

    settings: dict[str, Any] = without_places(recipe.model_dump(mode="json"))
    return settings
