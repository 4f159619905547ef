"""Two programs joined by pipes: what each of them sees of the other."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from microcoder_sandbox.host.interaction import Interaction
from microcoder_sandbox.host.outcome import Killed
from microcoder_sandbox.host.requests import make_script_request
from microcoder_sandbox.host.sandbox import Sandbox
from tests.sandbox.conftest import LIMITS

pytestmark = pytest.mark.sandbox


def interact(
    sandbox: Sandbox, solution: str, interactor: str, folder_bytes: int = 0
) -> Interaction:
    with (
        closing(sandbox.prepare_program(solution.encode())) as solution_program,
        closing(
            sandbox.prepare_program(interactor.encode(), of_problem=True)
        ) as interactor_program,
    ):
        return sandbox.run_interaction(
            make_script_request(solution_program, b"", replace(LIMITS, folder_bytes=folder_bytes)),
            make_script_request(interactor_program, b"", LIMITS),
            continue_codes=(42,),
        )


def test_both_find_a_pipe_as_standard_input(sandbox: Sandbox) -> None:
    tell = "import sys; sys.stderr.write(str(sys.stdin.seekable())); "
    interaction = interact(
        sandbox, tell + "print(input())", tell + "print(6); sys.exit(42 if input() == '6' else 43)"
    )
    assert (interaction.solution.stderr, interaction.interactor.stderr) == (b"False", b"False")
    assert (interaction.solution.exit_code, interaction.interactor.exit_code) == (0, 42)
    assert interaction.solution.stdout == b""  # it went to the interactor


def test_a_folder_is_limited_in_an_interaction(sandbox: Sandbox) -> None:
    fill = (
        "import time\nfile = open('a', 'wb')\n"
        "while True:\n    file.write(bytes(1 << 16)); file.flush(); time.sleep(0.01)\n"
    )
    interaction = interact(sandbox, fill, "input()", folder_bytes=1 << 20)
    assert interaction.solution.exit_code != 0
    assert interaction.solution.killed is not Killed.WALL
