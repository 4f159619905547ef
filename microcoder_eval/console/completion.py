"""Scripts for tab completion in bash, zsh and fish, made from the parsers of a command.

The first argument may be a verb, whose parser then has the options, or a file. Packages such as
shtab offer one or the other there, and no ``key=`` operands.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .parser import CommandParser

SHELLS = ("bash", "zsh", "fish")
Options = Sequence[argparse.Action]


class PrintCompletion(argparse.Action):
    """``--print-completion SHELL``: print the script and exit.

    parsers: returns the command's parsers by verb, "" for none. operands: returns what arguments
    may be besides files.
    """

    def __init__(
        self,
        option_strings: Sequence[str],
        dest: str,
        parsers: Callable[[], Mapping[str, CommandParser]],
        operands: Callable[[], Iterable[str]] = tuple,
        **options: Any,
    ) -> None:
        super().__init__(option_strings, dest, choices=SHELLS, metavar="SHELL", **options)
        self._get_parsers, self._get_operands = parsers, operands

    def __call__(self, parser: argparse.ArgumentParser, *values: Any) -> None:
        """Raise SystemExit(0)."""
        shell, name = values[1], parser.prog
        verbs = {verb: verb_parser.options for verb, verb_parser in self._get_parsers().items()}
        sys.stdout.write(_WRITERS[shell](name, verbs, tuple(self._get_operands())))
        parser.exit()


def _expand_help(option: argparse.Action) -> str:
    return (option.help or "") % vars(option)


def _list_choices(option: argparse.Action) -> list[str]:
    """Return the values of an option: all that are allowed, or those that it lists as
    ``completions``."""
    list_completions = getattr(option, "completions", None)
    return list_completions() if list_completions else [str(c) for c in option.choices or ()]


def _join_choices(option: argparse.Action) -> str:
    return " ".join(_list_choices(option))


def _make_identifier(name: str) -> str:
    return "_" + name.replace("-", "_")


def _write_bash(name: str, verbs: Mapping[str, Options], operands: tuple[str, ...]) -> str:
    cases, values = [], []
    for verb, options in sorted(verbs.items(), reverse=True):  # "" comes last: it matches all
        flags = " ".join(flag for option in options for flag in option.option_strings)
        cases.append(f"        {verb or '*'}) verb={verb or chr(39) * 2} options='{flags}' ;;")
        for option in options:
            pattern = "|".join(f"{verb}:{flag}" for flag in option.option_strings)
            if option.nargs != 0:
                values.append(f"        {pattern}) choices='{_join_choices(option)}' ;;")
    return f"""\
# {name} for bash: save as ~/.local/share/bash-completion/completions/{name}
{_make_identifier(name)}() {{
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
                choices='{" ".join([*sorted(filter(None, verbs)), *operands])}'
            else
                choices='{" ".join(operands)}'
            fi
            ;;
    esac
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
    if [[ ${{COMPREPLY[0]-}} == *= ]]; then compopt -o nospace 2>/dev/null; fi
    if [[ -z $word ]]; then COMPREPLY+=($(IFS=$'\\n'; compgen -f)); fi
}}
complete -o bashdefault -o default -F {_make_identifier(name)} {name}
"""


def _write_zsh(name: str, verbs: Mapping[str, Options], operands: tuple[str, ...]) -> str:
    def format_option(option: argparse.Action) -> str:
        value = f":value:({_join_choices(option)})" if _list_choices(option) else ":value:_files"
        text = _expand_help(option).translate({ord(c): f"\\{c}" for c in "[]:\\"})
        suffix = _quote_zsh(f"[{text}]{value if option.nargs != 0 else ''}")
        flags = option.option_strings
        exclusions = _quote_zsh(f"({' '.join(flags)})") if len(flags) > 1 else ""
        return " ".join(f"{exclusions}{flag}{suffix}" for flag in flags)

    choices = f'"words:word:({" ".join([*sorted(filter(None, verbs)), *operands])})"'
    later_choices = f'"words:word:({" ".join(operands)})" ' if operands else ""
    cases = []
    for verb, options in sorted(verbs.items(), reverse=True):
        specs = " \\\n                ".join(map(format_option, options))
        cases.append(
            f"        {verb or '*'})\n            _arguments \\\n                {specs} \\"
        )
        if not verb:
            cases.append(
                f"                {_quote_zsh(f'1: :_alternative {choices} files:file:_files')} \\"
            )
        cases.append(
            f"                {_quote_zsh(f'*: :_alternative {later_choices}files:file:_files')} ;;"
        )
    return f"""\
#compdef {name}
# {name} for zsh: save as _{name} in a folder of $fpath, before compinit
{_make_identifier(name)}() {{
    local verb=
    if ((CURRENT > 2)); then verb=$words[2]; fi
    case $verb in
{chr(10).join(cases)}
    esac
}}
if [[ $funcstack[1] == _{name} ]]; then
    {_make_identifier(name)} "$@"
else
    compdef {_make_identifier(name)} {name}
fi
"""


def _write_fish(name: str, verbs: Mapping[str, Options], operands: tuple[str, ...]) -> str:
    verb_names = " ".join(sorted(filter(None, verbs)))
    lines = [
        f"# {name} for fish: save as ~/.config/fish/completions/{name}.fish",
        f"complete -c {name} -n '__fish_is_nth_token 1' -a '{verb_names}'",
    ]
    if operands:
        lines.append(f"complete -c {name} -a '{' '.join(operands)}'")
    for verb, options in sorted(verbs.items()):
        subcommand = f"__fish_seen_subcommand_from {verb}"
        condition = subcommand if verb else f"not __fish_seen_subcommand_from {verb_names}"
        for option in options:
            flags = [
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.option_strings
            ]
            if _list_choices(option):
                flags.append(f"-x -a '{_join_choices(option)}'")
            elif option.nargs != 0:
                flags.append("-r")
            text = _expand_help(option).replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c {name} -n '{condition}' {' '.join(flags)} -d '{text}'")
    return "\n".join(lines) + "\n"


def _quote_zsh(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_WRITERS = {"bash": _write_bash, "zsh": _write_zsh, "fish": _write_fish}
