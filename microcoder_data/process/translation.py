"""Translates statements into English with the endpoint of the recipe."""

from __future__ import annotations

import re

from microcoder_data.endpoint import Client, EndpointError

_SYSTEM = (
    "You translate statements of programming problems into English. Keep the Markdown, all "
    "numbers, identifiers, formulas and everything in code fences or backticks exactly as they "
    "are. Add nothing and leave nothing out. Answer with the translation only."
)
_CODE = re.compile(r"```.*?```", re.DOTALL)


def translate_statement(client: Client, text: str) -> str:
    """Return the statement in English. Raises EndpointError, also for a translation that changes
    code."""

    def check(answer: str) -> str:
        translation = answer.strip()
        if not translation:
            raise EndpointError("the translation is empty")
        lost_blocks = [block for block in _CODE.findall(text) if block not in translation]
        if lost_blocks:
            raise EndpointError(f"the translation changed a block of code: {lost_blocks[0][:60]!r}")
        return translation

    return client.ask(
        [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": text}], check
    )
