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

OptionGroup = argparse._ActionsContainer  # a parser, or a group of its options


class CommandParser(argparse.ArgumentParser):
    """A parser that raises UsageError.

    common: the options that ``--help`` shows, while ``--help-all`` shows all; if empty, there is no
    ``--help-all``.
    """

    def __init__(self, *, common: str = "", **settings: Any) -> None:
        self._words: list[str] = []
        self._common = {"--help", *common.split()}
        super().__init__(**settings)
        if common:
            self._common.add("--help-all")
            self.add_argument(
                "--help-all",
                action=PrintText,
                make_text=lambda parser, _: parser.format_help(),
                help="show all options and exit",
            )

    @property
    def arguments(self) -> list[argparse.Action]:
        """The actions of all arguments, those of groups, too; argparse has no public way."""
        return self._actions

    def print_help(self, file: Any = None) -> None:
        """Print what ``--help`` asks for, after which the command ends: where there is
        ``--help-all``, the arguments and the common options, without the epilog."""
        if "--help-all" in self._common:
            self.epilog = None
            for argument in self.arguments:
                if argument.option_strings and not self._common & {*argument.option_strings}:
                    argument.help = argparse.SUPPRESS
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Raise UsageError, with the option that an unknown one is close to."""
        raise UsageError(f"{message}{self._suggest_option(message)} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and keep the words for the message of an error."""
        self._words = [str(word) for word in args or ()]
        names = [word.partition("=")[0] for word in self._words]
        for name in _INPUTS:
            if names.count(name) > 1:
                self.error(f"{name} is there twice; only the last would count")
        return super().parse_known_args(args, namespace)

    def _suggest_option(self, message: str) -> str:
        """Return a known word that is close to an unknown word of the command line."""
        if "invalid choice: " in message:
            word, _, choices = message.partition("invalid choice: ")[2].partition(" (choose from ")
            close = difflib.get_close_matches(word.strip("'"), re.findall(r"[\w-]+", choices), 1)
            return f", did you mean {close[0]}?" if close else ""
        if re.fullmatch(r"unrecognized arguments:( [\d.]+)+", message):
            return "; several values of an option are joined by commas"
        names = [name for argument in self.arguments for name in argument.option_strings]
        for word in self._words:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in names:
                meant = self.find_meant(name, names)
                return f"; there is no {name}" + (f", did you mean {meant}?" if meant else "")
        return ""

    def find_meant(self, name: str, names: Sequence[str]) -> str:
        """Return the option of these names that an unknown name stands for; "" if none."""
        synonym = _OPTION_SYNONYMS.get(name, "")
        close = difflib.get_close_matches(name, names, 1, cutoff=0.7)
        return synonym if synonym in names else next(iter(close), "")


class PrintText(argparse.Action):
    """An option that prints a text and exits. make_text: gets the parser and the option's value."""

    def __init__(
        self,
        option_strings: Sequence[str],
        dest: str,
        make_text: Callable[[argparse.ArgumentParser, Any], str],
        nargs: int | None = 0,
        **settings: Any,
    ) -> None:
        super().__init__(option_strings, dest, nargs, default=argparse.SUPPRESS, **settings)
        self._make_text = make_text

    def __call__(self, parser: argparse.ArgumentParser, _: Any, value: Any, *__: Any) -> None:
        """Raise SystemExit(0)."""
        sys.stdout.write(self._make_text(parser, value))
        parser.exit()


class PrintVersion(PrintText):
    """``--version``: the versions of the command, of Python, the kernel and ``packages``."""

    def __init__(self, option_strings: Sequence[str], dest: str, packages: Sequence[str]) -> None:
        super().__init__(option_strings, dest, self._describe, help="versions, for bug reports")
        self._packages = packages

    def _describe(self, parser: argparse.ArgumentParser, _: Any) -> str:
        versions = [f"{n} {get_installed_version(n) or 'not installed'}" for n in self._packages]
        python = f"Python {platform.python_version()}"
        facts = ", ".join([python, f"{platform.system()} {platform.release()}", *versions])
        return f"{parser.prog.partition(' ')[0]} {__version__}\n{facts}\n"


_INPUTS = ("--tests", "--solutions", "--preset")  # what none may lose in silence
# Option names of other programs that resemble none of ours, or the wrong one.
_OPTION_SYNONYMS = {
    "--jobs": "--workers",
    "--num-workers": "--workers",
    "--processes": "--workers",
    "--threads": "--workers",
    "--timeout": "--time-limit",
}


def parse_count(text: str, highest: int = 10_000) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= highest:
        reason = f"must be a whole number from 1 to {highest:,}, not {text!r}"
        raise argparse.ArgumentTypeError(reason)
    return int(text)
