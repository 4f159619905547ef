"""Statements of other languages, translated by an endpoint; off unless the recipe names one."""

from __future__ import annotations

import re

from microcoder_eval.data.endpoint import Client, EndpointError

_SYSTEM = (
    "You translate statements of programming problems into English. Keep the Markdown, all "
    "numbers, identifiers, formulas and everything in code fences or backticks exactly as they "
    "are. Add nothing and leave nothing out. Answer with the translation only."
)
_CODE = re.compile(r"```.*?```", re.DOTALL)


def translated(client: Client, text: str) -> str:
    """The statement in English. Raises EndpointError, also when its code did not come back."""
    answer = client.ask(
        [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": text}]
    ).strip()
    if not answer:
        raise EndpointError("the translation is empty")
    lost = [block for block in _CODE.findall(text) if block not in answer]
    if lost:
        raise EndpointError(f"the translation changed a block of code: {lost[0][:60]!r}")
    return answer
