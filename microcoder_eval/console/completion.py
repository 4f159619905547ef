"""Tab completion in bash, zsh and fish, by shtab's scripts, changed so that a file may replace a
verb."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .parser import CommandParser, PrintText

_SHELLS = ("bash", "zsh", "fish")
# By itself, shtab completes the first word to verbs only, and in zsh the later words only after a
# verb. {0} is shtab's function for the command {1}.
_ZSH_FILES = """\
functions -c {0}_commands {0}_verbs
{0}_commands() {{ {0}_verbs; _files }}
functions -c {0} {0}_verb
{0}() {{
  if (( CURRENT == 2 )) || [[ $words[2] == ({2}) ]]; then
    {0}_verb "$@"
  else
    _arguments -s "${{(@){0}_options:#(: :|\\*:::)*}}" '*: :_files'
  fi
}}
"""
_FILES = {
    "bash": "\ncomplete -o bashdefault -o default -F {0} {1}\n",
    "zsh": "",
    "fish": "complete -c {1} -n {0}_using -F\n",
}


def add_completion_option(
    parser: CommandParser, parsers: Callable[[], Mapping[str, CommandParser]], text: str
) -> None:
    """Add ``--print-completion SHELL``, which prints the script and exits. text: its help.

    parsers: returns the command's parsers by verb. The parser "", if there is one, has the options
    that need no verb and no other arguments.
    """
    parser.add_argument(
        "--print-completion",
        action=PrintText,
        make_text=lambda parser, shell: _make_script(parser.prog, dict(parsers()), shell),
        nargs=None,
        choices=_SHELLS,
        metavar="SHELL",
        help=text,
    )


def _make_script(command: str, parsers: dict[str, CommandParser], shell: str) -> str:
    """Return the script of a command for a shell."""
    import shtab  # here, since no other run of the command needs it

    for parser in parsers.values():
        for argument in parser.arguments:
            list_completions = getattr(argument, "completions", None)
            if list_completions is not None:
                argument.choices = list_completions()
            elif argument.choices is None and argument.nargs != 0:
                argument.complete = shtab.FILE  # type: ignore[attr-defined]
    main = parsers.pop("", None)
    root = CommandParser(prog=command, parents=[main] if main else [], add_help=False)
    verbs = root.add_subparsers()
    for verb, parser in parsers.items():
        text = (parser.description or verb).partition(".")[0]
        verbs.add_parser(verb, parents=[parser], description=text, help=text, add_help=False)
    function = shtab.wordify(f"_shtab_{command}")
    files = _ZSH_FILES.format(function, command, "|".join(parsers)) if shell == "zsh" else ""
    script: str = shtab.complete(root, shell, preamble=files)
    return script + _FILES[shell].format(function, command)
