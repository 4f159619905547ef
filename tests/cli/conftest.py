"""The command line in a folder of the test's own."""

from __future__ import annotations

from microcoder_eval.cli import main
from tests.commands import command_fixture

command = command_fixture(main)
