"""Repairs letters that were decoded wrongly, with ftfy."""

from __future__ import annotations

from microcoder_eval.errors import DataError


def repair_letters(text: str) -> tuple[str, str | None]:
    """Return the text with its letters restored, and the first line that was repaired.

    Lines are repaired one by one: ftfy leaves a text unchanged if some of its characters are right,
    so a right line would protect wrong ones. Raises DataError when ftfy is not installed.
    """
    if text.isascii():
        return text, None
    try:
        from ftfy import fix_encoding, is_bad
    except ImportError as error:
        raise DataError("letters need ftfy: pip install '.[data]' in the checkout") from error
    if not is_bad(text):
        return text, None
    lines = text.split("\n")
    repaired_lines = [line if line.isascii() else str(fix_encoding(line)) for line in lines]
    pairs = zip(lines, repaired_lines, strict=True)
    return "\n".join(repaired_lines), next((line for line, other in pairs if line != other), None)
