"""Forks, exits and waits: the lower bound of a judge with a process for each test.

Runs as: python -I -S floor_driver.py JOB RESULT, in an interpreter that imports only what this
file needs. The child runs no line of a program, so the cost is the kernel's: copying page tables,
the faults of the first instructions, and the exit.
"""

import os
import sys
import time


def main(job_path: str, result_path: str) -> None:
    # Plain text instead of JSON: every imported module makes the fork more expensive.
    with open(job_path, encoding="utf-8") as file:
        forks = int(file.read())
    start = time.perf_counter()
    for _ in range(forks):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
    wall_s = time.perf_counter() - start
    with open(result_path, "w", encoding="utf-8") as file:
        file.write(repr(wall_s))


if __name__ == "__main__":
    main(*sys.argv[1:])
