"""A child as the kernel shows it: its process number, its clock, its memory, and signals to it."""

from __future__ import annotations

import os
import select
import signal
import time

_STATUS_BYTES = 1 << 14  # read of a file in /proc/PID, which has some 2,000
# One reading covers at most this many threads (some 10 µs each). The program gets no credit for the
# wait of the others.
_MAX_THREADS_READ = 64
# In /proc/PID/stat: it runs or waits for a core; it waits for a disk (proc_pid_stat(5)).
WORKING_STATES = frozenset({b"R", b"D"})


class ChildProcess:
    """The process of a child. ``pid`` is 0 until it is known, ``pidfd`` -1 until it is handed over.

    cpu_s: seconds of CPU.
    run_delay: seconds that its threads were ready to run and did not get a core, summed over all
        threads, because threads may wait for each other.
    peak_bytes, thread_count: the peak of resident memory, the number of threads.
    swap_peak: the peak of what was resident or in swap; 0 where nothing was in swap.
    is_stalled: whether it waits for something that cannot happen. All are as of the last reading.

    A subclass may override ``read_usage``, ``list_tasks``, ``kill`` and ``early_kill_margin``, and
    sets ``is_stalled``.
    """

    # The exact peak is known only at the child's end, and it decides. Until then this margin, which
    # is more than the baseline, raises the limit, so that no child within its limit is killed.
    early_kill_margin = 64 << 20

    def __init__(self) -> None:
        self.pid = 0
        self.pidfd = -1
        self.cpu_s = 0.0
        self.run_delay = 0.0
        self.peak_bytes = 0
        self.swap_peak = 0
        self.thread_count = 0
        self.is_stalled = False
        self._cpu_clock = 0
        self._delay_by_task: dict[str, int] = {}  # in nanoseconds, at the last reading

    def set_pid(self, pid: int) -> None:
        """Set its process number, as the kernel reports it."""
        self.pid = pid
        # The CPU clock of another process, exact to the nanosecond (clock_getcpuclockid(3)).
        self._cpu_clock = ((~pid) << 3) | 2

    def adopt_pidfd(self, pidfd: int) -> None:
        """Take its pidfd, to be closed with this. ``pid`` is -1 where it has been reaped."""
        self.pidfd = pidfd
        with open(f"/proc/self/fdinfo/{pidfd}") as info:
            for line in info:
                if line.startswith("Pid:"):
                    self.set_pid(int(line.split()[1]))

    def read_cpu(self) -> float:
        """Return the seconds of CPU until now. Raises OSError where it has been reaped."""
        self.cpu_s = time.clock_gettime(self._cpu_clock)
        return self.cpu_s

    def read_run_delay(self) -> None:
        """Read how long its threads waited for a core; nothing in a kernel without schedstats.

        The kernel counts waiting on a run queue, also in a control group that has used up its
        share of a period. It does not count sleep, a wait for a disk, being stopped, or time that a
        hypervisor takes from the whole machine.
        """
        delays: dict[str, int] = {}
        for task in self.list_tasks()[:_MAX_THREADS_READ]:
            try:
                delays[task] = int(_read_file(f"{task}/schedstat").split()[1])
            except (OSError, IndexError):
                continue
        # Only increases are added, so the wait of a thread that has ended stays counted.
        earlier = self._delay_by_task
        waited = sum(max(0, delay - earlier.get(task, 0)) for task, delay in delays.items())
        self.run_delay += waited / 1e9
        self._delay_by_task = delays

    def list_tasks(self) -> list[str]:
        """Return the folder in /proc of each of its threads."""
        return list_task_folders(self.pid)

    def read_usage(self) -> None:
        """Read its memory and number of threads. Continue it if a signal has stopped it."""
        folder = f"/proc/{self.pid}"
        try:
            text = _read_file(f"{folder}/status")
            self.thread_count = _parse_status_field(text, b"Threads:")
            if b"\nVmHWM:" not in text:
                # Only the main thread has ended: the memory belongs to the other threads.
                for task in os.listdir(f"{folder}/task")[-2:]:
                    text += _read_file(f"{folder}/task/{task}/status")
        except OSError:
            return
        self.peak_bytes = max(self.peak_bytes, _parse_status_field(text, b"VmHWM:") << 10)
        held_bytes = parse_memory_if_swapped(text)
        self.swap_peak = max(self.swap_peak, held_bytes)
        self.peak_bytes = max(self.peak_bytes, held_bytes)
        if b"\nState:\tT" in text:
            # A signal stopped it: continue it, whoever sent the signal. A program that stops itself
            # again and again reaches its wall limit.
            self._send_signal(signal.SIGCONT)

    def is_asleep(self) -> bool:
        """Whether it waits: none of its threads works, and not all have ended."""
        tasks = f"/proc/{self.pid}/task"
        try:
            states = [_read_state(f"{tasks}/{task}/stat") for task in os.listdir(tasks)]
        except OSError:
            return False
        return b"S" in states and WORKING_STATES.isdisjoint(states)

    def has_ended(self) -> bool:
        """Whether it has ended, as far as can be seen without its pidfd."""
        if self.pidfd < 0:
            return False
        poller = select.poll()  # select() knows no descriptor above 1023
        poller.register(self.pidfd, select.POLLIN)
        return bool(poller.poll(0))

    def kill(self) -> None:
        """Kill the process by its pidfd, if it is there."""
        self._send_signal(signal.SIGKILL)

    def _send_signal(self, number: signal.Signals) -> None:
        if self.pidfd < 0:
            return
        try:
            signal.pidfd_send_signal(self.pidfd, number)
        except ProcessLookupError:
            pass

    def close(self) -> None:
        """Close its pidfd."""
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1


def list_task_folders(pid: int) -> list[str]:
    """Return the folder in /proc of each thread of a process; none where it has ended."""
    folder = f"/proc/{pid}/task"
    try:
        return [f"{folder}/{task}" for task in os.listdir(folder)]
    except OSError:
        return []


def parse_memory_if_swapped(status: bytes) -> int:
    """Return the bytes that a /proc/PID/status shows as resident and in swap.

    Returns 0 if nothing is in swap; the kernel's peak of resident memory is more exact then. That
    peak omits pages in swap, and a program can send its own pages there (madvise(2)).
    """
    swapped_kib = _parse_status_field(status, b"VmSwap:")
    return (swapped_kib + _parse_status_field(status, b"VmRSS:")) << 10 if swapped_kib else 0


def _read_file(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, _STATUS_BYTES)
    finally:
        os.close(descriptor)


def _read_state(stat_path: str) -> bytes:
    return _read_file(stat_path).rpartition(b")")[2].split()[0]


def _parse_status_field(status: bytes, name: bytes) -> int:
    """Return the number after ``name`` in a /proc/PID/status; 0 where there is none."""
    # From the start of a line: the first one holds a name that the program may choose, in which
    # the kernel escapes line ends.
    start = status.find(b"\n" + name)
    return int(status[start + 1 + len(name) :].split(None, 1)[0]) if start >= 0 else 0
