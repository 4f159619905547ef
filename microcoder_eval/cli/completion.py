"""Tab completion for bash, zsh and fish, written out of the parsers of a command.

A verb may stand first; the options are those of its parser. Words that are no options are files.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its spellings, whether a value follows, and which values there are."""

    flags: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...]


class PrintCompletion(argparse.Action):
    """``--print-completion SHELL``: print the script and leave.

    what: the command's parsers by verb, "" for none. words: what may stand where files may.
    """

    def __init__(
        self,
        option_strings: Sequence[str],
        dest: str,
        what: Callable[[], Mapping[str, argparse.ArgumentParser]],
        words: Callable[[], Iterable[str]] = tuple,
        **rest: Any,
    ) -> None:
        super().__init__(option_strings, dest, choices=SHELLS, metavar="SHELL", **rest)
        self._what, self._words = what, words

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        """Raises SystemExit(0)."""
        shell, name = rest[1], parser.prog
        verbs = {verb: _options(each) for verb, each in self._what().items()}
        sys.stdout.write(_WRITERS[shell](name, verbs, tuple(self._words())))
        parser.exit()


def _options(parser: argparse.ArgumentParser) -> list[Option]:
    formatter = parser._get_formatter()
    return [
        Option(
            tuple(action.option_strings),
            formatter._expand_help(action) if action.help else "",
            action.nargs != 0,
            tuple(map(str, action.choices or ())),
        )
        for action in parser._actions
        if action.option_strings
    ]


def _identifier(name: str) -> str:
    return "_" + name.replace("-", "_")


def _bash(name: str, verbs: Mapping[str, list[Option]], words: tuple[str, ...]) -> str:
    cases, values = [], []
    for verb, options in sorted(verbs.items(), reverse=True):  # "" comes last: it matches all
        flags = " ".join(flag for option in options for flag in option.flags)
        cases.append(f"        {verb or '*'}) verb={verb or chr(39) * 2} options='{flags}' ;;")
        for option in options:
            spelled = "|".join(f"{verb}:{flag}" for flag in option.flags)
            if option.takes_value:
                values.append(f"        {spelled}) choices='{' '.join(option.choices)}' ;;")
    return f"""\
# {name} for bash: keep as ~/.local/share/bash-completion/completions/{name}
{_identifier(name)}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
    local verb= options choices
    if ((COMP_CWORD > 1)); then verb=${{COMP_WORDS[1]}}; fi
    case $verb in
{chr(10).join(cases)}
    esac
    case $verb:$before in
{chr(10).join(values)}
        *)
            if [[ $word == -* ]]; then
                choices=$options
            elif ((COMP_CWORD == 1)); then
                choices='{" ".join([*sorted(filter(None, verbs)), *words])}'
            else
                choices='{" ".join(words)}'
            fi
            ;;
    esac
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
    if [[ ${{COMPREPLY[0]-}} == *= ]]; then compopt -o nospace 2>/dev/null; fi
    if [[ -z $word ]]; then COMPREPLY+=($(IFS=$'\\n'; compgen -f)); fi
}}
complete -o bashdefault -o default -F {_identifier(name)} {name}
"""


def _zsh(name: str, verbs: Mapping[str, list[Option]], words: tuple[str, ...]) -> str:
    def spec(option: Option) -> str:
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
        text = option.help.translate({ord(c): f"\\{c}" for c in "[]:\\"})
        tail = _quoted(f"[{text}]{value if option.takes_value else ''}")
        others = _quoted(f"({' '.join(option.flags)})") if len(option.flags) > 1 else ""
        return " ".join(f"{others}{flag}{tail}" for flag in option.flags)

    first = f'"words:word:({" ".join([*sorted(filter(None, verbs)), *words])})"'
    later = f'"words:word:({" ".join(words)})" ' if words else ""
    cases = []
    for verb, options in sorted(verbs.items(), reverse=True):
        specs = " \\\n                ".join(map(spec, options))
        cases.append(
            f"        {verb or '*'})\n            _arguments \\\n                {specs} \\"
        )
        if not verb:
            cases.append(
                f"                {_quoted(f'1: :_alternative {first} files:file:_files')} \\"
            )
        cases.append(f"                {_quoted(f'*: :_alternative {later}files:file:_files')} ;;")
    return f"""\
#compdef {name}
# {name} for zsh: keep as _{name} in a folder of $fpath, before compinit
{_identifier(name)}() {{
    local verb=
    if ((CURRENT > 2)); then verb=$words[2]; fi
    case $verb in
{chr(10).join(cases)}
    esac
}}
if [[ $funcstack[1] == _{name} ]]; then
    {_identifier(name)} "$@"
else
    compdef {_identifier(name)} {name}
fi
"""


def _fish(name: str, verbs: Mapping[str, list[Option]], words: tuple[str, ...]) -> str:
    named = " ".join(sorted(filter(None, verbs)))
    lines = [
        f"# {name} for fish: keep as ~/.config/fish/completions/{name}.fish",
        f"complete -c {name} -n '__fish_is_nth_token 1' -a '{named}'",
    ]
    if words:
        lines.append(f"complete -c {name} -a '{' '.join(words)}'")
    for verb, options in sorted(verbs.items()):
        seen = f"__fish_seen_subcommand_from {verb}"
        condition = seen if verb else f"not __fish_seen_subcommand_from {named}"
        for option in options:
            flags = [
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.flags
            ]
            if option.choices:
                flags.append(f"-x -a '{' '.join(option.choices)}'")
            elif option.takes_value:
                flags.append("-r")
            text = option.help.replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c {name} -n '{condition}' {' '.join(flags)} -d '{text}'")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """For zsh, as one word."""
    return "'" + text.replace("'", "'\\''") + "'"


_WRITERS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
