"""The parser class of the commands, and options that print something and exit."""

from __future__ import annotations

import argparse
import difflib
import platform
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from microcoder_eval.errors import UsageError
from microcoder_eval.version import __version__, get_installed_version
from microcoder_sandbox import record


class CommandParser(argparse.ArgumentParser):
    """A parser that raises UsageError, and lists its arguments for tab completion.

    arguments: the actions of all arguments, including those of groups from ``add_group``; argparse
    has no public way to list them. common: the options that ``--help`` shows, while ``--help-all``
    shows all; if empty, there is no ``--help-all``.
    """

    def __init__(self, *, common: str = "", **settings: Any) -> None:
        self.arguments: list[argparse.Action] = []
        self._words: list[str] = []
        self._common = {"--help", *common.split()}
        super().__init__(**settings)
        if common:
            self._common.add("--help-all")
            self.add_argument("--help-all", action=_PrintFullHelp, help="show all options and exit")

    def format_short_help(self) -> str:
        """Return the help of the arguments and the common options, without the epilog."""
        hidden = [
            argument
            for argument in self.arguments
            if argument.option_strings and not self._common & {*argument.option_strings}
        ]
        texts, epilog = [argument.help for argument in hidden], self.epilog
        try:
            self.epilog = None
            for argument in hidden:
                argument.help = argparse.SUPPRESS
            return self.format_help()
        finally:
            self.epilog = epilog
            for argument, text in zip(hidden, texts, strict=True):
                argument.help = text

    def print_help(self, file: Any = None) -> None:
        """Print what ``--help`` asks for."""
        (file or sys.stdout).write(
            self.format_short_help() if "--help-all" in self._common else self.format_help()
        )

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        """Add an argument, to ``arguments`` too."""
        return self.list_argument(super().add_argument(*names, **settings))

    def add_group(self, title: str) -> OptionGroup:
        """Add a group of options with a title of its own in the help."""
        return OptionGroup(self, self.add_argument_group(title))

    def list_argument(self, action: argparse.Action) -> argparse.Action:
        """Add an action to ``arguments``; return it."""
        self.arguments.append(action)
        return action

    def error(self, message: str) -> NoReturn:
        """Raise UsageError, with the option that an unknown one is close to."""
        raise UsageError(f"{message}{self._suggest_option(message)} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and keep the words for the message of an error."""
        self._words = [str(word) for word in args or ()]
        return super().parse_known_args(args, namespace)

    def _suggest_option(self, message: str) -> str:
        """Return a known word that is close to an unknown word of the command line."""
        if "invalid choice: " in message:
            word, _, choices = message.partition("invalid choice: ")[2].partition(" (choose from ")
            close = difflib.get_close_matches(word.strip("'"), re.findall(r"[\w-]+", choices), 1)
            return f", did you mean {close[0]}?" if close else ""
        names = [name for argument in self.arguments for name in argument.option_strings]
        for word in self._words:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in names:
                synonym = _OPTION_SYNONYMS.get(name)
                close = difflib.get_close_matches(name, names, 1)
                meant = synonym if synonym in names else next(iter(close), None)
                return f"; there is no {name}" + (f", did you mean {meant}?" if meant else "")
        return ""


class _PrintFullHelp(argparse.Action):
    """``--help-all``: print the help of all options and exit."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, **settings)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Raise SystemExit(0)."""
        sys.stdout.write(parser.format_help())
        parser.exit()


# Option names of other programs that resemble none of ours, or the wrong one.
_OPTION_SYNONYMS = {
    "--jobs": "--workers",
    "--num-workers": "--workers",
    "--processes": "--workers",
    "--threads": "--workers",
    "--timeout": "--time-limit",
}


@record
class OptionGroup:
    """A group of options under one title of the help."""

    parser: CommandParser
    group: Any

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """Add an option to the group and to the parser's ``arguments``."""
        return self.parser.list_argument(self.group.add_argument(*names, **settings))


class PrintList(argparse.Action):
    """An option that prints lines and exits. make_lines: returns them."""

    def __init__(
        self,
        option_strings: Sequence[str],
        dest: str,
        make_lines: Callable[[], list[str]],
        **settings: Any,
    ) -> None:
        super().__init__(option_strings, dest, nargs=0, **settings)
        self._make_lines = make_lines

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Raise SystemExit(0)."""
        sys.stdout.write("\n".join(self._make_lines()) + "\n")
        parser.exit()


class PrintVersion(argparse.Action):
    """``--version`` in short: the versions of the command, of Python and of ``packages``."""

    def __init__(self, option_strings: Sequence[str], dest: str, packages: Sequence[str]) -> None:
        super().__init__(option_strings, dest, nargs=0, help="versions, for bug reports")
        self._packages = packages

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Raise SystemExit(0)."""
        name = parser.prog.partition(" ")[0]
        sys.stdout.write(f"{name} {__version__}\n{_summarize_versions(self._packages)}\n")
        parser.exit()


def _summarize_versions(packages: Sequence[str]) -> str:
    """Return the versions of Python, the kernel and these packages, in one line."""
    versions = [f"{name} {get_installed_version(name) or 'not installed'}" for name in packages]
    python = f"Python {platform.python_version()}"
    return ", ".join([python, f"{platform.system()} {platform.release()}", *versions])


def parse_count(text: str, highest: int = 10_000) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= highest:
        reason = f"must be a whole number from 1 to {highest:,}, not {text!r}"
        raise argparse.ArgumentTypeError(reason)
    return int(text)
