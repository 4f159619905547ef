"""Merges the layers of settings: the defaults, a preset, a TOML file, the command line."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from microcoder_eval.formats import error_text
from microcoder_eval.formats.source import convert_read_errors

from .config import Config
from .errors import ConfigError
from .presets import DEFAULT_PRESET, PRESETS

# Other libraries define the keys.
FREE_FORM_TABLES = ("data.chat_template_kwargs", "rollout.engine")


class Settings(BaseModel):
    """A configuration, and the source of each key's value."""

    config: Config
    sources: dict[str, str]

    def to_toml(self) -> str:
        """Return TOML with the source of each value as a comment."""
        lines = []
        for section, values in self.config.model_dump().items():
            lines.append(f"[{section}]")
            for name, value in values.items():
                text = f"# {name} is unset" if value is None else f"{name} = {_to_toml(value)}"
                lines.append(f"{text:<60}  # {self.sources[f'{section}.{name}']}")
            lines.append("")
        return "\n".join(lines)


def load_settings(
    file: str | None = None, preset: str | None = None, overrides: Sequence[str] = ()
) -> Settings:
    """Merge the defaults, the preset, the file and the ``key=value`` overrides.

    Later layers win. Raises ConfigError, and DataError for a file that cannot be read.
    """
    file_values = _read_file(Path(file)) if file else {}
    preset_name = preset or file_values.get("preset") or DEFAULT_PRESET
    file_values.pop("preset", None)
    if preset_name not in PRESETS:
        raise ConfigError(f"preset {preset_name!r} does not exist; choose {', '.join(PRESETS)}")
    values: dict[str, Any] = {}
    sources = list_sources()
    layers = (
        (PRESETS[preset_name], f"preset {preset_name}"),
        (file_values, file or ""),
        (_parse_overrides(overrides), "command line"),
    )
    for layer, source in layers:
        for key, value in layer.items():
            setting = key if key in sources else key.rpartition(".")[0]
            if key != setting and setting not in FREE_FORM_TABLES:
                raise ConfigError(f"{key}: no such setting{_suggest(key, sources)}")
            values[key] = value
            sources[setting] = source
    return Settings(config=_validate(values), sources=sources)


def list_sources() -> dict[str, str]:
    """Return the source of the default of every setting, by its ``section.key``."""
    return {
        f"{section}.{name}": setting.json_schema_extra["source"]
        for section, field in Config.model_fields.items()
        for name, setting in type(field.default).model_fields.items()
    }


def _to_toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k} = {_to_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_to_toml, value)) + "]"
    return json.dumps(value)


def _read_file(file: Path) -> dict[str, Any]:
    with convert_read_errors(str(file)):
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    flat: dict[str, Any] = {}
    for section, table in tables.items():
        if isinstance(table, Mapping):
            flat.update((f"{section}.{name}", value) for name, value in table.items())
        else:
            flat[section] = table
    return flat


def _parse_overrides(overrides: Sequence[str]) -> dict[str, Any]:
    values = {}
    for override in overrides:
        key, equals, text = override.partition("=")
        if not equals:
            raise ConfigError(
                f"{override!r} is neither a TOML file nor key=value; a verb is the first word"
            )
        try:
            values[key] = tomllib.loads(f"x = {text}")["x"]
        except tomllib.TOMLDecodeError:
            values[key] = text  # a string without quotes
    return values


def find_settings(name: str, settings: Mapping[str, str]) -> list[str]:
    """Return the settings that a name may mean: its own, in any section, one with its initials,
    one that ends with it, one of the section of this name."""
    initials = "".join(word[:1] for word in name.split("_"))
    endings = (f".{name}", f".{initials}", f"_{name}")
    names = [setting for ending in endings for setting in settings if setting.endswith(ending)]
    return names + [setting for setting in settings if setting.startswith(f"{name}.")]


def _suggest(key: str, settings: Mapping[str, str]) -> str:
    """Suggest the setting that is meant: one of this name or its initials, or with a similar
    name."""
    suggestions = find_settings(key.rpartition(".")[2], settings)
    suggestions += difflib.get_close_matches(key, settings, n=1, cutoff=0.5)
    return f"; did you mean {suggestions[0]}?" if suggestions else "; --show-config lists them"


def _validate(values: Mapping[str, Any]) -> Config:
    tree: dict[str, Any] = {}
    for key, value in values.items():
        *path, name = key.split(".")
        table = tree
        for part in path:
            table = table.setdefault(part, {})
        table[name] = value
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        raise ConfigError(error_text.describe_invalid(error, depth=2)) from None
